"""The gate as pure computation: every rule, and everything that must never be green."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chunkwise.errors import NotComparable, NothingMeasured, SettingError
from chunkwise.ship.comparable import check_askable
from chunkwise.ship.gate import judge
from chunkwise.ship.outcome import Outcome
from chunkwise.ship.rules import Rules, load_rules
from chunkwise.types import GoldenSet, Question

from .make import baseline

OFF: dict[str, Any] = {"interval": False, "max_drop": None, "ceiling": None, "coverage": None}
ALL = {f"q{i}": 1.0 for i in range(20)}


def failed(outcome: Outcome) -> list[tuple[str, str]]:
    return [(check.rule, check.subject) for check in outcome.failed]


def test_the_same_again_passes() -> None:
    outcome = judge(baseline(ALL), baseline(ALL))
    assert outcome.passed
    assert [check.rule for check in outcome.checks] == ["max_drop", "interval"]
    assert outcome.lost == ()


def test_a_fall_beyond_the_limit_fails_and_names_the_question() -> None:
    outcome = judge(baseline({**ALL, "q3": 0.0}), baseline(ALL))
    assert failed(outcome) == [("max_drop", "hit@5")]
    assert [lost.id for lost in outcome.lost] == ["q3"]


@pytest.mark.parametrize(("limit", "passes"), [(0.05, True), (0.0499, False)])
def test_exactly_the_limit_passes(limit: float, passes: bool) -> None:
    outcome = judge(baseline({**ALL, "q3": 0.0}), baseline(ALL), Rules(**{**OFF, "max_drop": limit}))
    assert outcome.passed is passes


def test_binary_rounding_does_not_fail_a_gate() -> None:
    now, before = baseline({"a": 0.78}), baseline({"a": 0.8})
    assert before.means["hit@5"] - now.means["hit@5"] > 0.02  # in binary floating point
    assert judge(now, before, Rules(max_drop=0.02)).passed


def test_an_interval_below_zero_fails_whatever_the_mean() -> None:
    now = baseline(dict.fromkeys(ALL, 0.9))
    rules = Rules(**{**OFF, "interval": True})
    outcome = judge(now, baseline(ALL), rules)
    assert failed(outcome) == [("interval", "hit@5")]
    assert "[-10.0 to -10.0]" in outcome.checks[0].said


def test_questions_of_one_family_are_one_in_the_interval() -> None:
    now, before = baseline({**ALL, **{f"q{i}": 0.0 for i in range(10)}}), baseline(ALL)
    rules = Rules(**{**OFF, "interval": True})
    assert not judge(now, before, rules).passed
    family = dict.fromkeys(ALL, "one")
    assert judge(replace(now, families=family), before, rules).passed  # one family shows nothing


def test_families_of_the_baseline_count_where_the_report_has_none() -> None:
    now, before = baseline({**ALL, **{f"q{i}": 0.0 for i in range(10)}}), baseline(ALL)
    rules = Rules(**{**OFF, "interval": True})
    assert judge(now, replace(before, families=dict.fromkeys(ALL, "one")), rules).passed


def test_a_gain_never_fails() -> None:
    assert judge(baseline(ALL), baseline({**ALL, "q1": 0.0})).passed


def test_a_tag_has_its_own_limit() -> None:
    tags = {id: {"kind": "table" if id in ("q1", "q2") else "prose"} for id in ALL}
    now, before = baseline({**ALL, "q1": 0.0}, tags=tags), baseline(ALL, tags=tags)
    rules = Rules(**OFF, tags={"kind=table": 0.1, "kind=prose": 0.0})
    assert failed(judge(now, before, rules)) == [("tags", "hit@5, kind=table")]
    assert len(judge(now, before, Rules(**OFF, tags=0.5)).checks) == 2
    with pytest.raises(NotComparable, match="no figures for kind=list"):
        judge(now, before, Rules(**OFF, tags={"kind=list": 0.1}))


def test_a_question_that_must_pass() -> None:
    now = baseline({**ALL, "q3": 0.0})
    outcome = judge(now, now, Rules(**OFF, must_pass=("q2", "q3")))
    assert failed(outcome) == [("must_pass", "q3")]
    assert [lost.id for lost in outcome.lost] == ["q3"]
    with pytest.raises(SettingError, match="no question 'q99'"):
        judge(now, now, Rules(**OFF, must_pass=("q99",)))


@pytest.mark.parametrize(
    ("rules", "passes"),
    [
        (Rules(**OFF, boundaries={"row": 0.25}), True),
        (Rules(**OFF, boundaries={"row": 0.2}), False),
        (Rules(**OFF, boundaries={"headings_parted": 0.05}), False),
        (Rules(**OFF, sizes={"max": 400}), True),
        (Rules(**OFF, sizes={"max": 399}), False),
        (Rules(**OFF, costs={"embedded": 1.0}), True),
        (Rules(**OFF, costs={"embedded": 0.9}), False),
        (Rules(**OFF, costs={"sent@5": 1.1}), True),
        (Rules(**OFF, costs={"chunks": 0.99}), False),
        (Rules(**OFF, at_least={"hit@5": 1.0}), True),
    ],
)
def test_limits_on_cuts_sizes_and_costs(rules: Rules, passes: bool) -> None:
    assert judge(baseline(ALL), baseline(ALL), rules).passed is passes


def test_the_ceiling_and_the_coverage() -> None:
    now, before = (
        replace(baseline(ALL), means={"hit@5": 1.0, "ceiling": value, "coverage": 1.0})
        for value in (0.9, 1.0)
    )
    assert failed(judge(now, before)) == [("ceiling", "ceiling")]
    assert judge(now, before, Rules(ceiling=0.1)).passed


@pytest.mark.parametrize(
    ("now", "message"),
    [
        (baseline(ALL, golden="other"), "golden set changed"),
        (baseline(ALL, settings={"unit": "cl100k"}), "unit changed"),
        (baseline(ALL, settings={"rule": "majority"}), "rule changed"),
        (baseline(ALL, "hit@3"), "has no hit@5"),
        (replace(baseline(ALL), questions=10), "10 questions in place of 20"),
        (replace(baseline(ALL), questions=21), "21 questions in place of 20"),
        (baseline({f"p{i}": 1.0 for i in range(20)}), "on one side only"),
    ],
)
def test_what_cannot_be_compared_is_not_compared(now: Any, message: str) -> None:
    with pytest.raises(NotComparable, match=message):
        judge(now, baseline(ALL))


def test_nothing_measured_is_not_green() -> None:
    now = replace(baseline(ALL), questions=0)
    with pytest.raises(NothingMeasured, match="0 questions in place of 20"):
        judge(now, baseline(ALL))
    with pytest.raises(NothingMeasured, match="0 questions in the baseline"):
        judge(baseline(ALL), replace(baseline(ALL), questions=0))


def test_a_figure_that_is_no_number_is_not_green() -> None:
    with pytest.raises(NothingMeasured, match="hit@5 is no number"):
        judge(replace(baseline(ALL), means={"hit@5": math.nan}), baseline(ALL))
    with pytest.raises(NothingMeasured, match="a value that is no number"):
        judge(replace(baseline({**ALL, "q1": math.nan}), means={"hit@5": 1.0}), baseline(ALL))


def test_a_gate_without_rules_is_refused() -> None:
    with pytest.raises(SettingError, match="switched off"):
        judge(baseline(ALL), baseline(ALL), Rules(**OFF))


def test_means_alone_are_judged_and_it_is_said() -> None:
    now, before = (replace(baseline(ALL), values={}, report=None, source=name) for name in ("a", "b"))
    outcome = judge(now, before)
    assert [check.rule for check in outcome.checks] == ["max_drop"]
    assert "b holds means only" in outcome.notes[0]
    with pytest.raises(NotComparable, match="means only"):
        judge(now, before, Rules(sizes={"max": 1}))


@pytest.mark.parametrize("broken", [{}, {"hit@5": None}, {"hit@5": "1"}])
def test_a_question_without_a_value_is_named(broken: dict[str, Any]) -> None:
    sound = baseline(ALL)
    other = replace(sound, values={**sound.values, "q3": broken})
    for now, before in ((sound, other), (other, sound)):
        with pytest.raises(
            NotComparable, match=r"the question 'q3' has no value of hit@5; make a new baseline"
        ):
            judge(now, before)


def test_a_question_must_pass_within_what_was_looked_at() -> None:
    """What stands further down would be called lost, and might be there."""
    now = baseline(ALL, settings={"depth": 100})
    assert judge(now, now, Rules(**OFF, must_pass=("q2",), within=100)).passed
    with pytest.raises(SettingError, match=r"within: only the first 100 chunks .* -k 101"):
        judge(now, now, Rules(**OFF, must_pass=("q2",), within=101))


def test_a_tag_that_moved_to_other_questions_moves_no_figure() -> None:
    """The hard question is no longer among the tables: the others are compared with themselves."""
    kinds = {id: {"kind": "table"} for id in ("q1", "q2")} | {"q3": {"kind": "prose"}}
    before = baseline({"q1": 1.0, "q2": 0.0, "q3": 1.0}, tags=kinds)
    now = baseline({"q1": 0.5, "q2": 0.0, "q3": 1.0}, tags={**kinds, "q2": {"kind": "prose"}})
    rules = Rules(**OFF, tags={"kind=table": 0.1})
    (check,) = judge(now, before, rules).checks
    assert (check.before, check.now, check.passed) == (1.0, 0.5, False)


def test_what_must_fail_is_known_before_anything_is_measured(tmp_path: Path) -> None:
    golden = GoldenSet([Question("q1", "Why?", (), tags={"kind": "table"})])
    (tmp_path / "gate.toml").write_text('must_pass = ["q2"]\n', "utf-8")
    with pytest.raises(SettingError, match=r"gate\.toml:1: must_pass: no question 'q2'.*did you mean 'q1'"):
        check_askable(golden, load_rules(tmp_path / "gate.toml"))
    (tmp_path / "gate.toml").write_text('\n[tags]\n"kind=tabel" = 0.1\n', "utf-8")
    with pytest.raises(SettingError, match=r"gate\.toml:3: tags: no question .* did you mean 'kind=table'"):
        check_askable(golden, load_rules(tmp_path / "gate.toml"))
    with pytest.raises(NotComparable, match="golden set changed"):
        check_askable(golden, Rules(), baseline(ALL))
    same = replace(baseline(ALL), asked=golden.asked)
    check_askable(golden, Rules(), same)
    with pytest.raises(NotComparable, match=r"before\.json has no mrr@10"):
        check_askable(golden, Rules(measures=("mrr@10",)), same)
