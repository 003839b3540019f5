"""PostgreSQL with pgvector: a table a version in a schema of its own, and a view that a transaction replaces.

The view `chunks` of the schema is what others read: `id`, `doc`, `text`, `embedding`, `metadata`, and more.
LlamaIndex reads no table but one with names of its own; the view `data_chunks` has those.
"""

from __future__ import annotations

import queue
import selectors
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

from chunkwise.errors import StoreError
from chunkwise.ship.manifest import Manifest, is_version
from chunkwise.ship.records import COLUMNS, NUMBERS, PLACE, Place, Record
from chunkwise.ship.stores.base import Features, told
from chunkwise.ship.stores.lance import EF, EF_CONSTRUCT, M
from chunkwise.ship.stores.postgres_names import address, library, quoted
from chunkwise.ship.stores.postgres_rights import let_read, replace_views
from chunkwise.ship.stores.postgres_words import drop_words, has_words, index_words, search_words

if TYPE_CHECKING:
    from chunkwise.index import Bm25
    from chunkwise.ship.stores.base import Matrix

__all__ = ["PostgresStore"]

_NAMES: Final = {"start": "start_char", "end": "end_char"}  # words that SQL has for itself
_SQL: Final = [_NAMES.get(name, name) for name in COLUMNS]
_GRAPH: Final = 2_000  # numbers of a vector up to which pgvector builds a graph
_READ: Final = 4_096  # rows that are read at once
_JSON: Final = (
    "jsonb_build_object('doc', doc, 'start', start_char, 'end', end_char, 'line', line, "
    "'last_line', last_line, 'page', nullif(page, 0), 'path', path::jsonb, 'version', '{version}')"
)


