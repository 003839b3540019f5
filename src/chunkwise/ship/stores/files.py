"""JSON Lines and Parquet in a folder, for whatever else takes rows: versions and a pointer, and no search."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from chunkwise.errors import MissingExtra, StoreError
from chunkwise.ship.manifest import Manifest
from chunkwise.ship.records import COLUMNS, PLACE, Place, Record
from chunkwise.ship.stores.base import Features, told
from chunkwise.ship.stores.folder import FolderStore

if TYPE_CHECKING:
    from chunkwise.index import Bm25
    from chunkwise.ship.stores.base import Matrix

__all__ = ["JsonLinesStore", "ParquetStore"]

_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


class _Files(FolderStore):
    """What both have in common: a folder a version, with parts that are never changed."""

    ending: str

    def __init__(self, path: str) -> None:
        """Name the folder; nothing is made."""
        super().__init__(path, "./out")
        self.features = Features(searches=False)

    def create(self, manifest: Manifest, dimension: int, base: str | None, /) -> None:
        """An empty folder, or copies of another one's parts."""
        del dimension
        folder = self._rows(manifest.version)
        if folder.exists():
            raise StoreError(
                self.spec, f"there is a folder {folder.name!r} that no version knows; move it away"
            )
        self.save(manifest)
        with told(self.spec, "making a folder"):
            if base is not None:
                shutil.copytree(self._rows(base), folder, copy_function=self.link)
            else:
                folder.mkdir()

    def remove(self, version: str, docs: Sequence[str], /) -> None:
        """Write the parts that hold rows of these documents anew, without them."""
        gone = set(docs)
        for part in self._parts(version):
            with told(self.spec, "removing documents"):
                rows = list(self._read(part))
                kept = [row for row in rows if row["doc"] not in gone]
                if len(kept) < len(rows):
                    beside = part.with_suffix(".part")
                    self._write(beside, kept)
                    beside.replace(part)

    def write(self, version: str, records: Sequence[Record], vectors: Matrix | None, /) -> None:
        """Add a part."""
        number = len(self._parts(version))
        path = self._rows(version) / f"part-{number:05d}{self.ending}"
        rows = [
            {**record._asdict(), **({} if vectors is None else {"vector": vectors[i].tolist()})}
            for i, record in enumerate(records)
        ]
        with told(self.spec, "writing"):
            self._write(path, rows)

    def finish(self, version: str, /) -> None:
        """Nothing is indexed."""

    def drop(self, version: str, /) -> None:
        """Delete the folder, then the manifest."""
        self.erase(version, self._rows(version))

    def view(self, version: str, /) -> FilesView:
        """The parts of a version."""
        self._parts(version)
        return FilesView(self, version)

    def rows(self, version: str) -> Iterator[dict[str, Any]]:
        """All rows."""
        for part in self._parts(version):
            with told(self.spec, f"reading {part.name}"):
                rows = list(self._read(part))
            yield from rows

    def _rows(self, version: str) -> Path:
        return self.path / version

    def _parts(self, version: str) -> list[Path]:
        if not self._rows(version).is_dir():
            raise StoreError(self.spec, f"the rows of {version} are gone; ship again, or roll back")
        return sorted(self._rows(version).glob(f"part-*{self.ending}"))

    def _read(self, path: Path) -> Iterator[dict[str, Any]]:
        raise NotImplementedError

    def _write(self, path: Path, rows: Sequence[dict[str, Any]]) -> None:
        raise NotImplementedError


class JsonLinesStore(_Files):
    """A row a line, in UTF-8, as `jsonl:FOLDER` names it."""

    kind, ending = "jsonl", ".jsonl"

    def prepare(self) -> None:
        """See that the folder is one."""
        self.check_folder()

    def _read(self, path: Path) -> Iterator[dict[str, Any]]:
        with path.open(encoding="utf-8", newline="\n") as file:
            yield from map(json.loads, file)

    def _write(self, path: Path, rows: Sequence[dict[str, Any]]) -> None:
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False).translate(_LINE_ENDS) + "\n")


class ParquetStore(_Files):
    """Parquet files, as `parquet:FOLDER` names it."""

    kind, ending = "parquet", ".parquet"

    def prepare(self) -> None:
        """See that the library is there and that the folder is one."""
        _parquet()
        self.check_folder()

    def _read(self, path: Path) -> Iterator[dict[str, Any]]:
        yield from _parquet().read_table(path).to_pylist()

    def _write(self, path: Path, rows: Sequence[dict[str, Any]]) -> None:
        import pyarrow

        columns = [*COLUMNS, *(["vector"] if rows and "vector" in rows[0] else [])]
        table = pyarrow.table({name: [row[name] for row in rows] for name in columns})
        if "vector" in columns:
            vectors = table["vector"].cast(pyarrow.list_(pyarrow.float32()))
            table = table.set_column(columns.index("vector"), "vector", vectors)
        _parquet().write_table(table, path)


class FilesView:
    """The rows of a version; they can be read and not searched."""

    def __init__(self, store: _Files, version: str) -> None:
        self.version = version
        self._store = store

    def count(self) -> int:
        """Number of rows."""
        return sum(1 for _ in self._store.rows(self.version))

    def dense(self, vector: Any, k: int, exact: bool, /) -> list[tuple[str, float]]:
        """Nothing: files are not searched."""
        del vector, k, exact
        return []

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """Nothing: files are not searched."""
        del words, k, bm25
        return []

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Rows by id."""
        wanted = set(ids)
        return {
            row["id"]: Record(**{name: row[name] for name in COLUMNS})
            for row in self._store.rows(self.version)
            if row["id"] in wanted
        }

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id."""
        wanted = set(ids)
        rows = self._store.rows(self.version)
        return {row["id"]: row["vector"] for row in rows if row["id"] in wanted and "vector" in row}

    def rows(self, names: Sequence[str], /) -> Iterator[tuple[Any, ...]]:
        """All rows, some columns."""
        return (tuple(row[name] for name in names) for row in self._store.rows(self.version))

    def places(self) -> Iterator[Place]:
        """All rows, few columns."""
        return cast("Iterator[Place]", self.rows(PLACE))


def _parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError as error:
        raise MissingExtra("parquet:", "parquet") from error
    return pyarrow.parquet
