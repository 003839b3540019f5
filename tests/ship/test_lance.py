"""LanceDB: a version on top of another costs what is new in it, however large the other one is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.ship import rows
from chunkwise.ship.manifest import BUILDING, Manifest
from chunkwise.ship.records import COLUMNS, NUMBERS, Record
from chunkwise.ship.stores import lance
from chunkwise.ship.stores.base import nearest
from chunkwise.ship.stores.lance import LanceStore, LanceView

ROOMS = 30


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(ROOMS):
        text = "".join(f"## Room {number * 20 + i}\n\nNote {i} of the lamp.\n\n" for i in range(20))
        (folder / f"room{number:02d}.md").write_text(f"# Rooms {number}\n\n{text}", "utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> LanceStore:
    """A store that builds graphs for small tables too."""
    return LanceStore(str(tmp_path / "index"), exact_below=100)


def ship(docs: Path, store: LanceStore, model: Path, rooms: int, mark: int) -> str:
    """Edit some documents, others with each mark, and ship; the version that is served now."""
    for number in range(mark, mark + rooms):
        path = docs / f"room{number:02d}.md"
        path.write_text(f"{path.read_text('utf-8')}\n## Room {1000 + number}\n\nNote.\n", "utf-8")
    retriever = f"hybrid:rrf,dense={model}"
    shipped = chunkwise.ship_index(docs, store, chunker="heading:size=400", retriever=retriever)
    assert shipped.served
    return shipped.manifest.version


def large(store: LanceStore, version: str) -> list[int]:
    """What the two largest files of a table are on the disk: the rows, and the graph."""
    folder = store.path / f"chunkwise_{version}.lance"
    found = sorted((path for path in folder.rglob("*") if path.is_file()), key=lambda p: p.stat().st_size)
    assert [path.suffix for path in found[-2:]] == [".idx", ".lance"]
    return [path.stat().st_ino for path in found[-2:]]


def unindexed(store: LanceStore, version: str) -> int:
    """Rows that are in no graph."""
    table = store._open(version)
    (name,) = (index.name for index in table.list_indices() if index.columns == ["vector"])
    return int(table.index_stats(name).num_unindexed_rows)


def test_a_changed_document_does_not_write_the_others_again(
    docs: Path, store: LanceStore, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "TOGETHER", 100)  # the first version is written in several parts
    monkeypatch.setattr(lance, "_NEW", 0.5)
    first = large(store, ship(docs, store, model, 0, 0))
    for mark in range(1, 4):
        version = ship(docs, store, model, 1, mark)
        assert large(store, version) == first
        assert unindexed(store, version) == 21 * mark  # the chunks of the documents that were edited
        assert searched(store, version) == searched(store, version, exact=True)


def searched(store: LanceStore, version: str, *, exact: bool = False) -> list[list[str]]:
    """What is found near some of the chunks."""
    view = store.view(version)
    ids = sorted(row[0] for row in view.places())[::40]
    vectors = view.vectors(ids)
    found: list[Any] = [view.dense(np.asarray(vectors[id], dtype=np.float32), 3, exact) for id in ids]
    return [[id for id, _ in one] for one in found]


@pytest.mark.parametrize("exact_below", [100, 20_000])
def test_many_vectors_at_once_find_what_each_finds(
    docs: Path, tmp_path: Path, model: Path, exact_below: int
) -> None:
    store = LanceStore(str(tmp_path / "index"), exact_below)
    view = store.view(ship(docs, store, model, 0, 0))
    ids = sorted(row[0] for row in view.places())[::4]
    held = view.vectors(ids)
    vectors = np.array([held[id] for id in ids], dtype=np.float32)
    assert len(vectors) > 2 * 64  # some blocks, and a rest
    together = nearest(view, vectors, 3)
    alone = [view.dense(vector, 3, False) for vector in vectors]
    assert [[score for _, score in one] for one in together] == [
        pytest.approx([score for _, score in one], abs=1e-6) for one in alone
    ]
    for id, found in zip(ids, together, strict=True):
        assert found[0][1] == pytest.approx(1, abs=1e-5), id
    for k in (1, 7, len(ids) * 8):
        compared = nearest(view, vectors[::9], k, exact=True)
        each = [view.dense(vector, k, True) for vector in vectors[::9]]
        assert [[score for _, score in one] for one in compared] == [
            pytest.approx([score for _, score in one], abs=1e-6) for one in each
        ]
    assert nearest(view, vectors[:1], 3) == [view.dense(vectors[0], 3, False)]
    assert nearest(view, vectors[:0], 3) == []


def test_a_store_is_not_asked_for_all_chunks_when_an_answer_is_far_down(
    docs: Path, store: LanceStore, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (docs / "cellar.md").write_text("# Cellar\n\nThe lamp of 1777 is here.\n", "utf-8")
    golden = tmp_path / "golden.jsonl"
    gold = {"id": "far", "question": "Note Room 5", "doc": "cellar.md", "gold": "The lamp of 1777 is here."}
    golden.write_text(json.dumps(gold) + "\n", "utf-8")
    asked: list[int] = []
    search = LanceView._dense

    def noted(self: LanceView, vectors: list[Any], k: int, exact: bool) -> list[list[tuple[str, float]]]:
        asked.append(k)
        return search(self, vectors, k, exact)

    monkeypatch.setattr(LanceView, "_dense", noted)
    retriever = f"dense:model={model}"
    shipped = chunkwise.ship_index(
        docs, store, chunker="heading:size=400", retriever=retriever, golden=golden
    )
    assert shipped.checked is not None
    assert shipped.checked.golden is not None
    assert shipped.checked.golden.store.values["far"]["rank"] is None
    assert 10 <= max(asked) < shipped.manifest.chunks


def test_chunks_that_resemble_each_other_are_found(tmp_path: Path) -> None:
    """Vectors of a few kinds, each many times with little changed: in one graph islands are never come to."""
    rng = np.random.default_rng(3)
    kinds = rng.normal(size=(12, 32))
    vectors = (kinds[np.arange(9_000) % 12] + 0.05 * rng.normal(size=(9_000, 32))).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    store = LanceStore(str(tmp_path / "index"), exact_below=1_000)
    manifest = Manifest("v000001", BUILDING, "", "heading", "dense")
    with store.lock(0):
        store.create(manifest, 32, None)
        store.write("v000001", [record(number) for number in range(len(vectors))], vectors)
        store.finish("v000001")
    view = store.view("v000001")
    asked = (kinds[np.arange(40) % 12] + rng.normal(size=(40, 32))).astype(np.float32)
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    same = 0
    for vector in asked:
        exact, near = (view.dense(vector, 10, way) for way in (True, False))
        same += len({id for id, _ in exact} & {id for id, _ in near})
    assert same >= 0.9 * 10 * len(asked)  # one graph finds 88 %


def record(number: int) -> Record:
    """A row with nothing in it."""
    name = f"c{number:06d}"
    return Record(**dict.fromkeys(COLUMNS, "") | dict.fromkeys(NUMBERS, 0) | {"id": name, "doc": name})


def test_many_parts_are_put_together(
    docs: Path, store: LanceStore, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lance, "_PARTS", 3)
    monkeypatch.setattr(lance, "_NEW", 0.5)
    made = [unindexed(store, ship(docs, store, model, min(mark, 1), mark)) for mark in range(5)]
    assert made == [0, 21, 42, 0, 21]


def test_much_that_is_new_is_indexed_with_the_rest(docs: Path, store: LanceStore, model: Path) -> None:
    ship(docs, store, model, 0, 0)
    version = ship(docs, store, model, ROOMS // 2, 1)
    assert unindexed(store, version) == 0
