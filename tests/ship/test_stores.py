"""The promises of every store: what is written is read back, versions stand side by side, one is served."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import threading
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.cli import main
from chunkwise.errors import SettingError, StoreError
from chunkwise.index import Bm25
from chunkwise.ship.manifest import BUILDING
from chunkwise.ship.records import Record
from chunkwise.ship.shipping import Shipped
from chunkwise.ship.stores import STORES, Store, open_store
from chunkwise.ship.stores.base import told
from chunkwise.ship.stores.postgres import PostgresStore
from chunkwise.ship.stores.qdrant import QdrantStore
from chunkwise.ship.stores.qdrant_words import read_totals
from chunkwise.ship.upkeep import drop, rollback, state
from chunkwise.types import Corpus

ODD = "# A\0B\n\ngarden \0 leave \ud800, 'quoted' \\ \t {a} é 日本 \u2028 \x85 end.\n"


@pytest.fixture(params=[*STORES, "qdrant server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    kind = request.param
    if kind == "postgresql":
        text = request.getfixturevalue("schema")
    elif kind == "qdrant server":
        if "QDRANT_URL" not in os.environ:
            pytest.skip("QDRANT_URL names no server")
        text = f"qdrant:{os.environ['QDRANT_URL'].rstrip('/')}/t{uuid.uuid4().hex[:12]}"
    else:
        pytest.importorskip({"parquet": "pyarrow", "qdrant": "qdrant_client"}.get(kind, "filelock"))
        text = f"{kind}:{tmp_path / 'store'}"
    found = open_store(text)
    yield found
    getattr(found, "close", lambda: None)()


def records(store: Store) -> dict[str, Record]:
    served = store.served()
    assert served is not None
    return records_of(store, served)


def records_of(store: Store, version: str) -> dict[str, Record]:
    view = store.view(version)
    return view.get([row[0] for row in view.places()])


def test_versions_from_the_first_to_the_last(folder: Path, store: Store, model: Path) -> None:
    settings: dict[str, Any] = {"chunker": "heading:size=400", "retriever": f"dense:model={model}"}
    if store.features.searches:
        settings["golden"] = folder / "golden.jsonl"
    docs = folder / "docs"
    assert store.served() is None
    first = chunkwise.ship_index(docs, store, **settings)
    assert (first.served, store.served()) == (True, "v000001")
    assert chunkwise.ship_index(docs, store, **settings).unchanged
    path = docs / "leaving.md"
    path.write_text("An opening.\n\n" + path.read_text("utf-8"), "utf-8")
    (docs / "lunch.md").rename(docs / "canteen.md")
    if "golden" in settings:
        golden = folder / "golden.jsonl"
        golden.write_text(golden.read_text("utf-8").replace("lunch.md", "canteen.md"), "utf-8")
        settings["fresh"] = True
    second = chunkwise.ship_index(docs, store, **settings)
    assert second.served
    assert (second.manifest.work["removed"], second.manifest.work["cut"]) == (1, 2)
    assert second.manifest.work["embedded"] == 1  # a renamed document has the texts that it had
    held = records(store)
    corpus = chunkwise.read(docs)
    assert {record.doc for record in held.values()} == {"leaving.md", "canteen.md"}
    expected = {c.id: c for document in corpus for c in chunkwise.Heading(size=400)(document)}
    assert set(held) == set(expected)
    for id, record in held.items():
        assert corpus[record.doc].text[record.start : record.end] == record.text == expected[id].text
        assert record.titles == expected[id].path
        assert record.indexed == expected[id].indexed
    vectors = store.view("v000002").vectors(list(held))
    assert all(min(abs(np.linalg.norm(v) - 1), np.linalg.norm(v)) < 1e-5 for v in vectors.values())
    if store.features.searches:
        index = chunkwise.open_index(store)
        found = index.search("garden leave", 2, corpus=corpus)
        assert [one.verified.state for one in found if one.verified] == ["same", "same"]
        assert found[0].version == "v000002"
    assert rollback(store) == "v000001"
    assert {record.doc for record in records(store).values()} == {"leaving.md", "lunch.md"}
    drop(store, "v000002")
    assert [manifest.version for manifest in store.manifests()] == ["v000001"]
    with pytest.raises(StoreError):
        store.view("v000002").count()


def test_the_served_manifest_is_found_while_others_come_and_go(store: Store, folder: Path) -> None:
    """A reader lists the versions while one is begun and deleted, again and again."""
    chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", retriever="bm25")
    (served,) = store.manifests()
    ended = threading.Event()
    faults: list[str] = []

    def look() -> None:
        try:
            while not ended.is_set():
                if served not in store.manifests():
                    faults.append("the served version was not among them")
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(repr(error))

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for number in range(60):
            other = replace(served, version=f"v{number + 2:06d}", state=BUILDING)
            store.create(other, 0, None)
            store.drop(other.version)
    finally:
        ended.set()
        for reader in readers:
            reader.join()
    assert faults == []
    assert store.manifests() == [served]


def test_no_name_is_given_twice(folder: Path, store: Store) -> None:
    """An open index that slept while a version was dropped and another one shipped does not take the one for
    the other."""
    docs = folder / "docs"

    def ship(word: str) -> str:
        (docs / "lunch.md").write_text(f"# Lunch\n\nThe {word} is at noon.\n", "utf-8")
        return chunkwise.ship_index(docs, store, chunker="heading:size=400").manifest.version

    ship("salad")
    assert ship("broth") == "v000002"
    index = chunkwise.open_index(store) if store.features.searches else None
    assert rollback(store) == "v000001"
    drop(store, "v000002")
    assert ship("curry") == "v000003"
    assert rollback(store) == "v000001"
    drop(store, "v000003")
    assert ship("pasta") == "v000004"
    if index is not None:
        assert [one.version for one in index.search("pasta", 1)] == ["v000004"]
        assert index.search("broth", 1) == []
    for version in ("v000001", "v000004"):
        assert {record.doc for record in records_of(store, version).values()} == {"leaving.md", "lunch.md"}


def test_versions_stand_in_the_order_of_their_numbers(folder: Path, store: Store) -> None:
    """From a million on their names are longer, and would stand before the others as texts."""
    docs = folder / "docs"

    def ship(word: str) -> str:
        (docs / "lunch.md").write_text(f"# Lunch\n\nThe {word} is at noon.\n", "utf-8")
        return chunkwise.ship_index(docs, store, chunker="heading:size=400", keep=2).manifest.version

    def versions() -> list[str]:
        return [one.version for one in store.manifests()]

    ship("salad")
    last = replace(store.manifests()[0], version="v999999")
    store.create(last, 0, "v000001")
    store.finish("v999999")
    store.switch("v999999")
    store.drop("v000001")
    assert ship("broth") == "v1000000"
    assert ship("curry") == "v1000001"
    assert versions() == ["v999999", "v1000000", "v1000001"]
    assert ship("pasta") == "v1000002"
    assert versions() == ["v1000000", "v1000001", "v1000002"]
    assert rollback(store) == "v1000001"
    assert rollback(store) == "v1000000"
    with pytest.raises(StoreError, match="no older version"):
        rollback(store)


def spoil(store: Any, version: str, text: str) -> None:
    """Another text in the place of a manifest."""
    if isinstance(store, PostgresStore):
        with store.asked("spoiling") as cursor:
            cursor.execute(
                f"UPDATE {store.quoted}.versions SET manifest = %s WHERE version = %s", [text, version]
            )
    else:
        (store.path / "chunkwise" / f"{version}.json").write_text(text, "utf-8")


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"schema": 1}', '{"schema": 1, "version": "v000001"}', "[" * 100_000]
)
@pytest.mark.parametrize("kind", ["lancedb", "postgresql"])
def test_a_broken_manifest_stops_nobody_from_the_other_versions(
    request: pytest.FixtureRequest,
    folder: Path,
    tmp_path: Path,
    kind: str,
    text: str,
    capfd: pytest.CaptureFixture[str],
) -> None:
    place = request.getfixturevalue("schema") if kind == "postgresql" else f"{kind}:{tmp_path / 'store'}"
    store, docs = open_store(place), folder / "docs"

    def ship(word: str) -> Shipped:
        (docs / "lunch.md").write_text(f"# Lunch\n\nThe {word} is at noon.\n", "utf-8")
        return chunkwise.ship_index(docs, store, chunker="heading:size=400", keep=5)

    for word in ("salad", "broth", "curry"):
        ship(word)
    spoil(store, "v000001", text)
    assert [one.state for one in store.manifests()] == ["broken", "ready", "ready"]
    assert chunkwise.open_index(store).search("curry", 1)[0].version == "v000003"
    for command in ("status", "versions"):
        assert main(["index", command, "--store", place]) == 0
    assert "v000001  broken    " in capfd.readouterr().out
    with pytest.raises(StoreError, match=r"the manifest of v000001 is broken \(.*\); roll back"):
        chunkwise.open_index(store, "v000001")
    drop(store, "v000001")
    spoil(store, "v000002", text)
    assert ship("pasta").dropped == ("v000002",)
    spoil(store, "v000004", text)
    for failing in (lambda: ship("toast"), lambda: chunkwise.open_index(store)):
        with pytest.raises(StoreError, match=r"the manifest of v000004 is broken \(.*index rollback --store"):
            failing()
    assert main(["index", "status", "--store", place]) == 0
    assert "serves v000004, whose manifest is broken" in capfd.readouterr().out
    assert rollback(store) == "v000003"
    assert ship("toast").manifest.version == "v000005"


def test_a_manifest_of_another_schema_is_refused(folder: Path, tmp_path: Path) -> None:
    store = open_store(f"jsonl:{tmp_path / 'store'}")
    chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400")
    spoil(store, "v000001", '{"schema": 2, "version": "v000001"}')
    with pytest.raises(
        StoreError, match=r"v000001 has schema 2, this version reads 1; use the Chunkwise that"
    ):
        store.manifests()


def test_no_name_is_given_twice_where_names_grow_longer(folder: Path, store: Store) -> None:
    docs = folder / "docs"
    chunkwise.ship_index(docs, store, chunker="heading:size=400")
    for version in ("v999999", "v1000000"):
        store.create(replace(store.manifests()[0], version=version), 0, "v000001")
    store.finish("v999999")
    store.switch("v999999")
    drop(store, "v1000000")
    (docs / "lunch.md").write_text("# Lunch\n\nThe broth is at noon.\n", "utf-8")
    assert chunkwise.ship_index(docs, store, chunker="heading:size=400").manifest.version == "v1000001"


def test_a_version_that_was_deleted_is_an_error_and_no_empty_answer(folder: Path, store: Store) -> None:
    for number in range(2):
        (folder / "docs" / "lunch.md").write_text(f"# Lunch\n\nSoup at {number}.\n", "utf-8")
        chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", retriever="bm25")
    view = store.view("v000001")
    ids = [row[0] for row in view.places()]
    assert len(view.get(ids)) == len(ids) > 1
    store.drop("v000001")
    with pytest.raises(StoreError):
        list(view.rows(("id", "text")))
    with pytest.raises(StoreError):
        view.get(ids)
    if store.features.searches:
        with pytest.raises(StoreError):
            view.lexical(["soup"], 3, Bm25())
    with pytest.raises(StoreError):
        store.view("v000001")


@pytest.mark.parametrize("kind", ["lancedb", "jsonl", "parquet"])
def test_half_a_version_is_none(
    kind: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process that deletes one is killed when half of the files are gone."""
    store = open_store(f"{kind}:{tmp_path / 'store'}")
    for number in range(2):
        (folder / "docs" / "lunch.md").write_text(f"# Lunch\n\nSoup at {number}.\n", "utf-8")
        chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", retriever="bm25")

    def killed(path: Path, ignore_errors: bool) -> None:
        del ignore_errors
        files = sorted(one for one in path.rglob("*") if one.is_file())
        for one in files[len(files) // 2 :]:
            one.unlink()
        if files:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", killed)
        with pytest.raises(KeyboardInterrupt):
            store.drop("v000001")
    with pytest.raises(StoreError, match=r"of v000001 (are|is) gone"):
        store.view("v000001")
    drop(store, "v000001")
    left = {one.name for one in (tmp_path / "store").rglob("*") if "v000001" in one.name}
    assert left == set()


def test_a_version_that_is_deleted_while_it_is_opened(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("qdrant_client")
    store = open_store(f"qdrant:{tmp_path / 'store'}")
    chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400", retriever="bm25")

    def late(*arguments: Any) -> Any:
        store.drop("v000001")
        return read_totals(*arguments)

    monkeypatch.setattr("chunkwise.ship.stores.qdrant_view.read_totals", late)
    with pytest.raises(StoreError, match="the collection of v000001 is gone"):
        store.view("v000001")
    store.close()  # type: ignore[attr-defined]


class Moving:
    """A store in which a version is shipped and the one before deleted while somebody looks."""

    def __init__(self, store: Store, *versions: str) -> None:
        self._store, self._versions = store, [*versions]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def served(self) -> str | None:
        before = self._store.served()
        if self._versions:
            self._store.switch(self._versions.pop())
            self._store.drop(str(before))
        return before


def test_what_is_served_is_among_the_versions_while_it_is_switched(folder: Path, store: Store) -> None:
    for number in range(3):
        (folder / "docs" / "lunch.md").write_text(f"# Lunch\n\nAt {number}.\n", "utf-8")
        chunkwise.ship_index(folder / "docs", store, chunker="heading:size=400")
    found = state(Moving(store, "v000001", "v000002"))  # type: ignore[arg-type]
    assert (found.served, [one.version for one in found.versions]) == ("v000001", ["v000001"])
    assert found.current is not None


def test_nul_and_odd_characters_survive(store: Store, model: Path) -> None:
    odd = chunkwise.read_text(ODD, "o'dd \t\\N \"#%20 日.md")
    retriever = f"dense:model={model}"
    corpus = Corpus([odd])
    assert chunkwise.ship_index(corpus, store, chunker="heading:size=400", retriever=retriever).served
    (record,) = records(store).values()
    assert record.true("doc") == odd.id
    assert ODD[record.start : record.end] == record.true("text")
    assert not set("\0\ud800") & set("".join(map(str, record)))


def theirs(store: Any, tmp_path: Path) -> Any:
    """Put something of others where the first version would be; how it is found again."""
    if isinstance(store, PostgresStore):
        with store.lock(0), store.asked("making") as cursor:
            cursor.execute(f"CREATE TABLE {store.schema}.chunks_v000001 (id int)")

        def there() -> bool:
            with store.asked("looking") as cursor:
                cursor.execute("SELECT to_regclass(%s)", [f"{store.schema}.chunks_v000001"])
                return cursor.fetchone()[0] is not None

        return there
    if isinstance(store, QdrantStore):
        from qdrant_client import models

        name = f"{store.name}__v000001"
        config = models.VectorParams(size=2, distance=models.Distance.COSINE)
        with store.asked("making") as client:
            client.create_collection(name, vectors_config=config)
            return lambda: client.collection_exists(name)
    kept = tmp_path / "store" / ("chunkwise_v000001.lance" if store.spec[0] == "l" else "v000001") / "theirs"
    kept.parent.mkdir(parents=True)
    kept.write_text("kept", "utf-8")
    return kept.exists


def test_what_others_made_is_left_alone(store: Store, folder: Path, tmp_path: Path) -> None:
    there = theirs(store, tmp_path)
    for _ in range(2):  # nor is it cleared away as if a ship had been interrupted
        with pytest.raises(StoreError, match="no version knows"):
            chunkwise.ship_index(folder / "docs", store, chunker="heading", retriever="bm25")
        assert there()
    assert store.served() is None
    assert store.manifests() == []


@pytest.mark.parametrize("kind", ["lancedb", "jsonl", "parquet"])
@pytest.mark.parametrize("other", ["lancedb", "jsonl", "parquet"])
def test_a_folder_of_another_kind_of_store_is_left_alone(
    kind: str, other: str, folder: Path, tmp_path: Path
) -> None:
    """Manifests and pointer lie alike: nothing is taken for shipped, and no pointer is moved."""
    pytest.importorskip("pyarrow" if "parquet" in (kind, other) else "filelock")
    place = tmp_path / "index"
    chunkwise.ship_index(folder / "docs", f"{other}:{place}", chunker="heading:size=400")
    if kind == other:
        assert chunkwise.ship_index(folder / "docs", f"{kind}:{place}", chunker="heading:size=400").unchanged
        return
    before = sorted(place.rglob("*"))
    with pytest.raises(StoreError, match=f"the folder holds versions of {other}"):
        chunkwise.ship_index(folder / "docs", f"{kind}:{place}", chunker="fixed:size=100")
    assert sorted(place.rglob("*")) == before


def test_a_folder_below_the_home_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for kind in ("lancedb", "qdrant", "jsonl"):
        assert chunkwise.ship_index(folder / "docs", f"{kind}:~/{kind}", chunker="fixed:size=100").served
        assert (tmp_path / "home" / kind).is_dir()
    assert not (tmp_path / "~").exists()


def test_an_address_without_http_is_no_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for place in ("localhost:6333/handbook", "10.0.0.1:6333"):
        with pytest.raises(SettingError, match=f"write qdrant:http://{place}"):
            open_store(f"qdrant:{place}")
    assert open_store(f"qdrant:./{place}").spec == f"qdrant:./{place}"


@pytest.mark.parametrize(
    "place",
    [
        "http://[h/handbook",
        "http://h:63x3/handbook",
        "http://h:6333",
        "http://h:6333/hand/book",
        "http://h:6333/handbook?api_key=hidden",
        "http://h:6333/handbook#hidden",
        "http://me:hidden@h:6333/handbook",
        "http://hidden@h:6333/handbook",
        "ftp://h:6333/handbook",
        "http:///handbook",
    ],
)
def test_an_address_of_no_server_is_refused_and_not_shown(place: str) -> None:
    with pytest.raises(SettingError, match=r"write qdrant:http://HOST:PORT/NAME .* QDRANT_API_KEY") as caught:
        open_store(f"qdrant:{place}")
    assert "hidden" not in str(caught.value)


def test_a_store_that_cannot_search_says_so(store: Store, folder: Path) -> None:
    if store.features.searches:
        return
    assert chunkwise.ship_index(folder / "docs", store, chunker="heading").served
    with pytest.raises(SettingError, match="not searched"):
        chunkwise.open_index(store)
    with pytest.raises(SettingError, match="cannot be searched"):
        chunkwise.ship_index(folder / "docs", store, chunker="heading", golden=folder / "golden.jsonl")


def test_json_lines_are_lines_for_everybody(tmp_path: Path) -> None:
    store = open_store(f"jsonl:{tmp_path / 'out'}")
    chunkwise.ship_index(Corpus([chunkwise.read_text(ODD, "a.md")]), store, chunker="heading:size=400")
    (part,) = (tmp_path / "out" / "v000001").glob("*.jsonl")
    lines = part.read_text("utf-8").splitlines()
    assert [json.loads(line)["doc"] for line in lines] == ["a.md"]


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        sqlite3.OperationalError("database or disk is full"),
        RuntimeError("LanceError(IO): Unable to copy data to file: No space left on device (os error 28)"),
    ],
)
def test_a_full_disk_is_told_with_what_to_do(error: Exception) -> None:
    with (
        pytest.raises(StoreError, match="make room, and ship again"),
        told("x:y", "writing"),
    ):
        raise error


def test_requests_to_qdrant_are_small() -> None:
    from chunkwise.ship.stores.qdrant_points import parts

    assert list(parts([10] * 600)) == [(0, 256), (256, 512), (512, 600)]
    assert list(parts([5_000_000] * 3)) == [(0, 1), (1, 2), (2, 3)]
    assert list(parts([])) == []


def test_others_read_the_alias(tmp_path: Path, folder: Path, model: Path) -> None:
    pytest.importorskip("qdrant_client")
    store = open_store(f"qdrant:{tmp_path / 'q'}")
    retriever = f"dense:model={model}"
    assert chunkwise.ship_index(
        folder / "docs", store, chunker="heading:size=400", retriever=retriever
    ).served
    from chunkwise.index import Dense

    vector = Dense(model=str(model)).embedder.questions(["garden leave"])[0]
    client = store._client()  # type: ignore[attr-defined]
    (point,) = client.query_points("chunkwise", query=vector.tolist(), limit=1).points
    assert point.payload["page_content"].startswith("## Garden leave")
    assert point.payload["metadata"]["path"] == ["Leaving", "Garden leave"]
    store.close()  # type: ignore[attr-defined]
