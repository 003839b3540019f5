"""Tables without rules: lines whose pieces stand below each other in columns.

Told from places alone, and cautiously. What reads as prose, contents or terms with their meanings, what is
not evenly spaced, and what goes on in another way beside it is left as it is: a table that is read line by
line loses its cells, but prose that is read as a table loses its order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise, takewhile
from statistics import median
from typing import Final

from chunkwise.readers.pdf.order import Line
from chunkwise.readers.pdf.runs import Run

_ROWS: Final = 3
"""Rows of the shortest table."""
_MOST: Final = 2_000
"""Lines of a page on which tables are looked for."""
_MOST_COLUMNS: Final = 40
_UNEVEN: Final = 1.3
"""A row stands no more than so many times the usual distance below the one before it."""
_TIGHT: Final = 0.94
"""A line that stands nearer than this share of that distance goes on with the cells above it."""
_NEAR: Final = 1.03
"""So many times the distance of lines inside of other rows two lines of the last row may stand apart."""
_SHORT: Final = 6
"""Rows of a table that may as well be a single row of so many lines."""
_FILLED: Final = 0.7
"""Share of the cells that say something."""
_VALUES: Final = 0.75
"""Share of the cells of a column of values that are a number, with a unit or without."""
_LONG: Final = 30
"""Characters of a cell of prose, on average."""
_GUTTER: Final = 0.5
"""Of the size of the letters: the narrowest gap between columns."""
_SLACK: Final = 0.7
"""Of the size of the letters: how far the places of cells that are aligned may differ."""
_NEARBY: Final = 2.5
"""So many times the distance of rows around a table is looked for what does not fit."""
_SEVERAL = re.compile(r"\d+(?:[.,]\d+)?(?: \d+(?:[.,]\d+)?)+")
_VALUE = re.compile(r"\W{0,3}(?:[A-Z]{3} ?)?\d[\d.,:/\u2013% -]*[^\W\d]{0,12}\W{0,2}")
_LEADERS = re.compile(r"(?:\. ?){4}")

Interval = tuple[float, float]


def with_tables(lines: Sequence[Line]) -> list[Line]:
    """The lines of a flow, with one line of cells in the place of each table."""
    if len(lines) > _MOST:
        return list(lines)
    pieces = [Line(line.parts) if any(run.parts for run in line.runs) else line for line in lines]
    found: list[Line] = []
    at = 0
    for start, end, rows, columns in _blocks(pieces):
        found += lines[at:start]
        found.append(_table(rows, columns))
        at = end
    return [*found, *lines[at:]]


def _blocks(lines: Sequence[Line]) -> Iterator[tuple[int, int, list[list[Line]], list[Interval]]]:
    """First line, the line behind the last, rows with their lines, and columns of each table."""
    start = 0
    while start + _ROWS <= len(lines):
        end, columns = _grown(lines, start)
        rows = _rows(lines[start:end], columns)
        behind = start + sum(map(len, rows))
        if behind < end:  # columns of lines further down are none of these rows
            runs = [run for line in lines[start:behind] for run in line.runs]
            columns = _joined([(run.left, run.right) for run in runs], _GUTTER * lines[start].size)
        if len(rows) >= _ROWS and not _goes_on(lines, start, behind) and _is_table(rows, columns):
            yield start, behind, rows, columns
            start = behind
        else:
            start += 1


def _grown(lines: Sequence[Line], start: int) -> tuple[int, list[Interval]]:
    """How far lines go on in columns of their own from here, and the columns."""
    columns: list[Interval] = []
    end = start
    while end < len(lines) and not lines[end].fixed and not lines[end].rows:
        line = lines[end]
        if end == start:
            if len(line.runs) < 2:
                break
        elif not 0 < line.top - lines[end - 1].top <= 4 * line.size:
            break
        joined = _joined([*columns, *((run.left, run.right) for run in line.runs)], _GUTTER * line.size)
        # Lines seen before can only collide where this one makes one column of two.
        one = any(sum(left <= c[0] and c[1] <= right for c in columns) > 1 for left, right in joined)
        seen = lines[start : end + 1] if one else [line]
        if len(joined) > _MOST_COLUMNS or any(_collide(each, joined) for each in seen):
            break
        columns = joined
        end += 1
    return end, columns


def _rows(lines: Sequence[Line], columns: Sequence[Interval]) -> list[list[Line]]:
    """Lines as rows; as many of them as are evenly spaced.

    What stands nearer below the last row than rows do may be a paragraph behind the table. It goes on with
    the row only where lines of other rows stand as near.
    """
    steps = [b.top - a.top for a, b in pairwise(lines) if 2 * len(b.runs) > len(columns)]
    if not steps:
        return []
    usual = median(steps)
    rows = [[lines[0]]]
    near: list[float] = []  # distances of lines inside of rows that another row follows
    own: list[float] = []  # of those inside of the last row
    for line, step in zip(lines[1:], (b.top - a.top for a, b in pairwise(lines)), strict=True):
        said = {_column(run, columns) for run in rows[-1][0].runs}
        if step < _TIGHT * usual and all(_column(run, columns) in said for run in line.runs):
            rows[-1].append(line)
            own.append(step)
        elif _TIGHT * usual <= step <= _UNEVEN * usual and len(line.runs) > 1:
            rows.append([line])
            near, own = near + own, []
        else:
            break
    while own and own[-1] > _NEAR * min(near, default=0.0):
        own.pop()
        rows[-1].pop()
    return rows


def _goes_on(lines: Sequence[Line], start: int, end: int) -> bool:
    """Whether a line near above or below is in pieces too, a head or a row that does not fit: then this is a
    part of something else.
    """
    near = _NEARBY * max(b.top - a.top for a, b in pairwise(lines[start:end]))
    above = takewhile(lambda line: 0 <= lines[start].top - line.top <= near, reversed(lines[:start]))
    below = takewhile(lambda line: 0 <= line.top - lines[end - 1].top <= near, lines[end:])
    head = lines[start - 1] if start else None
    if head is not None and head.bold and not lines[start].bold and head.right > lines[start].runs[1].left:
        return lines[start].top - head.top <= near  # a head whose gaps are too narrow to be seen
    return any(len(line.runs) > 1 for line in chain(above, below))


def _joined(intervals: Sequence[Interval], gutter: float) -> list[Interval]:
    """Intervals with those that touch, or nearly so, as one."""
    found: list[Interval] = []
    for left, right in sorted(intervals):
        if found and left - found[-1][1] < gutter:
            found[-1] = found[-1][0], max(found[-1][1], right)
        else:
            found.append((left, right))
    return found


def _column(run: Run, columns: Sequence[Interval]) -> int:
    return next(i for i, (left, right) in enumerate(columns) if left <= run.left and run.right <= right)


def _collide(line: Line, columns: Sequence[Interval]) -> bool:
    """Whether two pieces of a line stand in the same column."""
    places = [_column(run, columns) for run in line.runs]
    return len(set(places)) < len(places)


def _is_table(rows: Sequence[Sequence[Line]], columns: Sequence[Interval]) -> bool:
    cells: list[list[Run]] = [[] for _ in columns]
    for lines in rows:
        for run in lines[0].runs:
            cells[_column(run, columns)].append(run)
    bold_head = rows[0][0].bold and not any(lines[0].bold for lines in rows[1:])
    if len(columns) == 2 and not (bold_head or _names_values(cells, rows[0][0].size)):
        return False  # terms with their meanings, contents with their pages: two columns need a head
    if len(rows) <= _SHORT and not rows[0][0].bold and sum(map(_continued, cells)) > 1:
        return False  # the lines of one row
    return (
        sum(map(len, cells)) >= _FILLED * len(rows) * len(columns)
        and all(map(_aligned, cells))
        and sum(map(_prose, cells)) < 2
        and not any(_LEADERS.search(line.text) for lines in rows for line in lines)
        and not any(2 * sum(map(_numbers, column)) > len(column) for column in cells)
    )


def _names_values(cells: Sequence[Sequence[Run]], size: float) -> bool:
    """Whether two columns are values under their name: words in the first row, numbers below it.

    Numbers that stand alone and rise are the pages of contents.
    """
    left, right = cells
    if len(left) != len(right) or min(run.left for run in right) - max(run.right for run in left) < size:
        return False
    values = [run.text for run in right[1:]]
    numbers = [int(text) for text in values if text.isdecimal() and len(text) < 10]
    if len(numbers) == len(values) and numbers == sorted(numbers):
        return False
    named = not any(char.isdecimal() for run in (left[0], right[0]) for char in run.text)
    told = sum(_VALUE.fullmatch(text) is not None for text in values)
    return named and len(values) >= _ROWS and told >= _VALUES * len(values)


def _aligned(cells: Sequence[Run]) -> bool:
    """Whether cells stand below each other at their left, right or middle; the first may be a head."""
    body = cells[1:]
    if len(body) < 2:
        return False
    return any(
        max(places) - min(places) <= _SLACK * body[0].size
        for places in (
            [run.left for run in body],
            [run.right for run in body],
            [(run.left + run.right) / 2 for run in body],
        )
    )


def _numbers(cell: Run) -> bool:
    """Whether a cell holds several numbers: then the gap between two cells was too narrow to be seen."""
    return _SEVERAL.fullmatch(cell.text) is not None and any(sign in cell.text for sign in ".,")


def _continued(cells: Sequence[Run]) -> bool:
    """Whether cells read like one text: below a capital or a digit go small letters."""
    small = [run.text[0].islower() for run in cells]
    return bool(small) and not small[0] and 2 * sum(small[1:]) > len(small) - 1


def _prose(cells: Sequence[Run]) -> bool:
    """Whether cells read like the lines of a paragraph."""
    texts = [run.text for run in cells]
    if sum(map(len, texts)) > _LONG * len(texts):
        return True
    widths = [run.right - run.left for run in cells]
    small = sum(text[0].islower() for text in texts[1:])
    return median(widths) > 0.75 * max(widths) and median(map(len, texts)) > 12 and small > 0.3 * len(texts)


def _table(rows: Sequence[Sequence[Line]], columns: Sequence[Interval]) -> Line:
    said: list[list[str]] = []
    for lines in rows:
        parts: list[list[str]] = [[] for _ in columns]
        for run in (run for line in lines for run in line.runs):
            parts[_column(run, columns)].append(run.text)
        said.append([" ".join(texts) for texts in parts])
    left, right = columns[0][0], columns[-1][1]
    return Line([Run(left, rows[0][0].top, right, rows[-1][-1].bottom, "", 0.0, rows=said)])
