"""Tables inside of HTML blocks: their rows, so that a table is cut between rows whatever it is written in."""

from __future__ import annotations

import re

from chunkwise.structure.events import Rows
from chunkwise.text import quoted_line
from chunkwise.types import BlockKind

_HTML, _TABLE, _ROW = int(BlockKind.HTML), int(BlockKind.TABLE), int(BlockKind.ROW)
_PARAGRAPH, _CODE = int(BlockKind.PARAGRAPH), int(BlockKind.CODE)
# What stands in these is shown as it is, or not at all.
_VERBATIM = re.compile(r"\s*<(?:pre|script|style|textarea)[\s>/]", re.IGNORECASE)
_ROW_END = re.compile(r"</?tr(?=[\s>/])|</table|<td(?=[\s>/])", re.IGNORECASE)
# Without the flag for upper and lower case, which would keep the search from running to the next bracket.
_TABLE_TAG = re.compile(r"<[tT][aA][bB][lL][eE]")
_TABLE_TAG_OR_END = re.compile(r"</?[tT][aA][bB][lL][eE]")
_TOKEN = re.compile(r"<!--[\s\S]*?(?:-->|\Z)|<(/?)(table|thead|tr|th)(?=[\s>/])[^>]*>", re.IGNORECASE)


def add_html_tables(source: str, rows: Rows) -> None:
    """Put the tables of HTML blocks, and their rows, behind the blocks they stand in.

    A `<thead>` is one row of level 0, the header; without one, a first row of `<th>` cells alone is. A
    table inside of a table stays part of its row. A table that the block does not close ends with it.
    """
    if _HTML not in rows.kind:
        return
    blocks = [i for i, kind in enumerate(rows.kind) if kind == _HTML]
    if not any(_TABLE_TAG.search(source, rows.start[i], rows.end[i]) for i in blocks):
        return
    _join_parted(source, rows)
    found = Rows()
    copied = 0
    for i in [i for i, kind in enumerate(rows.kind) if kind == _HTML]:
        if not _TABLE_TAG.search(source, rows.start[i], rows.end[i]) or _VERBATIM.match(
            source, rows.start[i]
        ):
            continue
        tables = _tables(source, rows.start[i], rows.end[i])
        if not tables:
            continue
        found.copy(rows, copied, i + 1)
        copied = i + 1
        depth = rows.depth[i]
        for start, end, lines in tables:
            found.add(_TABLE, start, end, 0, depth + 1)
            for row_start, row_end, level in lines:
                found.add(_ROW, row_start, row_end, level, depth + 2)
    if copied:
        found.copy(rows, copied, len(rows.kind))
        rows.take(found)


def _join_parted(source: str, rows: Rows) -> None:
    """Make one block of a table with blank lines in it, in place.

    A parser ends a block of HTML at a blank line, and takes what is indented behind one for code. Tables
    that hold more of Markdown than paragraphs (fences, lists, headings) stay as they are: it counts more.
    """
    joined = Rows()
    copied = 0
    first = open_ = 0  # where a table begins that is open here, and how many are
    for i, kind in enumerate(rows.kind):
        start, end = rows.start[i], rows.end[i]
        if open_ and not (
            rows.depth[i] == rows.depth[first]
            and (kind in (_HTML, _PARAGRAPH) or (kind == _CODE and source[start] in " \t"))
        ):
            open_ = 0
        if not open_:
            first = i
            if kind == _HTML and not _VERBATIM.match(source, start):
                open_ = max(_left_open(source, start, end), 0)
            continue
        open_ += _left_open(source, start, end)
        if open_ <= 0:
            open_ = 0
            joined.copy(rows, copied, first)
            joined.add(_HTML, rows.start[first], end, 0, rows.depth[first])
            copied = i + 1
    if copied:
        joined.copy(rows, copied, len(rows.kind))
        rows.take(joined)


def _left_open(source: str, start: int, end: int) -> int:
    """How many tables more are opened than closed."""
    if not _TABLE_TAG_OR_END.search(source, start, end):
        return 0
    tags = [token for token in _TOKEN.finditer(source, start, end) if (token[2] or "").lower() == "table"]
    return len(tags) - 2 * sum(bool(token[1]) for token in tags)


def _tables(source: str, start: int, end: int) -> list[tuple[int, int, list[tuple[int, int, int]]]]:
    """Start, end and rows (start, end, level) of each outer table that has a row."""
    found = []
    open_ = 0  # tables around the current place
    begin = 0
    places: list[int] = []  # where rows and the head begin
    heads = set[int]()  # those of them that are the header
    head = False  # inside of <thead>
    for token in _TOKEN.finditer(source, start, end):
        closing, name = token[1], (token[2] or "").lower()
        if name == "table":
            if not closing:
                open_ += 1
                if open_ == 1:
                    begin, places, heads, head = token.start(), [], set(), False
            elif open_:
                open_ -= 1
                if not open_ and places:
                    found.append((begin, token.end(), _rows(source, begin, places, heads, token.end())))
        elif open_ != 1:
            continue
        elif name == "thead":
            head = not closing
            if head:
                places.append(token.start())
                heads.add(token.start())
        elif name == "tr" and not closing and not head:
            places.append(token.start())
        elif name == "th" and not closing and len(places) == 1 and not heads and _only_th(source, token, end):
            heads.add(places[0])
    if open_ and places:
        found.append((begin, end, _rows(source, begin, places, heads, end)))
    return found


def _only_th(source: str, token: re.Match[str], end: int) -> bool:
    """Whether no plain cell stands in the row of this `<th>`."""
    stop = _ROW_END.search(source, token.end(), end)
    return stop is None or not stop[0].lower().startswith("<td")


def _rows(
    source: str, begin: int, places: list[int], heads: set[int], end: int
) -> list[tuple[int, int, int]]:
    """Rows that tile the table behind its opening tags; a caption stands before the first."""
    starts = [_line_start(source, place, begin) for place in places]
    # In a quote a row ends with its line, before the mark of the next one.
    ends = [*(quoted_line(source, start) for start in starts[1:]), end]
    return [
        (start, behind, 0 if place in heads else 1)
        for start, behind, place in zip(starts, ends, places, strict=True)
    ]


def _line_start(source: str, place: int, least: int) -> int:
    """The start of the line, where nothing but spaces stands before the tag."""
    line = max(source.rfind("\n", least, place) + 1, least)
    return line if source[line:place].isspace() else place
