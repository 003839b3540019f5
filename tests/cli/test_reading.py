"""Every command that reads documents takes every option of reading."""

from __future__ import annotations

from inspect import signature
from pathlib import Path

import pytest

from chunkwise.cli.app import COMMANDS
from chunkwise.cli.options import READING

from .conftest import Run

OPTIONS = {
    "--include": "*.md",
    "--exclude": "drafts",
    "--encoding": "utf-8",
    "--skip-broken": None,
    "--headings": "numbered",
    "--no-boilerplate": None,
    "--max-size": "1",
}
READERS = [command.__name__ for command in COMMANDS if "docs" in signature(command).parameters]


def test_the_options_are_those_of_reading() -> None:
    fields = {option.removeprefix("--").removeprefix("no-").replace("-", "_") for option in OPTIONS}
    assert fields == set(READING._fields)
    told = {"compare", "explain", "profile", "chunk", "check", "draft", "outline", "gate", "ship", "search"}
    assert set(READERS) == told
    by_name = {command.__name__: signature(command).parameters for command in COMMANDS}
    for name in READERS:
        assert fields <= by_name[name].keys()


@pytest.mark.parametrize("name", READERS)
def test_every_command_that_takes_documents_takes_them(run: Run, name: str) -> None:
    result = run(name, "--help")
    assert result.code == 0
    for option in OPTIONS:
        assert option in result.out


def test_what_is_shipped_and_verified_is_read_with_them(run: Run, folder: Path) -> None:
    pytest.importorskip("lancedb")
    (folder / "notes.txt").write_text("1 Pumps\n\nPress the key.\n\n1.1 Seals\n\nTurn the ring.\n", "utf-8")
    store = ("--store", "lancedb:index")
    shipped = run("ship", "notes.txt", *store, "-c", "heading:size=200", "--headings", "numbered")
    assert shipped.code == 0, shipped.err
    found = run(
        "search", "turn the ring", *store, "--verify", "--docs", "notes.txt", "--headings", "numbered"
    )
    assert found.code == 0, found.err
    assert "1 Pumps > 1.1 Seals" in found.out
    assert "[same]" in found.out
    with (folder / "notes.txt").open("ab") as file:
        file.truncate(2_000_000)
    for command in (
        ("ship", "notes.txt", *store, "--max-size", "1"),
        ("search", "ring", *store, "--verify", "--docs", "notes.txt", "--max-size", "1"),
    ):
        refused = run(*command)
        assert refused.code == 3
        assert "more than the limit of 1 MB" in refused.err
