"""Shards: files with rows, found by what is in them; and how rows are put together and written."""

from __future__ import annotations

import resource
import socket
import sys
import threading
import types
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.chunk.section import Section
from chunkwise.errors import MissingExtra, RunnerError, SettingError, StoreError
from chunkwise.ship.records import Record, make_records
from chunkwise.ship.rows import TOGETHER, Rows, together
from chunkwise.ship.runner import prepare, shards_folder
from chunkwise.ship.shards import Shard, kept, plan, read_held, read_shard, write_held, write_shard
from chunkwise.ship.stores import open_store
from chunkwise.ship.writing import Writers

DOCS = [f"part{i // 40}/doc{i}.md" for i in range(400)]
DIGESTS = {doc: f"digest of {doc}" for doc in DOCS}


def planned(
    docs: list[str], folder: Path, recipe: object = "recipe", mean: int = 8, **changed: str
) -> list[Shard]:
    return list(plan(sorted(docs), {**DIGESTS, **changed}, recipe, folder, mean))


def test_every_document_stands_in_one_shard_in_its_order(tmp_path: Path) -> None:
    shards = planned(DOCS, tmp_path)
    assert [doc for shard in shards for doc in shard.docs] == sorted(DOCS)
    assert max(len(shard.docs) for shard in shards) <= 32
    assert 25 <= len(shards) <= 100
    assert len({shard.path for shard in shards}) == len(shards)


def test_one_more_document_changes_one_shard(tmp_path: Path) -> None:
    before = {shard.path for shard in planned(DOCS, tmp_path)}
    for changed in (
        planned([doc for doc in DOCS if doc != "part3/doc130.md"], tmp_path),
        planned(DOCS, tmp_path, **{"part3/doc130.md": "another digest"}),
    ):
        assert len({shard.path for shard in changed} - before) == 1
    assert not {shard.path for shard in planned(DOCS, tmp_path, "another")} & before


def records(count: int, doc: str = "a.md") -> list[Record]:
    document = chunkwise.read_text("".join(f"# {i}\n\n\0Text {i} \ud800.\n\n" for i in range(count)), doc)
    made = make_records(document, Section()(document))
    assert len(made) == count
    return made


def rows(count: int, doc: str = "a.md", dense: bool = True) -> Rows:
    vectors = np.random.default_rng(count).normal(size=(count, 3)).astype(np.float32) if dense else None
    return Rows(records(count, doc), vectors, count, {doc: ("d", count)})


@pytest.mark.parametrize("dense", [True, False])
def test_what_is_written_is_read(tmp_path: Path, dense: bool) -> None:
    path = tmp_path / "shard.parquet"
    given = [rows(5, dense=dense), rows(2, "\udcffb.md", dense=dense), Rows((), None, 0, {"c.md": ("e", 0)})]
    made = write_shard(path, given)
    assert made == kept(path)
    assert made.rows == 7
    assert made.documents == {"a.md": ("d", 5), "\udcffb.md": ("d", 2), "c.md": ("e", 0)}
    found = list(read_shard(path, 4))
    assert [len(some.records) for some in found] == [5, 2]
    assert [record for some in found for record in some.records] == [*given[0].records, *given[1].records]
    assert sum(some.embedded for some in found) == 4
    assert {doc for some in found for doc in some.documents} == set(made.documents)
    for some, before in zip(found, given, strict=False):
        if dense:
            np.testing.assert_array_equal(some.vectors, before.vectors)
        else:
            assert some.vectors is None


def test_documents_without_a_chunk(tmp_path: Path) -> None:
    path = tmp_path / "shard.parquet"
    write_shard(path, [Rows((), None, 0, {"c.md": ("e", 0)})])
    assert list(read_shard(path, 0)) == [Rows((), None, 0, {"c.md": ("e", 0)})]


@pytest.mark.parametrize("left", [0, 10, -1])
def test_what_is_broken_is_not_finished(tmp_path: Path, left: int) -> None:
    path = tmp_path / "shard.parquet"
    assert kept(path) is None
    write_shard(path, [rows(5)])
    path.write_bytes(path.read_bytes()[:left])
    assert kept(path) is None
    with pytest.raises(SettingError, match="folder that all machines see"):
        list(read_shard(path, 0))


def test_an_error_leaves_no_shard(tmp_path: Path) -> None:
    def failing() -> Iterator[Rows]:
        yield rows(5)
        raise StoreError("here", "is none")

    with pytest.raises(StoreError, match="is none"):
        write_shard(tmp_path / "shard.parquet", failing())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(SettingError, match=r"shard\.parquet cannot be written: .*--shards FOLDER"):
            write_shard(tmp_path / "shard.parquet", [rows(2000)])
        with pytest.raises(SettingError, match=r"x\.held\.npz cannot be written: .*--shards FOLDER"):
            write_held(tmp_path / "x.held.npz", {str(i): [1.0] * 100 for i in range(100)})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("here")
    with pytest.raises(SettingError, match=r"shard\.parquet cannot be written: .*--shards FOLDER"):
        write_shard(tmp_path / "file" / "shard.parquet", [rows(2)])


