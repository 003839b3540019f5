"""RFC 9562 cut into 1,000 characters: where four strategies put their cuts.

The article counts the starts of chunks that are no end of a sentence or paragraph. It takes the text
with runs of blank lines shortened, which is the cleaning step `blank-lines`.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.published.cells import Cell, Expected, Figures, Value, side_by_side
from chunkwise.adapters import from_callable
from chunkwise.readers import read
from chunkwise.types import Chunk, Chunker, Document

SIZE = 1000
FILE = "rfc9562.txt"
OWN: Sequence[str] = (
    "fixed:size=1000",
    "fixed:size=1000,overlap=200",
    "recursive:size=1000",
    "sentence:size=1000",
    "paragraph:size=1000",
)
PUBLISHED: dict[str, dict[str, Value]] = {
    name: dict(
        zip(
            ("chunks", "avg_size", "mid_sentence", "mid_sentence_pct", "mid_para", "total_chars"),
            values,
            strict=True,
        )
    )
    for name, values in {
        "fixed": (115, 997, 112, 98, 112, 114_629),
        "fixed_overlap_200": (144, 995, 142, 99, 142, 143_229),
        "recursive": (147, 780, 15, 10, 15, 114_629),
        "paragraph": (132, 868, 0, 0, 0, 114_629),
    }.items()
}
PUBLISHED_CHARACTERS, PUBLISHED_SENTENCES = 114_629, 616

SENTENCE_END = re.compile(r"""[.!?]["')\]]?\s+(?=[A-Z0-9])""")
PARAGRAPH_END = re.compile(r"\n\s*\n")
_LONE = re.compile(r"(?:^|\s)(?:\d+|[A-Z])$")
_CONTENTS_LINE = re.compile(r"\s*\d+\.[\d.]*\s+\S")
Spans = list[tuple[int, int]]


def ends_of(pattern: re.Pattern[str], text: str) -> list[int]:
    """Where the matches of a pattern end."""
    return [match.end() for match in pattern.finditer(text)]


def windows(text: str, size: int, step: int) -> Iterator[tuple[int, int]]:
    """Windows up to the first one that reaches the end."""
    for start in range(0, len(text), step):
        yield start, min(start + size, len(text))
        if start + size >= len(text):
            return


