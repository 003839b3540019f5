"""The Constitution of the United States with 32 questions: three chunkers at three sizes.

The article cuts a text whose white space is folded, and a hit is a chunk that holds the whole answer.
Here the chunkers say where each chunk stands in the text as it is, so that spans decide.

With `--retriever minilm` the rows at 600 characters are searched by all-MiniLM-L6-v2 too, and Chunkwise says
what these 32 questions tell of the article's three chunkers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.published.cells import Cell, Expected, Figures, Value, Within, side_by_side
from benchmarks.published.search import RETRIEVER, Indexed, index_all, percent
from chunkwise.adapters import from_callable
from chunkwise.comparison import compare
from chunkwise.golden import load_golden
from chunkwise.measure import CONTAINED, Ceiling, Hit, score_run
from chunkwise.readers import read
from chunkwise.types import Chunker, Corpus, GoldenSet, Measure

SIZES = (300, 600, 1200)
OWN: Sequence[str] = tuple(
    f"{name}:size={size}" for size in SIZES for name in ("fixed", "recursive", "paragraph", "heading")
)
K = (1, 3, 5)
ONE = 100 / 32 + 0.1
"""A question in points, and the rounding of what is printed."""
PUBLISHED: dict[str, dict[str, Value]] = {
    "fixed_300": {"ceiling": 96.9},
    "paragraph_300": {"ceiling": 100.0},
    "heading_300": {"ceiling": 100.0},
    "fixed_600": {"chunks": 52, "ceiling": 100.0},
    "paragraph_600": {"chunks": 57, "ceiling": 100.0},
    "heading_600": {"chunks": 60, "ceiling": 100.0},
    "paragraph_1200": {"ceiling": 100.0},
    "heading_1200": {"ceiling": 100.0},
}
PUBLISHED_DENSE = {
    "fixed_600": (65.6, 81.2, 96.9),
    "paragraph_600": (78.1, 90.6, 93.8),
    "heading_600": (84.4, 90.6, 90.6),
}
"""Recall at 1, 3 and 5 with bge-small-en-v1.5, which is not at hand: beside it stands nothing of ours."""
DENSE = {"minilm": "dense:model=minilm"}
"""What can be searched with beside BM25: the name of its columns, and its text form."""
DENSE_SIZE = 600
PRIMARY = "hit@1"
"""What the verdict is about: the article's recall at 1, where its chunkers lie farthest apart."""

SENTENCE_END = re.compile(r"(?<=[.!?;])\s+")
BLANK_LINES = re.compile(r"\n\s*\n")
HEADING_LINE = re.compile(r"(#+)\s+(.*)")
WORD = re.compile(r"\S+")


class Piece(NamedTuple):
    """A part of the text: its folded form, and where it stands in the raw one."""

    text: str
    start: int
    end: int


def piece(raw: str, start: int, end: int) -> Piece:
    """A slice with its white space folded and dropped at both ends."""
    words = list(WORD.finditer(raw, start, end))
    if not words:
        return Piece("", start, start)
    return Piece(" ".join(word[0] for word in words), words[0].start(), words[-1].end())


