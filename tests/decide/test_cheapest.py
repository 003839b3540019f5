"""Which of the rows that are tied is named, and how its price is said."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from chunkwise.decide import decide

from .make import against, report, row


def test_a_lower_mean_that_is_named_is_explained() -> None:
    rows = [row("best", 0.9), row("a", 0.84, sent=800)]
    decision = decide(report(rows, against("a", 0.06, -0.01, 0.13, needed=323)))
    assert decision.candidate == "a"
    assert decision.reasons[1:] == (
        "a is the cheapest of them: it hands the reader the fewest words within 1000words (800)",
        (
            "a is named for its cost, not for its mean: its mean is 6 points lower and these "
            "questions cannot "
            "say whether that is chance. It is not shown to be worse than best, nor shown to be as "
            "good: it may be "
            "13 points behind. Where cost does not matter, take best"
        ),
        "2 of 2 rows cannot be told apart by 40 questions: best, a",
        "best is 6 points ahead of a on recall@1000words, [-1 to 13], which may be chance",
    )
    assert decision.settles == (
        (
            "about 330 questions like these would tell best and a apart, if the true difference is "
            "the 6 points "
            "seen here; there are 40"
        ),
    )


def test_a_narrow_interval_of_few_families_promises_nothing() -> None:
    rows = [row("best", 0.9), row("a", 0.897, sent=800)]
    limits = {"margin": 0.02, "margin_families": 183, "least_families": 7}
    few = against("a", 0.003, 0.0, 0.009, differing=2)
    told = decide(report(rows, few, limits=limits)).reasons[2]
    assert "nor shown to be as good: that takes 183 families, if within 2 points will do. Where" in told
    wide = replace(few, high=0.021)
    assert "as good: it may be 2.1 points behind." in decide(report(rows, wide, limits=limits)).reasons[2]


def test_a_cheaper_row_that_no_question_tells_from_the_best_is_not_called_as_good() -> None:
    rows = [row("best", 0.9), row("a", 0.9, sent=800)]
    level = against("a", 0.0, 0.0, 0.0, differing=0)
    limits = {"margin": 0.02, "margin_families": 183, "least_families": 7}
    assert decide(report(rows, level, limits=limits)).reasons[2] == (
        "no question here tells a from best; to show that it is as good within 2 points takes 183 families"
    )


def test_what_is_shown_to_be_as_good_is_preferred_to_what_is_cheaper() -> None:
    rows = [row("best", 0.9), row("a", 0.895, sent=900), row("b", 0.88, sent=800)]
    close = against("a", 0.005, -0.002, 0.011, not_worse=True)
    decision = decide(
        report(rows, close, against("b", 0.02, -0.01, 0.05), limits={"margin": 0.02, "least_families": 7})
    )
    assert (decision.verdict, decision.candidate, decision.tied) == ("tie", "a", ("best", "a", "b"))
    assert decision.reasons[1:3] == (
        (
            "a is the cheapest of those shown to be not worse than best by more than 2 points: it hands the "
            "reader the fewest words within 1000words (900)"
        ),
        "a is shown to be not worse than best by more than 2 points: it is at most 1.1 points behind",
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


def test_an_interval_alone_rules_nothing_out_and_the_row_behind_is_not_chosen() -> None:
    rows = [row("best", 0.9), row("a", 0.6, sent=10), row("b", 0.9, sent=900)]
    level = against("b", 0.0, 0.0, 0.0, differing=0)
    decision = decide(report(rows, against("a", 0.3, 0.1, 0.5, differing=5, adjusted=0.19), level))
    assert (decision.verdict, decision.candidate) == ("tie", "b")
    assert decision.tied == ("best", "a", "b")
    assert decision.reasons[-2:] == (
        (
            "best is 30 points ahead of a on recall@1000words, [10 to 50], but they differ in 5 families of "
            "questions and corrected for having picked the best of 3 rows p = 0.19: it may be chance"
        ),
        "best and b are level on recall@1000words",
    )
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=0.05), level)).ruled_out == ()
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=0.049), level)).ruled_out == ("a",)
    # A test alone is not enough either: the figures that are printed must agree with it.
    assert decide(report(rows, against("a", 0.3, 0.0, 0.5, adjusted=0.001), level)).ruled_out == ()
    # A report from before there was a test.
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=None), level)).ruled_out == ()


def test_a_row_that_cuts_more_of_the_answers_is_not_named_for_its_cost() -> None:
    rows = [row("best", 0.9), row("a", 0.88, sent=600), row("b", 0.87, sent=800)]
    cut = {"difference": 0.2, "low": 0.1, "high": 0.3, "p": 0.004}

    def decided(ceiling: dict[str, float], **more: Any) -> tuple[str | None, str]:
        a = against("a", 0.02, -0.02, 0.06, ceiling=ceiling, **more)
        decision = decide(report(rows, a, against("b", 0.03, -0.01, 0.07), limits={"least_families": 7}))
        return decision.candidate, " | ".join(decision.reasons)

    assert decided({})[0] == "a"
    name, said = decided(cut)
    assert name == "b"
    assert "b is the cheapest of those that cut no more of the answers than best: it hands" in said
    assert (
        "a costs less and is not named for it: its chunks hold 20 points [10 to 30] fewer of the answers "
        "whole than those of best (ceiling), more than chance (p = 0.004), and what is cut no search "
        "finds whole"
    ) in said
    # Neither half is enough alone, and what is shown to be as good must hold the answers too.
    assert decided({**cut, "p": 0.06})[0] == "a"
    assert decided({**cut, "p": 0.04})[0] == "b"
    assert decided({**cut, "low": 0.0})[0] == "a"
    assert decided(cut, not_worse=True)[0] == "b"
    assert decided({"difference": -0.2, "low": -0.3, "high": -0.1, "p": 0.001})[0] == "a"


def test_where_all_that_cost_less_cut_more_the_best_is_named() -> None:
    rows = [row("best", 0.9), row("a", 0.88, sent=600)]
    cut = {"difference": 0.2, "low": 0.1, "high": 0.3, "p": 0.004}
    decision = decide(report(rows, against("a", 0.02, -0.02, 0.06, ceiling=cut)))
    assert (decision.verdict, decision.candidate, decision.tied) == ("tie", "best", ("best", "a"))
    assert any("a costs less and is not named for it" in reason for reason in decision.reasons)
