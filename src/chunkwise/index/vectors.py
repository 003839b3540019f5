"""Vectors of texts, kept across runs: one SQLite file that two runs may write at once.

A vector is found by what it depends on and nothing else: the digest of the exact text that the model was
given (prefix included), and a key that names the model, the digest of its files, and its settings. Rows are
only ever added or deleted. What one transaction has written is there after a `kill -9`; of one that was not
finished, nothing is.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import sqlite3
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwise.errors import ModelError, SettingError
from chunkwise.files import ENV
from chunkwise.types import IntArray

_FILE = "vectors-1.sqlite3"
_AT_ONCE = 400  # texts named in one statement; old builds of SQLite allow 999 parameters
_PATIENCE = 60.0  # seconds that a write waits for another run's
_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE, name TEXT NOT NULL, dimension INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS texts (
    model INTEGER NOT NULL, digest BLOB NOT NULL, vector INTEGER NOT NULL,
    tokens INTEGER NOT NULL, unseen INTEGER NOT NULL, day INTEGER NOT NULL,
    PRIMARY KEY (model, digest)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
"""

Matrix = npt.NDArray[np.float32]


class Kept(NamedTuple):
    """What is known of some texts, in their order."""

    vectors: Matrix
    """One row a text."""
    tokens: IntArray
    """Tokens of each text as the model counts them, special ones included; -1 where it does not say."""
    unseen: IntArray
    """Characters at the end of each text that are beyond the model's window; -1 where it does not say."""


class CachedModel(NamedTuple):
    """What the cache holds of one model with one set of settings."""

    name: str
    """The model's name."""
    key: str
    """What its vectors depend on, as JSON."""
    vectors: int
    """How many."""
    bytes: int
    """Their size, without the room that the index takes."""
    dimension: int
    """Numbers in a vector."""
    last_used: str
    """Day on which a run last met one of them, as YYYY-MM-DD."""


class CacheInfo(NamedTuple):
    """What the cache holds."""

    path: str
    """The file."""
    bytes: int
    """Size on disk."""
    models: tuple[CachedModel, ...]
    """By name."""
    temporary: bool = False
    """Whether it ends with this process, as nothing shall be kept."""


class Pruned(NamedTuple):
    """What was deleted."""

    vectors: int
    """How many."""
    bytes: int
    """How much smaller the file became."""


