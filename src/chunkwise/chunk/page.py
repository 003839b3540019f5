"""`page`: one chunk a page of a PDF, a slide, or a text with form feeds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import Piece, flag, read_size, setting
from chunkwise.chunk.ladder import Ladder, Rung, Unit, unit
from chunkwise.chunk.structural import Blockwise
from chunkwise.types import BlockKind, Document

__all__ = ["Page"]

_PAGE = 4000  # characters; a printed page has some 3,000


@dataclass(frozen=True)
class Page(Blockwise):
    """Never crosses a page. A page over the size is cut by its blocks; a document without pages is packed
    as `paragraph` does.

    Args:
        size: Largest size of the indexed string, context included, in units.
        unit: Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function.
        overlap: How much of a chunk may be said again at the start of the next, in units; whole paragraphs,
            sentences or words. Below `size`.
        front_matter: Whether the front matter is cut too; else it is metadata.
        lead_in: Whether a chunk that begins in or at a table or list is indexed with the sentence or caption
            that introduces it.
        table_header: Whether the pieces of a table that was cut are indexed with its header row. `no` keeps
            the cuts and leaves the header out, so that what it is worth can be told.
        code: `whole` keeps a code block that fits in one chunk; `with-prose` keeps it together with the
            paragraph before it, and with the one behind it.
        path: Whether the heading path is indexed with each chunk.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
    """

    name = "page"

    size: int = setting(_PAGE, read_size)
    """Largest size of the indexed string, context included, in units."""
    path: bool = flag(False)
    """Whether the heading path is indexed with each chunk."""

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The pages, packed where they are too large."""
        numbers = self.body(document)
        if not numbers:
            return
        blocks = document.blocks
        ladder = self.ladder(document)
        packer = self.packer(document, ladder, path=self.path)
        starts = [blocks.start[number] for number in numbers]
        edges = [place for place in page_starts(document) if place > starts[0]]
        stop = blocks.end[numbers[-1]]
        for start, end in zip([starts[0], *edges], [*edges, stop], strict=True):
            whole = packer.whole(start, end)[0]
            if whole is not None:
                yield whole
                continue
            yield from packer.pack(start, *_units(document, ladder, numbers, starts, start, end))


def page_starts(document: Document) -> list[int]:
    """Where pages begin, but for the first: behind each form feed, and behind each page break."""
    text, blocks = document.text, document.blocks
    found = {i + 1 for i, char in enumerate(text) if char == "\f"} if "\f" in text else set()
    for number, kind in enumerate(blocks.kind):
        if kind == BlockKind.PAGE_BREAK and "\f" not in text[blocks.start[number] : blocks.end[number]]:
            found.add(blocks.end[number])
    return sorted(place for place in found if 0 < place < len(text))


def _units(
    document: Document, ladder: Ladder, numbers: list[int], starts: list[int], start: int, end: int
) -> tuple[list[int], list[Unit]]:
    """Ends and tags of the blocks of a page. Of a block that goes on from page to page only a stretch."""
    blocks = document.blocks
    first = bisect_left(starts, start)
    last = bisect_left(starts, end)
    ends, tags = ladder.blocks(numbers[first:last])
    if ends and ends[-1] > end:
        ends[-1], tags[-1] = end, _part(blocks.kind[numbers[last - 1]])
    if first and starts[first - 1] < start < blocks.end[numbers[first - 1]]:
        stop = min(end, blocks.end[numbers[first - 1]])
        ends.insert(0, stop)
        tags.insert(0, _part(blocks.kind[numbers[first - 1]]))
    return ends, tags


def _part(kind: int) -> Unit:
    prose = kind in (BlockKind.PARAGRAPH, BlockKind.HEADING)
    return unit(Rung.PROSE if prose else Rung.LINES)
