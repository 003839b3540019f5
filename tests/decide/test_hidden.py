"""What a mean hides, and what the questions could not have shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chunkwise.decide import decide

from .make import against, report, row


def test_what_the_mean_hides_is_said() -> None:
    weak = {
        "best": {
            "worst": {
                "tag": "answer_length",
                "value": "short",
                "questions": 12,
                "mean": 0.5,
                "low": 0.25,
                "high": 0.75,
            },
            "behind": {
                "tag": "answer_length × query_type",
                "value": "short × factual",
                "questions": 9,
                "other": "a",
                "mean": 0.2,
                "low": 0.1,
                "high": 0.4,
            },
        }
    }
    rows = [row("best", 0.9), row("a", 0.5)]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5), weak=weak))
    assert decision.hides == (
        "best is weakest on answer_length = short: 50 % [25 to 75] of 12 questions, against 90 % of all",
        (
            "on answer_length × query_type = short × factual (9 questions) a is 20 points [10 to 40] ahead "
            "of best"
        ),
    )
    assert "best is weakest" in decide(report(rows[:1], weak=weak)).hides[0]
    # Nothing is hidden where the mean holds everywhere, to the digit that is printed.
    for mean in (0.8996, 0.9, 0.95):
        even = {"best": {"worst": {**weak["best"]["worst"], "mean": mean}}}
        assert decide(report(rows, against("a", 0.4, 0.2, 0.5), weak=even)).hides == ()


@pytest.mark.parametrize(
    ("kind", "chosen", "said"),
    [
        ("none", ["best"], "with one family of questions there are no others to check it on"),
        (
            "halves",
            ["a"],
            (
                "picked on one half of the families, a found 80 % [70 to 90] of the 19 questions of "
                "the other "
                "half"
            ),
        ),
        (
            "folds",
            ["a", "a", "a"],
            (
                "picked 3 times without a part of the families and asked that part, the row picked "
                "(always a) "
                "found 80 % [70 to 90]"
            ),
        ),
        ("folds", ["a", "best"], "(not always the same row: a, best) found 80 % [70 to 90]"),
    ],
)
def test_a_mean_picked_on_its_own_questions_says_so(kind: str, chosen: list[str], said: str) -> None:
    found = {"value": 0.8, "low": 0.7, "high": 0.9, "questions": 19, "own": 0.9}
    selection = {"kind": kind, "chosen": chosen, **found}
    made = report([row("best", 0.9), row("a", 0.5)], against("a", 0.4, 0.2, 0.5), selection=selection)
    last = decide(made).hides[-1]
    assert last.startswith("the highest mean, 90 %, was picked by the same questions that it is a mean of; ")
    assert last.endswith(said)


def test_heading_questions_say_what_is_left_without_the_heading_lines() -> None:
    def copied(without: float) -> dict[str, Any]:
        return {"headings": {"questions": 12, "without": {"recall@1000words": {"value": without}}}}

    rows = [row("best", 0.9, **copied(0.4)), row("a", 0.5, **copied(0.45))]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5)))
    assert decision.hides[-1] == (
        "12 questions are copied from headings; without the heading lines in the index best finds 40 %, "
        "and a is first with 45 %"
    )


def test_what_may_be_missed_is_said_of_every_verdict() -> None:
    limits = {"margin": 0.02, "least_families": 7}
    rows = [row("best", 0.9), row("a", 0.5), row("b", 0.5), row("c", 0.9)]

    def said(*limits_of: float | None) -> str:
        found = [against(name, 0.4, 0.2, 0.5, detectable=d) for name, d in zip("ab", limits_of, strict=False)]
        # What rows that never differ could have shown is no measure of the others.
        found.append(against("c", 0.0, 0.0, 0.0, differing=0, detectable=0.9))
        own = [row for row in rows if row.name in {"best", *(c.other for c in found)}]
        return decide(report(own, *found, limits=limits)).not_shown[0]

    start, end = (
        "What 40 questions can miss: a row that is less than about ",
        " One question counts 2.5 points.",
    )
    assert said(0.123) == f"{start}12.3 points behind the first.{end}"
    assert said(0.12301, 0.123) == f"{start}12.3 points behind the first.{end}"
    assert said(0.123, 0.014) == f"{start}1.4 to 12.3 points behind the first, depending on the row.{end}"
    assert said(0.123, None) == f"{start}12.3 points behind the first; of some rows any difference.{end}"
    assert said(0.00001) == f"{start}0.1 points behind the first.{end}"
    assert said(None, None) == (
        "What 40 questions can miss: any difference between two rows, however large. With 4 rows at least 7 "
        "families must change, all the same way, before it is more than chance."
    )
    made = report(rows[:2], against("a", 0.4, 0.2, 0.5, detectable=0.123), limits=limits)
    golden = {"questions": 40, "families": 9, "origin": {"heading": 40}}
    copied = decide(replace(made, golden=golden)).not_shown[1]
    assert copied.startswith("40 of 40 questions of 9 families are copied from headings")
    assert decide(report([row("a", 0.0)], questions=0)).not_shown == ()
