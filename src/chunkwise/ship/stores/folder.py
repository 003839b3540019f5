"""What stores in a folder have in common: a lock, manifests as files, and a pointer, replaced in one step."""

from __future__ import annotations

import json
import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from chunkwise.errors import MissingExtra, SettingError, StoreError
from chunkwise.files import replaced
from chunkwise.ship.manifest import Manifest, is_version
from chunkwise.ship.stores.base import told

__all__ = ["FolderStore"]

_FOLDER: Final = "chunkwise"  # beside the rows
_SERVED: Final = "served.json"
_ROWS: Final = {"lancedb": "*.lance", "jsonl": "v*/part-*.jsonl", "parquet": "v*/part-*.parquet"}
"""Where the rows of each kind of store lie in its folder; manifests and pointer lie alike in all."""


class FolderStore:
    """A folder with versions in it."""

    kind: str
    """Name of the store, a key of `_ROWS`."""

    def __init__(self, path: str, example: str) -> None:
        """Name the folder; nothing is opened or made.

        Raises:
            SettingError: `path` is no folder of this machine; `example` is one.
        """
        if not path or "://" in path:  # an address is not shown: it may hold a password
            raise SettingError(f"{self.kind}: name a folder of this machine, such as {self.kind}:{example}")
        self.spec, self.path = f"{self.kind}:{path}", Path(path).expanduser()

    def check_folder(self) -> None:
        """See that the path is a folder, or can become one. Changes nothing."""
        if self.path.exists() and not self.path.is_dir():
            raise StoreError(self.spec, "is a file; name a folder")
        if not self.path.exists():
            above = next(p for p in self.path.resolve().parents if p.exists())
            if not os.access(above, os.W_OK):
                raise StoreError(self.spec, f"the folder {above} cannot be written to")
        if (self._own / _SERVED).exists() and not self._has(self.kind):
            for kind in _ROWS:
                if self._has(kind):
                    raise StoreError(
                        self.spec,
                        f"the folder holds versions of {kind}: write {kind}:…, or name another folder",
                    )

    def _has(self, kind: str) -> bool:
        """Whether there are rows of a kind of store."""
        return next(self.path.glob(_ROWS[kind]), None) is not None

    @contextmanager
    def lock(self, wait: float, /) -> Iterator[None]:
        """A lock on a file, which the system frees when its process dies."""
        try:
            from filelock import FileLock, Timeout
        except ImportError as error:
            raise MissingExtra(self.spec, self.spec.partition(":")[0]) from error
        with told(self.spec, "making the folder", "name a folder that can be written to"):
            self._own.mkdir(parents=True, exist_ok=True)
        for folder in (self.path, self._own):
            if not os.access(folder, os.W_OK):
                raise StoreError(self.spec, f"the folder {folder} cannot be written to")
        held = FileLock(self._own / "lock")
        with told(self.spec, "locking", "see that its files can be written to"):
            try:
                held.acquire(timeout=wait)
            except Timeout:
                raise StoreError(
                    self.spec, "another ship is at work here; wait for its end, or give --wait SECONDS"
                ) from None
        try:
            yield
        finally:
            held.release()

    def served(self) -> str | None:
        """Name of the version that the pointer names."""
        try:
            text = (self._own / _SERVED).read_text("utf-8")
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(self.spec, f"the pointer cannot be read: {error.strerror}") from error
        try:
            served = json.loads(text)["served"]
        except (ValueError, KeyError, TypeError):
            served = None
        if not is_version(served):
            raise StoreError(
                self.spec,
                f"the pointer {_SERVED} is broken; name the version that is to be served: "
                f"chunkwise index rollback VERSION --store {shlex.quote(self.spec)}",
            )
        return str(served)

    def manifests(self) -> list[Manifest]:
        """All versions, from their files."""
        found = []
        for path in (one for one in self._own.glob("v*.json") if is_version(one.stem)):
            with told(self.spec, f"reading {path.name}"):
                try:
                    text = path.read_text("utf-8", "replace")
                except FileNotFoundError:
                    continue  # deleted since the folder was listed
            found.append(Manifest.from_json(text, self.spec, path.stem))
        return sorted(found, key=lambda one: one.number)

    def save(self, manifest: Manifest, /) -> None:
        """Write a manifest beside its place and rename it."""
        self._replace(self._own / f"{manifest.version}.json", manifest.to_json())

    def erase(self, version: str, rows: Path) -> None:
        """Delete a version: its rows, in one step for whoever reads them now, and then its manifest.

        Whoever reads a table that goes file by file may find a former state of it, without indexes, and no
        error.
        """
        with told(self.spec, f"deleting {version}"):
            gone = self._own / f"{rows.name}.gone"
            shutil.rmtree(gone, ignore_errors=True)  # of a process that was killed here
            try:
                rows.rename(gone)
            except FileNotFoundError:
                pass
            except OSError:  # Windows moves nothing that is open
                gone = rows
            shutil.rmtree(gone, ignore_errors=True)
            (self._own / f"{version}.json").unlink(missing_ok=True)

    def switch(self, version: str, /) -> None:
        """Replace the pointer."""
        self._replace(self._own / _SERVED, json.dumps({"served": version}) + "\n")

    @staticmethod
    def link(source: str, target: str) -> None:
        """A hard link, or a copy where that cannot be."""
        try:
            os.link(source, target)
        except OSError:  # another file system, or one without links
            shutil.copy2(source, target)

    @property
    def _own(self) -> Path:
        return self.path / _FOLDER

    def _replace(self, path: Path, text: str) -> None:
        """Write a file whole or not at all, and see it on the disk."""
        with told(self.spec, f"writing {path.name}"):
            with replaced(path) as file:
                file.write(text.encode("utf-8"))
            if hasattr(os, "O_DIRECTORY"):
                folder = os.open(path.parent, os.O_DIRECTORY)
                try:
                    os.fsync(folder)
                finally:
                    os.close(folder)
