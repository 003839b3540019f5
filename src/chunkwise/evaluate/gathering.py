"""One pass over the corpus: every document is parsed once, cut by every chunker, and indexed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from chunkwise.errors import GoldenError
from chunkwise.evaluate.bare import Bare
from chunkwise.evaluate.budget import Reading, Words
from chunkwise.evaluate.kept import Kept
from chunkwise.evaluate.ledger import Cutting, Ledger, to_raw
from chunkwise.index import Analyzer, Shelf, fill, texts_of
from chunkwise.measure.landmarks import Landmarks, landmarks
from chunkwise.types import Chunk, Chunker, Corpus, Counter, Document, Retriever

Progress = Callable[[str, int, int], None]
_BATCH = 2_000_000  # characters whose landmarks are found together


class Indexing(Protocol):
    """A retriever before it has seen a chunk: a value with a text form."""

    @property
    def spec(self) -> str:
        """Its text form."""
        ...

    def indexer(self, analyzer: Any, /) -> Any:
        """Begin an index: `add(document, chunks)` per document, then `finish()` gives the retriever."""
        ...


class Clock:
    """Seconds by step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def start(self) -> None:
        """Begin to measure."""
        self._last = perf_counter()

    def stop(self, step: str) -> None:
        """Add the time since the last start or stop to a step."""
        now = perf_counter()
        self.seconds[step] = self.seconds.get(step, 0.0) + now - self._last
        self._last = now


@dataclass(slots=True)
class Gathered:
    """What one pass over the corpus left."""

    cuttings: list[Cutting]
    """By chunker."""
    retrievers: dict[tuple[int, str], Retriever]
    """By number of the chunker and text form of the retriever."""
    bare: dict[tuple[int, str], Retriever]
    """The same without heading lines in the index; empty where not asked for."""
    characters: int
    """Of all documents."""
    embedded: int = 0
    """Texts that were embedded in this run."""
    without_text: list[str] = field(default_factory=list)
    """Ids of documents without a visible character."""
    notices: list[str] = field(default_factory=list)
    """What is odd about documents: pages without text, columns side by side, a fence that is never closed."""
    texts: dict[str, Any] = field(default_factory=dict)
    """By model what the texts of all chunks are known by; see `index.texts_of`."""


