"""MRR@k, the mean reciprocal rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import gold_ranks
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Mrr:
    """MRR@k: 1 / the rank at which the last span that the question needs is found; 0 if not within k."""

    k: int
    """How many chunks are looked at."""
    ruled: ClassVar[bool] = True
    """The hit rule decides it."""

    @property
    def name(self) -> str:
        """`mrr@10`."""
        return f"mrr@{self.k}"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question."""
        ranks = [rank for rank in gold_ranks(question, ranking, table, rule) if rank and rank <= self.k]
        return 1 / max(ranks) if len(ranks) == len(question.golds) else 0.0

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        last = found.last_ranks(rule)
        return np.where(last <= self.k, 1 / last, 0.0)
