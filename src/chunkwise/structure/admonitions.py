"""Boxes that CommonMark does not know: `!!!`, `???`, `===` tabs with indented text, `:::` and `///`.

A parser takes them for paragraphs and indented code. Here the blocks of one box are put into one block,
so that a label and its text are cut apart only where the box is too large.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from chunkwise.types import BlockKind

if TYPE_CHECKING:
    from chunkwise.structure.markdown import Rows

_PARAGRAPH, _HEADING, _CODE = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.CODE)
_BEGIN = r"(?:(?<=[\r\n])|\A)"
_INDENTED = re.compile(_BEGIN + r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+\S[^\r\n]*(?:\r\n?|\n|\Z)")
_INSIDE = re.compile(r"(?:(?:[ ]{4}|\t)[^\r\n]*|[ \t]*)(?:\r\n?|\n|\Z)")
_FENCED = re.compile(_BEGIN + r"(:{3,}|/{3,})[ \t]*([^\s:/][^\r\n]*)?(?:\r\n?|\n|\Z)")


def group_admonitions(text: str, rows: Rows) -> None:
    """Put each box into one block of kind `admonition`; its blocks go one deeper. Rows are changed in place."""
    boxes = []
    if "!!!" in text or "???" in text or "===" in text:
        boxes += _indented(text, rows)
    if ":::" in text or "///" in text:
        boxes += _fenced(text, rows)
    if boxes:
        _merge(text, rows, _outermost(boxes))


def _tops(rows: Rows) -> list[int]:
    return [i for i, depth in enumerate(rows.depth) if depth == 0]


def _indented(text: str, rows: Rows) -> list[tuple[int, int]]:
    tops = _tops(rows)
    starts = [rows.start[i] for i in tops]
    boxes = []
    for match in _INDENTED.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if at < 0 or rows.kind[tops[at]] != _PARAGRAPH or (boxes and match.start() < boxes[-1][1]):
            continue
        end = match.end()
        visible = end
        while end < len(text):
            line = _INSIDE.match(text, end)
            if line is None or line.end() == end:
                break
            end = line.end()
            if not line.group().isspace():
                visible = end
        boxes.append((match.start(), visible))
    return boxes


def _fenced(text: str, rows: Rows) -> list[tuple[int, int]]:
    tops = _tops(rows)
    starts = [rows.start[i] for i in tops]
    boxes: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    for match in _FENCED.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if at < 0 or rows.kind[tops[at]] != _PARAGRAPH:
            continue
        if match[2]:
            open_.append((match[1], match.start()))
            continue
        # A closing line ends the nearest box of the same mark and width, and what is open inside it.
        for i in range(len(open_) - 1, -1, -1):
            if open_[i][0] == match[1]:
                boxes.append((open_[i][1], match.end()))
                del open_[i:]
                break
    return boxes


def _outermost(boxes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(boxes, key=lambda box: (box[0], -box[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _merge(text: str, rows: Rows, boxes: list[tuple[int, int]]) -> None:
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    out: list[tuple[int, int, int, int, int]] = []
    tops = _tops(rows)
    firsts = [starts[i] for i in tops]
    done = 0  # blocks copied so far
    for start, end in boxes:
        first = bisect_right(firsts, start) - 1
        behind = end  # blank lines behind the box belong to it
        while behind < len(text) and text[behind].isspace():
            behind += 1
        behind = max(end, text.rfind("\n", end, behind) + 1, text.rfind("\r", end, behind) + 1)
        if behind < len(text) and not text[behind:].strip():
            behind = len(text)
        stop = bisect_right(firsts, behind - 1)
        inner = range(tops[first], tops[stop] if stop < len(tops) else len(kinds))
        if tops[first] < done or any(kinds[i] == _HEADING and depths[i] == 0 for i in inner):
            continue
        for i in range(done, tops[first]):
            out.append((kinds[i], starts[i], ends[i], levels[i], depths[i]))
        if starts[tops[first]] < start:
            out.append((kinds[tops[first]], starts[tops[first]], start, 0, 0))
        out.append((int(BlockKind.ADMONITION), start, behind, 0, 0))
        for i in inner:
            left, right = max(starts[i], start), min(ends[i], behind)
            if left < right:
                out.append((kinds[i], left, right, levels[i], depths[i] + 1))
        tail = ends[tops[stop - 1]]
        if tail > behind:
            kind = kinds[tops[stop - 1]]
            out.append((_PARAGRAPH if kind != _CODE else kind, behind, tail, 0, 0))
        done = inner.stop
    for i in range(done, len(kinds)):
        out.append((kinds[i], starts[i], ends[i], levels[i], depths[i]))
    columns = list(zip(*out, strict=True)) if out else [()] * 5
    rows.kind, rows.start, rows.end, rows.level, rows.depth = (list(column) for column in columns)
