"""Settings of a file reach the commands; the command line stands before them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_type_hints

import pytest
from typer.models import OptionInfo

from chunkwise.cli import Exit
from chunkwise.cli.app import _UNSET, COMMANDS, _options, file_settings

from .conftest import Run


def compare(run: Run, *arguments: str) -> Any:
    result = run("compare", "docs", *arguments, "--json", "-")
    assert (result.code, result.err) == (Exit.OK, "")
    return json.loads(result.out)


@pytest.fixture
def settings(folder: Path) -> None:
    (folder / "chunkwise.toml").write_text(
        'exclude = ["shop"]\nresamples = 50\n\n'
        '[compare]\nchunker = ["fixed:size=200", "heading:size=200"]\nk = [2, 3]\nskip-broken = true\n\n'
        '[chunk]\nchunker = "fixed:size=77"\n\n[check]\ndocs = "docs"\n',
        "utf-8",
    )


@pytest.mark.usefixtures("settings")
def test_a_command_takes_what_the_file_sets(run: Run) -> None:
    found = compare(run)
    assert [row["spec"] for row in found["candidates"]] == ["fixed:size=200", "heading:size=200"]
    assert (found["settings"]["k"], found["settings"]["resamples"]) == ([2, 3], 50)
    assert found["corpus"]["documents"] == 1
    chunks = [json.loads(line) for line in run("chunk", "docs", "-q").out.splitlines()]
    assert max(len(chunk["text"]) for chunk in chunks) == 77
    assert {chunk["doc"] for chunk in chunks} == {"guide.md"}


@pytest.mark.usefixtures("settings")
def test_the_command_line_stands_before_the_file(run: Run) -> None:
    found = compare(run, "-c", "document", "-k", "1", "--exclude", "*.txt", "--resamples", "20")
    assert [row["spec"] for row in found["candidates"]] == ["document"]
    assert (found["settings"]["k"], found["settings"]["resamples"]) == ([1], 20)
    assert found["corpus"]["documents"] == 2


@pytest.mark.usefixtures("settings")
def test_an_option_that_is_required_may_be_set_by_the_file(run: Run) -> None:
    assert run("check", "golden.jsonl").code == Exit.FAULTS  # the document of a question is excluded
    assert run("check", "golden.jsonl", "--exclude", "*.txt").code == Exit.OK


def test_quiet_of_the_file_gives_way_to_verbose_of_the_command_line(run: Run, folder: Path) -> None:
    (folder / "chunkwise.toml").write_text("quiet = true\n", "utf-8")
    assert run("chunk", "docs").err == ""
    assert "chunks of 2 documents" in run("chunk", "docs", "-v").err
    (folder / "chunkwise.toml").write_text("verbose = true\n", "utf-8")
    assert run("chunk", "docs", "-q").err == ""


def test_a_flag_of_the_file_can_be_taken_back(run: Run, folder: Path) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"\xff\xfe\xff")
    (folder / "chunkwise.toml").write_text("skip-broken = true\n", "utf-8")
    assert run("chunk", "docs").code == Exit.OK
    assert run("chunk", "docs", "--no-skip-broken").code == Exit.UNREADABLE


def test_a_wrong_key_is_told_with_file_and_line(run: Run, folder: Path) -> None:
    (folder / "chunkwise.toml").write_text("[compare]\nseed = 1\nreesamples = 3\n", "utf-8")
    result = run("compare", "docs")
    assert (result.code, result.out) == (Exit.USAGE, "")
    assert result.err.startswith("chunkwise: chunkwise.toml:3: 'reesamples'")
    assert "'resamples'" in result.err


def test_every_option_but_those_of_the_moment_can_be_set(folder: Path) -> None:
    values = {"flag": "true", "number": "1", "text": '"a"', "texts": '["a", 2]'}
    lines = [
        line
        for command in COMMANDS
        for line in (
            f"[{command.__name__}]",
            *(f"{name} = {values[kind]}" for name, (_, kind) in _options(command).items()),
        )
    ]
    (folder / "chunkwise.toml").write_text("\n".join(lines) + "\n", "utf-8")
    found = file_settings()
    assert set(found) == {command.__name__ for command in COMMANDS}
    moment = {name.replace("-", "_") for name in _UNSET}
    assert {"force", "prune", "everything", "update"} <= moment
    for command in COMMANDS:
        arguments = {
            name
            for name, hint in get_type_hints(command, include_extras=True).items()
            if not any(isinstance(part, OptionInfo) for part in getattr(hint, "__metadata__", ()))
        }
        assert set(found[command.__name__]) == set(command.__annotations__) - arguments - moment
