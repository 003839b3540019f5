"""Figures of a run: what was measured against what, and what was aimed at."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the table."""

    part: str
    """The part of the benchmark that it belongs to."""
    name: str
    """What was done."""
    against: str
    """What it is held against: another library, another size, or a limit."""
    ours: float
    """Chunkwise's figure, in `unit`; a median."""
    theirs: float | None
    """The other figure in the same unit; None where there is only a limit."""
    unit: str
    ratio: float | None = None
    """`theirs` to `ours`, or `ours` to `theirs` where a growth is meant; the median over the rounds."""
    low: float | None = None
    """The smallest ratio of a round."""
    high: float | None = None
    """The largest ratio of a round."""
    least: float | None = None
    """What the ratio should be at least."""
    most: float | None = None
    """What the ratio, or without one Chunkwise's figure, should be at most."""
    note: str = ""

    @property
    def judged(self) -> float:
        """The number that is held against the aim."""
        return self.ours if self.ratio is None else self.ratio

    @property
    def met(self) -> bool | None:
        """Whether the aim is met; None where there is none."""
        if self.least is not None:
            return self.judged >= self.least
        return self.judged <= self.most if self.most is not None else None

    @property
    def aim(self) -> str:
        """The aim in words."""
        times = "x" if self.ratio is not None else f" {self.unit}"
        if self.least is not None:
            return f"at least {self.least:g}{times}"
        return f"at most {self.most:g}{times}" if self.most is not None else ""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {**asdict(self), "met": self.met}


def number(value: float | None) -> str:
    """A number with three digits that mean something; large ones with commas."""
    if value is None:
        return ""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}" if value < 10 else f"{value:.1f}"


def cells(figure: Figure) -> list[str]:
    """The cells of one line."""
    ratio = "" if figure.ratio is None else f"{number(figure.ratio)}x"
    verdict = {True: "yes", False: "no", None: ""}[figure.met]
    theirs = "" if figure.theirs is None else f"{number(figure.theirs)} {figure.unit}"
    ours = f"{number(figure.ours)} {figure.unit}"
    return [figure.name, figure.against, ours, theirs, ratio, figure.aim, verdict]


HEADS = ("", "against", "Chunkwise", "the other", "ratio", "aim", "met")


def show(figures: Sequence[Figure], console: Console) -> None:
    """Print the table, a part at a time, with what was noted below it."""
    for part, own in parts(figures).items():
        table = Table(title=part, title_justify="left", box=None, pad_edge=False, title_style="bold")
        for i, head in enumerate(HEADS):
            table.add_column(head, justify="right" if i in (2, 3, 4) else "left", overflow="fold")
        for figure in own:
            table.add_row(*cells(figure), style="red" if figure.met is False else "")
        console.print(table)
        for note in notes(own):
            console.print(f"  {note}", highlight=False)
        console.print()


def parts(figures: Iterable[Figure]) -> dict[str, list[Figure]]:
    """The figures by part, in order."""
    found: dict[str, list[Figure]] = {}
    for figure in figures:
        found.setdefault(figure.part, []).append(figure)
    return found


def notes(figures: Iterable[Figure]) -> list[str]:
    """What is said about these figures, each once."""
    return list(dict.fromkeys(figure.note for figure in figures if figure.note))


def markdown(figures: Sequence[Figure], about: Mapping[str, Any]) -> str:
    """The tables as Markdown, with the machine and the versions that they were measured with."""
    versions = ", ".join(f"{name} {version}" for name, version in about["versions"].items())
    lines = [f"Measured with {versions} on {about['machine']}.", ""]
    for part, own in parts(figures).items():
        lines += [f"### {part}", "", f"| {' | '.join(HEADS)} |", "|---|---|---:|---:|---:|---|---|"]
        lines += [f"| {' | '.join(cells(figure))} |" for figure in own]
        lines += ["", *(line for note in notes(own) for line in (note, ""))]
    return "\n".join(lines)


def from_json(plain: Mapping[str, Any]) -> list[Figure]:
    """The figures of a file that was written by an earlier run."""
    known = [field.name for field in fields(Figure)]
    return [Figure(**{name: one[name] for name in known}) for one in plain["figures"]]
