"""Chunkers: one a file, one table of them. A chunker never sees a question."""

from __future__ import annotations

from typing import Final

from chunkwise.chunk.base import BaseChunker, Piece
from chunkwise.chunk.document import Document as DocumentChunker
from chunkwise.chunk.fixed import Fixed
from chunkwise.chunk.heading import Heading
from chunkwise.chunk.page import Page
from chunkwise.chunk.paragraph import Paragraph
from chunkwise.chunk.recursive import Recursive
from chunkwise.chunk.section import Section as SectionChunker
from chunkwise.chunk.sentence import Sentence
from chunkwise.errors import UnknownName
from chunkwise.spec import parse
from chunkwise.types import Chunker

CHUNKERS: Final[dict[str, type[BaseChunker]]] = {
    "fixed": Fixed,
    "recursive": Recursive,
    "sentence": Sentence,
    "paragraph": Paragraph,
    "heading": Heading,
    "section": SectionChunker,
    "page": Page,
    "document": DocumentChunker,
}
"""The built-in chunkers by the name in their text form."""


def make_chunkers(text: str) -> list[Chunker]:
    """The chunkers of a text form, more than one where it sweeps a setting.

    >>> [c.spec for c in make_chunkers("fixed:size=300|600")]
    ['fixed:size=300', 'fixed:size=600']

    Raises:
        UnknownName: no such chunker or setting; the message has the nearest name and the list.
        SettingError: a value that cannot work.
    """
    made: list[Chunker] = []
    for spec in parse(text):
        if spec.name not in CHUNKERS:
            raise UnknownName("chunker", spec.name, CHUNKERS)
        made.append(CHUNKERS[spec.name].from_spec(spec))
    return made


__all__ = [
    "CHUNKERS",
    "BaseChunker",
    "DocumentChunker",
    "Fixed",
    "Heading",
    "Page",
    "Paragraph",
    "Piece",
    "Recursive",
    "SectionChunker",
    "Sentence",
    "make_chunkers",
]
