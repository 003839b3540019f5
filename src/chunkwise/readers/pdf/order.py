"""The reading order of a page: columns one after the other, what spans them before and behind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from chunkwise.readers.pdf.runs import Run

_LEAST: Final = 4
"""Lines of the shortest column."""
_GUTTER: Final = 8.0
"""Points of the narrowest gap between columns."""
_FILLED: Final = 0.45
"""So much of a column its lines fill on average; cells of a table are shorter."""
_DEEPEST: Final = 4
_CAPITALS: Final = 20
"""Large first letters of a page, at most."""
_HIGHER: Final = 1.8
"""So many times the size of its lines a large first letter has."""


@dataclass(slots=True)
class Line:
    """A line of text in its column, or a table."""

    runs: list[Run]
    left: float = field(init=False)
    top: float = field(init=False)
    right: float = field(init=False)
    bottom: float = field(init=False)
    text: str = field(init=False)
    size: float = field(init=False)
    bold: bool = field(init=False)
    fixed: bool = field(init=False)

    def __post_init__(self) -> None:
        runs = self.runs
        self.left, self.top = min(r.left for r in runs), min(r.top for r in runs)
        self.right, self.bottom = max(r.right for r in runs), max(r.bottom for r in runs)
        self.text = " ".join(run.text for run in runs)
        self.size = max(runs, key=lambda run: len(run.text)).size
        self.bold = all(run.bold for run in runs)
        self.fixed = all(run.fixed for run in runs)

    @property
    def parts(self) -> list[Run]:
        """What stands between wide gaps."""
        return [part for run in self.runs for part in run.parts or [run]]

    @property
    def rows(self) -> list[list[str]]:
        """The cells, where it is a table."""
        return self.runs[0].rows


def flows_of(runs: Sequence[Run]) -> list[list[Line]]:
    """The lines of a page in reading order: one list for each column or part that spans columns."""
    return [lines for part in _parts(_with_capitals(runs), 0) if (lines := _lines(part))]


def _with_capitals(runs: Sequence[Run]) -> list[Run]:
    """Runs whose large first letters, beside several lines, stand in the word of the first of these."""
    capitals = [run for run in runs if len(run.text) == 1 and run.text.isupper()]
    if not 0 < len(capitals) <= _CAPITALS:
        return list(runs)
    words = Counter(word for run in runs for word in run.text.split())
    found = list(runs)
    for letter in capitals:
        beside = [run for run in runs if _stands_beside(run, letter)]
        first = min(beside, key=lambda run: run.top, default=None)
        if first is None or first not in found or len(beside) < 2 or not first.text[:1].isalpha():
            continue
        # `A` may be a word: then what follows is one that stands elsewhere too.
        apart = letter.text in "AIO" and words[first.text.split()[0]] > 1
        begin = letter.text + " " * apart
        parts = [replace(part, text=begin * (not i) + part.text) for i, part in enumerate(first.parts)]
        found[found.index(first)] = replace(first, text=begin + first.text, parts=parts)
        found.remove(letter)
    return found


def _stands_beside(run: Run, letter: Run) -> bool:
    """Whether a run is one of the lines right of a letter that is as high as several of them."""
    level = min(run.bottom, letter.bottom) - max(run.top, letter.top)
    near = -0.1 * letter.size <= run.left - letter.right < 0.5 * letter.size
    return near and not run.rows and _HIGHER * run.size <= letter.size and level > 0.5 * run.size


def _parts(runs: list[Run], depth: int) -> list[list[Run]]:
    gutter = _gutter(runs) if len(runs) >= 2 * _LEAST and depth < _DEEPEST else None
    if gutter is None:
        return [runs] if runs else []
    across = sorted((run for run in runs if run.left < gutter < run.right), key=lambda run: run.top)
    rest = [run for run in runs if not run.left < gutter < run.right]
    found: list[list[Run]] = []
    for run in [*across, None]:
        above = [other for other in rest if run is None or _middle(other) < _middle(run)]
        rest = [other for other in rest if not (run is None or _middle(other) < _middle(run))]
        left = [other for other in above if other.right <= gutter]
        right = [other for other in above if other.right > gutter]
        if left and right and min(len(left), len(right)) >= 2:
            found += [*_parts(left, depth + 1), *_parts(right, depth + 1)]
        elif above:
            found.append(above)
        if run is not None:
            if found and found[-1] and found[-1][-1] in across:
                found[-1].append(run)
            else:
                found.append([run])
    return found


def _gutter(runs: list[Run]) -> float | None:
    """Where a gap between two columns is; None where there is none."""
    left_edge, right_edge = min(run.left for run in runs), max(run.right for run in runs)
    best: tuple[int, float, float] | None = None
    lefts, rights = sorted(run.left for run in runs), sorted(run.right for run in runs)
    for at in sorted({round(run.left) - 2.0 for run in runs}):
        if not left_edge + 0.2 * (right_edge - left_edge) < at < right_edge - 0.2 * (right_edge - left_edge):
            continue
        crossing = sum(left < at for left in lefts) - sum(right <= at for right in rights)
        if crossing > 0.2 * len(runs):
            continue
        before = [run for run in runs if run.right <= at]
        behind = [run for run in runs if run.left >= at]
        if len(before) < _LEAST or len(behind) < _LEAST:
            continue
        low = max(min(r.top for r in before), min(r.top for r in behind))
        high = min(max(r.bottom for r in before), max(r.bottom for r in behind))
        beside = [run.right for run in before if run.bottom > low and run.top < high]
        against = [run.left for run in behind if run.bottom > low and run.top < high]
        if len(beside) < _LEAST or len(against) < _LEAST:
            continue
        reach, start = max(beside), min(against)
        if start - reach < _GUTTER or not (_full(before, left_edge, at) and _full(behind, at, right_edge)):
            continue
        if best is None or (crossing, reach - start) < best[:2]:
            best = crossing, reach - start, (reach + start) / 2
    return best[2] if best is not None else None


def _full(runs: Sequence[Run], left: float, right: float) -> bool:
    mean = sum(run.right - run.left for run in runs) / len(runs)
    return mean >= _FILLED * (right - left)


def _middle(run: Run) -> float:
    return (run.top + run.bottom) / 2


def _lines(runs: Sequence[Run]) -> list[Line]:
    """Runs beside each other as lines, from top to bottom."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda run: (_middle(run), run.left)):
        row = rows[-1] if rows else None
        if row is not None and not run.rows and not row[0].rows and _beside(row[0], run):
            row.append(run)
        else:
            rows.append([run])
    return [Line(sorted(row, key=lambda run: run.left)) for row in rows]


def _beside(one: Run, other: Run) -> bool:
    shared = min(one.bottom, other.bottom) - max(one.top, other.top)
    return shared > 0.5 * min(one.bottom - one.top, other.bottom - other.top)
