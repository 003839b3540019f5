"""The characters of a page as runs: pieces of a line that are set without a gap."""

from __future__ import annotations

import ctypes
import math
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
_SLANTED: Final = 20  # degrees: text is turned from here on; pages are scanned a little aslant
_SAMPLE: Final = 60  # characters of a page that are asked for their direction
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
    turned: bool = False
    """Whether it is set in another direction than the page: a mark across it, a name beside an axis."""

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.left, self.top, self.right, self.bottom


def runs_of(page: Any, number: int, path: str) -> tuple[list[Run], bool]:
    """The runs of a page in the order of the file, and whether places are those of a page that is turned as
    most of its text is. Raises `ReadError` for a page that is too full.
    """
    import pypdfium2.raw as raw

    text = page.get_textpage()
    try:
        count = raw.FPDFText_CountChars(text)
        if count > MOST_CHARACTERS:
            raise ReadError(
                path, f"page {number} holds {count:,} characters, more than {MOST_CHARACTERS:,}; {SKIP[3:]}"
            )
        reader = _Reader(page, text)
        return reader.runs(count), reader.aside
    finally:
        text.close()


class _Reader:
    def __init__(self, page: Any, text: Any) -> None:
        import pypdfium2.raw as raw

        self._raw, self._text = raw, text
        left, bottom, right, top = page.get_cropbox() or page.get_mediabox()
        self._left, self._bottom, self._width, self._height = left, bottom, right - left, top - bottom
        self._turn = page.get_rotation()
        self.aside = False
        """Whether most of the text is set in another direction than the page is shown in."""
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
        turned = _Turned()
        self._turn_page(count)
        for i in range(count):
            code = raw.FPDFText_GetUnicode(text, i)
            if code in (13, 10, 0, 0xFFFE, 0xFFFF):
                turned.space = True
                self._finish(found, letters, box, first, i, cuts)
                space = False
                continue
            if code in (32, 0xA0):
                space = turned.space = True
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
            if not letters and self._is_turned(i):
                turned.add(_character(code), here)
                continue
            if not letters:
                turned.end(found)
                first, box, size = i, here, max(here[3] - here[1], 1.0)
            elif space:
                letters.append(" ")
            space = False
            letters.append(_character(code))
            box = min(box[0], here[0]), min(box[1], here[1]), max(box[2], here[2]), max(box[3], here[3])
        self._finish(found, letters, box, first, count, cuts)
        turned.end(found)
        return found

    def _is_turned(self, i: int) -> bool:
        """Whether a character is set in another direction than the page is shown in."""
        degrees = math.degrees(self._raw.FPDFText_GetCharAngle(self._text, i)) + self._turn
        return bool(_SLANTED < degrees % 360 < 360 - _SLANTED)

    def _turn_page(self, count: int) -> None:
        """Read a page as most of its text is set: a wide table may stand upright on a page that is not."""
        raw, text = self._raw, self._text
        some = range(0, count, max(1, count // _SAMPLE))
        visible = [i for i in some if raw.FPDFText_GetUnicode(text, i) not in (0, 10, 13, 32)]
        angles = [round(math.degrees(raw.FPDFText_GetCharAngle(text, i))) for i in visible]
        shown = self._turn
        for angle in (0, 90, 180, 270):
            if 2 * angles.count(angle) > len(angles):
                self._turn = (360 - angle) % 360
        self.aside = self._turn != shown

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


class _Turned:
    """Gathers a text that is set in another direction, letter by letter in the order of the file."""

    def __init__(self) -> None:
        self._letters: list[str] = []
        self._box = (0.0, 0.0, 0.0, 0.0)
        self.space = False

    def add(self, letter: str, here: tuple[float, float, float, float]) -> None:
        """A letter, with its box."""
        if self._letters:
            box = self._box
            here = min(box[0], here[0]), min(box[1], here[1]), max(box[2], here[2]), max(box[3], here[3])
            if self.space:
                self._letters.append(" ")
        self._letters.append(letter)
        self._box, self.space = here, False

    def end(self, found: list[Run]) -> None:
        """The text is whole."""
        if self._letters:
            found.append(Run(*self._box, "".join(self._letters), 0.0, turned=True))
        self._letters, self.space = [], False


def _character(code: int) -> str:
    if code == 2:  # what PDFium makes of a hyphen at a line end
        return "-"
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
