"""Explanations from a stored report say the same as those made on the documents; what cannot be said is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import chunkwise
from chunkwise.errors import GoldenError, ReportError, SettingError
from chunkwise.explanation import explain, explain_report
from chunkwise.explanation.stored import nearest
from chunkwise.types import Corpus, GoldenSet, Report

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook"
ROWS = ["fixed:size=800", "heading:size=800"]
HARD = "notice-grade-7"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return chunkwise.read(HANDBOOK / "docs")


@pytest.fixture(scope="module")
def golden(corpus: Corpus) -> GoldenSet:
    return chunkwise.load_golden(HANDBOOK / "golden.jsonl", corpus)


@pytest.fixture(scope="module")
def report(corpus: Corpus, golden: GoldenSet) -> Report:
    made = chunkwise.compare(corpus, golden, ROWS, k=5, budgets=1000, exhibits=len(golden), resamples=50)
    return Report.from_json(made.to_json())


def test_one_question_alone_and_from_a_report_are_explained_alike(
    corpus: Corpus, golden: GoldenSet, report: Report
) -> None:
    for id in (HARD, "leave-carry-over"):
        (live,) = explain(corpus, golden, ROWS, question=id, k=5, budgets=1000)
        (stored,) = explain_report(report, id)
        assert live == stored
        assert json.loads(json.dumps(live.to_dict()))["id"] == id


def test_the_heading_that_was_cut_off_is_told(report: Report) -> None:
    (found,) = explain_report(report, HARD)
    fixed, heading = found.rows
    (gold,) = fixed.golds
    assert fixed.words.endswith('; the heading "Grade 7 and above" was cut off from it')
    assert gold.parted is not None
    assert gold.parted.words == "between the heading and the answer"
    assert "90 days" not in gold.parted.before
    assert "90 days" in gold.parted.behind
    assert heading.golds[0].parted is None
    holder = heading.golds[0].held
    assert holder is not None
    assert "Grade 7 and above" in "".join([*(holder.context or ()), holder.text])
    assert holder.path[-1] == "Grade 7 and above"


def test_the_worst_come_first_and_no_more_than_asked_for(
    corpus: Corpus, golden: GoldenSet, report: Report
) -> None:
    found = explain_report(report, worst=3)
    assert len(found) == 3
    spreads = [one.spread for one in found]
    assert spreads == sorted(spreads, reverse=True)
    assert spreads[0] == max(one.spread for one in explain_report(report))
    live = explain(corpus, golden, ROWS, worst=3, k=5, budgets=1000)
    assert [one.id for one in live] == [one.id for one in found]


def test_a_question_that_does_not_exist_names_the_nearest(
    corpus: Corpus, golden: GoldenSet, report: Report
) -> None:
    with pytest.raises(
        GoldenError, match=r"no question 'notice-grade-8' among 54; did you mean 'notice-grade-\d'"
    ):
        explain(corpus, golden, ROWS, question="notice-grade-8")
    with pytest.raises(GoldenError, match="did you mean 'notice-grade-7'"):
        explain_report(report, "Notice-Grade-7")
    texts = {"a1": "How much notice do I have to give?", "b2": "When is the canteen open?"}
    assert "did you mean 'b2'" in nearest("when is the canteen open", texts)
    assert "it has a1, b2" in nearest("zzz", texts)


def test_what_a_report_does_not_hold_is_said(corpus: Corpus, golden: GoldenSet) -> None:
    few = chunkwise.compare(corpus, golden, ROWS, exhibits=2, resamples=50)
    left = next(q.id for q in golden if q.id not in {e["id"] for e in few.exhibits})
    with pytest.raises(ReportError, match="holds the texts of 2 questions"):
        explain_report(few, left)
    silent = chunkwise.compare(corpus, golden, ROWS, exhibits=0, resamples=50)
    with pytest.raises(ReportError, match="holds no texts of questions; compare again without --no-texts"):
        explain_report(silent, HARD)


def test_settings_that_cannot_work(corpus: Corpus, golden: GoldenSet, report: Report) -> None:
    for wrong in ({}, {"question": HARD, "worst": 3}):
        with pytest.raises(SettingError, match="say which questions"):
            explain(corpus, golden, ROWS, **wrong)  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="worst must be at least 1"):
        explain(corpus, golden, ROWS, worst=0)
    with pytest.raises(SettingError, match="worst must be at least 1"):
        explain_report(report, worst=0)
    with pytest.raises(SettingError, match="give a golden set"):
        explain(corpus, None, ROWS, question=HARD)


@pytest.mark.parametrize(("question", "has"), [("水", ("水",)), ("水 火", ("水",)), ("水 no", ())])
def test_a_single_character_is_a_word_of_the_chunks_that_hold_it(
    tmp_path: Path, question: str, has: tuple[str, ...]
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# 水道\n\n地下水。\n", "utf-8")
    entry = {"id": "q", "question": question, "doc": "a.md", "gold": "地下水"}
    (tmp_path / "golden.jsonl").write_text(json.dumps(entry) + "\n", "utf-8")
    (found,) = explain(
        chunkwise.read(tmp_path / "docs"), tmp_path / "golden.jsonl", ["heading:size=600"], question="q"
    )
    (row,) = found.rows
    assert [chunk.has for chunk in row.chunks] == ([has] if has else [])
