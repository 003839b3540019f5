"""Characters a unit of documents: where a size in characters means less than elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

LONG_ENOUGH = 1_000
"""Characters below which a document's rate is an accident."""
_DOCUMENTS = 3
"""So many documents are held against each other at least."""


class Uneven(NamedTuple):
    """Documents in which a size in characters means fewer than half of the units of the median one."""

    many: int
    """How many there are."""
    worst: str
    """The one with the most characters a unit, the first by name among equals."""
    rate: float
    """Its characters a unit."""
    middle: float
    """Those of the median document."""

    def __str__(self) -> str:
        return f"{self.worst}: {self.rate:.1f} characters each, {self.middle:.1f} in the median"


def uneven(names: Sequence[str], lengths: Sequence[int], units: Sequence[int]) -> Uneven | None:
    """Documents whose characters a unit are more than twice those of the median document; None where there
    are none, or too few documents are long enough.

    Args:
        names: of the documents.
        lengths: characters of each.
        units: the same text in another unit.
    """
    rates = sorted(
        (-length / count, name)
        for name, length, count in zip(names, lengths, units, strict=True)
        if length >= LONG_ENOUGH and count > 0
    )
    if len(rates) < _DOCUMENTS:
        return None
    middle = median(-rate for rate, _ in rates)
    few = [(-rate, name) for rate, name in rates if -rate > 2 * middle]
    return Uneven(len(few), few[0][1], few[0][0], middle) if few else None
