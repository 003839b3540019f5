"""Questions in, rankings out: deep enough for the largest k and for the largest budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkwise.evaluate.gathering import Progress
from chunkwise.evaluate.plan import Plan
from chunkwise.index import RerankRetriever
from chunkwise.types import Candidate, ChunkTable, FloatArray, IntArray, Question, Ranking, Retriever, Run

__all__ = ["ask", "make_run"]

_STEP = 4


def make_run(
    candidate: Candidate,
    retriever: Retriever,
    table: ChunkTable,
    questions: Sequence[Question],
    plan: Plan,
    progress: Progress | None = None,
) -> Run:
    """Ask all questions, and keep with the rankings how deep they are.

    Args:
        candidate: what is run.
        retriever: searches the chunks of `table`; all questions at once where it has `search_all`.
        table: the chunks, by number.
        questions: asked in their order.
        plan: `depth`, the least number of chunks that are asked for, and `reach`, the units that the
            chunks of a ranking must take together, where there are so many; a ranking that falls short
            is searched again, deeper.
        progress: told while a model puts what was found in order.
    """
    rankings = _rankings(retriever, table, questions, plan.depth, plan.reach, progress)
    return Run(candidate, table, rankings, {"depth": plan.depth, "budget": plan.reach})


def _rankings(
    retriever: Retriever,
    table: ChunkTable,
    questions: Sequence[Question],
    depth: int,
    budget: int,
    progress: Progress | None,
) -> list[Ranking]:
    """One ranking a question."""
    if not len(table):
        nothing = np.zeros(0, dtype=np.int64)
        return [Ranking(q.id, nothing, nothing.astype(np.float64)) for q in questions]
    rankings: list[Ranking | None] = [None] * len(questions)
    open_, wanted = list(range(len(questions))), depth
    while open_:
        found = ask(retriever, [questions[i].text for i in open_], wanted, progress)
        # Mostly even the smallest chunks would do, and no ranking has to be summed up.
        falls_short = wanted < len(table) and int(np.partition(table.sent, wanted)[:wanted].sum()) < budget
        full = []
        for i, (chunks, scores) in zip(open_, found, strict=True):
            numbers = np.asarray(chunks, dtype=np.int64)
            rankings[i] = Ranking(questions[i].id, numbers, np.asarray(scores, dtype=np.float64))
            if falls_short and len(numbers) >= wanted:
                full.append((i, numbers))
        deeper = [i for (i, _), units in zip(full, _units(table, full), strict=True) if units < budget]
        open_, wanted = deeper, wanted * _STEP
    return [ranking for ranking in rankings if ranking is not None]


def _units(table: ChunkTable, rankings: Sequence[tuple[int, IntArray]]) -> list[int]:
    """What the chunks of each ranking take together; none of the rankings is empty."""
    if not rankings:
        return []
    lengths = np.array([len(chunks) for _, chunks in rankings])
    sent = table.sent[np.concatenate([chunks for _, chunks in rankings])]
    units: list[int] = np.add.reduceat(sent, np.cumsum(lengths) - lengths).tolist()
    return units


def ask(
    retriever: Retriever, texts: Sequence[str], depth: int, progress: Progress | None = None
) -> Sequence[tuple[IntArray, FloatArray]]:
    """Numbers and scores for each question, asked in one block: vectors are compared many at a time."""
    if isinstance(retriever, RerankRetriever):
        return retriever.search_all(texts, depth, progress)
    together = getattr(retriever, "search_all", None)
    if together is None:
        return [retriever.search(text, depth) for text in texts]
    found: Sequence[tuple[IntArray, FloatArray]] = together(texts, depth)
    return found
