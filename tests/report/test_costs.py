"""What -v tells of misses and costs, and that reports without them are printed too."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from chunkwise.report.sentences import meaning
from chunkwise.report.tables import in_bytes, in_money
from chunkwise.report.terminal import render
from chunkwise.types import Report

from .make import report, row

HEADS = ("WHY ANSWERS WERE MISSED", "WHAT IT COSTS", "MONEY")


def shown(made: Report, detail: int = 1) -> str:
    console = Console(file=io.StringIO(), width=80, markup=False, highlight=False, emoji=False)
    render(made, console, detail=detail)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def costly(spec: str, embedded: int, **more: Any) -> Any:
    made = row(spec, 0.5)
    costs = {**made.costs, "embedded": embedded, "index_bytes": 41_500, **more}
    return row(
        spec,
        0.5,
        costs=costs,
        sizes={**made.sizes, "first": {"questions": 9, "median": 50.0, "all": 100.0, "ratio": 0.5}},
        misses={
            "questions": 245,
            "missed": 7,
            "reasons": {"cut": 4, "partial": 3},
            "golds": {"cut": 7},
            "above": {"same": 0, "other": 0},
        },
    )


def line(text: str, head: str, name: str) -> list[str]:
    """The cells of a row below a heading."""
    part = text[text.index(head) :].splitlines()
    return next(cells.split()[1:] for cells in part if cells.split()[:1] == [name])


def test_misses_and_costs_are_told_with_v() -> None:
    made = report([costly("fixed", 5084, churn={"share": 0.86}), costly("heading", 4592)])
    text = shown(made)
    assert line(text, HEADS[0], "fixed") == ["7", "4", "3"]
    assert "cut: chunks hold parts of the answer" in text
    assert "outranked" not in text
    assert line(text, HEADS[1], "fixed") == ["5,084", "41.5", "kB", "86.0", "0.50"]
    # What was not measured is a dash.
    assert line(text, HEADS[1], "heading") == ["4,592", "41.5", "kB", "-", "0.50"]
    assert "MONEY" not in text
    assert [head for head in HEADS if head in shown(made, detail=0)] == []


def test_seconds_a_question_are_those_of_the_search() -> None:
    made = report([costly("fixed", 5084), costly("heading", 4592)])
    made.timings.update({"search fixed": 0.49, "search heading": 4.9})
    assert line(shown(made), HEADS[1], "fixed") == ["5,084", "41.5", "kB", "-", "2.00", "0.50"]


def test_money_by_the_price_file() -> None:
    money = {
        "currency": "EUR",
        "index": 12.5,
        "changes": 0.0123,
        "query": {"@5": 0.5, "@1000words": 0.00012},
        "month": {"@5": 5000.0, "@1000words": 1234.5},
    }
    text = shown(report([costly("fixed", 5084, money=money)]))
    assert "MONEY in EUR" in text
    assert line(text, HEADS[2], "fixed") == ["12.50", "0.012", "0.00012", "1,234.50"]
    assert text[text.index("MONEY") :].count("@1000words") >= 2


def test_reports_from_before_are_printed_without() -> None:
    text = shown(report([row("fixed", 0.5), row("heading", 0.4)]))
    assert [head for head in HEADS if head in text] == []
    assert "EVERY MEASURE" in text


@pytest.mark.parametrize(
    ("size", "text"),
    [(None, "-"), (0, "0 B"), (999, "999 B"), (1000, "1 kB"), (41_500, "41.5 kB"), (3e8, "300 MB")],
)
def test_sizes_in_bytes(size: Any, text: str) -> None:
    assert in_bytes(size) == text


@pytest.mark.parametrize(
    ("money", "text"), [(0.0, "0.00"), (1234.5, "1,234.50"), (0.000123, "0.00012"), (2e-7, "0.0000002")]
)
def test_sums_of_money(money: float, text: str) -> None:
    assert in_money(money) == text


def test_measures_in_words() -> None:
    for measure in ("ndcg@10", "text-recall@5", "precision@5/words", "iou@1", "precision-omega/cl100k"):
        assert meaning(measure) != measure
    assert "after 1,000 words" in meaning("recall@1000words")
    assert meaning("own") == "own"
    assert meaning("own@5") == "own@5"
