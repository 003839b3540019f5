"""How much the words of questions repeat those of their answers: what repeats them is found by any search."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from chunkwise.index import Analyzer
from chunkwise.measure.sizes import median
from chunkwise.types import Corpus, Document, FloatArray, Question, Span

__all__ = ["Overlap", "measured", "thirds", "told"]

_OFTEN = 0.2  # of all questions and answers; words that stand in more of them say nothing
_SOME = 10  # so many questions it takes before that can be told
_LEAST = 5  # questions of a third, at least


class Overlap(NamedTuple):
    """The words of questions against those of their answers."""

    shares: FloatArray
    """For each question the share of its telling words that stand in its answer, 0 where it has none."""
    quoting: tuple[str, ...]
    """Ids of questions that hold the title above their answer, of two words or more, word for word."""


def measured(corpus: Corpus, questions: Sequence[Question], analyzer: Analyzer | None = None) -> Overlap:
    """Compare the words of each question with those of its golds' first places, and with the title above.

    Args:
        corpus: the documents.
        questions: the questions, with golds in these documents.
        analyzer: finds words, of the kind `unicode`; one that has seen the documents saves time.
    """
    analyzer = Analyzer() if analyzer is None else analyzer
    places: dict[str, list[tuple[int, tuple[int, int]]]] = {}
    for i, question in enumerate(questions):
        for gold in question.golds:
            places.setdefault(gold.places[0].doc, []).append((i, gold.places[0].span))
    asked = [analyzer.numbers(question.text) for question in questions]
    answers: list[set[int]] = [set() for _ in questions]
    quoting: set[int] = set()
    for doc, own in places.items():
        document = corpus[doc]
        for i, raw in own:
            span = document.from_raw(raw)
            answers[i].update(analyzer.part(document, span))
            if _holds(asked[i], analyzer.numbers(_title(document, span))):
                quoting.add(i)
    common = _common(asked, answers)
    shares = np.zeros(len(questions))
    for i, words in enumerate(asked):
        telling = set(words) - common
        shares[i] = len(telling & answers[i]) / len(telling) if telling else 0.0
    return Overlap(shares.round(6), tuple(questions[i].id for i in sorted(quoting)))


def thirds(shares: FloatArray) -> list[list[int]]:
    """Numbers of the questions by thirds of their overlap, the least first; none where they are too few.

    Questions of one overlap are never parted, so that thirds differ in size.
    """
    if len(shares) < 3 * _LEAST:
        return []
    lower, upper = np.quantile(shares, [1 / 3, 2 / 3], method="lower")
    parts = [shares <= lower, (shares > lower) & (shares <= upper), shares > upper]
    found = [np.flatnonzero(part).tolist() for part in parts]
    return found if all(len(part) >= _LEAST for part in found) else []


def told(shares: FloatArray) -> dict[str, Any]:
    """The thirds for the report: by third `questions`, and from which share (`low`) to which (`high`)."""
    return {
        "median": round(median(shares), 6),
        "thirds": [
            {"questions": len(part), "low": float(shares[part].min()), "high": float(shares[part].max())}
            for part in thirds(shares)
        ],
    }


def _title(document: Document, span: Span) -> str:
    path = document.sections.path(document.sections.at(span.start))
    return path[-1] if path else ""


def _holds(words: Sequence[int], title: Sequence[int]) -> bool:
    count = len(title)
    return count > 1 and any(words[i : i + count] == title for i in range(len(words) - count + 1))


def _common(asked: Sequence[Sequence[int]], answers: Sequence[set[int]]) -> set[int]:
    """Words that stand in many questions or in many answers, such as articles."""
    if len(asked) < _SOME:
        return set()
    most = _OFTEN * len(asked)
    found: set[int] = set()
    for texts in ([set(words) for words in asked], answers):
        counts = np.bincount(np.fromiter(chain.from_iterable(texts), np.int64))
        found.update(np.flatnonzero(counts > most).tolist())
    return found
