"""`heading`: cut at every heading first, then pack paragraphs; the heading path travels along."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import compress, pairwise
from operator import lt

from chunkwise.chunk.base import Piece, build, flag, setting
from chunkwise.chunk.kept import KNOWN, LAST, Regions
from chunkwise.chunk.ladder import Ladder, Unit
from chunkwise.chunk.pack import Packer
from chunkwise.chunk.room import SHORTENED
from chunkwise.chunk.structural import Blockwise, read_context, read_levels, show_levels
from chunkwise.text import VISIBLE
from chunkwise.types import Chunk, Document

__all__ = ["Heading"]

_ALL = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Heading(Blockwise):
    """Never crosses a heading of its levels. A heading without text of its own may stand in front of
    the next section. Documents without headings are packed by paragraphs.

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
        path: Whether the heading path is indexed with each chunk. `no` keeps the cuts and leaves the path
            out, so that what the cut does and what the path does can be told apart.
        levels: Heading levels that are cut at.
        context: What happens to a context that takes more than half of the size: `shorten` it, outermost
            title first, with a mark; `strict` makes it an error.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
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

    def __post_init__(self) -> None:
        """Read and check every setting."""
        super().__post_init__()
        alike = (type(self), *(getattr(self, f.name) for f in fields(self) if f.name != "path"))
        # With `strict` it depends on the path what is refused.
        object.__setattr__(self, "_alike", alike if self.ours and self.context == "shorten" else None)

    def cut(self, document: Document) -> list[Chunk]:
        """The packed sections; those that are whole at another size too are taken over from there."""
        if self.settings is None:
            return super().cut(document)
        kept = KNOWN.regions(document, self.settings, lambda: self._regions(document))
        return build(document, self.spec, self._shared(document, kept), kept.whole)

    def pieces(self, document: Document) -> Iterable[Piece]:
        """The packed sections. With and without the path the cuts are the same, and are made once."""
        alike = self.__dict__["_alike"]
        if alike is None:
            return self._packed(document, path=self.path)
        pieces = LAST.pieces(document, alike, lambda: list(self._packed(document, path=True)))
        if self.path:
            return pieces
        if any(SHORTENED in marks for _, _, _, marks in pieces):  # it may be the path that was
            return self._packed(document, path=False)
        return [(start, end, _without_path(context), marks) for start, end, context, marks in pieces]

    def _packed(self, document: Document, *, path: bool) -> Iterator[Piece]:
        places = self._places(document)
        if not places:
            return
        packer, ladder = self._packing(document, path=path)
        for start, end in places:
            # Most sections fit: nothing to pack then.
            piece = packer.whole(start, end)[0]
            if piece is not None:
                yield piece
            elif units := _units(document, ladder, start, end):
                yield from packer.pack(*units)

    def _shared(self, document: Document, kept: Regions) -> Iterator[Piece | int]:
        """The same with what is kept: numbers of the regions that are whole at other sizes too."""
        size = self.limit.size
        whole, needs, over = kept.whole, kept.needs, kept.over
        packer: Packer | None = None
        for number, need in enumerate(needs):
            if need <= size:
                yield number
                continue
            if packer is None:
                packer, ladder = self._packing(document, path=self.path, kept=kept)
            start, end = kept.starts[number], kept.ends[number]
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
                units = kept.units[number] = _units(document, ladder, start, end)
            if units:
                yield from packer.pack(*units)

    def _packing(
        self, document: Document, *, path: bool, kept: Regions | None = None
    ) -> tuple[Packer, Ladder]:
        """What packs sections, and cuts their blocks; `path` is whether the path is indexed."""
        ladder = self.ladder(document, kept)
        # A path that is not indexed takes its room all the same, so that the cuts are those with the path.
        packer = self.packer(
            document,
            ladder,
            path=True,
            strict=self.context == "strict",
            hidden=frozenset(() if path else ("path",)),
            kept=kept,
        )
        return packer, ladder

    def _regions(self, document: Document) -> Regions:
        places = self._places(document)
        return Regions(len(document.text), [start for start, _ in places], [end for _, end in places])

    def _places(self, document: Document) -> list[tuple[int, int]]:
        """The ranges of the text that no chunk may leave; none where there is nothing to cut."""
        blocks, first = document.blocks, self.first(document)
        return regions(document, self.levels, blocks.start[first]) if first < len(blocks) else []


def _without_path(context: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """A context without the heading path, which stands in front of everything."""
    return context[1:] if context and context[0][0] == "path" else context


def _units(
    document: Document, ladder: Ladder, start: int, end: int
) -> tuple[int, list[int], list[Unit]] | None:
    """Start, ends and tags of the blocks of depth 0 that begin in a region; None where none does."""
    blocks = document.blocks
    first = bisect_left(blocks.start, start)
    numbers = blocks.top(first, bisect_left(blocks.start, end, first))
    return (blocks.start[numbers[0]], *ladder.blocks(numbers)) if numbers else None


def regions(document: Document, levels: tuple[int, ...], start: int) -> list[tuple[int, int]]:
    """Ranges of the text from `start` on, which is in front of all headings, that no chunk may leave:
    sections, headings without text joined to the next.
    """
    sections, text = document.sections, document.text
    starts, all_levels = sections.start, sections.level
    filled = list(map(lt, sections.body, sections.end))  # whether there is text below the heading
    filled[0] = VISIBLE.search(text, 0, sections.end[0]) is not None
    if levels == _ALL:
        edges = [start, *compress(starts[1:], filled), len(text)]
    else:
        edges, empty = [start], not filled[0]  # nothing but headings since the last edge
        for number in range(1, len(starts)):
            if not empty and all_levels[number] in levels:
                edges.append(starts[number])
                empty = True
            empty = empty and not filled[number]
        edges.append(len(text))
    return list(pairwise(edges))