def digest_of(text: str) -> bytes:
    """Digest of an exact text: BLAKE2b of its UTF-8, 16 bytes."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class Vectors:
    """The cache. Instances may be used by several threads, and their file by several processes."""

    def __init__(self, folder: Path | None) -> None:
        """Open the cache of a folder, made where it is missing.

        Args:
            folder: None keeps vectors for this process only, in a temporary file.

        Raises:
            SettingError: the folder cannot be written, or what is in it is no cache.
        """
        self._lock = threading.RLock()
        self._ids: dict[str, int] = {}
        self.temporary = folder is None
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="chunkwise-"))
            atexit.register(self._remove, folder, os.getpid())
        self.path = folder / _FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = self._open()
            weakref.finalize(self, self._database.close)
        except (OSError, sqlite3.Error) as error:
            raise SettingError(
                f"the cache of vectors at {self.path} cannot be used ({error}); name a folder that can be "
                f"written with {ENV}=FOLDER, switch the cache off with {ENV}=off, or delete the file"
            ) from None

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(
            self.path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            database.execute("PRAGMA auto_vacuum = INCREMENTAL")
            # Readers and one writer at once. On a file system without shared memory the answer is another
            # mode, which is as safe and slower.
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = NORMAL")
            with _transaction(database):
                for statement in _SCHEMA.split(";"):
                    database.execute(statement)
        except BaseException:
            database.close()
            raise
        return database

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._database.close()

    def known(self, key: str, digests: Iterable[bytes]) -> set[bytes]:
        """Those of some texts that have a vector. They count as used today."""
        wanted = list(dict.fromkeys(digests))
        found: set[bytes] = set()
        with self._lock:
            model = self._model(key)
            if model is None:
                return found
            stale: list[bytes] = []
            today = _today()
            for part, marks in _parts(wanted):
                rows = self._database.execute(
                    f"SELECT digest, day FROM texts WHERE model = ? AND digest IN ({marks})", (model, *part)
                )
                for digest, day in rows:
                    found.add(digest)
                    if day != today:
                        stale.append(digest)
            self._touch(model, stale, today)
        return found

    def get(self, key: str, digests: Sequence[bytes], *, vectors: bool = True) -> Kept:
        """What is known of texts, in their order, repeated as they come.

        Args:
            key: of the model.
            digests: of the texts.
            vectors: False leaves the matrix empty (it has its rows and columns, and no memory).

        Raises:
            KeyError: one of them has no vector.
        """
        places: dict[bytes, int] = {}
        for digest in digests:
            places.setdefault(digest, len(places))
        found = 0
        with self._lock:
            model = self._model(key)
            shape = (len(places), self._dimension(model) if model is not None else 0)
            matrix = np.empty(shape, dtype=np.float32) if vectors else np.broadcast_to(np.float32(0), shape)
            counts = np.full((len(places), 2), -1, dtype=np.int64)
            column, table = ("v.vector", "JOIN vectors AS v ON v.id = texts.vector") if vectors else ("0", "")
            for part, marks in _parts(list(places) if model is not None else []):
                rows = self._database.execute(
                    f"SELECT digest, tokens, unseen, {column} FROM texts {table} "
                    f"WHERE model = ? AND digest IN ({marks})",
                    (model, *part),
                )
                for digest, tokens, unseen, blob in rows:
                    place = places[digest]
                    counts[place] = tokens, unseen
                    if vectors:
                        matrix[place] = np.frombuffer(blob, dtype="<f4")
                    found += 1
        if found < len(places):
            raise KeyError(f"{len(places) - found} of {len(places)} texts have no vector")
        if len(places) == len(digests):
            return Kept(matrix, counts[:, 0], counts[:, 1])
        order = np.fromiter((places[digest] for digest in digests), np.int64, len(digests))
        wide = matrix[order] if vectors else np.broadcast_to(np.float32(0), (len(order), shape[1]))
        return Kept(wide, counts[order, 0], counts[order, 1])

    def add(
        self,
        key: str,
        name: str,
        digests: Sequence[bytes],
        vectors: Matrix,
        tokens: Iterable[int],
        unseen: Iterable[int],
    ) -> None:
        """Keep the vectors of texts; one that another run has added in the meantime is left as it is.

        Raises:
            ModelError: the vectors have another length than those that are kept for this model.
        """
        if not len(digests):
            return
        data = np.ascontiguousarray(vectors, dtype="<f4")
        today = _today()
        with self._lock, _transaction(self._database):
            self._database.execute(
                "INSERT OR IGNORE INTO models (key, name, dimension) VALUES (?, ?, ?)",
                (key, name, data.shape[1]),
            )
            self._ids.pop(key, None)
            model = self._model(key)
            assert model is not None
            kept = self._dimension(model)
            if kept != data.shape[1]:
                raise ModelError(
                    name,
                    f"gives vectors of {data.shape[1]} numbers, those in the cache have {kept}: another "
                    f"model answers to it; delete the old ones: chunkwise cache --prune --model {name}",
                )
            for digest, vector, n, m in zip(digests, data, tokens, unseen, strict=True):
                free = self._database.execute(
                    "INSERT OR IGNORE INTO texts VALUES (?, ?, 0, ?, ?, ?)",
                    (model, digest, int(n), int(m), today),
                ).rowcount
                if free:
                    number = self._database.execute(
                        "INSERT INTO vectors (vector) VALUES (?)", (vector.tobytes(),)
                    ).lastrowid
                    self._database.execute(
                        "UPDATE texts SET vector = ? WHERE model = ? AND digest = ?", (number, model, digest)
                    )

    def info(self) -> CacheInfo:
        """What is kept, by model."""
        with self._lock:
            rows = self._database.execute(
                "SELECT name, key, dimension, COUNT(digest), MAX(day) FROM models "
                "LEFT JOIN texts ON texts.model = models.id GROUP BY models.id ORDER BY name, key"
            ).fetchall()
        models = tuple(
            CachedModel(name, key, count, count * dimension * 4, dimension, _day(day or 0))
            for name, key, dimension, count, day in rows
        )
        return CacheInfo(str(self.path), self._bytes(), models, self.temporary)

    def prune(
        self, *, model: str | None = None, unused_days: int | None = None, everything: bool = False
    ) -> Pruned:
        """Delete vectors, and give their room back to the disk.

        Args:
            model: only those of models of this name.
            unused_days: only those that no run has met for so many days; 0 for all that were not met today.
            everything: must be given to delete all.

        Raises:
            SettingError: nothing says what to delete, or no model has that name.
        """
        if model is None and unused_days is None and not everything:
            raise SettingError("say what to prune: a model, a number of unused days, or everything")
        if unused_days is not None and unused_days < 0:
            raise SettingError(f"unused days must be at least 0, got {unused_days}")
        before = self._bytes()
        with self._lock:
            names = [row[0] for row in self._database.execute("SELECT DISTINCT name FROM models")]
            if model is not None and model not in names:
                raise SettingError(
                    f"no vectors of {model!r} in the cache (there are: {', '.join(sorted(names)) or 'none'})"
                )
            which, values = "1", list[Any]()
            if model is not None:
                which, values = "model IN (SELECT id FROM models WHERE name = ?)", [model]
            if unused_days is not None:
                which, values = f"{which} AND day < ?", [*values, _today() - unused_days]
            with _transaction(self._database):
                self._database.execute(
                    f"DELETE FROM vectors WHERE id IN (SELECT vector FROM texts WHERE {which})", values
                )
                gone = self._database.execute(f"DELETE FROM texts WHERE {which}", values).rowcount
                self._database.execute("DELETE FROM models WHERE id NOT IN (SELECT model FROM texts)")
            self._ids.clear()
            # One page a step: `execute` would take the first step only.
            self._database.executescript("PRAGMA incremental_vacuum")
            self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        return Pruned(gone, max(0, before - self._bytes()))

    def _remove(self, folder: Path, owner: int) -> None:
        """Delete a temporary cache; a forked process leaves its parent's alone."""
        if os.getpid() != owner:
            return
        self.close()
        for file in folder.glob("*"):
            file.unlink(missing_ok=True)
        with suppress(OSError):
            folder.rmdir()

    def _touch(self, model: int, digests: Sequence[bytes], today: int) -> None:
        """Note that texts were met today. Not worth waiting for another run, nor failing."""
        if not digests:
            return
        with suppress(sqlite3.OperationalError), _transaction(self._database):
            for part, marks in _parts(digests):
                self._database.execute(
                    f"UPDATE texts SET day = ? WHERE model = ? AND digest IN ({marks})", (today, model, *part)
                )

    def _model(self, key: str) -> int | None:
        found = self._ids.get(key)
        if found is None:
            row = self._database.execute("SELECT id FROM models WHERE key = ?", (key,)).fetchone()
            if row is None:
                return None
            found = self._ids[key] = int(row[0])
        return found

    def _dimension(self, model: int | None) -> int:
        row = self._database.execute("SELECT dimension FROM models WHERE id = ?", (model,)).fetchone()
        return int(row[0]) if row else 0

    def _bytes(self) -> int:
        total = 0
        for suffix in ("", "-wal"):
            with suppress(OSError):
                total += Path(f"{self.path}{suffix}").stat().st_size
        return total


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[None]:
    """All or nothing. Waits for another run's write first, so that it never has to give up half-way."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")


def _parts(digests: Sequence[bytes]) -> Iterator[tuple[Sequence[bytes], str]]:
    for start in range(0, len(digests), _AT_ONCE):
        part = digests[start : start + _AT_ONCE]
        yield part, ",".join("?" * len(part))


def _today() -> int:
    return int(time.time() // 86_400)


def _day(number: int) -> str:
    return time.strftime("%Y-%m-%d", time.gmtime(number * 86_400))
