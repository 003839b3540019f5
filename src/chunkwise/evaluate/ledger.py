"""The columns of one candidate's chunks, gathered document by document and closed batch by batch."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from chunkwise.evaluate.budget import Reading
from chunkwise.measure.boundaries import Boundaries, damage
from chunkwise.measure.landmarks import Landmarks
from chunkwise.measure.sizes import index_costs, size_profile
from chunkwise.text import counter, special
from chunkwise.types import BoolArray, Chunk, Chunker, ChunkTable, Counter, Document, Gaps, IntArray

OVER = "over the limit"
UNPLACED = "unplaced"
_NOWHERE = (-1, -1)
_Told: TypeAlias = tuple[str, bool, bool]
"""A context as it stands in front of an indexed string, and whether it tells a table's header, and the
sentence that introduces a list."""
_NOTHING: _Told = ("", False, False)


@dataclass(frozen=True, slots=True)
class Cutting:
    """What one chunker made of the corpus."""

    table: ChunkTable
    boundaries: Boundaries
    sizes: dict[str, Any]
    costs: dict[str, Any]
    indexed: IntArray
    """Size of each chunk's indexed string, in the chunker's own unit."""
    others: tuple[tuple[str, int | None, IntArray], ...] = ()
    """The same in other units: of its second limit, which is given, and of the budget."""


class Ledger:
    """Gathers what is kept of a chunker's chunks: columns, no objects and no texts."""

    def __init__(self, chunker: Chunker, budget: Counter, reading: Reading, show_context: bool) -> None:
        self.chunker = chunker
        self._budget, self._reading, self._show = budget, reading, show_context
        own = getattr(chunker, "counter", None)
        self._unit: Counter | None = None if own is None or own.name == "chars" else own
        # The batch that is open: rows of all its chunks, and how many each document has.
        self._counts: list[tuple[int, int, int]] = []
        self._spans: list[int] = []
        self._lengths: list[int] = []
        self._paid: list[int] = []
        self._more: list[int] = []
        self._texts: list[int] = []
        self._headers: list[bool] = []
        self._leads: list[bool] = []
        self._before: list[int] = []
        within = getattr(chunker, "within", None)
        self._within: Counter | None = None if within is None else counter(within.unit)
        self._most: int | None = None if within is None else within.size
        self._closed: list[tuple[IntArray, ...]] = []
        self._gaps: list[tuple[IntArray, IntArray, IntArray, BoolArray]] = []
        self._sizes: list[IntArray] = []
        self._second: list[int] = []
        self._budgeted: list[IntArray] = []
        self._marks: Tally[str] = Tally()
        self._indexed = self._context = self._lost = self._embedded = 0
        self._boundaries = Boundaries()
        self._contexts: dict[tuple[tuple[str, str], ...], int] = {}
        self._prefixes: dict[str, int] = {}
        self._told: dict[tuple[tuple[str, str], ...], _Told] = {}

    def add(self, number: int, offset: int, chunks: Sequence[Chunk]) -> None:
        """Take the chunks of one document, sorted, those without a place last.

        Args:
            number: the document's number in the batch.
            offset: where it begins in the batch's joined text.
            chunks: its chunks.
        """
        self._counts.append((number, offset, len(chunks)))
        # Numbers and no spans: thousands of small objects would be looked at by the garbage collector.
        self._spans += chain.from_iterable([chunk.span or _NOWHERE for chunk in chunks])
        self._lengths += [len(chunk.indexed) for chunk in chunks]
        self._marks.update(chain.from_iterable([chunk.marks for chunk in chunks if chunk.marks]))
        told = [self._tell(chunk.context) if chunk.context else _NOTHING for chunk in chunks]
        self._headers += [own[1] for own in told]
        self._leads += [own[2] for own in told]
        self._context += sum(
            [
                _beyond(chunk, own[0])
                for chunk, own in zip(chunks, told, strict=True)
                if chunk.indexed is not chunk.text or chunk.match is not chunk.span
            ]
        )
        sizes: list[int] | None = None
        if self._unit is not None:
            count = self._unit.count
            sizes = [count(chunk.indexed) for chunk in chunks]
            self._sizes.append(np.array(sizes, dtype=np.int64))
        if self._within is not None:
            self._second += [self._within.count(chunk.indexed) for chunk in chunks]
        count = self._budget.count
        if self._budget.name == "words":
            # Words of chunks with a place are counted from columns when the batch is closed.
            self._paid += [-1 if chunk.span is not None else count(chunk.text) for chunk in chunks]
        else:
            self._paid += [count(chunk.text) for chunk in chunks]
        self._texts += [0 if chunk.span is not None else len(chunk.text) for chunk in chunks]
        if sizes is not None and self._unit is not None and self._unit.name == self._budget.name != "words":
            around = special(self._unit)
            paid = self._paid[-len(chunks) :]
            self._more += [all_ - around - own for all_, own in zip(sizes, paid, strict=True)]
        else:
            self._more += [
                0 if chunk.indexed == chunk.text else self._indexed_beyond(chunk) for chunk in chunks
            ]
        if self._show:
            self._before += [self._paid_context(chunk) if chunk.context else 0 for chunk in chunks]

    def _indexed_beyond(self, chunk: Chunk) -> int:
        """Units of the budget that a chunk's indexed string has beyond those of its text."""
        count, indexed, text = self._budget.count, chunk.indexed, chunk.text
        # Words add up where white space stands between; tokens do not.
        if self._budget.name in ("words", "chars") and indexed.endswith(text):
            prefix = indexed[: len(indexed) - len(text)]
            if self._budget.name == "chars" or prefix[-1].isspace():
                if prefix not in self._prefixes:
                    self._prefixes[prefix] = count(prefix)
                return self._prefixes[prefix]
        return count(indexed) - count(text)

    def _tell(self, context: tuple[tuple[str, str], ...]) -> _Told:
        told = self._told.get(context)
        if told is None:
            kinds = [kind for kind, _ in context]
            front = "".join(f"{text}\n" for _, text in context)
            told = self._told[context] = (front, "header" in kinds, "lead-in" in kinds)
        return told

    def _paid_context(self, chunk: Chunk) -> int:
        known = self._contexts.get(chunk.context)
        if known is None:
            known = self._budget.count("\n".join(text for _, text in chunk.context))
            self._contexts[chunk.context] = known
        return known

    def close(self, first: int, documents: Sequence[Document], marks: Landmarks) -> None:
        """Turn the open rows into columns and count the damage; `first` is the batch's first document."""
        numbers, offsets, counts = np.array(self._counts, dtype=np.int64).reshape(-1, 3).T
        docs = np.repeat(numbers, counts)
        starts, ends = np.array(self._spans, dtype=np.int64).reshape(-1, 2).T.copy()
        lengths, paid = (np.array(column, dtype=np.int64) for column in (self._lengths, self._paid))
        context = np.array(self._before, dtype=np.int64) if self._show else np.zeros_like(paid)
        placed = starts >= 0
        starts[placed] += np.repeat(offsets, counts)[placed]
        ends[placed] += np.repeat(offsets, counts)[placed]
        at = (docs[placed], starts[placed], ends[placed])
        self._indexed += int(lengths.sum())
        if self._unit is None:
            self._sizes.append(lengths)
        if (paid < 0).any():
            paid[placed] = marks.words_in(at[1], at[2])
        self._budgeted.append(paid + np.array(self._more, dtype=np.int64))
        self._embedded += int(self._budgeted[-1].sum())
        told = (np.array(column, dtype=bool)[placed] for column in (self._headers, self._leads))
        self._boundaries += damage(marks, *at, *told)
        raw_starts, raw_ends = np.full_like(starts, -1), np.full_like(ends, -1)
        raw_starts[placed], raw_ends[placed] = to_raw(documents, marks, *at)
        texts = np.array(self._texts, dtype=np.int64)
        self._closed.append((docs + first, raw_starts, raw_ends, paid + context, context, texts))
        self._close_gaps(first, documents, marks, *at)
        for column in (
            self._counts,
            self._spans,
            self._lengths,
            self._paid,
            self._more,
            self._texts,
            self._before,
            self._headers,
            self._leads,
        ):
            column.clear()

    def _close_gaps(
        self,
        first: int,
        documents: Sequence[Document],
        marks: Landmarks,
        docs: IntArray,
        starts: IntArray,
        ends: IntArray,
    ) -> None:
        """What is in no chunk, document by document: a chunk without length stands at each end of each."""
        numbers = np.arange(len(documents))
        all_docs = np.concatenate((numbers, docs, numbers))
        edges = marks.offsets, marks.offsets + marks.lengths
        begins = np.concatenate((edges[0], starts, edges[1]))
        stops = np.concatenate((edges[0], ends, edges[1]))
        order = np.lexsort((begins, all_docs))
        reach = np.maximum.accumulate(stops[order])[:-1]
        behind = begins[order][1:]
        gap = (reach < behind) & (all_docs[order][1:] == all_docs[order][:-1])
        docs, starts, ends = all_docs[order][1:][gap], reach[gap], behind[gap]
        shown = marks.trim(starts, ends)
        blank = shown[0] >= shown[1]
        starts, ends = np.where(blank, starts, shown[0]), np.where(blank, ends, shown[1])
        if not blank.all():
            self._lost += _visible_behind_front(marks, starts[~blank], ends[~blank])
        self._gaps.append((docs + first, *to_raw(documents, marks, docs, starts, ends), blank))

    def finish(self, doc_ids: tuple[str, ...]) -> Cutting:
        """All columns, and what is counted over them."""
        none = np.zeros(0, dtype=np.int64)
        columns = zip(*self._closed, strict=True) if self._closed else [(none,)] * 6
        docs, starts, ends, sent, context, texts = (np.concatenate(column) for column in columns)
        gaps = [np.concatenate(column) for column in zip(*self._gaps, strict=True)]
        self._reading.fill(docs, starts, ends, context)
        table = ChunkTable(
            docs,
            starts,
            ends,
            sent,
            self._reading,
            doc_ids,
            self._budget.name,
            Gaps(*gaps) if gaps else None,
            texts if texts.any() else None,
            self._reading.units,
        )
        unit = self._unit.name if self._unit is not None else "chars"
        sizes = np.concatenate([*self._sizes, none])
        return Cutting(
            table,
            self._boundaries,
            {
                **size_profile(sizes, unit, self._marks[OVER]),
                "marks": dict(sorted(self._marks.items())),
            },
            {
                **index_costs(docs, starts, ends, self._indexed, self._context),
                "lost_characters": self._lost,
                "embedded": self._embedded,
            },
            sizes,
            self._others(unit, np.concatenate([*self._budgeted, none])),
        )

    def _others(self, unit: str, budgeted: IntArray) -> tuple[tuple[str, int | None, IntArray], ...]:
        found = []
        if self._within is not None:
            found.append((self._within.name, self._most, np.array(self._second, dtype=np.int64)))
        if self._budget.name not in (unit, *(name for name, _, _ in found)):
            found.append((self._budget.name, None, budgeted))
        return tuple(found)


