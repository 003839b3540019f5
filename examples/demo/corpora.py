"""The three corpora of the demonstration, each with its questions and its report."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import chunkwise
from chunkwise.types import Corpus, GoldenSet, Report
from examples import manuals

ROOT = Path(__file__).parents[2]
HARD = "notice-grade-7"
"""Id of the hard question in the golden set of the handbook."""


@dataclass(frozen=True)
class Compared:
    """A corpus with what was measured on it."""

    name: str
    """What it is called here."""
    about: str
    """What kind of documents these are."""
    corpus: Corpus
    golden: GoldenSet
    report: Report


def compare_all() -> list[Compared]:
    """The three corpora, each compared with the default chunkers."""
    handbook = ROOT / "examples" / "handbook"
    texts, lines = manuals.build()
    return [
        _in_memory(
            "manuals", "synthetic: near-duplicates, made to show what the heading path does", texts, lines
        ),
        _folder("handbook", "rules of a company that does not exist", handbook / "docs", handbook),
        _folder("docs", "Chunkwise's own pages", ROOT / "docs", ROOT / "docs"),
    ]


def _folder(name: str, about: str, docs: Path, golden: Path) -> Compared:
    corpus = chunkwise.read(docs, include=["*.md"])
    return _compared(name, about, corpus, golden / "golden.jsonl")


def _in_memory(name: str, about: str, texts: Mapping[str, str], lines: list[dict[str, object]]) -> Compared:
    corpus = Corpus(chunkwise.read_text(text, path) for path, text in texts.items())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "golden.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return _compared(name, about, corpus, file)


def _compared(name: str, about: str, corpus: Corpus, golden: Path) -> Compared:
    questions = chunkwise.load_golden(golden, corpus)
    report = chunkwise.compare(corpus, questions, exhibits=len(questions))
    return Compared(name, about, corpus, questions, report)
