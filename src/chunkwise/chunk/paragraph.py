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
    """Packs whole blocks up to `size`, across headings. No context but that of a block cut in two."""

    name = "paragraph"

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The packed blocks."""
        numbers = self.body(document)
        if numbers:
            ladder = self.ladder(document)
            packer = self.packer(document, ladder)
            yield from packer.pack(document.blocks.start[numbers[0]], *ladder.blocks(numbers))
