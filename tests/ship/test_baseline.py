"""Baselines: written, read again, and refused where they are broken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunkwise.comparison import compare, make_candidates
from chunkwise.errors import NothingMeasured, ReportError, SettingError
from chunkwise.golden import load_golden
from chunkwise.index import Bm25
from chunkwise.readers import read
from chunkwise.ship.baseline import load_baseline, make_baseline
from chunkwise.ship.gating import measure, measure_through
from chunkwise.types import Report


@pytest.fixture
def report(folder: Path) -> Report:
    corpus = read(folder / "docs")
    return compare(corpus, folder / "golden.jsonl", ["heading:size=400", "fixed:size=200"], resamples=50)


def test_a_baseline_holds_no_text_and_reads_back(report: Report, folder: Path) -> None:
    golden = load_golden(folder / "golden.jsonl", read(folder / "docs"))
    made = make_baseline(report, "fixed:size=200", golden=golden)
    path = folder / "baseline.json"
    path.write_text(made.to_json(), "utf-8")
    again = load_baseline(path)
    assert "Mondays" in report.to_json()
    assert "Mondays" not in made.to_json()
    assert (again.means, again.groups, again.values) == (made.means, made.groups, made.values)
    assert (again.families, again.tags) == (made.families, made.tags)
    assert again.to_json() == made.to_json()
    assert Report.from_json(made.to_json()).candidates[0].name == "fixed:size=200"


def test_the_row_that_was_decided_for_is_taken(report: Report) -> None:
    assert report.decision is not None
    assert make_baseline(report).name == report.decision.candidate
    with pytest.raises(SettingError, match="no row 'x'"):
        make_baseline(report, "x")


def test_an_edit_elsewhere_leaves_the_questions_the_same(folder: Path) -> None:
    before = load_golden(folder / "golden.jsonl", read(folder / "docs"))
    path = folder / "docs" / "leaving.md"
    path.write_text("An opening.\n\n" + path.read_text("utf-8"), "utf-8")
    after = load_golden(folder / "golden.jsonl", read(folder / "docs"))
    assert before.digest != after.digest
    assert before.asked == after.asked


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (None, ReportError, "no such baseline"),
        ("", ReportError, "is empty"),
        ('{"golden": "a", "questions": 4', ReportError, "cut off"),
        ("[]", ReportError, "no report of Chunkwise"),
        ('{"golden": "a", "questions": 4, "mrr": null}', NothingMeasured, "mrr is null"),
        ('{"golden": "a", "questions": 4, "mrr": NaN}', NothingMeasured, "mrr is NaN"),
        ('{"golden": "a", "questions": 4}', NothingMeasured, "no figure"),
        ('{"golden": "a", "questions": "4", "mrr": 1}', ReportError, "whole number"),
        ('{"golden": "a", "questions": 4, "recall@5": 80.0}', ReportError, "not per cent"),
        ('{"golden": "a", "questions": 4, "mrr": -0.1}', ReportError, "from 0 to 1"),
    ],
)
def test_a_broken_file_is_named(
    tmp_path: Path, text: str | None, error: type[Exception], message: str
) -> None:
    path = tmp_path / "b.json"
    if text is not None:
        path.write_text(text, "utf-8")
    with pytest.raises(error, match=message) as caught:
        load_baseline(path)
    assert "b.json" in str(caught.value)


def test_a_report_with_a_gap_is_refused(report: Report, tmp_path: Path) -> None:
    data = json.loads(report.to_json())
    data["candidates"][1]["measures"]["hit@5"]["value"] = float("nan")
    path = tmp_path / "r.json"
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(NothingMeasured, match="hit@5 is NaN"):
        load_baseline(path)


def test_the_row_of_a_store_is_that_of_the_candidate(folder: Path) -> None:
    """One walk over the documents gives both rows, each as if it had been measured alone."""
    corpus = read(folder / "docs")
    golden = load_golden(folder / "golden.jsonl", corpus)
    (candidate,) = make_candidates("heading:size=400 @ bm25")
    alone = measure(corpus, golden, chunker=candidate)

    class Named(Bm25):
        """The same search under another name."""

        spec = "store"

    exact, through = measure_through(corpus, golden, candidate, Named())
    for one in (exact, through):
        assert one.baseline.to_json() == alone.baseline.to_json()
        assert one.report[alone.baseline.name].retriever == "bm25"
        assert one.report.exhibits[0]["rows"] == alone.report.exhibits[0]["rows"]
