"""The context of rows that are wider than a chunk: what the header says of the columns that are shown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from sys import maxsize
from typing import NamedTuple

from chunkwise.chunk.columns import Cells, Columns
from chunkwise.chunk.room import ELLIPSIS, SEPARATOR, Context, Parts, Room
from chunkwise.types import BlockKind, Document

_ROW = int(BlockKind.ROW)
_FAR = 16  # characters for each unit of the size, beyond which no chunk reaches


class _Beside(NamedTuple):
    """What stands beside what the header says of some cells."""

    above: Parts
    label: Parts
    shortened: bool
    alone: bool = False
    """Whether `above` is the start of what the header says of the first cell, for want of room."""


class WideRows:
    """Contexts in the tables of one document whose whole header leaves too little room."""

    def __init__(self, document: Document, room: Room) -> None:
        """Take a document and the room of a context."""
        self._text, self._blocks, self._room = document.text, document.blocks, room
        self._document = document
        self._columns: dict[int, Columns] = {}  # by table
        self._sizes: dict[int, int] = {}  # by row
        self._last: tuple[object, _Beside] = (None, _Beside([], [], False))

    def context(
        self, found: Context, start: int, table: int, titles: tuple[str, ...], inside: list[tuple[str, str]]
    ) -> Context:
        """The context of a place in a row. In one that is cut anyway it has what the header says of the cells
        from there on, and is true up to the last of them; else it stays as it is.

        Args:
            found: the context as it is, without the whole header.
            start: the place.
            table: number of the table, whose header stands before the place.
            titles: the titles of the heading path.
            inside: kind and text of what the blocks around the place began with.
        """
        blocks = self._blocks
        row = bisect_right(blocks.start, start) - 1
        while row > table and blocks.kind[row] != _ROW:
            row = blocks.parent(row)
        if row <= table or start >= blocks.end[row]:
            return found
        beside = [part for part in inside if part[0] not in ("header", "row")]
        paths = [(ELLIPSIS + SEPARATOR) * (i > 0) + SEPARATOR.join(titles[i:]) for i in range(len(titles))]
        ways: list[Parts] = [[("path", path)] for path in paths]
        ways = [[*ways[0], *beside] if ways else beside, *ways, []]
        if start == blocks.start[row]:
            cost = min(self._room.cost(ways[0]), self._room.most)
            if self._fits(row, cost):
                return replace(found, until=self._next_wide(row, table, cost))
        if table not in self._columns:
            self._columns[table] = Columns(self._document, table)
        cut = self._columns[table].row(row)
        if cut is None:
            return found
        first = cut.at(start)
        head = self._columns[table].head(cut, first, first)
        if not head:
            return found
        # The pieces of a cell, one behind the other, have the same beside them.
        asked = row, first, ways[0], inside
        if self._last[0] != asked:
            label = [part for part in inside if part[0] == "row"]
            self._last = asked, self._beside(head, ways, label)
        return self._of_cells(self._columns[table], cut, start, self._last[1])

    def _beside(self, head: str, ways: list[Parts], label: Parts) -> _Beside:
        """What stands beside what the header says of the cells from the first one on.

        Args:
            head: what the header says of the first.
            ways: what may stand in front; the first is taken that leaves room for this.
            label: the row's label, where the place is behind it.
        """
        own, most = ("header", head), self._room.most
        for way in ways:
            if self._room.cost([*way, own, *label]) <= most:
                return _Beside(way, label, way != ways[0])
        if self._room.cost([own]) > most:
            kept = self._room.start_of(head, [])
            return _Beside([("header", kept)] if kept else [], [], True, alone=True)
        kept = self._room.start_of(label[0][1], [own]) if label else ""
        return _Beside([], [("row", kept)] if kept else [], True)

    def _of_cells(self, columns: Columns, cut: Cells, start: int, beside: _Beside) -> Context:
        """The context of a place in a row that is cut, with what the header says of as many cells as it
        and a chunk have room for.
        """
        first, cost = cut.at(start), self._room.cost
        most, size, count = self._room.most, self._room.size, self._room.counter.count

        def upto(last: int) -> Parts:
            own = [] if beside.alone else [("header", columns.head(cut, first, last))]
            return [*beside.above, *own, *beside.label]

        def holds(last: int) -> bool:
            end = cut.end_of(last)
            if beside.alone or end - start > _FAR * size:
                return False
            taken = cost(upto(last))
            return taken <= most and taken + count(self._text[start:end].rstrip()) <= size

        last = _furthest(holds, first, len(cut.starts) - 1)
        return self._room.context(upto(last), shortened=beside.shortened, until=cut.end_of(last))

    def _fits(self, row: int, cost: int) -> bool:
        """Whether a row fits in a chunk, beside a context of a cost."""
        if row not in self._sizes:
            shown = self._text[self._blocks.start[row] : self._blocks.end[row]].rstrip()
            self._sizes[row] = self._room.counter.count(shown)
        return cost + self._sizes[row] <= self._room.size

    def _next_wide(self, row: int, table: int, cost: int) -> int:
        """Where the next row begins that does not fit in a chunk; what no chunk reaches is not looked at."""
        blocks = self._blocks
        reach = min(blocks.end[table], blocks.start[row] + _FAR * self._room.size)
        for other in range(row + 1, len(blocks)):
            if blocks.start[other] >= reach:
                break
            if blocks.kind[other] == _ROW and not self._fits(other, cost):
                return blocks.start[other]
        return maxsize


def _furthest(holds: Callable[[int], bool], first: int, last: int) -> int:
    """The last number that something is true of, which is taken to be true of all from the first to it."""
    step = 1
    while first + step <= last and holds(first + step):
        first += step
        step *= 2
    while step > 1:
        step //= 2
        if first + step <= last and holds(first + step):
            first += step
    return first
