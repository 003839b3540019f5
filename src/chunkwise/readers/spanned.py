"""Cells of a table that span several rows and columns."""

from __future__ import annotations


class Above:
    """Cells that reach down from the rows above, by column: in how many more rows, and their text."""

    def __init__(self) -> None:
        self._pending: dict[int, tuple[int, str]] = {}

    def fill(self, cells: list[str]) -> None:
        """Put those behind the cells of a row that come next in it."""
        while len(cells) in self._pending:
            left, text = self._pending.pop(len(cells))
            self.add(cells, text, 1, left - 1)

    def add(self, cells: list[str], text: str, across: int, below: int) -> None:
        """Put a cell behind those of a row, that is in so many columns, and in so many rows below."""
        for _ in range(across):
            if below:
                self._pending[len(cells)] = below, text
            cells.append(text)