def test_stores_have_shards_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path)
    specs = (
        "lancedb:a",
        "lancedb:b",
        "qdrant:a",
        "qdrant:http://localhost:6333/a",
        "postgresql://localhost/a",
    )
    here = [shards_folder(open_store(spec), tmp_path / "shards") for spec in specs]
    assert len(set(here)) == len(specs)
    assert {path.parent for path in here} == {tmp_path / "shards"}
    monkeypatch.chdir(tmp_path / "below")
    assert shards_folder(open_store("lancedb:../a"), "../shards").resolve() == here[0]
    assert shards_folder(open_store("qdrant:a"), "../shards").resolve() not in here
    for number, spec in enumerate(specs[3:], 3):
        assert shards_folder(open_store(spec), "../shards").resolve() == here[number]


@pytest.mark.parametrize(("runner", "missing"), [("native", "daft"), ("ray", "daft"), ("ray", "ray")])
def test_what_is_not_installed_is_told_with_its_line(
    runner: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for library in ("daft", "ray"):
        found = None if library == missing else types.ModuleType(library)
        if found is not None:
            found.__spec__ = ModuleSpec(library, None)
        monkeypatch.setitem(sys.modules, library, found)
    with pytest.raises(MissingExtra, match=rf"pip install 'chunkwise\[{missing}\]'"):
        prepare(runner)


def test_a_cluster_that_does_not_answer_is_told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in ("daft", "ray"):
        found = types.ModuleType(library)
        found.__spec__ = ModuleSpec(library, None)
        monkeypatch.setitem(sys.modules, library, found)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        for named in (address, f"ray://{address}", "auto", ""):
            monkeypatch.setenv("RAY_ADDRESS", named)
            prepare("ray")
    for named in (address, "host:port"):
        monkeypatch.setenv("RAY_ADDRESS", named)
        with pytest.raises(RunnerError, match=f"nothing answers at {named}"):
            prepare("ray")
    prepare("native")


def test_vectors_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "x.held.npz"
    assert read_held(path) == {}
    write_held(path, {"a": [1.0, 2.0], "b": [3.0, 4.0]})
    assert {id: vector.tolist() for id, vector in read_held(path).items()} == {"a": [1, 2], "b": [3, 4]}


@pytest.mark.parametrize("dense", [True, False])
def test_rows_are_put_together(dense: bool) -> None:
    given = [rows(700, f"{i}.md", dense) for i in range(5)]
    found = list(together(given))
    assert [len(some.records) for some in found] == [TOGETHER, 5 * 700 - TOGETHER]
    assert [r for some in found for r in some.records] == [r for some in given for r in some.records]
    assert sum(some.embedded for some in found) == 5 * 700
    assert {doc: n for some in found for doc, n in some.documents.items()} == {
        f"{i}.md": ("d", 700) for i in range(5)
    }
    if dense:
        both = [
            np.concatenate([some.vectors for some in side if some.vectors is not None])
            for side in (found, given)
        ]
        np.testing.assert_array_equal(*both)
    assert list(together([])) == []
    only = Rows([], None, 0, {"c.md": ("e", 0)})
    assert list(together([only])) == [only]


class Slow:
    """A store that writes only when several threads do so together, and fails where it is told to."""

    spec = "slow:"

    def __init__(self, at_once: int, fails: bool = False) -> None:
        self._barrier, self._fails = threading.Barrier(at_once, timeout=30), fails
        self.written: list[Any] = []

    def write(self, version: str, records: Any, vectors: Any) -> None:
        self._barrier.wait()
        if self._fails:
            raise StoreError(self.spec, "writing failed: no space left on the device")
        self.written.append((version, records, vectors))


def test_several_write_at_once() -> None:
    store = Slow(3)
    with Writers(store, "v000001", 3) as writers:  # type: ignore[arg-type]
        for number in range(6):
            writers.write([number], None)  # type: ignore[list-item]
    assert sorted(records[0] for _, records, _ in store.written) == list(range(6))


def written(store: Any, count: int) -> None:
    with Writers(store, "v000001", 2) as writers:
        for number in range(count):
            writers.write([number], None)  # type: ignore[list-item]


@pytest.mark.parametrize("count", [2, 5])
def test_an_error_of_a_writer_comes_back(count: int) -> None:
    with pytest.raises(StoreError, match="no space left"):
        written(Slow(2, True), count)
