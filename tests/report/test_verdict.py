"""The verdict on a terminal: tests, pairs of one setting, and what would settle a tie."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chunkwise.types import Comparison, Decision, Pair

from .make import report, row
from .test_terminal import line, part, shown

PRIMARY = "recall@1000words"
BEST, OTHER = "heading:size=800", "heading:size=800,path=no"
LIMITS = {"level": 0.05, "power": 0.8, "margin": 0.02, "least_families": 6, "detectable": 0.1}


def pair(gain: float, low: float, high: float, adjusted: float) -> Pair:
    return Pair("path", "no", "yes", OTHER, BEST, gain, low, high, adjusted / 2, adjusted, 1234)


def made(*pairs: Pair, **changed: Any) -> Any:
    fields: dict[str, Any] = {
        "p": 0.0312,
        "adjusted": 0.25,
        "midp": 0.016,
        "detectable": 0.123,
        "needed": 1900,
        **changed,
    }
    return report(
        [row(BEST, 0.8), row(OTHER, 0.7)],
        comparisons=(Comparison(PRIMARY, BEST, OTHER, 0.1, -0.02, 0.2, 7, **fields),),
        decision=Decision(
            "tie",
            OTHER,
            (BEST, OTHER),
            (),
            ("found", f"on kind = how (9 questions) {BEST} is 5 points ahead of {OTHER}"),
            ("about 1,900 questions", "a second thing"),
        ),
        pairs=pairs,
        limits=LIMITS,
        chances={OTHER: 0.25, BEST: 0.75},
    )


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (pair(0.1, 0.02, 0.2, 0.04), "10.0 2.0 to 20.0 1,234 better"),
        (pair(-0.1, -0.2, -0.02, 0.04), "-10.0 -20.0 to -2.0 1,234 worse"),
        (pair(0.1, 0.02, 0.2, 0.06), "10.0 2.0 to 20.0 1,234 cannot tell"),
        (pair(0.1, -0.02, 0.2, 0.04), "10.0 -2.0 to 20.0 1,234 cannot tell"),
        (pair(0.0, 0.0, 0.0, 1.0), "0.0 0.0 to 0.0 1,234 level"),
    ],
)
def test_one_setting_at_a_time(found: Pair, said: str) -> None:
    lines = part(shown(made(found)), "ONE SETTING AT A TIME: recall@1000words")
    row_ = " ".join(next(text for text in lines if text.startswith("path no → yes: heading")).split())
    assert row_ == f"path no → yes: heading {said}"
    assert any("with 1 pair looked at" in text for text in lines)


def test_without_such_rows_there_is_no_such_table() -> None:
    assert "ONE SETTING" not in shown(made())
    assert "ONE SETTING" not in shown(made(pair(0.1, 0.0, 0.2, 0.1)), detail=-1)


def test_tests_are_for_those_who_ask() -> None:
    assert "corrected" not in shown(made())
    lines = part(shown(made(), detail=1), "AGAINST heading: tests of the difference on recall@1000words")
    assert line(lines, "heading:path=no") == "7 0.031 0.250 0.016 12.3 1,900"
    text = " ".join(lines)
    assert "heading 75.0 %, heading:path=no 25.0 %" in text


def test_what_was_not_computed_is_no_number() -> None:
    lines = part(shown(made(midp=None, detectable=None, needed=None), detail=1), "AGAINST")
    assert line(lines, "heading:path=no") == "7 0.031 0.250 - -"
    assert not any("mid-p" in text for text in lines)
    assert "AGAINST" not in shown(made(adjusted=None), detail=1)


@pytest.mark.parametrize(
    ("needed", "difference", "said"),
    [(10_000, 0.01, "10,000"), (10_001, 0.01, "too many"), (300, 0.0004, "too many"), (None, 0.0, "-")],
)
def test_a_number_of_questions_that_nobody_can_ask_is_not_printed(
    needed: int | None, difference: float, said: str
) -> None:
    comparison = replace(made().comparisons[0], needed=needed, difference=difference)
    lines = part(shown(replace(made(), comparisons=(comparison,)), detail=1), "AGAINST")
    assert line(lines, "heading:path=no").endswith(said)


def test_what_would_settle_it_and_where_the_mean_does_not_hold_are_said() -> None:
    plain, verbose, quiet = shown(made()), shown(made(), detail=1), shown(made(), detail=-1)
    assert "- what would settle it: about 1,900 questions" in plain
    assert "a second thing" not in plain
    assert "- what would settle it: a second thing" in verbose
    assert "settle" not in quiet
    assert "on kind = how (9 questions)" in plain


def test_of_which_rows_the_named_one_is_the_cheapest() -> None:
    def said(*good: str, chosen: str = "b", retrievers: str = "xxx", differing: int = 3) -> str:
        rows = [
            replace(row(name, 0.8), retriever=other) for name, other in zip("abc", retrievers, strict=True)
        ]
        comparisons = tuple(
            Comparison(PRIMARY, "a", name, 0.0, 0.0, 0.01, differing, adjusted=1.0, not_worse=name in good)
            for name in "bc"
        )
        decision = Decision("tie", chosen, ("a", "b", "c"), (), ("found",))
        text = shown(report(rows, comparisons=comparisons, decision=decision))
        # A row that was named for its mean is not called the cheapest.
        assert ("cheapest" in " ".join(part(text, "FOUND"))) == (retrievers != "xyz")
        return " ".join(text.split(f"use {chosen}, ")[1].split("\n- ")[0].split()).split(";")[0]

    assert said() == said("b", "c") == "the cheapest of 3 tied rows"
    assert said("b") == "the cheapest of 2 of 3 tied rows that are shown to be as good"
    assert said(retrievers="xxy") == "the cheapest of 2 of 3 tied rows that are searched with x"
    assert said(chosen="a", retrievers="xyz") == "which has the highest mean of 3 tied rows"
    assert said(differing=0) == "the cheapest of 3 rows that found the same"
