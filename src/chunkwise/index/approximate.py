"""Approximate search by an HNSW graph (usearch), and what it loses against exact search.

Source: Malkov and Yashunin (2020), Efficient and Robust Approximate Nearest Neighbor Search Using
Hierarchical Navigable Small World Graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chunkwise.errors import MissingExtra, SettingError
from chunkwise.types import IntArray

if TYPE_CHECKING:
    from chunkwise.index.dense import Dense
    from chunkwise.index.embedders.base import Matrix
    from chunkwise.index.nearest import DenseRetriever


class Loss(NamedTuple):
    """What an approximate search gives up, and what it saves, over some questions."""

    questions: int
    """How many were asked."""
    k: int
    """How many chunks were asked for."""
    recall: float
    """Mean share of the k chunks of the exact search that the approximate one returns too."""
    p50_ms: float
    """Median time of an approximate search, in milliseconds, the question's vector at hand."""
    p99_ms: float
    """99th percentile of the same."""
    exact_p50_ms: float
    """Median time of an exact search, in milliseconds."""
    bytes: int
    """Size of the graph with its vectors, as it is saved."""
    build_seconds: float
    """Time to build it, by one thread."""

    def to_dict(self, settings: Dense) -> dict[str, Any]:
        """As `DenseRetriever.approximate_figures` gives it: what differs from run to run is in `seconds`."""
        return {
            "questions": self.questions,
            "k": self.k,
            "recall": self.recall,
            "bytes": self.bytes,
            "m": settings.m,
            "ef_construct": settings.ef_construct,
            "ef": settings.ef,
            "seconds": {
                "p50": self.p50_ms / 1000,
                "p99": self.p99_ms / 1000,
                "exact_p50": self.exact_p50_ms / 1000,
                "build": self.build_seconds,
            },
        }


class Hnsw:
    """A graph over unit vectors. One thread builds it, so that it is the same each time."""

    def __init__(
        self,
        vectors: Matrix,
        *,
        m: int = 16,
        ef_construct: int = 100,
        ef: int = 50,
        leave: Sequence[int] | IntArray = (),
    ) -> None:
        """Build the graph.

        Args:
            vectors: one row each, of length 1; their numbers are those of the rows.
            m: neighbours of a point.
            ef_construct: candidates looked at while building.
            ef: candidates looked at while searching.
            leave: rows that are left out.

        Raises:
            MissingExtra: usearch is not installed.
        """
        need_usearch()
        from usearch.index import Index

        start = perf_counter()
        numbers = np.setdiff1d(np.arange(len(vectors)), np.asarray(leave, dtype=np.int64))
        self._index: Any = Index(
            ndim=max(1, vectors.shape[1]),
            metric="ip",
            dtype="f32",
            connectivity=m,
            expansion_add=ef_construct,
            expansion_search=ef,
        )
        if len(numbers):
            self._index.add(numbers.astype(np.uint64), vectors[numbers], threads=1)
        self.seconds = perf_counter() - start
        self._size = len(numbers)

    def __len__(self) -> int:
        """Number of points."""
        return self._size

    @property
    def bytes(self) -> int:
        """Its size as it is saved."""
        return int(self._index.serialized_length)

    def search(self, question: Matrix, count: int) -> IntArray:
        """Numbers of about the nearest `count` points, nearest first. Looks at max(ef, count) candidates."""
        if not self._size:
            return np.zeros(0, dtype=np.int64)
        found = self._index.search(question, min(count, self._size), threads=1)
        return np.asarray(found.keys, dtype=np.int64)


def need_usearch() -> None:
    """Raise `MissingExtra` where usearch is not installed."""
    if find_spec("usearch") is None:
        raise MissingExtra("search=hnsw", "ann")


def measure(retriever: DenseRetriever, questions: Sequence[str], k: int = 10) -> Loss:
    """What the graph of a retriever gives up against exact search.

    Args:
        retriever: with `search=hnsw`.
        questions: asked one after the other, each as both searches would be in use.
        k: chunks asked for.

    Raises:
        SettingError: no questions, or the retriever has no graph.
    """
    if retriever.settings.search != "hnsw":
        raise SettingError(f"{retriever.settings.spec} searches exactly; there is nothing to measure")
    if not questions:
        raise SettingError("the loss of an approximate search needs at least one question")
    vectors, graph = retriever.embedder.questions(questions), retriever.graph
    shares, times, exact_times = [], [], []
    for vector in vectors:
        start = perf_counter()
        found = graph.search(vector, k)
        middle = perf_counter()
        exact = retriever.exact(vector, k)
        exact_times.append(perf_counter() - middle)
        times.append(middle - start)
        shares.append(len(np.intersect1d(found, exact)) / len(exact) if len(exact) else 1.0)
    p50, p99 = np.percentile(times, [50, 99]) * 1000
    return Loss(
        len(questions),
        k,
        round(float(np.mean(shares)), 6),
        float(p50),
        float(p99),
        float(np.median(exact_times) * 1000),
        graph.bytes,
        graph.seconds,
    )
