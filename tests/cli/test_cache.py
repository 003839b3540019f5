"""`chunkwise cache` shows what is kept, and deletes what is named."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from chunkwise.cli.exits import Exit
from chunkwise.index.embedders import Setup, make_embedder
from chunkwise.index.vectors import Vectors
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CHUNKWISE_CACHE", str(folder))
    make_embedder.cache_clear()
    return folder


def test_what_is_kept_is_shown_by_model(run: Run, cache: Path) -> None:
    make_embedder(Setup("minilm")).embed(["red car", "green tree"])
    shown = run("cache")
    assert shown.code == Exit.OK
    path, model = shown.out.splitlines()
    assert path.startswith(f"{cache / 'vectors-1.sqlite3'}: ")
    assert re.fullmatch(r"  minilm: 2 vectors of 384 numbers, 0\.0 MB, last used \d{4}-\d\d-\d\d", model), (
        model
    )
    make_embedder(Setup("minilm", window=64)).embed(["red car"])
    models = run("cache").out.splitlines()[1:]
    assert [line.partition(":")[0] for line in models] == ["  minilm (window 256)", "  minilm (window 64)"]
    assert run("cache", "-q").out.splitlines() == run("cache").out.splitlines()[:1]


def test_what_is_named_is_deleted(run: Run) -> None:
    make_embedder(Setup("minilm")).embed(["red car", "green tree"])
    assert run("cache", "--prune", "--unused-days", "0").out.startswith("0 vectors deleted")
    unknown = run("cache", "--prune", "--model", "minilmm")
    assert unknown.code == Exit.USAGE
    assert "no vectors of 'minilmm' in the cache (there are: minilm)" in unknown.err
    assert run("cache", "--prune", "--model", "minilm").out.startswith("2 vectors deleted")
    assert len(run("cache").out.splitlines()) == 1


@pytest.mark.parametrize("arguments", [[], ["--prune", "--everything"]])
@pytest.mark.parametrize("fault", ["overwritten", "of others"])
def test_a_file_that_is_broken_or_of_others_is_said_with_the_remedy(
    run: Run, cache: Path, arguments: list[str], fault: str
) -> None:
    cache.mkdir()
    path = cache / "vectors-1.sqlite3"
    if fault == "of others":
        with closing(sqlite3.connect(path)) as database:
            database.execute("CREATE TABLE models (size INTEGER)")
    else:
        Vectors(cache).close()
        data = path.read_bytes()
        path.write_bytes(data[:5000] + b"?" * (len(data) - 5000))
    told = run("cache", *arguments)
    assert told.code == Exit.USAGE
    assert f"the cache of vectors at {path} fails" in told.err
    assert "delete the file" in told.err


@pytest.mark.parametrize("arguments", [["--prune"], ["--everything"], ["--model", "minilm"]])
def test_nothing_is_deleted_by_half_a_command(run: Run, arguments: list[str]) -> None:
    refused = run("cache", *arguments)
    assert refused.code == Exit.USAGE
    assert "--prune with --model, --unused-days or --everything" in refused.err


def test_a_cache_that_is_off(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKWISE_CACHE", "off")
    assert run("cache").out == "the cache is off: vectors are kept while a command runs\n"
