"""Where the cache of vectors is, what it holds, and how it is pruned."""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from chunkwise.errors import SettingError
from chunkwise.index.vectors import ENV, CachedModel, CacheInfo, Pruned, Vectors

__all__ = [
    "CacheInfo",
    "CachedModel",
    "Pruned",
    "cache_folder",
    "cache_info",
    "faults",
    "open_vectors",
    "prune",
]


def cache_folder() -> Path | None:
    """The folder of the cache: `CHUNKWISE_CACHE`, else the user's cache folder; None where it is `off`."""
    named = os.environ.get(ENV, "").strip()
    if named:
        return None if named.lower() in ("off", "no", "0") else Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "chunkwise"


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


def open_vectors() -> Vectors:
    """The cache that `CHUNKWISE_CACHE` names now; opened once a process."""
    folder = cache_folder()
    place = (str(folder), os.getpid())
    if place not in _opened:
        _opened[place] = Vectors(folder)
    return _opened[place]


def cache_info() -> CacheInfo:
    """What the cache holds."""
    return open_vectors().info()


def prune(*, model: str | None = None, unused_days: int | None = None, everything: bool = False) -> Pruned:
    """Delete vectors from the cache; see `Vectors.prune`."""
    return open_vectors().prune(model=model, unused_days=unused_days, everything=everything)
