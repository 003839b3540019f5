"""The verdict: winners, ties, and what nobody can tell."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.decide import decide
from chunkwise.types import CandidateReport, Comparison, Report, Score


def row(
    name: str, value: float, *, sent: float = 1000.0, indexed: int = 5000, chunks: int = 10, **more: Any
) -> CandidateReport:
    return CandidateReport(
        spec=name,
        label="",
        retriever="bm25",
        chunks=chunks,
        measures={"recall@1000words": Score(value, max(0, value - 0.1), min(1, value + 0.1))},
        rules={},
        tags={},
        boundaries={},
        sizes={},
        costs={"unit": "words", "sent": {"@5": 400.0, "@1000words": sent}, "characters_indexed": indexed},
        questions={},
        **more,
    )


def report(
    rows: list[CandidateReport],
    *comparisons: Comparison,
    questions: int = 40,
    primary: str = "recall@1000words",
) -> Report:
    return Report(
        corpus={},
        golden={"questions": questions, "families": questions},
        settings={"primary": primary},
        candidates=tuple(rows),
        comparisons=comparisons,
    )


def against(other: str, difference: float, low: float, high: float, differing: int = 20) -> Comparison:
    return Comparison("recall@1000words", "best", other, difference, low, high, differing)


def test_a_winner_is_ahead_of_every_other_row() -> None:
    rows = [row("a", 0.5), row("best", 0.9), row("b", 0.6)]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5), against("b", 0.3, 0.001, 0.4)))
    assert (decision.verdict, decision.candidate) == ("winner", "best")
    assert decision.tied == ("best",)
    assert decision.ruled_out == ("a", "b")
    assert decision.reasons[0] == (
        "on this corpus best found 90 % [80 to 100] of the answers to 40 questions within 1,000 words read "
        "(recall@1000words)"
    )
    # The nearest row is named first.
    assert "ahead of b" in decision.reasons[1]
    assert "30 points [0.1 to 40]" in decision.reasons[1]


@pytest.mark.parametrize("low", [0.0, -0.05])
def test_where_the_interval_touches_zero_no_row_is_called_best(low: float) -> None:
    rows = [row("best", 0.9), row("a", 0.88, sent=800), row("b", 0.5)]
    decision = decide(report(rows, against("a", 0.02, low, 0.1), against("b", 0.4, 0.2, 0.5)))
    assert (decision.verdict, decision.candidate) == ("tie", "a")
    assert decision.tied == ("best", "a")
    assert decision.ruled_out == ("b",)
    assert decision.reasons[0].startswith("on this corpus a found 88 %")
    assert "2 of 3 rows cannot be told apart by 40 questions: best, a" in decision.reasons
    assert (
        "a is the cheapest of them: it hands the reader the fewest words at 1000words (800)"
        in decision.reasons
    )


def test_the_cheapest_goes_by_units_then_characters_then_chunks_then_order() -> None:
    tie = against("a", 0.01, -0.1, 0.1), against("b", 0.01, -0.1, 0.1)

    def chosen(best: dict[str, Any], a: dict[str, Any], b: dict[str, Any]) -> str | None:
        rows = [row("best", 0.5, **best), row("a", 0.5, **a), row("b", 0.5, **b)]
        return decide(report(rows, *tie)).candidate

    assert chosen({}, {"sent": 900}, {"indexed": 10}) == "a"
    # A difference of less than one in a hundred is none.
    assert chosen({}, {"sent": 999}, {"indexed": 10}) == "b"
    assert chosen({"chunks": 3}, {"indexed": 4990}, {"chunks": 9}) == "best"
    assert chosen({}, {}, {}) == "best"


def test_few_differing_families_prove_nothing_and_the_row_behind_is_not_chosen() -> None:
    rows = [row("best", 0.9), row("a", 0.6, sent=10), row("b", 0.9, sent=900)]
    found = against("a", 0.3, 0.1, 0.5, differing=5), against("b", 0.0, 0.0, 0.0, differing=0)
    decision = decide(report(rows, *found))
    assert (decision.verdict, decision.candidate) == ("tie", "b")
    assert decision.tied == ("best", "a", "b")
    assert any("they differ in 5 families of questions only" in reason for reason in decision.reasons)
    assert "best and b are level on recall@1000words" in decision.reasons
    six = against("a", 0.3, 0.1, 0.5, differing=6), found[1]
    assert decide(report(rows, *six)).ruled_out == ("a",)


def test_a_difference_that_rounds_to_nothing_is_none() -> None:
    rows = [row("best", 0.9), row("a", 0.8999)]
    decision = decide(report(rows, against("a", 0.0001, -0.001, 0.002)))
    assert "best and a are level on recall@1000words" in decision.reasons


def test_nothing_found_is_undecided_and_says_why() -> None:
    rows = [row("best", 0.0), row("a", 0.0)]
    decision = decide(report(rows, against("a", 0.0, 0.0, 0.0, 0)))
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
    assert decision.reasons[0].startswith("on this corpus a found 70 %")


def test_heading_questions_say_what_is_left_without_the_heading_lines() -> None:
    def copied(without: float) -> dict[str, Any]:
        return {"headings": {"questions": 12, "without": {"recall@1000words": {"value": without}}}}

    rows = [row("best", 0.9, **copied(0.4)), row("a", 0.5, **copied(0.45))]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5)))
    assert decision.reasons[-1] == (
        "12 questions are copied from headings; without the heading lines in the index best finds 40 %, "
        "and a is first with 45 %"
    )


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("hit@1", "of the whole answers to 40 questions in the first chunk (hit@1)"),
        ("hit@5", "in the first 5 chunks (hit@5)"),
        ("recall@3", "of the passages that 40 questions need in the first 3 chunks (recall@3)"),
        ("mrr@10", "of the best possible rank"),
        ("recall@500cl100k", "within 500 cl100k tokens read (recall@500cl100k)"),
        ("ceiling", "of what 40 questions need in some chunk"),
    ],
)
def test_the_first_sentence_says_what_the_share_is_of(measure: str, words: str) -> None:
    rows = [row("best", 0.9), row("a", 0.5)]
    for one in rows:
        one.measures[measure] = one.measures["recall@1000words"]  # type: ignore[index]
        one.costs["sent"]["@1"] = 100.0
    found = Comparison(measure, "best", "a", 0.4, 0.2, 0.5, 20)
    assert words in decide(report(rows, found, primary=measure)).reasons[0]
