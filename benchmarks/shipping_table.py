"""The tables of a run of `benchmarks.shipping`, and what it is held against."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STORES = {"lancedb": "LanceDB", "postgresql": "PostgreSQL"}
ARTICLE = {"section": (94_000, 38, 4.2, 11.8), "paragraph": (213_000, 71, 6.9, 19.3)}
"""What the article has for 15,000 documents: chunks, minutes of indexing, milliseconds of p50 and of p99."""
CUTTING = ("read", "cut", "embed", "write")
"""Phases whose memory must not grow with the number of documents."""
AGAIN, ONE, FLAT = 0.05, 0.10, 0.20
"""Most of the first time that shipping again may take where nothing and where one document changed, and
most that the memory may grow."""

Runs = dict[tuple[int, str, str], dict[str, Any]]


def load(file: Path) -> dict[str, Any]:
    """What was measured."""
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def runs_of(data: dict[str, Any]) -> Runs:
    """By number of documents, cut and store, the steps that were measured."""
    found: Runs = {}
    for name, steps in data["runs"].items():
        documents, cut, store = name.split()
        if steps:
            found[int(documents), cut, store] = steps
    return dict(sorted(found.items(), key=lambda item: (item[0][0], item[0][2], item[0][1] != "section")))


def spent(step: dict[str, Any], *phases: str) -> float:
    """Seconds of processors, those of a server too, without the start of the process.

    Args:
        step: of a run.
        phases: those that count; all where none is named.
    """
    found = step["phases"]
    names = phases or [name for name in found if name != "start"]
    return float(sum(found[name]["cpu"] + found[name]["server"] for name in names if name in found))


def clock(step: dict[str, Any]) -> float:
    """Seconds by the clock, without the start of the process."""
    return float(sum(row["wall"] for name, row in step["phases"].items() if name != "start"))


def peak(step: dict[str, Any], *phases: str) -> float:
    """The most memory in some phases, in MB."""
    return float(max(step["phases"][name]["peak"] for name in phases if name in step["phases"])) / 1e6


def markdown(data: dict[str, Any]) -> str:
    """All tables."""
    runs = runs_of(data)
    parts = [_searches(runs), _phases(runs), _memory(runs), _again(runs), _asked(runs), _about(data, runs)]
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part) + "\n"


def aims(data: dict[str, Any]) -> list[str]:
    """The aims that are missed, as sentences."""
    runs = runs_of(data)
    missed = []
    for (documents, cut, store), steps in runs.items():
        name = f"{documents:,} documents, {cut}, {STORES[store]}"
        if store == "lancedb" and documents == max(n for n, _, _ in runs) and "first" in steps:
            first = spent(steps["first"])
            for step, most in (("again", AGAIN), ("one", ONE), ("edited", ONE)):
                share = spent(steps[step]) / first if step in steps else 0.0
                if share >= most:
                    missed.append(f"{name}: {step} takes {share:.0%}, not below {most:.0%}")
        if "one" in steps and steps["one"]["work"]["embedded"] > 1:
            missed.append(f"{name}: more than the new section was embedded")
    for (documents, cut, store), (low, high) in _grown(runs).items():
        if high > (1 + FLAT) * low:
            name = f"{documents:,} documents, {cut}, {STORES[store]}"
            missed.append(f"{name}: {high:.0f} MB, and {low:.0f} MB for fewer documents")
    return missed


def _searches(runs: Runs) -> Iterator[str]:
    """Chunks, seconds and searches, beside the article's."""
    largest = max((documents for documents, _, _ in runs), default=0)
    yield "| documents, cut, store | chunks | built in | memory | p50 | p99 | CPU a search | recall@10 |"
    yield "|---|---|---|---|---|---|---|---|"
    for cut, (chunks, minutes, p50, p99) in ARTICLE.items():
        name = f"the article: 15,000, {cut}, Qdrant, 4 cores"
        yield f"| {name} | {chunks:,} | {minutes} min | | {p50} ms | {p99} ms | | |"
    for (documents, cut, store), steps in runs.items():
        if documents != largest or "first" not in steps:
            continue
        first, search = steps["first"], steps.get("search")
        found = "| | | | |"
        if search is not None:
            times = (f"{1e3 * search[name]:.1f} ms" for name in ("p50", "p99", "cpu"))
            found = f"| {' | '.join(times)} | {search['recall']:.1%} |"
        yield (
            f"| {documents:,}, {cut}, {STORES[store]} | {first['chunks']:,} | {clock(first) / 60:.1f} min "
            f"| {peak(first, *first['phases']):,.0f} MB {found}".replace("%", " %")
        )


