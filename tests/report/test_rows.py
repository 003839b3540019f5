"""Chunks and outlines as plain values."""

from __future__ import annotations

import json

from chunkwise import Fixed, from_callable, read_text
from chunkwise.report.chunks import chunk_line, chunk_row
from chunkwise.report.faults import fault_lines
from chunkwise.report.outline import outline_json, outline_row


def test_lines_count_every_kind_of_line_end() -> None:
    document = read_text("one\rtwo\r\nthree\nfour five\n", "a.txt")
    rows = [chunk_row(chunk, document) for chunk in Fixed(size=6)(document)]
    assert [row["lines"] for row in rows] == [[1, 2], [2, 3], [3, 4], [4, 4]]
    assert list(rows[0])[:5] == ["id", "doc", "start", "end", "lines"]


def test_a_chunk_without_a_place_has_no_lines() -> None:
    document = read_text("some text", "a.txt")
    (chunk,) = from_callable(lambda _: ["something else"], "odd")(document)
    row = chunk_row(chunk, document)
    assert (row["start"], row["end"], row["lines"], row["marks"]) == (None, None, None, ["unplaced"])


def test_a_row_is_one_line_to_every_reader_of_lines() -> None:
    text = "a\u2028b\u2029c\x85d\x1ce\x0bf\ng"
    document = read_text(text, "a.txt")
    (chunk,) = Fixed(size=100)(document)
    line = chunk_line(chunk, document)
    assert len(line.decode("utf-8").splitlines()) == 1
    assert json.loads(line)["text"] == text


def test_letters_stay_as_they_are_where_utf_8_has_them() -> None:
    document = read_text("Größe \ud800", "a.txt")
    (chunk,) = Fixed(size=100)(document)
    assert json.loads(chunk_line(chunk, document))["text"] == "Größe \ud800"
    plain = read_text("Größe", "a.txt")
    assert "Größe".encode() in chunk_line(Fixed(size=100)(plain)[0], plain)


def test_an_empty_document_has_an_outline() -> None:
    row = outline_row(read_text(""))
    assert (row["characters"], row["lines"], row["blocks"], row["notices"]) == (0, 1, [], [])
    assert json.loads(outline_json(read_text("# A\n")))["sections"][1]["title"] == "A"


def test_faults_are_counted() -> None:
    class Fault:
        fix: object | None = None

        def __str__(self) -> str:
            return "a:1: wrong; do right"

    class Check:
        faults = (Fault(),)
        advice: tuple[str, ...] = ()
        questions = 4
        sound = 3

    assert list(fault_lines(Check())) == ["a:1: wrong; do right", "1 fault; 3 of 4 questions can be scored"]
