"""Every error comes back whole from another process, and says something of another library's error."""

from __future__ import annotations

import os
import pickle
import shlex
from pathlib import Path

import pytest

from chunkwise import errors
from chunkwise.errors import ChunkwiseError, ReadError, first_line

READ = ReadError("a.md", "byte 3 is not UTF-8")
MADE = [
    errors.UnknownName("unit", "char", ["words", "chars"]),
    errors.UnknownRow("fixd", ["fixed", "heading"]),
    errors.UnknownSetting("bm25", "kl", ["k1", "b"]),
    errors.UnknownSetting("heading", "chunk_size", ["size"], "size"),
    errors.NameClash("chunkwise.chunkers", "halves", ["halver (halver:halves)"]),
    READ,
    errors.BrokenFiles([READ]),
    errors.ChunkerError("mine", "a.md", "gave None"),
    errors.GoldenError("1 fault", ["line 1"]),
    errors.ModelError("minilm", "is not there"),
    errors.StoreError("lancedb:x", "is a file"),
    errors.RunnerError("ray", "nothing answers"),
    errors.MissingExtra("PDF", "pdf"),
]
OF_A_MESSAGE = [
    getattr(errors, name)("what is wrong")
    for name in errors.__all__
    if getattr(errors, name) not in map(type, MADE)
]


@pytest.mark.parametrize("error", [*MADE, *OF_A_MESSAGE], ids=lambda error: type(error).__name__)
def test_it_comes_back_whole(error: ChunkwiseError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.args) == (str(error), error.args)
    assert {name: repr(value) for name, value in vars(back).items()} == {
        name: repr(value) for name, value in vars(error).items()
    }


def test_the_first_line_of_an_error_or_its_name() -> None:
    assert first_line(ValueError("  one\ntwo")) == "one"
    assert first_line(ValueError()) == first_line(ValueError(" \n")) == "ValueError"
    assert len(first_line(ValueError("x" * 1_000))) == 300


def test_the_install_line_is_of_the_environment_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = tmp_path / "own env", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "pip").touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(own / "python"))
    monkeypatch.setenv("PATH", f"{own}{os.pathsep}{other}")
    assert str(errors.MissingExtra("PDF", "pdf")).endswith(": pip install 'chunkwise[pdf]'")
    # The pip of another environment would install there.
    for path in (other, tmp_path):
        monkeypatch.setenv("PATH", str(path))
        line = str(errors.MissingExtra("PDF", "pdf")).partition(": ")[2]
        assert shlex.split(line) == [str(own / "python"), "-m", "pip", "install", "chunkwise[pdf]"]
