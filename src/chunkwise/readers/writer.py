"""Writes what a format means as a text with blocks and sections, in the manner of Markdown.

Readers of formats that are no text of their own (HTML, DOCX, PDF, slides) say what they find, in order; the
writer keeps the text, and the structure as columns beside it. The text is the coordinate system from then
on. Nothing in it has to be escaped, since nobody parses it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from chunkwise.structure.events import Rows
from chunkwise.types import BlockKind, Document, Given, Notice, Origin, Sections, Structure

MOST_CELLS = 1_000_000
"""Cells of a table up to which shorter rows are filled up."""
_SPACE = re.compile(r"[ \t\n\r\f]+")
_QUOTE = "> "
_CONTAINERS = (BlockKind.LIST, BlockKind.QUOTE, BlockKind.ADMONITION, BlockKind.FOOTNOTE)
_TICKS = re.compile(r"^`{3,}", re.MULTILINE)


@dataclass
class _Open:
    """A list, an item, a quote or a note that is being written."""

    row: int
    mark: str
    """What stands before its first line."""
    begun: bool = False
    """Whether something was said in it."""

    def lead(self) -> str:
        """What stands before its next line."""
        if not self.begun:
            return self.mark
        return self.mark if self.mark == _QUOTE else " " * len(self.mark)


class Writer:
    """Collects text and structure. Blocks are said one after the other; what is opened must be closed."""

    def __init__(self) -> None:
        self.length = 0
        """Characters written so far."""
        self._parts: list[str] = []
        self._rows = Rows()
        self._open: list[_Open] = []
        self._headings: list[tuple[int, str, int, int]] = []
        self._pages: list[int] = []
        self._origins: list[Origin] = []
        self._origin: tuple[Any, ...] = ()

    def heading(self, level: int, title: str) -> None:
        """A heading, which begins a section where it is not inside of something."""
        start = self.length
        title = " ".join(title.split())
        self._leaf(BlockKind.HEADING, f"{'#' * level} {title}", level)
        if not self._open:
            self._headings.append((level, title, start, self.length))

    def paragraph(self, text: str) -> None:
        """A paragraph; nothing where it has no visible character."""
        if text.strip():
            self._leaf(BlockKind.PARAGRAPH, text)

    def code(self, text: str, language: str = "") -> None:
        """A block of code; line ends and indentation are kept."""
        longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
        fence = "`" * (longest + 1)
        body = text.strip("\n").replace("\r\n", "\n").replace("\r", "\n")
        if body.strip():
            self._leaf(BlockKind.CODE, f"{fence}{language}\n{body}\n{fence}")

    def rule(self) -> None:
        """A thematic break."""
        self._leaf(BlockKind.RULE, "---")

    def table(self, rows: Sequence[Sequence[str]]) -> None:
        """A table; its first row is the header. Shorter rows are filled up, unless it is too large."""
        width = max((len(row) for row in rows), default=0)
        whole = len(rows) * width <= MOST_CELLS
        if not width:
            return
        table, prefix = self._begin(BlockKind.TABLE), ""
        for number, row in enumerate(rows):
            cells = [_SPACE.sub(" ", cell).strip().replace("|", "\\|") for cell in row]
            if whole:
                cells += [""] * (width - len(cells))
            line = f"{prefix}| {' | '.join(cells)} |\n"
            prefix = prefix or self._lead()
            if number == 0:
                line += f"{prefix}|{'---|' * len(cells)}\n"
            self._rows.add(BlockKind.ROW, self.length, 0, min(number, 1), len(self._open) + 1)
            self._put(line)
            self._rows.end[-1] = self.length
        self._end(table)
        self._rows.end[-1] = self.length

    def open_list(self) -> None:
        """A list begins; its items follow."""
        self._enter(BlockKind.LIST, "")

    def open_item(self, mark: str = "-") -> None:
        """An item begins, with its mark: `-`, `1.`."""
        lists = sum(self._rows.kind[one.row] == BlockKind.LIST for one in self._open)
        self._enter(BlockKind.ITEM, f"{mark} ", lists)

    def open_quote(self) -> None:
        """A quote begins."""
        self._enter(BlockKind.QUOTE, _QUOTE)

    def open_box(self) -> None:
        """A note, a warning or another box begins; what is said first is its label."""
        self._enter(BlockKind.ADMONITION, _QUOTE)

    def open_note(self, mark: str) -> None:
        """A footnote begins."""
        self._enter(BlockKind.FOOTNOTE, f"[^{mark}]: ")

    def close(self) -> None:
        """End what was opened last. What nothing was said in is gone."""
        one = self._open.pop()
        if not one.begun:
            for column in self._columns():
                del column[one.row :]
        else:
            self._end(one.row)

    def page(self) -> None:
        """A page begins."""
        self._pages.append(self.length)

    def origin(
        self, page: int, box: tuple[float, float, float, float] | None = None, element: str = ""
    ) -> None:
        """What follows stands here in the file."""
        if (page, box, element) != self._origin:
            self._origin = page, box, element
            self._origins.append(Origin(self.length, page, box, element))

    def document(
        self,
        id: str,
        *,
        title: str = "",
        metadata: Mapping[str, Any] | None = None,
        notices: Iterable[Notice] = (),
        above: bool = False,
    ) -> Document:
        """The document of all that was said.

        Args:
            id: its id.
            title: what the file calls itself: the root of all paths where it has no heading of level 1.
            metadata: what else the file says of itself.
            notices: what is odd about it.
            above: the title is the root in any case.
        """
        text = "".join(self._parts)
        shown = len(text.rstrip("\n"))
        length = min(len(text), shown + 1) if shown else 0
        text = text[:length]
        rows = self._rows
        rows.end = [min(end, length) for end in rows.end]
        root = (title,) if title and (above or all(level != 1 for level, *_ in self._headings)) else ()
        headings = [(level, name, start, min(body, length)) for level, name, start, body in self._headings]
        structure = Structure(
            rows.blocks(), Sections(headings, length, root), dict(metadata or {}), tuple(notices)
        )
        return Document(
            id,
            text,
            Given(text, lambda: structure),
            pages=[min(page, length) for page in self._pages],
            origins=self._origins,
        )

    def _columns(self) -> tuple[list[int], ...]:
        rows = self._rows
        return rows.kind, rows.start, rows.end, rows.level, rows.depth

    def _enter(self, kind: BlockKind, mark: str, level: int = 0) -> None:
        self._rows.add(kind, 0, 0, level, len(self._open))
        self._open.append(_Open(len(self._rows.kind) - 1, mark))

    def _lead(self) -> str:
        return "".join([one.lead() for one in self._open])

    def _begin(self, kind: BlockKind, level: int = 0) -> int:
        """Begin a leaf: what stands before its first line, and its row, whose number is returned."""
        if self._open:
            if self._open[-1].begun:
                # A further block of an item or a quote stands behind a blank line.
                self._put(f"{self._lead().rstrip()}\n")
            lead = self._lead()
            for one in self._open:
                if not one.begun:
                    self._rows.start[one.row], one.begun = self.length, True
        else:
            lead = ""
        self._rows.add(kind, self.length, 0, level, len(self._open))
        self._put(lead)
        return len(self._rows.kind) - 1

    def _leaf(self, kind: BlockKind, text: str, level: int = 0) -> None:
        own = bool(self._open) and not self._open[-1].begun
        row = self._begin(kind, level)
        lead = self._lead()
        self._put(text.replace("\n", f"\n{lead}") if lead and "\n" in text else text)
        self._put("\n")
        self._end(row)
        if own and kind == BlockKind.PARAGRAPH and self._rows.kind[row - 1] == BlockKind.ITEM:
            # The first line of an item is the item's own, as in a tight list.
            for column in self._columns():
                column.pop()

    def _end(self, row: int) -> None:
        """A block ends here; one that is in no other with a blank line, which what it ends with takes too."""
        end = self.length
        if not self._open and self._parts and not self._parts[-1].endswith("\n\n"):
            self._put("\n")
            if self._rows.kind[row] in _CONTAINERS:
                for i in range(row + 1, len(self._rows.end)):
                    if self._rows.end[i] == end and self._rows.depth[i] == 1:
                        self._rows.end[i] = self.length
        self._rows.end[row] = self.length

    def _put(self, text: str) -> None:
        if text:
            self._parts.append(text)
            self.length += len(text)


def one_head(rows: Sequence[Sequence[str]], heads: int) -> list[list[str]]:
    """Rows whose first ones are a head, with the head as one row.

    Each of its cells says what stands above each other in its column, and nothing twice in a row: a cell
    that spans is in each of its rows.
    """
    columns: list[list[str]] = [[] for _ in range(max(map(len, rows[:heads]), default=0))]
    for row in rows[:heads]:
        for said, text in zip(columns, row, strict=False):
            if text and said[-1:] != [text]:
                said.append(text)
    return [[" ".join(said) for said in columns]] * bool(heads) + [list(row) for row in rows[heads:]]


def folded(text: str) -> str:
    """A text with each run of white space as one space; no-break spaces stay."""
    return _SPACE.sub(" ", text).strip(" ")
