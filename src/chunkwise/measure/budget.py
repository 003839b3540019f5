"""Recall at a budget: what is found when a reader pays for every word or token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from chunkwise.errors import SettingError
from chunkwise.measure.found import Found
from chunkwise.measure.plain import reading, share_read
from chunkwise.measure.rules import CONTAINED, HitRule
from chunkwise.types import ChunkTable, FloatArray, Question, Ranking


@dataclass(frozen=True, slots=True)
class RecallAtBudget:
    """recall@1000words: the share of the golds' characters that was read when the budget is used up.

    Walk down the ranking and take whole chunks, cut the last one at the budget, and count the golds'
    characters in the union of what was read; of several places of a gold the best counts. What is
    read twice is paid twice. Context is paid for only where it is shown. Equal budgets make chunks of
    different sizes comparable, where equal k hands the larger ones more text.
    """

    budget: int
    """How much is read, in `unit`."""
    unit: str = "words"
    """The unit of the budget: `words`, `chars`, `cl100k`, `o200k`, or a tokenizer file."""
    ruled: ClassVar[bool] = False
    """No hit rule decides it."""

    @property
    def name(self) -> str:
        """`recall@1000words`."""
        return f"recall@{self.budget}{self.unit}"

    def score(
        self, question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule = CONTAINED
    ) -> float:
        """The value for one question. Raises `SettingError` where the table has another unit."""
        del rule
        self._check(table)
        return share_read(question, reading(ranking, table, self.budget), table)

    def column(self, found: Found, rule: HitRule = CONTAINED) -> FloatArray:
        """The values for all questions. Raises `SettingError` where the table has another unit."""
        del rule
        self._check(found.table)
        return found.read(self.budget)

    def _check(self, table: ChunkTable) -> None:
        if table.unit != self.unit:
            raise SettingError(
                f"{self.name} needs chunks counted in {self.unit}, these are counted in {table.unit}; "
                f"compare with unit={self.unit!r}"
            )
