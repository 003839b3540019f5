"""Charts and diagrams in Word files: each stands in a part of its own, and is text in that part only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from chunkwise.readers.diagrams import parts_of
from chunkwise.readers.docx_numbers import W
from chunkwise.readers.writer import folded

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_C: Final = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_R: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_TEXT: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_ROWS: Final = 10_000
"""Rows of the longest table that a chart becomes."""


def drawn(drawing: Element, related: Callable[[str], bytes | None]) -> Iterator[Element]:
    """What a drawing says, as paragraphs and a table; `related` gives the part that an id stands for."""
    for mark in drawing.iter(f"{_C}chart"):
        part = related(mark.get(f"{_R}id", ""))
        if part is not None:
            yield from _chart(ElementTree.fromstring(part))
    for mark in drawing.iter(_DIAGRAM):
        part = related(mark.get(f"{_R}dm", ""))
        if part is not None:
            for _, text in parts_of(part):
                yield paragraph_of(run_of(text))


def paragraph_of(*inside: Element) -> Element:
    """A paragraph."""
    paragraph = ElementTree.Element(f"{W}p")
    paragraph.extend(inside)
    return paragraph


def run_of(text: str) -> Element:
    """A text of one kind."""
    run = ElementTree.Element(f"{W}r")
    run.append(text_of(text))
    return run


def text_of(text: str) -> Element:
    """What a run says."""
    said = ElementTree.Element(f"{W}t")
    said.text = text
    return said


def _chart(root: Element) -> Iterator[Element]:
    """The title of a chart, and its values: a row a category, a column a series."""
    title = root.find(f"{_C}chart/{_C}title")
    if title is not None:
        yield paragraph_of(run_of(folded(" ".join(text.text or "" for text in title.iter(_TEXT)))))
    series = list(root.iter(f"{_C}ser"))
    names = [" ".join(_points(one, "tx").values()) for one in series]
    values = [_points(one, "val") or _points(one, "yVal") for one in series]
    labels: dict[int, str] = {}
    for one in series:
        labels = (_points(one, "cat") or _points(one, "xVal")) | labels
    numbers = sorted({number for column in (labels, *values) for number in column})[:_ROWS]
    if numbers:
        rows = [[labels.get(i, ""), *(column.get(i, "") for column in values)] for i in numbers]
        yield _table([["", *names], *rows])


def _points(series: Element, name: str) -> dict[int, str]:
    """What a part of a series says, by number; of several levels of labels the one below the others."""
    part = series.find(f"{_C}{name}")
    if part is None:
        return {}
    level = next(part.iter(f"{_C}lvl"), part)
    said = {}
    for point in level.iter(f"{_C}pt"):
        value = point.find(f"{_C}v")
        if value is not None and point.get("idx", "").isdecimal():
            said[int(point.get("idx", "")[:9])] = folded(value.text or "")
    return said


def _table(rows: list[list[str]]) -> Element:
    table = ElementTree.Element(f"{W}tbl")
    for row in rows:
        line = ElementTree.SubElement(table, f"{W}tr")
        for cell in row:
            ElementTree.SubElement(line, f"{W}tc").append(paragraph_of(run_of(cell)))
    return table
