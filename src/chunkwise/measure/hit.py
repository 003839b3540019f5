"""hit@k (TREC: Success@k)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import gold_ranks
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Hit:
    """hit@k: 1 where every span that the question needs is found in the first k chunks, else 0.

    With one span a question this equals recall@k, and many texts call it that.
    """

    k: int
    """How many chunks are looked at."""
    ruled: ClassVar[bool] = True
    """The hit rule decides it."""

    @property
    def name(self) -> str:
        """`hit@5`."""
        return f"hit@{self.k}"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question."""
        ranks = gold_ranks(question, ranking, table, rule)
        return float(all(rank is not None and rank <= self.k for rank in ranks))

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        return (found.last_ranks(rule) <= self.k).astype(np.float64)
