"""Arguments of the wrong kind from Python: each is refused in words that say what to give instead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.errors import CorpusError, GoldenError, ReportError, SettingError, UnknownRow

DOCUMENT = chunkwise.read_text("# Guide\n\nPress the key for two seconds.\n", "guide.md")
CORPUS = chunkwise.Corpus([DOCUMENT])
QUESTION = {"question": "How long?", "doc": "guide.md", "gold": "two seconds"}

READ_IT = r"got str; read it first: chunkwise\.read\('docs'\)"
MAKE_ONE = r"got Document; chunkwise\.Corpus\(\[document\]\) makes one"
A_FILE = r"a golden set is a file, given by its path, got"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "golden.jsonl"
    path.write_text('{"question": "How long?", "doc": "guide.md", "gold": "two seconds"}\n', "utf-8")
    return path


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda _: chunkwise.draft("docs"), READ_IT),
        (lambda _: chunkwise.draft(DOCUMENT), MAKE_ONE),
        (lambda given: chunkwise.load_golden(given, "docs"), READ_IT),
        (lambda given: chunkwise.check_golden(given, "docs"), READ_IT),
        (lambda _: chunkwise.propose("docs", "http://127.0.0.1:9/v1", "model"), READ_IT),
        (lambda _: chunkwise.profile(DOCUMENT), MAKE_ONE),
        (lambda given: chunkwise.compare([DOCUMENT], given), r"got list; chunkwise\.Corpus\(documents\)"),
        (lambda given: chunkwise.load_golden(CORPUS, given), f"{A_FILE} Corpus"),
        (lambda _: chunkwise.check_golden(chunkwise.GoldenSet([]), CORPUS), f"{A_FILE} GoldenSet"),
        (lambda _: chunkwise.compare(CORPUS, [QUESTION]), f"{A_FILE} list"),
        (lambda _: chunkwise.explain(CORPUS, [QUESTION], worst=1), f"{A_FILE} list"),
        (lambda given: chunkwise.compare(CORPUS, given, [chunkwise.Heading]), r"a class; .* as Heading\(\)"),
        (
            lambda given: chunkwise.compare(CORPUS, given, [chunkwise.Candidate("fixed")]),  # type: ignore[arg-type]
            "a Candidate has a chunker, got the text 'fixed'; give the text by itself",
        ),
        (lambda _: chunkwise.clean("Text.", "spaces"), r"got str; read_text\(text, id\) makes one"),
        (lambda given: chunkwise.write_golden([], given), r"got list; GoldenSet\(questions\) makes one"),
        (lambda _: chunkwise.explain_report("report.json"), r"got str; Report\.from_json\(text\)"),
        (lambda given: chunkwise.read([given]), "one folder or file, got list"),
        (lambda _: chunkwise.read_text(b"Text."), r"got bytes; read\(path\) reads files"),
        (
            lambda given: chunkwise.Heading()(given),
            r"heading:size=800 cuts a Document .*, got \w*Path",
        ),
        (lambda _: chunkwise.Fixed()(CORPUS), "got Corpus; .* one by one"),
    ],
)
def test_a_wrong_argument_is_refused_with_the_remedy(
    call: Callable[[Path], Any], said: str, golden: Path
) -> None:
    with pytest.raises(SettingError, match=said):
        call(golden)


def test_a_corpus_is_made_of_documents_only() -> None:
    with pytest.raises(CorpusError, match=r"got str; read_text\(text, id\) makes one"):
        chunkwise.Corpus("text")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "call",
    [
        lambda docs: chunkwise.compare(docs, "gone.jsonl"),
        lambda docs: chunkwise.explain(docs, "gone.jsonl", worst=1),
    ],
)
def test_a_golden_set_that_is_not_there_is_told_before_a_document_is_read(
    call: Callable[[Path], Any], tmp_path: Path
) -> None:
    (tmp_path / "broken.md").write_bytes(b"\xff\xfe\xff")  # would be told if it was read
    with pytest.raises(GoldenError, match=r"gone\.jsonl: No such file; .* chunkwise draft DOCS -o FILE"):
        call(tmp_path)


def test_a_store_without_its_kind_is_told_how_it_is_written() -> None:
    with pytest.raises(
        SettingError, match=r"unknown store '\./index' .*; write KIND:PLACE, such as lancedb:\./index"
    ):
        chunkwise.open_index("./index")
    with pytest.raises(SettingError, match=r"unknown store 'chroma' \(known: [^)]*\)\Z"):
        chunkwise.open_index("chroma:./index")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (chunkwise.read_text("a"), "Document('text.md', 1 character)"),
        (DOCUMENT, "Document('guide.md', 40 characters)"),
        (DOCUMENT.blocks, "Blocks(2)"),
        (DOCUMENT.sections, "Sections(2)"),
        (chunkwise.GoldenSet([]), "GoldenSet(0 questions)"),
        (CORPUS, "Corpus(1 document)"),
    ],
)
def test_values_are_shown_in_a_line(value: object, shown: str) -> None:
    assert repr(value) == shown


def test_an_index_is_shown_with_its_store_and_version(tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    store = f"lancedb:{tmp_path / 'index'}"
    chunkwise.ship_index(CORPUS, store, chunker="heading:size=600", retriever="bm25")
    assert repr(chunkwise.open_index(store)) == f"Index({store!r}, 'v000001')"


def test_a_row_that_a_report_does_not_have_is_told_with_those_it_has(golden: Path) -> None:
    report = chunkwise.compare(CORPUS, golden, ["heading:size=600", "fixed:size=600"], resamples=20)
    assert report["fixed:size=600"].name == "fixed:size=600"
    with pytest.raises(UnknownRow, match=r"row 'heading'.*\(known: fixed:size=600, heading:size=600\)"):
        report["heading"]


def test_a_gate_compares_with_the_baseline_that_the_command_line_writes(
    golden: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(golden.parent)
    with pytest.raises(ReportError, match=r"\Abaseline\.json: there is no such baseline"):
        chunkwise.gate(CORPUS, golden)
