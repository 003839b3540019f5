"""Joint coverage: whether text was lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import is_covered
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Coverage:
    """coverage: 1 where all chunks together hold every visible character that the question needs.

    Less than 1 in the mean is lost text. Blank characters between two chunks are no loss.
    """

    ruled: ClassVar[bool] = False
    """No hit rule decides it."""

    @property
    def name(self) -> str:
        """`coverage`."""
        return "coverage"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question; neither the ranking nor the rule is looked at."""
        del ranking, rule
        return float(all(any(is_covered(place, table) for place in gold.places) for gold in question.golds))

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        del rule
        return np.logical_and.reduceat(found.covered, found.places.first_gold).astype(np.float64)
