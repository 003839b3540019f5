"""Qdrant: a collection a version, and an alias that is moved in one call.

The alias has the name of the index, so that others read what is served under that name. A point's payload has
`page_content` and `metadata`, where LangChain looks, and the other columns beside them.
"""

from __future__ import annotations

import re
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from chunkwise.errors import SettingError, StoreError
from chunkwise.ship.manifest import Manifest
from chunkwise.ship.records import Record
from chunkwise.ship.searching import make_asking
from chunkwise.ship.stores import qdrant_manifests
from chunkwise.ship.stores.base import Features, told
from chunkwise.ship.stores.lance import EF_CONSTRUCT, M
from chunkwise.ship.stores.qdrant_points import (
    BATCH,
    dense_of,
    library,
    parts,
    payload_of,
    point_id,
)
from chunkwise.ship.stores.qdrant_view import QdrantView
from chunkwise.ship.stores.qdrant_words import VECTOR, index_words, words_of

if TYPE_CHECKING:
    from chunkwise.ship.stores.base import Matrix

__all__ = ["QdrantStore"]

_STALE: Final = 600.0  # seconds after which a lock that nobody renews counts as left behind
_RENEWED: Final = 60.0
_ADDRESS: Final = re.compile(r"[\w.-]+:\d+(?:/|\Z)")
"""The address of a server without its `http://`."""


