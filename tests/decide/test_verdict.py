"""The verdict: winners, ties, and what nobody can tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chunkwise.decide import decide
from chunkwise.types import Comparison

from .make import against, report, row


def test_a_winner_is_ahead_of_every_other_row() -> None:
    rows = [row("a", 0.5), row("best", 0.9), row("b", 0.6)]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5), against("b", 0.3, 0.001, 0.4)))
    assert (decision.verdict, decision.candidate) == ("winner", "best")
    assert decision.tied == ("best",)
    assert decision.ruled_out == ("a", "b")
    assert decision.reasons[0] == (
        "on this corpus (3 documents, 40 questions) best found 90 % [80 to 100] of the answers within 1,000 "
        "words read (recall@1000words), ahead of every other row by more than chance"
    )
    # The nearest row is named first.
    assert decision.reasons[1:] == (
        "best is 30 points [0.1 to 40] ahead of b on recall@1000words, more than chance (p = 0.001)",
        "best is 40 points [20 to 50] ahead of a on recall@1000words, more than chance (p = 0.001)",
    )
    assert decision.settles == ()


@pytest.mark.parametrize(("limits", "out"), [({}, ("a",)), ({"level": 0.01}, ()), ({"level": 0.05}, ("a",))])
def test_rows_are_ruled_out_at_the_level_that_the_report_was_tested_at(
    limits: dict[str, float], out: tuple[str, ...]
) -> None:
    rows = [row("best", 0.9), row("a", 0.5)]
    told = {"least_families": 7, **limits}
    assert decide(report(rows, against("a", 0.4, 0.2, 0.5, adjusted=0.03), limits=told)).ruled_out == out


@pytest.mark.parametrize("low", [0.0, -0.05])
def test_where_the_interval_touches_zero_no_row_is_called_best(low: float) -> None:
    rows = [row("best", 0.9), row("a", 0.88, sent=800), row("b", 0.5)]
    decision = decide(report(rows, against("a", 0.02, low, 0.1), against("b", 0.4, 0.2, 0.5)))
    assert (decision.verdict, decision.candidate) == ("tie", "a")
    assert decision.tied == ("best", "a")
    assert decision.ruled_out == ("b",)
    assert decision.reasons[0].startswith("on this corpus (3 documents, 40 questions) best found 90 %")
    low_ = "0" if low == 0 else "-5"
    assert decision.reasons[0].endswith(
        f"; a, named for its cost, found 88 % [78 to 98], 2 points less [{low_} to 10]"
    )
    assert "2 of 3 rows cannot be told apart by 40 questions: best, a" in decision.reasons
    assert (
        "a is the cheapest of them: it hands the reader the fewest words within 1000words (800)"
        in decision.reasons
    )


def test_a_difference_that_rounds_to_nothing_is_none() -> None:
    rows = [row("best", 0.9), row("a", 0.8999)]
    decision = decide(report(rows, against("a", 0.0001, -0.001, 0.002)))
    assert "best and a are level on recall@1000words" in decision.reasons


def test_nothing_found_is_undecided_and_says_why() -> None:
    rows = [row("best", 0.0), row("a", 0.0)]
    decision = decide(report(rows, against("a", 0.0, 0.0, 0.0, differing=0)))
    assert (decision.verdict, decision.candidate, decision.tied) == ("undecided", None, ())
    assert "0 for all of them" in decision.reasons[0]
    assert decide(report([row("best", 0.0, chunks=0)])).reasons[1] == "no row has any chunks"


def test_no_questions_are_undecided() -> None:
    decision = decide(report([row("a", 0.0)], questions=0))
    assert (decision.verdict, decision.candidate) == ("undecided", None)
    assert "no questions were asked" in decision.reasons[0]
    assert decide(report([])).verdict == "undecided"


def test_one_row_alone_is_no_winner() -> None:
    decision = decide(report([row("a", 0.7)]))
    assert (decision.verdict, decision.candidate, decision.tied) == ("undecided", "a", ("a",))
    assert decision.reasons[0].startswith("on this corpus (3 documents, 40 questions) a found 70 %")


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("hit@1", "of the whole answers in the first chunk (hit@1)"),
        ("hit@5", "in the first 5 chunks (hit@5)"),
        ("recall@3", "of the passages needed in the first 3 chunks (recall@3)"),
        ("mrr@10", "of the best possible rank"),
        ("recall@500cl100k", "within 500 cl100k tokens read (recall@500cl100k)"),
        ("ceiling", "of what the questions need in some chunk"),
    ],
)
def test_the_first_sentence_says_what_the_share_is_of(measure: str, words: str) -> None:
    rows = [row("best", 0.9), row("a", 0.5)]
    for one in rows:
        one.measures[measure] = one.measures["recall@1000words"]  # type: ignore[index]
        one.costs["sent"]["@1"] = 100.0
    found = Comparison(measure, "best", "a", 0.4, 0.2, 0.5, 20, adjusted=0.001)
    assert words in decide(report(rows, found, primary=measure)).reasons[0]


def test_a_hit_by_another_rule_is_no_whole_answer() -> None:
    rows = [row("best", 0.9), row("a", 0.4)]
    rows = [replace(one, measures={"hit@3": one.measures["recall@1000words"]}) for one in rows]
    made = report(rows, replace(against("a", 0.5, 0.4, 0.6), measure="hit@3"), primary="hit@3")
    assert "of the whole answers in the first 3 chunks (hit@3)" in decide(made).reasons[0]
    by_half = decide(replace(made, settings={**made.settings, "rule": "majority"}))
    assert "of the answers in the first 3 chunks (hit@3, rule majority)" in by_half.reasons[0]
