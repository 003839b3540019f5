"""Ruled tables by pdfplumber, looked for only on pages that have rules."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from typing import Any, Final

from chunkwise.readers.pdf.runs import Run

_RULES: Final = 2
"""So many rules in both directions a table has at least."""
_THIN: Final = 3.0
_LONG: Final = 12.0
_MOST: Final = 20_000
"""Paths of a page on which tables are looked for; a drawing has more."""


def has_rules(page: Any) -> bool:
    """Whether a page has lines or boxes that could rule a table."""
    import pypdfium2.raw as raw

    across = down = 0
    for seen, found in enumerate(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3)):
        if seen > _MOST:
            return False
        left, bottom, right, top = found.get_bounds()
        width, height = right - left, top - bottom
        # Some draw a whole grid as one path; a box has five segments.
        rules = max(1, raw.FPDFPath_CountSegments(found) // 4)
        across += rules * (width > _LONG and (height < _THIN or height > _LONG))
        down += rules * (height > _LONG / 2 and (width < _THIN or width > _LONG))
    return across >= _RULES and down >= _RULES


class Tables:
    """Finds the tables of the pages of one file, which is opened when the first page is asked for."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._file: Any = None
        self.missed: list[int] = []
        """Numbers, from 1, of the pages whose tables could not be looked for."""

    def of(self, index: int) -> list[Run]:
        """The tables of a page, given by its number from 0.

        Where this parser stumbles over the page there are none, and the page is entered in `missed`; its
        text is there anyway.
        """
        logging.getLogger("pdfminer").setLevel(logging.ERROR)
        try:
            return self._find(index)
        except Exception:  # noqa: BLE001 - it raises whatever a broken file leads to
            self.missed.append(index + 1)
            return []

    def _find(self, index: int) -> list[Run]:
        import pdfplumber

        # Not closed: that would parse all pages, and the bytes are ours.
        self._file = self._file or pdfplumber.open(io.BytesIO(self._data))
        page = self._file.pages[index]
        found = []
        for table in page.find_tables():
            rows = [[" ".join((cell or "").split()) for cell in row] for row in table.extract()]
            rows = [row for row in rows if any(row)]
            if len(rows) < 2 or max(map(len, rows)) < 2:
                continue  # a box around a text
            left, top, right, bottom = table.bbox
            found.append(Run(left, top, right, bottom, "", 0.0, rows=rows))
        page.close()
        return found


def outside(runs: Sequence[Run], tables: Sequence[Run]) -> list[Run]:
    """The runs that stand in no table, and the tables."""

    def inside(run: Run) -> bool:
        x, y = (run.left + run.right) / 2, (run.top + run.bottom) / 2
        return any(t.left - 1 <= x <= t.right + 1 and t.top - 1 <= y <= t.bottom + 1 for t in tables)

    return [*(run for run in runs if not inside(run)), *tables]
