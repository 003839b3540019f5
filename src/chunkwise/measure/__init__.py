"""What is measured: one measure a file, the hit rules, the damage at the cuts, and the sizes of chunks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np

from chunkwise.errors import SettingError, UnknownName
from chunkwise.measure.budget import RecallAtBudget
from chunkwise.measure.ceiling import Ceiling
from chunkwise.measure.coverage import Coverage
from chunkwise.measure.found import NEVER, Found
from chunkwise.measure.hit import Hit
from chunkwise.measure.iou import Iou
from chunkwise.measure.mrr import Mrr
from chunkwise.measure.ndcg import Ndcg
from chunkwise.measure.omega import PrecisionOmega
from chunkwise.measure.passages import unit_of
from chunkwise.measure.places import Places
from chunkwise.measure.precision import Precision
from chunkwise.measure.recall import Recall
from chunkwise.measure.rules import (
    CONTAINED,
    HALF_SECTION,
    MAJORITY,
    OVERLAP,
    RULES,
    HitRule,
    Rule,
    either,
    overlap_length,
    parse_rule,
)
from chunkwise.measure.scale import CHARS
from chunkwise.measure.text_recall import TextRecall
from chunkwise.types import FloatArray, Measure, Question, Run

__all__ = [
    "ALIASES",
    "CHARS",
    "CONTAINED",
    "HALF_SECTION",
    "MAJORITY",
    "MEASURES",
    "NEVER",
    "OVERLAP",
    "RULES",
    "Ceiling",
    "Coverage",
    "Found",
    "Hit",
    "HitRule",
    "Iou",
    "Mrr",
    "Ndcg",
    "Places",
    "Precision",
    "PrecisionOmega",
    "Recall",
    "RecallAtBudget",
    "Rule",
    "TextRecall",
    "columns",
    "either",
    "overlap_length",
    "parse_measure",
    "parse_rule",
    "score_run",
]

MEASURES: dict[str, Callable[..., Measure]] = {
    "ceiling": Ceiling,
    "coverage": Coverage,
    "hit": Hit,
    "iou": Iou,
    "mrr": Mrr,
    "ndcg": Ndcg,
    "precision": Precision,
    "precision-omega": PrecisionOmega,
    "recall": Recall,
    "text-recall": TextRecall,
}
"""The measures by name. `recall` with a unit behind the number is recall at a budget."""
ALIASES = {
    "success": "hit",
    "r": "recall",
    "rr": "mrr",
    "omega": "precision-omega",
    "token-recall": "text-recall",
}
"""Names that others use: `Success@5`, `R@5`, `RR@10` (TREC), `precision_omega` (Chroma)."""
_WITHOUT_NUMBER = ("ceiling", "coverage", "precision-omega")
_OF_TEXT = ("iou", "precision", "precision-omega", "text-recall")
_TOUCHING = "(touching)"
_FORM = re.compile(
    r"(?P<name>[A-Za-z]+(?:[-_][A-Za-z]+)*)(?P<touching>\(touching\))?(?:@(?P<number>\d+))?(?P<rest>\D.*)?"
)


def parse_measure(text: str, *, published: bool = False) -> Measure:
    """The measure of a text form, which its `name` prints again.

    Args:
        text: `hit@5`, `recall@1000words` (at a budget), `precision@5/words` (what is counted), `ceiling`, …
        published: take forms too that are only there to compute published figures again.

    >>> parse_measure("Success@5").name, parse_measure("recall@1000words").name
    ('hit@5', 'recall@1000words')

    Raises:
        UnknownName: no such measure.
        SettingError: the number is missing, 0, or not wanted; or a unit is.
    """
    match = _FORM.fullmatch(text.strip())
    name = match["name"].lower().replace("_", "-") if match else text
    name = ALIASES.get(name, name)
    if match is None or name not in MEASURES:
        raise UnknownName("measure", text, [*MEASURES, *ALIASES])
    number, rest = match["number"], match["rest"]
    if match["touching"] and (name != "precision-omega" or not published):
        raise SettingError(f"{text!r} is for published figures only; write {text.replace(_TOUCHING, '')!r}")
    if name in _WITHOUT_NUMBER:
        if number is not None:
            raise SettingError(f"{text!r}: {name} takes no number, it looks at all chunks; write {name!r}")
        if name == "precision-omega":
            return PrecisionOmega(unit_of(text, rest), touching=bool(match["touching"]))
        if rest is not None:
            raise SettingError(f"{text!r}: {name} takes no unit; write {name!r}")
        return MEASURES[name]()
    if number is None or int(number) < 1:
        raise SettingError(f"{text!r}: {name} needs a number of at least 1, such as {name}@5")
    if name in _OF_TEXT:
        return MEASURES[name](int(number), unit_of(text, rest))
    if rest is not None:
        if name != "recall":
            raise SettingError(f"{text!r}: only recall is taken at a budget; write recall@{number}{rest}")
        return RecallAtBudget(int(number), rest)
    return MEASURES[name](int(number))


def columns(
    found: Found,
    measures: Sequence[Measure],
    questions: Sequence[Question] = (),
    run: Run | None = None,
    rule: HitRule = CONTAINED,
) -> FloatArray:
    """The values of all measures for all questions: an array of questions x measures.

    Measures that have a `column` are computed with arrays; others are asked question by question, for
    which `questions` and `run` are needed.
    """
    values = np.zeros((len(found.places.golds), len(measures)))
    for i, measure in enumerate(measures):
        column = getattr(measure, "column", None)
        if column is not None:
            values[:, i] = column(found, rule)
        elif run is not None:
            values[:, i] = [
                measure.score(question, ranking, run.table)
                for question, ranking in zip(questions, run.rankings, strict=True)
            ]
        else:
            raise SettingError(f"{measure.name} has no `column`: give the questions and the run too")
    return values


def score_run(
    run: Run, questions: Sequence[Question], measures: Sequence[Measure], rule: HitRule = CONTAINED
) -> FloatArray:
    """The values of all measures for all questions of a run: an array of questions x measures, 0 to 1.

    Args:
        run: with one ranking for each question, in their order.
        questions: each with at least one gold.
        measures: any measures.
        rule: the hit rule of those measures that one decides.
    """
    found = Found(run.table, run.rankings, Places.of(questions, run.table.doc_ids))
    return columns(found, measures, questions, run, rule)
