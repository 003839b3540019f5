"""LanceDB in a folder: a table a version, and a pointer that is replaced in one step.

Files of a table are never changed once they are written, so that a new version begins as a copy of the
served one by hard links, which costs neither time nor room.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from chunkwise.errors import MissingExtra, StoreError
from chunkwise.ship import arrow
from chunkwise.ship.manifest import Manifest
from chunkwise.ship.records import COLUMNS, PLACE, Place, Record
from chunkwise.ship.stores.base import PREFIX, Features, told
from chunkwise.ship.stores.folder import FolderStore

if TYPE_CHECKING:
    from chunkwise.index import Bm25
    from chunkwise.ship.stores.base import Matrix

__all__ = ["LanceStore"]

M, EF_CONSTRUCT, EF = 16, 100, 50
"""HNSW: neighbours of a point, candidates while building, candidates while searching."""
EXACT_BELOW = 20_000
"""Up to so many chunks no graph is built: looking at all of them takes a few milliseconds."""
_GRAPH: Final = 4_096
"""Rows of one graph. One graph of many chunks that resemble each other falls into islands that a search never
comes to (of 135,000 chunks of manuals 4 in 10 of the nearest were found); several small ones do not."""
_BATCH: Final = 4096  # rows in one write
_PARTS: Final = 16  # of a table behind those that are indexed: one for each version since
_NEW: Final = 0.02  # share of the rows that is not in an index, above which it is built anew
_SLACK: Final = 1e-4  # more than the error of a cosine in 32 bits
_FRAGMENT: Final = 1 << 20  # rows of the parts that LanceDB makes when it puts them together


class LanceStore(FolderStore):
    """Versions in a folder, as `lancedb:PATH` names it."""

    kind = "lancedb"

    def __init__(self, path: str, exact_below: int = EXACT_BELOW) -> None:
        """Name the folder; nothing is opened or made.

        Args:
            path: the folder.
            exact_below: up to so many chunks are searched without a graph.
        """
        super().__init__(path, "./index")
        self.features = Features(searches=True)
        self._exact_below = exact_below
        self._db: Any = None
        self._opening = threading.Lock()

    def prepare(self) -> None:
        """See that the library is there and that the folder is one."""
        _library()
        self.check_folder()

    def create(self, manifest: Manifest, dimension: int, base: str | None, /) -> None:
        """An empty table, or hard links to the files of another one."""
        table = self._table_folder(manifest.version)
        if table.exists():
            raise StoreError(
                self.spec, f"there is a table {table.stem!r} that no version knows; move it out of the folder"
            )
        self.save(manifest)
        with told(self.spec, "making a table"):
            if base is not None:
                shutil.copytree(self._table_folder(base), table, copy_function=self.link)
            else:
                self._connect().create_table(table.stem, schema=arrow.schema(dimension))

    def remove(self, version: str, docs: Sequence[str], /) -> None:
        """Delete the rows of documents."""
        table = self._open(version)
        for start in range(0, len(docs), 500):
            names = ", ".join("'" + doc.replace("'", "''") + "'" for doc in docs[start : start + 500])
            with told(self.spec, "removing documents"):
                table.delete(f"doc IN ({names})")

    def write(self, version: str, records: Sequence[Record], vectors: Matrix | None, /) -> None:
        """Add rows, some thousand at a time."""
        table = self._open(version)
        for start in range(0, len(records), _BATCH):
            part = slice(start, start + _BATCH)
            with told(self.spec, "writing"):
                table.add(arrow.table(records[part], None if vectors is None else vectors[part]))

    def finish(self, version: str, /) -> None:
        """Index ids, words and vectors. A copied table keeps the indexes that it has, as they are.

        New rows are few then, and each search looks at all of them. When they are not few any more, all is
        put together and indexed anew. LanceDB's own way to take them in, `optimize`, builds all graphs again.
        """
        kinds = _library().index
        table = self._open(version)
        with told(self.spec, "building indexes"):
            count = table.count_rows()
            if not count:
                return
            present = {column: index.name for index in table.list_indices() for column in index.columns}
            if _is_worn(table, count, present.values()):
                for name in present.values():
                    table.drop_index(name)
                present = {}
            if not present:
                # Nobody reads a version that is being built: what was written before the parts were put
                # together is not needed any more. Other versions have links of their own to these files.
                table.optimize(cleanup_older_than=timedelta(milliseconds=1))
            if "id" not in present:
                table.create_index("id", config=kinds.BTree())
            if "words" not in present and table.count_rows("words <> ''"):
                config = kinds.FTS(
                    base_tokenizer="whitespace",
                    with_position=False,
                    lower_case=False,
                    stem=False,
                    remove_stop_words=False,
                    ascii_folding=False,
                    max_token_length=None,
                )
                table.create_index("words", config=config)
            if "vector" in table.schema.names and "vector" not in present and count > self._exact_below:
                graph = kinds.HnswSq(
                    distance_type="cosine",
                    num_partitions=_graphs(count),
                    m=M,
                    ef_construction=EF_CONSTRUCT,
                )
                table.create_index("vector", config=graph)

    def drop(self, version: str, /) -> None:
        """Delete the table, then the manifest."""
        self.erase(version, self._table_folder(version))

    def view(self, version: str, /) -> LanceView:
        """The table of a version."""
        table = self._open(version)
        with told(self.spec, f"opening {version}"):
            indexed = {column for index in table.list_indices() for column in index.columns}
            graphs = _graphs(table.count_rows()) if "vector" in indexed else 0
            return LanceView(self.spec, version, table, graphs, "words" in indexed)

    def _table_folder(self, version: str) -> Path:
        return self.path / f"{PREFIX}{version}.lance"

    def _connect(self) -> Any:
        with self._opening:
            if self._db is None:
                with told(self.spec, "opening the folder"):
                    self._db = _library().connect(str(self.path))
            return self._db

    def _open(self, version: str) -> Any:
        if not self._table_folder(version).exists():
            raise StoreError(self.spec, f"the table of {version} is gone; ship again, or roll back")
        with told(self.spec, f"opening {version}"):
            return self._connect().open_table(f"{PREFIX}{version}")


class LanceView:
    """One table, opened for reading."""

    def __init__(self, spec: str, version: str, table: Any, graphs: int, words: bool) -> None:
        self.version = version
        self._spec, self._table, self._graphs, self._words = spec, table, graphs, words

    def count(self) -> int:
        """Number of rows."""
        with told(self._spec, "counting"):
            return int(self._table.count_rows())

    def dense(self, vector: Any, k: int, exact: bool, /) -> list[tuple[str, float]]:
        """The nearest rows; their cosines are computed again from the stored vectors."""
        return self._dense([vector], k, exact)[0]

    def dense_all(self, vectors: Matrix, k: int, exact: bool, /) -> list[list[tuple[str, float]]]:
        """The same for many vectors: without a graph the table is then read once, not once for each."""
        return self._compared(vectors, k) if exact else self._dense(list(vectors), k, False)

    def _compared(self, vectors: Matrix, k: int) -> list[list[tuple[str, float]]]:
        """The nearest of all rows to each of some vectors.

        Each part of the table is held against all of them at once. LanceDB, which takes one vector after the
        other, takes several times as long.
        """
        import numpy as np

        asked = np.asarray(vectors, dtype=np.float32)
        ids: list[str] = []
        least = np.full(len(asked), -np.inf)
        whose, rows = np.zeros((2, 0), dtype=np.int64)
        scores = np.zeros(0)
        with told(self._spec, "searching"):
            for part in self._table.search().select(["id", "vector"]).limit(None).to_batches(_BATCH):
                held = arrow.matrix(part)
                rough = asked @ held.T
                rough[:, ~held.any(axis=1)] = -np.inf
                if not ids and len(held) > k:
                    least = np.partition(rough, len(held) - k, axis=1)[:, len(held) - k].astype(np.float64)
                # 32 bits say which may be among the best, 64 bits how good they are.
                own, near = np.nonzero((rough > -np.inf) & (rough >= least[:, None] - _SLACK))
                found = np.einsum("ij,ij->i", asked[own].astype(np.float64), held[near].astype(np.float64))
                whose, rows = np.concatenate((whose, own)), np.concatenate((rows, near + len(ids)))
                scores = np.concatenate((scores, found))
                order = np.lexsort((-scores, whose))
                first = np.searchsorted(whose[order], np.arange(len(asked) + 1))
                rank = np.arange(len(order)) - first[whose[order]]
                kept = order[rank < k]
                whose, rows, scores = whose[kept], rows[kept], scores[kept]
                full = np.flatnonzero(np.diff(first) >= k)
                least[full] = scores[np.searchsorted(whose, full, side="right") - 1]
                ids += part["id"].to_pylist()
        nearest: list[list[tuple[str, float]]] = [[] for _ in asked]
        for question, row, score in zip(whose.tolist(), rows.tolist(), scores.tolist(), strict=True):
            nearest[question].append((ids[row], score))
        return nearest

    def _dense(self, vectors: list[Any], k: int, exact: bool) -> list[list[tuple[str, float]]]:
        import numpy as np

        with told(self._spec, "searching"):
            asked = vectors if len(vectors) > 1 else vectors[0]
            query = self._table.search(asked).distance_type("cosine").select(["id", "vector", "_distance"])
            if exact or not self._graphs:
                query = query.bypass_vector_index()
            else:
                near = (self._graphs + 1) // 2  # graphs that are searched
                query = query.nprobes(near).ef(max(EF, 2 * k)).refine_factor(2)
            rows = query.limit(k).to_arrow()
        found: list[list[tuple[str, float]]] = [[] for _ in vectors]
        if not rows.num_rows:
            return found
        whose = (
            rows["query_index"].to_numpy() if len(vectors) > 1 else np.zeros(rows.num_rows, dtype=np.int64)
        )
        held = arrow.matrix(rows)
        own = np.asarray(vectors, dtype=np.float64)[whose]
        scores = (held.astype(np.float64) * own).sum(axis=1)
        for number, id, score in zip(whose.tolist(), rows["id"].to_pylist(), scores.tolist(), strict=True):
            found[number].append((id, score))
        return found

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """BM25 over the words, with the constants of LanceDB."""
        del bm25
        if not words or not self._words:
            return []
        with told(self._spec, "searching"):
            query = _library().query.MatchQuery(" ".join(words), "words")
            found = self._table.search(query, query_type="fts").select(["id", "_score"]).limit(k).to_arrow()
        return list(zip(found["id"].to_pylist(), found["_score"].to_pylist(), strict=True))

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Rows by id."""
        return {row["id"]: Record(**row) for row in self._rows(ids, list(COLUMNS))}

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id."""
        return {row["id"]: row["vector"] for row in self._rows(ids, ["id", "vector"])}

    def rows(self, names: Sequence[str], /) -> Iterator[tuple[Any, ...]]:
        """All rows, some columns."""
        with told(self._spec, "reading back"):
            for batch in self._table.search().select(list(names)).limit(None).to_batches(_BATCH):
                yield from zip(*(batch[name].to_pylist() for name in names), strict=True)

    def places(self) -> Iterator[Place]:
        """All rows, few columns."""
        return cast("Iterator[Place]", self.rows(PLACE))

    def _rows(self, ids: Sequence[str], names: list[str]) -> Iterator[dict[str, Any]]:
        for start in range(0, len(ids), 1000):
            listed = ", ".join(f"'{id}'" for id in ids[start : start + 1000])
            with told(self._spec, "reading rows"):
                query = self._table.search().where(f"id IN ({listed})").select(names)
                yield from query.limit(len(ids)).to_list()


def _library() -> Any:
    os.environ.setdefault("LANCE_LOG", "error")  # its own warnings are about itself
    os.environ.setdefault("LANCE_INCLUDE_VECTOR_CENTROIDS", "false")  # of a graph's figures: not needed
    try:
        import filelock  # noqa: F401
        import lancedb
        import lancedb.index
        import lancedb.query
    except ImportError as error:
        raise MissingExtra("lancedb:", "lancedb") from error
    return lancedb


def _graphs(count: int) -> int:
    """Graphs of a table of so many rows."""
    return -(-count // _GRAPH)


def _is_worn(table: Any, count: int, indexes: Iterable[str]) -> bool:
    """Whether so much was added to a table since its indexes were built that they are better built anew."""
    whole = -(-count // _FRAGMENT)
    parts = table.stats()["fragment_stats"]["num_fragments"] - whole
    new = max((table.index_stats(name).num_unindexed_rows for name in indexes), default=0)
    return bool(parts >= _PARTS or new > _NEW * count)
