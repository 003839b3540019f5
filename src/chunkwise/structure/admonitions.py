"""Boxes that CommonMark does not know: `!!!`, `???`, `===` tabs with indented text, `:::` and `///`.

A parser takes them for paragraphs and indented code. Here the blocks of one box are put into one block,
so that a label and its text are cut apart only where the box is too large.
"""

from __future__ import annotations

import re

from chunkwise.structure.events import Rows
from chunkwise.types import BlockKind

_PARAGRAPH, _HEADING = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING)
_LIST, _QUOTE, _TABLE = int(BlockKind.LIST), int(BlockKind.QUOTE), int(BlockKind.TABLE)
_CODE, _ADMONITION = int(BlockKind.CODE), int(BlockKind.ADMONITION)
_MARKS = ("!!!", "???", "===", ":::", "///")
# One search for all marks behind a line end is several times faster than one for each of them.
_MARK = re.compile(r"\n(?:!!!|\?\?\?|===|:::|///)")
_INDENTED = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+\S[^\n]*")
_FENCED = re.compile(r"(:{3,}|/{3,})[ \t]*([^\s:/][^\n]*)?(?=\n|\Z)")
_INSIDE = re.compile(r"(?:(?:[ ]{4}|\t)[^\n]*|[ \t]*)(?:\n|\Z)")
# Behind a box; they belong to it.
_BLANK_LINES = re.compile(r"(?:[^\S\n]*+\n)*+(?:\s++\Z)?+")


# Where a box begins and ends; the numbers of the blocks of depth 0 that hold its first and its last line.
_Box = tuple[int, int, int, int]


def box_marks(text: str, start: int, end: int, rows: Rows, row: int) -> list[tuple[int, int]]:
    """Where lines begin that may open or close a box, and the number of the block of depth 0 around each.

    Args:
        text: the text with LF line ends only.
        start: where a line begins; nothing before it is looked at.
        end: where to stop.
        rows: its blocks.
        row: the number of the block of depth 0 at `start`.
    """
    places = [found.end() - 3 for found in _MARK.finditer(text, start, end)]
    if text.startswith(_MARKS, start, end):
        places.insert(0, start)
    found = []
    starts, depths = rows.start, rows.depth
    top, count = row, len(starts)
    for place in places:
        while row < count and starts[row] <= place:
            if not depths[row]:
                top = row
            row += 1
        found.append((place, top))
    return found


def group_admonitions(text: str, rows: Rows, marks: list[tuple[int, int]]) -> None:
    """Put each box into one block of kind `admonition`, in place; the blocks in it go one deeper.

    Args:
        text: the text with LF line ends only.
        rows: its blocks.
        marks: what `box_marks` finds; what stands in code, HTML or headings may be missing.
    """
    boxes = _indented(text, rows, marks) + _fenced(text, rows, marks)
    if boxes:
        _merge(text, rows, _outermost(boxes))


def _indented(text: str, rows: Rows, marks: list[tuple[int, int]]) -> list[_Box]:
    boxes: list[_Box] = []
    for start, row in marks:
        if text[start] in ":/" or rows.kind[row] != _PARAGRAPH or (boxes and start < boxes[-1][1]):
            continue
        opened = _INDENTED.match(text, start)
        if opened is None:
            continue
        end = min(opened.end() + 1, len(text))
        visible = end
        while end < len(text):
            line = _INSIDE.match(text, end)
            if line is None or line.end() == end:
                break
            end = line.end()
            if not line.group().isspace():
                visible = end
        boxes.append((start, visible, row, row))
    return boxes


def _fenced(text: str, rows: Rows, marks: list[tuple[int, int]]) -> list[_Box]:
    boxes: list[_Box] = []
    open_: list[tuple[str, int, int]] = []
    for place, row in marks:
        line = _FENCED.match(text, place)
        if line is None:
            continue
        kind = rows.kind[row]
        mark, label = line.groups()
        if label:
            if kind == _PARAGRAPH:
                open_.append((mark, place, row))
            continue
        # To a parser, a closing line right behind a list, a quote or a table goes on with it.
        if kind not in (_PARAGRAPH, _LIST, _QUOTE, _TABLE):
            continue
        # A closing line ends the nearest box of the same mark and width, and what is open inside it.
        for i in range(len(open_) - 1, -1, -1):
            opened, start, first = open_[i]
            if opened == mark:
                boxes.append((start, min(line.end() + 1, len(text)), first, row))
                del open_[i:]
                break
    return boxes


def _outermost(boxes: list[_Box]) -> list[_Box]:
    kept: list[_Box] = []
    for box in sorted(boxes):
        if not kept or box[0] >= kept[-1][1]:
            kept.append(box)
    return kept


def _merge(text: str, rows: Rows, boxes: list[_Box]) -> None:
    """Rebuild the rows with a block a box, where no heading of the document stands in it."""
    kinds, starts, depths = rows.kind, rows.start, rows.depth
    count = len(kinds)
    out = Rows()
    copied = reached = 0  # blocks that are in `out`, and those that are not to be in a further box
    for start, end, first, last in boxes:
        if first < reached:
            continue
        behind = _BLANK_LINES.match(text, end).end()  # type: ignore[union-attr]
        stop = last + 1
        while stop < count and (depths[stop] or starts[stop] < behind):
            stop += 1
        if _HEADING in kinds[first:stop] and any(
            kinds[i] == _HEADING and not depths[i] for i in range(first, stop)
        ):
            continue
        reached = stop
        tail = starts[stop] if stop < count else len(text)
        out.copy(rows, copied, first)
        copied = first
        if starts[first] < start:
            out.add(kinds[first], starts[first], start)
        out.add(_ADMONITION, start, behind)
        if starts[first] == start and tail <= behind and text[start] in ":/":
            # All in it stays what it is; it is copied with what stands behind it.
            depths[first:stop] = [depth + 1 for depth in depths[first:stop]]
            continue
        copied = stop
        for i in range(first, stop):
            left, right = max(starts[i], start), min(rows.end[i], behind)
            if left < right:
                # What a parser takes for indented code is the box's own text.
                indented = kinds[i] == _CODE and text[left] in " \t"
                out.add(_PARAGRAPH if indented else kinds[i], left, right, rows.level[i], depths[i] + 1)
        if tail > behind:
            out.add(_PARAGRAPH, behind, tail)
    if reached:
        out.copy(rows, copied, count)
        rows.take(out)
