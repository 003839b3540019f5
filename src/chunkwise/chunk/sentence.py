"""`sentence`: whole sentences fill a chunk, whatever paragraph they stand in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import Piece
from chunkwise.chunk.ladder import HEAD, Rung, Unit, unit
from chunkwise.chunk.structural import Structural
from chunkwise.types import BlockKind, Document

__all__ = ["Sentence"]


@dataclass(frozen=True)
class Sentence(Structural):
    """Packs sentences up to `size`. Lines of code and rows of tables count as sentences.

    Args:
        size: Largest size of the indexed string, context included, in units.
        unit: Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function.
        overlap: How much of a chunk may be said again at the start of the next, in units; whole paragraphs,
            sentences or words. Below `size`.
        front_matter: Whether the front matter is cut too; else it is metadata.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
    """

    name = "sentence"

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The packed sentences."""
        numbers = self.body(document)
        if not numbers:
            return
        ladder, blocks = self.ladder(document), document.blocks
        ends: list[int] = []
        tags: list[Unit] = []
        start = blocks.start[numbers[0]]
        for number in numbers:
            end = blocks.end[number]
            if blocks.kind[number] == BlockKind.HEADING:
                more, more_tags = [end], [HEAD]
            else:
                prose = blocks.kind[number] in (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.ADMONITION)
                tag = unit(Rung.PROSE) if prose else unit(Rung.BLOCK, number)
                more, more_tags = ladder.finer(tag, blocks.start[number], end)
            ends += more
            tags += more_tags
        yield from self.packer(document, ladder).pack(start, ends, tags)
