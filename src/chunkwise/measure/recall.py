"""recall@k."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import gold_ranks
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Recall:
    """recall@k: the share of the spans that the question needs which the first k chunks find.

    Each span counts once, however many chunks find it.
    """

    k: int
    """How many chunks are looked at."""
    ruled: ClassVar[bool] = True
    """The hit rule decides it."""

    @property
    def name(self) -> str:
        """`recall@5`."""
        return f"recall@{self.k}"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question."""
        ranks = gold_ranks(question, ranking, table, rule)
        return sum(rank is not None and rank <= self.k for rank in ranks) / len(ranks)

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        near = (found.ranks(rule) <= self.k).astype(np.float64)
        return np.add.reduceat(near, found.places.first_gold) / found.places.golds
