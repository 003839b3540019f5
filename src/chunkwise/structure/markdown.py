"""Markdown (CommonMark and GFM) to blocks and sections, in one pass."""

from __future__ import annotations

import re
from typing import Any

from chunkwise.structure.admonitions import group_admonitions
from chunkwise.structure.events import Rows, readable
from chunkwise.structure.frontmatter import front_matter
from chunkwise.structure.html_tables import add_html_tables
from chunkwise.structure.scan import Heading, scan
from chunkwise.text import trim_lines
from chunkwise.types import BlockKind, Notice, Sections, Structure

_OPENED, _FENCE = re.compile(r"^\{/\*", re.MULTILINE), re.compile(r"\n[ ]{0,3}(?:```|~~~)")
_VISIBLE = re.compile(r"\S")
_CODE, _HTML = int(BlockKind.CODE), int(BlockKind.HTML)


def parse_markdown(text: str, id: str) -> Structure:
    """Blocks, sections, metadata and notices of a Markdown text.

    What stands inside lists, quotes, code, comments and HTML is no section heading, nor what stands in a
    comment of several lines in MDX. Offsets are code points of `text`; line ends are LF, CRLF and CR.
    """
    body, metadata = front_matter(text)
    source = readable(text)
    if id.endswith(".mdx"):
        source = source[:body] + _without_comments(source[body:])
    rows, headings, marks = scan(source, body)
    group_admonitions(source, rows, marks)
    add_html_tables(source, rows)
    if body and rows.start:
        # The blank lines behind the front matter belong to it.
        rows.start[0] = trim_lines(text, rows.start[0], rows.end[0])[0]
    notices = _notices(text, id, rows)
    if body:
        rows.put_first(int(BlockKind.FRONT_MATTER), 0, rows.start[0] if rows.start else len(text))
    return Structure(rows.blocks(), _sections(text, headings, metadata), metadata, notices)


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


def _sections(text: str, headings: list[Heading], metadata: dict[str, Any]) -> Sections:
    """The section tree, below the title of the front matter where no heading is of level 1."""
    root: tuple[str, ...] = ()
    name = metadata.get("title")
    if isinstance(name, str) and name.strip() and all(level != 1 for level, *_ in headings):
        root = (" ".join(name.split()),)
    return Sections(headings, len(text), root)
