"""What is kept of chunks while documents are cut, so that some documents can be shown with their cuts."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TypeAlias

from chunkwise.measure.landmarks import Landmarks, landmarks
from chunkwise.text import language_of, sentence_ends
from chunkwise.types import Chunk, Document

__all__ = ["Kept", "Said"]

ASKED = 2_000_000
"""Characters of documents that golds name; of more only the first are kept."""
OTHERS = 200_000
"""Characters of other documents."""


Said: TypeAlias = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]
"""What a chunk says beside its text: its context and its marks. There are many, and plain tuples are what the
garbage collector soon looks at no more."""

_NOTHING: Said = ((), ())  # as most chunks: one for all of them


class Kept:
    """Some documents, and the context and marks of their chunks. A chunker may be slow or cost money: it is
    not asked again for what is shown.
    """

    def __init__(self, asked: Collection[str], wanted: bool = True) -> None:
        """Begin with nothing.

        Args:
            asked: ids of the documents that golds name; they come before others.
            wanted: whether anything is kept.
        """
        self.documents: dict[str, Document] = {}
        """By id, in the order of the corpus."""
        self.said: dict[tuple[int, str], tuple[Said, ...]] = {}
        """By number of the chunker and document id, for each chunk that has a place."""
        self._asked = asked
        self._ends: dict[str, Sequence[int] | None] = {}
        self._marks: dict[str, Landmarks] = {}
        self._last: dict[Document, Callable[[], Landmarks]] = {}
        self._room = {True: ASKED * wanted, False: OTHERS * wanted}

    def takes(self, document: Document) -> bool:
        """Whether there is room for a document; it is kept if there is."""
        kind, length = document.id in self._asked, len(document.text)
        if length > self._room[kind]:
            return False
        self._room[kind] -= length
        self.documents[document.id] = document
        self._ends.setdefault(document.text)
        return True

    def sentence_ends(self, document: Document) -> Sequence[int]:
        """The ends of a document's sentences; those of documents that are kept are found once."""
        text = document.text
        known = self._ends.get(text)
        if known is not None:
            return known
        found = array("q", sentence_ends(text, language_of(document)))
        if text in self._ends:
            self._ends[text] = found
        return found

    def hold(self, documents: Sequence[Document], marks: Landmarks) -> None:
        """Take the landmarks of some documents, in the place of those that were taken before."""
        kept = [(i, d) for i, d in enumerate(documents) if self.documents.get(d.id) is d]
        if kept:
            self._last = {d: partial(marks.of, i) for i, d in kept}

    def landmarks(self, document: Document) -> Landmarks:
        """The landmarks of a document that is shown as it was read, found once."""
        if document.id not in self._marks:
            held = self._last.get(document)
            self._marks[document.id] = landmarks([document], self.sentence_ends) if held is None else held()
        return self._marks[document.id]

    def add(self, number: int, doc: str, chunks: Sequence[Chunk]) -> None:
        """Take what a chunker, given by its number, made of a document that is kept."""
        said = [
            (chunk.context, chunk.marks) if chunk.context or chunk.marks else _NOTHING
            for chunk in chunks
            if chunk.span is not None
        ]
        self.said[number, doc] = tuple(said)
