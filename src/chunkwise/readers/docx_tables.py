"""Word's tables, forms and large capitals in a form that mammoth reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree

from chunkwise.readers.docx_numbers import W, value_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST: Final = 100
"""Columns that a row leaves out at most."""


def in_table(child: Element) -> Iterator[Element]:
    """What stands for a child of a table or a row: cells merge only where nothing else is between them."""
    tag = child.tag.removeprefix(W)
    if tag == "sdt":
        for inner in child.findall(f"{W}sdtContent/*"):
            yield from in_table(inner)
    elif tag == "customXml":
        for inner in child:
            yield from in_table(inner)
    elif not tag.startswith("bookmark"):
        if tag == "tr":
            _fill(child)
        yield child


def _fill(row: Element) -> None:
    """Empty cells for the columns that a row leaves out before its first cell."""
    left_out = value_of(row.find(f"{W}trPr/{W}gridBefore"))
    cells = row.findall(f"{W}tc")
    if left_out.isdecimal() and cells:
        at = list(row).index(cells[0])
        for _ in range(min(int(left_out[:4]), _MOST)):
            cell = ElementTree.Element(f"{W}tc")
            ElementTree.SubElement(cell, f"{W}p")
            row.insert(at, cell)


def chosen(mark: Element) -> Iterator[Element]:
    """What was chosen in a list of a form, which stands at the begin of its field only."""
    found = mark.find(f"{W}ffData/{W}ddList")
    if found is None:
        return
    entries = [value_of(entry) for entry in found.findall(f"{W}listEntry")]
    number = value_of(found.find(f"{W}result")) or value_of(found.find(f"{W}default")) or "0"
    if number.isdecimal() and len(number) < 5 and int(number) < len(entries):
        text = ElementTree.Element(f"{W}t")
        text.text = entries[int(number)]
        yield text


def join_capitals(parent: Element) -> None:
    """A large first letter stands in a frame of its own: its paragraph goes on in the next one.

    mammoth joins paragraphs whose end is marked as deleted.
    """
    for one, behind in zip(list(parent), list(parent)[1:], strict=False):
        frame = one.find(f"{W}pPr/{W}framePr") if one.tag == f"{W}p" == behind.tag else None
        if frame is not None and frame.get(f"{W}dropCap", "none") != "none":
            properties = one.find(f"{W}pPr")
            marks = one.find(f"{W}pPr/{W}rPr")
            if marks is None and properties is not None:
                marks = ElementTree.SubElement(properties, f"{W}rPr")
            if marks is not None:
                ElementTree.SubElement(marks, f"{W}del")
