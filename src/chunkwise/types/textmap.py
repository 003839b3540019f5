"""`Edit` and `TextMap`: how a text was changed, and the way between it and what it was made from."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chunkwise.types.span import Span


class Edit(NamedTuple):
    """One change of a text: `text[start:end]` becomes `put`."""

    start: int
    """Where the changed characters begin."""
    end: int
    """Where they end; equal to `start` where something is only put in."""
    put: str
    """What stands there afterwards."""
    what: str
    """What was found there, in words: `soft hyphen`, `running line`."""


class TextMap:
    """The way between a text and the raw text that it was made from: two rising columns of integers.

    Place `text[i]` of the text is place `raw[i]` of the raw one. Between two such points both run
    alike where they are equally long; where they are not, the characters were replaced, and each of
    them stands for all of the other side. Behind the last point both run alike.
    """

    __slots__ = ("raw", "text")

    def __init__(self, text: Iterable[int] = (0,), raw: Iterable[int] = (0,)) -> None:
        self.text = array("q", text)
        self.raw = array("q", raw)

    @classmethod
    def of(cls, edits: Iterable[Edit]) -> TextMap:
        """The map of a text that was made by edits, which are in order and do not overlap."""
        text, raw = array("q", [0]), array("q", [0])
        shift = 0
        for edit in edits:
            grown = len(edit.put) - (edit.end - edit.start)
            if not grown:
                continue  # both sides run on alike
            for t, r in (
                (edit.start + shift, edit.start),
                (edit.start + shift + len(edit.put), edit.end),
            ):
                if t != text[-1] or r != raw[-1]:
                    text.append(t)
                    raw.append(r)
            shift += grown
        return cls(text, raw)

    @property
    def shift(self) -> int | None:
        """How far raw places are ahead of those of the text; None where that differs from place to place."""
        return self.raw[0] - self.text[0] if len(self.raw) == 1 else None

    def to_raw(self, span: tuple[int, int]) -> Span:
        """The raw characters that a span of the text came from."""
        return _carry(span, self.text, self.raw)

    def from_raw(self, span: tuple[int, int], length: int) -> Span:
        """The span of the text, which has `length` characters, that holds the given raw characters."""
        start, end = _carry(span, self.raw, self.text)
        return Span(min(max(start, 0), length), min(max(end, 0), length))

    def forward(self, places: Iterable[int]) -> list[int]:
        """Raw places between characters as places of the text. What was put in belongs to what is before."""
        import numpy as np

        at = np.asarray(places if isinstance(places, array | list) else list(places), dtype=np.int64)
        if not len(at):
            return []
        text, raw = np.frombuffer(self.text, dtype=np.int64), np.frombuffer(self.raw, dtype=np.int64)
        i = np.maximum(np.searchsorted(raw, at, side="right") - 1, 0)
        into = at - raw[i]
        behind = np.minimum(i + 1, len(raw) - 1)
        alike = (text[behind] - text[i] == raw[behind] - raw[i]) | (behind == i)
        moved = np.where(alike | (into <= 0), text[i] + into, text[behind])
        carried: list[int] = np.maximum(moved, 0).tolist()
        return carried

    def then(self, later: TextMap) -> TextMap:
        """The map of a text that `later` leads from to the text of this one: from the last text to raw."""
        if later.shift == 0:
            return self
        text, raw = array("q"), array("q")
        for place in sorted({*later.raw, *self.text}):
            above, below = _both(place, later.raw, later.text), _both(place, self.text, self.raw)
            if above is None or below is None:
                continue
            for t, r in zip(above, below, strict=True):
                if not text or t != text[-1] or r != raw[-1]:
                    text.append(t)
                    raw.append(r)
        return TextMap(text, raw)


def _carry(span: tuple[int, int], source: Sequence[int], target: Sequence[int]) -> Span:
    """Carry a span from one side to the other. The end goes with its last character."""
    start, end = span
    if len(source) == 1:  # nearly all documents: both sides run alike from end to end
        shift = target[0] - source[0]
        return Span(start + shift, max(start, end) + shift)
    i = max(bisect_right(source, start) - 1, 0)
    first = target[i] + start - source[i]
    if i + 1 < len(source) and source[i + 1] - source[i] != target[i + 1] - target[i]:
        first = target[i]
        if source[i] < start and target[i] == target[i + 1]:
            first = target[i + 1]
    if end <= start:
        return Span(first, first)
    last = end - 1
    j = max(bisect_right(source, last) - 1, 0)
    if j + 1 < len(source) and source[j + 1] - source[j] != target[j + 1] - target[j]:
        return Span(first, max(first, target[j + 1]))
    return Span(first, max(first, target[j] + last - source[j] + 1))


def _both(place: int, source: Sequence[int], target: Sequence[int]) -> tuple[int, int] | None:
    """The least and the greatest place of the other side; None inside of what was replaced."""
    first, behind = bisect_left(source, place), bisect_right(source, place)
    if first < behind:
        return target[first], target[behind - 1]
    i = behind - 1
    if i < 0:
        return None
    if behind < len(source) and source[behind] - source[i] != target[behind] - target[i]:
        return None
    there = target[i] + place - source[i]
    return there, there


def apply(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits, which are in order and do not overlap."""
    pieces, at = [], 0
    for edit in edits:
        pieces += [text[at : edit.start], edit.put]
        at = edit.end
    pieces.append(text[at:])
    return "".join(pieces)
