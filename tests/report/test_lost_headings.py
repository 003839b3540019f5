"""What a row finds and yet spoils, and what approximate search loses, on the page and in Markdown."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

import chunkwise
from chunkwise.report.markdown import render_markdown
from chunkwise.report.page import render_page
from chunkwise.report.page.words import cut_off
from chunkwise.types import Report

from .make import report, row

pytest.importorskip("jinja2", reason="the extra 'report' is not installed")

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook"


@pytest.fixture(scope="module")
def handbook() -> Report:
    corpus = chunkwise.read(HANDBOOK / "docs")
    golden = chunkwise.load_golden(HANDBOOK / "golden.jsonl", corpus)
    rows = ["fixed:size=800", "heading:size=800"]
    return chunkwise.compare(corpus, golden, rows, exhibits=len(golden), resamples=50)


def test_a_found_answer_that_lost_its_heading_says_so(handbook: Report) -> None:
    said = 'the heading "Grade 7 and above" was cut off from it'
    assert unescape(render_page(handbook).decode()).count(said.replace("the", "The", 1)) == 1
    lines = [line for line in render_markdown(handbook).splitlines() if said in line]
    assert [line.split(" | ")[0] for line in lines] == ["| fixed"]
    assert "found; " in lines[0]


def test_structural_rows_and_windows_that_begin_above_the_heading_say_nothing(handbook: Report) -> None:
    (asked,) = (one for one in handbook.exhibits if one.get("id") == "notice-grade-7")
    told = {one["candidate"]: one["golds"][0].get("heading") for one in asked["rows"]}
    assert told == {"fixed:size=800": "Grade 7 and above", "heading:size=800": None}
    for one in handbook.exhibits:
        if one["kind"] == "question":
            kept = [own for own in one["rows"] if own["candidate"] == "heading:size=800"]
            assert not [gold for gold in kept[0]["golds"] if "heading" in gold]


def test_several_headings_are_named_once_each() -> None:
    golds = [{"heading": "A"}, {"heading": "B"}, {"heading": "A"}, {"rank": 1}]
    assert cut_off(golds) == 'the headings "A" and "B" were cut off from it'
    assert cut_off([{"rank": 1}]) == ""


def test_what_approximate_search_loses_is_shown_where_it_was_measured() -> None:
    exact = row("fixed:size=10", 0.5)
    found = {"questions": 54, "k": 10, "recall": 0.987, "bytes": 2_000_000}
    graph = row("fixed:size=20", 0.5, costs={**exact.costs, "approximate": found})
    both = report([exact, graph])
    page, text = render_page(both).decode(), render_markdown(both)
    for made in (page, text):
        assert "98.7" in made
        assert "Against exact search, over 54 questions." in made
    assert 'id="approximate-table"' in page
    assert 'id="approximate-table"' not in render_page(report([exact])).decode()
    assert "Approximate search" not in render_markdown(report([exact]))
