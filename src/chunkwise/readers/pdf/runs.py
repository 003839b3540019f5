"""The characters of a page as runs: pieces of a line that are set without a gap."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from chunkwise.errors import ReadError
from chunkwise.readers.options import SKIP

MOST_CHARACTERS: Final = 500_000
"""Characters of the fullest page that is read."""
_BOLD: Final = 600  # weight of a font
_FIXED: Final = 1  # flag of a font of one width
_GAP: Final = 1.3  # of the size: a wider gap parts two runs
_WIDE: Final = 0.7  # of the size: a wider gap may part two cells of a table; words stand nearer
_BOLD_NAMES: Final = ("bold", "black", "heavy", "semibold")
_FIXED_NAMES: Final = ("courier", "mono", "consol", "menlo", "typewriter")


@dataclass(slots=True)
class Run:
    """A piece of a line, or a table in the place of its runs. Places count from the upper left corner."""

    left: float
    top: float
    right: float
    bottom: float
    text: str
    size: float
    bold: bool = False
    fixed: bool = False
    rows: list[list[str]] = field(default_factory=list)
    """The cells of a table."""
    parts: list[Run] = field(default_factory=list)
    """What stands between wide gaps, where there are any: cells, if the run is a row of a table."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom


def runs_of(page: Any, number: int, path: str) -> list[Run]:
    """The runs of a page in the order of the file. Raises `ReadError` for a page that is too full."""
    import pypdfium2.raw as raw

    text = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(text)
        if count > MOST_CHARACTERS:
            raise ReadError(
                path, f"page {number} holds {count:,} characters, more than {MOST_CHARACTERS:,}; {SKIP[3:]}"
            )
        return list(_Reader(page, text).runs(count))
    finally:
        text.close()


class _Reader:
    def __init__(self, page: Any, text: Any) -> None:
        import pypdfium2.raw as raw

        self._raw, self._text = raw, text
        left, bottom, right, top = page.get_cropbox() or page.get_mediabox()
        self._left, self._bottom, self._width, self._height = left, bottom, right - left, top - bottom
        self._turn = page.get_rotation()
        self._rect = raw.FS_RECTF()

    def runs(self, count: int) -> list[Run]:
        raw, text, rect = self._raw, self._text, self._rect
        found: list[Run] = []
        letters: list[str] = []
        cuts: list[tuple[int, float, float]] = []  # wide gaps: letters before it, its left and right
        first, box = 0, (0.0, 0.0, 0.0, 0.0)
        size = 0.0
        space = False
        pointer = ctypes.byref(rect)
        for i in range(count):
            code = raw.FPDFText_GetUnicode(text, i)
            if code in (13, 10, 0, 0xFFFE, 0xFFFF):
                self._finish(found, letters, box, first, i, cuts)
                space = False
                continue
            if code in (32, 0xA0):
                space = True
                continue
            raw.FPDFText_GetLooseCharBox(text, i, pointer)
            here = self._upright(rect.left, rect.top, rect.right, rect.bottom)
            if letters:
                gap = here[0] - box[2]
                level = abs(here[3] - box[3]) < 0.35 * size or (here[1] < box[3] and here[3] > box[1])
                if not level or gap > _GAP * size or gap < -2 * size:
                    self._finish(found, letters, box, first, i, cuts)
                    space = False
                elif gap > _WIDE * size:
                    cuts.append((len(letters), box[2], here[0]))
            if not letters:
                first, box, size = i, here, max(here[3] - here[1], 1.0)
            elif space:
                letters.append(" ")
            space = False
            letters.append(_character(code))
            box = min(box[0], here[0]), min(box[1], here[1]), max(box[2], here[2]), max(box[3], here[3])
        self._finish(found, letters, box, first, count, cuts)
        return found

    def _finish(
        self,
        found: list[Run],
        letters: list[str],
        box: tuple[float, float, float, float],
        first: int,
        end: int,
        cuts: list[tuple[int, float, float]],
    ) -> None:
        if not letters:
            return
        said = "".join(letters)
        edges = [(0, box[0], box[0]), *cuts, (len(letters), box[2], box[2])]
        cells = [
            (left, right, "".join(letters[start:stop]).strip())
            for (start, _, left), (stop, right, _) in pairwise(edges)
        ]
        letters.clear()
        cuts.clear()
        middle = (first + end) // 2  # marks at the edges may be set in another font
        size = self._raw.FPDFText_GetFontSize(self._text, middle)
        if size < 3:  # the font is scaled by a matrix
            size = (box[3] - box[1]) / 1.2
        bold, fixed = self._font(middle)
        size = round(size * 2) / 2
        run = Run(*box, said, size, bold, fixed)
        if len(cells) > 1:
            run.parts = [Run(x, box[1], right, box[3], cell, size, bold, fixed) for x, right, cell in cells]
        found.append(run)

    def _font(self, i: int) -> tuple[bool, bool]:
        raw = self._raw
        flags = ctypes.c_int(0)
        name = ctypes.create_string_buffer(128)
        length = raw.FPDFText_GetFontInfo(self._text, i, name, 128, ctypes.byref(flags))
        said = name.value.decode("utf-8", "replace").lower() if 0 < length <= 128 else ""
        weight = raw.FPDFText_GetFontWeight(self._text, i)
        bold = weight >= _BOLD or any(word in said for word in _BOLD_NAMES)
        fixed = bool(flags.value & _FIXED) or any(word in said for word in _FIXED_NAMES)
        return bold, fixed

    def _upright(
        self, left: float, top: float, right: float, bottom: float
    ) -> tuple[float, float, float, float]:
        """A box of the page as it is shown, from its upper left corner."""
        left, right = left - self._left, right - self._left
        top, bottom = top - self._bottom, bottom - self._bottom
        if self._turn == 90:
            return bottom, left, top, right
        if self._turn == 180:
            return self._width - right, bottom, self._width - left, top
        if self._turn == 270:
            return self._height - top, self._width - right, self._height - bottom, self._width - left
        return left, self._height - top, right, self._height - bottom


def _character(code: int) -> str:
    if code == 2:  # what PDFium makes of a hyphen at a line end
        return "-"
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
