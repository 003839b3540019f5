"""The FastAPI documentation, 773 headings as queries: five strategies under BM25.

A heading of level 1 to 3 begins a section, which ends at the next one; fences are not looked at. A
heading of level 2 or 3 with enough text is a query, and a chunk hits where at least half of it lies in
that heading's section.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks.published.cells import Cell, Expected, Figures, Rows, Value, side_by_side
from benchmarks.published.search import RETRIEVER, Indexed, index_all, percent
from chunkwise.adapters import from_callable
from chunkwise.measure import MAJORITY, Hit, HitRule, Mrr, score_run
from chunkwise.measure.boundaries import damage
from chunkwise.measure.landmarks import Landmarks, landmarks
from chunkwise.readers import read
from chunkwise.types import Chunker, Corpus, Document, Gold, GoldenSet, Measure, Place, Question, Span

SIZE = 800
OWN: Sequence[str] = (
    "fixed:size=800,overlap=100",
    "recursive:size=800",
    "paragraph:size=800",
    "heading:size=800,path=no",
    "heading:size=800",
    "section:size=800",
)
PUBLISHED: dict[str, dict[str, Value]] = {
    name: dict(
        zip(
            (
                "chunks",
                "avg_chars",
                "crosses_section_pct",
                "splits_code_block_pct",
                "hit_at_1",
                "hit_at_5",
                "mrr_at_5",
            ),
            values,
            strict=True,
        )
    )
    for name, values in {
        "fixed_800_100": (2142, 770, 58.8, 7.3, 0.389, 0.611, 0.477),
        "fixed_530_100": (3446, 516, 47.5, 6.1, 0.481, 0.766, 0.598),
        "paragraph_800": (1737, 835, 57.2, 3.6, 0.375, 0.576, 0.455),
        "heading_800": (2713, 534, 0.0, 2.1, 0.712, 0.933, 0.804),
        "heading_800_path": (2713, 534, 0.0, 2.1, 0.785, 0.966, 0.859),
    }.items()
}
PUBLISHED_FILES, PUBLISHED_QUERIES = 151, 773

HEADING = re.compile(r"^(#{1,3}) (.+?)\s*(\{.*\})?$", re.MULTILINE)
BLANK_LINES = re.compile(r"\n\s*\n")
WORD = re.compile(r"[a-z0-9_]+")


CROSSES = (
    "By the article's count it crosses sections where a heading without text stands in front of the next "
    "section, and at comment lines in code."
)


class Section(NamedTuple):
    """A heading and what stands below it, as the article sees it."""

    start: int
    end: int
    level: int
    title: str
    path: tuple[str, ...]
    subtree: int
    """Where the last section below it ends."""


def sections(text: str, skip: Callable[[int], bool] | None = None) -> list[Section]:
    """The sections of a text, in order; text before the first heading is one without a title.

    `skip` tells of a position whether a heading there does not count.
    """
    heads = [m for m in HEADING.finditer(text) if skip is None or not skip(m.start())]
    starts = [m.start() for m in heads] + [len(text)]
    found: list[Section] = []
    if starts[0] > 0 or not heads:
        found.append(Section(0, starts[0], 0, "", (), starts[0]))
    levels = [len(m[1]) for m in heads]
    subtrees = [len(text)] * len(heads)
    open_: list[int] = []  # numbers of the headings that the next one may stand below
    titles = [m[2].strip() for m in heads]
    paths = []
    for i, level in enumerate(levels):
        while open_ and levels[open_[-1]] >= level:
            subtrees[open_.pop()] = starts[i]
        open_.append(i)
        paths.append(tuple(titles[j] for j in open_))
    rows = zip(starts[:-1], starts[1:], levels, titles, paths, subtrees, strict=True)
    return [*found, *(Section(*row) for row in rows)]


def windows(text: str, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """Windows for every start in the text, also where the one before has reached the end."""
    for start in range(0, len(text), size - overlap):
        yield start, min(start + size, len(text))


def packed(text: str, size: int, start: int = 0, end: int | None = None) -> Iterator[tuple[int, int]]:
    """Paragraphs with the blank lines behind them, packed; one over the size stays whole."""
    piece = text[start:end]
    first = reached = 0
    for match in BLANK_LINES.finditer(piece):
        if match.end() - first > size and reached > first:
            if piece[first:reached].strip():
                yield start + first, start + reached
            first = reached
        reached = match.end()
    if piece[first:].strip():
        yield start + first, start + len(piece)


Cutter = Callable[[str], Iterable[tuple[int, int, str]]]


def cutters(size: int = SIZE, cut: Callable[[str], list[Section]] = sections) -> dict[str, Cutter]:
    """The article's five strategies as plain functions that yield start, end and what is indexed."""

    def whole(spans: Callable[[str], Iterable[tuple[int, int]]]) -> Cutter:
        return lambda text: ((a, b, text[a:b]) for a, b in spans(text))

    def by_heading(text: str, *, with_path: bool) -> Iterator[tuple[int, int, str]]:
        for section in cut(text):
            path = " > ".join(section.path)
            for a, b in packed(text, size, section.start, section.end):
                yield a, b, f"{path}\n{text[a:b]}" if with_path and path else text[a:b]

    return {
        "fixed_800_100": whole(partial(windows, size=size, overlap=100)),
        "fixed_530_100": whole(partial(windows, size=530, overlap=100)),
        "paragraph_800": whole(partial(packed, size=size)),
        "heading_800": partial(by_heading, with_path=False),
        "heading_800_path": partial(by_heading, with_path=True),
    }


