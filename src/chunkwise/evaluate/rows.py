"""Candidate by candidate: everything that was measured of it, as a row of the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chunkwise.evaluate.costs import first_sizes
from chunkwise.evaluate.ledger import Cutting
from chunkwise.evaluate.misses import summed
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.prices import money
from chunkwise.evaluate.ranked import Ranked
from chunkwise.evaluate.scoring import DECIMALS, Intervals, Scored, groups, per_question, ruled_measures, sent
from chunkwise.evaluate.searched import Searched
from chunkwise.evaluate.verdicts import Verdicts, verdicts
from chunkwise.measure.sizes import size_over
from chunkwise.types import CandidateReport, FloatArray, Question, Run, Score


def make_rows(
    ranked: Ranked,
    cuttings: Sequence[Cutting],
    questions: Sequence[Question],
    plan: Plan,
    churned: Sequence[dict[str, Any]] = (),
    parts: Sequence[Sequence[int]] = (),
) -> tuple[tuple[CandidateReport, ...], Verdicts]:
    """The rows of the report, and what their scores on the primary measure tell of them.

    Args:
        ranked: what was searched and found, row by row.
        cuttings: what each row's chunker made of the corpus.
        questions: all questions.
        plan: the settings.
        churned: what one more sentence changes, one a row, or nothing.
        parts: numbers of the questions by thirds of their overlap with their answers.
    """
    runs, searched, scored, bare, ranges = ranked
    cut_rows = [
        _cut_row(run, cutting, plan, searched[i], churned[i] if churned else {})
        for i, (run, cutting) in enumerate(zip(runs, cuttings, strict=True))
    ]
    if not questions:
        return tuple(cut_rows), Verdicts()
    names = [m.name for m in plan.measures]
    ruled = [m.name for m in ruled_measures(plan)]
    rules = list(plan.rules)
    # All columns of all rows go through one call, so that the resamples are drawn once.
    blocks = [block for one in scored for block in (one.values, *(one.ruled[rule] for rule in rules))]
    intervals = Intervals(questions, plan)
    # Where all questions are copied from headings, the columns that `_headings` asks for are among them.
    more = [one.values for one in bare if len(one.values) == len(questions)]
    scores = intervals.of([*blocks, *more])
    step = 1 + len(rules)
    tags = _tags(scored, questions, plan, intervals)
    headings = _headings(scored, bare, questions, plan, intervals)
    made = []
    first = names.index(plan.primary.name)
    asked = 0.0
    if plan.prices is not None:
        asked = sum(plan.counter.count(question.text) for question in questions) / len(questions)
    for i, (row, one) in enumerate(zip(cut_rows, scored, strict=True)):
        own, *by_rule = scores[i * step : (i + 1) * step]
        costs = {**row.costs, "sent": sent(one.found, plan)}
        if plan.prices is not None:
            costs["money"] = money(costs, plan.prices, asked)
        missed = searched[i].missed
        made.append(
            replace(
                row,
                measures=dict(zip(names, own, strict=True)),
                rules={
                    rule: dict(zip(ruled, found, strict=True))
                    for rule, found in zip(rules, by_rule, strict=True)
                },
                tags=tags[i],
                sizes={**row.sizes, "first": first_sizes(one.found.matrix, cuttings[i].indexed)},
                costs=costs,
                questions=per_question(one, questions, plan, plan.rule, missed),
                headings=headings[i],
                misses=summed(missed, len(questions)),
                starts=ranges[i],
                overlap=_by_parts(one.values[:, first], parts),
            )
        )
    primary = np.stack([one.values[:, first] for one in scored], axis=1)
    return tuple(made), verdicts(made, primary, questions, plan)


def _cut_row(
    run: Run, cutting: Cutting, plan: Plan, searched: Searched, churned: dict[str, Any]
) -> CandidateReport:
    """A row without what questions tell: its chunks, their sizes, their cuts."""
    costs = {**cutting.costs, "unit": plan.counter.name, "index_bytes": searched.bytes, "sent": {}}
    if searched.vectors is not None:
        costs["vectors"] = searched.vectors
    if searched.approximate is not None:
        costs["approximate"] = searched.approximate
    if churned:
        costs["churn"] = churned
    return CandidateReport(
        spec=run.candidate.cut,
        label=run.candidate.label,
        retriever=run.candidate.retriever,
        chunks=len(run.table),
        measures={},
        rules={},
        tags={},
        boundaries=cutting.boundaries.to_dict(),
        sizes={**cutting.sizes, "others": _other_sizes(cutting, searched)},
        costs=costs,
        questions={},
    )


def _other_sizes(cutting: Cutting, searched: Searched) -> list[dict[str, Any]]:
    """The sizes of a row in other units than its own: of a second limit, of the budget, of its embedder."""
    found = [size_over(sizes, unit, limit) for unit, limit, sizes in cutting.others]
    if searched.tokens is not None:
        facts = searched.facts
        # A row that is cut in its embedder's tokens has its size against the window here all the same.
        found.append(size_over(searched.tokens, facts.model, facts.window))
    return found


def _by_parts(column: FloatArray, parts: Sequence[Sequence[int]]) -> tuple[dict[str, Any], ...]:
    """The mean of each part of the questions."""
    return tuple(
        {"questions": len(part), "value": round(float(column[list(part)].mean()), DECIMALS)} for part in parts
    )


def _tags(
    scored: Sequence[Scored], questions: Sequence[Question], plan: Plan, intervals: Intervals
) -> list[dict[str, dict[str, dict[str, Any]]]]:
    """By row, tag and value the number of questions and every measure."""
    names = [m.name for m in plan.measures]
    made: list[dict[str, dict[str, dict[str, Any]]]] = [{} for _ in scored]
    for tag, values in groups(questions, plan.by).items():
        for value, numbers in values.items():
            found = intervals.of([one.values for one in scored], numbers)
            for row, scores in zip(made, found, strict=True):
                row.setdefault(tag, {})[value] = {
                    "questions": len(numbers),
                    "measures": _plain(names, scores),
                }
    return made


def _headings(
    scored: Sequence[Scored],
    bare: Sequence[Scored],
    questions: Sequence[Question],
    plan: Plan,
    intervals: Intervals,
) -> list[dict[str, Any]]:
    """By row the measures of questions copied from headings, with and without the heading lines."""
    if not bare:
        return [{} for _ in scored]
    names = [m.name for m in plan.measures]
    numbers = [i for i, question in enumerate(questions) if question.origin == "heading"]
    full = [one.values[numbers] for one in scored]
    found = intervals.among([*full, *(one.values for one in bare)], numbers)
    return [
        {
            "questions": len(numbers),
            "with": _plain(names, found[i]),
            "without": _plain(names, found[len(scored) + i]),
        }
        for i in range(len(scored))
    ]


def _plain(names: Sequence[str], scores: Sequence[Score]) -> dict[str, dict[str, float]]:
    return {name: score._asdict() for name, score in zip(names, scores, strict=True)}
