"""Read cases: a folder each, with input files and a `case.json` that says what is right."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(os.environ.get("CHUNKWISE_CASES", Path(__file__).parents[3] / "shared" / "cases"))
"""The folder of cases."""
TEXTS = {".md", ".markdown", ".mdx", ".txt"}
"""Endings of the inputs that are documents as they are written."""
FORMATS = {".html", ".htm", ".xhtml", ".docx", ".pdf", ".pptx", ".rst", ".ipynb", ".srt", ".vtt"}
"""Endings of those whose reader writes what they mean: that text is what positions count in."""


@dataclass(frozen=True, eq=False)
class Case:
    """One case."""

    id: str
    kind: str
    folder: Path
    files: tuple[str, ...]
    generate: tuple[Mapping[str, Any], ...]
    settings: Mapping[str, Any]
    checks: tuple[Mapping[str, Any], ...]

    def texts(self) -> list[str]:
        """The inputs that are documents, generated ones not among them."""
        return [name for name in self.files if Path(name).suffix in TEXTS | FORMATS]

    def lines(self, name: str) -> list[dict[str, Any]]:
        """A JSON Lines input as values."""
        text = (self.folder / name).read_text("utf-8")
        return [json.loads(line) for line in text.splitlines() if line.strip()]


@dataclass(frozen=True, eq=False)
class Statement:
    """One check of a case."""

    case: Case
    number: int
    check: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Which check it is."""
        return str(self.check["check"])

    def __str__(self) -> str:
        return f"{self.case.id}:{self.name}#{self.number}"


def load_cases(root: Path = ROOT) -> list[Case]:
    """All cases below a folder, in the order of their names; none where there is no such folder."""
    cases = []
    for path in sorted(root.glob("*/case.json")):
        found = json.loads(path.read_text("utf-8"))
        cases.append(
            Case(
                id=found["id"],
                kind=found["kind"],
                folder=path.parent,
                files=tuple(found.get("files", ())),
                generate=tuple(found.get("generate", ())),
                settings=found.get("settings", {}),
                checks=tuple(found.get("checks", ())),
            )
        )
    return cases


def statements(cases: list[Case]) -> list[Statement]:
    """Every check of every case."""
    return [Statement(case, i, check) for case in cases for i, check in enumerate(case.checks)]


def generated(recipe: Mapping[str, Any], scale: float = 1.0, most: int = 10**9) -> Iterator[tuple[str, str]]:
    """Name and text of each file of a recipe, with `scale` times as many repeats, at most `most`."""
    times = min(most, max(1, int(recipe["times"] * scale)))
    head, tail = recipe.get("head", ""), recipe.get("tail", "")
    if "files" in recipe:
        for i in range(times):
            yield recipe["files"].format(i=i), head + recipe["number"].format(i=i) + tail
        return
    if "nested" in recipe:
        body = "".join(" " * (i * recipe["indent"]) + recipe["nested"] for i in range(times))
    elif "number" in recipe:
        body = "".join(recipe["number"].format(i=i) for i in range(times))
    else:
        body = recipe["repeat"] * times
    yield recipe["file"], head + body + tail


def make(case: Case, folder: Path, scale: float = 1.0, most: int = 10**9) -> Path:
    """Write the generated inputs of a case below a folder, which is returned."""
    folder.mkdir(parents=True, exist_ok=True)
    for recipe in case.generate:
        for name, text in generated(recipe, scale, most):
            (folder / name).write_bytes(text.encode("utf-8"))
    return folder
