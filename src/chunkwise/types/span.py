"""`Span`: a half-open range of code points. Overlap, containment and union live here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """The half-open range `[start, end)` of a text, in code points.

    A span is also a plain pair: `start, end = span` and `Span(0, 3) == (0, 3)` hold.
    """

    start: int
    """First code point of the range."""
    end: int
    """The code point after the last one."""

    @property
    def length(self) -> int:
        """Number of code points in the range (never negative)."""
        return max(0, self.end - self.start)

    def contains(self, other: tuple[int, int]) -> bool:
        """Whether `other` lies whole in this span."""
        return self.start <= other[0] and other[1] <= self.end

    def overlap(self, other: tuple[int, int]) -> int:
        """Number of code points that both spans hold; 0 where they only touch."""
        return max(0, min(self.end, other[1]) - max(self.start, other[0]))


def union(spans: Iterable[tuple[int, int]]) -> list[Span]:
    """The spans merged: sorted, without overlap, touching ones joined, empty ones left out.

    >>> union([(5, 9), (0, 3), (3, 4), (7, 7)])
    [Span(start=0, end=4), Span(start=5, end=9)]
    """
    merged: list[Span] = []
    for start, end in sorted(spans):
        if end <= start:
            continue
        if merged and start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, end))
        else:
            merged.append(Span(start, end))
    return merged


def covered(spans: Iterable[tuple[int, int]], within: tuple[int, int]) -> int:
    """Number of code points of `within` that the union of `spans` holds."""
    return sum(span.overlap(within) for span in union(spans))
