"""The events of pulldown-cmark as rows: the blocks of a text, or of a part that can be parsed by itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import compress
from typing import Any

from chunkwise.structure.masked import masked
from chunkwise.text import VISIBLE, quoted_line
from chunkwise.types import BlockKind, Blocks, IntArray

_PARAGRAPH, _HEADING, _ROW = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.ROW)
_LIST, _ITEM, _TABLE = int(BlockKind.LIST), int(BlockKind.ITEM), int(BlockKind.TABLE)
_CODE, _HTML, _QUOTE = int(BlockKind.CODE), int(BlockKind.HTML), int(BlockKind.QUOTE)
_ADMONITION, _RULE, _FOOTNOTE = int(BlockKind.ADMONITION), int(BlockKind.RULE), int(BlockKind.FOOTNOTE)

# Tags without data. What is in neither table stands inside a line.
MARGIN = r"(?![\s0-9]|[*+-](?:[ \t\n]|\Z))"
"""Behind a blank line, what begins like this ends all lists and quotes before it."""
BEHIND_LISTS = re.compile(rf"\n(?:[ \t]*+\n)++{MARGIN}")

_LONE_RETURN = re.compile(r"\r(?!\n)")
_BLANK_LINES = re.compile(r"\n[ \t]*\n")
_PIECE = 1 << 16

# Braces at the end of a heading's text, with the space before them.
_BRACES = re.compile(r"[ \t]*\{[^{}\n]*\}(?=[ \t]*(?:\n|\Z))")

# The closing hashes of a heading. The last line of a setext heading is its underline.
_CLOSING = re.compile(r"[ \t](#+)[ \t]*\n?\Z")

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
_LEVELS = {"H1": 1, "H2": 2, "H3": 3, "H4": 4, "H5": 5, "H6": 6}


@cache
def _parser(*, inside: bool) -> Any:
    from pyromark import Markdown, Options

    options = (
        Options.ENABLE_TABLES
        | Options.ENABLE_FOOTNOTES
        | Options.ENABLE_HEADING_ATTRIBUTES
        | Options.ENABLE_TASKLISTS
        | Options.ENABLE_STRIKETHROUGH
        | Options.ENABLE_GFM
    )
    return Markdown(options=options | Options.ENABLE_MATH if inside else options)


def events_of(source: str, *, inside: bool = False) -> Iterable[Any]:
    """The parser's events with their ranges in bytes of UTF-8; with `inside` formulas too, which part no
    blocks.
    """
    given = masked(source, inside=inside)
    found = _parser(inside=inside).events_with_range(given)
    return found if given == source else _own_texts(found, source.encode("utf-8"), given.encode("utf-8"))


def _own_texts(found: Iterable[Any], data: bytes, given: bytes) -> Iterator[Any]:
    """Events whose texts say what stands in the source, where the parser was given something else."""
    for event, place in found:
        if event.__class__ is dict and "Text" in event:
            start, end = place["start"], place["end"]
            if data[start:end] != given[start:end] == event["Text"].encode("utf-8"):
                event = {"Text": data[start:end].decode("utf-8")}
        yield event, place


def readable(source: str, *, keep_crlf: bool = False) -> str:
    """A text of the same length that the parser takes as CommonMark says.

    It does not take a lone carriage return for a line end; and a question mark stands for a lone surrogate.
    `keep_crlf` leaves a CRLF, which would break no line behind a backslash otherwise.
    """
    if "\r" in source:
        if keep_crlf:
            source = _LONE_RETURN.sub("\n", source)
        else:
            source = source.replace("\r\n", " \n").replace("\r", "\n")
    if not source.isascii():
        try:
            # Piece by piece: a buffer for all of a long text would cost more than the encoding.
            for start in range(0, len(source), _PIECE):
                source[start : start + _PIECE].encode("utf-8")
        except UnicodeEncodeError:
            source = source.encode("utf-8", "replace").decode("utf-8")
    return source


class Rows:
    """Blocks while they are being made: parallel lists, in reading order."""

    __slots__ = ("depth", "end", "kind", "level", "start")

    def __init__(self) -> None:
        self.kind: list[int] = []
        self.start: list[int] = []
        self.end: list[int] = []
        self.level: list[int] = []
        self.depth: list[int] = []

    def add(self, kind: int, start: int, end: int, level: int = 0, depth: int = 0) -> None:
        """Put a block behind the others."""
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.level.append(level)
        self.depth.append(depth)

    def extend(self, other: Rows, by: int) -> None:
        """Put other blocks behind, moved by so many characters."""
        self.kind += other.kind
        self.start += [position + by for position in other.start]
        self.end += [position + by for position in other.end]
        self.level += other.level
        self.depth += other.depth

    def copy(self, other: Rows, start: int, stop: int) -> None:
        """Put some of other blocks behind."""
        self.kind += other.kind[start:stop]
        self.start += other.start[start:stop]
        self.end += other.end[start:stop]
        self.level += other.level[start:stop]
        self.depth += other.depth[start:stop]

    def cut(self, stop: int) -> None:
        """Keep only the first so many blocks."""
        for column in (self.kind, self.start, self.end, self.level, self.depth):
            del column[stop:]

    def drop(self, first: int, numbers: list[int]) -> None:
        """Take out blocks, none of which stands before `first`."""
        if not numbers:
            return
        kept = [True] * (len(self.kind) - first)
        for number in numbers:
            kept[number - first] = False
        for column in (self.kind, self.start, self.end, self.level, self.depth):
            column[first:] = compress(column[first:], kept)

    def take(self, other: Rows) -> None:
        """Be what the other is."""
        self.kind, self.start, self.end = other.kind, other.start, other.end
        self.level, self.depth = other.level, other.depth

    def put_first(self, kind: int, start: int, end: int) -> None:
        """Put a block of depth 0 in front of the others."""
        for column, value in zip(
            (self.kind, self.start, self.end, self.level, self.depth), (kind, start, end, 0, 0), strict=True
        ):
            column.insert(0, value)

    def blocks(self) -> Blocks:
        """The columns in their final form."""
        return Blocks(self.kind, self.start, self.end, self.level, self.depth)


def rows_of(source: str) -> tuple[Rows, list[str]]:
    """Blocks and the titles of the headings at depth 0. The blocks of depth 0 tile the text.

    Args:
        source: text without lone carriage returns and lone surrogates.
    """
    rows, titles, bare = _walk(source)
    if not source.isascii():
        rows.start, rows.end = _code_points(source, rows)
    for number, row in bare:
        titles[number] = _with_braces(titles[number], source[rows.start[row] : rows.end[row]])
    if "#\t" in source or "\t#" in source:
        _without_closing(source, rows, titles)
    _to_line_starts(source, rows)
    _tile(source, rows)
    return rows, titles


def _walk(source: str) -> tuple[Rows, list[str], list[tuple[int, int]]]:
    """Blocks with byte offsets, the title of each heading at depth 0, and the numbers (of the title, of
    the row) of those headings that have no attributes.
    """
    rows = Rows()
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    titles: list[str] = []
    bare: list[tuple[int, int]] = []
    braces = "{" in source
    open_: list[int] = []  # ends of the containers around the current place
    lists = [0]  # how deep in lists each of them is
    title: list[str] | None = None
    tag: Any
    heading_end = 0
    plain, data = _PLAIN_TAGS.get, _DATA_TAGS.get
    for event, place in events_of(source):
        if event.__class__ is not dict:
            if title is not None:
                if place["start"] < heading_end:
                    title.append(" ")
                    continue
                titles.append("".join(title))
                title = None
            if event != "Rule":
                continue
            tag = event
        else:
            tag = event.get("Start")
            if title is not None:
                if place["start"] < heading_end:
                    if tag is None:
                        title.append(event.get("Text") or event.get("Code") or _between(event))
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
                if braces and not _has_attributes(tag[name]):
                    bare.append((len(titles), len(kinds) - 1))
        elif kind not in (_PARAGRAPH, _RULE, _CODE, _HTML, _ROW):
            open_.append(end)
            lists.append(lists[-1] + (kind == _LIST))
    if title is not None:
        titles.append("".join(title))
    return rows, titles, bare


def _between(event: dict[str, Any]) -> str:
    """A space for a line break of HTML, so that words do not run together."""
    return " " if event.get("InlineHtml", "")[:3].lower() == "<br" else ""


def _has_attributes(heading: dict[str, Any]) -> bool:
    """Whether a heading has an id, a class, or a key with a value."""
    return bool(
        heading["id"] or heading["classes"] or any(value is not None for _, value in heading["attrs"])
    )


def _with_braces(title: str, heading: str) -> str:
    """The title with the braces at its end, which the parser drops even where they are no attributes."""
    found = _BRACES.search(heading)
    if found is None or title.count("}") >= heading.count("}"):
        return title
    return title + found[0]


def _without_closing(source: str, rows: Rows, titles: list[str]) -> None:
    """Take the closing hashes off the titles that have a tab beside them, which the parser leaves there."""
    headings = (i for i, kind in enumerate(rows.kind) if kind == _HEADING and rows.depth[i] == 0)
    for number, i in enumerate(headings):
        found = _CLOSING.search(source, rows.start[i], rows.end[i])
        if found and "\t" in found[0] and titles[number].rstrip().endswith(found[1]):
            titles[number] = titles[number].rstrip().removesuffix(found[1])


def characters_before(data: bytes) -> IntArray:
    """For each byte of UTF-8, and for the end, how many code points begin before it: the parser counts
    bytes.
    """
    import numpy as np

    before = np.zeros(len(data) + 1, dtype=np.int64)
    np.cumsum((np.frombuffer(data, dtype=np.uint8) & 0xC0) != 0x80, out=before[1:])
    return before


def _code_points(source: str, rows: Rows) -> tuple[list[int], list[int]]:
    """Starts and ends as code points; the parser counts bytes of UTF-8."""
    before = characters_before(source.encode("utf-8"))
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


def _tile(text: str, rows: Rows) -> None:
    """Make the blocks of depth 0 tile the text, and items and rows their list or table.

    Text between two blocks that is in neither (link definitions) becomes a paragraph.
    """
    starts, ends = rows.start, rows.end
    gaps: list[tuple[int, int]] = []  # (number of the block behind it, where its text begins)
    reached = 0
    tops = [i for i, depth in enumerate(rows.depth) if depth == 0]
    for i in [*tops, len(starts)]:
        start = starts[i] if i < len(starts) else len(text)
        if start > reached:
            found = VISIBLE.search(text, reached, start)
            while found is not None:
                gaps.append((i, max(text.rfind("\n", reached, found.start()) + 1, reached)))
                blank = _BLANK_LINES.search(text, found.end(), start)
                found = VISIBLE.search(text, blank.end(), start) if blank else None
        if i < len(starts):
            end = ends[i]
            if rows.kind[i] == _LIST:
                # The parser counts definitions behind a list as part of it.
                behind = BEHIND_LISTS.search(text, start, end)
                end = behind.end() if behind else end
            reached = max(end, reached)
    for i, start in reversed(gaps):
        for column, value in zip(
            (rows.kind, starts, ends, rows.level, rows.depth), (_PARAGRAPH, start, start, 0, 0), strict=True
        ):
            column.insert(i, value)
    if not starts:
        return
    starts[0] = 0
    previous = -1
    for i, depth in enumerate(rows.depth):
        if depth == 0:
            if previous >= 0:
                ends[previous] = starts[i]
            previous = i
    ends[previous] = len(text)
    chain: list[int] = []  # the block last seen at each depth
    for i, depth in enumerate(rows.depth):
        if depth and rows.kind[i] == _LIST:
            # Blank lines behind an inner list are no part of it.
            visible = starts[i] + len(text[starts[i] : ends[i]].rstrip(" \t\r\n"))
            ends[i] = text.find("\n", visible, ends[i]) + 1 or ends[i]
        elif depth and rows.kind[i] in (_ITEM, _ROW):
            # An item ends with its list, until another one begins, or its line in a quote.
            ends[i] = ends[chain[depth - 1]]
            if depth < len(chain) and rows.kind[chain[depth]] == rows.kind[i]:
                ends[chain[depth]] = quoted_line(text, starts[i])
        del chain[depth:]
        chain.append(i)
