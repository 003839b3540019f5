"""The gate: what was measured now against a baseline, under rules. Nothing but computation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from chunkwise.errors import NotComparable, NothingMeasured, SettingError
from chunkwise.report.words import counted
from chunkwise.ship.baseline import Baseline
from chunkwise.ship.comparable import check_has, check_same, no_question
from chunkwise.ship.outcome import Check, Lost, Outcome
from chunkwise.ship.rules import PARTED, Rules
from chunkwise.types import CandidateReport

__all__ = ["judge"]

_CLOSE: Final = 1e-7  # figures are kept to 6 decimals: nothing smaller is a difference


def judge(now: Baseline, before: Baseline, rules: Rules | None = None) -> Outcome:
    """Apply the rules.

    Args:
        now: what is judged.
        before: what it is compared with.
        rules: None for the defaults.

    Raises:
        NothingMeasured: no questions on either side, or a figure that is no number.
        NotComparable: another golden set, another number of questions, another hit rule, counter or measure.
        SettingError: a rule names a question that is not in the golden set.
    """
    rules = rules or Rules()
    now = now.about(before)
    before = before.about(now).tagged_as(now)
    check_same(now, before)
    measures = _measures(now, before, rules)
    checks = [
        *_means(now, before, rules, measures),
        *_intervals(now, before, rules, measures),
        *_whole(now, before, rules),
        *_groups(now, before, rules, measures),
        *_must_pass(now, rules),
        *_limits(now, before, rules),
    ]
    if not checks:
        raise SettingError(
            f"{rules.source or 'the gate'}: every rule is switched off; a gate needs at least one"
        )
    return Outcome(
        now,
        before,
        tuple(checks),
        tuple(_lost(now, before, rules, measures)),
        tuple(_notes(now, before, rules)),
    )


def _measures(now: Baseline, before: Baseline, rules: Rules) -> tuple[str, ...]:
    primary = before.setting("primary") or now.setting("primary")
    # Of a file of means all shares are compared; a number such as seconds only where a rule names it.
    shares = tuple(name for name, mean in before.means.items() if not mean > 1)
    named = rules.compared(str(primary) if primary is not None else None) or shares
    for name in named:
        for side in (before, now):
            check_has(side, name)
            if not math.isfinite(side.means[name]):
                raise NothingMeasured(f"{side.source}: {name} is no number; measure again")
    if not named:
        raise NotComparable(
            f"{before.source} has no share of anything (it has {', '.join(before.means)}); name what is "
            "compared with the rule measures"
        )
    return named


def _means(now: Baseline, before: Baseline, rules: Rules, measures: Sequence[str]) -> Iterator[Check]:
    for name in measures:
        limit = rules.drop_of(name)
        if limit is not None:
            yield _drop("max_drop", name, before.means[name], now.means[name], limit)
    for name, least in rules.at_least.items():
        if name not in now.means:
            raise NotComparable(f"{now.source} has no {name}, which the rule at_least asks for")
        value = now.means[name]
        passed = value >= least - _CLOSE
        said = f"{name} is {_points(value)}, at least {_points(least)} are asked for"
        yield Check("at_least", name, before.means.get(name), value, least, passed, said)


def _intervals(now: Baseline, before: Baseline, rules: Rules, measures: Sequence[str]) -> Iterator[Check]:
    if not rules.interval or not now.values or not before.values:
        return
    import numpy as np

    from chunkwise.stats import paired_interval

    ids = list(before.values)
    left, right = (
        np.array([[_value(side, id, name) for name in measures] for id in ids]) for side in (now, before)
    )
    if not (np.isfinite(left).all() and np.isfinite(right).all()):
        raise NothingMeasured(f"{now.source}: a question has a value that is no number; measure again")
    families = [now.families.get(id, id) for id in ids]
    found = paired_interval(
        left,
        right,
        families,
        resamples=int(before.setting("resamples") or 10_000),
        seed=int(before.setting("seed") or 0),
    )
    for name, (mean, low, high) in zip(measures, np.atleast_2d(found).tolist(), strict=True):
        passed = high >= -_CLOSE or mean >= -_CLOSE
        said = f"{name} changed by {_signed(mean)} points [{_signed(low)} to {_signed(high)}], paired" + (
            "" if passed else ": more than chance"
        )
        yield Check("interval", name, before.means[name], now.means[name], 0.0, passed, said)


def _value(side: Baseline, id: str, name: str) -> float:
    value = side.values.get(id, {}).get(name)
    if not isinstance(value, int | float):
        raise NotComparable(f"{side.source}: the question {id!r} has no value of {name}; make a new baseline")
    return float(value)


def _whole(now: Baseline, before: Baseline, rules: Rules) -> Iterator[Check]:
    for name, limit in (("ceiling", rules.ceiling), ("coverage", rules.coverage)):
        if limit is not None and name in now.means and name in before.means:
            yield _drop(name, name, before.means[name], now.means[name], limit)


def _groups(now: Baseline, before: Baseline, rules: Rules, measures: Sequence[str]) -> Iterator[Check]:
    if rules.tags is None:
        return
    single = [key for key in before.groups if " × " not in key]  # tags that a comparison crossed are not
    keys = rules.tags if isinstance(rules.tags, Mapping) else dict.fromkeys(single, rules.tags)
    if not keys:
        raise NotComparable(
            f"{before.source} has no figures for any tag, and the rule tags asks for them; give the "
            "questions tags and make a new baseline, or take the rule out"
        )
    for key, limit in keys.items():
        for side in (before, now):
            if key not in side.groups:
                known = ", ".join(side.groups) or "none; measure with --by"
                raise NotComparable(f"{side.source} has no figures for {key} (known: {known})")
            if not side.groups[key].questions:
                raise NothingMeasured(f"{side.source}: 0 questions with {key}: nothing was measured")
        asked = before.groups[key].questions, now.groups[key].questions
        if asked[0] != asked[1]:
            raise NotComparable(
                f"{now.source}: {counted(asked[1], 'question')} with {key} in place of {asked[0]:,} of "
                f"{before.source}; "
                "ask the same ones, or make a new baseline"
            )
        # A file of means may hold fewer measures by tag than over all questions.
        held = [name for name in measures if name in before.groups[key].means]
        if not held:
            raise NotComparable(
                f"{before.source} has no {' and no '.join(measures)} for {key}; measure it, or take the "
                "rule out"
            )
        for name in held:
            old, new = before.groups[key].means[name], now.groups[key].means.get(name)
            if new is None or not (math.isfinite(old) and math.isfinite(new)):
                raise NothingMeasured(f"{name} of {key} is no number on one side; measure again")
            yield _drop("tags", f"{name}, {key}", old, new, limit)


def _must_pass(now: Baseline, rules: Rules) -> Iterator[Check]:
    if not rules.must_pass:
        return
    if not now.values:
        raise NotComparable(f"{now.source} holds means only; must_pass needs values by question")
    within = _within(now, rules)
    for id in rules.must_pass:
        if id not in now.values:
            raise SettingError(f"{rules.at('must_pass')}: must_pass: {no_question(id, now.values)}")
        rank = now.values[id].get("rank")
        passed = rank is not None and rank <= within
        where = f"at rank {rank}" if rank is not None else "not found"
        said = f"question {id!r} is {where}; it must be within the first {within}"
        yield Check("must_pass", id, None, rank, within, passed, said)


def _within(now: Baseline, rules: Rules) -> int:
    depth = now.setting("depth")
    if rules.within and depth and rules.within > depth:
        raise SettingError(
            f"{rules.at('within')}: within: only the first {depth:,} chunks are looked at; take {depth} or "
            f"less, or measure with -k {rules.within}"
        )
    return rules.within or max(now.setting("k") or (10,))


def _limits(now: Baseline, before: Baseline, rules: Rules) -> Iterator[Check]:
    row, old = now.row, before.row
    if not (rules.boundaries or rules.sizes or rules.costs):
        return
    if row is None:
        raise NotComparable(
            f"{now.source} holds means only; rules on boundaries, sizes and costs need a report"
        )
    for name, limit in rules.boundaries.items():
        yield _most("boundaries", name, _share(old, name), _share(row, name), limit)
    for name, limit in rules.sizes.items():
        yield _most("sizes", name, _figure(old.sizes if old else {}, name), _figure(row.sizes, name), limit)
    for name, limit in rules.costs.items():
        if old is None:
            raise NotComparable(f"{before.source} holds means only; rules on costs need a report as baseline")
        first, second = _cost(old, name), _cost(row, name)
        if first is None or second is None:
            raise NothingMeasured(
                f"the cost {name} is not known on one side; take the rule out or measure it"
            )
        passed = second <= first * limit + _CLOSE * max(1.0, abs(first))
        said = f"{name} went from {first:,.6g} to {second:,.6g}; {limit:g} times as much is allowed"
        yield Check("costs", name, first, second, limit, passed, said)


def _share(row: CandidateReport | None, name: str) -> float | None:
    if row is None:
        return None
    if name in PARTED:
        return _figure(row.boundaries.get(name, {}), "share")
    return _figure(row.boundaries.get("starts", {}).get("shares", {}), name)


def _cost(row: CandidateReport, name: str) -> float | None:
    if name == "chunks":
        return float(row.chunks)
    if name.startswith("sent@"):
        return _figure(row.costs.get("sent", {}), name.removeprefix("sent"))
    return _figure(row.costs, name)


def _figure(found: Mapping[str, Any], name: str) -> float | None:
    value = found.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def _most(rule: str, name: str, before: float | None, now: float | None, limit: float) -> Check:
    if now is None:
        raise NothingMeasured(f"{rule}: {name} was not measured; take the rule out or measure it")
    said = f"{name} is {now:,.6g}, at most {limit:,.6g} is allowed"
    return Check(rule, name, before, now, limit, now <= limit + _CLOSE, said)


def _drop(rule: str, name: str, before: float, now: float, limit: float) -> Check:
    drop = before - now
    passed = drop <= limit + _CLOSE
    way = "fell" if drop > _CLOSE else "went"
    said = (
        f"{name} {way} from {_points(before)} to {_points(now)}: {_drawn(drop)}; "
        f"a fall of {_points(limit)} is allowed"
    )
    return Check(rule, name, before, now, limit, passed, said)


def _lost(now: Baseline, before: Baseline, rules: Rules, measures: Sequence[str]) -> list[Lost]:
    """Questions with less on the first measure, and those that must pass and do not."""
    name = measures[0]
    within = _within(now, rules) if rules.must_pass else 0
    found = []
    for id, values in now.values.items():
        old = before.values.get(id, {}).get(name)
        new = float(values.get(name) or 0.0)
        must = id in rules.must_pass and not (values.get("rank") and values["rank"] <= within)
        if must or (old is not None and float(old) - new > 1e-6):
            reason = str(values.get("miss", {}).get("reason", ""))
            found.append(Lost(id, name, old if old is None else float(old), new, must, reason=reason))
    return sorted(found, key=lambda one: (not one.must, one.now - (one.before or 0.0)))


def _notes(now: Baseline, before: Baseline, rules: Rules) -> Iterator[str]:
    for side in (before, now):
        if side.means_only and rules.interval:
            yield f"{side.source} holds means only: no interval was taken, and no lost question can be named"
        if side.unread:
            yield f"{side.source}: not looked at, as it is no figure: {', '.join(side.unread)}"
    for name, limit in (("ceiling", rules.ceiling), ("coverage", rules.coverage)):
        missing = [side.source for side in (before, now) if name not in side.means]
        if limit is not None and missing:
            yield f"no {name} in {' and '.join(missing)}: the rule on it was not applied"
    if now.drafted:
        yield "the questions were copied from headings: this shows regressions, not how good the search is"
    if now.report is not None and before.report is not None:
        old, new = before.report.corpus, now.report.corpus
        if old.get("digest") != new.get("digest"):
            yield (
                f"the documents changed since the baseline: {old.get('documents')} then, "
                f"{new.get('documents')} now"
            )
        first, second = (f"{side.row.spec} @ {side.row.retriever}" for side in (before, now) if side.row)
        if first != second:
            yield f"the baseline was {first}, now it is {second}"
        versions = before.setting("versions") or {}, now.setting("versions") or {}
        for library in sorted(set(versions[0]) & set(versions[1])):
            if versions[0][library] != versions[1][library]:
                yield f"{library} {versions[0][library]} then, {versions[1][library]} now"
    if now.values and not now.families:
        yield "families of questions are not known: each question counted as its own"


def _points(value: float) -> str:
    """A share as points of a hundred."""
    return f"{100 * value:.2f}".rstrip("0").rstrip(".") + " %"


def _signed(value: float) -> str:
    return f"{100 * value:+.1f}"


def _drawn(drop: float) -> str:
    points = f"{abs(100 * drop):.2f}".rstrip("0").rstrip(".") or "0"
    return f"{points} points {'less' if drop > _CLOSE else 'more'}" if abs(drop) > _CLOSE else "no change"
