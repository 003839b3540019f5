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
_VISIBLE = re.compile(r"\S")


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
    opens: list[tuple[re.Match[str], int]] = []
    fences: list[tuple[re.Match[str], int]] = []
    for place, row in marks:
        fenced = text[place] in ":/"
        line = (_FENCED if fenced else _INDENTED).match(text, place)
        if line is not None:
            (fences if fenced else opens).append((line, row))
    boxes = _indented(text, rows, opens) + _fenced(text, rows, fences)
    if boxes:
        _merge(text, rows, _outermost(boxes))


def _indented(text: str, rows: Rows, lines: list[tuple[re.Match[str], int]]) -> list[_Box]:
    boxes: list[_Box] = []
    for match, row in lines:
        start = match.start()
        if rows.kind[row] != _PARAGRAPH or (boxes and start < boxes[-1][1]):
            continue
        end = min(match.end() + 1, len(text))
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


def _fenced(text: str, rows: Rows, lines: list[tuple[re.Match[str], int]]) -> list[_Box]:
    boxes: list[_Box] = []
    open_: list[tuple[str, int, int]] = []
    for match, row in lines:
        kind = rows.kind[row]
        if match[2]:
            if kind == _PARAGRAPH:
                open_.append((match[1], match.start(), row))
            continue
        # To a parser, a closing line right behind a list, a quote or a table goes on with it.
        if kind not in (_PARAGRAPH, _LIST, _QUOTE, _TABLE):
            continue
        # A closing line ends the nearest box of the same mark and width, and what is open inside it.
        for i in range(len(open_) - 1, -1, -1):
            mark, start, first = open_[i]
            if mark == match[1]:
                boxes.append((start, min(match.end() + 1, len(text)), first, row))
                del open_[i:]
                break
    return boxes


def _outermost(boxes: list[_Box]) -> list[_Box]:
    kept: list[_Box] = []
    for box in sorted(boxes, key=lambda box: (box[0], -box[1])):
        if not kept or box[0] >= kept[-1][1]:
            kept.append(box)
    return kept


def _merge(text: str, rows: Rows, boxes: list[_Box]) -> None:
    """Rebuild the rows with a block a box, where no heading of the document stands in it."""
    out = Rows()
    copied = reached = 0  # blocks that are in `out`, and those that are not to be in a further box
    for start, end, first, stop in boxes:
        if first < reached:
            continue
        behind = _behind(text, end)
        while stop < len(rows.kind) and (rows.depth[stop] or rows.start[stop] < behind):
            stop += 1
        if _HEADING in rows.kind[first:stop] and any(
            rows.kind[i] == _HEADING and rows.depth[i] == 0 for i in range(first, stop)
        ):
            continue
        reached = stop
        tail = rows.start[stop] if stop < len(rows.kind) else len(text)
        out.copy(rows, copied, first)
        copied = first
        if rows.start[first] < start:
            out.add(rows.kind[first], rows.start[first], start)
        out.add(_ADMONITION, start, behind)
        if rows.start[first] == start and tail <= behind and text[start] in ":/":
            # All in it stays what it is; it is copied with what stands behind it.
            rows.depth[first:stop] = [depth + 1 for depth in rows.depth[first:stop]]
            continue
        copied = stop
        for i in range(first, stop):
            left, right = max(rows.start[i], start), min(rows.end[i], behind)
            if left < right:
                # What a parser takes for indented code is the box's own text.
                indented = rows.kind[i] == _CODE and text[left] in " \t"
                kind = _PARAGRAPH if indented else rows.kind[i]
                out.add(kind, left, right, rows.level[i], rows.depth[i] + 1)
        if tail > behind:
            out.add(_PARAGRAPH, behind, tail)
    if reached:
        out.copy(rows, copied, len(rows.kind))
        rows.take(out)


def _behind(text: str, end: int) -> int:
    """Where the blank lines behind a box end; they belong to it."""
    found = _VISIBLE.search(text, end)
    return max(end, text.rfind("\n", end, found.start()) + 1) if found else len(text)
