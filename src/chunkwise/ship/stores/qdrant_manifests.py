"""Manifests in Qdrant: a collection of points without a meaning, whose payload holds the text.

A long manifest is more than a request takes. Its first part is the head, which is written last and in one
request: whoever reads meanwhile finds the former manifest or the new one, and a ship that was killed between
two parts leaves nothing that anybody reads.
"""

from __future__ import annotations

import hashlib
from typing import Any, Final

from chunkwise.ship.manifest import Manifest, is_version
from chunkwise.ship.stores.qdrant_points import BYTES, library, point_id

__all__ = ["forget", "load", "save"]

_PAGE: Final = 64  # points of one request
_TRIES: Final = 20


def save(client: Any, collection: str, manifest: Manifest, most: int = BYTES) -> None:
    """Put a manifest in the place of the version's former one; `most` characters go into a request."""
    models = library().models
    if not client.collection_exists(collection):
        config = models.VectorParams(size=1, distance=models.Distance.DOT)
        client.create_collection(collection, vectors_config=config)
    text, version = manifest.to_json(), manifest.version
    stamp = hashlib.sha256(text.encode("utf-8")).hexdigest()
    texts = [text[i : i + most] for i in range(0, len(text), most)]
    for number in reversed(range(len(texts))):
        payload = {"version": version, "stamp": stamp, "part": number, "parts": len(texts)}
        id = point_id(f"{version} {stamp} {number}" if number else version)
        point = models.PointStruct(id=id, vector=[1.0], payload={**payload, "manifest": texts[number]})
        client.upsert(collection, [point], wait=True)
    former = models.Filter(must=[_is("version", version)], must_not=[_is("stamp", stamp)])
    client.delete(collection, models.FilterSelector(filter=former), wait=True)


def forget(client: Any, collection: str, version: str) -> None:
    """Delete a manifest."""
    models = library().models
    chosen = models.FilterSelector(filter=models.Filter(must=[_is("version", version)]))
    client.delete(collection, chosen, wait=True)


def load(client: Any, collection: str, spec: str) -> list[Manifest]:
    """All manifests, oldest version first.

    Raises:
        StoreError: one is of another schema.
    """
    for _ in range(_TRIES):
        heads, parts = _points(client, collection)
        found, torn = [], False
        for version in filter(is_version, heads):
            stamp, count = heads[version]["stamp"], heads[version]["parts"]
            texts = [heads[version]["manifest"], *(parts.get((version, stamp, i)) for i in range(1, count))]
            if None in texts:
                torn = True  # perhaps a newer one took its place while we read: read again
                found.append(Manifest.broken(version, "parts of it are gone"))
            else:
                found.append(Manifest.from_json("".join(texts), spec, version))
        if not torn:
            break
    return sorted(found, key=lambda one: one.number)


def _points(client: Any, collection: str) -> tuple[dict[str, Any], dict[tuple[str, str, int], str]]:
    """Payloads of the heads by version, and the further parts by version, stamp and number."""
    heads: dict[str, Any] = {}
    parts: dict[tuple[str, str, int], str] = {}
    if not client.collection_exists(collection):
        return heads, parts
    offset = None
    while True:
        points, offset = client.scroll(collection, limit=_PAGE, offset=offset, with_payload=True)
        for payload in (point.payload for point in points):
            if payload["part"]:
                parts[payload["version"], payload["stamp"], payload["part"]] = payload["manifest"]
            else:
                heads[payload["version"]] = payload
        if offset is None:
            return heads, parts


def _is(key: str, value: str) -> Any:
    """The condition that a field has a value."""
    models = library().models
    return models.FieldCondition(key=key, match=models.MatchValue(value=value))
