"""`hyphenation`: words that were parted at the end of a line are whole again.

Whether the hyphen belongs to the word is asked of the text itself: a word that it spells with a hyphen
elsewhere keeps it, one that it spells without loses it. Where it tells neither, the hyphen stays if both
parts are words of the text, in an address, and before a word such as `and`, which it never joins.
"""

from __future__ import annotations

import re

from chunkwise.readers.clean.base import Page, outside
from chunkwise.types import BlockKind, Edit

_BREAK = re.compile(r"(?<=[^\W\d_])(?:(\u00ad)|[-\u2010])[^\S\r\n\f]*(?:\r\n|[\r\n])[^\S\r\n\f]*(?=[^\W\d_])")
_HEAD = re.compile(r"[^\W\d_]+\Z")
_TAIL = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010][^\W\d_]+)*")
# Behind a hyphen that stands for the end of a word, as in `pre- and post-war`.
_JOINS_NOTHING = frozenset(("and", "und", "oder", "sowie", "och", "eller"))
_ADDRESS = re.compile(r"(?:://|\bwww\.)\S*\Z")
_LONGEST = 64
"""Characters of the longest part of a word that is looked up."""


def find_hyphens(page: Page) -> list[Edit]:
    """Every word parted at a line end, outside of code, tables, headings and quotes."""
    text = page.text
    breaks = [m for m in _BREAK.finditer(text) if m[1] or text[m.end()].islower()]
    if not breaks:
        return []
    parts = [_parts(text, m) for m in breaks]
    known = _words(text, breaks)
    found = []
    for match, (head, tail) in zip(breaks, parts, strict=True):
        start, end = match.span()
        if match[1]:
            found.append(Edit(start, end, "", "word parted by a soft hyphen"))
        elif tail in _JOINS_NOTHING and head + tail not in known:
            found.append(Edit(start + 1, end, " ", "hyphen for the end of a word"))
        elif (
            f"{head}-{tail}" in known
            or (head + tail not in known and {head, tail} <= known)
            or _ADDRESS.search(text, max(0, start - 200), start)
        ):
            found.append(Edit(start + 1, end, "", "compound parted at its hyphen"))
        else:
            found.append(Edit(start, end, "", "word parted by a hyphen"))
    kept = (BlockKind.CODE, BlockKind.TABLE, BlockKind.HEADING, BlockKind.QUOTE, BlockKind.HTML)
    return outside(found, page.blocks(*kept))


def _parts(text: str, match: re.Match[str]) -> tuple[str, str]:
    """What stands before and behind the break, in lower case."""
    head = _HEAD.search(text, max(0, match.start() - _LONGEST), match.start())
    tail = _TAIL.match(text, match.end(), match.end() + _LONGEST)
    return (head[0].lower() if head else ""), (tail[0].lower() if tail else "")


def _words(text: str, breaks: list[re.Match[str]]) -> frozenset[str]:
    """Every word of the text in lower case, compounds as a whole; not what is parted at a line end."""
    parted = {m.start() for m in breaks}
    behind = {m.end() for m in breaks}
    return frozenset(
        word[0].lower().replace("\u2010", "-")
        for word in _WORD.finditer(text)
        if word.end() not in parted and word.start() not in behind
    )
