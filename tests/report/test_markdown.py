"""A report as Markdown: read back by a parser, everything of a document is text."""

from __future__ import annotations

from dataclasses import replace

import pyromark

from chunkwise.report.markdown import render_markdown

from .make import report, row
from .nasty_page import GOLDS, nasty


def test_a_parser_finds_the_tables_and_no_markup_of_others() -> None:
    text = render_markdown(nasty())
    html = pyromark.html(text, options=pyromark.Options.ENABLE_TABLES)
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert html.count("<table>") >= 4
    assert "&lt;img" in html
    rows = [line for line in html.split("<tr>") if "mine" in line]
    assert rows
    # Cells of one table are of one number, whatever stands in them.
    for table in text.split("\n\n"):
        lines = [line for line in table.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in lines}) <= 1


def test_it_begins_with_the_sentence_and_tells_what_speaks_against_it() -> None:
    lines = render_markdown(nasty()).splitlines()
    assert lines[0] in ("# A tie", "# A winner")
    assert lines[2].startswith("**On this corpus ")
    text = "\n".join(lines)
    assert "warnings" in text or "warning" in text
    assert text.count("### ") == len(GOLDS)
    assert "> " in text


def test_without_questions_there_are_tables_all_the_same() -> None:
    text = render_markdown(report([row("fixed:size=10", 0.5, measures={})], questions=0, families=0))
    assert text.startswith("# Undecided")
    assert "## What the cuts do" in text
    assert "Hard questions" not in text
    assert render_markdown(replace(nasty(), timings={})) == render_markdown(nasty())
