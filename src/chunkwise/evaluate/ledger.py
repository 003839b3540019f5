"""The columns of one candidate's chunks, gathered document by document and closed batch by batch."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chunkwise.evaluate.budget import Reading
from chunkwise.measure.boundaries import Boundaries, damage
from chunkwise.measure.landmarks import Landmarks
from chunkwise.measure.sizes import index_costs, size_profile
from chunkwise.types import BoolArray, Chunk, Chunker, ChunkTable, Counter, Document, Gaps, IntArray

OVER = "over the limit"
UNPLACED = "unplaced"


@dataclass(frozen=True, slots=True)
class Cutting:
    """What one chunker made of the corpus."""

    table: ChunkTable
    boundaries: Boundaries
    sizes: dict[str, Any]
    costs: dict[str, Any]


class Ledger:
    """Gathers what is kept of a chunker's chunks: columns, no objects and no texts."""

    def __init__(self, chunker: Chunker, budget: Counter, reading: Reading, show_context: bool) -> None:
        self.chunker = chunker
        self._budget, self._reading, self._show = budget, reading, show_context
        own = getattr(chunker, "counter", None)
        self._unit: Counter | None = None if own is None or own.name == "chars" else own
        self._open: list[tuple[int, int, int, int]] = []  # document of the batch, start, end, units paid
        self._open_context: list[int] = []
        self._closed: list[tuple[IntArray, ...]] = []
        self._gaps: list[tuple[IntArray, IntArray, IntArray, BoolArray]] = []
        self._sizes: list[IntArray] = []
        self._marks: Tally[str] = Tally()
        self._indexed = self._context = self._lost = 0
        self._boundaries = Boundaries()
        self._contexts: dict[tuple[tuple[str, str], ...], int] = {}

    def add(self, number: int, offset: int, chunks: Sequence[Chunk]) -> None:
        """Take the chunks of one document, sorted, those without a place last.

        Args:
            number: the document's number in the batch.
            offset: where it begins in the batch's joined text.
            chunks: its chunks.
        """
        sizes = np.array([len(chunk.indexed) for chunk in chunks], dtype=np.int64)
        matches = np.array([chunk.match for chunk in chunks], dtype=np.int64).reshape(-1, 2)
        placed = [chunk.span is not None for chunk in chunks]
        self._indexed += int(sizes.sum())
        self._context += int(np.maximum(sizes - (matches[:, 1] - matches[:, 0]), 0)[placed].sum())
        if self._unit is not None:
            count = self._unit.count
            sizes = np.array([count(chunk.indexed) for chunk in chunks], dtype=np.int64)
        self._sizes.append(sizes)
        for chunk in chunks:
            if chunk.marks:
                self._marks.update(chunk.marks)
        count, words = self._budget.count, self._budget.name == "words"
        for chunk, here in zip(chunks, placed, strict=True):
            span = chunk.span
            # Words of chunks with a place are counted from columns when the batch is closed.
            paid = -1 if words and here else count(chunk.text)
            start, end = (span[0] + offset, span[1] + offset) if span is not None else (-1, -1)
            self._open.append((number, start, end, paid))
            self._open_context.append(self._paid_context(chunk) if self._show and chunk.context else 0)

    def _paid_context(self, chunk: Chunk) -> int:
        known = self._contexts.get(chunk.context)
        if known is None:
            known = self._budget.count("\n".join(text for _, text in chunk.context))
            self._contexts[chunk.context] = known
        return known

    def close(self, first: int, documents: Sequence[Document], marks: Landmarks) -> None:
        """Turn the open rows into columns and count the damage; `first` is the batch's first document."""
        docs, starts, ends, paid = np.array(self._open, dtype=np.int64).reshape(-1, 4).T
        context = np.array(self._open_context, dtype=np.int64)
        placed = starts >= 0
        at = (docs[placed], starts[placed], ends[placed])
        paid[placed] = np.where(paid[placed] < 0, marks.words_in(at[1], at[2]), paid[placed])
        self._boundaries += damage(marks, *at)
        raw_starts, raw_ends = np.full_like(starts, -1), np.full_like(ends, -1)
        raw_starts[placed], raw_ends[placed] = to_raw(documents, marks, *at)
        self._closed.append((docs + first, raw_starts, raw_ends, paid + context, context))
        self._close_gaps(first, documents, marks, *at)
        self._open, self._open_context = [], []

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
        # Front matter is metadata: leaving it out loses nothing, unless a gold asks for it.
        i = np.searchsorted(marks.front.ends, starts, side="right")
        front_start, front_end = np.append(marks.front.starts, 0)[i], np.append(marks.front.ends, 0)[i]
        aside = marks.visible_in(np.maximum(starts, front_start), np.minimum(ends, front_end))
        self._lost += int((marks.visible_in(starts, ends) - aside)[~blank].sum())
        self._gaps.append((docs + first, *to_raw(documents, marks, docs, starts, ends), blank))

    def finish(self, doc_ids: tuple[str, ...]) -> Cutting:
        """All columns, and what is counted over them."""
        none = np.zeros(0, dtype=np.int64)
        columns = zip(*self._closed, strict=True) if self._closed else [(none,)] * 5
        docs, starts, ends, sent, context = (np.concatenate(column) for column in columns)
        gaps = [np.concatenate(column) for column in zip(*self._gaps, strict=True)]
        self._reading.fill(docs, starts, ends, context)
        table = ChunkTable(
            docs, starts, ends, sent, self._reading, doc_ids, self._budget.name, Gaps(*gaps) if gaps else None
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
            },
        )


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
