"""One version in Qdrant, opened for reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

from chunkwise.ship.records import COLUMNS, PLACE, Place, Record
from chunkwise.ship.stores.lance import EF
from chunkwise.ship.stores.qdrant_points import BATCH, Asked, dense_of, library, point_id
from chunkwise.ship.stores.qdrant_words import read_totals, search_words

if TYPE_CHECKING:
    from chunkwise.index import Bm25

__all__ = ["QdrantView"]


class QdrantView:
    """One collection, opened for reading."""

    def __init__(self, store: Asked, version: str, collection: str) -> None:
        """Open it.

        Args:
            store: gives the client.
            version: its name.
            collection: the one that holds its points.
        """
        self.version = version
        self._store, self._collection = store, collection
        self._totals = read_totals(store, collection)

    def count(self) -> int:
        """Number of points."""
        with self._store.asked("counting") as client:
            return int(client.count(self._collection, exact=True).count)

    def dense(self, vector: Any, k: int, exact: bool, /) -> list[tuple[str, float]]:
        """The nearest points; cosines are computed again from the stored vectors."""
        import numpy as np

        models = library().models
        params = models.SearchParams(hnsw_ef=max(EF, k), exact=exact)
        with self._store.asked("searching") as client:
            points = client.query_points(
                self._collection,
                query=vector.tolist(),
                limit=k,
                with_payload=["id"],
                with_vectors=True,
                search_params=params,
            ).points
        asked = np.asarray(vector, dtype=np.float64)
        rows = [(str(p.payload["id"]), np.asarray(dense_of(p.vector), dtype=np.float64)) for p in points]
        return [(id, float(row @ asked)) for id, row in rows if row.any()]

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """BM25 over the words, as it is measured: the same formula, with the same constants."""
        if self._totals is None or not words:
            return []
        return search_words(self._store, self._collection, self._totals, words, k, bm25)

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Points by id, as records."""
        rows = self._retrieved(ids, False)
        return {payload["id"]: Record(**{name: payload[name] for name in COLUMNS}) for payload, _ in rows}

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id."""
        rows = ((payload["id"], dense_of(vector)) for payload, vector in self._retrieved(ids, True))
        return {id: vector for id, vector in rows if vector is not None}

    def places(self) -> Iterator[Place]:
        """All points, few columns."""
        return cast("Iterator[Place]", self.rows(PLACE))

    def rows(self, names: Sequence[str], /) -> Iterator[tuple[Any, ...]]:
        """All points, some columns."""
        offset = None
        while True:
            with self._store.asked("reading back") as client:
                points, offset = client.scroll(
                    self._collection, limit=2_000, offset=offset, with_payload=list(names)
                )
            for point in points:
                yield tuple(point.payload[name] for name in names)
            if offset is None:
                return

    def _retrieved(self, ids: Sequence[str], vectors: bool) -> Iterator[tuple[dict[str, Any], Any]]:
        for start in range(0, len(ids), BATCH):
            wanted = [point_id(id) for id in ids[start : start + BATCH]]
            with self._store.asked("reading points") as client:
                points = client.retrieve(self._collection, wanted, with_payload=True, with_vectors=vectors)
            yield from ((point.payload, point.vector) for point in points)
