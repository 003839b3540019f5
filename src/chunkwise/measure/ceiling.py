"""The ceiling: what no retriever can do better."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import finds
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Ceiling:
    """ceiling: 1 where every span that the question needs is found by some chunk, retrieved or not.

    An answer that the chunker cut is out of reach of every retriever; its question stays in the mean.
    """

    ruled: ClassVar[bool] = True
    """The hit rule decides it."""

    @property
    def name(self) -> str:
        """`ceiling`."""
        return "ceiling"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question; the ranking is not looked at."""
        del ranking
        return float(
            all(
                any(finds(table, chunk, place, rule) for chunk in range(len(table)) for place in gold.places)
                for gold in question.golds
            )
        )

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        reachable = found.reachable(rule)
        return np.logical_and.reduceat(reachable, found.places.first_gold).astype(np.float64)
