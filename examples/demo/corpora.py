"""The three corpora of the demonstration, each with its questions and its reports."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import chunkwise
from chunkwise.errors import MissingExtra
from chunkwise.evaluate import Progress
from chunkwise.index import make_retrievers, prepare
from chunkwise.types import Corpus, GoldenSet, Report
from examples import manuals

ROOT = Path(__file__).parents[2]
HARD = "notice-grade-7"
"""Id of the hard question in the golden set of the handbook."""
WORDS, MEANING = "bm25", "dense:model=minilm"
"""The two searches."""


@dataclass(frozen=True)
class Asked:
    """A corpus with its questions."""

    name: str
    """What it is called here."""
    about: str
    """What kind of documents these are."""
    corpus: Corpus
    golden: GoldenSet
    small: bool = True
    """Whether all its chunks are embedded here: that is what takes time."""


@dataclass(frozen=True)
class Compared:
    """What was measured on a corpus."""

    asked: Asked
    words: Report
    """Searched with BM25."""
    meaning: Report | None = None
    """Searched with MiniLM; None where it is not installed or the corpus is not small."""

    @property
    def name(self) -> str:
        """What the corpus is called here."""
        return self.asked.name

    @property
    def report(self) -> Report:
        """The report that the steps are about: by meaning where there is one."""
        return self.words if self.meaning is None else self.meaning

    @property
    def reports(self) -> Mapping[str, Report]:
        """All reports by what searched."""
        return {"BM25": self.words, **({} if self.meaning is None else {"MiniLM": self.meaning})}


def load_all() -> list[Asked]:
    """The three corpora."""
    handbook = ROOT / "examples" / "handbook"
    texts, lines = manuals.build()
    return [
        _folder("handbook", "rules of a company that does not exist", handbook / "docs", handbook),
        _in_memory(
            "manuals", "synthetic: near-duplicates, made to show what the heading path does", texts, lines
        ),
        _folder("docs", "Chunkwise's own pages", ROOT / "docs", ROOT / "docs", small=False),
    ]


def compare(asked: Asked, *, dense: bool, progress: Progress | None = None) -> Compared:
    """The default chunkers, searched by words and, where it is wanted and the corpus is small, by meaning."""

    def searched(retriever: str) -> Report:
        return chunkwise.compare(
            asked.corpus,
            asked.golden,
            retrievers=retriever,
            exhibits=len(asked.golden),
            progress=progress,
        )

    return Compared(asked, searched(WORDS), searched(MEANING) if dense and asked.small else None)


def without_minilm() -> MissingExtra | None:
    """What is missing of the model; None where it is installed."""
    try:
        prepare(make_retrievers(MEANING))
    except MissingExtra as missing:
        return missing
    return None


def _folder(name: str, about: str, docs: Path, golden: Path, *, small: bool = True) -> Asked:
    corpus = chunkwise.read(docs, include=["*.md"])
    return Asked(name, about, corpus, chunkwise.load_golden(golden / "golden.jsonl", corpus), small)


def _in_memory(name: str, about: str, texts: Mapping[str, str], lines: list[dict[str, object]]) -> Asked:
    corpus = Corpus(chunkwise.read_text(text, path) for path, text in texts.items())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "golden.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return Asked(name, about, corpus, chunkwise.load_golden(file, corpus))
