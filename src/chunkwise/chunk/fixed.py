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
from chunkwise.chunk.limits import Limit, Within, limit_of, read_within, show_within, too_small
from chunkwise.chunk.pack import GRAPHEME_CUT
from chunkwise.errors import SettingError
from chunkwise.spec import unescape
from chunkwise.text import earliest_start, grapheme_ceil, grapheme_floor, ruler
from chunkwise.types import Document

__all__ = ["Fixed"]


@dataclass(frozen=True)
class Fixed(BaseChunker):
    """Windows of `size`, each `size - overlap` behind the one before; the last ends with the text.

    Everything is kept, white space and front matter too. Only a grapheme cluster is never cut, where
    it fits.

    Args:
        size: Largest size of a window, in units.
        unit: Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function.
        overlap: How much of a window is said again at the start of the next, in units; below `size`.
        offset: Size of the first window, where it is to be a shorter one: the same cuts, shifted. Below
            `size`.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on a window, in another unit: `400cl100k`. None: there is none.
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
    within: Within | None = setting(None, read_within, show_within, unescape, kw_only=True)
    """A second limit on a window, in another unit: `400cl100k`. None: there is none."""

    def __post_init__(self) -> None:
        """Read and check the settings."""
        super().__post_init__()
        if self.offset * self.limit.scale >= self.limit.size:
            raise SettingError(f"offset must be below size, got offset={self.offset} with size={self.size}")

    @property
    def limit(self) -> Limit:
        """What a window may come to."""
        return limit_of(self.size, self.unit, self.within)

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The windows."""
        text = document.text
        count, size, scale = self.limit
        rule = ruler(text, count)
        start, length = 0, len(text)
        limit = self.offset * scale or size
        while start < length:
            end = rule.reach(start, limit, length)
            marks: tuple[str, ...] = ()
            if end < length:
                floor = grapheme_floor(text, end)
                if floor > start:
                    end = floor
                elif limit < size:
                    limit = size  # the first window holds no whole cluster: no shift then
                    continue
                else:
                    end, broken = word_cut(text, start, end, length)
                    if end <= start:
                        raise too_small(document, start, count, size)
                    marks = (GRAPHEME_CUT,) if broken else ()
            yield start, end, (), marks
            if end >= length:
                return
            back = end
            if self.overlap:
                back = grapheme_ceil(text, earliest_start(rule, end, self.overlap * scale, start + 1))
            start = min(back, end)
            limit = size
