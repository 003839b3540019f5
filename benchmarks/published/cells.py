"""Figures side by side: what was published, what is computed here, what a reference file says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

Value: TypeAlias = float | int | str


class Cell(NamedTuple):
    """One figure."""

    published: Value | None
    """What the article prints; None where it says nothing."""
    ours: Value | None
    """What is computed here; None where nothing that computes it is at hand."""


class Within(NamedTuple):
    """A range that a figure must lie in, where a reference cannot be met to the digit."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, int | float) and self.low <= value <= self.high


Rows: TypeAlias = dict[str, dict[str, Cell]]
Expected: TypeAlias = Mapping[str, "Value | Within"]
"""Figures of a reference file by their place in the output: `rows/fixed/chunks`."""


@dataclass
class Figures:
    """All figures of one corpus."""

    corpus: dict[str, Value | Cell]
    """What the corpus is and how much of it there is."""
    rows: Rows
    """By strategy and measure. Chunkwise's own chunkers begin with `chunkwise `."""
    experiment: Rows = field(default_factory=dict)
    """The figures on a corpus that was changed so that it may be the one that was published about."""
    sensitivity: dict[str, Rows] = field(default_factory=dict)
    """The same with one definition changed, by the name of the change."""
    beyond: dict[str, Value] = field(default_factory=dict)
    """What the article does not say."""

    def to_dict(self) -> dict[str, Any]:
        """The figures as plain values for JSON."""
        plain: dict[str, Any] = {
            "corpus": {k: v._asdict() if isinstance(v, Cell) else v for k, v in self.corpus.items()},
            "rows": _plain(self.rows),
        }
        if self.experiment:
            plain["experiment"] = _plain(self.experiment)
        if self.sensitivity:
            plain["sensitivity"] = {name: _plain(rows) for name, rows in self.sensitivity.items()}
        if self.beyond:
            plain["beyond_the_article"] = self.beyond
        return plain

    def ours(self) -> Iterator[tuple[str, Value | None]]:
        """Every figure computed here with its place, such as `rows/fixed/chunks`."""
        for key, value in self.corpus.items():
            yield f"corpus/{key}", value.ours if isinstance(value, Cell) else value
        yield from _places("rows", self.rows)
        yield from _places("experiment", self.experiment)
        for name, rows in self.sensitivity.items():
            yield from _places(f"sensitivity/{name}", rows)
        for key, value in self.beyond.items():
            yield f"beyond_the_article/{key}", value


def side_by_side(
    published: Mapping[str, Mapping[str, Value]], ours: Mapping[str, Mapping[str, Value]]
) -> Rows:
    """Rows of cells: every measure that is computed, and what was published of it."""
    return {
        name: {measure: Cell(published.get(name, {}).get(measure), value) for measure, value in row.items()}
        for name, row in ours.items()
    }


def differences(figures: Figures, expected: Expected) -> dict[str, dict[str, Value | Within | None]]:
    """Every figure of a reference file that is not the same here, or not within; a missing one is None."""
    ours = dict(figures.ours())
    return {
        place: {"reference": value, "ours": ours.get(place)}
        for place, value in expected.items()
        if (ours.get(place) not in value if isinstance(value, Within) else ours.get(place) != value)
    }


def _plain(rows: Rows) -> dict[str, dict[str, dict[str, Value | None]]]:
    return {name: {m: cell._asdict() for m, cell in row.items()} for name, row in rows.items()}


def _places(above: str, rows: Rows) -> Iterator[tuple[str, Value | None]]:
    for name, row in rows.items():
        for measure, cell in row.items():
            yield f"{above}/{name}/{measure}", cell.ours
