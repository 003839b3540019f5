"""Points of Qdrant: how a record becomes one, and how many go into a request."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final, Protocol

from chunkwise.errors import MissingExtra
from chunkwise.ship.records import Record

__all__ = ["BATCH", "BYTES", "Asked", "dense_of", "library", "parts", "payload_of", "point_id"]

BATCH: Final = 256
"""Points of one request."""
BYTES: Final = 8_000_000
"""Size of one request, well below the 32 MB that a server takes."""


class Asked(Protocol):
    """What gives a client in its turn."""

    def asked(self, doing: str) -> AbstractContextManager[Any]:
        """The client; what it raises becomes a `StoreError` that says what was being done."""
        ...


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


def dense_of(vector: Any) -> Any:
    """The vector of the text, which has no name, from all those of a point; None where it has none."""
    return vector.get("") if isinstance(vector, dict) else vector


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
