"""The gate: on its own pages Chunkwise still finds what its own questions ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

import chunkwise
from chunkwise.types import Corpus, Report

DOCS = Path(__file__).parents[2] / "docs"
FOUND, MAX_DROP = 0.44, 0.02
"""hit@5 of the heading chunker, and by how much it may fall below, as a gate has it by default: a sentence
anywhere can move a question or two among the first five. With each page more it is harder: five stay five."""


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return chunkwise.read(DOCS, include=["*.md"])


@pytest.fixture(scope="module")
def report(corpus: Corpus) -> Report:
    return chunkwise.compare(corpus, DOCS / "golden.jsonl", ["heading:size=800", "fixed:size=800"])


def test_the_golden_set_has_no_faults(corpus: Corpus) -> None:
    check = chunkwise.check_golden(DOCS / "golden.jsonl", corpus)
    assert check.faults == ()
    assert check.sound == check.questions >= 30


def test_it_asks_what_tells_chunkers_apart(corpus: Corpus) -> None:
    golden = chunkwise.load_golden(DOCS / "golden.jsonl", corpus)
    for tag in ("needs_heading", "table_row"):
        assert sum(question.tags[tag] == "true" for question in golden) >= 5
    assert {question.tags["query_type"] for question in golden} == {"factual", "procedural", "conceptual"}
    assert all(question.origin == "written" for question in golden)
    asked = {gold.places[0].doc for question in golden for gold in question.golds}
    assert set(corpus.ids) - asked <= {"index.md", "published.md", "reference.md", "speed.md"}


def test_heading_chunks_hold_every_answer_whole(report: Report) -> None:
    assert report["heading:size=800"].measures["ceiling"].value == 1.0
    assert report["heading:size=800"].measures["coverage"].value == 1.0


def test_the_answers_are_still_found(report: Report) -> None:
    assert report["heading:size=800"].measures["hit@5"].value >= FOUND - MAX_DROP


def test_windows_cut_answers_here(report: Report) -> None:
    # Else these questions could not tell a chunker that cuts from one that does not.
    assert report["fixed:size=800"].measures["ceiling"].value < 1.0
