"""Pictures of a report: for each row a track with dots, ranges and bars at shares of its width.

A track is drawn by an inline SVG whose horizontal positions are percentages, so that it fits a phone and a
desktop without a script and without shrinking its text; beside it stands what it shows in figures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil, floor, log10
from typing import Any, NamedTuple

from chunkwise.report.page.words import size_text
from chunkwise.report.tables import percent, points
from chunkwise.types import CandidateReport, Report

__all__ = ["Figure", "figures"]

Rows = Sequence[CandidateReport]
_LEFT, _RIGHT = 2.0, 98.0  # room for a dot at either end, in per cent of the width
_KINDS = {"sentence": "in a sentence", "row": "in a table row", "code": "in code"}
_BUDGETS = ("b0", "b1", "b2", "b3")


class Shape(NamedTuple):
    """Something on a track, from `at` to `to` in per cent of its width."""

    kind: str  # dot, range, bar or zero
    at: str
    to: str
    look: str = ""

    @property
    def span(self) -> str:
        """Its width."""
        return f"{float(self.to[:-1]) - float(self.at[:-1]):.2f}%"


class Track(NamedTuple):
    """A row of a figure."""

    name: str
    shapes: list[Shape]
    text: str


class Figure(NamedTuple):
    """A picture with a track for each row."""

    id: str
    title: str
    note: str
    ticks: list[tuple[str, str]]
    tracks: list[Track]
    legend: list[tuple[str, str]]


Scale = Callable[[float], str]


def figures(report: Report, rows: Rows) -> list[Figure]:
    """All pictures that the report has figures for, rows in the order given."""
    asked = bool(report.golden["questions"])
    makers = (_found, _behind, _budgets, _ceiling) if asked else ()
    found = [maker(report, rows) for maker in makers]
    return [*(figure for figure in found if figure is not None), *_sizes(rows), _cuts(rows)]


def _linear(low: float, high: float) -> Scale:
    width = (high - low) or 1.0
    return lambda value: f"{_LEFT + (_RIGHT - _LEFT) * (min(max(value, low), high) - low) / width:.2f}%"


_SHARE = _linear(0.0, 1.0)
_SHARES = [(_SHARE(t / 4), f"{25 * t} %" if t == 4 else f"{25 * t}") for t in range(5)]


def _found(report: Report, rows: Rows) -> Figure | None:
    primary = str(report.settings["primary"])
    tracks = []
    for row in rows:
        score = row.measures[primary]
        shapes = [
            Shape("range", _SHARE(score.low), _SHARE(score.high)),
            Shape("dot", _SHARE(score.value), ""),
        ]
        tracks.append(Track(row.name, shapes, f"{percent(score.value)} [{points(score.low, score.high)}]"))
    note = "The dot is the mean over all questions, the line its 95 % interval."
    return Figure("found", f"Found: {primary}, in %", note, _SHARES, tracks, [])


def _behind(report: Report, rows: Rows) -> Figure | None:
    apart = {c.other: c for c in report.comparisons}
    if not apart:
        return None
    low = floor(10 * min(0.0, *(c.low for c in apart.values()))) / 10
    high = ceil(10 * max(0.1, *(c.high for c in apart.values()))) / 10
    scale = _linear(low, high)
    step = 0.1 if high - low <= 0.6 else 0.2
    at = ceil(low / step - 1e-9)
    ticks = [(scale(t * step), f"{100 * t * step:.0f}") for t in range(at, floor(high / step + 1e-9) + 1)]
    out = set(report.decision.ruled_out) if report.decision is not None else set()
    tracks = []
    for row in rows:
        c = apart.get(row.name)
        zero = Shape("zero", scale(0.0), "")
        if c is None:
            tracks.append(Track(row.name, [zero], "the first"))
            continue
        look = "worse" if row.name in out else ""
        shapes = [
            zero,
            Shape("range", scale(c.low), scale(c.high), look),
            Shape("dot", scale(c.difference), "", look),
        ]
        tracks.append(Track(row.name, shapes, f"{percent(c.difference)} [{points(c.low, c.high)}]"))
    note = (
        "Points less than the first row on the same questions, with the 95 % interval. Rows that are worse "
        "by more than chance are drawn in red; for all others these questions cannot tell."
    )
    return Figure("behind", "Behind the first row, in points", note, ticks, tracks, [])


def _budgets(report: Report, rows: Rows) -> Figure | None:
    unit, budgets = str(report.settings["unit"]), [int(b) for b in report.settings["budgets"]]
    names = [(b, f"recall@{b}{unit}") for b in sorted(budgets)[: len(_BUDGETS)]]
    names = [(b, name) for b, name in names if all(name in row.measures for row in rows)]
    if len(names) < 2:
        return None
    tracks = []
    for row in rows:
        values = [row.measures[name].value for _, name in names]
        dots = [Shape("dot", _SHARE(v), "", look) for v, look in zip(values, _BUDGETS, strict=False)]
        line = Shape("range", _SHARE(min(values)), _SHARE(max(values)), "thin")
        tracks.append(Track(row.name, [line, *dots], " · ".join(map(percent, values))))
    legend = [(look, f"{b:,}") for (b, _), look in zip(names, _BUDGETS, strict=False)]
    note = f"Share of the answers' text that a reader has after so many {unit}, in %."
    return Figure("budgets", "Recall by budget", note, _SHARES, tracks, legend)


def _ceiling(report: Report, rows: Rows) -> Figure | None:
    ks = [int(k) for k in report.settings["k"]]
    if not ks or not all("ceiling" in row.measures for row in rows):
        return None
    k, whole = max(ks), report.settings["rule"] == "contained"
    tracks = []
    for row in rows:
        hit, reach = row.measures[f"hit@{k}"].value, row.measures["ceiling"].value
        bars = [
            Shape("bar", _SHARE(0), _SHARE(hit), "hit"),
            Shape("bar", _SHARE(hit), _SHARE(max(hit, reach)), "missed"),
            Shape("bar", _SHARE(max(hit, reach)), _SHARE(1), "cut"),
        ]
        shapes = [bar for bar in bars if bar.at != bar.to]
        tracks.append(Track(row.name, shapes, f"{percent(hit)} of {percent(reach)}"))
    legend = [
        ("hit", f"found in the first {k} chunks (hit@{k})"),
        ("missed", "in some chunk, but not found (up to the ceiling)"),
        ("cut", "in no chunk: the chunker cut the answer" if whole else "in no chunk, by the hit rule"),
    ]
    note = "What the search misses can still be won by a better search; what is cut cannot."
    return Figure(
        "ceiling", "Found, missed, and cut: share of the questions in %", note, _SHARES, tracks, legend
    )


def _sizes(rows: Rows) -> list[Figure]:
    """The sizes of chunks, a figure for each unit."""
    by_unit: dict[str, list[CandidateReport]] = {}
    for row in rows:
        if row.chunks and row.sizes.get("max"):
            by_unit.setdefault(str(row.sizes["unit"]), []).append(row)
    found: list[Figure] = []
    for unit, own in by_unit.items():
        low = max(1.0, min(float(row.sizes["min"]) for row in own))
        first, last = floor(log10(low)), ceil(log10(max(float(row.sizes["max"]) for row in own)) + 1e-9)
        linear = _linear(first, last)
        tracks = [_size_track(row.name, row.sizes, linear) for row in own]
        ticks = [(linear(t), f"{10**t:,}") for t in range(first, last + 1)]
        note = (
            "The thin line runs from the smallest to the largest chunk, the thick one from the median to "
            f"the 95th percentile, in {unit}; each mark is ten times the one before."
        )
        title = "Sizes of the chunks" + (f", in {unit}" if len(by_unit) > 1 else "")
        found.append(Figure(f"sizes-{len(found)}", title, note, ticks, tracks, []))
    return found


def _size_track(name: str, sizes: Mapping[str, Any], linear: Scale) -> Track:
    def at(key: str) -> str:
        return linear(log10(max(1.0, float(sizes[key]))))

    shapes = [
        Shape("range", at("min"), at("max"), "thin"),
        Shape("range", at("median"), at("p95"), "thick"),
        Shape("dot", at("median"), ""),
    ]
    text = f"{size_text(sizes['median'])}, at most {size_text(sizes['max'])}"
    return Track(name, shapes, text)


def _cuts(rows: Rows) -> Figure:
    """What chunks begin inside of; the three kinds exclude each other."""
    tracks = []
    for row in rows:
        own = row.boundaries["starts"]
        shares, at, shapes = own["shares"], 0.0, []
        for kind in _KINDS:
            if shares[kind]:
                shapes.append(Shape("bar", _SHARE(at), _SHARE(at + shares[kind]), kind))
                at += shares[kind]
        tracks.append(Track(row.name, shapes, f"{percent(at)} of {own['cuts']:,}"))
    legend = list(_KINDS.items())
    note = "Share of the chunks that begin inside of what belongs together; the first of each document aside."
    return Figure("cuts", "Bad cuts, in % of all cuts", note, _SHARES, tracks, legend)
