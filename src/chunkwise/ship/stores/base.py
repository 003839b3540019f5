"""`Store`: what a place for versions must offer. They are built beside each other; one of them is served."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, runtime_checkable

from chunkwise.errors import ChunkwiseError, StoreError, first_line

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chunkwise.index import Bm25
    from chunkwise.ship.manifest import Manifest
    from chunkwise.ship.records import Place, Record

    Matrix = npt.NDArray[np.float32]

__all__ = ["PREFIX", "Features", "Store", "View", "nearest", "told"]

PREFIX: Final = "chunkwise_"
"""In front of the names of tables and collections."""
_FULL: Final = ("No space left on device", "disk is full", "could not extend file")
"""What stores say where a disk is full."""
_BLOCK: Final = 64  # vectors that are searched for at once
_EXACT: Final = 256  # those that all are compared with at once


class Features(NamedTuple):
    """What a store can do."""

    searches: bool
    """Whether it can be asked, by vectors and by words; files cannot."""
    writers: int = 1
    """How many may write at once."""


class View(Protocol):
    """One version, opened for reading. Safe to use from several threads."""

    version: str
    """Its name."""

    def count(self) -> int:
        """Number of chunks."""
        ...

    def dense(self, vector: Any, k: int, exact: bool, /) -> list[tuple[str, float]]:
        """Ids and cosines of the nearest k chunks."""
        ...

    def lexical(self, words: Sequence[str], k: int, bm25: Bm25, /) -> list[tuple[str, float]]:
        """Ids and BM25 scores of the best k chunks that hold any of some words.

        A store that has constants of its own for k1 and b takes those.
        """
        ...

    def get(self, ids: Sequence[str], /) -> dict[str, Record]:
        """Records by id; ids that are not there are left out."""
        ...

    def rows(self, names: Sequence[str], /) -> Iterator[tuple[Any, ...]]:
        """Some columns of every chunk, in any order of chunks."""
        ...

    def places(self) -> Iterator[Place]:
        """Id, document, start and end of every chunk."""
        ...

    def vectors(self, ids: Sequence[str], /) -> dict[str, Any]:
        """Vectors by id; ids that are not there are left out."""
        ...


@runtime_checkable
class Store(Protocol):
    """A place that holds versions. Everything but `lock` may raise `StoreError`."""

    @property
    def spec(self) -> str:
        """Its text form, without anything secret in it.

        A store that leaves something out says in an attribute `left_out` how that is given to whoever opens
        the text form again: `the password in PGPASSWORD`.
        """
        ...

    @property
    def features(self) -> Features:
        """What it can do."""
        ...

    def prepare(self) -> None:
        """See that it can be reached and is ours, before any work is done. Changes nothing."""
        ...

    def lock(self, wait: float, /) -> AbstractContextManager[None]:
        """Keep others from shipping; `wait` seconds for one that does. Free again when a process dies."""
        ...

    def served(self) -> str | None:
        """Name of the version that is served; None where there is none yet."""
        ...

    def manifests(self) -> list[Manifest]:
        """Every version, oldest first, those half built among them."""
        ...

    def create(self, manifest: Manifest, dimension: int, base: str | None, /) -> None:
        """Begin a version: empty, or with all rows of another one. `dimension` is 0 without vectors."""
        ...

    def save(self, manifest: Manifest, /) -> None:
        """Keep a manifest in the place of the version's former one."""
        ...

    def remove(self, version: str, docs: Sequence[str], /) -> None:
        """Remove all rows of some documents from a version that is being built."""
        ...

    def write(self, version: str, records: Sequence[Record], vectors: Matrix | None, /) -> None:
        """Add rows to a version that is being built, in parts that the store takes."""
        ...

    def finish(self, version: str, /) -> None:
        """Build the indexes of a version."""
        ...

    def switch(self, version: str, /) -> None:
        """Serve this version from now on, in one atomic step."""
        ...

    def drop(self, version: str, /) -> None:
        """Delete a version that is not served."""
        ...

    def view(self, version: str, /) -> View:
        """A version, opened for reading."""
        ...


def nearest(view: View, vectors: Matrix, k: int, exact: bool = False) -> list[list[tuple[str, float]]]:
    """What `View.dense` finds for each of some vectors, in blocks where the store takes many at once."""
    together = getattr(view, "dense_all", None)
    if together is None:
        return [view.dense(vector, k, exact) for vector in vectors]
    size = _EXACT if exact else _BLOCK
    blocks = (vectors[i : i + size] for i in range(0, len(vectors), size))
    return [found for block in blocks for found in together(block, k, exact)]


@contextmanager
def told(store: str, doing: str, remedy: str = "") -> Iterator[None]:
    """What goes wrong in the library of a store, as a `StoreError` that says what was being done, and perhaps
    what to do about it.
    """
    try:
        yield
    except (ChunkwiseError, KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except Exception as error:
        said = f"{doing} failed: {first_line(error)}"
        if any(sign in said for sign in _FULL):
            remedy = "make room, and ship again: what is served is untouched"
        raise StoreError(store, f"{said}; {remedy}" if remedy else said) from error
