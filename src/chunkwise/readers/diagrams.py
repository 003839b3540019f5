"""The texts of diagrams (SmartArt), as slides and Word files hold them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.etree import ElementTree

from chunkwise.readers.writer import folded

_DIAGRAM: Final = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
_TEXT: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_DEEPEST: Final = 20
"""Levels of the list that a diagram becomes."""


def parts_of(data: bytes) -> Iterator[tuple[int, str]]:
    """The parts of a diagram from top to bottom, each with its depth, from 0, and its text."""
    root = ElementTree.fromstring(data)
    said: dict[str, str] = {}
    top = ""
    for point in root.iter(f"{_DIAGRAM}pt"):
        id, kind = point.get("modelId", ""), point.get("type", "node")
        if kind == "doc":
            top = id
        elif kind in ("node", "asst"):
            said[id] = folded(" ".join(text.text or "" for text in point.iter(_TEXT)))
    below: dict[str, list[tuple[int, str]]] = {}
    for link in root.iter(f"{_DIAGRAM}cxn"):
        if link.get("type", "parOf") == "parOf" and link.get("destId") in said:
            place = int(link.get("srcOrd", 0)), link.get("destId", "")
            below.setdefault(link.get("srcId", ""), []).append(place)
    open_parts = [(0, id) for _, id in sorted(below.pop(top, ()), reverse=True)]
    while open_parts:
        depth, id = open_parts.pop()
        text = said.pop(id, None)  # each once: a broken file may go round in a ring
        if text is None:
            continue
        yield depth, text
        if depth < _DEEPEST:
            open_parts += [(depth + 1, inner) for _, inner in sorted(below.pop(id, ()), reverse=True)]
