"""Why a row is ahead, and why no row is called best."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chunkwise.decide import decide
from chunkwise.types import CandidateReport, Comparison

from .make import against, report, row


def asked(**reasons: str) -> dict[str, dict[str, Any]]:
    """Questions by id: `""` for one that was found, else why it was missed."""
    return {
        id: {"recall@1000words": 0.0, "miss": {"reason": reason}} if reason else {"recall@1000words": 1.0}
        for id, reason in reasons.items()
    }


def answered(row_: CandidateReport, **reasons: str) -> CandidateReport:
    return replace(row_, questions=asked(**reasons))


def because(*others: CandidateReport) -> str:
    rows = [answered(row("best", 0.9), a="", b="", c="", d="", e="beyond"), *others]
    found = [against(other.name, 0.2 + 0.1 * i, 0.1, 0.3) for i, other in enumerate(others)]
    return decide(report(rows, *found)).reasons[0].split("(recall@1000words), ")[1]


def test_why_the_winner_is_ahead_is_what_the_next_row_did_to_the_answers() -> None:
    next_ = answered(row("next", 0.5), a="cut", b="unmatched", c="deep", d="outranked", e="")
    last = answered(row("last", 0.1), a="cut", b="cut", c="cut", d="cut", e="cut")
    assert because(next_, last) == (
        "because the next row, next, is behind on the answers to 4 questions: it cut 1, did not retrieve 1 "
        "and ranked 2 too low; on 1 it is ahead"
    )
    assert because(last) == (
        "because the other row, last, is behind on the answers to 4 questions: it cut all of them"
    )
    other = answered(row("other", 0.4), a="lost", b="unplaced", c="partial", d="", e="beyond")
    assert because(other).endswith("on the answers to 3 questions: it has 2 in no chunk and found 1 in part")


def test_rows_that_found_the_same_are_named_beside_the_one_to_use() -> None:
    rows = [
        answered(row("best", 0.9), a="", b=""),
        answered(row("twin", 0.9), a="", b=""),
        answered(row("next", 0.5), a="beyond", b="beyond"),
    ]
    found = against("twin", 0.0, 0.0, 0.0, differing=0), against("next", 0.4, 0.2, 0.5)
    decision = decide(report(rows, *found))
    assert decision.verdict == "tie"
    assert decision.reasons[0].endswith(
        ", as did twin, because the next row, next, is behind on the answers to 2 questions: it ranked all "
        "of them too low"
    )


@pytest.mark.parametrize(
    ("comparison", "said"),
    [
        (
            against("a", 0.06, -0.01, 0.13, detectable=0.15),
            (
                "because they differ by at most 6 points, and 40 questions can show only differences of "
                "about 15 points between such rows"
            ),
        ),
        (
            against("a", 0.0004, -0.001, 0.001, detectable=0.0007),
            (
                "because they differ by less than 0.1 points, and 40 questions can show only differences of "
                "about 0.1 points between such rows"
            ),
        ),
        (
            against("a", 0.2, -0.01, 0.3, detectable=0.15),
            "because what they differ by may be chance (p = 0.4 at the least)",
        ),
        (
            against("a", 0.2, -0.01, 0.3, detectable=None),
            "because what they differ by may be chance (p = 0.4 at the least)",
        ),
        (against("a", 0.0, 0.0, 0.0, differing=0), "because no question tells them apart"),
    ],
)
def test_why_no_row_is_called_best(comparison: Comparison, said: str) -> None:
    rows = [row("best", 0.9), row("a", 0.84, sent=800)]
    # The limit of another pair, which is ruled out, says nothing of this one.
    out = against("b", 0.5, 0.4, 0.6, detectable=0.3)
    others = (comparison, out) if comparison.differing else (comparison,)
    made = report(
        [*rows, row("b", 0.4)][: 1 + len(others)], *others, limits={"margin": 0.02, "least_families": 7}
    )
    first = decide(made).reasons[0].partition("; ")[0].replace("1 other row", "the other row")
    assert first.endswith(f"(recall@1000words), which cannot be told from the other row, {said}")
