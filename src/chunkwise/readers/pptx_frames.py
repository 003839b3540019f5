"""What stands in the frames of slides: tables, charts, and diagrams (SmartArt)."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from typing import Any, Final, NamedTuple

from chunkwise.readers.diagrams import parts_of
from chunkwise.readers.pptx_text import frame_text
from chunkwise.readers.writer import Writer, folded

_RELATION: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
_MAIN: Final = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SHOWN: Final = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_OWN: Final = f"{_SHOWN}spPr/{_MAIN}xfrm"
_FRAME: Final = f"{_SHOWN}xfrm"
_POINT: Final = 12_700  # units of a slide in a point
_LEVEL: Final = _POINT * 9
"""Units of a slide (9 points) that shapes beside each other may differ in height."""


def table_cells(table: Any) -> list[list[str]]:
    """The cells of a table; one that spans several rows or columns is in each of them."""
    rows = [[frame_text(cell.text_frame) for cell in row.cells] for row in table.rows]
    for i, row in enumerate(table.rows):
        for j, cell in enumerate(row.cells):
            if cell.is_merge_origin:
                for line in rows[i : i + cell.span_height]:
                    line[j : j + cell.span_width] = [rows[i][j]] * len(line[j : j + cell.span_width])
    return rows


def write_chart(writer: Writer, chart: Any) -> None:
    """A chart as its title and a table: a row a category, a column a series; a point a row where it has
    none. A value that is missing is an empty cell.
    """
    if chart.has_title and chart.chart_title.has_text_frame:
        writer.paragraph(folded(chart.chart_title.text_frame.text))
    try:
        tables = [table for plot in chart.plots for table in _plot(plot)]
    except (AttributeError, KeyError, TypeError, ValueError, NotImplementedError):
        tables = []
    for table in tables:
        writer.table(table)
    if not tables:
        # A kind of chart that the library does not know: its values as they stand in the file.
        values = chart._chartSpace.xpath(".//c:v")  # noqa: SLF001 - it has no public name
        writer.paragraph(folded(" ".join(value.text or "" for value in values)))


def _plot(plot: Any) -> list[list[list[str]]]:
    """The tables of one plot of a chart."""
    series = list(plot.series)
    labels = [" ".join(map(str, path)) for path in plot.categories.flattened_labels]
    if labels:
        columns = [[_number(value) for value in one.values] for one in series]
        rows = [[label, *(_at(column, i) for column in columns)] for i, label in enumerate(labels)]
        return [[["", *(folded(one.name) for one in series)], *rows]]
    tables = []
    for one in series:
        across = [float(value.text) for value in one._element.xpath("./c:xVal//c:pt/c:v")]  # noqa: SLF001
        points = zip(across, one.values, strict=False)
        tables.append([["x", folded(one.name)], *([_number(x), _number(y)] for x, y in points)])
    return tables


def _at(column: list[str], i: int) -> str:
    return column[i] if i < len(column) else ""


def _number(value: float | None) -> str:
    """A number as people write it; nothing where it is missing."""
    if value is None:
        return ""
    return str(int(value)) if isfinite(value) and value == int(value) else repr(value)


def write_diagram(writer: Writer, shape: Any) -> None:
    """A diagram as a list, nested as its parts are; nothing where the shape is none."""
    found = shape._element.xpath(".//*[local-name()='relIds']")  # noqa: SLF001 - it has no public name
    name = found[0].get(_RELATION) if found else None
    if name is None:
        return
    opened: list[int] = []
    for depth, text in parts_of(shape.part.related_part(name).blob):
        write_item(writer, opened, depth, text)
    close_lists(writer, opened)


def write_item(writer: Writer, opened: list[int], level: int, text: str, mark: str = "-") -> None:
    """Write an item of lists in each other; `opened` are the levels of those that are open."""
    close_lists(writer, opened, 1 + sum(other <= level for other in opened[1:]))
    if opened and level <= opened[-1]:
        writer.close()
    else:
        writer.open_list()
        opened.append(level)
    writer.open_item(mark)
    writer.paragraph(text)


def close_lists(writer: Writer, opened: list[int], left: int = 0) -> None:
    """End lists, each with its last item, until so many are left."""
    while len(opened) > left:
        writer.close()
        writer.close()
        opened.pop()


def unwrapped(tree: Any) -> None:
    """Put shapes that newer programs know, and older ones know otherwise, in the place of their choice."""
    for choice in list(tree.iter("{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice")):
        both = choice.getparent()
        if both is None or both.getparent() is None:
            continue
        for shape in choice:
            both.addprevious(shape)
        both.getparent().remove(both)


class Place(NamedTuple):
    """Where a shape stands on its slide, in the units of slides; None where nothing says it."""

    left: int | None
    top: int | None
    width: int | None
    height: int | None

    @property
    def box(self) -> tuple[float, float, float, float] | None:
        """Left, top, right and bottom in points."""
        if self.left is None or self.top is None:
            return None
        left, top = self.left / _POINT, self.top / _POINT
        return left, top, left + (self.width or 0) / _POINT, top + (self.height or 0) / _POINT


class Places:
    """Where shapes stand. What a layout places is looked for once for each layout: it is a long way there."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, int], Place] = {}

    def of(self, shape: Any, layout: str) -> Place:
        """The place of a shape on a slide of a layout, which is given by its name in the file."""
        element = shape._element  # noqa: SLF001 - it has no public name
        if not shape.is_placeholder or element.find(_OWN) is not None or element.find(_FRAME) is not None:
            return Place(shape.left, shape.top, shape.width, shape.height)
        key = layout, shape.placeholder_format.idx
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = Place(shape.left, shape.top, shape.width, shape.height)
        return known


def in_order(shapes: Any, places: Places, layout: str) -> Iterator[tuple[Any, Place]]:
    """Shapes with their places in reading order: those that begin at nearly the same height from left to
    right.

    A group stands where it begins, and what is in it stays together.
    """
    placed = [(shape, places.of(shape, layout)) for shape in shapes]
    placed.sort(key=lambda one: (one[1].top or 0, one[1].left or 0))
    row: list[tuple[Any, Place]] = []
    for one in placed:
        if row and (one[1].top or 0) - (row[0][1].top or 0) > _LEVEL:
            yield from sorted(row, key=_left)
            row = []
        row.append(one)
    yield from sorted(row, key=_left)


def _left(one: tuple[Any, Place]) -> int:
    return one[1].left or 0
