"""`index_clean`: what is embedded and searched goes without Markdown's marks, what is shown stays the source.

Only `indexed` and `context` of a chunk change. Its place, its text and with them every hit are the same with
and without, so that two rows that differ in this setting differ in what is searched alone.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from chunkwise.structure.markdown import parse_markdown
from chunkwise.structure.marks import Unmarked, unmarked
from chunkwise.types import Chunk, Counter, Document

_PATH = "path"  # titles are plain already


class IndexCleaner:
    """Cleans what is indexed of the chunks of one document."""

    def __init__(self, document: Document, counter: Counter | None = None, size: int | None = None) -> None:
        """Take a document; one that is no Markdown has no marks.

        Args:
            document: what the chunks were cut from.
            counter: the unit of the size.
            size: the limit on `indexed`; None where there is none.
        """
        self._document, self._size = document, size
        # Fewer characters are never more characters; of other units a cleaned text can have more.
        self._counter = None if size is None or counter is None or counter.name == "chars" else counter
        self._unmarked: Unmarked | None = None
        self._known: dict[str, str] = {}

    def __call__(self, chunk: Chunk) -> Chunk:
        """The chunk with a cleaned `indexed` and `context`.

        Where nothing would be left of it, or the size would be passed, it stays as it is.
        """
        if self._document.parse is not parse_markdown:
            return chunk
        before = "".join(f"{text}\n" for _, text in chunk.context)
        body = chunk.indexed.removeprefix(before) if chunk.indexed.startswith(before) else chunk.indexed
        start, end = chunk.match
        if chunk.span is not None and body == self._document.text[start:end]:
            if self._unmarked is None:
                self._unmarked = unmarked(self._document.text)
            body = self._unmarked.between(start, end)
        else:
            body = unmarked(body).text.strip()
        if not body:
            return chunk
        context = tuple((kind, said) for kind, text in chunk.context if (said := self._plain(kind, text)))
        kept = context if chunk.indexed.startswith(before) else ()
        indexed = "\n".join([*(text for _, text in kept), body])
        if self._counter is not None and self._counter.count(indexed) > (self._size or 0):
            return chunk
        return chunk._replace(indexed=indexed, context=context)

    def _plain(self, kind: str, text: str) -> str:
        """A part of a context without its marks."""
        if kind == _PATH:
            return text
        if text not in self._known:
            self._known[text] = unmarked(text).text.strip()
        return self._known[text]


def clean_index(
    document: Document, chunks: Iterable[Chunk], counter: Counter | None = None, size: int | None = None
) -> list[Chunk]:
    """The chunks of a document with cleaned `indexed`, numbered anew among equals; see `IndexCleaner`."""
    clean = IndexCleaner(document, counter, size)
    seen: Tally[str] = Tally()
    cleaned: list[Chunk] = []
    for chunk in map(clean, chunks):
        cleaned.append(chunk._replace(number=seen[chunk.indexed]))
        seen[chunk.indexed] += 1
    return cleaned
