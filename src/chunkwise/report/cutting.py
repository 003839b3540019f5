"""What is printed of chunks where everything is asked for: what they part, and their sizes in every unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwise.report.tables import Column, paragraph, print_table, title
from chunkwise.types import CandidateReport

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["PARTED", "parted", "sizes", "sizes_of"]

Rows = Sequence[CandidateReport]
PARTED = {
    "headings_parted": ("headings parted", "headings that no chunk holds with the beginning of their text"),
    "crossing_sections": ("cross sections", "chunks with text from below two headings or more"),
    "rows_cut": ("table rows cut", "rows that no chunk holds whole"),
    "rows_without_header": (
        "rows without header",
        "rows that begin in no chunk that holds the header of their table too, or has it as context",
    ),
    "code_cut": ("code blocks cut", "blocks that no chunk holds whole"),
    "items_parted": (
        "items without lead-in",
        "items behind a colon that begin in no chunk that holds the sentence with it too or as context",
    ),
}
"""What is parted or thrown together: a short name, and what is counted."""


def parted(rows: Rows, names: Sequence[str], console: Console) -> None:
    """What chunkers part, and what they throw together."""
    used = [key for key in PARTED if any(row.boundaries.get(key, {}).get("of") for row in rows)]
    if not used:
        return
    title(console, "PARTED AND THROWN TOGETHER")
    columns = [
        Column(_broken(PARTED[key][0]), [_of(row.boundaries.get(key)) for row in rows]) for key in used
    ]
    print_table(console, "row", names, columns)
    for key in used:
        short, what = PARTED[key]
        paragraph(console, f"{short}: {what}", bullet="  ", style="dim")


def sizes(rows: Rows, names: Sequence[str], console: Console) -> None:
    """Sizes of what is indexed, in the unit of each row and in others side by side."""
    title(console, "SIZES of what is indexed")
    lines = [(name, found) for row, name in zip(rows, names, strict=True) for found in sizes_of(row)]
    columns = [Column("unit", [str(found["unit"]) for _, found in lines], True)]
    columns += [
        Column(key, [_size(found.get(key)) for _, found in lines])
        for key in ("min", "median", "mean", "p95", "max", "limit")
    ]
    columns.append(Column("over the\nlimit", [f"{found['over']:,}" for _, found in lines]))
    print_table(console, "row", [name for name, _ in lines], columns)


def sizes_of(row: CandidateReport) -> list[dict[str, Any]]:
    """The sizes of a row, one unit after the other, its own first: `limit` and `over` in each."""
    own = {**row.sizes, "limit": None, "over": row.sizes["marked"]}
    return [own, *map(dict, row.sizes.get("others", ()))]


def _of(found: Any) -> str:
    return f"{found['count']:,} of {found['of']:,}" if found else "-"


def _size(size: float | None) -> str:
    return "-" if size is None else f"{size:,.1f}".removesuffix(".0")


def _broken(name: str) -> str:
    """A name on two lines."""
    words = name.split()
    middle = (len(words) + 1) // 2
    return " ".join(words[:middle]) + "\n" + " ".join(words[middle:])
