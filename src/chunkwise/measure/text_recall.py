"""Recall of text at k: how much of the answers the first chunks hold."""

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
class TextRecall:
    """text-recall@k: the share of the golds' text that is in the first k chunks.

    Positions of the golds in the union of the first k chunks / positions of the golds, each once. Others
    call it token recall. An answer that a chunker cut counts with the part that was found, where
    recall@k counts only spans that are whole in a chunk. Blank characters that are in no chunk are left
    out; of several places of a gold the best counts.
    """

    k: int
    """How many chunks are looked at."""
    unit: str = CHARS
    """What is counted: `chars`, or the unit of the comparison."""
    ruled: ClassVar[bool] = False
    """No hit rule decides it."""

    @property
    def name(self) -> str:
        """`text-recall@5`, or `text-recall@5/words`."""
        return counted(f"text-recall@{self.k}", self.unit)

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question. Raises `SettingError` where the table has another unit."""
        del rule
        own = passages_of(question, ranking, table, self.k, self.unit)
        return own.found / max(own.needed, 1)

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions. Raises `SettingError` where the table has another unit."""
        del rule
        own = passages(found, self.k, self.unit)
        return share(own.found, own.needed)
