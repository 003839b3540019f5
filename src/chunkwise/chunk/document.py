"""`document`: the whole document as one chunk. A baseline: the best ceiling, the worst price."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from chunkwise.chunk.base import BaseChunker, Piece
from chunkwise.text import trim_lines
from chunkwise.types import Document as DocumentType

__all__ = ["Document"]


@dataclass(frozen=True)
class Document(BaseChunker):
    """One chunk a document, without a limit.

    Args:
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
    """

    name = "document"
    always = ()

    def pieces(self, document: DocumentType) -> Iterator[Piece]:
        """The text from its first visible line to its last visible character."""
        start, end = trim_lines(document.text, 0, len(document.text))
        if start < end:
            yield start, end, (), ()
