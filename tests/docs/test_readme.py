"""README.md does what it says: its commands run, its Python runs, its figures are the ones that come out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from scripts.figures import MAKERS, blocks
from tests.docs.running import run_block

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
SHELL = re.findall(r"^```sh run\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
# The commands are run once, by whichever worker has these tests.
pytestmark = pytest.mark.xdist_group("readme")
PYTHON = re.findall(r"^```python\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the shell blocks of the README were run."""
    place = tmp_path_factory.mktemp("readme")
    for block in SHELL:
        (place / "printed.txt").write_text(run_block(block, place), encoding="utf-8")
    return place


def test_it_begins_with_what_it_is_and_the_two_commands() -> None:
    title, what, commands = re.split(r"\n\n", README, maxsplit=3)[:3]
    assert title == "# Chunkwise"
    assert len(re.findall(r"\.(?:\s|$)", what)) == 2
    assert re.findall(r"^make (\w+)", commands, re.MULTILINE) == ["demo", "test"]


def test_every_command_is_shown_and_runs(folder: Path) -> None:
    shown = set(re.findall(r"^chunkwise (\w+)", "\n".join(SHELL), re.MULTILINE))
    assert shown == {
        *("profile", "compare", "explain", "chunk", "check", "draft", "outline"),
        *("ship", "search", "gate"),
    }
    printed = (folder / "printed.txt").read_text("utf-8")
    assert printed.count("FOUND: recall@1000words") == 4
    assert "no faults" in printed
    assert "v000001 is served at lancedb:./index" in printed
    assert "\ngate passed: heading:size=800 @ bm25 against baseline.json" in printed


def test_what_the_commands_write_is_whole(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text("utf-8"))
    specs = ["fixed:size=800,overlap=100", "heading:size=400", "heading:size=800"]
    assert [row["spec"] for row in report["candidates"]] == specs
    for line in (folder / "chunks.jsonl").read_text("utf-8").splitlines():
        chunk = json.loads(line)
        text = (folder / "manuals" / "docs" / chunk["doc"]).read_text("utf-8")
        assert text[chunk["start"] : chunk["end"]] == chunk["text"]
        assert len(chunk["indexed"]) <= 600
    drafted = (folder / "drafted.jsonl").read_text("utf-8").splitlines()
    assert all(json.loads(line)["origin"] == "heading" for line in drafted)


def test_the_python_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert PYTHON
    monkeypatch.chdir(folder)
    names: dict[str, object] = {}
    for block in PYTHON:
        exec(compile(block, "README.md", "exec"), names)
    printed = capsys.readouterr().out.splitlines()
    verdict, candidate = printed[0].split()
    assert verdict in ("winner", "tie")
    assert candidate == "heading:size=800"
    assert printed[1].startswith("Score(value=0.9")
    assert "('Guide', 'Setup')" in printed[2]


def test_the_golden_line_is_one_of_the_handbook() -> None:
    (line,) = re.findall(r"^```json\n(.*?)\n```$", README, re.MULTILINE)
    entry = json.loads(line)
    text = (ROOT / "examples" / "handbook" / "docs" / entry["doc"]).read_text("utf-8")
    assert entry["gold"] in text


@pytest.mark.parametrize("name", ["compare", "corpora"])
def test_figures_are_the_ones_that_come_out(name: str) -> None:
    assert blocks(README)[name] == MAKERS[name](ROOT), "write them anew with: make figures"
