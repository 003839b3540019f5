"""Comparing five strategies on all questions: Chunkwise, a bare script, and context-grid.

The time is that of everything from the files to the figures, by question and configuration.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from rich.console import Console

import chunkwise
from benchmarks import speed_bare
from benchmarks.published.fastapi import queries
from benchmarks.speed_clock import Ratio, alternating, seconds
from benchmarks.speed_figures import Figure
from benchmarks.speed_pages import pages
from chunkwise.report.terminal import render
from chunkwise.types import GoldenSet, Report

PART = "Comparing five strategies on all questions, by question and configuration"
CANDIDATES = (
    "fixed:size=800,overlap=100",
    "fixed:size=530,overlap=100",
    "paragraph:size=800",
    "heading:size=800,path=no",
    "heading:size=800",
)
GRID_CHUNKERS = (
    "fixed:200,overlap=25",
    "fixed:130,overlap=25",
    "recursive:200",
    "structural:200",
    "structural:200,keep_heading_path=true",
)
"""The nearest of context-grid's chunkers; it counts sizes in words and punctuation marks."""
GRIDS: dict[str, tuple[dict[str, Any], float | None]] = {
    "defaults": ({}, 20.0),
    "bm25": ({"embedder": None, "index": "bm25"}, None),
}
"""What is set besides the chunkers, and how many times less CPU time Chunkwise should take."""
BARE = 3.0
BARE_NAME = "a bare script with the standard library"


def ours(root: Path) -> Report:
    """Chunkwise: five candidates, every measure, the damage at the cuts, and intervals."""
    corpus = chunkwise.read(root)
    return chunkwise.compare(corpus, queries(corpus), CANDIDATES, rule="majority")


def against_bare(root: Path, rounds: int) -> Figure:
    """Chunkwise and the bare script in turns."""
    asked = len(queries(chunkwise.read(root)))
    spent = alternating(
        {"ours": lambda: lambda: ours(root), "bare": lambda: lambda: speed_bare.run(pages(root))}, rounds
    )
    ratio = Ratio.of(spent["bare"], spent["ours"])
    note = (
        f"{asked} questions. The bare script cuts, indexes and ranks as the one of the article does, and "
        "counts hits and two kinds of damage; Chunkwise also measures recall at budgets, four hit rules, all "
        "damage, an index without heading lines, and intervals."
    )
    mine, theirs = (
        statistics.median(spent[who]) / asked / len(count) * 1000
        for who, count in (("ours", CANDIDATES), ("bare", speed_bare.STRATEGIES))
    )
    return Figure(PART, "five strategies", BARE_NAME, mine, theirs, "ms", *ratio, least=BARE, note=note)


def against_grid(root: Path, out: Path, name: str, chunkers: Sequence[str] = GRID_CHUNKERS) -> Figure:
    """Chunkwise and one sweep of context-grid, in turns: before each of its configurations it is Chunkwise's.

    Args:
        root: the pages.
        out: folder that keeps what context-grid writes.
        name: the sweep, of `GRIDS`.
        chunkers: its chunkers.
    """
    from contextgrid.config import loader

    settings, aim = GRIDS[name]
    golden = queries(chunkwise.read(root))
    mine: list[float] = []
    theirs: list[float] = []
    last: float | None = None

    def between(*_: object) -> None:
        nonlocal last
        now = time.process_time()
        if last is not None:
            theirs.append(now - last)
        mine.append(seconds(lambda: ours(root)))
        last = time.process_time()

    with tempfile.TemporaryDirectory(prefix="chunkwise-speed-") as folder:
        questions = Path(folder) / "questions.jsonl"
        questions.write_text("".join(evaluation(golden)), "utf-8")
        experiment = {
            "name": name,
            "corpus": str(root.resolve()),
            "evalset": str(questions),
            "grid": {"chunker": list(chunkers), **settings},
            "report": {"out": str(out.resolve()), "formats": ["markdown", "json"]},
        }
        config = loader.loads(json.dumps(experiment), base=Path(folder))
        results = loader.run(config, on_progress=between)
        if last is None or len(results.runs) != len(chunkers):
            said = "; ".join(str(warning) for warning in results.warnings)
            raise SystemExit(f"context-grid ran {len(results.runs)} of {len(chunkers)}: {said}")
        theirs.append(time.process_time() - last)
        loader.write_report(config, results)
    scored = [run.scored_queries for run in results.runs]
    # A sweep of Chunkwise is all its candidates; one of context-grid is taken a configuration at a time.
    each = [value / len(golden) / len(CANDIDATES) * 1000 for value in mine]
    whole = sum(theirs) / len(theirs) / len(golden) * 1000
    middle = statistics.median(each)
    return Figure(
        PART,
        "five strategies",
        f"context-grid, {name}",
        middle,
        whole,
        "ms",
        whole / middle,
        whole / max(each),
        whole / min(each),
        least=aim,
        note=f"context-grid, {name}: scored {min(scored)} to {max(scored)} of {len(golden)} questions.",
    )


def evaluation(golden: GoldenSet) -> list[str]:
    """The questions in the form that context-grid reads."""
    lines = []
    for question in golden:
        places = [place for gold in question.golds for place in gold.places]
        gold = [{"doc_id": p.doc, "start": p.span[0], "end": p.span[1]} for p in places]
        lines.append(json.dumps({"id": question.id, "question": question.text, "gold": gold}) + "\n")
    return lines


def keep(report: Report, out: Path) -> None:
    """Write Chunkwise's report beside that of context-grid: as JSON, and as the terminal shows it."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "report.json").write_text(report.to_json(), "utf-8")
    console = Console(file=StringIO(), width=160, record=True)
    render(report, console)
    (out / "report.txt").write_text(console.export_text(), "utf-8")


def run(root: Path, rounds: int, out: Path) -> Iterator[Figure]:
    """Against the bare script; Chunkwise's report is kept below `out`.

    Args:
        root: the pages.
        rounds: how often each is timed.
        out: folder for the output.
    """
    keep(ours(root), out / "chunkwise")
    yield against_bare(root, rounds)


def run_grid(root: Path, out: Path) -> Iterator[Figure]:
    """Against the sweeps of context-grid; both outputs are kept below `out`.

    Args:
        root: the pages.
        out: folder for the outputs.
    """
    keep(ours(root), out / "chunkwise")
    for name in GRIDS:
        yield against_grid(root, out / f"context-grid-{name}", name)
