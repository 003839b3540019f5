"""Where the cache of vectors is, what it holds, and how it is pruned."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from chunkwise.errors import SettingError
from chunkwise.files import ENV, cache_folder
from chunkwise.index.vectors import CachedModel, CacheInfo, Pruned, Vectors

__all__ = [
    "CacheInfo",
    "CachedModel",
    "Pruned",
    "cache_info",
    "faults",
    "open_vectors",
    "prune",
]


@contextmanager
def faults(vectors: Vectors) -> Iterator[None]:
    """What goes wrong with the file of a cache, as a `SettingError` with a remedy."""
    try:
        yield
    except sqlite3.Error as error:
        raise SettingError(
            f"the cache of vectors at {vectors.path} fails: {error}; free room on the disk, name another "
            f"folder with {ENV}=FOLDER, or delete the file"
        ) from None


_opened: dict[tuple[str, int], Vectors] = {}
_opening = Lock()


def open_vectors() -> Vectors:
    """The cache that `CHUNKWISE_CACHE` names now; opened once a process."""
    folder = cache_folder()
    place = (str(folder), os.getpid())
    if place not in _opened:
        with _opening:
            if place not in _opened:
                _opened[place] = Vectors(folder)
    return _opened[place]


def cache_info() -> CacheInfo:
    """What the cache holds."""
    vectors = open_vectors()
    with faults(vectors):
        return vectors.info()


def prune(*, model: str | None = None, unused_days: int | None = None, everything: bool = False) -> Pruned:
    """Delete vectors from the cache; see `Vectors.prune`."""
    vectors = open_vectors()
    with faults(vectors):
        return vectors.prune(model=model, unused_days=unused_days, everything=everything)
