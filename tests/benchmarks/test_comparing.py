"""The scripts that a comparison is timed against do the same job."""

from __future__ import annotations

import json

import pytest
from benchmarks.published import fastapi
from benchmarks.published.search import RETRIEVER, index_all
from benchmarks.speed_figures import parts

import chunkwise
from benchmarks import speed_bare, speed_comparing, speed_pages
from chunkwise.adapters import from_callable
from chunkwise.measure.landmarks import landmarks


def test_the_bare_script_gives_the_published_rows(shared) -> None:
    data = shared / "corpora" / "fastapi-docs"
    reference = shared / "reference" / "fastapi.json"
    if not data.is_dir() or not reference.is_file():
        pytest.skip(f"no pages at {data} or no reference file")
    rows = speed_bare.run(speed_pages.pages(data / "docs"), ["paragraph_800", "heading_800_path"])
    comparison = json.loads(reference.read_text("utf-8"))["comparison"]
    for name, row in rows.items():
        assert row == {measure: cell["ours"] for measure, cell in comparison[name].items()}


def test_the_bare_script_and_chunkwise_find_the_same(folder) -> None:
    documents = list(chunkwise.read(folder))
    golden = fastapi.queries(documents)
    assert len(golden) == 12
    chunkers = [(name, from_callable(cutter, name)) for name, cutter in fastapi.cutters().items()]
    indexes, marks = index_all(documents, chunkers, RETRIEVER), landmarks(documents)
    rows = speed_bare.run(speed_pages.pages(folder))
    assert list(rows) == list(indexes)
    for name, indexed in indexes.items():
        expected = fastapi.shape(indexed, marks) | fastapi.found(indexed, golden)
        assert rows[name] == {measure: expected[measure] for measure in rows[name]}


def test_chunkwise_compares_five_candidates_on_all_questions(folder) -> None:
    report = speed_comparing.ours(folder)
    assert [row.spec.split(" @ ")[0] for row in report.candidates] == list(speed_comparing.CANDIDATES)
    assert report.golden["questions"] == 12
    assert len(report.comparisons) >= len(speed_comparing.CANDIDATES) - 1
    for row in report.candidates:
        assert row.measures["hit@1"].low is not None
        assert row.boundaries


def test_both_outputs_are_kept(folder, tmp_path) -> None:
    speed_comparing.keep(speed_comparing.ours(folder), tmp_path / "chunkwise")
    plain = json.loads((tmp_path / "chunkwise" / "report.json").read_text("utf-8"))
    assert len(plain["candidates"]) == len(speed_comparing.CANDIDATES)
    assert "heading:size=800" in (tmp_path / "chunkwise" / "report.txt").read_text("utf-8")


def test_the_bare_script_is_held_against_an_aim(folder) -> None:
    figure = speed_comparing.against_bare(folder, 1)
    assert figure.least == speed_comparing.BARE
    assert figure.note.startswith("12 questions.")
    assert figure.ratio == pytest.approx(figure.theirs / figure.ours)


def test_questions_keep_their_places_for_context_grid(folder) -> None:
    corpus = chunkwise.read(folder)
    golden = fastapi.queries(corpus)
    lines = [json.loads(line) for line in speed_comparing.evaluation(golden)]
    assert len({line["id"] for line in lines}) == len(golden)
    for line in lines:
        (gold,) = line["gold"]
        text = corpus[gold["doc_id"]].text[gold["start"] : gold["end"]]
        assert text.startswith(f"## {line['question']}\n")


def test_context_grid_runs_the_same_questions(folder, tmp_path) -> None:
    pytest.importorskip("contextgrid", reason="the extra bench is not installed")
    (own,) = parts(speed_comparing.run_grid(folder, tmp_path)).values()
    assert [figure.against for figure in own] == ["context-grid, defaults", "context-grid, bm25"]
    assert [figure.least for figure in own] == [20.0, None]
    for name in ("defaults", "bm25"):
        kept = json.loads((tmp_path / f"context-grid-{name}" / "results.json").read_text("utf-8"))
        assert len(kept["runs"]) == len(speed_comparing.GRID_CHUNKERS)
