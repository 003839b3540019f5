"""Questions asked of chunks that are stored somewhere: only the documents of the answers are cut again.

Whether a chunk holds an answer, what was cut, and what a reader has seen depend on the chunks of the
documents that golds name. Of all others it matters how many there are, where they stand and how long they
are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from chunkwise.evaluate.about import about_golden, furthest, settings
from chunkwise.evaluate.cleaning import cleaned_corpora
from chunkwise.evaluate.gathering import Clock, Progress, gather
from chunkwise.evaluate.ledger import Cutting
from chunkwise.evaluate.overlap import measured, thirds
from chunkwise.evaluate.plan import check_golden_set, make_plan
from chunkwise.evaluate.ranked import Ranked
from chunkwise.evaluate.rows import make_rows
from chunkwise.evaluate.scoring import score
from chunkwise.evaluate.searched import look_back
from chunkwise.evaluate.searching import make_run
from chunkwise.measure import Places
from chunkwise.measure.boundaries import Boundaries
from chunkwise.types import (
    Candidate,
    Chunk,
    ChunkTable,
    Corpus,
    Counter,
    Document,
    Gaps,
    GoldenSet,
    IntArray,
    Report,
    Retriever,
    Run,
)

__all__ = ["Columns", "Stored", "evaluate_stored"]


class Columns(NamedTuple):
    """Chunks that are not cut again, by document and place in it."""

    ids: Sequence[str]
    """Their ids."""
    docs: IntArray
    """Numbers of their documents in the corpus."""
    starts: IntArray
    """Where they begin; -1 without a place."""
    ends: IntArray
    """Where they end; -1 without a place."""
    sent: IntArray
    """What a reader pays for their texts."""


class Stored(Protocol):
    """Whatever holds all chunks of a corpus."""

    def columns(self, corpus: Corpus, without: Collection[str], counter: Counter, /) -> Columns:
        """The chunks of all documents but some."""
        ...

    def retrievers(self, numbers: Mapping[str, int], /) -> Sequence[Retriever]:
        """What searches all chunks, one for each row; numbers of chunks are those given for their ids."""
        ...


def evaluate_stored(
    corpus: Corpus,
    golden: GoldenSet,
    rows: Sequence[Candidate],
    stored: Stored,
    *,
    by: Iterable[str] = (),
    progress: Progress | None = None,
    **given: Any,
) -> tuple[Report, Sequence[Run], Sequence[str]]:
    """Measure what several retrievers find among chunks that are stored.

    Args:
        corpus: all documents; those that golds name are read.
        golden: the questions.
        rows: of one chunker, each with a name of its own.
        stored: the chunks.
        by: tags whose values are shown apart.
        progress: `progress(stage, done, total)`.
        given: `k`, `budgets`, `unit`, `rule`, `primary`, `seed`, `resamples` and `show_context`, which is
            off, as `evaluate` takes them.

    Returns:
        The report, without what is measured on all documents: boundaries, sizes and costs but `sent`; the
        rankings of each row; and the ids of the chunks by number.
    """
    plan = make_plan(by=list(by), **given)
    check_golden_set(golden, corpus, plan.by)
    questions, named = golden.questions, furthest(golden.questions)
    asked = corpus.part(doc for doc in corpus.ids if doc in named)
    steps = rows[0].clean
    ids = _Ids()
    gathered = gather(
        cleaned_corpora(asked, [steps])[steps],
        [rows[0].chunker],
        [(0, ids)],
        plan.counter,
        places=named,
        bare=False,
        show_context=plan.show_context,
        analyzers={},
        clock=Clock(),
        progress=progress if progress is not None else _silent,
        cut_before={},
    )
    table, every = _merged(
        gathered.cuttings[0].table, ids.found, stored.columns(corpus, named, plan.counter), asked, corpus
    )
    retrievers = stored.retrievers({id: number for number, id in enumerate(every)})
    places = Places.of(questions, corpus.ids)
    ranked = Ranked([], [], [], [], [{} for _ in rows])
    for row, retriever in zip(rows, retrievers, strict=True):
        run = make_run(row, retriever, table, questions, plan)
        ranked.runs.append(run)
        ranked.scored.append(score(run, questions, places, plan))
        ranked.searched.append(look_back(retriever, questions, ranked.scored[-1].found, plan))
    cutting = Cutting(table, Boundaries(), {}, {}, np.zeros(len(table), dtype=np.int64))
    overlap = measured(asked, questions)
    made, _ = make_rows(ranked, [cutting] * len(rows), questions, plan, parts=thirds(overlap.shares))
    report = Report(
        corpus={"documents": len(corpus), "digest": corpus.digest},
        golden=about_golden(golden, overlap),
        settings=settings(plan, rows),
        candidates=tuple(
            replace(row, boundaries={}, sizes={}, costs={"sent": row.costs["sent"]}) for row in made
        ),
        comparisons=(),
    )
    return report, ranked.runs, every


class _Ids:
    """Takes the ids of chunks as they are cut, in the place of an index."""

    spec = "ids"
    shallow = True

    def __init__(self) -> None:
        self.found: list[str] = []

    def indexer(self, analyzer: Any = None, /) -> _Ids:
        """Begin."""
        del analyzer
        return self

    def __len__(self) -> int:
        return len(self.found)

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Take the chunks of a document."""
        del document
        self.found += [chunk.id for chunk in chunks]

    def finish(self) -> _Ids:
        """Nothing is searched here."""
        return self

    def search(self, question: str, depth: int, /) -> tuple[IntArray, Any]:
        """Nothing is searched here."""
        raise NotImplementedError


def _merged(
    own: ChunkTable, ids: Sequence[str], others: Columns, asked: Corpus, corpus: Corpus
) -> tuple[ChunkTable, list[str]]:
    """One table of the chunks that were cut and of those that were not, in the order of the corpus."""
    numbers = {doc: number for number, doc in enumerate(corpus.ids)}
    to_all = np.array([numbers[doc] for doc in asked.ids], dtype=np.int64)
    docs = np.concatenate((to_all[own.docs], others.docs))
    order = np.argsort(docs, kind="stable")
    reading = own.cut
    to_asked = {number: i for i, number in enumerate(to_all.tolist())}
    units = own.units
    lengths = None
    if own.lengths is not None:
        lengths = np.concatenate((own.lengths, np.zeros(len(others.docs), dtype=np.int64)))[order]
    gaps = own.gaps
    table = ChunkTable(
        docs[order],
        np.concatenate((own.starts, others.starts))[order],
        np.concatenate((own.ends, others.ends))[order],
        np.concatenate((own.sent, others.sent))[order],
        lambda chunks, n: reading(order[chunks], n),  # those that share a document with a gold: all are own
        corpus.ids,
        own.unit,
        None if gaps is None else Gaps(to_all[gaps.docs], *gaps[1:]),
        lengths,
        None if units is None else lambda doc: units(to_asked[doc]),
    )
    every = [*ids, *others.ids]
    return table, [every[i] for i in order.tolist()]


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
    del stage, done, total
