"""What is measured for docs/claims.md, beside what other pages have: comparisons, and how they are said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from chunkwise import Corpus, GoldenSet, Report, compare, load_golden, read
from chunkwise.report.tables import points
from chunkwise.text import counter
from chunkwise.types import Pair
from scripts.choices import FOUND, ROOT, Measured, on_manuals

SECTION, WINDOW = "section:size=1500,unit=cl100k", "fixed:size=512,unit=cl100k,overlap=64"
"""What the article on 15,000 documents compares: sections up to 1,500 tokens, and windows."""
TAGS = ("query_type", "answer_length")
SIZES = (300, 500, 800, 1200)


class Claim(NamedTuple):
    """A row of a table."""

    claim: str
    article: str
    here: str
    verdict: str


def table(*claims: Claim) -> str:
    """The rows as Markdown."""
    head = ["| the article says | its figures | measured here | |", "|---|---|---|---|"]
    return "\n".join([*head, *(f"| {' | '.join(claim)} |" for claim in claims), ""])


def within(values: Iterable[float]) -> str:
    """The least and the largest of some differences, with their signs."""
    found = sorted(values)
    return f"{found[0]:+.1f} to {found[-1]:+.1f}"


def standing(report: Report, name: str) -> str:
    """Whether a row has the highest mean (`first`), is `tied` with it, or ruled out (`worse`)."""
    if report.comparisons and report.comparisons[0].best == name:
        return "first"
    return "worse" if report.decision is not None and name in report.decision.ruled_out else "tied"


def ahead(one: Measured, name: str, other: str) -> float:
    """By how many points of recall at the budget a row is ahead of another one."""
    values = [one.report[row].measures[FOUND].value for row in (name, other)]
    return 100 * (values[0] - values[1])


def the_pair(report: Report, setting: str) -> Pair:
    """The first pair of rows that differ in this setting only."""
    return next(pair for pair in report.pairs if pair.setting == setting)


def gain(pair: Pair) -> str:
    """What a setting gains in points, with its interval."""
    return f"{100 * pair.gain:+.1f} ({points(pair.low, pair.high)})"


def tokens_of_1000(corpus: Corpus) -> float:
    """How many cl100k tokens 1,000 characters have."""
    count = counter("cl100k").count
    texts = [document.text for document in corpus]
    return 1000 * sum(map(count, texts)) / sum(map(len, texts))


def on_handbook() -> tuple[Corpus, GoldenSet]:
    """The policies with tables and their questions."""
    corpus = read(ROOT / "examples" / "handbook" / "docs")
    return corpus, load_golden(ROOT / "examples" / "handbook" / "golden.jsonl", corpus)


@cache
def own() -> tuple[tuple[str, Corpus, GoldenSet], ...]:
    """The corpora of this repository, with written questions."""
    return ("manuals", *on_manuals()), ("policies", *on_handbook())


@cache
def others(data: Path) -> tuple[tuple[str, Corpus, GoldenSet | None], ...]:
    """Those that lie outside of it; for the API documentation questions are drafted."""
    legal = read(data / "constitution" / "docs")
    return (
        ("constitution", legal, load_golden(data / "constitution" / "golden.jsonl", legal)),
        ("API documentation", read(data / "fastapi-docs" / "docs"), None),
    )


@cache
def path_on_and_off(data: Path | None) -> tuple[tuple[str, Report], ...]:
    """Heading chunks of 800 characters without and with their path; None: on this repository's corpora."""
    return _compare_all(data, ["heading:size=800,path=no|yes"], k=(1, 20))


@cache
def by_size(data: Path) -> tuple[tuple[str, Report], ...]:
    """Heading chunks at several sizes."""
    return _compare_all(data, [f"heading:size={size}" for size in SIZES])


@cache
def sections_and_windows(data: Path) -> tuple[tuple[str, Report], ...]:
    """What the article on 15,000 documents compares, on the documents with headings here."""
    return _compare_all(data, [SECTION, WINDOW], k=(5,), unit="cl100k", by=TAGS)


_DENSE_ROWS = (
    *(f"{name}:size={size}" for name in ("heading", "paragraph", "fixed") for size in (300, 600, 1200)),
    "heading:size=600,path=no",
)


@cache
def on_minilm(data: Path) -> tuple[tuple[str, Report], ...]:
    """The manuals and the Constitution searched with MiniLM."""
    (manuals, *_), (legal, *_) = own(), others(data)
    return tuple(
        (kind, _dense(corpus, golden, "dense:model=minilm", by))
        for (kind, corpus, golden), by in ((manuals, ("names",)), (legal, ()))
    )


@cache
def on_bm25() -> Report:
    """The same rows on the manuals with BM25."""
    _, corpus, golden = own()[0]
    return _dense(corpus, golden, "bm25", ())


def _dense(corpus: Corpus, golden: GoldenSet | None, retriever: str, by: Sequence[str]) -> Report:
    return compare(
        corpus,
        golden,
        _DENSE_ROWS,
        retrievers=[retriever],
        k=(1, 3),
        by=by,
        primary=FOUND,
        resamples=2000,
        exhibits=0,
    )


def _compare_all(
    data: Path | None,
    rows: Sequence[str],
    *,
    k: Sequence[int] = (5,),
    unit: str = "words",
    by: Sequence[str] = (),
) -> tuple[tuple[str, Report], ...]:
    corpora = own() if data is None else (*own(), *others(data))
    primary = f"recall@1000{unit}"
    settings: dict[str, Any] = {"k": k, "unit": unit, "primary": primary, "resamples": 2000, "exhibits": 0}
    return tuple(
        # Drafted questions have no tags.
        (kind, compare(corpus, golden, rows, by=by if golden is not None else (), **settings))
        for kind, corpus, golden in corpora
    )
