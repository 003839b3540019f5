"""Arguments of the wrong kind from Python: each is refused in words that say what to give instead."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.errors import ChunkwiseError, CorpusError, GoldenError, ReportError, SettingError, UnknownRow
from chunkwise.testing import check_chunker

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
        (lambda given: chunkwise.compare(CORPUS, given, candidates=3), "3 is no candidate; give a text form"),
        (lambda given: chunkwise.compare(CORPUS, given, b"fixed"), "b'fixed' is no candidate"),
        (
            lambda given: chunkwise.compare(CORPUS, given, k=[1, 2.5]),  # type: ignore[list-item]
            r"\Ak must be a whole number or a list of whole numbers, got 2\.5 in a list\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, budgets="500"),  # type: ignore[arg-type]
            r"\Abudgets must be a whole number or a list of whole numbers, got '500'\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, seed=True, score_rest=1),  # type: ignore[arg-type]
            r"\Aseed must be a whole number, got True\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, show_context=1),  # type: ignore[arg-type]
            r"\Ashow_context must be True or False, got 1\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, prices=5),  # type: ignore[arg-type]
            r"\Aprices must be a Prices, a path or None, got 5\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, rule=chunkwise.Heading),  # type: ignore[arg-type]
            r"\Arule must be a text, a HitRule or None, got the class Heading\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, seed=object()),  # type: ignore[arg-type]
            r"\Aseed must be a whole number, got an object\Z",
        ),
        (
            lambda given: chunkwise.compare(CORPUS, given, prices=""),
            "prices must be .*, and '' names no file",
        ),
        (
            lambda _: chunkwise.write_golden(chunkwise.GoldenSet([]), "a\0"),
            r"path must be a path, and 'a",
        ),
        (lambda given: chunkwise.explain(CORPUS, given, question=["q", 3]), "got 3 in a list"),  # type: ignore[list-item]
        (
            lambda given: chunkwise.ship_index(CORPUS, f"jsonl:{given}", wait=float("nan")),
            r"\Await must be a number, got nan\Z",
        ),
        (
            lambda _: chunkwise.read(".", include=(name for name in ("*.md", None))),  # type: ignore[arg-type]
            r"\Ainclude must be a list of texts, got None in a generator\Z",
        ),
        (
            lambda _: chunkwise.open_index(Path("index")),
            r"\Astore must be a text or a Store, got a \w*Path\Z",
        ),  # type: ignore[arg-type]
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


PUBLIC = {
    **{name: getattr(chunkwise, name) for name in chunkwise.__all__ if name.islower()},
    "check_chunker": check_chunker,
    "GoldenSet": chunkwise.GoldenSet,
    "Corpus": chunkwise.Corpus,
    "Report.from_json": chunkwise.Report.from_json,
    **{
        name: getattr(chunkwise, name)
        for name in ("DocumentChunker", "Fixed", "Heading", "Page", "Paragraph", "Recursive", "Sentence")
    },
    "SectionChunker": chunkwise.SectionChunker,
}
"""All functions of the package, and the classes that people make objects of."""
WRONG = {
    "an object": object,
    "bytes": lambda: b"x",
    "nan": lambda: float("nan"),
    "a class": lambda: dict,
    "a generator": lambda: (object() for _ in range(2)),
}
SAID = {
    "candidates": "is no candidate|is a class",
    "chunker": "is no candidate|is a class|stands for 2",
    "documents": "is made of Documents",
    "golden": "golden set",
    "path": "golden set|a folder or file|folder or file",
    "questions": "is made of Questions",
    "text": "takes a text",
}
"""What is said of parameters that a function has more to say of."""


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An argument of the right kind for every parameter that must be there."""
    folder = tmp_path_factory.mktemp("right")
    golden, report = folder / "golden.jsonl", folder / "baseline.json"
    golden.write_text('{"question": "How long?", "doc": "guide.md", "gold": "two seconds"}\n', "utf-8")
    made = chunkwise.compare(CORPUS, golden, ["heading:size=600"], resamples=20)
    report.write_text(made.to_json(), "utf-8")
    return {
        "corpus": CORPUS,
        "golden": golden,
        "document": DOCUMENT,
        "path": golden,
        "store": f"jsonl:{folder / 'store'}",
        "baseline": report,
        "text": "Text.",
        "steps": "spaces",
        "function": str.split,
        "name": "mine",
        "url": "http://127.0.0.1:9/v1",
        "model": "model",
        "chunker": chunkwise.Heading(size=600),
        "questions": [],
        "documents": [],
        "report": made,
        "worst": 1,
    }


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        (name, parameter)
        for name, function in PUBLIC.items()
        for parameter, form in inspect.signature(function).parameters.items()
        if form.kind is not form.VAR_KEYWORD and parameter != "faults"  # which may be anything
    ],
)
def test_every_parameter_says_what_it_takes(
    name: str, parameter: str, wrong: str, right: dict[str, Any]
) -> None:
    function = PUBLIC[name]
    forms = inspect.signature(function).parameters.items()
    arguments = {
        own: right[own]
        for own, form in forms
        if own in right and (form.default is form.empty or own in ("golden", "baseline", "chunker", "worst"))
    }
    with pytest.raises(ChunkwiseError) as caught:
        function(**{**arguments, parameter: WRONG[wrong]()})
    said = str(caught.value)
    assert parameter in said or re.search(SAID.get(parameter, "^$"), said), said


def test_numbers_and_paths_of_other_libraries_are_taken(golden: Path) -> None:
    report = chunkwise.compare(
        CORPUS,
        golden,
        chunkwise.Heading(size=600),
        k=(k for k in np.array([1, 3])),
        resamples=np.int64(20),  # type: ignore[arg-type]
        measures=(name for name in ["ndcg@3"]),
    )
    assert report.settings["k"] == [1, 3]
    assert "ndcg@3" in report.candidates[0].measures
    alone = chunkwise.Candidate(chunkwise.Heading(size=600))
    assert chunkwise.compare(CORPUS, golden, alone, resamples=20).candidates[0].name == "heading:size=600"  # type: ignore[arg-type]