def enough(section: Section, _: str) -> bool:
    """Whether a section of a text is a query: level 2 or 3, 300 characters, two words."""
    long = section.end - section.start >= 300
    return section.level in (2, 3) and long and len(WORD.findall(section.title.lower())) >= 2


def queries(
    documents: Iterable[Document],
    keep: Callable[[Section, str], bool] = enough,
    cut: Callable[[str], list[Section]] = sections,
) -> GoldenSet:
    """A question for each section that is kept; the section is its answer. Equal titles stay apart."""
    questions, digests = [], {}
    for document in documents:
        digests[document.id] = document.digest
        for section in cut(document.text):
            if keep(section, document.text):
                place = Place(document.id, document.to_raw(Span(section.start, section.end)))
                key = f"{document.id}:{section.start}"
                gold = Gold("", (place,))
                questions.append(Question(key, section.title, (gold,), family=key, origin="heading"))
    return GoldenSet(questions, digests)


def found(
    indexed: Indexed, golden: GoldenSet, rule: HitRule = MAJORITY, depth: int = 5, **options: Any
) -> dict[str, Value]:
    """Hits and reciprocal ranks of one strategy; `depth` is that of the reciprocal rank."""
    measures: list[Measure] = [Hit(1), Hit(5), Mrr(depth)]
    run = indexed.run(golden, max(5, depth), **options)
    first, fifth, reciprocal = score_run(run, golden.questions, measures, rule).T
    n = len(golden)
    return {
        "hits_at_1": int(first.sum()),
        "hit_at_1": round(float(first.sum()) / n, 4),
        "hits_at_5": int(fifth.sum()),
        "hit_at_5": round(float(fifth.sum()) / n, 4),
        f"mrr_at_{depth}": round(float(np.sum(reciprocal)) / n, 4),
    }


def shape(indexed: Indexed, marks: Landmarks, size: int = SIZE) -> dict[str, Value]:
    """The article's measures of the chunks, and what it does not look at.

    Args:
        indexed: the chunks, each with a place.
        marks: the landmarks of the same documents, for what Chunkwise measures.
        size: the limit that chunks are held against.
    """
    docs: list[int] = []
    spans: list[Span] = []
    crossing = fences = 0
    for number, (document, found_) in enumerate(indexed.spans()):
        heads = np.array([m.start() for m in HEADING.finditer(document.text)], dtype=np.int64)
        ends = np.array(found_, dtype=np.int64).reshape(-1, 2)
        inside = np.searchsorted(heads, ends[:, 1]) - np.searchsorted(heads, ends[:, 0], side="right")
        crossing += int((inside > 0).sum())
        fences += sum(document.text.count("```", a, b) % 2 for a, b in found_)
        docs += [number] * len(found_)
        spans += found_
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2) + marks.offsets[docs][:, None]
    done = damage(marks, np.array(docs, dtype=np.int64), columns[:, 0], columns[:, 1])
    lengths = [span.length for span in spans]
    over = [length for length in lengths if length > size]
    n, total = len(lengths), sum(lengths)
    return {
        "chunks": n,
        "total_chars": total,
        "avg_chars": round(total / n, 2),
        "crosses_section": crossing,
        "crosses_section_pct": percent(crossing, n),
        "splits_code_block": fences,
        "splits_code_block_pct": percent(fences, n),
        "chunks_over_limit": len(over),
        "chunks_over_limit_pct": percent(len(over), n),
        "chars_over_limit_pct": percent(sum(over), total),
        "longest_chunk": max(lengths),
        "text_of_two_sections_pct": percent(done.crossing, done.chunks),
        "starts_in_a_sentence_pct": percent(done.starts.sentence, done.starts.cuts),
        "ends_in_a_sentence_pct": percent(done.ends.sentence, done.ends.cuts),
    }


def documents_of(data: Path) -> list[Document]:
    """All pages, read once."""
    return list(read(data / "docs"))


