"""Rows of cut tables indexed with their header against without, for docs/tables.md."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

from chunkwise import GoldenSet, Report, compare, load_golden, read
from chunkwise.report.tables import percent, points
from chunkwise.types import Pair

FOLDER = Path(__file__).parents[1] / "examples" / "tables"
ROWS = ("heading:size=400", "heading:size=800", "paragraph:size=400", "paragraph:size=800")
RETRIEVERS = {"bm25": "BM25", "dense:model=minilm": "MiniLM"}
FOUND = "hit@5"
"""Equal k is fair here: the rows that are compared have the same cuts."""
TAG = "header_row"


@cache
def measured() -> dict[bool, Report]:
    """The comparison on the questions whose row needs its header (true), and on all others (false)."""
    corpus = read(FOLDER / "docs")
    golden = load_golden(FOLDER / "golden.jsonl", corpus)
    reports = {}
    for needed in (True, False):
        asked = [question for question in golden if (question.tags[TAG] == "true") == needed]
        reports[needed] = compare(
            corpus,
            GoldenSet(asked, {document.id: document.digest for document in corpus}),
            [f"{row},table_header=no|yes" for row in ROWS],
            retrievers=list(RETRIEVERS),
            primary=FOUND,
            resamples=2000,
            exhibits=0,
        )
    return reports


def table(data: Path) -> str | None:
    """A row for each chunker and retriever: what is found without and with the header, and the gain, on
    questions whose row needs it and on the others. None where the model is not installed.
    """
    del data
    if importlib.util.find_spec("fastembed") is None:
        return None
    reports = measured()
    counts = {needed: report.golden["questions"] for needed, report in reports.items()}
    rows = f"{counts[True]} rows that need it"
    lines = [
        f"{FOUND} in per cent, gains in points with 95 % intervals.",
        "",
        (
            f"| row | searched by | {rows}: without | with header | gain | "
            f"{counts[False]} other questions: gain | more characters |"
        ),
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    for retriever, name in RETRIEVERS.items():
        for row in ROWS:
            with_header, without = f"{row} @ {retriever}", f"{row},table_header=no @ {retriever}"
            report = reports[True]
            found = [percent(report[label].measures[FOUND].value) for label in (without, with_header)]
            gains, others = (pair_of(reports[needed], without) for needed in (True, False))
            more = f"{gains.extra_characters:,}"
            lines.append(
                f"| `{row}` | {name} | {' | '.join(found)} | {gain(gains)} | {gain(others)} | {more} |"
            )
    return "\n".join([*lines, ""])


def pair_of(report: Report, without: str) -> Pair:
    """The pair of a row without the header and the same one with it."""
    (found,) = (pair for pair in report.pairs if pair.setting == "table_header" and pair.first == without)
    return found


def gain(pair: Pair) -> str:
    """A gain with its interval, in points."""
    return f"{round(100 * pair.gain, 1) + 0.0:+.1f} ({points(pair.low, pair.high)})"
