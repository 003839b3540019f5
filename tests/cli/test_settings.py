"""Settings of a file reach the commands; the command line stands before them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunkwise.cli import Exit
from chunkwise.cli.app import COMMANDS, file_settings

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
    lines = {
        "compare": 'golden = "g"\nchunker = "a"\nretriever = "b"\nby = "c"\nk = 1\nbudget = 2\n'
        'unit = "words"\nrule = "overlap"\nprimary = "hit@1"\njson = "-"\nseed = 1\n'
        'resamples = 2\nscore-rest = true\ntexts = false\nmeasure = ["iou@3"]\nprices = "p.toml"\n',
        "profile": 'unit = "words"\nsizes = [300]\njson = "-"\n',
        "chunk": 'chunker = "a"\nout = "b"\n',
        "check": 'docs = "a"\nout = "b"\n',
        "draft": 'out = "b"\n',
        "outline": "json = true\n",
    }
    reading = 'include = "a"\nexclude = ["b"]\nencoding = "utf-8"\nskip-broken = false\n'
    shared = "quiet = true\nverbose = true\n"
    for command in ("compare", "chunk", "outline"):
        lines[command] += 'clean = "spaces"\n'
    text = "".join(f"[{command}]\n{own}{reading}{shared}" for command, own in lines.items())
    text += f"[cache]\n{shared}"
    (folder / "chunkwise.toml").write_text(text, "utf-8")
    found = file_settings()
    assert set(found) == {command.__name__ for command in COMMANDS}
    for command in COMMANDS:
        parameters = set(command.__annotations__) - {"context", "docs", "return", "golden", "fix", "force"}
        # What deletes is asked for each time.
        parameters -= {"prune", "model", "unused_days", "everything"}
        parameters |= {"docs"} if command.__name__ == "check" else set()
        parameters |= {"golden"} if command.__name__ == "compare" else set()
        assert set(found[command.__name__]) == parameters