class PostgresStore:
    """Versions in a schema, as `postgresql://user@host/database#schema` names it."""

    def __init__(self, url: str) -> None:
        """Name the database; nothing is opened.

        Args:
            url: of libpq; what stands behind `#` is the schema, `chunkwise` without it.

        Raises:
            SettingError: it is no address, or the schema cannot be one.
        """
        self._url, self.schema, self.spec, self.left_out = address(url)
        self.features = Features(searches=True, writers=4)
        self._locking: Any = None
        self._idle: queue.LifoQueue[Any] = queue.LifoQueue()
        weakref.finalize(self, _close, self._idle)

    @cached_property
    def quoted(self) -> str:
        """The schema as SQL takes it."""
        return quoted(self.schema)

    def prepare(self) -> None:
        """See that the server answers, has pgvector, and that the schema is ours or not there yet."""
        remedy = (
            "see that a server answers there, and that user, password and database are right; "
            "a password is read from PGPASSWORD too"
        )
        with told(self.spec, "connecting", remedy):
            self._connect().close()
        with self.asked("looking at the schema") as cursor:
            cursor.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'")
            if cursor.fetchone() is None:
                raise StoreError(self.spec, "the server has no extension 'vector'; install pgvector there")
            cursor.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = %s", [self.schema]
            )
            names = {row[0] for row in cursor.fetchall()}
            if names and "versions" not in names:
                raise StoreError(
                    self.spec, f"the schema {self.schema!r} was made by others; name another one behind #"
                )

    @contextmanager
    def lock(self, wait: float, /) -> Iterator[None]:
        """An advisory lock, which the server frees when the connection is gone."""
        until = time.monotonic() + wait
        with told(self.spec, "connecting"):
            connection = self._connect()
        try:
            while True:
                with told(self.spec, "locking"):
                    key = f"chunkwise {self.schema}"
                    row = connection.execute("SELECT pg_try_advisory_lock(hashtext(%s))", [key]).fetchone()
                if row[0]:
                    break
                if time.monotonic() >= until:
                    raise StoreError(
                        self.spec, "another ship is at work here; wait for its end, or give --wait SECONDS"
                    )
                time.sleep(0.1)
            remedy = (
                f"the user needs the right CREATE on the database, or a schema of its own: CREATE SCHEMA "
                f"{self.quoted} AUTHORIZATION its_name"
            )
            with self.asked("making the schema", remedy) as cursor:
                self._make(cursor)
            self._locking = connection
            yield
        finally:
            self._locking = None
            with suppress(Exception):  # a closed connection frees it too, a little later
                connection.execute("SELECT pg_advisory_unlock_all()")
            connection.close()

    def served(self) -> str | None:
        """Name of the version that the view shows."""
        if not self._is_made():
            return None
        with self.asked("asking what is served") as cursor:
            cursor.execute(f"SELECT version FROM {self.quoted}.served")
            row = cursor.fetchone()
        return None if row is None else str(row[0])

    def manifests(self) -> list[Manifest]:
        """All versions."""
        if not self._is_made():
            return []
        with self.asked("reading the manifests") as cursor:
            cursor.execute(f"SELECT version, manifest FROM {self.quoted}.versions")
            rows = cursor.fetchall()
        found = [Manifest.from_json(text, self.spec, name) for name, text in rows if is_version(name)]
        return sorted(found, key=lambda one: one.number)

    def create(self, manifest: Manifest, dimension: int, base: str | None, /) -> None:
        """An empty table, or one with the rows of another."""
        table = self._table(manifest.version)
        kinds = ["bigint" if name in NUMBERS else "text" for name in COLUMNS]
        columns = [f"{name} {kind} NOT NULL" for name, kind in zip(_SQL, kinds, strict=True)]
        if dimension:
            columns.append(f"embedding vector({dimension}) NOT NULL")
        with self.asked("looking at the tables") as cursor:
            cursor.execute("SELECT to_regclass(%s)", [table])
            if cursor.fetchone()[0] is not None:
                raise StoreError(
                    self.spec, f"there is a table {table} that no version knows; rename or drop it"
                )
        self.save(manifest)
        with self.asked("making a table") as cursor:
            cursor.execute(f"CREATE TABLE {table} ({', '.join(columns)})")
            if base is not None:
                cursor.execute(f"INSERT INTO {table} SELECT * FROM {self._table(base)}")

    def save(self, manifest: Manifest, /) -> None:
        """Insert or replace a manifest."""
        with self.asked("writing the manifest") as cursor:
            cursor.execute(
                f"INSERT INTO {self.quoted}.versions (version, manifest) VALUES (%s, %s) "
                "ON CONFLICT (version) DO UPDATE SET manifest = EXCLUDED.manifest",
                [manifest.version, manifest.to_json()],
            )

    def remove(self, version: str, docs: Sequence[str], /) -> None:
        """Delete the rows of documents."""
        with self.asked("removing documents") as cursor:
            cursor.execute(f"DELETE FROM {self._table(version)} WHERE doc = ANY(%s)", [list(docs)])

    def write(self, version: str, records: Sequence[Record], vectors: Matrix | None, /) -> None:
        """Stream rows in, in one transaction."""
        names = [*_SQL, *(["embedding"] if vectors is not None else [])]
        command = f"COPY {self._table(version)} ({', '.join(names)}) FROM STDIN"
        with self.asked("writing") as cursor, cursor.copy(command) as copy:
            for i, record in enumerate(records):
                own = [] if vectors is None else [_written(vectors[i])]
                copy.write_row([*record, *own])

    def finish(self, version: str, /) -> None:
        """Index ids, documents, and vectors by a graph."""
        table = self._table(version)
        with self.asked("building indexes") as cursor:
            cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
            cursor.execute(f"CREATE UNIQUE INDEX ON {table} (id)")
            cursor.execute(f"CREATE INDEX ON {table} (doc)")
            dimension = self._dimension(cursor, version)
            if 0 < dimension <= _GRAPH:
                cursor.execute(
                    f"CREATE INDEX ON {table} USING hnsw (embedding vector_cosine_ops) "
                    f"WITH (m = {M}, ef_construction = {EF_CONSTRUCT})"
                )
            cursor.execute(f"ANALYZE {table}")
            index_words(cursor, self.quoted, version)

    def switch(self, version: str, /) -> None:
        """Replace the view and the name of the version in one transaction."""
        table, metadata = self._table(version), _JSON.format(version=version)
        views = {"chunks": f"*, {metadata} AS metadata"}
        with self.asked("switching") as cursor:
            if self._dimension(cursor, version):
                views["data_chunks"] = (
                    f"hashtextextended(id, 0) AS id, id AS node_id, text, {metadata} AS metadata_, embedding"
                )
            replace_views(
                cursor, self.quoted, {name: f"{columns} FROM {table}" for name, columns in views.items()}
            )
            let_read(cursor, self.quoted, version)
            cursor.execute(f"DELETE FROM {self.quoted}.served")
            cursor.execute(f"INSERT INTO {self.quoted}.served (version) VALUES (%s)", [version])

    def drop(self, version: str, /) -> None:
        """Delete the table and the manifest."""
        with self.asked(f"deleting {version}") as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {self._table(version)}")
            drop_words(cursor, self.quoted, version)
            cursor.execute(f"DELETE FROM {self.quoted}.versions WHERE version = %s", [version])

    def view(self, version: str, /) -> PostgresView:
        """The table of a version."""
        with self.asked(f"opening {version}") as cursor:
            words = has_words(cursor, self.quoted, version)
            # Behind that, for it fails where the version was deleted in the meantime.
            dimension = self._dimension(cursor, version)
        return PostgresView(self, version, self._table(version), dimension, words)

    def _dimension(self, cursor: Any, version: str) -> int:
        """Numbers of a vector; 0 without vectors."""
        cursor.execute(
            "SELECT atttypmod FROM pg_attribute WHERE attrelid = %s::regclass AND attname = 'embedding'",
            [self._table(version)],
        )
        row = cursor.fetchone()
        return 0 if row is None else int(row[0])

    def _table(self, version: str) -> str:
        return f"{self.quoted}.chunks_{version}"

    def _is_made(self) -> bool:
        with self.asked("looking at the schema") as cursor:
            cursor.execute("SELECT to_regclass(%s)", [f"{self.quoted}.served"])
            return bool(cursor.fetchone()[0])

    def _make(self, cursor: Any) -> None:
        # One after the other: `IF NOT EXISTS` looks first, and fails where another schema's ship made the
        # extension in the meantime.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('chunkwise'))")
        # IF NOT EXISTS asks for the right to make schemas even where there is one.
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [self.schema])
        if cursor.fetchone() is None:
            cursor.execute(f"CREATE SCHEMA {self.quoted}")
        cursor.execute("CREATE EXTENSION IF NOT EXISTS vector")
        cursor.execute(
            f"CREATE TABLE IF NOT EXISTS {self.quoted}.versions "
            "(version text PRIMARY KEY, manifest text NOT NULL)"
        )
        cursor.execute(f"CREATE TABLE IF NOT EXISTS {self.quoted}.served (version text NOT NULL)")

    def _connect(self) -> Any:
        return library().connect(self._url, autocommit=True, connect_timeout=10)

    @contextmanager
    def asked(self, doing: str, remedy: str = "") -> Iterator[Any]:
        """A cursor of a connection that nobody else uses, in one transaction."""
        with told(self.spec, doing, remedy):
            if self._locking is not None and _is_broken(self._locking):
                raise StoreError(
                    self.spec, "the server has ended the connection that held the lock; ship again"
                )
            connection = self._open()
            try:
                with connection.transaction(), connection.cursor() as cursor:
                    yield cursor
            except BaseException:
                with suppress(Exception):
                    connection.close()
                raise
            self._idle.put(connection)

    def _open(self) -> Any:
        """A connection: an idle one that the server has not hung up on, else a new one."""
        with suppress(queue.Empty):
            while True:
                connection = self._idle.get_nowait()
                if not _is_broken(connection):
                    return connection
                connection.close()
        return self._connect()


