"""Several retrievers over the same chunks: what they have in common is built once.

A fusion needs the index of each of its halves, a reranker that of the retriever below it, and all of them
are usually rows of their own. BM25 with other weights needs no other index, nor does another search among
the same vectors. Where chunks are searched without their heading lines too, words are counted once for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from chunkwise.index.slices import Stripped
from chunkwise.index.words import Analyzer
from chunkwise.types import Chunk, Document


class Shelf:
    """The indexes of one way of cutting, for all retrievers that search its chunks.

    Retrievers that were `put` are found by their text form in what `finish` gives. Those that are made of
    others (`halves`, `join`) get the very retrievers that stand beside them.
    """

    def __init__(self, analyzers: dict[str, Analyzer] | None = None, *, twice: bool = False) -> None:
        """Begin with nothing.

        Args:
            analyzers: by kind of words; shared by all shelves of a comparison, so that the words of each
                document are found once. New ones are added to it.
            twice: whether there is a second index of the same chunks without some lines. Then documents are
                added with what leaves these out.
        """
        self._analyzers = {} if analyzers is None else analyzers
        self._twice = twice
        self._wanted: dict[str, Any] = {}
        self._indexers: dict[str, Any] = {}
        self._bare: dict[str, Any] = {}  # the second one, where an indexer does not make both
        self._keeps_texts = False
        self._texts: tuple[list[str], list[str]] = ([], [])
        self._size = 0

    def __len__(self) -> int:
        """Number of chunks added."""
        return self._size

    @property
    def indexers(self) -> list[Any]:
        """What is filled: one for each index that is really needed."""
        return [*self._indexers.values(), *self._bare.values()]

    @property
    def dense(self) -> list[Any]:
        """The indexers that embed."""
        return [part for indexer in self.indexers for part in getattr(indexer, "dense", ())]

    def put(self, retriever: Any) -> None:
        """Have a retriever built, before the first chunk is added. Equal ones are one."""
        self._wanted.setdefault(retriever.spec, retriever)
        self._open(retriever)

    def _open(self, retriever: Any) -> None:
        if _is_made_of_others(retriever):
            self._keeps_texts = self._keeps_texts or bool(getattr(retriever, "needs_texts", False))
            for half in retriever.halves:
                self._open(half)
        elif _index_of(retriever) not in self._indexers:
            words = getattr(retriever, "words", "unicode")
            analyzer = self._analyzers.setdefault(words, Analyzer(words))
            indexer = self._indexers[_index_of(retriever)] = retriever.indexer(analyzer)
            if self._twice and not hasattr(indexer, "add_twice"):
                self._bare[_index_of(retriever)] = retriever.indexer(analyzer)

    def add(self, document: Document, chunks: Sequence[Chunk], stripped: Stripped | None = None) -> None:
        """Add the chunks of one document, in their order; `stripped` leaves lines out of them."""
        for indexer in self._indexers.values():
            if stripped is not None and hasattr(indexer, "add_twice"):
                indexer.add_twice(document, chunks, stripped)
            else:
                indexer.add(document, chunks)
        if self._keeps_texts:
            self._texts[0].extend(chunk.indexed for chunk in chunks)
        if stripped is not None and (self._bare or self._keeps_texts):
            self._add_bare(stripped.document, stripped(chunks))
        self._size += len(chunks)

    def _add_bare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        for indexer in self._bare.values():
            indexer.add(document, chunks)
        if self._keeps_texts:
            self._texts[1].extend(chunk.indexed for chunk in chunks)

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add plain strings, each as one chunk."""
        listed = list(texts)
        for indexer in self._indexers.values():
            indexer.add_texts(listed)
        if self._keeps_texts:
            self._texts[0].extend(listed)
        self._size += len(listed)

    def settle(self) -> None:
        """See that no chunk waits to be indexed. All shelves of a comparison settle before one finishes."""
        for indexer in self.indexers:
            if hasattr(indexer, "settle"):
                indexer.settle()

    def finish(self, *, bare: bool = False) -> dict[str, Any]:
        """The retrievers that were put, by their text form; with `bare` those of the second index.

        Raises:
            ModelError: a model fails. What is embedded is kept, and the next run goes on from there.
        """
        built: dict[str, Any] = {}
        return {spec: self._built(retriever, built, bare) for spec, retriever in self._wanted.items()}

    def _built(self, retriever: Any, built: dict[str, Any], bare: bool) -> Any:
        spec = retriever.spec
        if spec not in built:
            if _is_made_of_others(retriever):
                parts = [self._built(half, built, bare) for half in retriever.halves]
                built[spec] = retriever.join(*parts, texts=self._texts[bare])
            else:
                built[spec] = self._finished(_index_of(retriever), retriever, bare)
        return built[spec]

    def _finished(self, index: str, retriever: Any, bare: bool) -> Any:
        indexer = self._indexers[index]
        if bare and index not in self._bare:
            return indexer.finish_for(retriever, bare=True)
        indexer = self._bare[index] if bare else indexer
        return indexer.finish_for(retriever) if hasattr(indexer, "finish_for") else indexer.finish()


class JoinedIndexer:
    """Collects chunks for one retriever that is made of others."""

    def __init__(self, settings: Any, analyzer: Analyzer | None = None) -> None:
        self.settings = settings
        self._shelf = Shelf(None if analyzer is None else {analyzer.words: analyzer})
        self._shelf.put(settings)

    def __len__(self) -> int:
        """Number of chunks added."""
        return len(self._shelf)

    @property
    def dense(self) -> list[Any]:
        """The indexers in it that embed."""
        return self._shelf.dense

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Add the chunks of one document, in their order."""
        self._shelf.add(document, chunks)

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add plain strings, each as one chunk."""
        self._shelf.add_texts(texts)

    def finish(self) -> Any:
        """The retriever over everything added."""
        return self._shelf.finish()[self.settings.spec]


def _is_made_of_others(retriever: Any) -> bool:
    return bool(getattr(retriever, "halves", ())) and hasattr(retriever, "join")


def _index_of(retriever: Any) -> str:
    """What tells the index of a retriever from others: its text form, without what only searching needs."""
    return str(getattr(retriever, "index_spec", retriever.spec))
