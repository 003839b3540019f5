"""`heading`: cut at every heading first, then pack paragraphs; the heading path travels along."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import Piece, build, flag, setting
from chunkwise.chunk.kept import Regions, kept_regions
from chunkwise.chunk.ladder import Ladder
from chunkwise.chunk.pack import Packer
from chunkwise.chunk.structural import Blockwise, read_context, read_levels, show_levels
from chunkwise.text import VISIBLE
from chunkwise.types import Chunk, Document

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

    def cut(self, document: Document) -> list[Chunk]:
        """The packed sections; those that are whole at another size too are taken over from there."""
        kept = kept_regions(document, self.settings, lambda: self._regions(document))
        return build(document, self.spec, self._pieces(document, kept), kept.whole)

    def _pieces(self, document: Document, kept: Regions) -> Iterator[Piece | int]:
        size = self.limit.size
        whole, needs, over = kept.whole, kept.needs, kept.over
        packer: Packer | None = None
        for number, (start, end) in enumerate(kept.places):
            # Most sections fit: nothing to pack then.
            if needs[number] <= size:
                yield number
                continue
            if packer is None:
                packer, ladder = self._packing(document, kept)
            low, high = over[number]
            if not low <= size < high:
                piece, total, cost = packer.whole(start, end)
                if piece is None:
                    over[number] = 2 * cost, total
                elif total:
                    whole[number], needs[number] = piece, max(total, 2 * cost)
                    yield number
                    continue
                else:
                    yield piece
                    continue
            units = kept.units.get(number)
            if units is None:
                starts = document.blocks.start
                first = bisect_left(kept.blocks, start, key=starts.__getitem__)
                last = bisect_left(kept.blocks, end, first, key=starts.__getitem__)
                if first == last:
                    continue
                inside = kept.blocks[first:last]
                units = kept.units[number] = starts[inside[0]], *ladder.blocks(inside)
            yield from packer.pack(*units)

    def _packing(self, document: Document, kept: Regions) -> tuple[Packer, Ladder]:
        """What packs sections, and cuts their blocks."""
        ladder = self.ladder(document, kept)
        # A path that is not indexed takes its room all the same, so that the cuts are those with the path.
        packer = self.packer(
            document,
            ladder,
            path=True,
            strict=self.context == "strict",
            hidden=frozenset(() if self.path else ("path",)),
            kept=kept,
        )
        return packer, ladder

    def _regions(self, document: Document) -> Regions:
        numbers = self.body(document)
        places: list[tuple[int, int]] = []
        if numbers:
            places += regions(document, self.levels)
            # Front matter stands before the first section.
            places[0] = max(places[0][0], document.blocks.start[numbers[0]]), places[0][1]
        return Regions(len(document.text), numbers, places)


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
