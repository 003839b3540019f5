"""Chroma's figures: its definitions on texts that can be checked by eye, and that its cells are computed."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import pytest
from benchmarks.published import chroma, chroma_omega
from benchmarks.published.__main__ import main

from chunkwise.adapters import from_callable
from chunkwise.adapters.places import place
from chunkwise.measure import PrecisionOmega
from chunkwise.readers import read_text
from chunkwise.types import Corpus, Gold, GoldenSet, Place, Question, Span

pytest.importorskip("langchain_text_splitters", reason="the peer that was measured is not installed")
TEXT = "Ask twice. Wait here. Ask twice. Go."


def asking(*quotes: str) -> GoldenSet:
    golds = []
    for quote in quotes:
        start = TEXT.rindex(quote)
        golds.append(Gold(quote, (Place("a.md", Span(start, start + len(quote))),)))
    return GoldenSet([Question("q", "?", tuple(golds))])


def cut(*spans: tuple[int, int]) -> chroma.Cut:
    return chroma.cut_all(Corpus([read_text(TEXT, id="a.md")]), from_callable(lambda _: spans, "spans"))


def omega(table, golden: GoldenSet, *, touching: bool) -> float:
    return chroma.mean(PrecisionOmega(touching=touching).column(chroma.unsearched(table, golden)))


def test_a_chunk_is_put_on_its_first_copy_without_its_full_stop() -> None:
    made = cut((0, 11), (11, 22), (22, 32), (32, 36))
    assert list(zip(made.true_places().starts, made.true_places().ends, strict=True))[2] == (22, 32)
    first = made.first_places()
    # The white space behind the other full stops keeps them.
    assert list(zip(first.starts, first.ends, strict=True)) == [(0, 11), (11, 22), (0, 9), (32, 35)]
    assert chroma.first_place(TEXT, "not there") == Span(-1, -1)


def test_each_quirk_changes_the_figure() -> None:
    made, golden = cut((0, 11), (11, 22), (22, 32), (32, 36)), asking("Ask twice.")
    true, first = made.true_places(), made.first_places()
    # The excerpt is [22, 32): its own chunk; with those that touch it [11, 36).
    assert omega(true, golden, touching=False) == 1
    assert omega(true, golden, touching=True) == 0.4
    # On its first copy the chunk is out of sight: the neighbours touch, and nothing is covered.
    assert omega(first, golden, touching=False) == 0
    assert omega(first, golden, touching=True) == 0


def test_windows_of_tokens_stop_at_the_first_that_reaches_the_end() -> None:
    def spans(size: int, overlap: int) -> list[tuple[int, int]]:
        chunker = chroma.windows(size, overlap, "words", "w")
        return [chunk.span for chunk in chunker(read_text("a bb c d e"))]

    assert spans(2, 0) == [(0, 4), (4, 8), (8, 10)]
    assert spans(3, 1) == [(0, 6), (4, 10)]
    assert spans(9, 0) == [(0, 10)]


def test_an_excerpt_that_is_not_at_its_offsets_is_refused(tmp_path, capsys) -> None:
    (tmp_path / "corpora").mkdir()
    (tmp_path / "corpora" / "a.md").write_text(TEXT, "utf-8")
    with (tmp_path / "questions_df.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["question", "references", "corpus_id"])
        good = {"content": "Go", "start_index": 33, "end_index": 35}
        rows.writerow(["?", json.dumps([good]), "a"])
        rows.writerow(["?", json.dumps([{**good, "start_index": 32}]), "a"])
    with pytest.raises(ValueError, match=r"row 2: a\.md has another text at"):
        chroma.load(tmp_path)
    assert main(["chroma-omega", "--data", str(tmp_path)]) == 2
    assert "row 2" in capsys.readouterr().err


@pytest.fixture(scope="module")
def data(shared: Path) -> Path:
    path = shared / "corpora" / "chroma-eval"
    if not path.is_dir():
        pytest.skip(f"no corpus at {path}")
    return path


@pytest.fixture(scope="module")
def loaded(data: Path):
    return chroma.load(data)


def test_the_corpus_is_the_one_of_the_report(loaded) -> None:
    corpus, golden = loaded
    assert (len(corpus), len(golden)) == (5, 472)
    assert sum(len(q.golds) for q in golden) == 790
    assert sum(len(d.text) for d in corpus) == 1_444_328


def test_the_copies_that_the_reference_counts(loaded) -> None:
    corpus, golden = loaded
    row = chroma_omega.measure(chroma.cut_all(corpus, chroma.recursive(200, 0, "cl100k")), golden)
    assert (row["chunks_on_another_copy"], row["chunks"]) == (462, 2386)
    assert row["chunks_without_a_place"] == 0
    # "strict intervals give 30.8 instead of 29.9"
    assert round(100 * row["precision_omega_strict_overlap"], 1) == 30.8
    assert round(100 * row["precision_omega"], 1) == 29.9


def test_windows_are_found_again_where_they_were_cut(loaded) -> None:
    corpus, _ = loaded
    for overlap in (0, 100):
        for document in corpus:
            spans = [c.span for c in chroma.windows(200, overlap, "cl100k", "w")(document)]
            pieces = [document.text[span.start : span.end] for span in spans]
            assert place(document.text, pieces) == spans


def test_one_character_and_one_token_move_the_cells(data: Path, tmp_path) -> None:
    copy = Path(shutil.copytree(data, tmp_path / "copy", copy_function=shutil.copyfile))
    for path in copy.rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    # One text of five is enough, and quick.
    for path in (copy / "corpora").iterdir():
        if path.stem != "state_of_the_union":
            path.unlink()
    with (copy / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.reader(file) if row[2] in ("corpus_id", "state_of_the_union")]
    with (copy / "questions_df.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    before = chroma_omega.run(copy)
    assert before.corpus["questions"] == len(rows) - 1
    wider = chroma_omega.run(copy, settings=[(size + 1, overlap) for size, overlap in chroma_omega.SETTINGS])
    for name, row in before.rows.items():
        assert wider.rows[name]["precision_omega"] != row["precision_omega"], name
    text = (copy / "corpora" / "state_of_the_union.md").read_text("utf-8")
    start = text.index("\n", 20_000)
    (copy / "corpora" / "state_of_the_union.md").write_text(text[:start] + " " + text[start + 1 :], "utf-8")
    after = chroma_omega.run(copy)
    assert after.corpus["digest"] != before.corpus["digest"]
    assert any(after.rows[name] != before.rows[name] for name in before.rows)
