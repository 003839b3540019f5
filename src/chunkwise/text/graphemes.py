"""Grapheme clusters: what a reader takes for one character (UAX #29)."""

from __future__ import annotations

from functools import cache
from typing import Any

# How far back a cluster's start is looked for. Longer runs without a safe character are taken as
# starting here, which keeps a text of emoji only from costing quadratic time. Flags are counted.
_FAR = 1024
# Grapheme_Cluster_Break=Prepend of Unicode (GraphemeBreakProperty.txt).
_PREPENDED = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2"
    "\U000111c3\U000113d1\U0001193f\U00011941\U00011a3a\U00011a84\U00011a85\U00011a86\U00011a87\U00011a88"
    "\U00011a89\U00011d46\U00011f02"
)

_FLAGS = "".join(map(chr, range(0x1F1E6, 0x1F200)))  # regional indicators: two of them are a flag
_run: list[tuple[str, int, int]] = [("", 0, 0)]  # a text, and from where to where its characters are such


@cache
def _cluster() -> Any:
    import regex

    return regex.compile(r"\X")


def grapheme_floor(text: str, position: int) -> int:
    """The last cluster boundary at or before `position`."""
    if position <= 0 or position >= len(text):
        return min(max(position, 0), len(text))
    before, after = text[position - 1], text[position]
    if before < "\u0300" > after:
        return position - 1 if before == "\r" and after == "\n" else position
    start = _safe_start(text, position)
    # Of its own part of the text: in a run of flags, each match looks back over the whole run.
    floor = start
    for match in _cluster().finditer(text[start : position + 1]):
        if start + match.end() > position:
            break
        floor = start + match.end()
    return floor


def grapheme_ceil(text: str, position: int) -> int:
    """The first cluster boundary at or after `position`."""
    position = min(max(position, 0), len(text))
    floor = grapheme_floor(text, position)
    if floor == position:
        return position
    return int(_cluster().match(text, floor).end())


def grapheme_ends(text: str, start: int, end: int) -> list[int]:
    """Ends of the clusters of a slice, from its start."""
    return [match.end() for match in _cluster().finditer(text, start, end)]


def _safe_start(text: str, position: int) -> int:
    """A position at or before `position` where a cluster begins for sure."""
    i = position - 1
    stop = max(0, position - _FAR)
    while i > stop:
        code = ord(text[i])
        # Latin, Greek, Cyrillic letters, kana and ideographs begin a cluster unless a rare prepended
        # mark stands before them.
        if code < 0x300 or 0x370 <= code < 0x483 or 0x3041 <= code < 0x3097 or 0x30A0 <= code < 0xA000:
            if text[i - 1] in _PREPENDED:
                i -= 1
                continue
            return i
        i -= 1
    i = max(i, 0)
    # Flags are pairs, counted from where they begin.
    return i - (i - _flags_start(text, i)) % 2 if text[i] in _FLAGS else i


def _flags_start(text: str, position: int) -> int:
    """Where the run of regional indicators begins that a place stands in. Of the run that was looked at last
    it is known, so that a text of flags costs no quadratic time.
    """
    known, start, end = _run[0]
    if known is not text or position < start or text[end : position + 1].strip(_FLAGS):
        start, step = position, _FAR
        while start and not (before := text[max(0, start - step) : start].rstrip(_FLAGS)):
            start, step = max(0, start - step), 2 * step
        if start:
            start = max(0, start - step) + len(before)
        end = position
    if position - start > _FAR:
        _run[0] = text, start, max(end, position + 1)
    return start
