"""Intersection over union at k, after Jaccard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkwise.measure.found import Found
from chunkwise.measure.passages import counted, passages, share
from chunkwise.measure.plain_passages import passages_of
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.measure.scale import CHARS
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class Iou:
    """iou@k: text that is needed and found / text that is needed or read.

    Positions of the golds that were found, each once / (positions of the first k chunks, counted with
    copies as in precision@k, and the positions of the golds that were not found). It falls with what is
    missed and with what is read for nothing.
    """

    k: int
    """How many chunks are looked at."""
    unit: str = CHARS
    """What is counted: `chars`, or the unit of the comparison."""
    ruled: ClassVar[bool] = False
    """No hit rule decides it."""

    @property
    def name(self) -> str:
        """`iou@5`, or `iou@5/words`."""
        return counted(f"iou@{self.k}", self.unit)

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question. Raises `SettingError` where the table has another unit."""
        del rule
        own = passages_of(question, ranking, table, self.k, self.unit)
        return own.found / max(own.retrieved + own.needed - own.found, 1)

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions. Raises `SettingError` where the table has another unit."""
        del rule
        own = passages(found, self.k, self.unit)
        return share(own.found, own.retrieved + own.needed - own.found)
