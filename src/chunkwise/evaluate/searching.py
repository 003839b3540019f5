"""Questions in, rankings out: deep enough for the largest k and for the largest budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.evaluate.gathering import Progress
from chunkwise.evaluate.plan import Plan
from chunkwise.index import RerankRetriever
from chunkwise.types import (
    Candidate,
    ChunkTable,
    FloatArray,
    Hits,
    IntArray,
    Question,
    Rankings,
    Retriever,
    Run,
)

__all__ = ["ask", "make_run"]

_STEP = 4
_NONE = np.zeros(0, dtype=np.int64)


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
) -> Rankings:
    """One ranking a question; see `make_run`."""
    ids = [question.id for question in questions]
    if not len(table) or not questions:
        nothing = np.zeros(len(questions), dtype=np.int64)
        return Rankings(ids, Hits(_NONE, np.zeros(0), nothing, nothing))
    texts = [question.text for question in questions]
    found, wanted = _columns(ask(retriever, texts, depth, progress)), depth
    while True:
        # Mostly even the smallest chunks would do, and no ranking has to be summed up.
        if wanted >= len(table) or int(np.partition(table.sent, wanted)[:wanted].sum()) >= budget:
            break
        paid = np.concatenate(([0], np.cumsum(table.sent[found.chunks])))
        units = paid[found.stops] - paid[found.begins]
        short = np.flatnonzero((units < budget) & (found.stops - found.begins >= wanted))
        if not len(short):
            break
        wanted *= _STEP
        found = _replaced(found, short, _columns(ask(retriever, [texts[i] for i in short], wanted, progress)))
    return Rankings(ids, found)


def _columns(found: Sequence[tuple[IntArray, FloatArray]]) -> Hits:
    """What was found as columns."""
    if isinstance(found, Hits):
        return found
    chunks = [np.asarray(own, dtype=np.int64) for own, _ in found]
    scores = [np.asarray(own, dtype=np.float64) for _, own in found]
    lengths = np.array(list(map(len, chunks)), dtype=np.int64)
    stops = np.cumsum(lengths)
    none = np.zeros(0)
    return Hits(np.concatenate([_NONE, *chunks]), np.concatenate([none, *scores]), stops - lengths, stops)


def _replaced(found: Hits, rows: IntArray, deeper: Hits) -> Hits:
    """What was found, for some questions what was found deeper."""
    begins, stops = found.begins.copy(), found.stops.copy()
    begins[rows], stops[rows] = (own + len(found.chunks) for own in (deeper.begins, deeper.stops))
    chunks = np.concatenate((found.chunks, deeper.chunks))
    return Hits(chunks, np.concatenate((found.scores, deeper.scores)), begins, stops)


def ask(
    retriever: Retriever, texts: Sequence[str], depth: int, progress: Progress | None = None
) -> Sequence[tuple[IntArray, FloatArray]]:
    """Numbers and scores for each question, asked in one block: vectors are compared many at a time.

    Raises:
        SettingError: `search_all` gave another number of rankings than of questions.
    """
    if isinstance(retriever, RerankRetriever):
        return retriever.search_all(texts, depth, progress)
    together = getattr(retriever, "search_all", None)
    if together is None:
        return [retriever.search(text, depth) for text in texts]
    found = together(texts, depth)
    found = found if isinstance(found, Hits) else list(found)
    if len(found) != len(texts):
        raise SettingError(
            f"{type(retriever).__name__}.search_all gave {len(found)} rankings for {len(texts)} questions; "
            "give one for each question, in their order"
        )
    return found
