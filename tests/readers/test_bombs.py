"""Small files that would become much: a named error, or a document, in bounded work."""

from __future__ import annotations

import zlib
from itertools import pairwise

import pytest

import chunkwise
from chunkwise.errors import ReadError
from chunkwise.readers import READERS
from chunkwise.types import BlockKind, Document

from . import made

pytest.importorskip("selectolax")
pytest.importorskip("mammoth")
pytest.importorskip("pypdfium2")
pytest.importorskip("docx")
pytest.importorskip("docutils")
pytest.importorskip("reportlab")

TIME = b"1\n00:00:01,000 --> 00:00:02,000\n"


def opened(data: bytes, name: str) -> Document:
    return READERS["." + name.rpartition(".")[2]](data, name, None)


def refused(data: bytes, name: str) -> str:
    with pytest.raises(ReadError) as error:
        opened(data, name)
    assert str(error.value).startswith(f"{name}: ")
    return str(error.value)


def page(stream: bytes, packing: bytes = b"/FlateDecode", more: bytes = b"") -> bytes:
    """A PDF of one page with this stream of drawing."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
        b"<<" + more + b"/Length %d/Filter%s>>stream\n" % (len(stream), packing) + stream + b"\nendstream",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    said = [b"%d 0 obj" % number + body + b"endobj\n" for number, body in enumerate(objects, 1)]
    return b"%PDF-1.4\n" + b"".join(said) + b"trailer<</Root 1 0 R>>"


TEXT = b"BT /F 9 Tf 9 9 Td (hello) Tj ET "
MUCH = TEXT + b"0 0 m 9 9 l S\n" * 3_000_000


def test_a_stream_that_unpacks_to_too_much_is_refused() -> None:
    assert opened(page(zlib.compress(TEXT)), "a.pdf").text == "hello\n"
    packed = zlib.compress(MUCH, 9)
    assert "object 4 in it unpacks to more than 32 MB: a bomb" in refused(page(packed), "a.pdf")
    twice = page(zlib.compress(packed, 9), b"[/Fl/FlateDecode]")
    assert len(twice) < 2_000
    assert "unpacks to more than 32 MB" in refused(twice, "a.pdf")


def test_a_large_picture_is_none_and_neither_is_what_is_packed_little() -> None:
    from chunkwise.readers.pdf.bombs import check_streams

    check_streams(page(zlib.compress(MUCH, 9), more=b"/Subtype/Image"), "a.pdf")
    check_streams(page(b"not packed at all " * 4_000), "a.pdf")
    check_streams(page(zlib.compress(bytes(range(256)) * 90_000, 0)), "a.pdf")


def test_a_part_that_cannot_be_unpacked_is_a_broken_zip_file() -> None:
    data = bytearray(made.docx())
    start = data.index(b"[Content_Types].xml") + len(b"[Content_Types].xml")
    data[start : start + 40] = b"\xff" * 40
    assert "is a broken zip file" in refused(bytes(data), "a.docx")


def rows(document: Document) -> list[str]:
    return [document.text[slice(*b.span)] for b in document.blocks if b.kind == BlockKind.ROW]


def test_spans_are_filled_up_to_a_limit() -> None:
    two = b"<table><tr><td rowspan=2 colspan=2>%s<td>a<tr><td>b</table>"
    assert opened(two % b"x", "a.html").text == "| x | x | a |\n|---|---|---|\n| x | x | b |\n"
    long = opened(two % (b"word " * 200_000), "a.html")
    assert len(long.text) < 1_100_000
    wide = (
        b"<table><tr>" + b"<td rowspan=99 colspan=99>cell" * 100 + b"</tr>" + b"<tr><td>x" * 99 + b"</table>"
    )
    assert len(opened(wide, "a.html").text) < 5_000_000


def test_one_long_row_does_not_fill_up_all_the_others() -> None:
    data = b"<table>" + b"<tr><td>x" * 20_000 + b"<tr>" + b"<td>y" * 5_000 + b"</table>"
    document = opened(data, "a.html")
    assert len(document.text) < 200_000
    found = rows(document)
    assert (len(found), found[-1].count("y")) == (20_001, 5_000)


def test_a_row_of_many_cells_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from chunkwise.chunk import context

    looked = 0
    spans = context.cell_spans

    def counted(row: str) -> list[tuple[int, int]]:
        nonlocal looked
        looked += 1
        return spans(row)

    monkeypatch.setattr(context, "cell_spans", counted)
    text = "| a | b |\n|---|---|\n" + f"| label | {'word ' * 2_000} |\n" * 3
    chunks = chunkwise.Heading(size=200)(text)
    assert len(chunks) > 100
    assert any(("row", "label") in chunk.context for chunk in chunks)
    assert looked == 3


def test_substitutions_that_become_much_are_refused() -> None:
    names = "abcdefghij"
    lines = [f".. |{a}| replace:: {f'|{b}| ' * 10}" for a, b in pairwise(names)]
    bomb = "\n".join([*lines, ".. |j| replace:: boom", "", "|a|", ""]).encode()
    assert "what stands for |a| becomes over 100,000 characters: a bomb" in refused(bomb, "a.rst")
    chain = "\n".join([f".. |n{i}| replace:: |n{i + 1}|" for i in range(5_000)] + ["", "|n0|", ""]).encode()
    assert "in too long a chain" in refused(chain, "a.rst")
    sound = b".. |Name| replace:: the *pump*\n   of Orle\n\nThis is |name|.\n"
    assert opened(sound, "a.rst").text == "This is the pump of Orle.\n"


def test_blocks_nested_too_deep_are_refused_with_their_line() -> None:
    deep = b"".join(b" " * i + b"x\n\n" for i in range(3_000))
    assert "line 401: nested more than 200 deep" in refused(deep, "a.rst")
    steps = b"".join(b" " * (i % 20) + b"x\n\n" for i in range(400))
    assert opened(steps, "a.rst").text.count("x") == 400


def test_a_number_of_ten_thousand_digits_is_no_notebook() -> None:
    data = b'{"cells": [], "nbformat": ' + b"9" * 10_000 + b"}"
    assert "is no notebook" in refused(data, "a.ipynb")


@pytest.mark.parametrize("opens", [b"{\\", b"<v ", b"<a"])
def test_tags_of_transcripts_that_never_end(opens: bytes) -> None:
    document = opened(TIME + opens * 200_000 + b"\n", "a.srt")
    assert len(document.text) >= 2 * 200_000


def test_forty_thousand_quotes_in_each_other() -> None:
    document = opened(b">" * 40_000 + b"x", "a.md")
    assert max(document.blocks.depth) > 32_767
    assert [chunk.text for chunk in chunkwise.Heading(size=50_000)(document)] == [document.text]
