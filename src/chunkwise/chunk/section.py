"""`section`: one chunk a section, each with the chunk of the section above it as parent."""

from __future__ import annotations

from dataclasses import dataclass

from chunkwise.chunk.base import setting
from chunkwise.chunk.heading import Heading
from chunkwise.chunk.structural import read_levels, show_levels
from chunkwise.structure import parse_markdown
from chunkwise.types import Chunk, Document

__all__ = ["Section"]


@dataclass(frozen=True)
class Section(Heading):
    """One chunk a section at the chosen levels; deeper headings stay inside. A section over the limit is
    cut by blocks. `Chunk.parent` is the first chunk of the nearest section above.

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
        levels: Heading levels that begin a section of their own.
        context: What happens to a context that takes more than half of the size: `shorten` it, outermost
            title first, with a mark; `strict` makes it an error.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
    """

    name = "section"

    levels: tuple[int, ...] = setting((1, 2, 3), read_levels, show_levels)
    """Heading levels that begin a section of their own."""

    def __call__(self, document: Document | str, /) -> list[Chunk]:
        """Cut, then link each chunk to the first chunk of the section above its own."""
        if isinstance(document, str):
            document = Document("text.md", document, parse_markdown)
        chunks = super().__call__(document)
        sections = document.sections
        first: dict[int, str] = {}
        linked = []
        for chunk in chunks:
            above = sections.parent[self._own(document, chunk.section)]
            while above >= 0 and above not in first:
                above = sections.parent[above]
            linked.append(chunk._replace(parent=first[above]) if above in first else chunk)
            if chunk.span is not None:
                for number in range(sections.at(chunk.span.start), chunk.section + 1):
                    own = self._own(document, number)
                    if own not in first:
                        first[own] = chunk.id
        return linked

    def _own(self, document: Document, number: int) -> int:
        """The section at the chosen levels that a section stands in."""
        sections = document.sections
        while number > 0 and sections.level[number] not in self.levels:
            number = sections.parent[number]
        return max(number, 0)
