"""`markdown-to-text`: what only a renderer reads goes; what it would show stays.

Marks of headings, quotes, emphasis and fences, targets of links, escapes, comments and tags are taken out.
Texts of links, alternatives of images, list marks, the bars between table cells, code and formulas stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice
from typing import Any

from chunkwise.readers.clean.base import Page, line_end
from chunkwise.structure.events import characters_before, events_of, readable
from chunkwise.structure.marks import ALTERNATIVE, TAG
from chunkwise.types import BlockKind, Edit

_FENCE = re.compile(r"[^\S\r\n]*(?:>[^\S\r\n]*)*(`{3,}|~{3,})[^\r\n]*(?:\r\n|[\r\n]|\Z)")
_CLOSING = re.compile(
    r"(?:\r\n|[\r\n])([^\S\r\n]*(?:>[^\S\r\n]*)*(?:`{3,}|~{3,})[^\S\r\n]*(?:\r\n|[\r\n])?)\s*\Z"
)
_QUOTE = re.compile(r"(?:^|(?<=\r))[^\S\r\n]*(?:>[^\S\r\n]?)+", re.MULTILINE)
_LEADING = re.compile(r"(?:^|(?<=\r))[^\S\r\n]*(?:>[^\S\r\n]*)+", re.MULTILINE)
_MARK = re.compile(r">[^\S\r\n]?")
_DEEPEST = 20  # quotes in each other, with items between them
_DELIMITER = re.compile(
    r"(?:^|(?<=\r))(?:[^\S\r\n]*>)*[^\S\r\n]*\|?[^\S\r\n]*:?-+:?[^\S\r\n]*(?:\|[^\S\r\n]*:?-*:?[^\S\r\n]*)*(?:\r\n|[\r\n]|\Z)",
    re.MULTILINE,
)
_HASHES = re.compile(r"[^\S\r\n]*#{1,6}[^\S\r\n]+")
_DEFINITION = re.compile(
    r"(?:^|(?<=\r))[^\S\r\n]{0,3}\[(?!\^)[^\]]+\]:[^\r\n]*(?:\r\n|[\r\n]|\Z)", re.MULTILINE
)
_INLINE = frozenset(
    ("Text", "Code", "InlineHtml", "FootnoteReference", "TaskListMarker", "InlineMath", "DisplayMath")
)
_SPANS = frozenset(("Emphasis", "Strong", "Strikethrough", "Link", "Image", "Superscript", "Subscript"))
_WHOLE_LINES = frozenset(("link definition", "rule", "comment", "tag"))
_LINE_END = re.compile(r"\r\n|[\r\n]")
_BLANK_BEFORE = re.compile(r"(?>\r\n|[\r\n])[^\S\r\n]*(?>\r\n|[\r\n])\Z")
_REST = re.compile(r"[^\S\r\n]*(?:\r\n|[\r\n]|\Z)")
_BLANKS = re.compile(r"(?:[^\S\r\n]*(?:\r\n|[\r\n]))+|\s*\Z")
Range = tuple[int, int]


def find_marks(page: Page) -> list[Edit]:
    """What a Markdown text does not show; of other texts the marks of headings, fences and tables."""
    if page.structure is None:
        return []
    text = page.text
    found = list(_of_blocks(page))
    if page.markdown:
        found += _of_lines(text, page)
    return _joined(text, found)


def _of_blocks(page: Page) -> Iterator[Edit]:
    """Marks that begin or fill a line."""
    text, blocks = page.text, page.structure.blocks if page.structure is not None else ()
    quotes: list[int] = []  # depths of the open ones
    for block in blocks:
        start, end = block.span
        while quotes and quotes[-1] >= block.depth:
            quotes.pop()
        if block.kind in (BlockKind.QUOTE, BlockKind.ADMONITION):
            quotes.append(block.depth)
        if block.kind == BlockKind.HEADING and not page.markdown:
            mark = _HASHES.match(text, start, end)
            if mark is not None:
                yield Edit(mark.start(), mark.end(), "", "heading mark")
        elif block.kind == BlockKind.CODE:
            fence = _FENCE.match(text, start, end)
            if fence is not None:
                yield Edit(fence.start(), fence.end(), "", "fence")
                closing = _CLOSING.search(text, max(fence.end() - 1, start), end)
                if closing is not None:
                    yield Edit(closing.start(1), closing.end(1), "", "fence")
        elif block.kind == BlockKind.ROW and block.level == 0:
            for mark in _DELIMITER.finditer(text, start, end):
                if mark.start() > start:
                    yield Edit(mark.start(), mark.end(), "", "delimiter row")
        elif block.kind == BlockKind.RULE:
            line = text[start:end].rstrip()
            yield Edit(start, start + len(line), "", "rule")
        elif block.kind in (BlockKind.QUOTE, BlockKind.ADMONITION) and block.depth == 0:
            for mark in _QUOTE.finditer(text, start, end):
                yield Edit(mark.start(), mark.end(), "", "quote mark")
        elif block.kind in (BlockKind.QUOTE, BlockKind.ADMONITION) and len(quotes) <= _DEEPEST:
            yield from _in_item(text, start, end, len(quotes))
        elif block.kind == BlockKind.HTML:
            for mark in TAG.finditer(text, start, end):
                low, high = mark.span()
                if picture := ALTERNATIVE.match(text, low, high):
                    yield Edit(low, picture.start(2), "", "tag")
                    low = picture.end(2)
                yield Edit(low, high, "", "comment" if mark[0].startswith("<!--") else "tag")
        elif block.kind == BlockKind.PARAGRAPH and block.depth == 0 and page.markdown:
            for mark in _DEFINITION.finditer(text, start, end):
                yield Edit(mark.start(), mark.end(), "", "link definition")


def _in_item(text: str, start: int, end: int, quotes: int) -> Iterator[Edit]:
    """The marks of a quote that stands in an item, itself in so many quotes less one."""
    if text.startswith(">", start):  # on the line of the item's own mark
        first = _MARK.match(text, start, end)
        assert first is not None
        yield Edit(start, first.end(), "", "quote mark")
    for leading in _LEADING.finditer(text, start, end):
        for mark in islice(_MARK.finditer(text, *leading.span()), quotes):
            yield Edit(mark.start(), mark.end(), "", "quote mark")


def _of_lines(text: str, page: Page) -> list[Edit]:
    """Marks inside of lines, as the parser tells them."""
    assert page.structure is not None
    ended = line_end(text)
    begin = next((b.span[1] for b in page.structure.blocks[:1] if b.kind == BlockKind.FRONT_MATTER), 0)
    source = readable(text[begin:], keep_crlf=True)
    at = _places(source, begin)
    found: list[Edit] = []
    heading: Range | None = None
    run: list[tuple[int, int, str | None]] = []  # what is shown; the text in its place where it differs
    low = high = -1

    def close() -> None:
        nonlocal low, high, heading
        if low >= 0:
            found.extend(_gaps(text, run, low, high))
        if heading is not None and run:
            start, end = heading
            end = start + len(text[start:end].rstrip())
            found.append(Edit(start, low, "", "heading mark"))
            found.append(Edit(high, max(end, high), "", "heading mark"))
        elif heading is not None:
            start, end = heading
            found.append(Edit(start, start + len(text[start:end].rstrip()), "", "heading mark"))
        run.clear()
        low = high = -1
        heading = None

    for event, place in events_of(source, inside=True):
        start, end = at(place["start"]), at(place["end"])
        name, value = next(iter(event.items())) if isinstance(event, dict) else (event, None)
        inner = value if isinstance(value, str) else next(iter(value), "") if isinstance(value, dict) else ""
        if name in ("SoftBreak", "HardBreak"):
            shown: str | None = None if name == "SoftBreak" else ended
        elif name in _INLINE:
            shown = _shown(name, value, text[start:end], ended)
            if name == "TaskListMarker" and text[end : end + 1] in (" ", "\t"):
                end += 1  # the space behind it is shown too
        elif name in ("Start", "End") and inner in _SPANS:
            if name == "Start":
                low, high = (start if low < 0 else low), max(high, end)
            continue
        else:
            if name == "End" and inner == "CodeBlock":
                run.clear()
                low = high = -1
            close()
            if name == "Start" and inner == "Heading":
                heading = start, end
            in_code = name == "Start" and inner == "CodeBlock"
            if in_code:
                low = -2
            continue
        if low == -2:
            continue  # the text of a code block
        low, high = (start if low < 0 else low), max(high, end)
        run.append((start, end, shown))
    close()
    return found


def _shown(name: str, value: Any, raw: str, ended: str) -> str | None:
    """What is shown of an inline piece; None where it is shown as it is written."""
    if name == "InlineHtml":
        if picture := ALTERNATIVE.match(raw):
            return unescape(picture[2])
        return ended if re.match(r"(?i)<br\b", raw) else ""
    if name not in ("Text", "Code"):
        return None
    return None if value == raw else str(value)


def _gaps(text: str, run: list[tuple[int, int, str | None]], low: int, high: int) -> Iterator[Edit]:
    """What of a run of inline pieces is not shown, and what is shown otherwise."""
    at = low
    for start, end, shown in run:
        if start > at:
            yield Edit(at, start, "", _what(text[at:start]))
        if shown is not None and shown != text[start:end]:
            yield from _differing(text, start, end, shown)
        at = max(at, end)
    if at < high:
        yield Edit(at, high, "", _what(text[at:high]))


def _differing(text: str, start: int, end: int, shown: str) -> Iterator[Edit]:
    """The marks around what is shown, else the whole piece replaced."""
    raw = text[start:end]
    inner = raw.find(shown) if shown.strip() else -1
    if inner < 0:
        what = (
            "line break"
            if shown in ("\n", "\r\n", "\r")
            else "tag"
            if raw[:1] == "<"
            else "character reference"
        )
        yield Edit(start, end, shown, what)
        return
    what = "tag" if raw[:1] == "<" else "code mark"
    if inner:
        yield Edit(start, start + inner, "", what)
    if inner + len(shown) < len(raw):
        yield Edit(start + inner + len(shown), end, "", what)


def _what(gap: str) -> str:
    if "data:" in gap and "base64" in gap:
        return "embedded data"
    if "](" in gap or "][" in gap:
        return "link target"
    return "escape" if gap == "\\" else "mark"


def _joined(text: str, found: list[Edit]) -> list[Edit]:
    """In order and without overlap. Of a line of which nothing is left its end goes too."""
    edits: list[Edit] = []
    for edit in sorted(edit for edit in found if edit.start < edit.end):
        if edits and edit.start < edits[-1].end:
            if edit.end <= edits[-1].end:
                continue
            last = edits[-1]
            edits[-1] = last._replace(end=edit.end, put=last.put + edit.put)
        else:
            edits.append(edit)
    rest = len(text)  # from here on nothing is left but white space
    for edit in reversed(edits):
        if text[edit.end : rest].strip() or edit.put:
            break
        rest = edit.start
    return [_with_line(text, edits, i, rest) for i in range(len(edits))]


def _with_line(text: str, edits: list[Edit], i: int, rest: int) -> Edit:
    edit = edits[i]
    if (
        edit.put
        or edit.what not in _WHOLE_LINES
        or text[max(edit.start - 1, 0) : edit.start] not in ("", "\n", "\r")
    ):
        return edit
    alone = _BLANK_BEFORE.search(text, max(0, edit.start - 200), edit.start) or not edit.start
    behind = (_BLANKS if alone else _REST).match(text, edit.end)
    end = max(edit.end, behind.end() if behind is not None else 0)
    if i + 1 < len(edits):
        end = min(end, edits[i + 1].start)
    start = edit.start
    if start == rest:
        # The blank lines that stood before it are the end of the text now.
        shown = len(text[:start].rstrip())
        ended = _LINE_END.match(text, shown)
        start = min(start, max(ended.end() if ended is not None else shown, edits[i - 1].end if i else 0))
    return edit._replace(start=start, end=end)


def _places(source: str, begin: int) -> Any:
    """A function from bytes of UTF-8, which the parser counts, to characters of the text."""
    if source.isascii():
        return lambda place: begin + place
    before = characters_before(source.encode("utf-8"))
    return lambda place: begin + int(before[place])
