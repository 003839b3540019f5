"""Texts of slides: fields and formulas in them, and numbers that are counted when a slide is shown."""

from __future__ import annotations

import re
from typing import Any, Final

from chunkwise.readers.docx_math import said
from chunkwise.readers.docx_numbers import written
from chunkwise.readers.writer import folded

_A: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_FORMULA: Final = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_FORMS: Final = {
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
}
_KIND = re.compile(r"(.*?)(Period|ParenR|ParenBoth|Plain)?\Z", re.DOTALL)
_LOOKS: Final = {"ParenR": "{})", "ParenBoth": "({})"}
"""How a number is shown, where no dot stands behind it."""


def text_of(paragraph: Any) -> str:
    """The text of a paragraph on one line."""
    element = paragraph._p  # noqa: SLF001 - it has no public name
    if element.find(_FORMULA) is None:
        return folded(paragraph.text.replace("\v", " "))
    parts = []
    for child in element:
        if child.tag == _FORMULA:
            parts.append(said(child))
        elif child.tag == f"{_A}br":
            parts.append(" ")
        else:
            parts.append(child.findtext(f"{_A}t") or "")
    return folded("".join(parts))


def frame_text(frame: Any) -> str:
    """The text of all paragraphs of a frame on one line."""
    return " ".join(filter(None, map(text_of, frame.paragraphs)))


class Numbers:
    """Counts the numbered paragraphs of one frame (ECMA-376, part 1, 21.1.2.4.1)."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[str, int, int]] = {}  # by level: kind, start, and the number itself

    def mark(self, paragraph: Any) -> str:
        """What is shown in front of the next paragraph; empty where it has no number of its own."""
        level = paragraph.level
        for deeper in [other for other in self._last if other > level]:
            del self._last[deeper]
        found = paragraph._p.find(f"{_A}pPr/{_A}buAutoNum")  # noqa: SLF001 - it has no public name
        if found is None:
            self._last.pop(level, None)
            return ""
        kind, first = found.get("type", "arabicPeriod"), found.get("startAt", "1")
        start = int(first) if first.isdecimal() and len(first) < 10 else 1
        *same, number = self._last.get(level, ("", 0, 0))
        number = number + 1 if same == [kind, start] else start
        self._last[level] = kind, start, number
        name, look = _KIND.match(kind).groups()  # type: ignore[union-attr] # matches any name
        return _LOOKS.get(look, "{}.").format(written(number, _FORMS.get(name, "decimal")))
