"""Rankings in, scores with intervals out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from chunkwise.evaluate.plan import Plan
from chunkwise.measure import Found, HitRule, Places, RecallAtBudget, columns
from chunkwise.stats import mean_interval
from chunkwise.types import FloatArray, Measure, Question, Run, Score

DECIMALS = 6
_CUTS = 10


@dataclass(slots=True)
class Scored:
    """All values of one candidate, question by question."""

    found: Found
    values: FloatArray
    """Questions x the plan's measures, under the plan's rule."""
    ruled: dict[str, FloatArray]
    """Questions x the measures that a hit rule decides, by rule; empty where the rules were not asked for."""


def ruled_measures(plan: Plan) -> list[Measure]:
    """The measures that a hit rule decides."""
    return [m for m in plan.measures if getattr(m, "ruled", True)]


def score(
    run: Run, questions: Sequence[Question], places: Places, plan: Plan, *, ruled: bool = True
) -> Scored:
    """Every measure for every question; `places` are those of the questions.

    With `ruled` those that a hit rule decides are taken under every rule.
    """
    found = Found(run.table, run.rankings, places)
    values = columns(found, plan.measures, questions, run, plan.rule)
    decided = ruled_measures(plan)
    numbers = [plan.measures.index(m) for m in decided]
    by_rule = {
        name: values[:, numbers]
        if rule.name == plan.rule.name
        else columns(found, decided, questions, run, rule)
        for name, rule in plan.rules.items()
        if ruled
    }
    return Scored(found, values, by_rule)


class Intervals:
    """Means with intervals for many columns at once: all share one set of resamples."""

    def __init__(self, questions: Sequence[Question], plan: Plan) -> None:
        self._plan = plan
        self.families = [question.family or question.id for question in questions]
        self._known: dict[tuple[int, ...], dict[bytes, Score]] = {}

    def of(self, blocks: Sequence[FloatArray], rows: Sequence[int] | None = None) -> list[list[Score]]:
        """For each block of columns the scores of its columns, over all questions or over chosen ones."""
        if rows is None:
            return self.among(blocks, range(len(self.families)))
        return self.among([block[list(rows)] for block in blocks], rows)

    def among(self, blocks: Sequence[FloatArray], rows: Sequence[int]) -> list[list[Score]]:
        """The same for blocks that have the values of chosen questions only; `rows` are their numbers.

        Columns that are equal, such as hit@5 and recall@5 with one gold a question, are resampled once, also
        where they come in several calls about the same questions.
        """
        known = self._known.setdefault(tuple(rows), {})
        columns = [column for block in blocks for column in np.ascontiguousarray(block.T)]
        keys = [column.tobytes() for column in columns]
        new = {key: column for key, column in zip(keys, columns, strict=True) if key not in known}
        if new:
            found = mean_interval(
                np.stack(list(new.values()), axis=1),
                [self.families[i] for i in rows],
                resamples=self._plan.resamples,
                seed=self._plan.seed,
            )
            known.update(zip(new, (Score(*row) for row in found.round(DECIMALS).tolist()), strict=True))
        scores = iter([known[key] for key in keys])
        return [[next(scores) for _ in range(block.shape[1])] for block in blocks]


def groups(questions: Sequence[Question], by: Sequence[str]) -> dict[str, dict[str, list[int]]]:
    """Numbers of the questions by tag and value, and for several tags by all of them crossed."""
    crossed: list[tuple[str, ...]] = [(tag,) for tag in by]
    if len(by) > 1:
        crossed.append(tuple(by))
    found: dict[str, dict[str, list[int]]] = {}
    for tags in crossed:
        values = [[str(question.tags.get(tag, "(none)")) for question in questions] for tag in tags]
        rows: dict[tuple[str, ...], list[int]] = {}
        for i, combination in enumerate(zip(*values, strict=True)):
            rows.setdefault(combination, []).append(i)
        order: Iterable[tuple[str, ...]] = product(*(sorted(set(column)) for column in values))
        found[" × ".join(tags)] = {" × ".join(c): rows[c] for c in order if c in rows}
    return found


def sent(found: Found, plan: Plan) -> dict[str, float]:
    """Mean units that a reader gets at each k and at each budget."""
    at_k = {f"@{k}": found.sent(k) for k in plan.k}
    budgets = [m.budget for m in plan.measures if isinstance(m, RecallAtBudget)]
    at_budget = {f"@{b}{plan.counter.name}": found.sent_within(b) for b in budgets}
    return {name: round(float(units.mean()), 2) for name, units in {**at_k, **at_budget}.items()}


def per_question(
    scored: Scored,
    questions: Sequence[Question],
    plan: Plan,
    rule: HitRule,
    missed: Mapping[int, dict[str, Any]],
) -> dict[str, dict[str, Any]]:
    """By question id: the rank of the last needed span, whether it can be reached, why it was missed (by
    number of the question) and every value.
    """
    found = scored.found
    places = found.places
    ranks = np.where(found.ranks(rule) <= plan.depth, found.ranks(rule), 0).tolist()
    reachable = np.logical_and.reduceat(found.reachable(rule), places.first_gold).tolist()
    names = [m.name for m in plan.measures]
    rows: dict[str, dict[str, Any]] = {}
    firsts, counts = places.first_gold.tolist(), places.golds.tolist()
    for i, values in enumerate(scored.values.round(DECIMALS).tolist()):
        own = [rank or None for rank in ranks[firsts[i] : firsts[i] + counts[i]]]
        known = [rank for rank in own if rank is not None]
        row: dict[str, Any] = {"rank": max(known) if len(known) == len(own) else None}
        if len(own) > 1:
            row["ranks"] = own
        row["reachable"] = reachable[i]
        if not reachable[i]:
            row["cut"] = cuts_inside(found, i)
        if i in missed:
            row["miss"] = missed[i]
        row.update(zip(names, values, strict=True))
        rows[questions[i].id] = row
    return rows


def cuts_inside(found: Found, question: int) -> list[dict[str, Any]]:
    """Where chunks end and start strictly inside the places of a question that is out of reach.

    Of a long place only the first cuts are given.
    """
    places, table = found.places, found.table
    cuts: list[dict[str, Any]] = []
    for i in np.flatnonzero(places.question == question):
        own = slice(*np.searchsorted(table.docs, (places.docs[i], places.docs[i] + 1)).tolist())
        start, end = int(places.starts[i]), int(places.ends[i])
        inside: dict[str, list[int]] = {}
        for name, column in (("ends", table.ends[own]), ("starts", table.starts[own])):
            inside[name] = sorted(set(column[(column > start) & (column < end)].tolist()))[:_CUTS]
        cuts.append({"doc": table.doc_ids[int(places.docs[i])], "start": start, "end": end, **inside})
    return cuts
