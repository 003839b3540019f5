"""Records and their vectors as tables of Arrow, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from chunkwise.ship.records import COLUMNS, NUMBERS, Record

if TYPE_CHECKING:
    from chunkwise.ship.stores.base import Matrix

__all__ = ["matrix", "schema", "table"]


def schema(dimension: int) -> Any:
    """The columns of a table; `dimension` is 0 without vectors."""
    import pyarrow as pa

    fields = [pa.field(name, pa.int64() if name in NUMBERS else pa.string()) for name in COLUMNS]
    if dimension:
        fields.append(pa.field("vector", pa.list_(pa.float32(), dimension)))
    return pa.schema(fields)


def table(records: Sequence[Record], vectors: Matrix | None) -> Any:
    """A row a record, in their order, with its vector where there are any."""
    import pyarrow as pa

    held = zip(*records, strict=True) if records else ((),) * len(COLUMNS)
    columns: dict[str, Any] = dict(zip(COLUMNS, held, strict=True))
    if vectors is not None:
        flat = pa.array(vectors.ravel(), pa.float32())
        columns["vector"] = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return pa.table(columns, schema=schema(0 if vectors is None else vectors.shape[1]))


def matrix(rows: Any) -> Any:
    """The vectors of a table or of a part of one, a row each."""
    column = rows["vector"]
    whole = column.combine_chunks() if hasattr(column, "combine_chunks") else column
    return whole.flatten().to_numpy().reshape(rows.num_rows, -1)
