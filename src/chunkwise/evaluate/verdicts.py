"""Scores in, statistics of the verdict out: what is apart, what could be shown, what the means hide."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np

from chunkwise.evaluate.pairs import one_setting
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.scoring import DECIMALS, groups
from chunkwise.stats import (
    PairTests,
    against_best,
    bootstrap_means,
    choose_and_report,
    detectable_difference,
    interval,
    least_families,
    least_for_margin,
    mcnemar_midp,
    mean_interval,
    non_inferior,
    pair_tests,
    paired_interval,
    probability_best,
    questions_needed,
    sign_flip,
)
from chunkwise.types import (
    LEVEL,
    MARGIN,
    CandidateReport,
    Comparison,
    FloatArray,
    IntArray,
    Pair,
    Question,
    Score,
)

POWER = 0.8
"""In this share of samples a difference as large as the detectable one is found."""
FLIPS = 10_000
"""Random flips of the tests; fewer where all can be counted."""
LEAST = 5
"""A value of a tag with fewer questions is not spoken of."""
_MOST_TAGS = 8
_SAME = 12  # decimals to which equal scores are equal


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What `decide` goes by; each field as in `Report`."""

    comparisons: tuple[Comparison, ...] = ()
    pairs: tuple[Pair, ...] = ()
    limits: Mapping[str, Any] = field(default_factory=dict)
    selection: Mapping[str, Any] = field(default_factory=dict)
    chances: Mapping[str, float] = field(default_factory=dict)
    weak: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


def verdicts(
    rows: Sequence[CandidateReport], values: FloatArray, questions: Sequence[Question], plan: Plan
) -> Verdicts:
    """The statistics of all rows on the primary measure.

    Args:
        rows: the rows, with their costs.
        values: questions x rows on the primary measure.
        questions: as many as `values` has rows; none of them gives no statistics.
        plan: the settings.
    """
    if not questions or not rows:
        return Verdicts()
    names = [row.name for row in rows]
    families = [question.family or question.id for question in questions]
    weak = _weak_spots(values, names, questions, plan)
    if len(rows) == 1:
        return Verdicts(weak=weak)
    number = _distinct(values)
    tests = pair_tests(
        values[:, np.unique(number, return_index=True)[1]], families, flips=FLIPS, seed=plan.seed
    )
    draws = bootstrap_means(values, families, plan.resamples, plan.seed)

    def apart(these: Sequence[int], those: Sequence[int]) -> FloatArray:
        """Mean difference, low and high of each pair, all on the same resamples."""
        means = tests.differences[number[these], number[those]]
        ends = interval(draws[:, these] - draws[:, those])
        if len(set(families)) < 2:  # nothing is known of how families differ
            ends[:] = -1.0, 1.0
        return np.column_stack((means, ends)).round(DECIMALS) + 0.0

    corrected = LEVEL / max(1, int(number.max()))
    comparisons = _with_ceilings(
        rows,
        _against_best(tests, number, apart, values, names, families, corrected, plan),
        questions,
        families,
        plan,
    )
    # What two rows that never differ could have shown is no measure of the others.
    shown = [c.detectable for c in comparisons if c.differing] or [c.detectable for c in comparisons]
    selected = choose_and_report(values, families, resamples=plan.resamples, seed=plan.seed)
    return Verdicts(
        comparisons,
        one_setting(rows, apart, tests.p[np.ix_(number, number)]),
        {
            "level": LEVEL,
            "corrected": round(corrected, DECIMALS),
            "power": POWER,
            "margin": MARGIN,
            "margin_families": least_for_margin(MARGIN),
            "least_families": least_families(corrected),
            "detectable": None if None in shown else max(d for d in shown if d is not None),
        },
        {
            "kind": selected.kind,
            "chosen": [names[i] for i in selected.chosen],
            **{key: round(getattr(selected, key), DECIMALS) for key in ("value", "low", "high")},
            "questions": selected.questions,
            "own": round(selected.own, DECIMALS),
        },
        dict(zip(names, probability_best(draws).round(DECIMALS).tolist(), strict=True)),
        weak,
    )


def _distinct(values: FloatArray) -> IntArray:
    """For each row a number, in the order of the rows; rows that never differ have the same.

    To the tests they are one row: else a twin of the best row, that it cannot be ahead of, would keep it from
    being ahead of all others, and each twin would be corrected for.
    """
    known: dict[bytes, int] = {}
    columns = np.ascontiguousarray((values.round(_SAME) + 0.0).T)
    return np.array([known.setdefault(column.tobytes(), len(known)) for column in columns], dtype=np.int64)


