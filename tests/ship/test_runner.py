"""Rows from other processes are the rows of one, and what is finished is not made again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chunkwise
from chunkwise.ship.stores import open_store

from .conftest import Run
from .make import write_folder

pytest.importorskip("daft", reason="daft is not installed: pip install 'chunkwise[daft]'")
ROOT = Path(__file__).parents[2]
LOGGED = "py:tests.ship.elsewhere.cut"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path)
    for number in range(12):
        text = "".join(f"## Room {number * 20 + i}\n\nNote {i} of the lamp.\n\n" for i in range(20))
        (tmp_path / "docs" / f"room{number}.md").write_text(f"# Rooms {number}\n\n{text}", "utf-8")
    return tmp_path


class Elsewhere:
    """Ships of a folder, each by a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "cut.log"

    def start(self, store: str, runner: str, chunker: str, retriever: str) -> subprocess.Popen[str]:
        arguments = [str(self.folder / "docs"), store, runner, chunker, retriever]
        paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
        return subprocess.Popen(
            [sys.executable, "-m", "tests.ship.elsewhere", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            # Ray would look for a cluster that somebody started on this machine, also for one that has ended.
            env={**os.environ, "PYTHONPATH": paths, "CUT_LOG": str(self.log), "RAY_ADDRESS": "local"},
        )

    def ship(
        self, store: str, runner: str, chunker: str = "heading:size=400", retriever: str = "bm25"
    ) -> dict[str, Any]:
        out, _ = self.start(store, runner, chunker, retriever).communicate()
        found: dict[str, Any] = json.loads(out.splitlines()[-1])
        return found

    def cut(self) -> Counter[str]:
        """How often each document was cut."""
        return Counter(self.log.read_text("utf-8").splitlines())


@pytest.fixture
def elsewhere(folder: Path) -> Elsewhere:
    return Elsewhere(folder)


def held(store: str) -> dict[str, Any]:
    """By chunk id everything that a store holds of it."""
    opened = open_store(store)
    view = opened.view(str(opened.served()))
    ids = [row[0] for row in view.places()]
    records, vectors = view.get(ids), view.vectors(ids)
    return {id: (records[id], np.asarray(vectors[id], dtype=np.float32).tolist()) for id in ids}


@pytest.mark.parametrize(
    "runner",
    [
        "native",
        pytest.param(
            "ray",
            marks=pytest.mark.skipif(
                find_spec("ray") is None, reason="ray is not installed: pip install 'chunkwise[ray]'"
            ),
        ),
    ],
)
def test_the_same_rows_as_from_one_process(
    runner: str, folder: Path, elsewhere: Elsewhere, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = f"lancedb:{folder / 'here'}", f"lancedb:{folder / 'there'}"
    retriever = f"hybrid:rrf,dense={model}"
    one = chunkwise.ship_index(folder / "docs", here, chunker="heading:size=400", retriever=retriever)
    monkeypatch.setenv("CHUNKWISE_CACHE", str(folder / "another"))
    many = elsewhere.ship(there, runner, retriever=retriever)
    assert "error" not in many, many
    assert many["content"] == one.manifest.content
    assert many["documents"] == {doc: list(entry) for doc, entry in one.manifest.documents.items()}
    assert many["work"] == one.manifest.work
    assert held(there) == held(here)
    assert not list((folder / "another").rglob("*.parquet"))  # what is served needs no shard

    # One document changes: nothing but its new chunks is embedded, though there is no cache to ask.
    path = folder / "docs" / "leaving.md"
    path.write_text(path.read_text("utf-8").replace("your car until", "your car and lamp until"), "utf-8")
    monkeypatch.setenv("CHUNKWISE_CACHE", str(folder / "third"))
    again = elsewhere.ship(there, runner, retriever=retriever)
    assert "error" not in again, again
    assert (again["work"]["base"], again["work"]["cut"], again["work"]["embedded"]) == ("v000001", 1, 1)
    chunkwise.ship_index(folder / "docs", here, chunker="heading:size=400", retriever=retriever)
    assert held(there) == held(here)


def test_a_store_that_takes_several_writers(
    folder: Path, elsewhere: Elsewhere, schema: str, model: Path
) -> None:
    retriever = f"dense:model={model}"
    here = f"lancedb:{folder / 'here'}"
    chunkwise.ship_index(folder / "docs", here, chunker="heading:size=400", retriever=retriever)
    assert open_store(schema).features.writers > 1
    elsewhere.ship(schema, "native", retriever=retriever)
    expected = {id: (record._replace(words=""), vector) for id, (record, vector) in held(here).items()}
    assert held(schema) == expected


def test_the_command_says_what_it_always_says(folder: Path) -> None:
    arguments = ["ship", "docs", "--store", "lancedb:index", "-c", "heading:size=400", "--shards", "shards"]
    done = subprocess.run(
        [sys.executable, "-m", "chunkwise", *arguments],
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "DAFT_RUNNER": "native"},
    )
    assert "v000001 is served at lancedb:index: 244 chunks of 14 documents" in done.stdout
    assert done.stderr == "next: chunkwise search 'YOUR QUESTION' --store lancedb:index\n"
    assert not list((folder / "shards").iterdir())


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_finished_shard_is_not_made_again(how: signal.Signals, folder: Path, elsewhere: Elsewhere) -> None:
    store = f"lancedb:{folder / 'index'}"
    with (folder / "docs" / "room9.md").open("a", encoding="utf-8") as last:
        last.write("HOLD\n")
    (folder / "hold").touch()
    process = elsewhere.start(store, "native", LOGGED, "bm25")
    assert process.stdout is not None
    line = next(line for line in process.stdout if line.startswith("cut "))
    finished = int(line.split()[1])
    process.send_signal(how)
    process.communicate()
    assert process.returncode != 0
    (folder / "hold").unlink()
    assert open_store(store).served() is None
    shipped = elsewhere.ship(store, "native", LOGGED)
    assert len(shipped["documents"]) == 14
    after = elsewhere.cut()
    assert set(after) == {path.read_text("utf-8").partition("\n")[0] for path in (folder / "docs").iterdir()}
    twice = [title for title, times in after.items() if times > 1]
    assert 0 < finished <= 14 - len(twice)
    assert max(after.values()) <= 2


def test_an_error_in_another_process_names_the_document(folder: Path, elsewhere: Elsewhere) -> None:
    (folder / "docs" / "room5.md").write_text("FAIL\n", "utf-8")
    found = elsewhere.ship(f"lancedb:{folder / 'index'}", "native", LOGGED)
    assert found["error"] == "ChunkerError"
    assert "room5.md" in found["said"]
    assert "no idea how" in found["said"]


def test_a_process_that_ends_is_told(folder: Path, elsewhere: Elsewhere) -> None:
    (folder / "docs" / "room5.md").write_text("STOP\n", "utf-8")
    store = f"lancedb:{folder / 'index'}"
    found = elsewhere.ship(store, "native", LOGGED)
    assert found["error"] == "RunnerError"
    assert "out of memory" in found["said"]
    assert open_store(store).manifests() == []
    (folder / "docs" / "room5.md").write_text("# Better\n", "utf-8")
    assert len(elsewhere.ship(store, "native", LOGGED)["documents"]) == 14


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--runner", "spark"), "unknown runner 'spark'"),
        (("--shards", "x"), "with --runner only"),
        (("--runner", "native", "--shards", "golden.jsonl"), "is a file"),
    ],
)
def test_what_cannot_be_is_told_first(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(folder)
    code, _, err = run("ship", "docs", "--store", "lancedb:index", "-c", "heading", *more)
    assert code == 2
    assert said in err
    assert not (folder / "index").exists()


def test_the_cache_is_off(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("CHUNKWISE_CACHE", "off")
    monkeypatch.setenv("DAFT_RUNNER", "native")  # as with --runner native
    code, _, err = run("ship", "docs", "--store", "lancedb:index", "-c", "heading")
    assert code == 2
    assert "--shards FOLDER" in err
