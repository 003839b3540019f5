"""The verdict on whole comparisons: equal rows are never told apart, and different ones are."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise.chunk import CHUNKERS
from chunkwise.comparison import compare
from chunkwise.decide import decide
from chunkwise.evaluate.pairs import single_changes
from chunkwise.evaluate.plan import Plan, make_plan
from chunkwise.evaluate.verdicts import FLIPS, Verdicts, verdicts
from chunkwise.spec import parse_one
from chunkwise.stats import holm, pair_tests, paired_interval, questions_needed, sign_flip
from chunkwise.types import LEVEL, CandidateReport, Decision, Question, Report, Score

PRIMARY = "hit@1"


def a_plan(**changed: Any) -> Plan:
    settings: dict[str, Any] = {
        "k": (1,),
        "budgets": (),
        "unit": "words",
        "rule": "contained",
        "primary": PRIMARY,
        "by": (),
        "seed": 0,
        "resamples": 400,
        "show_context": False,
    }
    return make_plan(**{**settings, **changed})


def a_row(name: str, retriever: str = "bm25", label: str = "", **costs: int) -> CandidateReport:
    costs = {"characters_indexed": 1000, **costs}
    return CandidateReport(name, label, retriever, 10, {}, {}, {}, {}, {}, costs, {})


def ask(count: int, family: int = 1, **tags: Sequence[str]) -> list[Question]:
    """Questions, `family` of them in each family, with a value of each tag."""
    return [
        Question(f"q{i}", "?", (), f"f{i // family}", {tag: own[i] for tag, own in tags.items()})
        for i in range(count)
    ]


def judged(values: Any, questions: list[Question] | None = None, names: str = "abcdefghijkl") -> Verdicts:
    table = np.asarray(values, dtype=np.float64)
    rows = [a_row(name) for name in names[: table.shape[1]]]
    return verdicts(rows, table, questions or ask(len(table)), a_plan())


def decided(values: Any, questions: list[Question] | None = None) -> Decision:
    """The decision on scores alone; all rows cost the same."""
    found = judged(values, questions)
    means = np.asarray(values, dtype=np.float64).mean(axis=0)
    rows = tuple(
        replace(
            a_row(name),
            measures={PRIMARY: Score(mean, 0, 1)},
            costs={"unit": "words", "sent": {"@1": 1.0}, "characters_indexed": 1},
        )
        for name, mean in zip("abcdefghijkl", means.tolist(), strict=False)
    )
    fields = {name: getattr(found, name) for name in Verdicts.__dataclass_fields__}
    report = Report({}, {"questions": len(means)}, {"primary": PRIMARY}, rows, **fields)
    return decide(report)


def coins(seed: int, count: int, chances: Sequence[float]) -> Any:
    return np.random.default_rng(seed).random((count, len(chances))) < np.array(chances)


def test_twelve_equal_rows_have_a_false_winner_in_at_most_one_of_twenty_trials() -> None:
    found = [decided(coins(seed, 32, [0.6] * 12)) for seed in range(40)]
    assert sum(d.verdict == "winner" for d in found) <= 2
    assert sum(bool(d.ruled_out) for d in found) <= 5


def test_ten_points_on_four_hundred_questions_are_told_apart() -> None:
    told = []
    for seed in range(10):
        drawn = np.random.default_rng(seed).random(400)
        # A fifth of the questions tell the two apart, and three of four fall to the first: 10 points.
        only_a, only_b = drawn < 0.15, (drawn >= 0.15) & (drawn < 0.2)
        both = drawn >= 0.6
        told.append(decided(np.stack((only_a | both, only_b | both), axis=1)).verdict == "winner")
    assert sum(told) >= 9


def test_a_comparison_holds_what_the_statistics_say_of_its_pair() -> None:
    values = coins(3, 60, [0.4, 0.8, 0.7]).astype(float)
    questions = ask(60, family=2)
    families = [q.family for q in questions]
    found = judged(values, questions)
    assert [(c.best, c.other) for c in found.comparisons] == [("b", "a"), ("b", "c")]
    tests = pair_tests(values, families, flips=FLIPS)
    for c, other in zip(found.comparisons, (0, 2), strict=True):
        apart = values[:, 1] - values[:, other]
        expected = paired_interval(values[:, 1], values[:, other], families, resamples=400)
        assert (c.difference, c.low, c.high) == pytest.approx(tuple(expected), abs=1e-6)
        assert c.p is not None
        assert c.adjusted is not None
        assert c.p == pytest.approx(sign_flip(apart, families)[0], abs=1e-6)
        assert c.p <= c.adjusted <= tests.adjusted[1, other] + 1e-6
        assert c.midp is not None
        assert 0 < c.midp <= 1
        assert c.needed == questions_needed(apart, families, alpha=LEVEL / 2)[0]
    assert found.limits["corrected"] == 0.025
    assert found.limits["least_families"] == 7
    assert found.limits["detectable"] == max(c.detectable or 0 for c in found.comparisons)
    assert sum(found.chances.values()) == pytest.approx(1, abs=1e-5)
    assert max(found.chances, key=lambda name: found.chances[name]) == "b"


def test_mid_p_is_for_measures_of_no_and_yes_only() -> None:
    values = coins(3, 30, [0.4, 0.8]).astype(float)
    assert judged(values).comparisons[0].midp is not None
    values[0, 0] = 0.5
    assert judged(values).comparisons[0].midp is None


def test_the_best_is_reported_on_questions_that_did_not_pick_it() -> None:
    # Each row is best on the questions of one half only: what is picked there fails on the other.
    values = coins(0, 200, [0.5] * 12).astype(float)
    found = judged(values).selection
    assert found["kind"] == "halves"
    assert found["own"] == pytest.approx(values.mean(axis=0).max(), abs=1e-6)
    assert found["value"] < found["own"]
    assert 60 < found["questions"] < 140
    assert judged(values[:30]).selection["kind"] == "folds"
    assert len(judged(values[:30]).selection["chosen"]) == 5


def test_twins_of_the_best_row_do_not_keep_others_from_being_ruled_out() -> None:
    # Eight of 40 questions fall to the first, none to the second: with p = 2 / 2^8 for one pair.
    values = np.zeros((40, 2))
    values[:20, 0] = 1
    values[8:20, 1] = 1
    alone = judged(values)
    twins = judged(values[:, [0, 0, 1, 0, 1]])
    assert {c.other: c.adjusted for c in twins.comparisons} == {
        "b": 1.0,
        "c": alone.comparisons[0].adjusted,
        "d": 1.0,
        "e": alone.comparisons[0].adjusted,
    }
    assert alone.comparisons[0].adjusted == pytest.approx(2 / 2**8, abs=1e-6)
    assert twins.limits == alone.limits
    decision = decided(values[:, [0, 0, 1, 0, 1]])
    assert (decision.verdict, decision.tied, decision.ruled_out) == ("tie", ("a", "b", "d"), ("c", "e"))


def test_what_twins_could_have_shown_is_no_measure_of_the_others() -> None:
    values = np.zeros((40, 3))
    values[::2, :2] = 1
    values[0, 2] = 1
    found = judged(values)
    assert found.comparisons[0].differing == 0
    assert found.limits["detectable"] == found.comparisons[1].detectable


def test_questions_of_one_family_show_nothing() -> None:
    found = judged(np.array([[1.0, 0.0]] * 8), ask(8, family=8))
    (c,) = found.comparisons
    assert (c.difference, c.low, c.high, c.adjusted, c.detectable) == (1, -1, 1, 1, None)
    assert found.limits["detectable"] is None
    assert found.selection["kind"] == "none"
    assert decided(np.array([[1.0, 0.0]] * 8), ask(8, family=8)).verdict == "tie"


def test_enough_families_show_that_a_row_is_not_worse() -> None:
    level = np.ones((200, 2))
    level[:100] = 0
    (c,) = judged(level).comparisons
    assert c.not_worse
    assert c.needed is None
    (c,) = judged(level[50:150]).comparisons  # too few: nothing differs, and that proves little
    assert not c.not_worse


def test_where_the_mean_does_not_hold_is_found() -> None:
    # Row a is ahead by far on long answers, and behind on the 20 short ones.
    lengths = ["short"] * 20 + ["long"] * 80
    kinds = [("fact", "how")[i % 2] for i in range(100)]
    values = np.zeros((100, 2))
    values[20:, 0] = 1
    values[:20, 1] = [1] * 15 + [0] * 5
    weak = judged(values, ask(100, answer_length=lengths, kind=kinds)).weak
    assert weak["a"]["worst"] == {
        "tag": "answer_length",
        "value": "short",
        "questions": 20,
        "mean": 0.0,
        "low": 0.0,
        "high": round(1 - 0.025 ** (1 / 20), 6),  # none of 20 found: the exact end
    }
    behind = weak["a"]["behind"]
    # Half of the short ones are a small part of it that differs by more: 8 of 10.
    assert (behind["tag"], behind["value"], behind["other"]) == ("answer_length × kind", "short × fact", "b")
    assert (behind["questions"], behind["mean"]) == (10, 0.8)
    assert behind["low"] > 0
    assert weak["b"]["behind"]["value"] == "long"


def test_values_that_few_or_all_questions_have_are_not_spoken_of() -> None:
    values = coins(1, 30, [0.3, 0.9]).astype(float)
    assert judged(values, ask(30, only=["x"] * 30, few=["y"] * 4 + ["z"] * 26)).weak["a"]["worst"][
        "value"
    ] == ("z")
    assert judged(values, ask(30)).weak == {}


@pytest.mark.parametrize(
    ("specs", "expected"),
    [
        (["heading:size=800", "heading:size=800,path=no"], [("path", 1, 0, "no", "yes")]),
        (["fixed:size=800,overlap=100", "fixed:size=800"], [("overlap", 1, 0, "0", "100")]),
        # Sizes are compared with their neighbours, overlaps with the least.
        (
            ["fixed:size=1200", "fixed:size=300", "fixed:size=600"],
            [("size", 1, 2, "300", "600"), ("size", 2, 0, "600", "1200")],
        ),
        (
            ["fixed:overlap=50", "fixed", "fixed:overlap=100"],
            [("overlap", 1, 0, "0", "50"), ("overlap", 1, 2, "0", "100")],
        ),
        # Two settings at once, another chunker, another start: nothing can be said of one setting.
        (["heading:size=800", "heading:size=600,path=no"], []),
        (["heading:size=800", "section:size=800"], []),
        (["fixed:size=800", "fixed:size=800,offset=100"], []),
        (["py:a.b.cut", "py:a.c.cut"], []),
        (["not a spec", "fixed:size=800"], []),
        (["py:a.cut,size=1", "py:a.cut,size=2"], [("size", 0, 1, "1", "2")]),
        # Labels do not count, and equal rows are one.
        (["fixed:size=800", "fixed:size=800", "fixed:size=400"], [("size", 2, 0, "400", "800")]),
    ],
)
def test_pairs_differ_in_one_setting(specs: list[str], expected: list[tuple[Any, ...]]) -> None:
    assert single_changes([a_row(spec, label=f"row {i}") for i, spec in enumerate(specs)]) == expected


def test_retrievers_are_a_setting() -> None:
    rows = [a_row("fixed:size=9", r) for r in ("bm25", "dense", "hybrid")]
    found = single_changes([*rows, a_row("fixed:size=8", "bm25")])
    assert [(s, before, after) for s, _, _, before, after in found if s == "retriever"] == [
        ("retriever", "bm25", "dense"),
        ("retriever", "bm25", "hybrid"),
        ("retriever", "dense", "hybrid"),
    ]


def test_settings_of_a_retriever_are_compared_one_at_a_time() -> None:
    retrievers = ["bm25:k1=2", "bm25", "bm25:k1=2,b=0.5", "dense:model=minilm"]
    rows = [a_row(f"fixed @ {name}", retriever=name) for name in retrievers]
    rows = [replace(row, spec="fixed") for row in rows]
    found = [(s, rows[i].retriever, rows[j].retriever, a, b) for s, i, j, a, b in single_changes(rows)]
    assert found == [
        *(("retriever", one, "dense:model=minilm", one, "dense:model=minilm") for one in retrievers[:3]),
        ("retriever k1", "bm25", "bm25:k1=2", "1.5", "2.0"),
        # bm25:k1=2,b=0.5 differs from bm25 in two settings, and from bm25:k1=2 in this one.
        ("retriever b", "bm25:k1=2,b=0.5", "bm25:k1=2", "0.5", "0.75"),
    ]


def test_how_many_starts_are_taken_is_no_setting_that_is_compared() -> None:
    rows = [a_row("fixed:size=400,offsets=4"), a_row("fixed:size=400,overlap=50"), a_row("fixed:size=400")]
    assert [(s, i, j) for s, i, j, _, _ in single_changes(rows)] == [("overlap", 0, 1)]


def test_every_setting_of_our_chunkers_has_a_value_where_it_is_not_written() -> None:
    for name, kind in CHUNKERS.items():
        written = str(parse_one(kind().spec))
        assert single_changes([a_row(name), a_row(written)]) == [], name


def test_a_pair_has_its_gain_and_what_it_costs() -> None:
    values = coins(5, 80, [0.4, 0.8, 0.7]).astype(float)
    rows = [
        a_row("fixed:size=800", characters_indexed=100),
        a_row("fixed:size=800,overlap=80", characters_indexed=110),
        a_row("fixed:size=400", characters_indexed=101),
    ]
    found = verdicts(rows, values, ask(80), a_plan()).pairs
    assert [(p.setting, p.first, p.second, p.extra_characters) for p in found] == [
        ("size", "fixed:size=400", "fixed:size=800", -1),
        ("overlap", "fixed:size=800", "fixed:size=800,overlap=80", 10),
    ]
    families = [f"f{i}" for i in range(80)]
    for p, (i, j) in zip(found, ((2, 0), (0, 1)), strict=True):
        expected = paired_interval(values[:, j], values[:, i], families, resamples=400)
        assert (p.gain, p.low, p.high) == pytest.approx(tuple(expected), abs=1e-6)
        assert p.p == pytest.approx(sign_flip(values[:, j] - values[:, i], families)[0], abs=1e-6)
    assert [p.adjusted for p in found] == pytest.approx(holm([p.p for p in found]).tolist(), abs=1e-6)


def test_one_row_or_no_questions_have_no_statistics() -> None:
    assert verdicts([a_row("a")], np.zeros((0, 1)), [], a_plan()) == Verdicts()
    assert judged(np.ones((9, 1))) == Verdicts()


# Whole comparisons.


@pytest.fixture(scope="module")
def constitution(shared: Path) -> tuple[Path, Path]:
    folder = shared / "corpora" / "constitution"
    return folder / "docs", folder / "golden.jsonl"


def test_twelve_labels_of_one_spec_tie(constitution: tuple[Path, Path]) -> None:
    rows = [f"row{i}=fixed:size=600" for i in range(12)]
    report = compare(*constitution, rows, resamples=500)
    assert report.decision is not None
    assert report.decision.verdict == "tie"
    assert len(report.decision.tied) == 12
    assert report.pairs == ()
    assert {c.adjusted for c in report.comparisons} == {1.0}
    assert report.decision.settles[0].startswith("row0 and row1, ")


@pytest.mark.parametrize("size", [400, 600])
@pytest.mark.parametrize("primary", ["hit@1", "recall@500words"])
def test_twelve_starts_of_one_window_have_no_winner(
    constitution: tuple[Path, Path], size: int, primary: str
) -> None:
    offsets = "|".join(str(i * size // 12) for i in range(12))
    report = compare(*constitution, f"fixed:size={size},offset={offsets}", resamples=500, primary=primary)
    assert report.decision is not None
    assert report.decision.verdict == "tie"
    assert len(report.candidates) == 12


def test_a_report_with_its_verdict_comes_back_from_json(constitution: tuple[Path, Path]) -> None:
    report = compare(*constitution, ["heading:size=600", "heading:size=600,path=no"], resamples=200)
    assert report.pairs
    assert report.limits
    assert report.selection
    again = Report.from_json(report.to_json())
    assert again == report
    assert decide(replace(again, decision=None)) == report.decision


def test_a_report_from_before_there_were_tests_is_read(constitution: tuple[Path, Path]) -> None:
    data = compare(*constitution, ["fixed:size=600", "document"], resamples=200).to_dict()
    for name in ("pairs", "limits", "selection", "chances", "weak"):
        del data[name]
    for comparison in data["comparisons"]:
        for name in ("p", "adjusted", "midp", "detectable", "needed", "not_worse"):
            del comparison[name]
    del data["decision"]["settles"]
    old = Report.from_json(json.dumps(data))
    assert old.comparisons[0].adjusted is None
    assert old.decision is not None
    assert old.decision.settles == ()
    assert decide(old).ruled_out == ()


def test_questions_named_in_another_order_give_the_same_verdict() -> None:
    values = coins(7, 40, [0.4, 0.8, 0.7]).astype(float)
    questions = ask(40, kind=["a", "b"] * 20)
    order = np.random.default_rng(1).permutation(40)
    turned = judged(values[order], [questions[i] for i in order])
    assert turned == judged(values, questions)


def test_a_comparison_says_how_far_the_ceiling_is_behind() -> None:
    questions = ask(12)
    values = np.array([[1.0, 1.0, 1.0]] * 11 + [[1.0, 0.0, 0.0]])
    held = {"a": [1.0] * 12, "b": [1.0] * 4 + [0.0] * 8, "c": [1.0] * 12}
    rows = [
        replace(a_row(name), questions={q.id: {"ceiling": own[i]} for i, q in enumerate(questions)})
        for name, own in held.items()
    ]
    first, second = verdicts(rows, values, questions, a_plan()).comparisons
    own = (np.ones(12), np.array(held["b"]), [q.family for q in questions])
    mean, low, high = paired_interval(*own, resamples=400)
    assert first.ceiling == {
        "difference": round(float(mean), 6),
        "low": round(float(low), 6),
        "high": round(float(high), 6),
        "p": round(2 / 2**8, 6),
    }
    assert low > 0
    assert second.ceiling == {"difference": 0.0, "low": 0.0, "high": 0.0, "p": 1.0}
    # A report of which the ceilings are not known says nothing of them.
    assert judged(values, questions).comparisons[0].ceiling == {}