def fixed(raw: str, size: int) -> Iterator[tuple[int, int, str]]:
    """Windows of the folded text, a sixth of the size in common."""
    words = list(WORD.finditer(raw))
    text = " ".join(word[0] for word in words)
    places = np.full(len(text) + 1, -1, dtype=np.int64)
    for word, own in zip(words, accumulate((len(w[0]) + 1 for w in words), initial=0), strict=False):
        places[own : own + len(word[0])] = np.arange(word.start(), word.end())
    # A space stands for a run of white space: the place behind the character before it.
    spaces = np.flatnonzero(places < 0)
    places[spaces] = places[spaces - 1] + 1
    for start in range(0, len(text), size - size // 6):
        end = min(start + size, len(text))
        yield int(places[start]), int(places[end - 1]) + 1, text[start:end]


def blocks(raw: str) -> Iterator[Piece]:
    """What stands between blank lines, folded."""
    start = 0
    for end in [*(m.start() for m in BLANK_LINES.finditer(raw)), len(raw)]:
        found = piece(raw, start, end)
        if found.text:
            yield found
        start = end


def sentences(raw: str, block: Piece) -> Iterator[Piece]:
    """A block cut behind its sentences."""
    start = block.start
    for match in SENTENCE_END.finditer(raw, block.start, block.end):
        yield piece(raw, start, match.start())
        start = match.end()
    yield piece(raw, start, block.end)


def packed(pieces: Iterable[Piece], size: int) -> Iterator[Piece]:
    """Pieces joined by a space as long as the sum is at most the size."""
    open_: Piece | None = None
    for one in pieces:
        if open_ is None:
            open_ = one
        elif len(open_.text) + 1 + len(one.text) > size:
            yield open_
            open_ = one
        else:
            open_ = Piece(f"{open_.text} {one.text}", open_.start, one.end)
    if open_ is not None:
        yield open_


def filled(raw: str, parts: Iterable[Piece], size: int) -> Iterator[Piece]:
    """Blocks packed to the size; one that is larger is cut into sentences and packed first."""

    def cut() -> Iterator[Piece]:
        for block in parts:
            yield from packed(sentences(raw, block), size) if len(block.text) > size else (block,)

    return packed(cut(), size)


def paragraph(raw: str, size: int) -> Iterator[tuple[int, int, str]]:
    """All blocks packed, headings among them."""
    for chunk in filled(raw, blocks(raw), size):
        yield chunk.start, chunk.end, chunk.text


def heading(raw: str, size: int) -> Iterator[tuple[int, int, str]]:
    """The blocks below each heading packed; the path and a line end stand in front of what is indexed."""
    path: list[str] = []
    body: list[Piece] = []

    def flush() -> Iterator[tuple[int, int, str]]:
        for chunk in filled(raw, body, size):
            yield chunk.start, chunk.end, " > ".join(path) + "\n" + chunk.text

    for block in blocks(raw):
        line = raw[block.start : block.end]
        match = HEADING_LINE.fullmatch(line) if "\n" not in line else None
        if match is None:
            body.append(block)
            continue
        yield from flush()
        body = []
        path = [*path[: len(match[1]) - 1], match[2]]
    yield from flush()


CUTTERS: dict[str, Callable[..., Iterable[tuple[int, int, str]]]] = {
    "fixed": fixed,
    "paragraph": paragraph,
    "heading": heading,
}


def measure(indexed: Indexed, golden: GoldenSet, size: int | None = None) -> dict[str, Value]:
    """Chunks, ceiling and recall in percent with one digit, as the article prints them.

    A question whose answer is not in the text is missed, as it is in the article's script.
    """
    measures: list[Measure] = [Ceiling(), *map(Hit, K)]
    values = score_run(indexed.run(golden, max(K)), golden.questions, measures, CONTAINED)
    ceiling, *recall = (percent(float(column.sum()), len(golden) + golden.left_out, 1) for column in values.T)
    chunks = [chunk for found in indexed.chunks for chunk in found]
    longest = max(len(chunk.indexed) for chunk in chunks)
    row: dict[str, Value] = {"chunks": len(chunks), "ceiling": ceiling}
    row |= {f"bm25_recall_at_{k}": value for k, value in zip(K, recall, strict=True)}
    row["longest_indexed"] = longest
    if size is not None:
        row["chunks_over_limit"] = sum(len(chunk.indexed) > size for chunk in chunks)
    return row


def measure_recall(indexed: Indexed, golden: GoldenSet, name: str) -> dict[str, Value]:
    """Recall with another retriever, its columns named after it."""
    values = score_run(indexed.run(golden, max(K)), golden.questions, list(map(Hit, K)), CONTAINED)
    whole = len(golden) + golden.left_out
    return {
        f"{name}_recall_at_{k}": percent(float(column.sum()), whole, 1)
        for k, column in zip(K, values.T, strict=True)
    }


def verdict(
    pages: Corpus, golden: GoldenSet, chunkers: Sequence[Chunker], retriever: str
) -> dict[str, Value]:
    """What Chunkwise decides on these questions, in words."""
    report = compare(pages, golden, chunkers, retrievers=retriever, primary=PRIMARY, exhibits=0)
    decided = report.decision
    assert decided is not None
    return {
        "verdict": decided.verdict,
        "tied": ", ".join(decided.tied),
        "ruled_out": ", ".join(decided.ruled_out),
        "may_be_missed": decided.not_shown[0],
        "in_words": decided.reasons[0],
        "what_would_settle_it": "; ".join(decided.settles),
    }


def run(
    data: Path,
    *,
    sizes: Sequence[int] = SIZES,
    retriever: str = RETRIEVER,
    own: Sequence[Chunker] = (),
    dense: str | None = None,
) -> Figures:
    """All figures of this corpus.

    Args:
        data: the folder with `docs/` and `golden.jsonl`.
        sizes: the three limits, in the order of the rows; others move the cells.
        retriever: text form of the retriever.
        own: Chunkwise's own chunkers that stand beside.
        dense: a name of `DENSE`: the rows at 600 are searched with it too, and the verdict is given.
    """
    pages = read(data / "docs")
    golden = load_golden(data / "golden.jsonl", pages, score_rest=True)
    documents = list(pages)
    theirs = [
        (f"{name}_{label}", from_callable(partial(cutter, size=size), f"{name}_{label}"))
        for label, size in zip(SIZES, sizes, strict=True)
        for name, cutter in CUTTERS.items()
    ]
    ours = [(f"chunkwise {chunker.spec}", chunker) for chunker in own]
    indexes = index_all(documents, [*theirs, *ours], retriever)
    limits = {f"{name}_{size}": size for size in SIZES for name in CUTTERS}
    limits |= {name: size for name, chunker in ours if (size := getattr(chunker, "size", None))}
    made = {name: measure(one, golden, limits.get(name)) for name, one in indexes.items()}
    beyond: dict[str, Value] = {}
    if dense is not None:
        at = [(n, c) for n, c in (*theirs, *ours) if re.search(rf"[_=]{DENSE_SIZE}\b", n)]
        for name, one in index_all(documents, at, DENSE[dense]).items():
            made[name] |= measure_recall(one, golden, dense)
        beyond = verdict(pages, golden, [c for n, c in theirs if (n, c) in at], DENSE[dense])
    rows = side_by_side(PUBLISHED, made)
    for name, published in PUBLISHED_DENSE.items():
        cells = zip(K, published, strict=True)
        rows[name] |= {f"bge_small_recall_at_{k}": Cell(value, None) for k, value in cells}
    corpus: dict[str, Value | Cell] = {
        "name": "constitution",
        "digest": pages.digest,
        "characters": sum(len(document.text) for document in documents),
        "questions": len(golden) + golden.left_out,
        "questions_without_their_answer": golden.left_out,
    }
    return Figures(corpus, rows, beyond=beyond)


def expected(reference: Mapping[str, Any], dense: str | None = None) -> Expected:
    """What the reference file says, by place in the output; figures of a model within one question."""
    places: dict[str, Value | Within] = {}
    for size, rows in reference["chunks_and_ceilings"].items():
        for name, (chunks, ceiling) in rows.items():
            places |= {f"rows/{name}_{size}/chunks": chunks, f"rows/{name}_{size}/ceiling": ceiling}
    for name, recall in reference["recall_at_1_3_5_at_600"]["bm25"].items():
        cells = zip(K, recall, strict=True)
        places |= {f"rows/{name}_600/bm25_recall_at_{k}": value for k, value in cells}
    if dense is not None:
        # The weights are the same; sums in another order may move a question on another machine.
        for name, recall in reference["recall_at_1_3_5_at_600"][dense].items():
            for k, value in zip(K, recall, strict=True):
                within = Within(round(value - ONE, 2), round(value + ONE, 2))
                places[f"rows/{name}_{DENSE_SIZE}/{dense}_recall_at_{k}"] = within
    return places


def notes(figures: Figures) -> list[str]:
    """What Chunkwise's own chunkers change, in words."""
    one = 100 / int(str(figures.corpus["questions"]))
    found = [f"One question is {one:.1f} points: gaps of a few questions say nothing."]
    for size in SIZES:
        over = figures.rows[f"heading_{size}"]["chunks_over_limit"].ours
        own = figures.rows.get(f"chunkwise heading:size={size}")
        if own is not None:
            found.append(
                f"at {size}, heading indexes {over} chunks over the limit, "
                f"chunkwise heading {own['chunks_over_limit'].ours}."
            )
    return found
