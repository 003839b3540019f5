"""Search among vectors: the retriever behind `dense`.

The score of a chunk is the cosine of its vector and the question's. Search runs over 32-bit products, so many
questions at a time that their scores stay within 64 MB; whatever could be among the best is scored again in
64-bit numbers, row by row, so that a score depends on its two vectors alone: not on the number of chunks, nor
on the machine's matrix library.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.types import FloatArray, IntArray

if TYPE_CHECKING:
    from chunkwise.index.approximate import Hnsw
    from chunkwise.index.dense import Dense
    from chunkwise.index.embedders.base import Matrix

_ROUNDED = 6
_SLACK = 1e-5  # far above what a 32-bit product of unit vectors can be off by
_CELLS = 1 << 24  # scores that are held at once: 64 MB
_ROWS = 1 << 8  # rows that are turned into 64-bit numbers at once: they stay in the processor's cache


class Facts(NamedTuple):
    """What embedding the chunks of one candidate came to."""

    model: str
    """Name of the model."""
    dimension: int
    """Numbers in a vector; 0 where there is no chunk."""
    window: int | None
    """Tokens that the model reads at most, where that is known."""
    chunks: int
    """Number of chunks."""
    distinct: int
    """Different texts among them: what must be embedded."""
    known: int
    """How many of these had a vector before: from an earlier run, or another candidate of this one."""
    embedded: int
    """How many of these were embedded for this candidate."""
    characters: int
    """Characters of all chunks, prefixes included."""
    cut: int
    """Chunks that are longer than the window; -1 where the model does not say."""
    unseen: int
    """Characters of these that no vector sees; -1 where the model does not say."""
    tokens: int
    """Tokens of all chunks, whole; -1 where the model does not say."""
    blank: int
    """Chunks without a vector: no word of theirs is known to the model. They are never found."""
    bytes: int
    """Size of the vectors in 32-bit numbers, and of the graph where there is one."""


class DenseRetriever:
    """Searches the chunks of one candidate by their vectors."""

    def __init__(
        self, settings: Dense, digests: Sequence[bytes], characters: int = 0, embedded: int = 0
    ) -> None:
        """Find the vectors.

        Args:
            settings: model and search.
            digests: of the texts of the chunks, in their order.
            characters: of all chunks.
            embedded: how many texts were embedded for it.
        """
        self.settings = settings
        self.embedder = settings.embedder
        self._digests = digests
        self._vectors: Matrix | None = None
        self._graph: Hnsw | None = None
        kept = self.embedder.kept(digests, vectors=False) if len(digests) else None
        dimension = 0 if kept is None else int(kept.vectors.shape[1])
        # A chunk without a vector is never found, not even by a question that is the opposite of all others.
        blank = self.embedder.model.blank
        self._blank: IntArray = np.flatnonzero(~self.vectors.any(axis=1)) if blank else np.zeros(0, np.int64)
        # Many rows wait to be searched: their vectors are read one row after the other.
        self.release()
        distinct = len(set(digests))
        said = kept is not None and bool((kept.tokens >= 0).all())
        self.facts = Facts(
            self.embedder.name,
            dimension,
            self.embedder.window,
            len(digests),
            distinct,
            distinct - embedded,
            embedded,
            characters,
            int((kept.unseen > 0).sum()) if kept is not None and said else -1,
            int(kept.unseen.sum()) if kept is not None and said else -1,
            int(kept.tokens.sum()) if kept is not None and said else -1,
            len(self._blank),
            len(digests) * dimension * 4,
        )
        if settings.search == "hnsw":
            _ = self.graph
            self.release()

    def __len__(self) -> int:
        """Number of chunks searched."""
        return len(self._digests)

    @property
    def vectors(self) -> Matrix:
        """One unit vector a chunk, in the order of the chunks."""
        if self._vectors is None:
            empty = np.zeros((0, 0), dtype=np.float32)
            self._vectors = self.embedder.kept(self._digests).vectors if len(self) else empty
        return self._vectors

    @property
    def unseen(self) -> IntArray | None:
        """For each chunk the characters at its end that no vector sees; None where the model does not say."""
        if self.facts.cut < 0 or not len(self):
            return None
        return np.maximum(self.embedder.kept(self._digests, vectors=False).unseen, 0)

    @property
    def tokens(self) -> IntArray | None:
        """For each chunk the tokens of what is embedded, special ones included; None where the model does not
        say.
        """
        if self.facts.tokens < 0 or not len(self):
            return None
        return self.embedder.kept(self._digests, vectors=False).tokens

    @property
    def graph(self) -> Hnsw:
        """The graph of `search=hnsw`, built when it is first asked for."""
        if self._graph is None:
            from chunkwise.index.approximate import Hnsw

            s = self.settings
            self._graph = Hnsw(self.vectors, m=s.m, ef_construct=s.ef_construct, ef=s.ef, leave=self._blank)
            self.facts = self.facts._replace(bytes=self._graph.bytes)
        return self._graph

    def release(self) -> None:
        """Give the memory of the vectors back; they are read again when they are needed."""
        self._vectors = None

    def search(self, question: str, depth: int, /) -> tuple[IntArray, FloatArray]:
        """Numbers and scores of the best `depth` chunks, best first.

        Scores are cosines rounded to 1e-6 before they are sorted; ties go to the lower number. Chunks of any
        score are returned, also below 0.

        Raises:
            SettingError: `depth` is below 1.
        """
        return self.search_all([question], depth)[0]

    def search_all(self, questions: Iterable[str], depth: int) -> list[tuple[IntArray, FloatArray]]:
        """`search` for many questions: embedded together, and compared with each block of chunks together."""
        if depth < 1:
            raise SettingError(f"the depth of a search must be at least 1, got {depth}")
        asked = list(questions)
        if not asked or not len(self):
            return [(np.zeros(0, dtype=np.int64), np.zeros(0)) for _ in asked]
        vectors = self.embedder.questions(asked)
        if vectors.shape[1] != self.facts.dimension:
            raise SettingError(
                f"{self.settings.spec}: vectors of questions have {vectors.shape[1]} numbers, "
                f"those of chunks {self.facts.dimension}"
            )
        if self.settings.search == "hnsw":
            return [self._best(v, self.graph.search(v, depth), depth) for v in vectors]
        step = max(1, _CELLS // len(self))
        found = []
        for start in range(0, len(asked), step):
            part = vectors[start : start + step]
            for vector, promising in zip(part, self._promising(part, depth), strict=True):
                found.append(self._best(vector, promising, depth))
        return found

    def exact(self, question: Matrix, depth: int) -> IntArray:
        """Numbers of the best `depth` chunks for a vector, by exact search, whatever the settings say."""
        return self._best(question, self._promising(question[None], depth)[0], depth)[0]

    def approximate_figures(self, questions: Sequence[str], k: int = 10) -> dict[str, Any] | None:
        """What approximate search gives up against exact search, and what it saves.

        Returns:
            None where search is exact, or there is nothing to ask. Else what is the same in every run: number
            of `questions`, `k`, `recall` (mean share of the k chunks of the exact search that the approximate
            one finds too), `bytes` of the graph, its settings `m`, `ef_construct` and `ef`; and in `seconds`
            what is not: `p50` and `p99` of an approximate search, `exact_p50` of an exact one (the vector of
            the question at hand), and `build` of the graph by one thread.
        """
        if self.settings.search != "hnsw" or not len(self) or not questions:
            return None
        from chunkwise.index.approximate import measure

        return measure(self, questions, k).to_dict(self.settings)

    def _promising(self, questions: Matrix, depth: int) -> list[IntArray]:
        """For each question all chunks that can be among its best `depth`; blank ones are left out."""
        if len(self) <= depth:
            return [np.setdiff1d(np.arange(len(self)), self._blank)] * len(questions)
        scores = questions @ self.vectors.T
        scores[:, self._blank] = -np.inf
        found = []
        for row in scores:
            last = np.partition(row, len(row) - depth)[len(row) - depth]
            found.append(np.flatnonzero((row >= last - _SLACK) & (row > -np.inf)))
        return found

    def _best(self, question: Matrix, numbers: IntArray, depth: int) -> tuple[IntArray, FloatArray]:
        """The best of some chunks, by 64-bit scores."""
        if not question.any():
            # No word of the question is known to the model.
            return np.zeros(0, dtype=np.int64), np.zeros(0)
        numbers = np.sort(numbers)
        wide = question.astype(np.float64)
        scores = np.empty(len(numbers))
        for start in range(0, len(numbers), _ROWS):
            rows = self.vectors[numbers[start : start + _ROWS]].astype(np.float64)
            # Not a matrix product: the sum of one row has the same order whatever stands around it.
            scores[start : start + _ROWS] = np.einsum("ij,j->i", rows, wide)
        # Adding 0 turns -0 into 0.
        scores = np.round(scores, _ROUNDED) + 0.0
        order = np.lexsort((numbers, -scores))[:depth]
        return numbers[order], scores[order]
