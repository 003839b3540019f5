"""Lines to blocks: paragraphs, items of lists, code and tables, each with its place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Final, Literal

from chunkwise.readers.pdf.order import Line

Kind = Literal["text", "item", "code", "table"]
_BULLET = re.compile(r"([•◦▪▸►‣∙●○■□–—*·\uf0b7-])\s+(?=\S)")
_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+(?=\S)")
_WIDER: Final = 1.4
"""So many times the usual distance of lines parts two paragraphs."""
_CHANGE: Final = 0.07
"""A change of size by more than this share parts two paragraphs."""


@dataclass(slots=True)
class Piece:
    """A block of a page."""

    kind: Kind
    lines: list[Line]
    page: int
    mark: str = ""
    """Of an item."""
    level: int = 0
    """Of a heading; 0 for what is none."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        left, top = min(line.left for line in self.lines), min(line.top for line in self.lines)
        right, bottom = max(line.right for line in self.lines), max(line.bottom for line in self.lines)
        return round(left, 1), round(top, 1), round(right, 1), round(bottom, 1)

    @property
    def text(self) -> str:
        """The lines of a text, without the mark of an item, with line ends between them."""
        return "\n".join(line.text for line in self.lines)[len(self.mark) :].lstrip()

    @property
    def size(self) -> float:
        """Size of its letters."""
        return self.lines[0].size

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(line.bold for line in self.lines)


def pieces_of(lines: Sequence[Line], page: int) -> Iterator[Piece]:
    """The blocks of one flow of lines."""
    leading = _leading(lines)
    right = max((line.right for line in lines), default=0.0)
    piece: Piece | None = None
    for line in lines:
        if line.rows:
            if piece is not None:
                yield piece
            yield Piece("table", [line], page)
            piece = None
            continue
        kind, mark = _kind(line)
        if piece is not None and _goes_on(piece, line, kind, mark, leading, right):
            piece.lines.append(line)
            continue
        if piece is not None:
            yield piece
        piece = Piece(kind, [line], page, mark)
    if piece is not None:
        yield piece


def _kind(line: Line) -> tuple[Kind, str]:
    if line.fixed:
        return "code", ""
    found = _BULLET.match(line.text) or (_NUMBER.match(line.text) if not line.bold else None)
    return ("item", found[1]) if found is not None else ("text", "")


def _leading(lines: Sequence[Line]) -> float:
    """The usual distance from one line to the next."""
    steps = [b.top - a.top for a, b in pairwise(lines) if 0 < b.top - a.top < 4 * a.size]
    return median(steps) if steps else 0.0


def _goes_on(piece: Piece, line: Line, kind: Kind, mark: str, leading: float, right: float) -> bool:
    """Whether a line belongs to the block before it."""
    last = piece.lines[-1]
    step = line.top - last.top
    if kind == "code" or piece.kind == "code":
        return kind == piece.kind and step < 4 * max(line.size, 1.0)
    usual = min(leading, 1.6 * last.size) if leading else 1.3 * last.size
    if mark or step > _WIDER * max(usual, 1.1 * last.size) or step < 0:
        return False
    if abs(line.size - last.size) > _CHANGE * last.size or (
        line.bold != last.bold and (line.bold or piece.bold)
    ):
        return False
    if piece.kind == "item":
        return line.left > piece.lines[0].left - 0.3 * line.size
    indented = line.left - last.left > 0.8 * line.size and len(piece.lines) > 0 and last.text[-1:] in ".!?:"
    short = last.right < right - 0.25 * (right - last.left) and last.text[-1:] in ".!?:"
    return not (indented or short)


def code_of(piece: Piece) -> str:
    """The lines of a block of code with their indentation and blank lines."""
    left = min(line.left for line in piece.lines)
    widths = [(line.right - line.left) / len(line.text) for line in piece.lines if line.text]
    width = max(median(widths), 0.1) if widths else 1.0
    steps = [b.top - a.top for a, b in pairwise(piece.lines)]
    usual = min(steps) if steps else 1.0
    said: list[str] = []
    for line, step in zip(piece.lines, [usual, *steps], strict=True):
        said += [""] * max(0, min(round(step / max(usual, 0.1)) - 1, 2))
        said.append(" " * round((line.left - left) / width) + line.text)
    return "\n".join(said)
