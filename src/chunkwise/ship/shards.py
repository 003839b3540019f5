"""Shards: the rows of some documents in one Parquet file, which is there whole or not at all.

Which documents stand in a shard depends on their ids only, so that one more document changes one shard. The
name of a shard is a digest of everything that its rows depend on: a shard that is there is done.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final, NamedTuple

from chunkwise.errors import SettingError
from chunkwise.files import replaced
from chunkwise.ship import arrow
from chunkwise.ship.records import COLUMNS, Record
from chunkwise.ship.rows import Rows

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["MEAN", "Kept", "Shard", "kept", "plan", "read_held", "read_shard", "write_held", "write_shard"]

MEAN: Final = 128
"""Documents of a shard in the mean. It has at most four times as many."""
_NOTE: Final = b"chunkwise"  # the key of what a file says about itself
_HELD: Final = ".held.npz"


class Shard(NamedTuple):
    """Some documents whose rows stand in one file."""

    path: Path
    """The file."""
    docs: tuple[str, ...]
    """Ids of the documents, in their order."""

    @property
    def held(self) -> Path:
        """The file with vectors that its chunks have already."""
        return self.path.with_name(self.path.name + _HELD)


class Kept(NamedTuple):
    """What a finished shard says about itself."""

    rows: int
    """Number of chunks."""
    embedded: int
    """How many texts were embedded for them."""
    documents: Mapping[str, tuple[str, int]]
    """Digest and number of chunks of every document."""


def plan(
    docs: Sequence[str], digests: Mapping[str, str], recipe: object, folder: Path, mean: int = MEAN
) -> Iterator[Shard]:
    """The shards of some documents.

    Args:
        docs: ids of documents, in their order.
        digests: by document.
        recipe: everything else that rows depend on; it is told apart by its `repr`.
        folder: where shards are.
        mean: documents of a shard in the mean.
    """
    for part in _parts(docs, mean):
        named = hashlib.sha256(f"{recipe!r}\n".encode("utf-8", "surrogatepass"))
        for doc in part:
            named.update(f"{doc}\0{digests[doc]}\n".encode("utf-8", "surrogatepass"))
        yield Shard(folder / f"{named.hexdigest()[:40]}.parquet", part)


def _parts(docs: Sequence[str], mean: int) -> Iterator[tuple[str, ...]]:
    """A shard ends behind a document whose id has a digest that can be divided by the mean."""
    part: list[str] = []
    for doc in docs:
        part.append(doc)
        digest = hashlib.sha256(doc.encode("utf-8", "surrogatepass")).digest()
        if int.from_bytes(digest[:8]) % mean == 0 or len(part) >= 4 * mean:
            yield tuple(part)
            part = []
    if part:
        yield tuple(part)


def write_shard(path: Path, rows: Iterable[Rows]) -> Kept:
    """Write a shard: rows that come together are a row group, so that no more are held at once.

    Raises:
        SettingError: the file cannot be written.
    """
    from pyarrow import parquet

    coming = iter(rows)
    first = next(coming, Rows((), None, 0, {}))
    documents: dict[str, tuple[str, int]] = {}
    count = embedded = 0
    dimension = 0 if first.vectors is None else first.vectors.shape[1]
    with _placed(path) as file, parquet.ParquetWriter(file, arrow.schema(dimension)) as writer:
        for some in chain([first], coming):
            if some.records:
                writer.write_table(arrow.table(some.records, some.vectors), row_group_size=len(some.records))
            documents.update(some.documents)
            count, embedded = count + len(some.records), embedded + some.embedded
        told = {"rows": count, "embedded": embedded, "documents": documents}
        writer.add_key_value_metadata({_NOTE: json.dumps(told)})
    return Kept(count, embedded, documents)


def kept(path: Path) -> Kept | None:
    """What a shard says about itself; None where it is not there, or broken."""
    from pyarrow import parquet

    try:
        told = json.loads(parquet.read_metadata(path).metadata[_NOTE])
        documents = {doc: (str(entry[0]), int(entry[1])) for doc, entry in told["documents"].items()}
        return Kept(int(told["rows"]), int(told["embedded"]), documents)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError):
        return None  # pyarrow's own errors are ValueErrors and OSErrors


def read_shard(path: Path, embedded: int) -> Iterator[Rows]:
    """The rows of a shard, as many at once as were written at once.

    Args:
        path: the file.
        embedded: how many texts were embedded for it now; told with the first rows.

    Raises:
        SettingError: the file cannot be read.
    """
    from pyarrow import parquet

    found = kept(path)
    try:
        if found is None:
            raise OSError("it is not there, or broken")
        documents: Mapping[str, tuple[str, int]] = found.documents
        with parquet.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                yield Rows(*_rows(file.read_row_group(group)), embedded, documents)
                documents, embedded = {}, 0
        if documents:
            yield Rows((), None, embedded, documents)
    except (OSError, ValueError) as error:
        raise SettingError(
            f"the shard {path} cannot be read: {error}; name a folder that all machines see with --shards "
            "FOLDER, and ship again"
        ) from error


def write_held(path: Path, vectors: Mapping[str, Any]) -> None:
    """Keep vectors by chunk id for whoever makes a shard.

    Raises:
        SettingError: the file cannot be written.
    """
    import numpy as np

    with _placed(path) as file:
        matrix = np.asarray(list(vectors.values()), dtype=np.float32)
        np.savez(file, ids=np.array(list(vectors)), vectors=matrix)


def read_held(path: Path) -> Mapping[str, Any]:
    """What `write_held` kept; nothing where there is no file."""
    import numpy as np

    if not path.exists():
        return {}
    with np.load(path, allow_pickle=False) as file:
        return dict(zip(file["ids"].tolist(), file["vectors"], strict=True))


@contextmanager
def _placed(path: Path) -> Iterator[BinaryIO]:
    """A file that is there whole when the block ends, and a folder for it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replaced(path) as file:
            yield file
    except OSError as error:
        raise SettingError(
            f"{path} cannot be written: {error.strerror or error}; free room on the disk, or name another "
            "folder with --shards FOLDER"
        ) from error


def _rows(table: Any) -> tuple[list[Record], npt.NDArray[np.float32] | None]:
    records = list(map(Record, *(table[name].to_pylist() for name in COLUMNS)))
    if "vector" not in table.column_names:
        return records, None
    return records, arrow.matrix(table)
