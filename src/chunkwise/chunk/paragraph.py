"""`paragraph`: whole paragraphs, tables, lists and code fill a chunk; headings go with what follows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import Piece
from chunkwise.chunk.structural import Blockwise
from chunkwise.types import Document

__all__ = ["Paragraph"]


@dataclass(frozen=True)
class Paragraph(Blockwise):
    """Packs whole blocks up to `size`, across headings. No context but that of a block cut in two.

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
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
    """

    name = "paragraph"

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The packed blocks."""
        numbers = self.body(document)
        if numbers:
            ladder = self.ladder(document)
            packer = self.packer(document, ladder)
            yield from packer.pack(document.blocks.start[numbers[0]], *ladder.blocks(numbers))
