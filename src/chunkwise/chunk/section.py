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
            linked.append(chunk._replace(parent=first.get(above)))
            if chunk.span is not None:
                for number in range(sections.at(chunk.span.start), chunk.section + 1):
                    first.setdefault(self._own(document, number), chunk.id)
        return linked

    def _own(self, document: Document, number: int) -> int:
        """The section at the chosen levels that a section stands in."""
        sections = document.sections
        while number > 0 and sections.level[number] not in self.levels:
            number = sections.parent[number]
        return max(number, 0)
