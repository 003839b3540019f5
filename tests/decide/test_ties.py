"""How a tie is said: the best beside the cheapest, several retrievers, and what would settle it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chunkwise.decide import decide
from chunkwise.types import CandidateReport, Comparison

from .make import against, report, row


def with_retrievers(*rows: CandidateReport) -> list[CandidateReport]:
    """Rows whose names end in `-x` are searched with x."""
    return [replace(row_, retriever=row_.name.partition("-")[2] or "dense") for row_ in rows]


def test_among_rows_of_several_retrievers_the_cheapest_is_one_of_the_best_ones() -> None:
    rows = with_retrievers(
        row("best", 0.9), row("a", 0.84, sent=900), row("b-bm25", 0.7, sent=100), row("c-bm25", 0.894)
    )
    found = [
        against("a", 0.06, -0.01, 0.13),
        against("b-bm25", 0.2, -0.01, 0.41),
        against("c-bm25", 0.006, -0.1, 0.11),
    ]
    decision = decide(report(rows, *found))
    assert (decision.verdict, decision.candidate) == ("tie", "a")
    assert decision.tied == ("best", "a", "b-bm25", "c-bm25")
    assert decision.reasons[0] == (
        "on this corpus (3 documents, 40 questions) best found 90 % [80 to 100] of the answers within 1,000 "
        "words read (recall@1000words), which cannot be told from 3 other rows (1 of them with the same "
        "retriever), because what they differ by may be chance (p = 0.4 at the least); a, named for its "
        "cost, found 84 % [74 to 94], 6 points less [-1 to 13]"
    )
    assert decision.reasons[1] == (
        "a is the cheapest of those that are searched with dense, as the highest mean is: it hands the "
        "reader the fewest words within 1000words (900)"
    )
    # Which retriever is asked of the best row of each.
    assert decision.reasons[3] == (
        "with bm25 c-bm25 is first and found 89.4 %, 0.6 points less than best [-10 to 11], which may be "
        "chance"
    )


def test_where_the_best_row_alone_has_its_retriever_it_is_named_for_its_mean() -> None:
    rows = with_retrievers(row("best", 0.9), row("b-bm25", 0.8, sent=100), row("c-hybrid", 0.9, sent=100))
    found = against("b-bm25", 0.1, -0.01, 0.3), against("c-hybrid", 0.0, -0.1, 0.1)
    decision = decide(report(rows, *found))
    assert (decision.verdict, decision.candidate) == ("tie", "best")
    assert "(none of them with the same retriever)" in decision.reasons[0]
    assert "; " not in decision.reasons[0]
    assert decision.reasons[1].startswith(
        "best has the highest mean, and is named for it: no other of the rows"
    )
    assert decision.reasons[3] == "with hybrid c-hybrid is first and found 90 %, as much as best"


def test_a_winner_says_what_the_other_retrievers_found() -> None:
    rows = with_retrievers(row("best", 0.9), row("a-bm25", 0.5), row("b-bm25", 0.6))
    decision = decide(report(rows, against("a-bm25", 0.4, 0.2, 0.5), against("b-bm25", 0.3, 0.1, 0.4)))
    assert decision.verdict == "winner"
    assert decision.reasons[-1] == (
        "with bm25 b-bm25 is first and found 60 %, 30 points less than best [10 to 40], more than chance "
        "(p = 0.001)"
    )


@pytest.mark.parametrize(
    ("comparison", "said"),
    [
        (against("a", 0.0004, -0.1, 0.1), "a, named for its cost, found 90 % [80 to 100], as much"),
        (
            against("a", 0.01, -0.1, 0.015, not_worse=True),
            "a, named for its cost, found 90 % [80 to 100], 1 point less [-10 to 1.5]",
        ),
        # A row that no question tells from the best is said by itself.
        (against("a", 0.0, 0.0, 0.0, differing=0), None),
    ],
)
def test_the_row_that_is_named_for_its_cost_stands_behind_the_best(
    comparison: Comparison, said: str | None
) -> None:
    rows = [row("best", 0.9), row("a", 0.9, sent=800)]
    decision = decide(report(rows, comparison))
    assert decision.candidate == "a"
    first, _, second = decision.reasons[0].partition("; ")
    assert second == (said or "")
    assert f"questions) {'best' if said else 'a'} found" in first


@pytest.mark.parametrize(
    ("difference", "needed", "said"),
    [
        (0.03, 40, "a few more questions than the 40 that there are would tell best and a apart"),
        (0.03, 41, "about 41 questions like these"),
        (0.03, 1234, "about 1,300 questions like these"),
        (0.03, 10_000, "about 10,000 questions like these"),
        (
            0.004,
            10_001,
            (
                "no affordable number of questions would tell best and a apart, if they truly differ by as "
                "little as they do here (0.4 points)"
            ),
        ),
        # However few would do: nobody needs to know which is the better by so little.
        (0.0004, 300, "no affordable number of questions"),
        (0.0004, 36_000, "no affordable number of questions"),
        (0.0, None, "best and a are level: more questions like these tell nothing, only questions on which"),
    ],
)
def test_what_would_settle_a_tie_is_said_in_questions(
    difference: float, needed: int | None, said: str
) -> None:
    rows = [row("best", 0.9), row("a", 0.9 - difference)]
    (first,) = decide(report(rows, against("a", difference, -0.1, 0.1, needed=needed))).settles
    assert first.startswith(said)
    assert "0 points" not in first
    if difference == 0.0004:
        assert first.endswith("(less than 0.1 points)")


def test_rows_that_no_affordable_number_would_tell_apart_are_said_together() -> None:
    rows = [row("best", 0.9), row("a", 0.899), row("b", 0.898), row("c", 0.85)]
    found = [
        against("a", 0.001, -0.1, 0.1, needed=99_000),
        against("b", 0.002, -0.1, 0.1, needed=50_000),
        against("c", 0.05, -0.1, 0.1, needed=900),
    ]
    assert [text.partition(", if")[0] for text in decide(report(rows, *found)).settles] == [
        "about 900 questions like these would tell best and c apart",
        "no affordable number of questions would tell best and a, b apart",
    ]


def test_what_would_settle_the_chosen_row_is_said_first() -> None:
    rows = [row("best", 0.9), row("a", 0.89), row("b", 0.88, sent=10), row("c", 0.9)]
    found = [against(n, 0.01, -0.1, 0.1, needed=m) for n, m in (("a", 50), ("b", 900), ("c", None))]
    settles = decide(report(rows, *found)).settles
    assert [next(n for n in "abc" if f"best and {n}" in text) for text in settles] == ["b", "a", "c"]
