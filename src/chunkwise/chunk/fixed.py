"""`fixed`: windows of a size, blind to what the text says. The measure of all others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chunkwise.chunk.base import (
    DEFAULT_SIZE,
    BaseChunker,
    Piece,
    read_count,
    read_size,
    read_unit,
    setting,
    show_unit,
)
from chunkwise.chunk.ladder import word_cut
from chunkwise.chunk.pack import GRAPHEME_CUT
from chunkwise.errors import SettingError
from chunkwise.spec import unescape
from chunkwise.text import grapheme_ceil, grapheme_floor, ruler
from chunkwise.types import Document

__all__ = ["Fixed"]


@dataclass(frozen=True)
class Fixed(BaseChunker):
    """Windows of `size`, each `size - overlap` behind the one before; the last ends with the text.

    Everything is kept, white space and front matter too. Only a grapheme cluster is never cut, where
    it fits.
    """

    name = "fixed"

    size: int = setting(DEFAULT_SIZE, read_size)
    """Largest size of a window, in units."""
    unit: Any = setting("chars", read_unit, show_unit, unescape)
    """Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function."""
    overlap: int = setting(0, read_count)
    """How much of a window is said again at the start of the next, in units; below `size`."""
    offset: int = setting(0, read_count)
    """Size of the first window, where it is to be a shorter one: the same cuts, shifted. Below `size`."""

    def __post_init__(self) -> None:
        """Read and check the settings."""
        super().__post_init__()
        if self.offset >= self.size:
            raise SettingError(f"offset must be below size, got offset={self.offset} with size={self.size}")

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The windows."""
        text = document.text
        count = self.counter
        rule = ruler(text, count)
        start, length = 0, len(text)
        limit = self.offset or self.size
        while start < length:
            end = rule.reach(start, limit, length)
            marks: tuple[str, ...] = ()
            if end < length:
                floor = grapheme_floor(text, end)
                if floor > start:
                    end = floor
                elif limit < self.size:
                    limit = self.size  # the first window holds no whole cluster: no shift then
                    continue
                else:
                    end, broken = word_cut(text, start, end, length)
                    if end <= start:
                        raise SettingError(
                            f"{document.id}:{document.line(start)}: the character {text[start]!r} alone "
                            f"takes {count.count(text[start])} {count.name}, the size is {self.size}; "
                            "use a larger size"
                        )
                    marks = (GRAPHEME_CUT,) if broken else ()
            yield Piece(start, end, (), marks)
            if end >= length:
                return
            back = end
            if self.overlap:
                back = grapheme_ceil(text, self._back(rule, start, end))
            start = min(back, end)
            limit = self.size

    def _back(self, rule: Any, start: int, end: int) -> int:
        """Where the overlap begins: the earliest start whose slice up to `end` is within it."""
        if rule.additive and rule.size(0, 1) == 1 and self.unit == "chars":
            return max(end - self.overlap, start + 1)
        low, high = start + 1, end
        while low < high:
            middle = (low + high) // 2
            if rule.size(middle, end) <= self.overlap:
                high = middle
            else:
                low = middle + 1
        return low
