"""Chroma's report on chunking strategies (2024): five texts, 472 questions with marked excerpts.

The report counts characters and calls them tokens. What it did to find the place of a chunk is kept here as
the `chroma` mode, for the reproduction only: the chunk's text, a full stop at its end dropped, is
looked for from the beginning of the document, so that a passage that occurs twice is put on its first copy;
and a chunk that only touches an excerpt counts as holding a part of it. Beside every such figure stands the
strict one: true places, and a character in common.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from chunkwise.adapters import from_callable, make_chunkers
from chunkwise.measure import Found, Places
from chunkwise.readers import read
from chunkwise.text import counter
from chunkwise.types import (
    Chunk,
    Chunker,
    ChunkTable,
    Corpus,
    Counter,
    Document,
    FloatArray,
    Gold,
    GoldenSet,
    IntArray,
    Place,
    Question,
    Ranking,
    Span,
)

SEPARATORS = r"\n\n+\n+.+?+!+ +"


class Cut(NamedTuple):
    """The chunks of one chunker over all documents."""

    documents: Sequence[Document]
    chunks: Sequence[Sequence[Chunk]]

    def __len__(self) -> int:
        return sum(map(len, self.chunks))

    def true_places(self, unit: Counter | None = None) -> ChunkTable:
        """The chunks where they were cut; with a unit, what a reader pays for them too."""
        return self._table([(c.span or Span(-1, -1)) for chunks in self.chunks for c in chunks], unit)

    def first_places(self, unit: Counter | None = None) -> ChunkTable:
        """The chunks where their texts occur first, without the full stop at the end."""
        spans = [
            first_place(document.text, chunk.indexed)
            for document, chunks in zip(self.documents, self.chunks, strict=True)
            for chunk in chunks
        ]
        return self._table(spans, unit)

    def _table(self, spans: Sequence[tuple[int, int]], unit: Any) -> ChunkTable:
        numbers = np.repeat(np.arange(len(self.documents)), [len(chunks) for chunks in self.chunks])
        starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 2).T
        ids = tuple(document.id for document in self.documents)
        texts = [chunk.indexed for chunks in self.chunks for chunk in chunks]

        def cut(chunks: IntArray, units: IntArray) -> IntArray:
            pairs = zip(chunks.tolist(), units.tolist(), strict=True)
            return np.array([starts[i] + unit.ends(texts[i])[n - 1] for i, n in pairs], dtype=np.int64)

        sent = [unit.count(text) if unit is not None else 0 for text in texts]
        paid = np.array(sent, dtype=np.int64)
        return ChunkTable(numbers, starts, ends, paid, cut, ids, unit.name if unit is not None else "words")


def first_place(text: str, chunk: str) -> Span:
    """Where the report takes a chunk to stand.

    >>> first_place("One. Two. One. Two.", "Two.")
    Span(start=5, end=8)
    """
    wanted = chunk.removesuffix(".")
    start = text.find(wanted)
    return Span(start, start + len(wanted)) if start >= 0 else Span(-1, -1)


def load(data: Path) -> tuple[Corpus, GoldenSet]:
    """The corpus and its questions. Raises `ValueError` where an excerpt is not at its offsets."""
    corpus = read(data / "corpora")
    names = {doc.rpartition(".")[0]: doc for doc in corpus.ids}
    texts = {document.id: document.text for document in corpus}
    questions = []
    with (data / "questions_df.csv").open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            doc, golds = names[row["corpus_id"]], []
            for excerpt in json.loads(row["references"]):
                span = Span(excerpt["start_index"], excerpt["end_index"])
                if texts[doc][span.start : span.end] != excerpt["content"]:
                    raise ValueError(
                        f"questions_df.csv, row {number}: {doc} has another text at {list(span)}"
                    )
                golds.append(Gold(excerpt["content"], (Place(doc, span),)))
            questions.append(Question(f"q{number}", row["question"], tuple(golds)))
    return corpus, GoldenSet(questions)


def recursive(size: int, overlap: int, unit: str) -> Chunker:
    """LangChain's splitter with the report's separators, sizes in a unit."""
    settings = f"chunk_size={size},chunk_overlap={overlap},length={unit},separators={SEPARATORS}"
    (chunker,) = make_chunkers(f"langchain.RecursiveCharacterTextSplitter:{settings}")
    return chunker


def windows(size: int, overlap: int, unit: str, name: str) -> Chunker:
    """Windows of so many tokens of the whole text, up to the first one that reaches the end."""
    tokens: Any = counter(unit)

    def cut(text: str) -> Iterable[tuple[int, int]]:
        edges = [0, *tokens.ends(text)]
        for first in range(0, len(edges) - 1, size - overlap):
            last = min(first + size, len(edges) - 1)
            yield edges[first], edges[last]
            if last == len(edges) - 1:
                return

    return from_callable(cut, name)


def cut_all(corpus: Corpus, chunker: Chunker) -> Cut:
    """Cut every document."""
    documents = list(corpus)
    return Cut(documents, [chunker(document) for document in documents])


def unsearched(table: ChunkTable, golden: GoldenSet) -> Found:
    """What stands where, for measures that look at no ranking."""
    nothing = np.zeros(0, dtype=np.int64)
    rankings = [Ranking(question.id, nothing, nothing.astype(np.float64)) for question in golden]
    return Found(table, rankings, Places.of(golden.questions, table.doc_ids))


def mean(values: FloatArray, digits: int = 6) -> float:
    """The mean over all questions."""
    return round(float(values.mean()), digits)
