"""Where the rows of a version come from: documents that are read, cut and embedded.

What makes them is a `Producer`. The one here does it in this process, one document after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from chunkwise.errors import ChunkerError, ChunkwiseError, CorpusError
from chunkwise.readers.clean import clean
from chunkwise.ship.records import Record, make_records
from chunkwise.ship.searching import Asking
from chunkwise.types import Candidate, Chunk, Corpus

if TYPE_CHECKING:
    from chunkwise.ship.stores.base import Matrix

__all__ = ["TOGETHER", "Base", "InProcess", "Producer", "Rows", "cut", "embed", "together"]

Progress = Callable[[str, int, int], None]
TOGETHER: Final = 2_000
"""Chunks that are held, embedded and written together."""


class Rows(NamedTuple):
    """Some rows that are written together."""

    records: Sequence[Record]
    """The chunks."""
    vectors: Matrix | None
    """Their vectors, one row each; None without dense search."""
    embedded: int
    """How many texts were embedded for them now."""
    documents: Mapping[str, tuple[str, int]]
    """Digest and number of chunks of the documents that were cut since the rows before."""


@dataclass(frozen=True, slots=True)
class Base:
    """The rows of the served version that a new one begins with."""

    vectors: Callable[[Sequence[str]], Mapping[str, Any]] | None = None
    """Gives the vectors of chunks that stayed as they were, by id."""
    stale: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By changed document the ids of the chunks that it had."""


class Producer(Protocol):
    """What makes rows."""

    def rows(self, docs: Sequence[str], base: Base, tell: Progress, /) -> Iterator[Rows]:
        """The rows of some documents, in their order.

        Args:
            docs: ids of documents.
            base: what the served version has.
            tell: told `cut` and `embed`.

        Raises:
            ChunkwiseError: names the document, or the model.
        """
        ...

    def forget(self) -> None:
        """The version is served: what was kept for going on after an interruption can go."""
        ...


class InProcess:
    """Reads, cuts and embeds here and now."""

    def __init__(
        self, corpus: Corpus, candidate: Candidate, asking: Asking, digests: Mapping[str, str]
    ) -> None:
        """Nothing is done before rows are asked for.

        Args:
            corpus: the documents.
            candidate: how they are cleaned and cut.
            asking: what embeds them, and knows the words of BM25.
            digests: by document, as they were when the ship began.
        """
        self.corpus, self.candidate, self.asking, self.digests = corpus, candidate, asking, digests

    def rows(self, docs: Sequence[str], base: Base, tell: Progress, /) -> Iterator[Rows]:
        """One document after the other, some thousand chunks at a time."""
        waiting: list[tuple[Record, Chunk]] = []
        documents: dict[str, tuple[str, int]] = {}
        for done, doc in enumerate(docs, 1):
            made = cut(self.corpus, doc, self.digests[doc], self.candidate, self.asking)
            documents[doc] = (self.digests[doc], len(made))
            waiting += made
            tell("cut", done, len(docs))
            while len(waiting) >= TOGETHER:
                yield self._embedded(waiting[:TOGETHER], base, documents, tell)
                waiting, documents = waiting[TOGETHER:], {}
        if waiting or documents:
            yield self._embedded(waiting, base, documents, tell)

    def forget(self) -> None:
        """Nothing was kept."""

    def _embedded(
        self,
        waiting: Sequence[tuple[Record, Chunk]],
        base: Base,
        documents: Mapping[str, tuple[str, int]],
        tell: Progress,
    ) -> Rows:
        wanted = [record.id for record, _ in waiting] if self.asking.dense is not None else []
        held = base.vectors(wanted) if base.vectors is not None and wanted else {}
        vectors, embedded = embed(self.asking, waiting, held, tell)
        return Rows([record for record, _ in waiting], vectors, embedded, documents)


def together(rows: Iterable[Rows]) -> Iterator[Rows]:
    """The same rows, as many together as `InProcess` gives together."""
    import numpy as np

    records: list[Record] = []
    vectors: list[Matrix] = []
    documents: dict[str, tuple[str, int]] = {}
    embedded = 0

    def first(count: int) -> Rows:
        nonlocal records, vectors, documents, embedded
        matrix = np.concatenate(vectors) if vectors else None
        made = Rows(records[:count], None if matrix is None else matrix[:count], embedded, documents)
        records, documents, embedded = records[count:], {}, 0
        vectors = [] if matrix is None else [matrix[count:]]
        return made

    for some in rows:
        records += some.records
        documents |= some.documents
        embedded += some.embedded
        if some.vectors is not None:
            vectors.append(some.vectors)
        while len(records) >= TOGETHER:
            yield first(TOGETHER)
    if records or documents:
        yield first(len(records))


def cut(
    corpus: Corpus, doc: str, digest: str, candidate: Candidate, asking: Asking
) -> list[tuple[Record, Chunk]]:
    """The chunks of one document, and what a store holds of them.

    Raises:
        CorpusError: it is another document than it was when the ship began.
        ChunkerError: the chunker fails on it, or two of its chunks have one id.
    """
    document = corpus[doc]
    if document.digest != digest:
        raise CorpusError(f"{doc} changed while it was shipped; ship again")
    cleaned = clean(document, candidate.clean) if candidate.clean else None
    try:
        chunks = candidate.chunker(cleaned or document)
    except ChunkwiseError:
        raise
    except Exception as error:
        raise ChunkerError(candidate.cut, doc, f"{type(error).__name__}: {error}") from error
    words = asking.words if asking.lexical is not None else None
    made = make_records(document, chunks, words, cleaned)
    if len({record.id for record in made}) < len(made):
        raise ChunkerError(candidate.cut, doc, "two chunks have one id: the same text and the same number")
    return list(zip(made, chunks, strict=True))


def embed(
    asking: Asking, waiting: Sequence[tuple[Record, Chunk]], held: Mapping[str, Any], tell: Progress
) -> tuple[Matrix | None, int]:
    """Vectors of some chunks, and how many texts were embedded for them.

    Args:
        asking: with the embedder.
        waiting: the chunks.
        held: vectors that are there already, by chunk id; others come from the cache, or are made.
        tell: told `embed`.
    """
    import numpy as np

    if asking.dense is None or not waiting:
        return None, 0
    tell("embed", 0, len(waiting))
    texts = [chunk.indexed for record, chunk in waiting if record.id not in held]
    filled = asking.embedder.fill(texts, progress=tell)
    made = iter(asking.embedder.embed(texts)) if texts else iter(())
    vectors = [
        np.asarray(held[record.id], dtype=np.float32) if record.id in held else next(made)
        for record, _ in waiting
    ]
    return np.stack(vectors), filled.embedded
