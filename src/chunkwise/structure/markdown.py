"""Markdown (CommonMark and GFM) to blocks and sections, in one pass."""

from __future__ import annotations

import re
from itertools import compress
from typing import Any

from chunkwise.structure.admonitions import group_admonitions
from chunkwise.structure.events import Rows, readable
from chunkwise.structure.frontmatter import front_matter
from chunkwise.structure.html_tables import add_html_tables
from chunkwise.structure.scan import scan
from chunkwise.text import trim_lines
from chunkwise.types import BlockKind, Notice, Sections, Structure

# A bracketed span with attributes, as Pandoc writes it: `[]{#anchor}`, `[text]{.class}`.
_SPAN = re.compile(r"\[([^\[\]]*)\]\{[#.][^{}]*\}")
_OPENED, _FENCE = re.compile(r"^\{/\*", re.MULTILINE), re.compile(r"\n[ ]{0,3}(?:```|~~~)")
_VISIBLE = re.compile(r"\S")
_HEADING, _CODE, _HTML = int(BlockKind.HEADING), int(BlockKind.CODE), int(BlockKind.HTML)
_IS_HEADING = bytes(kind == _HEADING for kind in range(256))
"""For `bytes.translate`: 1 for the kind of headings."""


def parse_markdown(text: str, id: str) -> Structure:
    """Blocks, sections, metadata and notices of a Markdown text.

    What stands inside lists, quotes, code, comments and HTML is no section heading, nor what stands in a
    comment of several lines in MDX. Offsets are code points of `text`; line ends are LF, CRLF and CR.
    """
    body, metadata = front_matter(text)
    source = readable(text[body:] if body else text)
    if id.endswith(".mdx"):
        source = _without_comments(source)
    rows, titles, marks = scan(source)
    group_admonitions(source, rows, marks)
    add_html_tables(source, rows)
    if body:
        rows.shift(body)
        if rows.start:
            # The blank lines behind the front matter belong to it.
            rows.start[0] = trim_lines(text, rows.start[0], rows.end[0])[0]
    notices = _notices(text, id, rows)
    if body:
        rows.put_first(int(BlockKind.FRONT_MATTER), 0, rows.start[0] if rows.start else len(text))
    return Structure(rows.blocks(), _sections(text, rows, titles, metadata), metadata, notices)


def _without_comments(source: str) -> str:
    """MDX with its comments of several lines made plain words; one line can hide nothing.

    Only what no fence stands in: a fence may as well hold the marks of a comment.
    """
    parts, reached, at = [], 0, 0
    while opened := _OPENED.search(source, at):
        at = source.find("*/}", opened.end())
        if at < 0:
            break
        fence = _FENCE.search(source, opened.end(), at)
        if fence is not None:
            at = fence.end()
            continue
        parts += [source[reached : opened.start()], _VISIBLE.sub("x", source[opened.start() : at])]
        reached = at
    return "".join([*parts, source[reached:]])


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


def _sections(text: str, rows: Rows, titles: list[str], metadata: dict[str, Any]) -> Sections:
    """The section tree: headings at depth 0 with their titles."""
    numbers = list(compress(range(len(rows.kind)), bytes(rows.kind).translate(_IS_HEADING)))
    if len(numbers) > len(titles):
        numbers = [i for i in numbers if not rows.depth[i]]
    # With single spaces, and without the anchors and attributes that converters leave.
    plain = [" ".join((_SPAN.sub(r"\1", title) if "]{" in title else title).split()) for title in titles]
    levels, starts, ends = (map(column.__getitem__, numbers) for column in (rows.level, rows.start, rows.end))
    headings = list(zip(levels, plain, starts, ends, strict=True))
    if numbers[:1] == [0]:
        # The first block holds the blank lines before it; a section begins with its heading.
        level, title, start, body = headings[0]
        headings[0] = level, title, trim_lines(text, start, body)[0], body
    root: tuple[str, ...] = ()
    name = metadata.get("title")
    if isinstance(name, str) and name.strip() and all(level != 1 for level, *_ in headings):
        root = (" ".join(name.split()),)
    return Sections(headings, len(text), root)
