"""Context: what is indexed with a chunk so that it says what it is about. Never part of its slice."""

from __future__ import annotations

from bisect import bisect_right
from typing import NamedTuple

from chunkwise.errors import SettingError
from chunkwise.text import line_ends
from chunkwise.types import BlockKind, Counter, Document

SEPARATOR = " > "
"""Between the titles of a heading path."""
ELLIPSIS = "…"
"""Stands for what a shortened context left out."""
SHORTENED = "context shortened"

_LIST, _ITEM, _TABLE, _ROW = BlockKind.LIST, BlockKind.ITEM, BlockKind.TABLE, BlockKind.ROW
_CODE, _ADMONITION = BlockKind.CODE, BlockKind.ADMONITION


class Context(NamedTuple):
    """The context of a chunk that starts at some place."""

    parts: tuple[tuple[str, str], ...]
    """Pairs of kind and text."""
    cost: int
    """Its size together with the line ends behind it, in the chunker's unit."""
    shortened: bool
    """Whether something was left out to keep it within half of the size."""


_NONE = Context((), 0, False)


class Contexts:
    """Contexts for one document."""

    def __init__(
        self, document: Document, counter: Counter, size: int, *, path: bool, strict: bool = False
    ) -> None:
        self._document, self._counter = document, counter
        self._room = size // 2
        self._path, self._strict = path, strict
        self._blocks = document.blocks
        self._tops: list[int] | None = None
        self._top_starts: list[int] = []
        self._known: dict[int, Context] = {}  # by section, and whether its heading opens the chunk

    def at(self, start: int) -> Context:
        """The context of a chunk that starts here.

        A chunk that starts with its own heading line carries the titles above it; any other the whole
        path. One that starts inside a block carries what the block's beginning said: the header of a
        table, the line that opens a fence, the items above a nested one, the label of a box.
        """
        sections = self._document.sections
        section = sections.at(start)
        opens = section > 0 and sections.start[section] == start
        inside = [] if opens else self._inside(start)
        key = 2 * section + opens
        if not inside:
            known = self._known.get(key)
            if known is not None:
                return known
        titles: tuple[str, ...] = ()
        if self._path:
            above = sections.parent[section] if opens else section
            titles = sections.path(above) if above >= 0 else sections.root
        found = self._fit(titles, inside, start) if titles or inside else _NONE
        if not inside:
            self._known[key] = found
        return found

    def _inside(self, start: int) -> list[tuple[str, str]]:
        """Kind and text of what the blocks around a place began with, outermost first."""
        if self._tops is None:
            self._tops = self._blocks.top()
            self._top_starts = [self._blocks.start[i] for i in self._tops]
        number = bisect_right(self._top_starts, start) - 1
        if number < 0 or self._top_starts[number] == start:
            return []
        blocks, text = self._blocks, self._document.text
        found: list[tuple[str, str]] = []
        stop = self._tops[number + 1] if number + 1 < len(self._tops) else len(blocks)
        for i in range(self._tops[number], stop):
            if blocks.start[i] > start:
                break
            if blocks.start[i] == start or blocks.end[i] <= start:
                continue
            kind = blocks.kind[i]
            if kind not in (_ITEM, _TABLE, _CODE, _ADMONITION):
                continue
            line = text[blocks.start[i] : line_end(text, blocks.start[i], blocks.end[i])].strip()
            if kind == _TABLE:
                header = i + 1
                if header < stop and blocks.kind[header] == _ROW and start >= blocks.end[header]:
                    rows = text[blocks.start[header] : blocks.end[header]]
                    found.append(
                        ("header", "\n".join(row.strip() for row in rows.splitlines() if row.strip()))
                    )
            elif kind == _CODE:
                if line.startswith(("```", "~~~")):
                    found.append(("fence", line))
            elif start >= line_end(text, blocks.start[i], blocks.end[i]):
                found.append(("item" if kind == _ITEM else "label", line))
        return found

    def _fit(self, titles: tuple[str, ...], inside: list[tuple[str, str]], start: int) -> Context:
        parts = [("path", SEPARATOR.join(titles))] if titles else []
        parts += inside
        cost = self._cost(parts)
        if cost <= self._room:
            return Context(tuple(parts), cost, False)
        if self._strict:
            line = self._document.line(start)
            raise SettingError(
                f"{self._document.id}:{line}: the context {parts[0][1]!r} takes more than half of the size; "
                "use a larger size, or let it be shortened (context=shorten)"
            )
        # Titles go first, from the outermost; then the text of outer blocks; then the end of what is left.
        for first in range(1, len(titles)):
            parts = [("path", ELLIPSIS + SEPARATOR + SEPARATOR.join(titles[first:])), *inside]
            if self._cost(parts) <= self._room:
                return Context(tuple(parts), self._cost(parts), True)
        parts = [("path", (ELLIPSIS + SEPARATOR if len(titles) > 1 else "") + titles[-1])] if titles else []
        rest = list(inside)
        while rest and self._cost(parts + rest) > self._room:
            if len(rest) == 1:
                kind, text = rest[0]
                kept = "" if kind == "header" else self._start_of(text, parts)
                rest = [(kind, kept)] if kept else []
            else:
                rest.pop(0)
        parts += rest
        if self._cost(parts) > self._room:
            kept = self._start_of(parts[0][1], [])
            parts = [(parts[0][0], kept)] if kept else []
        return Context(tuple(parts), self._cost(parts), True)

    def _start_of(self, text: str, beside: list[tuple[str, str]]) -> str:
        """As much of the text's start as fits, with an ellipsis behind it; empty where nothing does."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self._cost([*beside, ("", text[:middle] + ELLIPSIS)]) <= self._room:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + ELLIPSIS if low else ""

    def _cost(self, parts: list[tuple[str, str]]) -> int:
        return self._counter.count("\n".join([part for _, part in parts]) + "\n") if parts else 0


def line_end(text: str, start: int, end: int) -> int:
    """The end of the line that begins at `start`, its line end included, at most `end`."""
    return start + line_ends(text[start:end])[0] if start < end else end
