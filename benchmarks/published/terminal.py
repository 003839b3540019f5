"""Figures as tables on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich import box
from rich.console import Console
from rich.table import Table

from benchmarks.published.cells import Cell, Figures, Rows, Value

OWN = "chunkwise "


def render(figures: Figures, console: Console) -> None:
    """Print all figures: `published / ours` where something was published, else ours."""
    for key, value in figures.corpus.items():
        console.print(f"{key.replace('_', ' ')}: {_text(value)}", highlight=False, overflow="fold")
    measures = list(dict.fromkeys(measure for row in figures.rows.values() for measure in row))
    printed = [m for m in measures if any(_published(row.get(m)) for row in figures.rows.values())]
    computed = [m for m in measures if m not in printed]
    for title, names in (
        ("published / computed here", printed),
        ("computed here, not published", computed),
    ):
        for part in _fitting(figures.rows, names, console.width):
            console.print(_table(title, figures.rows, part))
    if figures.experiment:
        for part in _fitting(figures.experiment, printed, console.width):
            console.print(_table("published / computed with a little more text", figures.experiment, part))
    if figures.sensitivity:
        console.print(_sensitivity("hit@1 with one definition changed", figures.sensitivity, "hit1"))
    for key, value in figures.beyond.items():
        console.print(f"{key.replace('_', ' ')}: {_text(value)}", highlight=False)


def _fitting(rows: Rows, measures: Sequence[str], width: int) -> Iterator[list[str]]:
    """The measures in groups that fit beside the names of the strategies."""
    first = max(len(name.removeprefix(OWN)) for name in rows) + 3
    part: list[str] = []
    used = first
    for measure in measures:
        words = measure.split("_")
        needed = 3 + max(map(len, [*(_text(row.get(measure)) for row in rows.values()), *words]))
        if part and used + needed > width:
            yield part
            part, used = [], first
        part.append(measure)
        used += needed
    if part:
        yield part


def _table(title: str, rows: Rows, measures: Sequence[str]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("strategy", no_wrap=True)
    for measure in measures:
        table.add_column(measure.replace("_", " "), justify="right")
    own = False
    for name, row in rows.items():
        if not any(measure in row for measure in measures):
            continue
        if name.startswith(OWN) and not own:
            own = True
            table.add_section()
            table.add_row("Chunkwise's own", style="bold")
        table.add_row(name.removeprefix(OWN), *(_text(row.get(measure)) for measure in measures))
    return table


def _sensitivity(title: str, variants: Mapping[str, Rows], measure: str) -> Table:
    """One measure of every strategy under each changed definition."""
    strategies = list(next(iter(variants.values())))
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, show_edge=False)
    table.add_column("definition")
    for strategy in strategies:
        table.add_column(strategy, justify="right")
    table.add_column("queries", justify="right")
    for name, rows in variants.items():
        cells = [_text(rows[strategy][measure].ours) for strategy in strategies]
        table.add_row(name, *cells, _text(rows[strategies[0]]["n"].ours))
    return table


def _published(cell: Cell | None) -> bool:
    return cell is not None and cell.published is not None


def _text(value: Cell | Value | None) -> str:
    if value is None:
        return ""
    if isinstance(value, Cell):
        if value.published is None:
            return _text(value.ours)
        return f"{_text(value.published)} / {'-' if value.ours is None else _text(value.ours)}"
    return f"{value:,}" if isinstance(value, int | float) else value
