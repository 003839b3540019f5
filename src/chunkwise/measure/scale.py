"""From characters to units: where chunks and golds stand when a document is counted in words or tokens."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.measure.found import Found
from chunkwise.measure.places import Places
from chunkwise.types import ChunkTable, Gaps, IntArray

CHARS = "chars"


class Scale:
    """The units of some documents.

    A chunk holds a unit when it holds the unit's first visible character, so that of two chunks side by
    side exactly one holds it. A gold needs every unit that it shares a character with.
    """

    def __init__(self, table: ChunkTable, docs: IntArray) -> None:
        """Find the units of documents, given by their numbers. Raises `SettingError` where that cannot be."""
        if table.units is None:
            raise SettingError(
                f"what {table.unit} a document has is not known here; measure in characters, "
                "without a unit behind the slash"
            )
        self._docs = np.unique(docs[docs >= 0])
        found = [table.units(int(doc)) for doc in self._docs]
        none = np.zeros(0, dtype=np.int64)
        keys = self._docs << 40
        counts = [len(starts) for starts, _ in found]
        at = np.repeat(keys, counts)
        self._starts = at + np.concatenate([*(starts for starts, _ in found), none])
        self._ends = at + np.concatenate([*(ends for _, ends in found), none])

    def chunks(self, docs: IntArray, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
        """Ranges of characters as ranges of the units that they hold; -1 for what is in other documents."""
        known = np.isin(docs, self._docs) & (starts >= 0)
        return (
            np.where(known, self._number(docs, starts), -1),
            np.where(known, self._number(docs, ends), -1),
        )

    def golds(self, docs: IntArray, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
        """Ranges of characters as ranges of the units that they need; empty in other documents."""
        known = np.isin(docs, self._docs)
        first = np.searchsorted(self._starts, (docs << 40) + starts)
        # The unit before begins in front of the gold: it is needed where it reaches into it.
        before = np.append(self._ends, 0)[first - 1]
        reaches = (first > 0) & (before > (docs << 40) + starts)
        numbers = self._number(docs, starts) - reaches
        return np.where(known, numbers, 0), np.where(known, self._number(docs, ends), 0)

    def _number(self, docs: IntArray, positions: IntArray) -> IntArray:
        """How many units of the document begin in front of each position."""
        keys = docs << 40
        found: IntArray = np.searchsorted(self._starts, keys + positions) - np.searchsorted(
            self._starts, keys
        )
        return found


def in_unit(found: Found, unit: str) -> Found:
    """What was found, with positions in units instead of characters.

    Only chunks that were retrieved or stand in a document of a gold have a place in it.

    Raises:
        SettingError: the chunks are counted in another unit, or their units cannot be placed.
    """
    if unit == CHARS:
        return found
    if found.table.unit != unit:
        raise SettingError(
            f"the chunks are counted in {found.table.unit}, not in {unit}; compare with unit={unit!r}"
        )
    if unit not in found.memo:
        found.memo[unit] = _scaled(found)
    scaled: Found = found.memo[unit]
    return scaled


def _scaled(found: Found) -> Found:
    table, places = found.table, found.places
    retrieved = np.unique(found.matrix[found.matrix >= 0])
    scale = Scale(table, np.concatenate((places.docs, table.docs[retrieved])))
    starts, ends = scale.chunks(table.docs, table.starts, table.ends)
    gaps = table.gaps
    if gaps is not None:
        gap_starts, gap_ends = scale.chunks(gaps.docs, gaps.starts, gaps.ends)
        real = gap_starts < gap_ends
        gaps = Gaps(gaps.docs[real], gap_starts[real], gap_ends[real], gaps.blank[real])
    # A chunk without a place is as long as what a reader pays for it.
    columns = replace(table, starts=starts, ends=ends, gaps=gaps, lengths=table.sent, units=None)
    gold_starts, gold_ends = scale.golds(places.docs, places.starts, places.ends)
    return found.over(columns, Places(places.docs, gold_starts, gold_ends, *places[3:]))
