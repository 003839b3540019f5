"""Context: what is indexed with a chunk so that it says what it is about. Never part of its slice."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace
from sys import maxsize

from chunkwise.chunk.code import Codes
from chunkwise.chunk.leads import lead_in
from chunkwise.chunk.room import ELLIPSIS, SEPARATOR, SHORTENED, Context, Parts, Room
from chunkwise.chunk.titles import Titles
from chunkwise.chunk.wide import WideRows
from chunkwise.errors import SettingError
from chunkwise.text import cell_spans, cells
from chunkwise.types import BlockKind, Counter, Document

_NEAREST = 8  # blocks around a place that are named; outer ones say less and less
_OUTER = 200  # blocks around a place that are looked at
_LINE_END = re.compile(r"\r\n?|\n")
_LONG, _WIDE = 10_000, 16
"""Characters of a line that are looked at, or so many for each unit of the room where these are more."""

_LIST, _ITEM, _TABLE, _ROW = BlockKind.LIST, BlockKind.ITEM, BlockKind.TABLE, BlockKind.ROW
_CODE, _ADMONITION = BlockKind.CODE, BlockKind.ADMONITION
_OPENED = frozenset(map(int, (_ITEM, _TABLE, _ROW, _CODE, _ADMONITION)))


_NONE = Context((), 0, (), full=True)


class Contexts:
    """Contexts for one document."""

    def __init__(
        self,
        document: Document,
        counter: Counter,
        size: int,
        codes: Codes,
        *,
        path: bool,
        strict: bool = False,
        hidden: frozenset[str] = frozenset(),
        lead_in: bool = False,
        known: dict[int, Context] | None = None,
        sizes: Titles | None = None,
    ) -> None:
        """Take what belongs to the document.

        Args:
            document: the document.
            counter: counts sizes.
            size: of a chunk; contexts take half of it at most.
            codes: the document's code blocks.
            path: whether the heading path is carried.
            strict: whether a context that is to be shortened is an error.
            hidden: kinds that take their room and are not indexed.
            lead_in: whether what introduces a table or list is carried.
            known: contexts in full that were found with another size; those found here are added.
            sizes: of contexts, where the tokens of the document tell them.
        """
        self._document, self._sizes = document, sizes
        self._room = Room(counter, size)
        self._path, self._strict, self._lead_in = path, strict, lead_in
        self._hidden = hidden
        self._blocks = document.blocks
        self._returns = "\r" in document.text
        self._codes = codes
        self._sections = document.sections
        # Lists, which are faster to search and to look into than arrays.
        self._starts, self._above = self._sections.start.tolist(), self._sections.parent.tolist()
        self._known: dict[int, Context] = {}  # by start
        self._paths: dict[int, Context] = {}  # where only a path is carried, by its section
        # Both for all sizes; sections as negative numbers, from -1 on, which is none at all.
        self._shared = known
        self._roughly: dict[int, Context] = {}  # by section
        self._labels: dict[int, tuple[int, str]] = {}  # by row: the end of its first cell, and what that says
        self._headers: dict[int, str] = {}  # by the row
        self._wide: WideRows | None = None  # made where a document has one
        self._last: tuple[object, Context] = (None, _NONE)  # what had to be shortened last

    def at(self, start: int, block: int = -1) -> Context:
        """The context of a chunk that starts here. `block` may name a block that may begin here, which saves
        the search for it.

        A chunk that starts with its own heading line carries the titles above it; any other the whole
        path. One that starts inside a block carries what the block's beginning said: the header of a
        table, the line that opens a fence, the items above a nested one, the label of a box.
        """
        section = bisect_right(self._starts, start) - 1
        if section > 0 and self._starts[section] == start:
            above = self._above[section]
            return self._paths.get(above) or self._path_of(above, start)
        known = self._known.get(start)
        if known is None and self._shared is not None:
            known = self._other(start)
        if known is not None:
            return known
        blocks = self._blocks
        inside: Parts = []
        more, table = False, -1
        if block < 0 or blocks.start[block] != start or blocks.depth[block]:
            inside, more, table = self._inside(start, block)
        if self._lead_in:
            lead = self._lead(start)
            inside = [("lead-in", lead), *inside] if lead else inside
        if not inside:
            return self._paths.get(section) or self._path_of(section, start)
        found = self._made(section, inside, start, table)
        if more:
            found = replace(found, marks=(SHORTENED,), full=False)
        if table >= 0 and found.until == maxsize and any(kind == "header" for kind, _ in found.parts):
            found = replace(found, until=blocks.end[table])
        self._known[start] = found
        if found.full and self._shared is not None:
            self._shared[start] = found
        return found

    def _path_of(self, section: int, start: int) -> Context:
        """The context of nothing but the path down to a section, of which a chunk that starts here is the
        first: the same for all others.
        """
        place = -2 - section
        found = _NONE if not self._path else self._other(place) if self._shared is not None else None
        if found is None:
            found = self._made(section, [], start, -1)
            if found.full and self._shared is not None:
                self._shared[place] = found
        self._paths[section] = found
        return found

    def _made(self, section: int, inside: Parts, start: int, table: int) -> Context:
        """The context of the path down to a section and of what stands inside, with the mark of what is left
        out; `table` is the number of a table whose header is among that, or -1.
        """
        titles = self._titles(section)
        parts = [("path", SEPARATOR.join(titles)), *inside] if titles else inside
        if not parts:
            return _NONE
        # The pieces of a block, one behind the other, say the same again.
        asked = titles, inside
        found = self._last[1] if self._last[0] == asked else self._fit(section, titles, inside, parts)
        if not found.full:
            self._last = asked, found
            if table >= 0:
                self._wide = self._wide or WideRows(self._document, self._room)
                found = self._wide.context(found, start, table, titles, inside)
            if self._strict and found.marks:
                self._refuse(parts, start)
        if self._hidden:
            shown = self._shown(found.parts)
            marks = found.marks if shown != self._shown(parts) else ()
            found = replace(found, indexed=shown, marks=marks)
        return found

    def rough(self, start: int) -> Context | None:
        """The context of a chunk that starts with its own heading line, in full, with a cost that it does not
        pass: no counter of ours has more units for a text in ASCII than characters. None where it starts
        otherwise, or half of the size may be too little.
        """
        section = bisect_right(self._starts, start) - 1
        if section < 1 or self._starts[section] != start:
            return None
        above = self._above[section]
        found = self._roughly.get(above)
        if found is None:
            titles = self._titles(above)
            path = SEPARATOR.join(titles)
            parts = (("path", path),) if titles else ()
            shown = self._shown(parts) if self._hidden else parts
            cost = len(path) + 1 if path.isascii() else maxsize
            found = self._roughly[above] = Context(parts, cost if parts else 0, shown, full=True)
        return found if found.cost <= self._room.most else None

    def _titles(self, section: int) -> tuple[str, ...]:
        """The titles that a path down to a section carries; -1 is what stands above all of them."""
        if not self._path:
            return ()
        return self._sections.path(section) if section >= 0 else self._sections.root

    def _other(self, place: int) -> Context | None:
        """What another size found, where it is the same at this one."""
        found = self._shared.get(place) if self._shared is not None else None
        return found if found is not None and found.cost <= self._room.most else None

    def _inside(self, start: int, block: int) -> tuple[list[tuple[str, str]], bool, int]:
        """Kind and text of what the blocks around a place began with, outermost first; whether some of the
        outer ones are left out; and the number of the innermost table whose header is among them, or -1.
        """
        blocks, text = self._blocks, self._document.text
        if block >= 0 and blocks.start[block] == start:
            number = blocks.parent(block)
        else:
            number = bisect_right(blocks.start, start) - 1
        if number < 0:
            return [], False, -1
        # Most places are in a paragraph or in an outer list, which says nothing.
        says = blocks.kind[number] in _OPENED and blocks.start[number] < start
        if blocks.depth[number] == 0 and not says:
            return [], False, -1
        found: list[tuple[str, str]] = []
        table, more = -1, False
        longest = max(_LONG, _WIDE * self._room.most)
        for _ in range(_OUTER):
            if number < 0 or len(found) == _NEAREST:
                break
            kind = blocks.kind[number]
            if kind in _OPENED and (begin := blocks.start[number]) < start < blocks.end[number]:
                behind = self._line_end(begin)
                line = text[begin : min(behind, begin + longest)].strip()
                cut = behind > begin + longest
                line += ELLIPSIS * cut
                if kind == _ROW:
                    label = self._label(number, start)
                    if label:
                        found.append(("row", label))
                elif kind == _TABLE:
                    header = self._header(number, start)
                    if header:
                        found.append(("header", header))
                        table = number if table < 0 else table
                elif kind == _CODE:
                    opened = self._codes[number].opened_at(start)
                    if opened:
                        found.append(("definition", "\n".join(opened)))
                    if line.startswith(("```", "~~~")):
                        more = more or cut
                        found.append(("fence", line))
                elif start >= behind:
                    more = more or cut
                    found.append(("item" if kind == _ITEM else "label", line))
            number = blocks.parent(number)
        return found[::-1], more or number >= 0, table

    def _lead(self, start: int) -> str:
        """What introduces the block of depth 0 that a place stands in."""
        number = bisect_right(self._blocks.start, start) - 1
        while number > 0 and self._blocks.depth[number] > 0:
            number = self._blocks.parent(number)
        return lead_in(self._document, number, start) if number >= 0 else ""

    def _header(self, table: int, start: int) -> str:
        """The header of a table with its delimiter line, for a place behind it; empty where there is none."""
        blocks, text = self._blocks, self._document.text
        row = table + 1
        if (
            row >= len(blocks)
            or blocks.kind[row] != _ROW
            or blocks.level[row] != 0
            or start < blocks.end[row]
        ):
            return ""
        known = self._headers.get(row)
        if known is None:
            if text.startswith("<", _skip_spaces(text, blocks.start[row])):
                known = " | ".join(cells(text[blocks.start[row] : blocks.end[row]]))
            else:
                lines = _LINE_END.split(text[blocks.start[table] : blocks.end[row]])
                # A row begins with no quote mark of its own.
                known = "\n".join(kept for line in lines if (kept := line.lstrip("> \t").rstrip()))
            self._headers[row] = known
        return known

    def _label(self, row: int, start: int) -> str:
        """The first cell of a row that is no header, for a place behind it."""
        blocks, text = self._blocks, self._document.text
        if blocks.level[row] == 0:
            return ""
        if row not in self._labels:  # a row may be cut into many pieces
            begin = blocks.start[row]
            line = text[begin : blocks.end[row]]
            places = cell_spans(line)
            self._labels[row] = (begin + places[0][1], cells(line)[0]) if places else (len(text), "")
        behind, label = self._labels[row]
        return label if start >= behind else ""

    def _line_end(self, start: int) -> int:
        """The end of the line that begins at `start`, its line end included."""
        if self._returns:
            found = _LINE_END.search(self._document.text, start)
            return found.end() if found else len(self._document.text)
        return self._document.text.find("\n", start) + 1 or len(self._document.text)

    def _shown(self, parts: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        return tuple(part for part in parts if part[0] not in self._hidden)

    def _refuse(self, parts: list[tuple[str, str]], start: int) -> None:
        """Raise the error of a context that is shortened, where that is so for what is indexed of it."""
        if self._room.cost(self._shown(parts)) > self._room.most:
            raise SettingError(
                f"{self._document.id}:{self._document.line(start)}: the context {parts[0][1]!r} takes more "
                "than half of the size; use a larger size, or let it be shortened (context=shorten)"
            )

    def _fit(self, section: int, titles: tuple[str, ...], inside: Parts, parts: Parts) -> Context:
        """The parts, titles down to a section and what stands inside, within half of the size."""
        cost = self._sizes.cost(section, inside) if self._sizes is not None and titles else None
        if cost is None:
            cost = self._room.cost(parts)
        if cost <= self._room.most:
            all_ = tuple(parts)
            return Context(all_, cost, all_, full=True)
        # Titles go first, from the outermost; then the text of outer blocks; then the end of what is left.
        for first in range(1, len(titles)):
            parts = [("path", ELLIPSIS + SEPARATOR + SEPARATOR.join(titles[first:])), *inside]
            if self._room.cost(parts) <= self._room.most:
                return self._room.context(parts, shortened=True)
        parts = [("path", (ELLIPSIS + SEPARATOR if len(titles) > 1 else "") + titles[-1])] if titles else []
        rest = list(inside)
        while rest and self._room.cost(parts + rest) > self._room.most:
            if len(rest) == 1:
                kind, text = rest[0]
                kept = "" if kind == "header" else self._room.start_of(text, parts)
                rest = [(kind, kept)] if kept else []
            else:
                rest.pop(0)
        parts += rest
        if self._room.cost(parts) > self._room.most:
            kept = self._room.start_of(parts[0][1], [])
            parts = [(parts[0][0], kept)] if kept else []
        return self._room.context(parts, shortened=True)


def _skip_spaces(text: str, start: int) -> int:
    while text[start : start + 1].isspace():
        start += 1
    return start
