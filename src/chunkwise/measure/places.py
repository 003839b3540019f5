"""All places of a golden set as columns, so that a whole run is judged with a few array operations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from chunkwise.types import IntArray, Question


class Places(NamedTuple):
    """The places of all questions: one row a place, in the order of questions, their golds, their places."""

    docs: IntArray
    """Number of the document; -1 where it is not in the corpus (such a place is never found)."""
    starts: IntArray
    """Start in raw coordinates."""
    ends: IntArray
    """End in raw coordinates."""
    question: IntArray
    """Number of the question of each place."""
    gold: IntArray
    """Number of the gold of each place, counted over all questions."""
    first_place: IntArray
    """For each gold, its first row."""
    gold_question: IntArray
    """For each gold, the number of its question."""
    first_gold: IntArray
    """For each question, its first gold."""
    golds: IntArray
    """For each question, the number of its golds."""

    @classmethod
    def of(cls, questions: Iterable[Question], doc_ids: Sequence[str]) -> Places:
        """The places of some questions, each of which needs at least one gold with one place."""
        number = {doc: i for i, doc in enumerate(doc_ids)}
        rows: list[tuple[int, int, int, int, int]] = []
        first_place: list[int] = []
        gold_question: list[int] = []
        first_gold: list[int] = []
        golds: list[int] = []
        for q, question in enumerate(questions):
            first_gold.append(len(first_place))
            golds.append(len(question.golds))
            for gold in question.golds:
                gold_question.append(q)
                first_place.append(len(rows))
                g = len(first_place) - 1
                rows.extend((number.get(p.doc, -1), p.span[0], p.span[1], q, g) for p in gold.places)
        columns = np.array(rows, dtype=np.int64).reshape(-1, 5).T
        lists = (first_place, gold_question, first_gold, golds)
        return cls(*columns, *(np.array(column, dtype=np.int64) for column in lists))

    def __len__(self) -> int:
        return len(self.docs)
