"""What one run found, as columns that all measures share: ranks, reach and reading are computed once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.measure.places import Places
from chunkwise.measure.rules import HitRule
from chunkwise.types import BoolArray, ChunkTable, FloatArray, IntArray, Ranking, Rankings

NEVER = 1 << 40
"""The rank of what is not found in the ranking."""
_NONE = np.zeros(0, dtype=np.int64)
_PAIRS = 2_000_000  # pairs of place and chunk that are looked at together; bounds the memory


class Pairs(NamedTuple):
    """Retrieved chunks that share a character with a place of their question, by place, then rank."""

    place: IntArray
    rank: IntArray  # from 0
    chunk: IntArray


class GoldsRead(NamedTuple):
    """What a reader has seen of each gold at a budget, of its best place."""

    read: IntArray
    """Characters seen."""
    whole: IntArray
    """Characters that could be seen."""


class Found:
    """One candidate's rankings laid against the places of the golden set.

    `table`, `places` and `matrix` (questions x depth, numbers of chunks, -1 behind the end of a ranking)
    are what it was made of. Rules are told apart by their names.
    """

    def __init__(self, table: ChunkTable, rankings: Sequence[Ranking], places: Places) -> None:
        """Take the rankings of all questions, in the order in which `places` counts them."""
        if len(rankings) != len(places.golds):
            raise SettingError(
                f"{len(rankings)} rankings for {len(places.golds)} questions; give one for each question"
            )
        if isinstance(rankings, Rankings):
            chunks, begins, stops = rankings.hits.chunks, rankings.hits.begins, rankings.hits.stops
        else:
            chunks = np.concatenate([_NONE, *(r.chunks for r in rankings)])
            stops = np.cumsum([len(r.chunks) for r in rankings], dtype=np.int64)
            begins = np.append(0, stops)[: len(stops)]
        place = begins[:, None] + np.arange((stops - begins).max(initial=0))
        # Behind the end of a ranking stands the last entry, -1.
        matrix = np.append(chunks, -1)[np.where(place < stops[:, None], place, -1)]
        self._begin(table, places, matrix)

    def _begin(self, table: ChunkTable, places: Places, matrix: IntArray) -> None:
        self.table, self.places, self.matrix = table, places, matrix
        self.memo: dict[Any, Any] = {}
        """What measures have computed and share, by keys of their own."""
        self._ranks: dict[str, IntArray] = {}
        self._last_ranks: dict[str, IntArray] = {}
        self._reach: dict[str, BoolArray] = {}
        self._shares: dict[int, GoldsRead] = {}

    def over(self, table: ChunkTable, places: Places) -> Found:
        """The same rankings of the same chunks and golds, with other columns for where these stand."""
        other = object.__new__(Found)
        other._begin(table, places, self.matrix)
        return other

    def ranks(self, rule: HitRule) -> IntArray:
        """For each gold the rank, from 1, of the first chunk that finds one of its places, else `NEVER`."""
        if rule.name not in self._ranks:
            place, rank, chunk = self.pairs
            hit = self._judge(rule, place, chunk)
            first = np.full(len(self.places), NEVER, dtype=np.int64)
            # Written from the last to the first, so that the best rank stays.
            first[place[hit][::-1]] = rank[hit][::-1] + 1
            self._ranks[rule.name] = np.minimum.reduceat(first, self.places.first_place)
        return self._ranks[rule.name]

    def last_ranks(self, rule: HitRule) -> IntArray:
        """For each question the rank at which the last needed gold is found, else `NEVER`."""
        if rule.name not in self._last_ranks:
            self._last_ranks[rule.name] = np.maximum.reduceat(self.ranks(rule), self.places.first_gold)
        return self._last_ranks[rule.name]

    def reachable(self, rule: HitRule) -> BoolArray:
        """For each gold whether any chunk of the candidate, retrieved or not, finds one of its places."""
        if rule.name not in self._reach:
            reached = np.zeros(len(self.places), dtype=bool)
            for place, chunk in self.near():
                reached[place[self._judge(rule, place, chunk)]] = True
            self._reach[rule.name] = np.logical_or.reduceat(reached, self.places.first_place)
        return self._reach[rule.name]

    @cached_property
    def covered(self) -> BoolArray:
        """For each gold whether all visible characters of one of its places are in chunks."""
        places = self.places
        gaps = self._lost
        starts, ends = _key(places.docs, places.starts), _key(places.docs, places.ends)
        # Gaps lie apart in rising order: the first that ends behind the place's start is the one to ask.
        behind = np.searchsorted(gaps[1], starts, side="right")
        clear = np.append(gaps[0], np.iinfo(np.int64).max)[behind] >= ends
        return np.logical_or.reduceat(clear & (places.docs >= 0), places.first_place)

    def read(self, budget: int) -> FloatArray:
        """For each question the share of its golds' characters that a reader has seen at the budget.

        The ranking is walked down; whole chunks are read, the last one is cut at the budget, what is read
        twice is paid twice. Of each gold the best place counts. Blank characters that are in no
        chunk are left out of the count: nobody could read them.
        """
        golds, first = self.golds_read(budget), self.places.first_gold
        return np.add.reduceat(golds.read, first) / np.maximum(np.add.reduceat(golds.whole, first), 1)

    def golds_read(self, budget: int) -> GoldsRead:
        """For each gold how much of it a reader has seen at the budget, and how much there is to see."""
        if budget not in self._shares:
            self._shares[budget] = self._read(budget)
        return self._shares[budget]

    def best_places(self, seen: IntArray, of: IntArray | None = None) -> IntArray:
        """For each gold the place that was seen most of, by share; the first of equals.

        Args:
            seen: for each place how many of its characters were seen.
            of: for each place of how many; by default of those that can be read.
        """
        places = self.places
        if len(places) == len(places.first_place):  # one of each: there is nothing to choose
            return places.first_place
        share = seen / np.maximum(self.whole if of is None else of, 1)
        return np.lexsort((np.arange(len(places)), -share, places.gold))[places.first_place]

    @cached_property
    def lengths(self) -> IntArray:
        """For each chunk the characters of its text; 0 for one without a place whose text is not known."""
        table = self.table
        unplaced = np.zeros(len(table), dtype=np.int64) if table.lengths is None else table.lengths
        return np.where(table.starts >= 0, table.ends - table.starts, unplaced)

    def sent(self, k: int) -> IntArray:
        """For each question the units that the first k chunks take."""
        paid = self.paid
        return paid[:, min(k, paid.shape[1]) - 1] if paid.shape[1] else np.zeros(len(paid), dtype=np.int64)

    def sent_within(self, budget: int) -> IntArray:
        """For each question the units read at the budget: less than it where the ranking ends before."""
        return np.minimum(self.sent(self.matrix.shape[1]), budget)

    @cached_property
    def paid(self) -> IntArray:
        """Questions x depth: the units that a reader has paid when the chunk of that rank is read."""
        # Behind the end of a ranking stands -1, which takes what is appended.
        return np.cumsum(np.append(self.table.sent, 0)[self.matrix], axis=1)

    @cached_property
    def pairs(self) -> Pairs:
        """Retrieved chunks that share a character with a place of their question, by place, then rank."""
        places, table = self.places, self.table
        if not self.matrix.size:
            none = np.zeros(0, dtype=np.int64)
            return Pairs(none, none, none)
        # Places whose document is unknown have -1, which no chunk has, nor the end of a ranking, -2.
        docs = np.append(table.docs, -2)[self.matrix]
        if len(places) > len(docs):
            docs = docs[places.question]
        same = np.flatnonzero(docs == places.docs[:, None])
        place, rank = np.divmod(same, self.matrix.shape[1])
        chunk = self.matrix[places.question[place], rank]
        shares = (table.starts[chunk] < places.ends[place]) & (table.ends[chunk] > places.starts[place])
        return Pairs(place[shares], rank[shares], chunk[shares])

    def _judge(self, rule: HitRule, place: IntArray, chunk: IntArray) -> BoolArray:
        table, places = self.table, self.places
        verdict = rule(table.starts[chunk], table.ends[chunk], places.starts[place], places.ends[place])
        return np.asarray(verdict, dtype=bool)

    def near(self, *, touching: bool = False) -> Iterator[tuple[IntArray, IntArray]]:
        """All pairs of a place and a chunk of the candidate that share a character, in portions.

        Every hit rule asks for them: those that come in one portion are kept.

        Args:
            touching: also pairs that share none and stand side by side.
        """
        key = "near", touching
        if key not in self.memo:
            portions = self._near(touching)
            first = list(islice(portions, 2))
            if len(first) > 1:
                yield from chain(first, portions)
                return
            self.memo[key] = first
        yield from self.memo[key]

    def _near(self, touching: bool) -> Iterator[tuple[IntArray, IntArray]]:
        table, places = self.table, self.places
        placed = np.flatnonzero(table.starts >= 0)
        starts = _key(table.docs[placed], table.starts[placed])
        order = np.argsort(starts, kind="stable")
        placed, starts = placed[order], starts[order]
        reach = np.maximum.accumulate(_key(table.docs[placed], table.ends[placed]))
        known = np.flatnonzero(places.docs >= 0)
        sides: Any = ("left", "right") if touching else ("right", "left")
        first = np.searchsorted(reach, _key(places.docs[known], places.starts[known]), side=sides[0])
        behind = np.searchsorted(starts, _key(places.docs[known], places.ends[known]), side=sides[1])
        counts = np.maximum(behind - first, 0)
        portion = np.cumsum(counts) // _PAIRS
        for part in dict.fromkeys(portion.tolist()):
            rows = np.flatnonzero(portion == part)
            place = np.repeat(known[rows], counts[rows])
            inner = np.arange(len(place)) - np.repeat(np.cumsum(counts[rows]) - counts[rows], counts[rows])
            chunk = placed[np.repeat(first[rows], counts[rows]) + inner]
            shares = table.ends[chunk] > places.starts[place] - int(touching)
            yield place[shares], chunk[shares]

    @cached_property
    def _lost(self) -> tuple[IntArray, IntArray]:
        """Starts and ends of what counts as lost, as keys."""
        gaps = self.table.gaps
        if gaps is not None:
            lost = ~gaps.blank
            return _key(gaps.docs[lost], gaps.starts[lost]), _key(gaps.docs[lost], gaps.ends[lost])
        table = self.table
        placed = table.starts >= 0
        starts = _key(table.docs[placed], table.starts[placed])
        order = np.argsort(starts, kind="stable")
        reach = np.maximum.accumulate(_key(table.docs[placed], table.ends[placed])[order])
        begins = np.concatenate(([0], reach))
        ends = np.append(starts[order], np.iinfo(np.int64).max)
        gap = begins < ends
        return begins[gap], ends[gap]

    def _read(self, budget: int) -> GoldsRead:
        places, table = self.places, self.table
        place, rank, chunk = self.pairs
        paid = self.paid[places.question[place], rank] if len(place) else place
        room = budget - (paid - table.sent[chunk])
        read = room > 0
        place, chunk, room = place[read], chunk[read], room[read]
        ends = table.ends[chunk].copy()
        partly = room < table.sent[chunk]
        if partly.any():
            ends[partly] = np.minimum(ends[partly], table.cut(chunk[partly], room[partly]))
        starts = np.maximum(table.starts[chunk], places.starts[place])
        ends = np.minimum(ends, places.ends[place])
        seen = union_lengths(place, starts, ends, len(places))
        best = self.best_places(seen)
        return GoldsRead(seen[best], self.whole[best])

    @cached_property
    def whole(self) -> IntArray:
        """For each place the number of its characters that can be read."""
        places = self.places
        return places.ends - places.starts - self.unreadable(places.docs, places.starts, places.ends)

    def unreadable(self, docs: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
        """For each range the number of its blank characters that are in no chunk."""
        gaps = self.table.gaps
        if gaps is None or not gaps.blank.any():
            return np.zeros(len(docs), dtype=np.int64)
        gap_docs, gap_starts, gap_ends = gaps.docs[gaps.blank], gaps.starts[gaps.blank], gaps.ends[gaps.blank]
        first, last = _key(gap_docs, gap_starts), _key(gap_docs, gap_ends)
        before = np.concatenate(([0], np.cumsum(last - first)))

        def blanks_before(position: IntArray) -> IntArray:
            i = np.searchsorted(first, position, side="left")
            over = np.append(last, 0)[i - 1] - position
            return before[i] - np.where(i > 0, np.maximum(over, 0), 0)

        found: IntArray = blanks_before(_key(docs, ends)) - blanks_before(_key(docs, starts))
        return np.where(docs >= 0, found, 0)


def _key(docs: IntArray, positions: IntArray) -> IntArray:
    """Document and position as one integer, so that columns of all documents are sorted by it."""
    return (docs << 40) + positions


def merged(group: IntArray, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """The ranges of each group merged: without overlap, empty ones left out, by group and start."""
    real = ends > starts
    group, starts, ends = group[real], starts[real], ends[real]
    if not len(group):
        return group, starts, ends
    order = np.argsort(_key(group, starts), kind="stable")
    group, starts, ends = group[order], starts[order], ends[order]
    reach = np.maximum.accumulate(_key(group, ends))
    before = np.concatenate(([0], reach[:-1]))
    opens = _key(group, starts) > before
    opens[0] = True
    first = np.flatnonzero(opens)
    return group[first], starts[first], reach[np.append(first[1:], len(reach)) - 1] - (group[first] << 40)


def union_lengths(group: IntArray, starts: IntArray, ends: IntArray, groups: int) -> IntArray:
    """Length of the union of the ranges of each group."""
    group, starts, ends = merged(group, starts, ends)
    return np.bincount(group, weights=ends - starts, minlength=groups).astype(np.int64)
