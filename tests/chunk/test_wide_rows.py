"""Rows that are wider than a chunk: each piece says what the header says of the columns that it shows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.chunk import make_chunkers
from chunkwise.chunk.base import BaseChunker
from chunkwise.errors import SettingError
from chunkwise.measure.boundaries import boundaries
from chunkwise.readers import read_text
from chunkwise.text import counter
from chunkwise.types import Chunk, Document

HEAD = ["Part", "What it is for", "Where it is kept", "Price with tax", "Supplier of the part"]
WIDE = [
    "KP-6120",
    "holds the lid of the pump in place and keeps the water out when it rains",
    "shelf four, left, behind the door",
    "12.50",
    "the shop at the harbour",
]
SHORT = ["KP-6121", "spare", "shelf five", "3.00", "none"]


def markdown(*rows: list[str], title: str = "# Parts\n\n") -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (HEAD[: len(rows[0])], *rows)]
    return title + "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:]]) + "\n"


def html(*rows: list[str], title: str = "# Parts\n\n") -> str:
    head = "".join(f"<th>{cell}</th>" for cell in HEAD[: len(rows[0])])
    lines = ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    return f"{title}<table>\n<tr>{head}</tr>\n" + "\n".join(lines) + "\n</table>\n"


WAYS = {"Markdown": markdown, "HTML": html}


def made(spec: str) -> BaseChunker:
    (chunker,) = make_chunkers(spec)
    assert isinstance(chunker, BaseChunker)
    return chunker


def check(document: Document, chunks: list[Chunk], rows: list[list[str]], size: int, unit: str) -> None:
    """Every piece of a row that is cut has the header of each cell that it shows some of, and its label."""
    count = counter(unit).count
    at = document.text.index(rows[0][0])
    for row in rows:
        places = []
        for cell in row:
            at = document.text.index(cell, at)
            places.append((at, at + len(cell)))
            at += len(cell)
        for chunk in chunks:
            assert chunk.span is not None
            assert count(chunk.indexed) <= size
            assert sum(count(text + "\n") for _, text in chunk.context) <= size // 2 + len(chunk.context)
            start, end = chunk.span
            shown = [i for i, (left, right) in enumerate(places) if start < right and left < end]
            if shown and start > places[0][0]:
                said = dict(chunk.context)
                if "context shortened" in chunk.marks:
                    continue
                assert all(HEAD[i] in said["header"] for i in shown), (said, chunk.text)
                if start >= places[1][0]:
                    assert said["row"] == row[0]


@pytest.mark.parametrize("size", [90, 110, 130, 200])
@pytest.mark.parametrize("way", WAYS)
def test_each_piece_has_the_header_of_its_columns(way: str, size: int) -> None:
    rows = [SHORT, WIDE, SHORT]
    document = read_text(WAYS[way](*rows), "a.md")
    chunks = made(f"heading:size={size}")(document)
    pieces = [chunk for chunk in chunks if chunk.span and chunk.span.start > document.text.index("holds")]
    assert not any("context shortened" in chunk.marks for chunk in pieces if "KP-6121" not in chunk.text)
    check(document, chunks, [WIDE], size, "chars")


def test_the_pieces_of_a_row() -> None:
    chunks = made("heading:size=110")(markdown(WIDE, SHORT))
    pieces = [(dict(chunk.context), chunk.text) for chunk in chunks]
    assert [(said["header"], text) for said, text in pieces if "row" in said] == [
        ("What it is for", "holds the lid of the pump in place and keeps the water out when it rains |"),
        ("Where it is kept | Price with tax", "shelf four, left, behind the door | 12.50 |"),
        ("Supplier of the part", "the shop at the harbour |"),
    ]


@pytest.mark.parametrize("unit", ["words", "cl100k"])
@pytest.mark.parametrize("way", WAYS)
def test_sizes_in_other_units(way: str, unit: str) -> None:
    if unit == "cl100k":
        pytest.importorskip("tiktoken")
    document = read_text(WAYS[way](WIDE, SHORT), "a.md")
    size = {"words": 24, "cl100k": 40}[unit]
    chunks = made(f"heading:size={size},unit={unit}")(document)
    check(document, chunks, [WIDE], size, unit)
    heads = [dict(chunk.context).get("header", "") for chunk in chunks]
    assert any("Supplier" in head and "What" not in head for head in heads)


def test_a_header_with_spans_and_several_lines_is_one_for_each_column() -> None:
    head = (
        "<thead><tr><th rowspan=2>Part</th><th colspan='2'>Described</th><th>Price</th></tr>"
        "<tr><th>Use</th><th>Place</th><th>with tax</th></tr></thead>\n"
    )
    holds, keeps = "it holds the lid " * 6, "it keeps water out " * 6
    first = f"<tr><td rowspan=2>KP-6120</td><td>{holds}</td><td>shelf</td><td>12.50</td></tr>\n"
    second = f"<tr><td>{keeps}</td><td colspan=2>nowhere and free</td></tr>\n"
    chunks = made("paragraph:size=90")(f"<table>\n{head}{first}{second}</table>\n")
    found = {chunk.text: dict(chunk.context).get("header") for chunk in chunks}
    said = {text: head for text, head in found.items() if head}
    assert {head for text, head in said.items() if "holds" in text and "KP" not in text} == {"Described Use"}
    assert {head for text, head in said.items() if "shelf" in text} == {"Described Place | Price with tax"}
    assert {head for text, head in said.items() if "keeps" in text} == {"Described Use"}
    assert {head for text, head in said.items() if "free" in text} == {"Described Place | Price with tax"}


def test_a_row_that_fits_stays_whole_though_the_header_does_not() -> None:
    names = [f"a long name of column number {i}" for i in range(6)]
    rows = [f"| {i} | 2 | 3 | 4 | 5 | 6 |" for i in range(40)]
    text = "\n".join(["| " + " | ".join(names) + " |", "|---" * 6 + "|", *rows]) + "\n"
    chunks = made("heading:size=240")(text)
    assert all(sum(row in chunk.text for chunk in chunks) == 1 for row in rows)
    assert all("context shortened" in chunk.marks for chunk in chunks[1:])


def test_short_rows_are_not_followed_by_cells_that_nothing_names() -> None:
    document = read_text(markdown(*[[*SHORT[:1], str(i), "b", "c", "d"] for i in range(9)], WIDE), "a.md")
    for chunk in made("heading:size=100")(document):
        if chunk.text.startswith("| KP-6121"):
            assert "KP-6120" not in chunk.text


def test_strict_takes_what_says_all_that_is_shown() -> None:
    text = markdown(WIDE[:4], title="")
    chunks = made("heading:size=100,context=strict")(text)
    assert ("header", "Where it is kept | Price with tax") in chunks[-1].context
    with pytest.raises(SettingError, match="takes more than half of the size"):
        made("heading:size=30,context=strict")(text)


def test_without_headers_the_cuts_are_the_same() -> None:
    text = markdown(SHORT, WIDE, SHORT)
    with_header = made("heading:size=110")(text)
    without = made("heading:size=110,table_header=no")(text)
    assert [chunk.span for chunk in with_header] == [chunk.span for chunk in without]
    assert not any(kind == "header" for chunk in without for kind, _ in chunk.context)
    assert not any("context shortened" in chunk.marks for chunk in without)


def test_a_label_and_a_name_that_are_too_long_are_shortened() -> None:
    long = ["L" * 60, *WIDE[1:]]
    chunks = made("paragraph:size=60")(markdown(long, title=""))
    labels = {text for chunk in chunks for kind, text in chunk.context if kind == "row"}
    assert labels
    assert all(text.endswith("…") for text in labels)
    tiny = made("paragraph:size=16")(markdown(WIDE, title=""))
    heads = {text for chunk in tiny for kind, text in chunk.context if kind == "header"}
    assert {"What i…", "Part"} <= heads


def test_no_row_that_is_cut_is_without_its_header() -> None:
    document = read_text(markdown(WIDE, [w.upper() for w in WIDE]), "a.md")
    chunks = made("heading:size=130")(document)
    headed = [any(kind == "header" for kind, _ in chunk.context) for chunk in chunks]
    assert headed[-1]
    found = boundaries(document, [chunk.span for chunk in chunks if chunk.span], with_header=headed)
    assert (found.rows, found.headed, found.headless) == (3, 2, 0)


WORDS = st.lists(st.sampled_from(["oil", "water", "pump", "a", "valve"]), min_size=1, max_size=14).map(
    " ".join
)


@given(
    st.lists(st.lists(WORDS, min_size=4, max_size=4), min_size=1, max_size=4),
    st.sampled_from(["Markdown", "HTML"]),
    st.integers(80, 160),
    st.sampled_from(["heading", "paragraph", "section"]),
)
def test_whatever_the_rows_are(rows: list[list[str]], way: str, size: int, name: str) -> None:
    rows = [[f"p-{i}", *(f"{i}{j} {cell}" for j, cell in enumerate(row))] for i, row in enumerate(rows)]
    document = read_text(WAYS[way](*rows), "a.md")
    chunks = made(f"{name}:size={size}")(document)
    check(document, chunks, rows[:1], size, "chars")
    assert "".join(document.text.split()) == "".join("".join(chunk.text for chunk in chunks).split())


def test_the_work_is_no_more_than_a_few_looks_at_the_table() -> None:
    looked = 0

    def letters(part: str) -> int:
        nonlocal looked
        looked += len(part)
        return len(part)

    names = [f"name of column {i}" for i in range(400)]
    row = "| " + " | ".join(f"cell {i} of it" for i in range(400)) + " |"
    text = "\n".join(["| " + " | ".join(names) + " |", "|---" * 400 + "|", *[row] * 5]) + "\n"
    (chunker,) = make_chunkers("paragraph:size=200")
    assert isinstance(chunker, BaseChunker)
    type(chunker)(size=200, unit=letters)(text)  # type: ignore[call-arg]
    assert looked < 100 * len(text)