def _against_best(
    tests: PairTests,
    number: IntArray,
    apart: Callable[[Sequence[int], Sequence[int]], FloatArray],
    values: FloatArray,
    names: Sequence[str],
    families: Sequence[str],
    corrected: float,
    plan: Plan,
) -> tuple[Comparison, ...]:
    """Each other row against the best one, the first of equals; `number` tells which tests are a row's."""
    found = against_best(tests)
    best = number.tolist().index(found.best)
    others = [i for i in range(len(names)) if i != best]
    differences = values[:, [best]] - values[:, others]
    intervals = apart([best] * len(others), others)
    detectable = detectable_difference(differences, families, power=POWER, alpha=corrected)
    needed = questions_needed(differences, families, power=POWER, alpha=corrected)
    not_worse = non_inferior(-intervals[:, [0, 2, 1]], len(set(families)), margin=MARGIN)
    midp = mcnemar_midp(differences, families) if np.isin(values, (0.0, 1.0)).all() else None
    return tuple(
        Comparison(
            plan.primary.name,
            names[best],
            names[i],
            difference=float(intervals[k, 0]),
            low=float(intervals[k, 1]),
            high=float(intervals[k, 2]),
            differing=int(found.differing[number[i]]),
            p=round(float(found.p[number[i]]), DECIMALS),
            adjusted=round(float(found.adjusted[number[i]]), DECIMALS),
            midp=None if midp is None else round(float(midp[k]), DECIMALS),
            # Above 1 no difference of a share is left that could be shown.
            detectable=round(float(detectable[k]), DECIMALS) if detectable[k] <= 1 else None,
            needed=int(needed[k]) if isfinite(needed[k]) else None,
            not_worse=bool(not_worse[k]),
        )
        for k, i in enumerate(others)
    )


def _with_ceilings(
    rows: Sequence[CandidateReport],
    comparisons: tuple[Comparison, ...],
    questions: Sequence[Question],
    families: Sequence[str],
    plan: Plan,
) -> tuple[Comparison, ...]:
    """The comparisons, with how far each ceiling is below that of the best row on the same questions."""
    try:
        held = {row.name: [float(row.questions[q.id]["ceiling"]) for q in questions] for row in rows}
    except KeyError:
        return comparisons
    best = np.column_stack([held[c.best] for c in comparisons])
    others = np.column_stack([held[c.other] for c in comparisons])
    tests = sign_flip(best - others, families, flips=FLIPS, seed=plan.seed)
    found = paired_interval(best, others, families, resamples=plan.resamples, seed=plan.seed)
    figures = np.column_stack((found, tests)).round(DECIMALS) + 0.0
    return tuple(
        replace(c, ceiling=dict(zip(("difference", "low", "high", "p"), row, strict=True)))
        for c, row in zip(comparisons, figures.tolist(), strict=True)
    )


def _weak_spots(
    values: FloatArray, names: Sequence[str], questions: Sequence[Question], plan: Plan
) -> dict[str, dict[str, Any]]:
    """By row the value of a tag that it finds least of, and where another row is most ahead of it.

    The first goes over single tags. The second over pairs of tags too, and only where a sign-flip test on
    those questions alone finds the other row ahead; it is not corrected for having looked at many.
    """
    families = [question.family or question.id for question in questions]
    single, crossed = _cells(questions)
    found: dict[str, dict[str, Any]] = {name: {} for name in names}
    for i, name in enumerate(names):
        cell = min(single, key=lambda cell: values[single[cell], i].mean().round(DECIMALS), default=None)
        if cell is not None:
            found[name]["worst"] = {
                **_about(cell, single[cell]),
                **_score(values[:, i], single[cell], families, plan),
            }
    lost: dict[int, tuple[float, int, tuple[str, str]]] = {}
    for cell, numbers in {**single, **crossed}.items():
        means = values[numbers].mean(axis=0).round(DECIMALS)
        first = int(means.argmax())
        behind = [i for i in range(len(names)) if means[i] < means[first]]
        if not behind:
            continue
        apart = values[numbers][:, [first]] - values[numbers][:, behind]
        p = sign_flip(apart, [families[n] for n in numbers], flips=FLIPS, seed=plan.seed)
        for i, own in zip(behind, p.tolist(), strict=True):
            by = round(float(means[first] - means[i]), DECIMALS)
            if own < LEVEL and by > lost.get(i, (0.0,))[0]:
                lost[i] = by, first, cell
    for i, (_, first, cell) in sorted(lost.items()):
        numbers = {**single, **crossed}[cell]
        score = _score(values[:, first] - values[:, i], numbers, families, plan, (-1.0, 1.0))
        found[names[i]]["behind"] = {**_about(cell, numbers), "other": names[first], **score}
    return {name: spots for name, spots in found.items() if spots}


def _cells(
    questions: Sequence[Question],
) -> tuple[dict[tuple[str, str], list[int]], dict[tuple[str, str], list[int]]]:
    """Numbers of the questions by tag and value, for single tags and for two crossed.

    Left out are values that few questions have, that all have, and what is said by no tag.
    """
    tags = sorted({tag for question in questions for tag in question.tags})[:_MOST_TAGS]
    single: dict[tuple[str, str], list[int]] = {}
    crossed: dict[tuple[str, str], list[int]] = {}
    for by in [(tag,) for tag in tags] + list(combinations(tags, 2)):
        name = " × ".join(by)
        for value, numbers in groups(questions, by)[name].items():
            if LEAST <= len(numbers) < len(questions) and "(none)" not in value.split(" × "):
                (single if len(by) == 1 else crossed)[name, value] = numbers
    return single, crossed


def _about(cell: tuple[str, str], numbers: Sequence[int]) -> dict[str, Any]:
    return {"tag": cell[0], "value": cell[1], "questions": len(numbers)}


def _score(
    column: FloatArray,
    numbers: Sequence[int],
    families: Sequence[str],
    plan: Plan,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> dict[str, float]:
    found = mean_interval(
        column[list(numbers)],
        [families[n] for n in numbers],
        resamples=plan.resamples,
        seed=plan.seed,
        bounds=bounds,
    )
    score = Score(*found.round(DECIMALS).tolist())
    return {"mean": score.value, "low": score.low, "high": score.high}