class PostgresView:
    """One table, opened for reading."""

    def __init__(
        self, store: PostgresStore, version: str, table: str, dimension: int, has_words: bool
    ) -> None:
        self.version = version
        self._store, self._table, self._dimension = store, table, dimension
        self._has_words = has_words

    def count(self) -> int:
        """Number of rows."""
        with self._store.asked("counting") as cursor:
            cursor.execute(f"SELECT count(*) FROM {self._table}")
            return int(cursor.fetchone()[0])

    def dense(self, vector: Any, k: int, exact: bool, /) -> list[tuple[str, float]]:
        """The nearest rows; cosines are computed again from the stored vectors."""
        import numpy as np

        with self._store.asked("searching") as cursor:
            if exact:
                cursor.execute("SET LOCAL enable_indexscan = off")
            else:
                cursor.execute(f"SET LOCAL hnsw.ef_search = {min(1000, max(EF, k))}")
            cursor.execute(
                f"SELECT id, embedding::real[] FROM {self._table} "
                f"ORDER BY embedding <=> %s::vector({self._dimension}) LIMIT %s",
                [_written(vector), k],
            )
            rows = cursor.fetchall()
        asked = np.asarray(vector, dtype=np.float64)
        found = [(id, np.asarray(own, dtype=np.float64)) for id, own in rows]
        return [(id, float(own @ asked)) for id, own in found if own.any()]

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """BM25 over the words, as it is measured: the same formula, with the same constants."""
        if not words or not self._has_words:
            return []
        with self._store.asked("searching") as cursor:
            return search_words(cursor, self._store.quoted, self.version, words, k, bm25)

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Rows by id."""
        with self._store.asked("reading rows") as cursor:
            cursor.execute(f"SELECT {', '.join(_SQL)} FROM {self._table} WHERE id = ANY(%s)", [list(ids)])
            return {row[0]: Record(*row) for row in cursor.fetchall()}

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id."""
        if not self._dimension:
            return {}
        with self._store.asked("reading vectors") as cursor:
            cursor.execute(f"SELECT id, embedding::real[] FROM {self._table} WHERE id = ANY(%s)", [list(ids)])
            return dict(cursor.fetchall())

    def rows(self, names: Sequence[str], /) -> Iterator[tuple[Any, ...]]:
        """All rows, some columns; a part of them at a time."""
        columns = ", ".join(_NAMES.get(name, name) for name in names)
        with self._store.asked("reading back") as cursor:
            cursor.execute(f"DECLARE every NO SCROLL CURSOR FOR SELECT {columns} FROM {self._table}")
            while rows := cursor.execute(f"FETCH {_READ} FROM every").fetchall():
                yield from rows

    def places(self) -> Iterator[Place]:
        """All rows, few columns."""
        return cast("Iterator[Place]", self.rows(PLACE))


def _close(idle: queue.LifoQueue[Any]) -> None:
    """Close connections that nobody uses any more."""
    with suppress(queue.Empty):
        while True:
            idle.get_nowait().close()


def _is_broken(connection: Any) -> bool:
    """Whether an idle connection is of no use: the server says nothing there unless it ends it."""
    if connection.closed:
        return True
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))


def _written(vector: Any) -> str:
    return "[" + ",".join(map(repr, vector.tolist())) + "]"
