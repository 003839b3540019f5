"""`Chunk`: an exact slice of a document, and the string that is searched for it."""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

from chunkwise.types.span import Span


class Chunk(NamedTuple):
    """A piece of a document: `chunk.text == document.text[chunk.span.start:chunk.span.end]`, always."""

    doc: str
    """Id of the document."""
    span: Span | None
    """Its place in the document's text. None for a chunk of somebody else's chunker whose text is
    not found in the document: it takes its rank and is never a hit."""
    text: str
    """The slice of the source, character for character."""
    indexed: str
    """What is embedded and searched: the context, then the text of `match`, both without their marks where
    `index_clean` asks for that. Sizes limit this string."""
    match: Span
    """The part of the document that is indexed; equal to `span`, or smaller (small-to-big)."""
    context: tuple[tuple[str, str], ...] = ()
    """Pairs of kind and text that are indexed with the chunk and are no part of its slice: `path`,
    `item`, `fence`, `header`. Never scored as an answer, never shown as source."""
    path: tuple[str, ...] = ()
    """Titles of the headings that enclose it, outermost first; known whatever cut the chunk."""
    section: int = 0
    """Number of the section that holds its first visible character."""
    parent: str | None = None
    """Id of the chunk that stands above this one, for chunkers that make such a tree."""
    marks: tuple[str, ...] = ()
    """What is not as one would wish: `context shortened`, `cut in a grapheme`, `over the limit`,
    `cut inside a row`, `unplaced`."""
    chunker: str = ""
    """Text form of the chunker that made it."""
    number: int = 0
    """Its number among the chunks of the document that have the same indexed text, from 0."""

    @property
    def id(self) -> str:
        """Digest of document id, chunker, indexed text and `number`: an edit elsewhere changes no id."""
        key = f"{self.doc}\0{self.chunker}\0{self.number}\0{self.indexed}"
        return hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """The chunk as plain values for JSON; spans as `start` and `end` in code points of the text."""
        start, end = self.span if self.span is not None else (None, None)
        return {
            "id": self.id,
            "doc": self.doc,
            "start": start,
            "end": end,
            "text": self.text,
            "indexed": self.indexed,
            "match": list(self.match) if self.span is not None else None,
            "context": [list(part) for part in self.context],
            "path": list(self.path),
            "section": self.section,
            "parent": self.parent,
            "marks": list(self.marks),
        }