def run(
    data: Path,
    *,
    size: int = SIZE,
    retriever: str = RETRIEVER,
    own: Sequence[Chunker] = (),
    sensitivity: bool = True,
) -> Figures:
    """All figures of this corpus.

    Args:
        data: the folder with `docs/`.
        size: the article's limit; another one moves the cells.
        retriever: text form of the retriever.
        own: Chunkwise's own chunkers that stand beside.
        sensitivity: also compute the table with one definition changed at a time, and the experiment with
            a little more text.
    """
    from benchmarks.published.fastapi_variants import variants, with_more_news

    documents = documents_of(data)
    golden = queries(documents)
    theirs = [(name, from_callable(cutter, name)) for name, cutter in cutters(size).items()]
    ours = [(f"chunkwise {chunker.spec}", chunker) for chunker in own]
    indexes = index_all(documents, [*theirs, *ours], retriever)
    marks = landmarks(documents)
    rows = {name: shape(indexed, marks) | found(indexed, golden) for name, indexed in indexes.items()}
    corpus: dict[str, Value | Cell] = {
        "name": "fastapi",
        "digest": Corpus(documents).digest,
        "files": Cell(PUBLISHED_FILES, len(documents)),
        "characters": sum(len(document.text) for document in documents),
        "queries": Cell(PUBLISHED_QUERIES, len(golden)),
    }
    figures = Figures(corpus, side_by_side(PUBLISHED, rows))
    if sensitivity:
        strategies = {name: indexes[name] for name, _ in theirs}
        figures.sensitivity = variants(documents, golden, strategies, size, retriever)
        more = with_more_news(documents)
        if more is not None:
            figures.experiment = side_by_side(PUBLISHED, published_rows(more, size, retriever))
    return figures


def published_rows(documents: Sequence[Document], size: int, retriever: str) -> dict[str, dict[str, Value]]:
    """The published measures of the article's strategies on some other documents."""
    golden, marks = queries(documents), landmarks(documents)
    theirs = [(name, from_callable(cutter, name)) for name, cutter in cutters(size).items()]
    rows = {}
    for name, indexed in index_all(documents, theirs, retriever).items():
        row = shape(indexed, marks, size) | found(indexed, golden)
        rows[name] = {measure: row[measure] for measure in PUBLISHED[name]}
    return rows


SHORT = {
    "fixed800": "fixed_800_100",
    "fixed530": "fixed_530_100",
    "para": "paragraph_800",
    "heading": "heading_800",
    "heading+path": "heading_800_path",
}
"""Names of the strategies in the table of sensitivities."""


def expected(reference: Mapping[str, Any]) -> Expected:
    """What the reference file says, by place in the output."""
    corpus = reference["corpus"]
    places: dict[str, Value] = {f"corpus/{key}": corpus[key] for key in ("files", "characters", "queries")}
    for name, row in reference["comparison"].items():
        for measure, cell in row.items():
            places[f"rows/{name}/{measure}"] = cell["ours"]
            places[f"experiment/{name}/{measure}"] = cell["ours_with_1911_more_characters"]
    for name, counts in reference["exact_counts"].items():
        places |= {f"rows/{name}/{measure}": value for measure, value in counts.items()}
    for variant, rows in reference["sensitivity"]["variants"].items():
        for name, row in rows.items():
            places |= {f"sensitivity/{variant}/{name}/{measure}": value for measure, value in row.items()}
    return places


def short_rows(rows: Mapping[str, Mapping[str, Value]], golden: GoldenSet, mrr: str = "mrr_at_5") -> Rows:
    """Rows of a sensitivity under the names of that table."""
    return {
        short: {
            "hit1": Cell(None, rows[name]["hit_at_1"]),
            "hit5": Cell(None, rows[name]["hit_at_5"]),
            "mrr": Cell(None, rows[name][mrr]),
            "n": Cell(None, len(golden)),
        }
        for short, name in SHORT.items()
    }


def notes(figures: Figures) -> list[str]:
    """What Chunkwise's own chunkers change, in words."""
    theirs, own = figures.rows["heading_800"], figures.rows.get("chunkwise heading:size=800")
    over, of, share = (theirs[m].ours for m in ("chunks_over_limit", "chunks", "chars_over_limit_pct"))
    longest = int(theirs["longest_chunk"].ours or 0)
    long = (
        f"heading_800 keeps {over} of {of} chunks over the limit, {share} % of all characters; the longest "
        f"has {longest} characters, {longest / SIZE:.0f} times the limit."
    )
    if own is None:
        return [long]
    ours, article = (row["text_of_two_sections_pct"].ours for row in (own, theirs))
    return [
        long,
        f"chunkwise heading:size=800 keeps {own['chunks_over_limit'].ours}.",
        f"Text of two sections, levels 1 to 6: in {ours} % of its chunks, in {article} % of heading_800's.",
        CROSSES,
    ]
