"""Markdown (CommonMark and GFM) to blocks and sections, in one pass over the events of pulldown-cmark."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from chunkwise.structure.admonitions import group_admonitions
from chunkwise.structure.frontmatter import front_matter
from chunkwise.text import VISIBLE
from chunkwise.types import BlockKind, Blocks, Notice, Sections, Structure

_PARAGRAPH, _HEADING, _ROW = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.ROW)
_LIST, _ITEM, _TABLE = int(BlockKind.LIST), int(BlockKind.ITEM), int(BlockKind.TABLE)
_CODE, _HTML, _QUOTE = int(BlockKind.CODE), int(BlockKind.HTML), int(BlockKind.QUOTE)
_ADMONITION, _RULE, _FOOTNOTE = int(BlockKind.ADMONITION), int(BlockKind.RULE), int(BlockKind.FOOTNOTE)

# Tags without data. What is in neither table stands inside a line.
_PLAIN_TAGS = {
    "Paragraph": _PARAGRAPH,
    "Item": _ITEM,
    "HtmlBlock": _HTML,
    "TableHead": _ROW,
    "TableRow": _ROW,
}
_DATA_TAGS = {
    "Heading": _HEADING,
    "List": _LIST,
    "Table": _TABLE,
    "CodeBlock": _CODE,
    "BlockQuote": _QUOTE,
    "FootnoteDefinition": _FOOTNOTE,
}
_LONE_RETURN = re.compile(r"\r(?!\n)")
_LEVELS = {"H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


@cache
def _parser() -> Any:
    from pyromark import Markdown, Options

    return Markdown(
        options=Options.ENABLE_TABLES
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_HEADING_ATTRIBUTES
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_GFM
    )


class Rows:
    """Blocks while they are being made: parallel lists, in reading order."""

    __slots__ = ("depth", "end", "kind", "level", "start")

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.level: list[int] = []
        self.depth: list[int] = []


def parse_markdown(text: str, id: str) -> Structure:
    """Blocks, sections, metadata and notices of a Markdown text.

    What stands inside lists, quotes, code, comments and HTML is no section heading. Offsets are code
    points of `text`; line ends are LF, CRLF and CR.
    """
    body, metadata = front_matter(text)
    # A lone surrogate cannot be encoded; U+FFFD takes its place for the parser, one for one.
    source = text[body:] if body else text
    ascii_ = source.isascii()
    if not ascii_:
        source = (
            source.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
            if _surrogates(source)
            else source
        )
    if "\r" in source:
        # The parser does not take a lone carriage return for a line end; CommonMark does.
        source = _LONE_RETURN.sub("\n", source)
    rows, headings = _walk(source)
    offsets = _code_points(source, rows) if not ascii_ else None
    if offsets is not None:
        rows.start, rows.end = offsets
    if body:
        rows.start = [position + body for position in rows.start]
        rows.end = [position + body for position in rows.end]
    _to_line_starts(text, rows)
    _tile(text, body, rows)
    group_admonitions(text, rows)
    notices = _notices(text, id, rows)
    if body:
        rows.kind.insert(0, int(BlockKind.FRONT_MATTER))
        rows.start.insert(0, 0)
        rows.end.insert(0, rows.start[1] if len(rows.start) > 1 else len(text))
        rows.level.insert(0, 0)
        rows.depth.insert(0, 0)
    return Structure(_blocks(rows), _sections(text, rows, headings, metadata), metadata, notices)


def _surrogates(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return True
    return False


def _walk(source: str) -> tuple[Rows, list[str]]:
    """Blocks with byte offsets, and the title of each heading at depth 0."""
    rows = Rows()
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    titles: list[str] = []
    open_: list[int] = []  # ends of the containers around the current place
    lists = [0]  # how deep in lists each of them is
    title: list[str] | None = None
    heading_end = 0
    plain, data = _PLAIN_TAGS.get, _DATA_TAGS.get
    for event, place in _parser().events_with_range(source):
        if event.__class__ is not dict:
            if title is not None:
                if place["start"] < heading_end:
                    title.append(" ")
                    continue
                titles.append("".join(title))
                title = None
            if event == "Rule":
                tag = "Rule"
            else:
                continue
        else:
            tag = event.get("Start")
            if title is not None:
                if place["start"] < heading_end:
                    if tag is None:
                        title.append(event.get("Text") or event.get("Code") or "")
                    continue
                titles.append("".join(title))
                title = None
            if tag is None:
                continue
        level = 0
        if tag.__class__ is str:
            kind = plain(tag)
            if kind is None:
                if tag != "Rule":
                    continue
                kind = _RULE
        else:
            name = next(iter(tag))
            kind = data(name)
            if kind is None:
                continue
            if kind == _HEADING:
                level = _LEVELS[tag[name]["level"]]
            elif kind == _QUOTE and tag[name] is not None:
                kind = _ADMONITION
        start = place["start"]
        while open_ and open_[-1] <= start:
            open_.pop()
            lists.pop()
        end = place["end"]
        if kind == _ITEM:
            level = lists[-1]
        elif kind == _ROW:
            level = 1 if tag == "TableRow" else 0
        kinds.append(kind)
        starts.append(start)
        ends.append(end)
        levels.append(level)
        depths.append(len(open_))
        if kind == _HEADING:
            if not open_:
                title, heading_end = [], end
        elif kind not in (_PARAGRAPH, _RULE, _CODE, _HTML, _ROW):
            open_.append(end)
            lists.append(lists[-1] + (kind == _LIST))
    if title is not None:
        titles.append("".join(title))
    return rows, titles


def _code_points(source: str, rows: Rows) -> tuple[list[int], list[int]]:
    """Starts and ends as code points; the parser counts bytes of UTF-8."""
    import numpy as np

    data = np.frombuffer(source.encode("utf-8"), dtype=np.uint8)
    before = np.zeros(len(data) + 1, dtype=np.int64)
    np.cumsum((data & 0xC0) != 0x80, out=before[1:])
    return before[rows.start].tolist() if rows.start else [], before[rows.end].tolist() if rows.end else []


def _to_line_starts(text: str, rows: Rows) -> None:
    """A block begins with its line, where nothing but white space stands before it."""
    returns = "\r" in text
    starts = rows.start
    for i, start in enumerate(starts):
        if start == 0 or text[start - 1] == "\n":
            continue
        line = text.rfind("\n", 0, start) + 1
        if returns:
            line = max(line, text.rfind("\r", 0, start) + 1)
        if line < start and text[line:start].isspace():
            starts[i] = line


def _tile(text: str, body: int, rows: Rows) -> None:
    """Make the blocks of depth 0 tile the text, and items and rows their list or table.

    Text between two blocks that is in neither (link definitions) becomes a paragraph.
    """
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    gaps: list[tuple[int, int]] = []  # (number of the block behind it, where its text begins)
    reached = body
    previous = -1
    last: dict[int, int] = {}  # the last item or row at each depth
    for i, depth in enumerate(depths):
        start = starts[i]
        if depth == 0:
            if start > reached:
                found = VISIBLE.search(text, reached, start)
                if found is not None:
                    line = max(
                        text.rfind("\n", reached, found.start()), text.rfind("\r", reached, found.start())
                    )
                    gaps.append((i, max(line + 1, reached)))
            if previous >= 0:
                ends[previous] = gaps[-1][1] if gaps and gaps[-1][0] == i else start
            reached = max(ends[i], reached)
            previous = i
            last.clear()
        elif kinds[i] in (_ITEM, _ROW):
            before = last.get(depth)
            if before is not None and ends[before] <= start:
                ends[before] = start
            last[depth] = i
    found = VISIBLE.search(text, reached, len(text)) if reached < len(text) else None
    if found is not None:
        line = max(text.rfind("\n", reached, found.start()), text.rfind("\r", reached, found.start()))
        gaps.append((len(kinds), max(line + 1, reached)))
    if previous >= 0:
        ends[previous] = gaps[-1][1] if gaps and gaps[-1][0] == len(kinds) else len(text)
    for i, start in reversed(gaps):
        end = starts[i] if i < len(starts) else len(text)
        kinds.insert(i, _PARAGRAPH)
        starts.insert(i, start)
        ends.insert(i, end)
        levels.insert(i, 0)
        depths.insert(i, 0)
    if starts:
        starts[0] = body


def _notices(text: str, id: str, rows: Rows) -> tuple[Notice, ...]:
    """Marks that are opened and never closed: the rest of the text is then code or a comment."""
    last = -1
    for i in range(len(rows.depth) - 1, -1, -1):
        if rows.depth[i] == 0:
            last = i
            break
    if last < 0 or rows.kind[last] not in (_CODE, _HTML):
        return ()
    block = text[rows.start[last] : rows.end[last]]
    first = block.lstrip()
    line = (
        text.count("\n", 0, rows.start[last]) + text[: rows.start[last]].replace("\r\n", "").count("\r") + 1
    )
    if rows.kind[last] == _CODE:
        mark = first[:1]
        if mark not in ("`", "~"):
            return ()
        width = len(first) - len(first.lstrip(mark))
        closing = block.rstrip().replace("\r", "\n").rpartition("\n")[2].strip()
        if "\n" in block.strip().replace("\r", "\n") and len(closing) >= width and not closing.strip(mark):
            return ()
        return (Notice(id, line, "a code fence opens here and is never closed: all text behind it is code"),)
    if first.startswith("<!--") and "-->" not in first:
        return (Notice(id, line, "a comment opens here and is never closed: all text behind it is hidden"),)
    return ()


def _blocks(rows: Rows) -> Blocks:
    return Blocks(rows.kind, rows.start, rows.end, rows.level, rows.depth)


def _sections(text: str, rows: Rows, titles: list[str], metadata: dict[str, Any]) -> Sections:
    """The section tree: headings at depth 0 with their titles."""
    headings: list[tuple[int, str, int, int]] = []
    number = 0
    for i, kind in enumerate(rows.kind):
        if kind != _HEADING:
            continue
        if rows.depth[i] == 0:
            title = " ".join(titles[number].split())
            number += 1
            end = rows.end[i]
            headings.append((rows.level[i], title, rows.start[i], end))
    root: tuple[str, ...] = ()
    name = metadata.get("title")
    if isinstance(name, str) and name.strip() and all(level != 1 for level, *_ in headings):
        root = (" ".join(name.split()),)
    return Sections(headings, len(text), root)


__all__ = ["Rows", "parse_markdown"]
