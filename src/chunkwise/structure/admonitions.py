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

_PARAGRAPH, _HEADING = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING)
_LIST, _QUOTE, _TABLE = int(BlockKind.LIST), int(BlockKind.QUOTE), int(BlockKind.TABLE)
_CODE, _ADMONITION = int(BlockKind.CODE), int(BlockKind.ADMONITION)
_MARK = re.compile(r"\n(?:!!!|\?\?\?|===|:::|///)")
_INDENTED = re.compile(r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+\S[^\n]*")
_FENCED = re.compile(r"(:{3,}|/{3,})[ \t]*([^\s:/][^\n]*)?(?=\n|\Z)")
_INSIDE = re.compile(r"(?:(?:[ ]{4}|\t)[^\n]*|[ \t]*)(?:\n|\Z)")
_VISIBLE = re.compile(r"\S")


def group_admonitions(text: str, rows: Rows) -> None:
    """Put each box into one block of kind `admonition`, in place; the blocks in it go one deeper.

    Args:
        text: the text with LF line ends only.
        rows: its blocks.
    """
    opens, fences = _marks(text)
    if not opens and not fences:
        return
    tops = [i for i, depth in enumerate(rows.depth) if not depth]
    starts = list(map(rows.start.__getitem__, tops))
    boxes = _indented(text, rows, tops, starts, opens) + _fenced(text, rows, tops, starts, fences)
    if boxes:
        _merge(text, rows, tops, starts, _outermost(boxes))


def _marks(text: str) -> tuple[list[re.Match[str]], list[re.Match[str]]]:
    """The lines that may open a box with indented text, and those that may open or close a fenced one."""
    opens: list[re.Match[str]] = []
    fences: list[re.Match[str]] = []
    # One search for all marks behind a line end is several times faster than one for each of them.
    for place in (0, *(found.end() - 3 for found in _MARK.finditer(text))):
        fenced = text[place : place + 1] in (":", "/")
        line = (_FENCED if fenced else _INDENTED).match(text, place)
        if line is not None:
            (fences if fenced else opens).append(line)
    return opens, fences


def _indented(
    text: str, rows: Rows, tops: list[int], starts: list[int], lines: list[re.Match[str]]
) -> list[tuple[int, int]]:
    boxes: list[tuple[int, int]] = []
    for match in lines:
        start = match.start()
        at = bisect_right(starts, start) - 1
        if at < 0 or rows.kind[tops[at]] != _PARAGRAPH or (boxes and start < boxes[-1][1]):
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
        boxes.append((start, visible))
    return boxes


def _fenced(
    text: str, rows: Rows, tops: list[int], starts: list[int], lines: list[re.Match[str]]
) -> list[tuple[int, int]]:
    boxes: list[tuple[int, int]] = []
    open_: list[tuple[str, int]] = []
    for match in lines:
        at = bisect_right(starts, match.start()) - 1
        kind = rows.kind[tops[at]] if at >= 0 else _CODE
        if match[2]:
            if kind == _PARAGRAPH:
                open_.append((match[1], match.start()))
            continue
        # To a parser, a closing line right behind a list, a quote or a table goes on with it.
        if kind not in (_PARAGRAPH, _LIST, _QUOTE, _TABLE):
            continue
        # A closing line ends the nearest box of the same mark and width, and what is open inside it.
        for i in range(len(open_) - 1, -1, -1):
            if open_[i][0] == match[1]:
                boxes.append((open_[i][1], min(match.end() + 1, len(text))))
                del open_[i:]
                break
    return boxes


def _outermost(boxes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    for start, end in sorted(boxes, key=lambda box: (box[0], -box[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return kept


def _merge(text: str, rows: Rows, tops: list[int], firsts: list[int], boxes: list[tuple[int, int]]) -> None:
    """Rebuild the rows with a block a box, where no heading of the document stands in it."""
    out = type(rows)()
    done = 0  # blocks copied so far
    for start, end in boxes:
        first = bisect_right(firsts, start) - 1
        behind = _behind(text, end)
        stop = bisect_right(firsts, behind - 1, first)
        inner = range(tops[first], tops[stop] if stop < len(tops) else len(rows.kind))
        if tops[first] < done:
            continue
        if _HEADING in rows.kind[inner.start : inner.stop] and any(
            rows.kind[i] == _HEADING and rows.depth[i] == 0 for i in inner
        ):
            continue
        out.copy(rows, done, tops[first])
        if firsts[first] < start:
            out.add(rows.kind[tops[first]], firsts[first], start)
        out.add(_ADMONITION, start, behind)
        if firsts[first] == start and rows.end[tops[stop - 1]] <= behind and text[start] in ":/":
            out.copy(rows, inner.start, inner.stop)
            out.depth[-len(inner) :] = [depth + 1 for depth in out.depth[-len(inner) :]]
            done = inner.stop
            continue
        for i in inner:
            left, right = max(rows.start[i], start), min(rows.end[i], behind)
            if left < right:
                # What a parser takes for indented code is the box's own text.
                indented = rows.kind[i] == _CODE and text[left] in " \t"
                kind = _PARAGRAPH if indented else rows.kind[i]
                out.add(kind, left, right, rows.level[i], rows.depth[i] + 1)
        tail = rows.end[tops[stop - 1]]
        if tail > behind:
            out.add(_PARAGRAPH, behind, tail)
        done = inner.stop
    out.copy(rows, done, len(rows.kind))
    rows.kind, rows.start, rows.end, rows.level, rows.depth = (
        out.kind,
        out.start,
        out.end,
        out.level,
        out.depth,
    )


def _behind(text: str, end: int) -> int:
    """Where the blank lines behind a box end; they belong to it."""
    found = _VISIBLE.search(text, end)
    return max(end, text.rfind("\n", end, found.start()) + 1) if found else len(text)