class QdrantStore:
    """Versions in a server or in a folder, as `qdrant:http://host:6333/NAME` or `qdrant:./folder` says."""

    def __init__(self, place: str) -> None:
        """Name the place; nothing is opened.

        Args:
            place: the address of a server with the name of the index as its path, or a folder.
        """
        self.spec = f"qdrant:{place}"
        self.remote = "://" in place
        self._place, self.name = place, "chunkwise"
        if self.remote:
            self._place, self.name = _address(place)
        elif _ADDRESS.match(place):
            raise SettingError(
                f"qdrant:{place}: write qdrant:http://{place}, or qdrant:./{place} for a folder"
            )
        else:
            self._place = str(Path(place).expanduser())
        self.features = Features(searches=True, writers=4 if self.remote else 1)
        self._opened: Any = None
        self._opening = threading.Lock()
        self._asking = threading.RLock()  # local mode is not made for threads

    def prepare(self) -> None:
        """See that it answers, and that the name is ours or free."""
        library()
        if not self.remote:
            if Path(self._place).is_file():
                raise StoreError(self.spec, "is a file; name a folder")
            if not Path(self._place).exists():
                return
        remedy = (
            "see that a server answers there, and that QDRANT_API_KEY holds its key" if self.remote else ""
        )
        with self.asked("looking at the collections", remedy) as client:
            names = {one.name for one in client.get_collections().collections}
            taken = self.name in names
        if taken:
            raise StoreError(
                self.spec, f"{self.name!r} is a collection of others; an alias of that name is needed"
            )

    @contextmanager
    def lock(self, wait: float, /) -> Iterator[None]:
        """A collection that only one can make; renewed while it is held. A folder has a lock of its own."""
        if not self.remote:
            with self.asked("opening the folder"):
                pass
            yield
            return
        name, until = f"{self.name}__lock", time.monotonic() + wait
        while not self._take(name):
            if time.monotonic() >= until:
                raise StoreError(
                    self.spec, "another ship is at work here; wait for its end, or give --wait SECONDS"
                )
            time.sleep(0.5)
        ended = threading.Event()

        def renew() -> None:
            while not ended.wait(_RENEWED):
                with suppress(StoreError):
                    self._note(name)

        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
            with suppress(StoreError), self.asked("unlocking") as client:
                client.delete_collection(name)

    def served(self) -> str | None:
        """The version whose collection the alias names."""
        if not self.remote and not Path(self._place).exists():
            return None
        with self.asked("asking what is served") as client:
            for alias in client.get_aliases().aliases:
                if alias.alias_name == self.name:
                    return str(alias.collection_name).removeprefix(f"{self.name}__")
        return None

    def manifests(self) -> list[Manifest]:
        """All versions."""
        if not self.remote and not Path(self._place).exists():
            return []
        with self.asked("reading the manifests") as client:
            return qdrant_manifests.load(client, self._versions, self.spec)

    def create(self, manifest: Manifest, dimension: int, base: str | None, /) -> None:
        """An empty collection, or one with the points of another, their vectors of words left out."""
        models = library().models
        name = self._collection(manifest.version)
        with self.asked("looking at the collections") as client:
            for one in (name, words_of(name)):
                if client.collection_exists(one):
                    raise StoreError(
                        self.spec, f"there is a collection {one!r} that no version knows; delete or rename it"
                    )
        self.save(manifest)
        words = make_asking(manifest.retriever).lexical is not None
        vectors = models.VectorParams(size=dimension, distance=models.Distance.COSINE)
        with self.asked("making a collection") as client:
            client.create_collection(
                name,
                vectors_config=vectors if dimension else {},
                sparse_vectors_config={VECTOR: models.SparseVectorParams()} if words else None,
                # Words come to all points at the end. A graph from before that would be built twice.
                hnsw_config=models.HnswConfigDiff(m=0 if words else M, ef_construct=EF_CONSTRUCT),
            )
            if self.remote:
                for field in ("id", "doc"):
                    kind = models.PayloadSchemaType.KEYWORD
                    client.create_payload_index(name, field_name=field, field_schema=kind, wait=True)
            if base is None:
                return
            offset = None
            while True:
                points, offset = client.scroll(
                    self._collection(base), limit=BATCH, offset=offset, with_payload=True, with_vectors=True
                )
                if points:
                    own = [
                        models.PointStruct(id=p.id, vector=dense_of(p.vector) or {}, payload=p.payload)
                        for p in points
                    ]
                    client.upsert(name, own, wait=True)
                if offset is None:
                    break

    def save(self, manifest: Manifest, /) -> None:
        """Put a manifest into a collection of their own."""
        with self.asked("writing the manifest") as client:
            qdrant_manifests.save(client, self._versions, manifest)

    def remove(self, version: str, docs: Sequence[str], /) -> None:
        """Delete the points of documents."""
        models = library().models
        with self.asked("removing documents") as client:
            for start in range(0, len(docs), BATCH):
                matching = models.MatchAny(any=list(docs[start : start + BATCH]))
                chosen = models.Filter(must=[models.FieldCondition(key="doc", match=matching)])
                client.delete(self._collection(version), models.FilterSelector(filter=chosen), wait=True)

    def write(self, version: str, records: Sequence[Record], vectors: Matrix | None, /) -> None:
        """Send points, 256 at a time or fewer where they are large."""
        models = library().models
        rows: list[Any] = [{}] * len(records) if vectors is None else vectors.tolist()
        points = [
            models.PointStruct(id=point_id(record.id), vector=row, payload=payload_of(record))
            for record, row in zip(records, rows, strict=True)
        ]
        sizes = [len(record.text) + len(record.indexed) + len(record.exact) for record in records]
        with self.asked("writing") as client:
            for start, stop in parts([4 * size + 16 * len(rows[0]) for size in sizes]):
                client.upsert(self._collection(version), points[start:stop], wait=True)

    def finish(self, version: str, /) -> None:
        """Index the words, and wait until the server has built its graph; local mode looks at all vectors."""
        name = self._collection(version)
        manifest = next(one for one in self.manifests() if one.version == version)
        bm25 = make_asking(manifest.retriever).lexical
        if bm25 is not None:
            index_words(self, name, bm25)
        if not self.remote:
            return
        if bm25 is not None:
            graph = library().models.HnswConfigDiff(m=M, ef_construct=EF_CONSTRUCT)
            with self.asked("beginning the graph") as client:
                client.update_collection(name, hnsw_config=graph)
        until = time.monotonic() + 3600
        while time.monotonic() < until:
            with self.asked("waiting for the graph") as client:
                if client.get_collection(name).status == "green":
                    return
            time.sleep(0.2)
        raise StoreError(self.spec, "the graph was not built within an hour")

    def switch(self, version: str, /) -> None:
        """Move the alias in one call."""
        models = library().models
        steps: list[Any] = []
        if self.served() is not None:
            old = models.DeleteAlias(alias_name=self.name)
            steps.append(models.DeleteAliasOperation(delete_alias=old))
        new = models.CreateAlias(collection_name=self._collection(version), alias_name=self.name)
        steps.append(models.CreateAliasOperation(create_alias=new))
        with self.asked("switching") as client:
            client.update_collection_aliases(steps)

    def drop(self, version: str, /) -> None:
        """Delete the collections and the manifest."""
        with self.asked(f"deleting {version}") as client:
            client.delete_collection(self._collection(version))
            client.delete_collection(words_of(self._collection(version)))
            qdrant_manifests.forget(client, self._versions, version)

    def view(self, version: str, /) -> QdrantView:
        """The collection of a version."""
        name = self._collection(version)
        view = QdrantView(self, version, name)
        # Behind that: as long as it is there, its words, which are deleted after it, were there too.
        with self.asked(f"opening {version}") as client:
            if not client.collection_exists(name):
                raise StoreError(self.spec, f"the collection of {version} is gone; ship again, or roll back")
        return view

    def close(self) -> None:
        """Give the folder or the connection back."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    @property
    def _versions(self) -> str:
        return f"{self.name}__versions"

    def _collection(self, version: str) -> str:
        return f"{self.name}__{version}"

    def _take(self, name: str) -> bool:
        models = library().models
        config = models.VectorParams(size=1, distance=models.Distance.DOT)
        try:
            with self.asked("locking") as client:
                client.create_collection(name, vectors_config=config)
            self._note(name)
            return True
        except StoreError:
            with self.asked("looking at the lock") as client:
                if not client.collection_exists(name):
                    raise
                points = client.retrieve(name, [1], with_payload=True)
                if points and time.time() - float(points[0].payload["at"]) > _STALE:
                    client.delete_collection(name)
            return False

    def _note(self, name: str) -> None:
        models = library().models
        with self.asked("locking") as client:
            client.upsert(name, [models.PointStruct(id=1, vector=[1.0], payload={"at": time.time()})])

    @contextmanager
    def asked(self, doing: str, remedy: str = "") -> Iterator[Any]:
        """The client, in its turn; what it raises becomes a `StoreError` that says what was being done."""
        with told(self.spec, doing, remedy), self._turn(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # local mode is small and exact on purpose
            yield self._client()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self.remote:
            yield
            return
        with self._asking:
            yield

    def _client(self) -> Any:
        import os

        with self._opening:
            if self._opened is None:
                client = library().QdrantClient
                if self.remote:
                    key = os.environ.get("QDRANT_API_KEY")
                    # The check asks in a thread, which a server that refuses ends with a traceback.
                    self._opened = client(url=self._place, api_key=key, timeout=60, check_compatibility=False)
                else:
                    Path(self._place).mkdir(parents=True, exist_ok=True)
                    self._opened = client(path=self._place)
            return self._opened


def _address(place: str) -> tuple[str, str]:
    """The server and the name of the index, of an address that may hold a secret where it is refused."""
    with suppress(ValueError):
        parts = urlsplit(place)
        _ = parts.port  # raises where it is no number
        name = parts.path.strip("/")
        more = parts.query or parts.fragment or "@" in parts.netloc or "/" in name
        if parts.scheme in ("http", "https") and parts.hostname and name and not more:
            return f"{parts.scheme}://{parts.netloc}", name
    raise SettingError(
        "qdrant: write qdrant:http://HOST:PORT/NAME or https://…; a key is read from QDRANT_API_KEY"
    )
