"""Questions in, rankings out: deep enough for the largest k and for the largest budget."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkwise.types import ChunkTable, Question, Ranking, Retriever

_STEP = 4


def search(
    retriever: Retriever, table: ChunkTable, questions: Sequence[Question], depth: int, budget: int
) -> list[Ranking]:
    """One ranking a question.

    Args:
        retriever: searches the chunks of `table`.
        table: the chunks, by number.
        questions: asked in their order.
        depth: least number of chunks that are asked for.
        budget: units that the chunks of a ranking must take together, where there are so many; a
            ranking that falls short is searched again, deeper.
    """
    if not len(table):
        nothing = np.zeros(0, dtype=np.int64)
        return [Ranking(q.id, nothing, nothing.astype(np.float64)) for q in questions]
    rankings = []
    for question in questions:
        wanted = depth
        while True:
            found, scores = retriever.search(question.text, wanted)
            numbers = np.asarray(found, dtype=np.int64)
            if len(numbers) < wanted or wanted >= len(table) or int(table.sent[numbers].sum()) >= budget:
                break
            wanted *= _STEP
        rankings.append(Ranking(question.id, numbers, np.asarray(scores, dtype=np.float64)))
    return rankings
