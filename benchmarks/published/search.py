"""Chunks of a whole corpus in an index, and runs on it, made of the public parts of Chunkwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.published.cells import Value
from chunkwise.index import Analyzer, AnyRetriever, make_retrievers
from chunkwise.types import (
    Candidate,
    Chunk,
    Chunker,
    ChunkTable,
    Document,
    FloatArray,
    IntArray,
    Question,
    Ranking,
    Run,
    Span,
)

RETRIEVER = "bm25:words=ascii"
"""BM25 as the articles take it: k1 1.5, b 0.75, words [a-z0-9_]+ of the lower-cased text."""
Strip = Callable[[Document, Span], Span]


class Indexed:
    """The chunks of one chunker over some documents, ready to be searched."""

    def __init__(
        self, documents: Sequence[Document], chunker: Chunker, searched: AnyRetriever, analyzer: Analyzer
    ) -> None:
        self.documents, self.chunker, self.searched = documents, chunker, searched
        self.chunks: list[list[Chunk]] = []
        indexer: Any = searched.indexer(analyzer)
        for document in documents:
            found = chunker(document)
            indexer.add(document, found)
            self.chunks.append(found)
        self._retriever = indexer.finish()
        self._found: dict[tuple[str, int], tuple[IntArray, FloatArray]] = {}
        self._whole: ChunkTable | None = None

    def spans(self) -> Iterable[tuple[Document, list[Span]]]:
        """Each document with the places of its chunks."""
        for document, chunks in zip(self.documents, self.chunks, strict=True):
            yield document, [chunk.span for chunk in chunks if chunk.span is not None]

    def table(self, narrow: Strip | None = None) -> ChunkTable:
        """The chunks as columns in raw coordinates; what reading them costs is not asked here.

        Args:
            narrow: gives the span that a hit is judged by, for a chunk's span; the same if None.
        """
        rows = []
        for number, (document, chunks) in enumerate(zip(self.documents, self.chunks, strict=True)):
            for chunk in chunks:
                if chunk.span is None:
                    rows.append((number, -1, -1))
                    continue
                span = chunk.span if narrow is None else narrow(document, chunk.span)
                rows.append((number, *document.to_raw(span)))
        docs, starts, ends = np.array(rows, dtype=np.int64).reshape(-1, 3).T
        ids = tuple(document.id for document in self.documents)
        return ChunkTable(docs, starts, ends, np.zeros_like(docs), lambda chunks, _: ends[chunks], ids)

    def run(self, questions: Iterable[Question], depth: int, narrow: Strip | None = None) -> Run:
        """The best `depth` chunks for each question. A question's text is searched once."""
        asked = list(questions)
        new = [text for text in dict.fromkeys(q.text for q in asked) if (text, depth) not in self._found]
        for text, found in zip(new, self._retriever.search_all(new, depth), strict=True):
            self._found[text, depth] = found
        rankings = [Ranking(question.id, *self._found[question.text, depth]) for question in asked]
        settings: dict[str, object] = {"depth": depth}
        if self._whole is None:
            self._whole = self.table()
        table = self._whole if narrow is None else self.table(narrow)
        return Run(Candidate(self.chunker, self.searched.spec), table, rankings, settings)


def index_all(
    documents: Sequence[Document], chunkers: Iterable[tuple[str, Chunker]], retriever: str
) -> Mapping[str, Indexed]:
    """An index for each chunker, by name; the words of a document are found once for all of them."""
    (searched,) = make_retrievers(retriever)
    analyzer = Analyzer(getattr(searched, "words", "ascii"))
    return {name: Indexed(documents, chunker, searched, analyzer) for name, chunker in chunkers}


def percent(part: float, whole: float, digits: int = 2) -> Value:
    """A share in percent."""
    return round(100 * part / whole, digits) if whole else 0.0
