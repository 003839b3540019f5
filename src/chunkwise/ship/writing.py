"""Rows into a store, by several threads where it takes them from several."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import TYPE_CHECKING

from chunkwise.ship.stores import Store

if TYPE_CHECKING:
    from chunkwise.ship.records import Record
    from chunkwise.ship.stores.base import Matrix

__all__ = ["Writers"]


class Writers:
    """Writes rows of one version. When the block ends, nothing is being written any more."""

    def __init__(self, store: Store, version: str, at_once: int) -> None:
        """Begin.

        Args:
            store: where to.
            version: one that is being built.
            at_once: how many writes are under way together; 1: each is done when `write` returns.
        """
        self._store, self._version, self._at_once = store, version, at_once
        self._pool = ThreadPoolExecutor(at_once) if at_once > 1 else None
        self._pending: set[Future[None]] = set()

    def __enter__(self) -> Writers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is None:
            return
        self._pool.shutdown(wait=True, cancel_futures=kind is not None)
        if kind is None:
            for one in self._pending:
                one.result()

    def write(self, records: Sequence[Record], vectors: Matrix | None) -> None:
        """Write some rows, or have them written.

        Raises:
            StoreError: the store fails, now or with rows that were given before.
        """
        if self._pool is None:
            self._store.write(self._version, records, vectors)
            return
        while len(self._pending) >= self._at_once:
            done, self._pending = wait(self._pending, return_when=FIRST_COMPLETED)
            for one in done:
                one.result()
        self._pending.add(self._pool.submit(self._store.write, self._version, records, vectors))
