"""nDCG@k, the normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import ClassVar

import numpy as np

from chunkwise.measure.found import Found
from chunkwise.measure.plain import gold_ranks
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Ndcg:
    """nDCG@k: how near the needed spans stand to the top, against the best that could be; 0 to 1.

    Gain: 1 for each needed span, once, at the first rank that finds it; copies and overlapping chunks
    gain nothing. A rank r is discounted by 1/log2(r + 1) (Jarvelin and Kekalainen 2002). Ideal: the n spans
    at the ranks 1 to n, the same for every candidate, whatever it cut; those behind k left out. Where one
    chunk finds several spans, the further ones are discounted as if they stood at the next ranks of the
    ideal: the i-th span at max(rank, i). So the value is never above 1, and with one chunk a span it
    is the usual one.
    """

    k: int
    """How many chunks are looked at."""
    ruled: ClassVar[bool] = True
    """The hit rule decides it."""

    @property
    def name(self) -> str:
        """`ndcg@10`."""
        return f"ndcg@{self.k}"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question."""
        found = sorted(rank for rank in gold_ranks(question, ranking, table, rule) if rank is not None)
        places = [max(rank, i) for i, rank in enumerate(found, 1)]
        ideal = range(1, min(len(question.golds), self.k) + 1)
        return sum(1 / log2(place + 1) for place in places if place <= self.k) / sum(
            1 / log2(place + 1) for place in ideal
        )

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        places = found.places
        ranks = found.ranks(rule)[np.lexsort((found.ranks(rule), places.gold_question))]
        inner = np.arange(len(ranks)) - places.first_gold[places.gold_question] + 1
        ranks = np.maximum(ranks, inner)
        gains = np.where(ranks <= self.k, 1 / np.log2(ranks + 1.0), 0.0)
        ideal = np.cumsum(1 / np.log2(np.arange(1, self.k + 1) + 1.0))
        sums: FloatArray = np.add.reduceat(gains, places.first_gold)
        best: FloatArray = ideal[np.minimum(places.golds, self.k) - 1]
        return sums / best
