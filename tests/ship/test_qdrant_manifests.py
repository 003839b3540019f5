"""Manifests that are more than a request to Qdrant takes are replaced whole or not at all."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.ship.manifest import BROKEN, BUILDING, READY, Manifest
from chunkwise.ship.stores.qdrant_manifests import forget, load, save

qdrant_client = pytest.importorskip("qdrant_client")

NAME = "index__versions"
MOST = 300  # characters of a request


class Killed:
    """A client that is killed at its n-th writing call."""

    def __init__(self, client: Any, calls: int) -> None:
        self._client, self._calls = client, calls

    def __getattr__(self, name: str) -> Any:
        if name in ("upsert", "delete"):
            self._calls -= 1
            if self._calls < 0:
                raise KeyboardInterrupt
        return getattr(self._client, name)


def manifest(version: str, documents: int, state: str = READY) -> Manifest:
    held = {f"docs/{number}.md": ["é" * 16, number] for number in range(documents)}
    return Manifest(version, state, "2026-01-01", "heading:size=400", "bm25", documents=held)


@pytest.fixture
def client() -> Any:
    made = qdrant_client.QdrantClient(":memory:")
    yield made
    made.close()


@pytest.mark.parametrize("sizes", [(1, 40), (40, 1), (40, 41), (40, 40)])
def test_a_long_manifest_takes_the_place_of_the_former_one(client: Any, sizes: tuple[int, int]) -> None:
    other = manifest("v000001", 30)
    save(client, NAME, other, MOST)
    for documents in sizes:
        one = manifest("v000002", documents)
        save(client, NAME, one, MOST)
        assert load(client, NAME, "qdrant:x") == [other, one]
    parts = sum(-(-len(kept.to_json()) // MOST) for kept in (other, one))
    assert client.count(NAME).count == parts
    forget(client, NAME, "v000001")
    assert load(client, NAME, "qdrant:x") == [one]


@pytest.mark.parametrize("sizes", [(40, 20), (20, 40), (1, 40)])
def test_killed_at_any_call_it_is_the_former_one_or_the_new_one(client: Any, sizes: tuple[int, int]) -> None:
    before, after = manifest("v000001", sizes[0], BUILDING), manifest("v000001", sizes[1])
    calls = seen = 0
    while True:
        save(client, NAME, before, MOST)
        try:
            save(Killed(client, calls), NAME, after, MOST)
        except KeyboardInterrupt:
            (held,) = load(client, NAME, "qdrant:x")
            assert held in (before, after)
            seen += held == before
            calls += 1
        else:
            break
    assert calls > seen > 0


def test_the_first_one_killed_is_no_version(client: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        save(Killed(client, 2), NAME, manifest("v000001", 40), MOST)
    assert load(client, NAME, "qdrant:x") == []


def test_a_part_that_others_deleted_is_named(client: Any) -> None:
    save(client, NAME, manifest("v000001", 40), MOST)
    models = qdrant_client.models
    second = models.FieldCondition(key="part", match=models.MatchValue(value=1))
    client.delete(NAME, models.FilterSelector(filter=models.Filter(must=[second])))
    other = manifest("v000002", 1)
    save(client, NAME, other, MOST)
    torn, whole = load(client, NAME, "qdrant:x")
    assert (torn.version, torn.state, torn.checks) == ("v000001", BROKEN, {"broken": "parts of it are gone"})
    assert whole == other
    forget(client, NAME, "v000001")
    assert load(client, NAME, "qdrant:x") == [other]
