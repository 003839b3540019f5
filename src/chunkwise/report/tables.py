"""Tables that stay readable at 80 columns and without colours. Numbers are never cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

from chunkwise.report.names import folded

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "WIDTH",
    "Column",
    "in_bytes",
    "in_money",
    "paragraph",
    "percent",
    "points",
    "print_table",
    "title",
    "wide_enough",
]

WIDTH = 80
"""Columns that every table fits into; a narrower terminal wraps the lines itself."""
_GAP = 2
_SIZES = ("B", "kB", "MB", "GB", "TB")
_NAME = 20  # what a long name gets at least


class Column(NamedTuple):
    """A column of numbers or short words."""

    head: str
    """What stands above it; several lines are parted by line ends."""
    cells: Sequence[str]
    """One a row."""
    left: bool = False
    """Whether it is set flush left, as words are."""

    @property
    def width(self) -> int:
        """Characters of its widest line."""
        return max(map(len, [*self.head.split("\n"), *self.cells]), default=0)


@contextmanager
def wide_enough(console: Console) -> Iterator[None]:
    """Print as on a console of at least `WIDTH` columns: a narrower one would cut numbers."""
    before = console.width
    console.width = max(before, WIDTH)
    yield
    console.width = before


def print_table(console: Console, head: str, names: Sequence[str], columns: Sequence[Column]) -> None:
    """Print rows of names with columns; columns that do not fit beside each other follow below.

    Args:
        console: where to.
        head: what stands above the names.
        names: one a row; long ones are folded.
        columns: each with a cell a row.
    """
    from rich.table import Table

    room = console.width
    wide = max(map(len, [head, *names]), default=0)
    for part, group in enumerate(_groups(columns, room, min(wide, _NAME))):
        if part:
            console.print()
        taken = sum(column.width + _GAP for column in group)
        width = min(wide, max(room - taken, _NAME))
        table = Table(box=None, pad_edge=False, padding=(0, 0, 0, _GAP), header_style="bold")
        table.add_column(head, vertical="bottom", no_wrap=True)
        for column in group:
            table.add_column(
                column.head, justify="left" if column.left else "right", vertical="bottom", no_wrap=True
            )
        for number, name in enumerate(names):
            table.add_row(folded(name, width), *(column.cells[number] for column in group))
        console.print(table, no_wrap=True, overflow="ignore", crop=False)


def _groups(columns: Sequence[Column], room: int, name: int) -> Iterable[Sequence[Column]]:
    group: list[Column] = []
    left = room - name
    for column in columns:
        if group and column.width + _GAP > left:
            yield group
            group, left = [], room - name
        group.append(column)
        left -= column.width + _GAP
    if group:
        yield group


def title(console: Console, text: str) -> None:
    """A heading above a table."""
    console.print()
    console.print(text, style="bold")


def paragraph(console: Console, text: str, *, bullet: str = "", style: str = "") -> None:
    """Text that is wrapped; what follows the first line is set under its first word."""
    from rich.text import Text

    room = console.width
    prefix = bullet
    for line in Text(text, style=style).wrap(console, room - len(bullet)):
        line.rstrip()
        console.print(Text.assemble((prefix, style), line), no_wrap=True, crop=False)
        prefix = " " * len(bullet)


def percent(share: float) -> str:
    """A share as per cent with one digit behind the point."""
    return f"{100 * share + 0.0:.1f}"


def points(low: float, high: float) -> str:
    """An interval in points or per cent."""
    return f"{percent(low)} to {percent(high)}"


def in_bytes(size: int | None) -> str:
    """A number of bytes; a dash where it is not known."""
    if size is None:
        return "-"
    value, unit = float(size), 0
    while value >= 1000 and unit < len(_SIZES) - 1:
        value, unit = value / 1000, unit + 1
    return f"{value:.3g} {_SIZES[unit]}" if unit and value < 100 else f"{value:.0f} {_SIZES[unit]}"


def in_money(money: float) -> str:
    """A sum of money: two digits behind the point, or as many as show something."""
    return f"{money:,.2f}" if money >= 1 or not money else format(Decimal(f"{money:.2g}"), "f")
