"""Precision-omega: how much text a chunker makes one read around an answer, whatever searches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkwise.measure.found import Found
from chunkwise.measure.passages import counted, share, touched
from chunkwise.measure.plain_passages import touched_of
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.measure.scale import CHARS
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class PrecisionOmega:
    """precision-omega: the precision of a retriever that finds exactly the chunks with the answer in them.

    As if all chunks that share a position with a gold were retrieved and no others: positions of the golds
    in them / (positions of these chunks and of the golds that are in none), each position once. No ranking
    is looked at. After the report of Chroma on chunking strategies (2024), with true places of chunks
    and strict overlap.
    """

    unit: str = CHARS
    """What is counted: `chars`, or the unit of the comparison."""
    touching: bool = False
    """Take chunks too that only stand beside a gold. For the reproduction of published figures only;
    `parse_measure` refuses it unless it is told to be `published`."""
    ruled: ClassVar[bool] = False
    """No hit rule decides it."""

    @property
    def name(self) -> str:
        """`precision-omega`, or `precision-omega/words`; with `(touching)` where it takes what touches."""
        return counted("precision-omega(touching)" if self.touching else "precision-omega", self.unit)

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question; the ranking is not looked at."""
        del ranking, rule
        own = touched_of(question, table, self.unit, touching=self.touching)
        return own.found / max(own.retrieved + own.needed - own.found, 1)

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions."""
        del rule
        own = touched(found, self.unit, touching=self.touching)
        return share(own.found, own.retrieved + own.needed - own.found)
