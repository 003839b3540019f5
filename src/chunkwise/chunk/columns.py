"""The columns of a table: what its header says of each, and which of them the cells of a row stand in."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise
from typing import NamedTuple

from chunkwise.text import cell_spans, cells
from chunkwise.types import BlockKind, Document

_ROW = int(BlockKind.ROW)
_WIDEST = 100  # columns that one cell may span
_SPAN = re.compile(r"""\b(colspan|rowspan)\s*=\s*["']?\s*(\d{1,5})""", re.IGNORECASE)
_OPENING = re.compile(r"<t[hd](?=[\s>/])[^>]*>\s*\Z", re.IGNORECASE)
_LINE = re.compile(r"<tr(?=[\s>/])", re.IGNORECASE)


class Cells(NamedTuple):
    """The cells of a row."""

    starts: list[int]
    """Where each may be cut off from the one before it; the first begins with the row."""
    end: int
    """Where the row ends."""
    columns: list[int]
    """The first column of each, and behind the last the one that would come next."""

    def at(self, place: int) -> int:
        """The cell that a place in the row stands in."""
        return max(bisect_right(self.starts, place) - 1, 0)

    def end_of(self, cell: int) -> int:
        """Where a cell ends, with what stands between it and the next one."""
        return self.starts[cell + 1] if cell + 1 < len(self.starts) else self.end


class Columns:
    """The columns of one table of a document."""

    def __init__(self, document: Document, table: int) -> None:
        """Take a table, given by the number of its block."""
        blocks, text = document.blocks, document.text
        self._heads: list[list[str]] = []
        self._rows: dict[int, Cells] = {}
        below = _Below()
        for row in blocks.children(table):
            if blocks.kind[row] != _ROW:
                continue
            start, end = blocks.start[row], blocks.end[row]
            source = text[start:end]
            html = source.lstrip().startswith("<")
            if blocks.level[row] == 0:
                for line in _lines(source) if html else [source]:
                    spans = cell_spans(line)
                    self._head(cells(line), below.place(line, spans) if html else [*range(len(spans) + 1)])
                continue
            spans = cell_spans(source)
            columns = below.place(source, spans) if html else [*range(len(spans) + 1)]
            self._rows[row] = Cells([start, *(start + place for place, _ in spans[1:])], end, columns)

    def row(self, row: int) -> Cells | None:
        """The cells of a row that is no header; None where it has none."""
        found = self._rows.get(row)
        return found if found is not None and len(found.columns) > 1 else None

    def head(self, found: Cells, first: int, last: int) -> str:
        """What the header says of the columns that some cells of a row stand in."""
        columns = range(found.columns[first], found.columns[last + 1])
        said = [" ".join(self._heads[column]) for column in columns if column < len(self._heads)]
        return " | ".join(said) if any(said) else ""

    def _head(self, texts: list[str], columns: list[int]) -> None:
        """Take a line of the header, each cell of which is about all its columns."""
        for text, (first, behind) in zip(texts, pairwise(columns), strict=True):
            while len(self._heads) < behind:
                self._heads.append([])
            for column in range(first, behind):
                if text and self._heads[column][-1:] != [text]:
                    self._heads[column].append(text)


class _Below:
    """Cells of HTML that reach into the rows below, by their columns."""

    def __init__(self) -> None:
        self._rows: dict[int, int] = {}

    def place(self, row: str, spans: list[tuple[int, int]]) -> list[int]:
        """The first column of each cell of the next row, and the one behind the last."""
        taken = {column for column, left in self._rows.items() if left > 0}
        columns: list[int] = []
        reached = 0
        for start, _ in spans:
            while reached in taken:
                reached += 1
            columns.append(reached)
            opening = _OPENING.search(row, max(0, row.rfind("<", 0, start)), start)
            said = {
                name.lower(): int(number) for name, number in _SPAN.findall(opening[0] if opening else "")
            }
            across = min(max(said.get("colspan", 1), 1), _WIDEST)
            for column in range(reached, reached + across):
                self._rows[column] = said.get("rowspan", 1)
            reached += across
        self._rows = {column: left - 1 for column, left in self._rows.items() if left > 1}
        return [*columns, reached]


def _lines(head: str) -> list[str]:
    """The rows of a header of HTML."""
    places = [found.start() for found in _LINE.finditer(head)] or [0]
    return [head[start:end] for start, end in zip(places, [*places[1:], len(head)], strict=True)]
