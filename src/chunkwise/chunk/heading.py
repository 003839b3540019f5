"""`heading`: cut at every heading first, then pack paragraphs; the heading path travels along."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import Piece, flag, setting
from chunkwise.chunk.structural import Blockwise, read_context, read_levels, show_levels
from chunkwise.text import VISIBLE
from chunkwise.types import Document

__all__ = ["Heading"]

_ALL = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Heading(Blockwise):
    """Never crosses a heading of its levels. A heading without text of its own may stand in front of
    the next section. Documents without headings are packed by paragraphs.
    """

    name = "heading"

    path: bool = flag(True)
    """Whether the heading path is indexed with each chunk. `no` keeps the cuts and leaves the path
    out, so that what the cut does and what the path does can be told apart."""
    levels: tuple[int, ...] = setting(_ALL, read_levels, show_levels)
    """Heading levels that are cut at."""
    context: str = setting("shorten", read_context)
    """What happens to a context that takes more than half of the size: `shorten` it, outermost title
    first, with a mark; `strict` makes it an error."""

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The packed sections."""
        numbers = self.body(document)
        if not numbers:
            return
        blocks = document.blocks
        # A path that is not indexed takes its room all the same, so that the cuts are those with the path.
        ladder = self.ladder(document)
        packer = self.packer(
            document,
            ladder,
            path=True,
            strict=self.context == "strict",
            hidden=frozenset(() if self.path else ("path",)),
        )
        first_start = blocks.start[numbers[0]]
        starts: list[int] | None = None
        for begin, end in regions(document, self.levels):
            begin = max(begin, first_start)
            # Most sections fit: nothing to pack then.
            whole = packer.whole(begin, end)
            if whole is not None:
                yield whole
                continue
            if starts is None:
                starts = [blocks.start[i] for i in numbers]
            first, last = bisect_left(starts, begin), bisect_left(starts, end)
            if first < last:
                ends, tags = ladder.blocks(numbers[first:last])
                yield from packer.pack(starts[first], ends, tags)


def regions(document: Document, levels: tuple[int, ...]) -> Iterator[tuple[int, int]]:
    """Ranges of the text that no chunk may leave: sections, headings without text joined to the next."""
    sections = document.sections
    starts, bodies, ends, all_levels = sections.start, sections.body, sections.end, sections.level
    start = 0
    empty = VISIBLE.search(document.text, 0, ends[0]) is None  # nothing but headings since `start`
    for number in range(1, len(starts)):
        if not empty and all_levels[number] in levels:
            yield start, starts[number]
            start, empty = starts[number], True
        if empty and bodies[number] < ends[number]:
            empty = False
    yield start, len(document.text)