def whole_paragraphs(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Paragraphs packed up to the size; one that is longer is kept whole."""
    start = reached = 0
    for end in (*ends_of(PARAGRAPH_END, text), len(text)):
        if end - start > size and reached > start:
            yield start, reached
            start = reached
        reached = end
    if reached > start:
        yield start, reached


RUNGS = ("\n\n", "\n", ". ", " ")


def recursive(text: str, size: int, *, merge: bool = False) -> Spans:
    """Down the ladder of separators, each of which stays at the end of the piece before it.

    What a lower rung makes of a long piece is final; with `merge` its last chunk takes in what follows.
    """

    def cut(start: int, end: int, rungs: Sequence[str]) -> Spans:
        if end - start <= size or not rungs:
            return [(start + a, start + b) for a, b in windows(text[start:end], size, size)]
        done: Spans = []
        open_: tuple[int, int] | None = None
        for a, b in _pieces(text, start, end, rungs[0]):
            if b - a > size:
                done += [open_] if open_ else []
                below = cut(a, b, rungs[1:])
                open_ = below.pop() if merge else None
                done += below
            elif open_ and b - open_[0] <= size:
                open_ = open_[0], b
            else:
                done += [open_] if open_ else []
                open_ = a, b
        return done + ([open_] if open_ else [])

    return cut(0, len(text), RUNGS)


def packed_atoms(text: str, size: int) -> Spans:
    """The other reading of "recursive": cut all the way down first, then pack what came out."""

    def atoms(start: int, end: int, rungs: Sequence[str]) -> Iterator[tuple[int, int]]:
        if end - start <= size or not rungs:
            yield start, end
            return
        for a, b in _pieces(text, start, end, rungs[0]):
            yield from atoms(a, b, rungs[1:])

    packed: Spans = []
    for start, end in atoms(0, len(text), RUNGS):
        if packed and end - packed[-1][0] <= size:
            packed[-1] = packed[-1][0], end
        else:
            packed.append((start, end))
    return packed


def _pieces(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    while start < end:
        found = text.find(separator, start, end)
        reached = found + len(separator) if found >= 0 else end
        yield start, reached
        start = reached


def cutters(size: int = SIZE) -> dict[str, Callable[[str], Any]]:
    """The article's four strategies as plain functions."""
    return {
        "fixed": partial(windows, size=size, step=size),
        "fixed_overlap_200": partial(windows, size=size, step=size - 200),
        "recursive": partial(recursive, size=size),
        "paragraph": partial(whole_paragraphs, size=size),
    }


def measure(document: Document, chunks: Sequence[Chunk], *, trimmed: bool = False) -> dict[str, Value]:
    """The article's measures, and what it does not look at: the longest chunk, and where chunks end.

    Args:
        document: the text that was cut.
        chunks: all of its chunks, each with a place.
        trimmed: the chunker drops the blank characters behind a chunk: an end is then looked for behind them.
    """
    text = document.text
    paragraph_ends = {*ends_of(PARAGRAPH_END, text), 0, len(text)}
    legal = paragraph_ends | {*ends_of(SENTENCE_END, text)}
    spans = [chunk.span for chunk in chunks if chunk.span is not None]
    cuts = [span.start for span in spans[1:]]
    ends = [_behind_blanks(text, span.end) if trimmed else span.end for span in spans[:-1]]
    sizes = [span.length for span in spans]
    bad = sum(cut not in legal for cut in cuts)
    return {
        "chunks": len(spans),
        "avg_size": round(sum(sizes) / len(sizes), 2),
        "mid_sentence": bad,
        "mid_sentence_pct": round(100 * bad / max(len(cuts), 1), 2),
        "mid_para": sum(cut not in paragraph_ends for cut in cuts),
        "total_chars": sum(sizes),
        "longest_chunk": max(sizes),
        "chunks_over_1000": sum(size > SIZE for size in sizes),
        "chunk_ends_not_legal": sum(end not in legal for end in ends),
    }


def _behind_blanks(text: str, end: int) -> int:
    return len(text) - len(text[end:].lstrip())


def beyond(text: str, size: int = SIZE) -> dict[str, Value]:
    """What the article's figures rest on: how many places are legal, and where recursive makes bad cuts."""
    sentences, paragraphs = ends_of(SENTENCE_END, text), ends_of(PARAGRAPH_END, text)
    legal = {*sentences, *paragraphs, 0, len(text)}
    long = [(a, b) for a, b in whole_paragraphs(text, size) if b - a > size]
    bad = [start for start, _ in recursive(text, size)[1:] if start not in legal]
    inside = [cut for cut in bad if _holds(long, cut)]
    tables = sum(_in_table_or_contents(text, cut) for cut in inside)
    lone = sum(bool(_LONE.search(text, m.start() - 30, m.start())) for m in SENTENCE_END.finditer(text))
    return {
        "legal_boundaries": len(legal),
        "legal_boundaries_pct": round(100 * len(legal) / len(text), 2),
        "sentence_ends_that_are_paragraph_ends": len({*sentences} & {*paragraphs}),
        "sentence_ends_after_a_lone_number_or_initial": lone,
        "recursive_cuts_in_long_paragraphs": len(inside),
        "recursive_cuts_in_tables_or_contents": tables,
        "recursive_cuts_in_running_text": len(inside) - tables,
        "recursive_chunks_if_merged_with_what_follows": len(recursive(text, size, merge=True)),
        "recursive_chunks_if_cut_to_atoms_first": len(packed_atoms(text, size)),
    }


def _holds(spans: Spans, position: int) -> bool:
    i = bisect_left(spans, (position, 0)) - 1
    return i >= 0 and spans[i][0] < position < spans[i][1]


def _in_table_or_contents(text: str, cut: int) -> bool:
    line = text[text.rfind("\n", 0, cut - 1) + 1 : cut]
    return line.lstrip().startswith(("|", "+")) or bool(_CONTENTS_LINE.match(line))


def run(data: Path, *, size: int = SIZE, own: Sequence[Chunker] = ()) -> Figures:
    """All figures of this corpus.

    Args:
        data: the folder with `rfc9562.txt`.
        size: the article's limit; another one moves the cells.
        own: Chunkwise's own chunkers that stand beside.
    """
    document = next(iter(read(data, include=(FILE,), clean=["blank-lines"])))
    text = document.text
    ours = {
        name: measure(document, from_callable(cutter, name)(document))
        for name, cutter in cutters(size).items()
    }
    ours |= {
        f"chunkwise {chunker.spec}": measure(document, chunker(document), trimmed=True) for chunker in own
    }
    corpus: dict[str, Value | Cell] = {
        "name": "rfc9562",
        "sha256": hashlib.sha256((data / FILE).read_bytes()).hexdigest(),
        "cleaned_characters": Cell(PUBLISHED_CHARACTERS, len(text)),
        "cleaned_sha256": document.digest,
        "sentences": Cell(PUBLISHED_SENTENCES, len(ends_of(SENTENCE_END, text))),
        "paragraph_boundaries": len(ends_of(PARAGRAPH_END, text)),
    }
    return Figures(corpus, side_by_side(PUBLISHED, ours), beyond=beyond(text, size))


def expected(reference: Mapping[str, Any]) -> Expected:
    """What the reference file says, by place in the output."""
    corpus = reference["corpus"]
    places: dict[str, Value] = {
        "corpus/sha256": corpus["sha256"],
        "corpus/cleaned_characters": corpus["cleaned_characters"]["ours"],
        "corpus/cleaned_sha256": corpus["cleaned_sha256"],
        "corpus/sentences": corpus["sentences"]["ours"],
        "corpus/paragraph_boundaries": corpus["paragraph_boundaries"],
    }
    for name, row in reference["comparison"].items():
        for measure_, cell in row.items():
            if measure_ == "beyond_the_article":
                places |= {f"rows/{name}/{key}": value for key, value in cell.items()}
            else:
                places[f"rows/{name}/{measure_}"] = cell["ours"]
    return places


def notes(figures: Figures) -> list[str]:
    """What Chunkwise's own chunkers change, in words."""
    theirs, own = figures.rows["paragraph"], figures.rows.get("chunkwise paragraph:size=1000")
    over, of, longest = (theirs[m].ours for m in ("chunks_over_1000", "chunks", "longest_chunk"))
    long = (
        f"paragraph makes no bad cut because it keeps what is too long: {over} of {of} chunks are over "
        f"the limit, the longest has {longest} characters."
    )
    if own is None:
        return [long]
    kept = (
        f"chunkwise paragraph:size=1000 keeps {own['chunks_over_1000'].ours} over the limit: tables and "
        "contents are cut at their lines, which the article's rule counts as cuts in a sentence."
    )
    return [long, kept]