def _phases(runs: Runs) -> Iterator[str]:
    """Seconds of processors of each phase of the first ship."""
    names = (*CUTTING, "index", "check")
    yield f"| first ship, CPU seconds | {' | '.join(names)} | all |"
    yield "|---|" + "---|" * (len(names) + 1)
    for (documents, cut, store), steps in runs.items():
        if "first" in steps:
            first = steps["first"]
            cells = " | ".join(f"{spent(first, name):.1f}" for name in names)
            yield f"| {documents:,}, {cut}, {STORES[store]} | {cells} | {spent(first):.0f} |"


def _grown(runs: Runs) -> dict[tuple[int, str, str], tuple[float, float]]:
    """Peaks of reading, cutting, embedding and writing: for the fewest documents, and for more."""
    least = min((documents for documents, _, _ in runs), default=0)
    found = {}
    for (documents, cut, store), steps in runs.items():
        small = runs.get((least, cut, store), {})
        if documents > least and "first" in steps and "first" in small:
            key = documents, cut, store
            found[key] = peak(small["first"], *CUTTING), peak(steps["first"], *CUTTING)
    return found


def _memory(runs: Runs) -> Iterator[str]:
    """How memory grows with the number of documents."""
    grown = _grown(runs)
    if not grown:
        return
    least = min(documents for documents, _, _ in runs)
    yield f"| largest memory | {least:,}: read, cut, embed, write | the same | grown by | index | check |"
    yield "|---|---|---|---|---|---|"
    for (documents, cut, store), (low, high) in grown.items():
        first = runs[documents, cut, store]["first"]
        more = f"{high / low - 1:.0%}".replace("%", " %")
        yield (
            f"| {documents:,}, {cut}, {STORES[store]} | {low:.0f} MB | {high:.0f} MB | {more} "
            f"| {peak(first, 'index'):.0f} MB | {peak(first, 'check'):.0f} MB |"
        )


def _again(runs: Runs) -> Iterator[str]:
    """What shipping again takes."""
    yield (
        "| shipping again, CPU seconds | first | nothing changed | one document changed | of it copy | index "
        "| check | texts embedded |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for (documents, cut, store), steps in runs.items():
        if not {"first", "again", "one"} <= set(steps):
            continue
        first, again, one = (spent(steps[name]) for name in ("first", "again", "one"))
        row = (
            f"| {documents:,}, {cut}, {STORES[store]} | {first:.0f} | {again:.1f} ({again / first:.1%}) "
            f"| {one:.1f} ({one / first:.1%}) "
        ).replace("%", " %")
        cells = [f"{spent(steps['one'], name):.1f}" for name in ("copy", "index", "check")]
        yield f"{row}| {' | '.join(cells)} | {steps['one']['work']['embedded']} |"


def _asked(runs: Runs) -> Iterator[str]:
    """What questions take, the first time and where one document changed."""
    rows = [(key, steps) for key, steps in runs.items() if {"first", "asked", "edited"} <= set(steps)]
    if not rows:
        return
    count = rows[0][1]["edited"]["questions"]
    yield f"| {count} questions, CPU seconds | for the first time | one document changed | of it check |"
    yield "|---|---|---|---|"
    for (documents, cut, store), steps in rows:
        first, edited = spent(steps["first"]), spent(steps["edited"])
        share = f"{edited / first:.1%}".replace("%", " %")
        yield (
            f"| {documents:,}, {cut}, {STORES[store]} | {spent(steps['asked'], 'check'):.1f} "
            f"| {edited:.1f} ({share} of the first ship) | {spent(steps['edited'], 'check'):.1f} |"
        )


def _about(data: dict[str, Any], runs: Runs) -> Iterator[str]:
    """What the figures depend on."""
    about = data.get("about", {})
    if not about:
        return
    versions = ", ".join(f"{name} {number}" for name, number in about["versions"].items())
    loads = [step["load"] for steps in runs.values() for step in steps.values()]
    yield (
        f"{about['cores']} cores, {about['machine']}; others worked on the machine at the same time (between "
        f"{min(loads):.0f} and {max(loads):.0f} processes wanted a core), so that times by the clock are "
        f"longer than on a quiet one. {versions}."
    )
