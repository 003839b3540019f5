"""A folder with documents and questions, and a way to run the command line in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from chunkwise.cli import main

GUIDE = """# Guide

Read this first.

## Setting the timer

{timer}

| key | seconds |
|---|---|
| left | 4 |
| right | 9 |

## Cleaning the filter

{filter}
"""
TIMER = " ".join(f"Press the left key {i} times to set the timer to {i} minutes." for i in range(2, 20))
FILTER = " ".join(
    f"The filter of model {i} is cleaned every {i} weeks with warm water." for i in range(2, 20)
)
POLICY = "# Returns\n\n## How long you may return\n\n" + " ".join(
    f"Goods of class {i} may be returned within {i} days." for i in range(10, 40)
)
QUESTIONS = [
    ("timer", "How is it set to seven minutes?", "guide.md", "Press the left key 7 times", "how"),
    ("filter", "When is the filter of model 5 cleaned?", "guide.md", "cleaned every 5 weeks", "when"),
    ("returns", "How many days for class 30?", "shop/returns.md", "returned within 30 days", "when"),
]


class Result(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder, with `docs/` and `golden.jsonl`."""
    (tmp_path / "docs" / "shop").mkdir(parents=True)
    (tmp_path / "docs" / "guide.md").write_text(GUIDE.format(timer=TIMER, filter=FILTER), "utf-8")
    (tmp_path / "docs" / "shop" / "returns.md").write_text(POLICY, "utf-8")
    write_golden(tmp_path / "golden.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_golden(path: Path, **changed: str) -> None:
    """The questions, with other quotes for some ids."""
    rows = [
        {"id": name, "question": asked, "doc": doc, "gold": changed.get(name, gold), "kind": kind}
        for name, asked, doc, gold, kind in QUESTIONS
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")


@pytest.fixture
def run(folder: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in the folder."""

    def run(*arguments: str) -> Result:
        code = main(arguments)
        out, err = capfd.readouterr()
        return Result(code, out, err)

    del folder
    return run
