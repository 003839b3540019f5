"""`invisible`: characters that nobody sees go, unless they carry meaning where they stand.

Kept are joiners between letters of scripts that join (Arabic, Devanagari and others), joiners and
variation selectors in emoji sequences, tag letters behind a black flag, variation selectors behind
ideographs, and direction marks on lines with right-to-left letters. Tabs, line ends and form feeds are
no noise.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from chunkwise.readers.clean.base import Page
from chunkwise.types import Edit

_NAMES = {
    "\u00ad": "soft hyphen",
    "\u034f": "grapheme joiner",
    "\u061c": "direction mark",
    "\u200b": "zero-width space",
    "\u200c": "zero-width non-joiner",
    "\u200d": "zero-width joiner",
    "\u200e": "direction mark",
    "\u200f": "direction mark",
    "\u202a": "direction mark",
    "\u202b": "direction mark",
    "\u202c": "direction mark",
    "\u202d": "direction override",
    "\u202e": "direction override",
    "\u2060": "word joiner",
    "\ufeff": "byte order mark",
    "\u2066": "direction mark",
    "\u2067": "direction mark",
    "\u2068": "direction mark",
    "\u2069": "direction mark",
}
_OTHER = (
    "\u115f\u1160\u17b4\u17b5\u180e\u2061-\u2065\u206a-\u206f\u3164\uffa0\ufff0-\ufffc"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
_SELECTORS = "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
_TAGS = "\U000e0000-\U000e007f"
_CONTROL = r"\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
TERMINAL = r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])?|\x9b[0-9;]+[A-Za-z]"
"""Codes of terminals: colours, places, links."""
_CANDIDATE = re.compile(
    f"(?P<terminal>{TERMINAL})|(?P<control>[{_CONTROL}]+)|(?P<tags>[{_TAGS}]+)|(?P<selector>[{_SELECTORS}])"
    f"|(?P<named>[{''.join(_NAMES)}])|(?P<other>[{_OTHER}])"
)
_INVISIBLE = re.compile(f"[{_CONTROL}{_TAGS}{_SELECTORS}{''.join(_NAMES)}{_OTHER}]")
_OVERRIDE = re.compile("[\u202d\u202e]")
_TAG_LETTER = re.compile(f"(?<!\U0001f3f4)(?<![{_TAGS}])[{_TAGS}]+")
_JOINERS, _DIRECTION = "\u200c\u200d", "direction mark"


_FAR = 64
"""So many invisible characters in a row are looked through for what stands before them."""


def find_invisible(page: Page) -> list[Edit]:
    """Every invisible character without meaning, terminal codes and control characters among them."""
    text = page.text
    lines = _Lines(text)
    found: list[Edit] = []
    for match in _CANDIDATE.finditer(text):
        kind, start, end = str(match.lastgroup), match.start(), match.end()
        what = {
            "terminal": "terminal code",
            "control": "control character",
            "tags": "tag letter",
            "selector": "variation selector",
            "other": "invisible character",
        }.get(kind) or _NAMES[match[0]]
        if kind in ("terminal", "control") or not _means(text, start, end, kind, what, lines):
            found.append(Edit(start, end, "", what))
    return found


def suspicious(text: str) -> list[tuple[int, str]]:
    """Places of characters that make a text look other than it is, each with what to say of it."""
    if text.isascii():
        return []
    found = []
    for match in _OVERRIDE.finditer(text):
        what = f"direction override U+{ord(match[0]):04X} at character {match.start()}"
        found.append((match.start(), f"{what}: the text reads other than it looks"))
    for match in _TAG_LETTER.finditer(text):
        hidden = "".join(chr(ord(c) - 0xE0000) if 0xE0020 <= ord(c) < 0xE007F else "?" for c in match[0])
        found.append((match.start(), f"tag letters at character {match.start()} hide the text {hidden!r}"))
    return sorted(found)


def _means(text: str, start: int, end: int, kind: str, what: str, lines: _Lines) -> bool:
    """Whether an invisible character carries meaning between its neighbours."""
    if kind == "other":
        # Fillers of Hangul syllables that are written in parts.
        return text[start] in "\u115f\u1160" and bool(_classes()["jamo"].match(text, end))
    before = _previous(text, start)
    if kind == "tags":
        return before == "\U0001f3f4" and start > 0 and text[start - 1] == before
    classes = _classes()
    if kind == "selector":
        return start > 0 and text[start - 1] == before and bool(classes["varies"].match(before))
    char = text[start]
    if char in _JOINERS:
        if classes["joins"].match(before):
            return True
        around = before, text[end : end + 1]
        return char == "\u200d" and all(classes["emoji"].match(one) for one in around)
    if what == _DIRECTION:
        right, overridden = lines.at(start)
        return right and not (char == "\u202c" and overridden)
    if char == "\u034f":
        return bool(classes["mark"].match(text[end : end + 1]))
    return False


def _previous(text: str, at: int) -> str:
    """The last visible character before a place; an emoji behind its skin tone and selector."""
    emoji = _classes()["modifier"]
    least = max(0, at - _FAR)
    while at > least:
        at -= 1
        if not _INVISIBLE.match(text, at) and not emoji.match(text, at):
            return text[at]
    return ""


class _Lines:
    """Whether there are right-to-left letters and overrides in lines. Each is looked at once, in order."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = -1
        self._known = (False, False)

    def at(self, place: int) -> tuple[bool, bool]:
        """Whether the line of a place has right-to-left letters, and whether it has overrides."""
        if place > self._end:
            text = self._text
            start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
            end = text.find("\n", place)
            self._end = end if end >= 0 else len(text)
            line = text[start : self._end]
            self._known = _classes()["right"].search(line) is not None, _OVERRIDE.search(line) is not None
        return self._known


@cache
def _classes() -> dict[str, Any]:
    import regex

    joining = (
        "Arabic Syriac Mandaic Mongolian Nko Thaana Adlam Hanifi_Rohingya Phags_Pa Manichaean Sogdian "
        "Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar "
        "Tibetan Balinese Javanese Sundanese Lepcha Limbu Newa Grantha Tirhuta Chakma"
    )
    scripts = "".join(rf"\p{{Script={name}}}" for name in joining.split())
    return {
        "joins": regex.compile(f"[{scripts}]"),
        "right": regex.compile(r"[\p{Bidi_Class=R}\p{Bidi_Class=AL}]"),
        "emoji": regex.compile(r"\p{Extended_Pictographic}"),
        "modifier": regex.compile(r"\p{Emoji_Modifier}"),
        "varies": regex.compile(
            r"[\p{Extended_Pictographic}\p{Emoji_Modifier_Base}0-9#*\p{Ideographic}\p{Script=Mongolian}\p{Sm}"
            r"\p{Script=Phags_Pa}\p{Script=Myanmar}]"
        ),
        "mark": regex.compile(r"\p{M}"),
        "jamo": regex.compile(r"[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]"),
    }