def gather(
    corpus: Corpus,
    chunkers: Sequence[Chunker],
    wanted: Iterable[tuple[int, Indexing]],
    counter: Counter,
    *,
    places: Mapping[str, int],
    bare: bool,
    show_context: bool,
    analyzers: dict[str, Analyzer],
    clock: Clock,
    progress: Progress,
    cut_before: Mapping[tuple[int, str], Sequence[Chunk]],
    kept: Kept | None = None,
) -> Gathered:
    """Walk the corpus once.

    Args:
        corpus: the documents.
        chunkers: each cuts every document once.
        wanted: pairs of the number of a chunker and a retriever that searches its chunks.
        counter: the unit of budgets.
        places: the documents that golds name, with the furthest raw position that one of them needs.
        bare: whether to build a second index without the heading lines.
        show_context: whether a reader pays for context.
        analyzers: find words, by their kind; those that are needed are added.
        clock: takes the seconds.
        progress: told after each document.
        cut_before: chunks that are known already, by number of the chunker and document id.
        kept: takes what is to be shown of the chunks.
    """
    numbers = {doc: number for number, doc in enumerate(corpus.ids)}
    words = Words()
    ledgers = [
        Ledger(chunker, counter, Reading(counter, _Loader(corpus), words), show_context)
        for chunker in chunkers
    ]
    shelves = [Shelf(analyzers, twice=bare) for _ in chunkers]
    for number, retriever in wanted:
        shelves[number].put(retriever)
    result = Gathered([], {}, {}, 0)
    embedded_before = [embedded_to_cut(chunker) for chunker in chunkers]
    batch: list[Document] = []
    offset = first = 0

    def close() -> None:
        nonlocal batch, offset, first
        if not batch:
            return
        marks = landmarks(batch) if kept is None else landmarks(batch, kept.sentence_ends)
        if kept is not None:
            kept.hold(batch, marks)
        clock.stop("landmarks")
        for number, length in enumerate(np.diff(np.searchsorted(marks.visible.starts, _edges(marks)))):
            if not length:
                result.without_text.append(batch[number].id)
        _keep_words(words, batch, marks, first, {numbers[doc] for doc in places})
        for ledger in ledgers:
            ledger.close(first, batch, marks)
        clock.stop("boundaries")
        first += len(batch)
        batch, offset = [], 0

    clock.start()
    for done, document in enumerate(corpus, 1):
        _check_places(document, places)
        result.notices += map(str, document.notices)
        clock.stop("read")
        stripped = Bare(document) if bare else None
        keep = kept is not None and kept.takes(document)
        for number, chunker in enumerate(chunkers):
            chunks = cut_before.get((number, document.id))
            chunks = in_order(chunker(document)) if chunks is None else chunks
            clock.stop(f"chunk {number}")
            if kept is not None and keep:
                kept.add(number, document.id, chunks)
            ledgers[number].add(len(batch), offset, chunks)
            clock.stop("boundaries")
            shelves[number].add(document, chunks, stripped)
            clock.stop(f"index {number}")
        batch.append(document)
        offset += len(document.text) + 1
        result.characters += len(document.text)
        progress("cut and index", done, len(corpus))
        if offset > _BATCH:
            close()
    close()
    result.cuttings = [ledger.finish(corpus.ids) for ledger in ledgers]
    for cutting, chunker, before in zip(result.cuttings, chunkers, embedded_before, strict=True):
        after = embedded_to_cut(chunker)
        cutting.costs["cutting"] = {"texts": after[0] - before[0], "characters": after[1] - before[1]}
    clock.stop("boundaries")
    # Each distinct text once, whichever candidates have it; what is done stays in the cache.
    indexers = [indexer for shelf in shelves for indexer in shelf.indexers]
    result.embedded = fill(indexers, progress)
    result.texts = texts_of(indexers)
    clock.stop("embed")
    for number, shelf in enumerate(shelves):
        shelf.settle()
        clock.stop(f"index {number}")
    for number, shelf in enumerate(shelves):
        for finished, other in ((result.retrievers, False), (result.bare, True))[: 1 + bare]:
            finished.update(((number, spec), made) for spec, made in shelf.finish(bare=other).items())
        clock.stop(f"index {number}")
    return result


def embedded_to_cut(chunker: Chunker) -> tuple[int, int]:
    """How many texts, of how many characters, a chunker has had embedded so far to find its cuts.

    Chunkers that split by meaning tell it as `embedded`; others embed nothing.
    """
    texts, characters = getattr(chunker, "embedded", (0, 0))
    return int(texts), int(characters)


def in_order(chunks: Sequence[Chunk]) -> Sequence[Chunk]:
    """The chunks by start, those without a place last."""
    starts = [chunk.span[0] if chunk.span is not None else np.inf for chunk in chunks]
    if starts == sorted(starts):
        return chunks
    return sorted(chunks, key=lambda chunk: (chunk.span is None, chunk.span or ()))


class _Loader:
    """Gives documents by number; the last one is kept."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._last: tuple[int, Document] | None = None

    def __call__(self, number: int) -> Document:
        if self._last is None or self._last[0] != number:
            self._last = number, self._corpus[self._corpus.ids[number]]
        return self._last[1]


def _check_places(document: Document, places: Mapping[str, int]) -> None:
    """Refuse golds behind the end of their document: they would count as misses for ever."""
    needed = places.get(document.id, 0)
    read = document.source
    length = read.to_raw((0, len(read.text))).end
    if needed > length:
        raise GoldenError(
            f"{document.id}: a gold ends at {needed}, the document has {length} characters; "
            "anchor the golden set again"
        )


def _edges(marks: Landmarks) -> Any:
    """Where each document begins, and where the last one ends."""
    return np.append(marks.offsets, marks.offsets[-1] + marks.lengths[-1] + 1)


def _keep_words(
    words: Words, batch: Sequence[Document], marks: Landmarks, first: int, wanted: set[int]
) -> None:
    """Keep the ends of the words of those documents in which a budget may have to be cut."""
    held = [number for number in range(len(batch)) if number + first in wanted]
    if not held:
        return
    docs = np.searchsorted(marks.offsets, marks.words.starts, side="right") - 1
    chosen = np.isin(docs, held)
    docs = docs[chosen]
    _, ends = to_raw(batch, marks, docs, marks.words.starts[chosen], marks.words.ends[chosen])
    words.add([number + first for number in held], ((docs + first) << 40) + ends)
