"""Where strings that somebody else cut out of a text stand in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

from chunkwise.types import Span, union

_WORD = re.compile(r"\S+")


def place(text: str, pieces: Sequence[str | Span]) -> list[Span | None]:
    """The place of every piece, in order; None for a string that is not in the text.

    A span stays what it is. A string is looked for right behind the end of the piece before (white
    space between them left out), else anywhere behind the *start* of the piece before, so that overlap
    is found: first where it ends behind the end of that piece, as pieces that only overlap do, then inside
    of it; each time exactly first, then with every run of white space taken for one space. A string
    that is not found moves nothing.

    Looking behind the end first finds the right copy of a repeated sentence. In a text that repeats
    itself with the period of an overlap it can run ahead of the pieces. So, where a piece is not found or
    text is left out, the other order is tried too, at last also pieces that begin where the one before
    does; the order that finds most pieces is taken, of equal ones that which leaves out least.
    """
    folded = _Folded(text)
    found = _walk(text, folded, pieces, behind_the_end=True)
    worth = _worth(found)
    if None not in found and not _leaves_out(text, found):
        return found
    other = _walk(text, folded, pieces, behind_the_end=False)
    if _worth(other) > worth:
        found, worth = other, _worth(other)
    if None in found:
        other = _walk(text, folded, pieces, behind_the_end=True, nested=True)
        if other.count(None) < found.count(None):
            found = other
    return found


def _worth(places: Sequence[Span | None]) -> tuple[int, int]:
    """How many pieces were found, and how many characters they hold together."""
    found = [place for place in places if place is not None]
    return len(found), sum(span.length for span in union(found))


def _leaves_out(text: str, places: Sequence[Span | None]) -> bool:
    """Whether visible text between the first and the last piece is in none of them."""
    merged = union(place for place in places if place is not None)
    return any(text[before.end : after.start].strip() for before, after in pairwise(merged))


def _walk(
    text: str, folded: _Folded, pieces: Sequence[str | Span], *, behind_the_end: bool, nested: bool = False
) -> list[Span | None]:
    places: list[Span | None] = []
    least, end = 0, 0
    for piece in pieces:
        found: Span | None
        if isinstance(piece, Span):
            found = piece
        else:
            found = _behind(text, folded, piece, end) if behind_the_end else None
            if found is None:
                found = _further(text, folded, piece, least, end)
            if found is None and least and nested:
                found = _further(text, folded, piece, least - 1, end)
        places.append(found)
        if found is not None:
            least, end = found.start + 1, found.end
    return places


def _behind(text: str, folded: _Folded, piece: str, end: int) -> Span | None:
    """The piece where it begins at `end`, or where only white space stands between."""
    if text.startswith(piece, end):
        return Span(end, end + len(piece))
    visible = _WORD.search(text, end)
    if visible is None:
        return None
    start = visible.start()
    whole = start - (len(piece) - len(piece.lstrip()))
    if whole >= end and text.startswith(piece, whole):
        return Span(whole, whole + len(piece))
    # Most texts are never folded: only where the first word is right.
    first = _WORD.search(piece)
    if first is not None and text.startswith(first[0], start):
        found = folded.find(piece, start)
        return found if found is not None and found.start == start else None
    return None


def _further(text: str, folded: _Folded, piece: str, least: int, end: int) -> Span | None:
    """The first place at or behind `least`, one that ends behind `end` before one that does not."""
    beyond = end - len(piece) + 1
    return (
        (_exact(text, piece, beyond) if beyond > least else None)
        or _exact(text, piece, least)
        or folded.find(piece, least, end)
    )


def _exact(text: str, piece: str, least: int) -> Span | None:
    start = text.find(piece, least)
    return Span(start, start + len(piece)) if start >= 0 else None


class _Folded:
    """A text with every run of white space as one space, and the way back. Made when first needed."""

    def __init__(self, text: str) -> None:
        self._source = text
        self._text: str | None = None
        self._raw: list[int] = []
        self._own: list[int] = []

    def find(self, piece: str, least: int, end: int = 0) -> Span | None:
        """The first place at or behind `least` that equals the piece, white space folded.

        One that ends behind `end` stands before one that does not.
        """
        wanted = " ".join(piece.split())
        if not wanted:
            return None
        if self._text is None:
            self._fold()
        text = self._text or ""
        first = self._position(least)
        beyond = self._position(end) - len(wanted) + 1
        start = text.find(wanted, beyond) if beyond > first else -1
        if start < 0:
            start = text.find(wanted, first)
        if start < 0:
            return None
        return Span(self._back(start), self._back(start + len(wanted) - 1) + 1)

    def _fold(self) -> None:
        words, length = [], 0
        for match in _WORD.finditer(self._source):
            words.append(match[0])
            self._raw.append(match.start())
            self._own.append(length)
            length += len(match[0]) + 1
        self._text = " ".join(words)

    def _position(self, raw: int) -> int:
        """Where the first visible character at or behind a raw position stands in the folded text."""
        i = bisect_right(self._raw, raw) - 1
        if i < 0:
            return 0
        own = self._own[i] + raw - self._raw[i]
        return min(own, self._own[i + 1]) if i + 1 < len(self._own) else own

    def _back(self, own: int) -> int:
        """The raw position of a visible character of the folded text."""
        i = bisect_right(self._own, own) - 1
        return self._raw[i] + own - self._own[i]