def _visible_behind_front(marks: Landmarks, starts: IntArray, ends: IntArray) -> int:
    """How many visible characters ranges have, those of front matter aside.

    It is metadata: leaving it out loses nothing, unless a gold asks for it.
    """
    i = np.searchsorted(marks.front.ends, starts, side="right")
    front_start, front_end = np.append(marks.front.starts, 0)[i], np.append(marks.front.ends, 0)[i]
    counted = marks.visible_in(
        np.concatenate((starts, np.maximum(starts, front_start))),
        np.concatenate((ends, np.minimum(ends, front_end))),
    )
    return int(counted[: len(starts)].sum() - counted[len(starts) :].sum())


def _beyond(chunk: Chunk, front: str) -> int:
    """Characters of a chunk's indexed string that are no part of its slice."""
    # The length of the slice alone would not tell: an indexed string that was cleaned is shorter.
    if front and chunk.indexed.startswith(front):
        return len(front)
    # Others' chunkers may put something in front and not say what.
    return 0 if chunk.span is None else max(len(chunk.indexed) - (chunk.match[1] - chunk.match[0]), 0)


def to_raw(
    documents: Sequence[Document], marks: Landmarks, docs: IntArray, starts: IntArray, ends: IntArray
) -> tuple[IntArray, IntArray]:
    """Ranges of the batch's joined text in raw coordinates of their documents."""
    shifts = [document.shift for document in documents]
    inner_starts, inner_ends = starts - marks.offsets[docs], ends - marks.offsets[docs]
    known = np.array([shift or 0 for shift in shifts], dtype=np.int64)[docs]
    raw_starts, raw_ends = inner_starts + known, inner_ends + known
    for number, shift in enumerate(shifts):
        if shift is None:
            for i in np.flatnonzero(docs == number):
                raw = documents[number].to_raw((int(inner_starts[i]), int(inner_ends[i])))
                raw_starts[i], raw_ends[i] = raw
    return raw_starts, raw_ends
