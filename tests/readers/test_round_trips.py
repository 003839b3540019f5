"""One document as Markdown, HTML, DOCX and PDF: the same outline, the same cells, the same answers."""

from __future__ import annotations

import re
from pathlib import Path

import pyromark
import pytest

from chunkwise import compare, load_golden, read
from chunkwise.types import BlockKind

from . import made
from .made import cells, converted, outline

pytest.importorskip("selectolax")
pytest.importorskip("mammoth")
pytest.importorskip("pypdfium2")
pytest.importorskip("docx")
pytest.importorskip("reportlab")

ROOT = Path(__file__).parents[2]
WANTED = [(1, made.TITLE), (2, made.SUB), (1, "The end")]
ANSWERS = [made.PROSE, made.ITEMS[1], "90 days", "return x + 1", "Nothing more is to be said here."]
QUESTIONS = [
    "green key lamp blue",
    "What is closed firmly?",
    "period of grade 7",
    "return x",
    "What more is said?",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("formats")
    (root / "a.md").write_text(made.MARKDOWN, "utf-8")
    (root / "a.html").write_text(made.HTML, "utf-8")
    (root / "a.docx").write_bytes(made.docx())
    (root / "a.pdf").write_bytes(made.pdf())
    return root


WORD = "docx:MS Word 2007 XML"


@pytest.fixture(scope="module")
def office(folder, tmp_path_factory):
    """The same document as LibreOffice makes it of the page."""
    root = tmp_path_factory.mktemp("office")
    converted(root, WORD, folder / "a.html")
    converted(root, "pdf", folder / "a.docx")
    return root


def check(document, *, code=made.CODE):
    assert outline(document) == WANTED
    assert cells(document) == made.CELLS
    items = [b for b in document.blocks if b.kind == BlockKind.ITEM]
    assert [document.text[slice(*b.span)].strip() for b in items] == [f"- {item}" for item in made.ITEMS]
    (block,) = (b for b in document.blocks if b.kind == BlockKind.CODE)
    assert document.text[slice(*block.span)].strip().strip("`").strip("\n") == code
    for answer in ANSWERS:
        assert document.text.count(answer) == 1


def test_every_format_has_the_same_outline_cells_items_and_code(folder):
    for document in read(folder):
        check(document)


def test_word_and_pdf_of_an_office(office):
    word, pdf = (next(iter(read(office / name))) for name in ("a.docx", "a.pdf"))
    assert outline(word) == WANTED
    assert cells(word) == made.CELLS
    for answer in ANSWERS:
        assert word.text.count(answer) == 1
    # What is lost in a PDF without rules: cells of two columns without a head. All words are there.
    assert outline(pdf) == WANTED
    words = set(word.text.replace("|", " ").replace("`", " ").split())
    assert {w for w in words - set(pdf.text.split()) if any(map(str.isalnum, w))} == set()


def test_the_same_answers_are_found_in_each(folder, tmp_path):
    found = {}
    for name in ("a.md", "a.html", "a.docx", "a.pdf"):
        corpus = read(folder / name)
        golden = tmp_path / f"{name}.csv"
        lines = [f'"{q}",{name},"{a}"' for q, a in zip(QUESTIONS, ANSWERS, strict=True)]
        golden.write_text("\n".join(["question,doc,gold", *lines]), "utf-8")
        report = compare(corpus, load_golden(golden, corpus), "heading:size=200", resamples=100, exhibits=0)
        row = report["heading:size=200"]
        found[name] = (row.measures["hit@1"].value, row.measures["recall@1000words"].value, row.chunks)
    assert len(set(found.values())) == 1, found
    assert found["a.md"][1] == 1


def test_one_corpus_mixes_formats(folder):
    corpus = read(folder)
    assert corpus.ids == ("a.docx", "a.html", "a.md", "a.pdf")
    again = [f"{n.doc} {n.message}" for n in corpus.notices]
    assert again == [f"{name} has the same text as a.docx" for name in ("a.html", "a.md", "a.pdf")]


@pytest.fixture(scope="module")
def handbook(tmp_path_factory):
    """The handbook in every format: as HTML, and as the office makes it of that."""
    root = tmp_path_factory.mktemp("handbook")
    render = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)
    for file in sorted((ROOT / "examples" / "handbook" / "docs").glob("*.md")):
        text = file.read_text("utf-8")
        (root / file.name).write_text(text, "utf-8")
        page = f"<!doctype html><meta charset=utf-8><body>{render.html(text)}</body>"
        (root / file.name).with_suffix(".html").write_text(page, "utf-8")
    converted(root, WORD, *root.glob("*.html"))
    converted(root, "pdf", *root.glob("*.docx"))
    return root


def plain(texts):
    return [" ".join(text.replace("`", "").replace("*", "").split()) for text in texts]


def test_a_whole_handbook_through_an_office(handbook):
    names = sorted(file.stem for file in handbook.glob("*.md"))
    assert len(names) == 8
    for name in names:
        md, html, word, pdf = (
            next(iter(read(handbook / f"{name}.{ending}"))) for ending in ("md", "html", "docx", "pdf")
        )
        wanted = [(level, *plain([title])) for level, title in outline(md)]
        rows = [plain(row) for row in cells(md)]
        items = sum(block.kind == BlockKind.ITEM for block in md.blocks)
        for document in (html, word, pdf):
            assert [(level, *plain([title])) for level, title in outline(document)] == wanted, document.id
            assert sum(block.kind == BlockKind.ITEM for block in document.blocks) == items, document.id
        for document in (html, word):
            assert [plain(row) for row in cells(document)] == rows, document.id
        # Of a PDF, which has no rules here, some tables are read as lines; no word of them is lost.
        assert all(plain(row) in rows for row in cells(pdf)), pdf.id
        words = {word for row in rows for cell in row for word in cell.split() if word.isalnum()}
        assert words <= set(re.findall(r"\w+", pdf.text)), pdf.id
