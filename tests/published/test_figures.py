"""The articles' figures, computed: every cell of the reference files, and that they are computed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from benchmarks.published import constitution, fastapi, rfc9562
from benchmarks.published.__main__ import ARTICLES, load_reference, main
from benchmarks.published.cells import differences

from chunkwise.adapters import from_callable
from chunkwise.chunk import make_chunkers
from chunkwise.comparison import compare
from chunkwise.readers import read

FOLDERS = {
    "rfc9562": "rfc9562",
    "fastapi": "fastapi-docs",
    "constitution": "constitution",
    "chroma-omega": "chroma-eval",
}
TOTALS = {"rfc9562": 41, "fastapi": 418, "constitution": 27, "chroma-omega": 16}
NEWER_K1 = "bm25:k1=1.2,words=ascii"


def folder(shared: Path, corpus: str) -> Path:
    if corpus == "chroma-omega":
        pytest.importorskip("langchain_text_splitters", reason="the peer that was measured is not installed")
    path = shared / "corpora" / FOLDERS[corpus]
    if not path.is_dir() or load_reference(corpus, path, None) is None:
        pytest.skip(f"no corpus or reference file of {corpus} at {shared}")
    return path


@pytest.fixture(scope="session")
def computed(shared: Path):
    """The figures of each corpus without our own chunkers, computed once."""
    known = {}

    def figures(corpus: str):
        if corpus not in known:
            known[corpus] = ARTICLES[corpus].run(folder(shared, corpus), own=())
        return known[corpus]

    return figures


@pytest.mark.parametrize("corpus", FOLDERS)
def test_every_figure_is_the_one_of_the_reference(corpus, shared, computed) -> None:
    reference = load_reference(corpus, folder(shared, corpus), None)
    expected = ARTICLES[corpus].expected(reference)
    assert len(expected) == TOTALS[corpus]
    assert differences(computed(corpus), expected) == {}


@pytest.mark.parametrize("corpus", ["rfc9562", "fastapi"])
def test_published_figures_are_those_of_the_reference(corpus, shared, computed) -> None:
    comparison = load_reference(corpus, folder(shared, corpus), None)["comparison"]
    rows = computed(corpus).rows
    published = {
        (name, measure): cell["published"]
        for name, row in comparison.items()
        for measure, cell in row.items()
        if "published" in cell
    }
    assert {key: rows[key[0]][key[1]].published for key in published} == published


def test_published_figures_of_the_constitution_are_those_of_the_reference(shared, computed) -> None:
    reference = load_reference("constitution", folder(shared, "constitution"), None)
    rows = computed("constitution").rows
    for name, recall in reference["recall_at_1_3_5_at_600"]["published_bge_small"].items():
        cells = [rows[f"{name}_600"][f"bge_small_recall_at_{k}"] for k in (1, 3, 5)]
        assert [cell.published for cell in cells] == recall
        # Another retriever's figures: nothing of ours stands beside them.
        assert {cell.ours for cell in cells} == {None}
    for size, chunkers in reference["chunks_and_ceilings"].items():
        for name, (chunks, ceiling) in chunkers.items():
            row = rows[f"{name}_{size}"]
            assert row["chunks"].published in (None, chunks)
            assert row["ceiling"].published in (None, ceiling)


def test_what_the_reference_says_in_words(computed) -> None:
    found = computed("rfc9562")
    assert found.beyond == {
        "legal_boundaries": 1064,
        "legal_boundaries_pct": 0.93,
        "sentence_ends_that_are_paragraph_ends": 43,
        "sentence_ends_after_a_lone_number_or_initial": 83,
        "recursive_cuts_in_long_paragraphs": 15,
        "recursive_cuts_in_tables_or_contents": 9,
        "recursive_cuts_in_running_text": 6,
        "recursive_chunks_if_merged_with_what_follows": 140,
        "recursive_chunks_if_cut_to_atoms_first": 137,
    }
    rows = computed("fastapi").rows
    assert rows["paragraph_800"]["chunks_over_limit"].ours == 245
    assert rows["heading_800"]["chunks_over_limit"].ours == 239
    assert rows["heading_800"]["longest_chunk"].ours == 24_961
    assert round(rows["heading_800"]["chars_over_limit_pct"].ours) == 35


def test_with_a_little_more_text_every_published_digit_comes_out(computed) -> None:
    # Half of the last digit printed; ours are rounded to four digits or two before.
    half = {"chunks": 0, "avg_chars": 0.505, "crosses_section_pct": 0.055, "splits_code_block_pct": 0.055}
    cells = [
        (name, measure, cell.published, cell.ours)
        for name, row in computed("fastapi").experiment.items()
        for measure, cell in row.items()
    ]
    assert len(cells) == 35
    far = [cell for cell in cells if abs(cell[2] - cell[3]) > half.get(cell[1], 0.00055)]
    assert far == []


def test_the_comparison_of_the_package_gives_the_same_figures(shared, computed) -> None:
    corpus = read(folder(shared, "fastapi") / "docs")
    golden = fastapi.queries(corpus)
    report = compare(
        corpus,
        golden,
        [from_callable(cutter, name) for name, cutter in fastapi.cutters().items()],
        retrievers="bm25:words=ascii",
        rule="majority",
        k=(1, 5),
        budgets=(),
        primary="hit@1",
        resamples=200,
    )
    assert len(report.candidates) == 5
    found = computed("fastapi")
    for candidate in report.candidates:
        row = found.rows[candidate.name]
        assert candidate.chunks == row["chunks"].ours
        assert round(candidate.measures["hit@1"].value, 4) == row["hit_at_1"].ours
        assert round(candidate.measures["hit@5"].value, 4) == row["hit_at_5"].ours
        assert round(candidate.measures["mrr@5"].value, 4) == row["mrr_at_5"].ours
        short = next(short for short, name in fastapi.SHORT.items() if name == candidate.name)
        for rule, variant in (
            ("half-section", "hit if chunk covers half of section"),
            ("overlap", "hit if any overlap"),
        ):
            expected = found.sensitivity[variant][short]
            assert round(candidate.rules[rule]["hit@1"].value, 4) == expected["hit1"].ours
            assert round(candidate.rules[rule]["hit@5"].value, 4) == expected["hit5"].ours


def test_own_chunkers_keep_the_limit(shared) -> None:
    for module, corpus, measure in (
        (rfc9562, "rfc9562", "chunks_over_1000"),
        (constitution, "constitution", "chunks_over_limit"),
    ):
        own = [chunker for text in module.OWN for chunker in make_chunkers(text)]
        rows = module.run(folder(shared, corpus), own=own).rows
        ours = {name: row[measure].ours for name, row in rows.items() if name.startswith("chunkwise ")}
        assert ours == {f"chunkwise {chunker.spec}": 0 for chunker in own}
        assert sum(row[measure].ours for name, row in rows.items() if name not in ours) > 0


# --- Computed, not stored: cells move when the input or a setting moves.


def moved(before, after, row: str) -> set[str]:
    return {m for m, cell in after.rows[row].items() if cell.ours != before.rows[row][m].ours}


def copy(shared: Path, corpus: str, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder(shared, corpus), tmp_path / "copy", copy_function=shutil.copyfile))


def change(path: Path, old: str, new: str, position: int = 0) -> None:
    """Replace one occurrence of a text, of equal length, in a file that may be read-only."""
    path.parent.chmod(0o755)
    text = path.read_bytes().decode("utf-8")
    start = text.index(old, position)
    assert len(old) == len(new)
    path.write_bytes((text[:start] + new + text[start + len(old) :]).encode("utf-8"))


def test_one_character_of_the_rfc(shared, computed, tmp_path) -> None:
    data = copy(shared, "rfc9562", tmp_path)
    # A full stop in front of a capital becomes a comma: one sentence less.
    change(data / "rfc9562.txt", ".  ", ",  ", 30_000)
    found = rfc9562.run(data)
    assert found.corpus["sentences"].ours == 615
    assert found.corpus["sha256"] != computed("rfc9562").corpus["sha256"]
    # A blank line gets a letter: two paragraphs become one.
    change(data / "rfc9562.txt", "\n\n", "\nx", 60_000)
    found = rfc9562.run(data)
    assert found.corpus["paragraph_boundaries"] == 488
    assert moved(computed("rfc9562"), found, "paragraph")


def test_one_window_of_the_rfc(shared, computed) -> None:
    found = rfc9562.run(folder(shared, "rfc9562"), size=990)
    for row in ("fixed", "fixed_overlap_200", "recursive", "paragraph"):
        assert moved(computed("rfc9562"), found, row), row


def test_one_character_of_the_constitution(shared, computed, tmp_path) -> None:
    data = copy(shared, "constitution", tmp_path)
    # The question for the age of Representatives shares this word with its answer.
    change(data / "docs" / "constitution.md", "Representatives", "Xepresentatives", 600)
    found = constitution.run(data)
    before = computed("constitution")
    assert any(moved(before, found, row) for row in found.rows)
    assert found.corpus["digest"] != before.corpus["digest"]


def test_an_answer_that_is_gone_is_a_miss(shared, computed, tmp_path) -> None:
    data = copy(shared, "constitution", tmp_path)
    change(data / "docs" / "constitution.md", "Age of twenty five Years", "Age of twenty five Tears")
    found = constitution.run(data)
    assert found.corpus["questions"] == 32
    assert found.corpus["questions_without_their_answer"] == 1
    assert found.rows["paragraph_300"]["ceiling"].ours == 96.9
    assert computed("constitution").rows["paragraph_300"]["ceiling"].ours == 100.0


def test_one_k1_and_one_window_of_the_constitution(shared, computed) -> None:
    data, before = folder(shared, "constitution"), computed("constitution")
    found = constitution.run(data, retriever=NEWER_K1)
    changed = set().union(*(moved(before, found, row) for row in found.rows))
    assert changed
    assert changed <= {f"bm25_recall_at_{k}" for k in (1, 3, 5)}
    found = constitution.run(data, sizes=(301, 600, 1200))
    assert moved(before, found, "fixed_300")
    assert not moved(before, found, "fixed_600")


def test_one_character_of_the_docs(shared, computed, tmp_path) -> None:
    data = copy(shared, "fastapi", tmp_path)
    for path in (data / "docs").rglob("*"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    # A heading of level 2 becomes a list item: a section and a query less.
    change(data / "docs" / "async.md", "\n## ", "\n*# ")
    found = fastapi.run(data, sensitivity=False)
    assert found.corpus["queries"].ours == 772
    for row in fastapi.PUBLISHED:
        assert moved(computed("fastapi"), found, row), row


def test_one_k1_and_one_window_of_the_docs(shared, computed) -> None:
    data, before = folder(shared, "fastapi"), computed("fastapi")
    found = fastapi.run(data, retriever=NEWER_K1, sensitivity=False)
    for row in fastapi.PUBLISHED:
        changed = moved(before, found, row)
        assert changed, row
        assert changed <= {"hits_at_1", "hit_at_1", "hits_at_5", "hit_at_5", "mrr_at_5"}
    found = fastapi.run(data, size=801, sensitivity=False)
    for row in ("fixed_800_100", "paragraph_800", "heading_800", "heading_800_path"):
        assert moved(before, found, row), row
    assert moved(before, found, "fixed_530_100") == set()


# --- The command line.


def test_json_on_standard_output_is_json_alone(shared, capsys) -> None:
    data = folder(shared, "constitution")
    assert main(["constitution", "--data", str(data), "--json", "-", "--check"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"]["fixed_300"]["ceiling"] == {"published": 96.9, "ours": 96.9}
    assert found["reference"] == {"figures": 27, "different": {}}
    assert any(name.startswith("chunkwise heading") for name in found["rows"])


def test_a_table_and_a_file(shared, tmp_path, capsys) -> None:
    data, file = folder(shared, "rfc9562"), tmp_path / "figures.json"
    assert main(["rfc9562", "--data", str(data), "--json", str(file)]) == 0
    text = capsys.readouterr().out
    assert "112 / 112" in text
    assert "41 of 41 figures equal" in text
    assert [path.name for path in tmp_path.iterdir()] == ["figures.json"]
    assert json.loads(file.read_text("utf-8"))["rows"]["paragraph"]["chunks"] == {
        "published": 132,
        "ours": 132,
    }


def test_without_reference_files_the_published_figures_are_still_there(shared, tmp_path, capsys) -> None:
    data = copy(shared, "rfc9562", tmp_path)
    assert main(["rfc9562", "--data", str(data), "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rows"]["recursive"]["chunks"] == {"published": 147, "ours": 147}
    assert "reference" not in found


def test_a_difference_is_named_and_fails_the_check(shared, tmp_path, capsys) -> None:
    data = copy(shared, "rfc9562", tmp_path)
    change(data / "rfc9562.txt", ".  ", ",  ", 30_000)
    arguments = ["rfc9562", "--data", str(data), "--reference", str(shared / "reference")]
    assert main([*arguments, "--check"]) == 1
    assert "corpus/sentences: reference 616, ours 615" in capsys.readouterr().out
    assert main(arguments) == 0


@pytest.mark.parametrize("corpus", ARTICLES)
def test_a_folder_without_the_corpus_is_refused(corpus, tmp_path, capsys) -> None:
    assert main([corpus, "--data", str(tmp_path)]) == 2
    assert str(tmp_path) in capsys.readouterr().err
