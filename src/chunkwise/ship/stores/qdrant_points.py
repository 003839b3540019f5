"""Points of Qdrant: how a record becomes one, how they are searched, and how they are read back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Final, Protocol

from chunkwise.errors import MissingExtra
from chunkwise.ship.records import COLUMNS, Record
from chunkwise.ship.stores.lance import EF

if TYPE_CHECKING:
    from chunkwise.index import Bm25

__all__ = ["BATCH", "BYTES", "QdrantView", "library", "parts", "payload_of", "point_id"]

BATCH: Final = 256
"""Points of one request."""
BYTES: Final = 8_000_000
"""Size of one request, well below the 32 MB that a server takes."""


class Asked(Protocol):
    """What gives a client in its turn."""

    def asked(self, doing: str) -> AbstractContextManager[Any]:
        """The client; what it raises becomes a `StoreError` that says what was being done."""
        ...


class QdrantView:
    """One collection, opened for reading."""

    def __init__(self, store: Asked, version: str, collection: str) -> None:
        self.version = version
        self._store, self._collection = store, collection

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
        rows = [(str(p.payload["id"]), np.asarray(p.vector, dtype=np.float64)) for p in points]
        return [(id, float(row @ asked)) for id, row in rows if row.any()]

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """Nothing: no words are sent to Qdrant."""
        del words, k, bm25
        return []

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Points by id, as records."""
        rows = self._retrieved(ids, False)
        return {payload["id"]: Record(**{name: payload[name] for name in COLUMNS}) for payload, _ in rows}

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id."""
        return {payload["id"]: vector for payload, vector in self._retrieved(ids, True)}

    def places(self) -> Iterator[tuple[str, str, int, int]]:
        """All points, few columns."""
        names, offset = ["id", "doc", "start", "end"], None
        while True:
            with self._store.asked("reading back") as client:
                points, offset = client.scroll(
                    self._collection, limit=2_000, offset=offset, with_payload=names
                )
            for point in points:
                payload = point.payload
                yield payload["id"], payload["doc"], payload["start"], payload["end"]
            if offset is None:
                return

    def _retrieved(self, ids: Sequence[str], vectors: bool) -> Iterator[tuple[dict[str, Any], Any]]:
        for start in range(0, len(ids), BATCH):
            wanted = [point_id(id) for id in ids[start : start + BATCH]]
            with self._store.asked("reading points") as client:
                points = client.retrieve(self._collection, wanted, with_payload=True, with_vectors=vectors)
            yield from ((point.payload, point.vector) for point in points)


def library() -> Any:
    """The client library. Raises `MissingExtra`."""
    try:
        import qdrant_client
    except ImportError as error:
        raise MissingExtra("qdrant:", "qdrant") from error
    return qdrant_client


def point_id(id: str) -> str:
    """The id of a point, which must be a UUID."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"chunkwise:{id}"))


def payload_of(record: Record) -> dict[str, Any]:
    """The columns, and the texts where readers of others look for them."""
    metadata = {
        "id": record.id,
        "doc": record.doc,
        "start": record.start,
        "end": record.end,
        "line": record.line,
        "last_line": record.last_line,
        **({"page": record.page} if record.page else {}),
        "path": json.loads(record.path),
    }
    return {**record._asdict(), "page_content": record.text, "metadata": metadata}


def parts(sizes: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Ranges of points that one request takes."""
    start = total = 0
    for i, size in enumerate(sizes):
        if i > start and (i - start >= BATCH or total + size > BYTES):
            yield start, i
            start, total = i, 0
        total += size
    if start < len(sizes):
        yield start, len(sizes)
