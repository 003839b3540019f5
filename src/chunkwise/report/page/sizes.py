"""The table of sizes in every unit: of the row, of a second limit, of the budget, and of the embedder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from chunkwise.report.cutting import sizes_of
from chunkwise.report.page.tables import Cell, Head, Table
from chunkwise.types import CandidateReport

__all__ = ["size_table"]

_KEYS = ("median", "mean", "p95", "max", "limit")


def size_table(rows: Sequence[CandidateReport]) -> Table | None:
    """A line for each row and unit; None where every row has its own unit only."""
    lines = [(row.name, found) for row in rows for found in sizes_of(row)]
    if len(lines) == len(rows):
        return None
    heads = [
        Head("unit"),
        *(Head(key) for key in _KEYS[:-1]),
        Head("limit", "", "a second limit, or the window of the embedder"),
        Head("over", "chunks", "larger than that; for a row's own unit, marked as over its size"),
    ]
    return Table(heads, [(name, _line(found)) for name, found in lines])


def _line(found: dict[str, Any]) -> list[Cell]:
    figures = [found.get(key) for key in (*_KEYS, "over")]
    return [
        Cell(str(found["unit"])),
        *(Cell("-") if figure is None else Cell(f"{figure:,.0f}", figure) for figure in figures),
    ]
