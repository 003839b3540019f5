"""The tables of a web page: which of them hold data, and their rows as cells of plain text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from chunkwise.readers.html_text import inline_text, number_of
from chunkwise.readers.spanned import Above
from chunkwise.readers.writer import one_head

CELLS: Final = 100
"""The widest span of a cell that is filled up."""
FILLED: Final = 2_000_000
"""Characters and cells that spans of one table are filled up with; beyond them cells are said once."""
_PLACED: Final = "h1, h2, h3, h4, h5, h6, table"
"""What no cell of a grid holds: the table places blocks on the page."""
_BLOCKS: Final = "pre, blockquote"
"""What a cell of a grid may hold, but as often stands in a table that places blocks."""


def is_data(table: Any) -> bool:
    """Whether a table says something by its rows, and does not only place blocks on the page."""
    if (table.attributes.get("role") or "").lower() in ("presentation", "none"):
        return False
    if table.parent is not None and "admonitionblock" in (table.parent.attributes.get("class") or ""):
        return False  # an icon and a text beside it
    inner = table.child
    placed = blocks = False
    while inner is not None and not placed:  # a selector would find the table itself too
        if inner.tag is not None and inner.tag[:1] != "-":
            placed = inner.tag == "table" or inner.css_first(_PLACED) is not None
            blocks = blocks or inner.css_first(_BLOCKS) is not None
        inner = inner.next
    if not placed and not blocks:
        return True
    rows = [([cell.tag for cell in _cells(row)], head) for row, head in _own(table)]
    widths = [len(cells) for cells, _ in rows]
    if len(rows) < 2 or max(widths) < 2:
        return False
    # Cells that are named are data, whatever stands in them; a grid may hold code, but no headings.
    named = set(rows[0][0]) == {"th"} or any(head for _, head in rows)
    return named or (not placed and min(widths) > 1)


def table_rows(table: Any) -> list[list[str]]:
    """The cells of a table, the header first and the foot last.

    A cell that spans several rows or columns is in each of them. Several rows of a head are one: each of
    its cells says what stands above each other in its column, from top to bottom.
    """
    rows: list[list[str]] = []
    heads = 0
    above = Above()
    room = FILLED
    for row, head in _own(table):
        cells: list[str] = []
        for cell in _cells(row):
            above.fill(cells)
            text = inline_text(cell)
            down, across = _span(cell, "rowspan"), _span(cell, "colspan")
            cost = (down * across - 1) * (len(text) + 1)
            if cost > room:
                down = across = 1
            else:
                room -= cost
            above.add(cells, text, across, down - 1)
        above.fill(cells)
        if any(cells):
            rows.append(cells)
            heads += head
    return one_head(rows, heads)


def _own(table: Any) -> Iterator[tuple[Any, bool]]:
    """The rows of a table, but not of tables in it, and whether each is one of the head."""
    parts = [part for part in table.iter() if part.tag in ("thead", "tbody", "tfoot")]
    order = {"thead": 0, "tbody": 1, "tfoot": 2}  # a foot may be written before the body
    for part in sorted(parts, key=lambda part: order[part.tag]):
        for row in part.iter():
            if row.tag == "tr":
                yield row, part.tag == "thead"


def _cells(row: Any) -> list[Any]:
    return [cell for cell in row.iter() if cell.tag in ("td", "th")]


def _span(cell: Any, name: str) -> int:
    number = min(number_of(cell, name, 1), CELLS)
    return number or (CELLS if name == "rowspan" else 1)  # 0: down to the last row
