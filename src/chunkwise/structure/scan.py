"""A fast path for the Markdown that most documents are made of, exact where it is taken.

The events of a full parse cost a Python object for every word in bold. Most blocks need none: a plain
heading, a paragraph that begins with a letter, a flat list, a fence at the margin are told by their own
lines alone. Those are matched here; any other stretch, up to the next place where nothing can be open,
is given to the parser. `tests/structure/test_scan.py` holds that both ways give the same blocks.
"""

from __future__ import annotations

import re

from chunkwise.structure.admonitions import box_marks
from chunkwise.structure.events import BEHIND_LISTS, MARGIN, Rows, rows_of
from chunkwise.text import trim_lines
from chunkwise.types import BlockKind

Heading = tuple[int, str, int, int]
"""Level, title, start, and where the text behind the heading begins."""
Scanned = tuple[Rows, list[Heading], list[tuple[int, int]]]
"""Blocks, headings, and marks of boxes."""

_PARAGRAPH, _HEADING, _LIST = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.LIST)
_RULE = int(BlockKind.RULE)
_ITEM, _CODE, _RAW = int(BlockKind.ITEM), int(BlockKind.CODE), int(BlockKind.HTML)

# What a line may begin with that can begin nothing but a paragraph, whatever stands around it: first what
# opens neither a box nor a link, then a box, then a link. Letters are told by what is none: `re` takes
# milliseconds to compile a range up to the last code point.
_SAFE = (
    r"""[^\x00-\x20!#)*+\-/0-9:<=>?\[\]_`|~\x7f]|!(?!!!)|:(?=[a-z])|/(?!//)|\?(?!\?\?)|\*\*?(?=[^\s*])|__?(?=[^\s_])"""
    r"""|`(?!``)|~(?!~~)|[0-9]+(?=[^0-9.)\s])|[0-9]+[.](?=[0-9])|[0-9]+[ ](?=\S)"""
)
_BOX_MARK = r":::|///|\?\?\?"
_LINK = r"\[(?!\^|[ xX]\][ \t]*(?:\n|\Z))"
_TEXT = rf"(?:{_SAFE}|{_BOX_MARK}|{_LINK})"
_END = r"(?:\n|\Z)"
# Behind a paragraph: a blank line, the end, or a line that begins another block for sure.
_BEHIND = r"(?=[ \t]*+(?:\n|\Z)|\#{1,6}(?:[ \t\n]|\Z)|```[^`\n]*+\n|[*+-][ ]+[^\s*+-]|>)"
_BEHIND_LIST = rf"(?=\#{{1,6}}[ \t\n]|(?:[ \t]*+\n)*+\Z|(?:[ \t]*+\n)++{MARGIN})"
_HTML_BLOCKS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|"
    "dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|"
    "li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|"
    "tfoot|th|thead|title|tr|track|ul"
)
_RAW_TAGS = "script|pre|style|textarea"
_LONE_TAG = (
    rf"<(?!(?i:{_RAW_TAGS})[\s/>])[A-Za-z][A-Za-z0-9-]*+"
    r"""(?:[ \t]++[A-Za-z_:][\w.:-]*+(?:=(?:"[^"\n]*+"|'[^'\n]*+'|[^\s"'=<>`]++))?)*+"""
    r"""[ \t]*+/?>[ \t]*+(?=\n|\Z)"""
)
_BLANK = r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?+"
# Of a title that says what it looks like.
_PLAIN = r"[^`*_\[\]<&\\~{}#\n]*+"
# Marks in a title that mean the same whatever stands around them, in three parts: code, stars around
# words, a link.
_WORDS = r"[A-Za-z0-9](?:[A-Za-z0-9 ]*[A-Za-z0-9])?"
_MARKED = (
    (r"(?<!`)`", r"[^`\s](?:[^`\n]*[^`\s])?", r"`(?!`)"),
    (r"(?<!\S)\*", _WORDS, r"\*(?![\w*])"),
    (r"(?<!\S)\*\*", _WORDS, r"\*\*(?![\w*])"),
    (r"(?<!!)\[", _WORDS, r"\]\(https?://[A-Za-z0-9./#~?=&%:+-]*\)"),
)
_MARKS = re.compile("|".join(f"{before}({said}){behind}" for before, said, behind in _MARKED))
# No groups here: `re` of Python 3.11 fails at times where one stands in a possessive repetition.
_WITH_MARKS = rf"{_PLAIN}(?:(?:(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|{'|'.join(map(''.join, _MARKED))}){_PLAIN})*+"
_TITLE_END = r"(?:(?<=[ \t])\{[ ]*+#[\w-]++[ ]*+\}[ \t]*+)?(?=\n|\Z)"

_BLOCK = re.compile(
    # 1: a paragraph of one line in front of a blank one, by far the most common block; it needs no more
    rf"(?:{_SAFE})[^\n]*+\n\n(?=[^ \t\n])()"
    # 2: the same of a mark of a box
    rf"|(?:{_BOX_MARK})[^\n]*+\n\n(?=[^ \t\n])()|(?:"
    # 3: hashes, but for the first; 4: a plain title; 5: one with marks; 6: any other with all behind it
    rf"\#(\#{{0,5}})(?:[ \t]++(?:({_PLAIN}){_TITLE_END}|({_WITH_MARKS}){_TITLE_END}|([^\n]*+)))?{_END}"
    # 7: any other paragraph
    rf"|({_TEXT}[^\n]*+{_END}(?:(?:[ ]*+{_TEXT}|[ ]{{4,}}+-[ ]\w)[^\n]*+{_END})*+){_BEHIND}"
    # 8: the ticks of a fence that is closed
    rf"|(`{{3,}}+)[^`\n]*+\n(?:(?![ ]{{0,3}}\8`*+[ \t]*+{_END})[^\n]*+\n)*+[ ]{{0,3}}\8`*+[ \t]*+{_END}"
    # 9: the mark of a flat list of bullets with a line each; 10: where it ends
    rf"|([*+-])[ ]{{1,4}}{_TEXT}[^\n]*+{_END}(?:\9[ ]{{1,4}}{_TEXT}[^\n]*+{_END})*+(){_BEHIND_LIST}"
    # 11: a list of bullets with a paragraph each
    rf"|([*+-][ ]{{1,4}}{_TEXT}[^\n]*+{_END}"
    rf"(?:(?:(?:[ \t]*+\n)*+[ ]*+[*+-][ ]{{1,4}}|[ ]*+){_TEXT}[^\n]*+{_END})*+){_BEHIND_LIST}"
    # 12: a comment, or HTML that may hold blank lines, that is closed; 13: its tag
    rf"|(<!--(?!-?>)[\s\S]*?-->|<((?i:{_RAW_TAGS}))(?=[\s>])[\s\S]*?</(?i:\13)>)[^\n]*+{_END}"
    # 14: HTML that runs to the next blank line: a block's tag, or any whole tag alone on its line
    rf"|([ ]{{0,3}}(?:</?(?i:{_HTML_BLOCKS})(?=[\s/>]|\Z)[^\n]*+|{_LONE_TAG}){_END}"
    rf"(?:(?![ \t]*+(?:\n|\Z))[^\n]++{_END})*+)"
    # 15: the mark of a thematic break
    rf"|([-*_])[ \t]*+(?:\15[ \t]*+){{2,}}+{_END}"
    # and the blank lines behind it; 16: nothing, where none of these stands
    rf"){_BLANK}|()"
)
_BOX_LINE, _MARKED_TITLE, _TITLE, _TEXTS, _FENCE, _FLAT, _BULLETS, _NONE = 2, 5, 6, 7, 8, 10, 11, 16
# The kind of what ends with each group, where that tells it.
_KINDS = (*7 * (_HEADING,), _PARAGRAPH, _CODE, *3 * (_LIST,), *3 * (_RAW,), _RULE)
_ITEMS, _ONES = [_ITEM], [1]
_LEADING = re.compile(_BLANK)
# The beginning of an item behind a line end; 1: blank lines before it; 2: its mark with the spaces behind it
_ITEM_START = re.compile(r"\n((?:[ \t]*+\n)*+)[ ]*+([*+-][ ]++)")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
# The box of a task: the paragraph of a loose list begins behind it.
_BOX = re.compile(r"[*+-][ ]+\[[ xX]\][ \t\n]")
# What may hold a blank line with anything behind it: a fence, and HTML that runs to its closing tag.
_RISKY = re.compile(r"[ ]{0,3}(?:```|~~~|<(?:script|pre|style|textarea|[!?]))", re.IGNORECASE)
_HTML = re.compile(r"[ ]{0,3}<")
# With the line end before it: a literal first character makes the search fast.
_RISKY_LINE = re.compile(r"\n" + _RISKY.pattern, re.IGNORECASE)
_HTML_LINE = re.compile(r"\n" + _HTML.pattern)
# A bracketed span with attributes, as Pandoc writes it: `[]{#anchor}`, `[text]{.class}`.
_SPAN = re.compile(r"\[([^\[\]]*)\]\{[#.][^{}]*\}")


def scan(source: str, begin: int = 0) -> Scanned:
    """Blocks, the headings at depth 0, and the marks of boxes as `box_marks` gives them.

    Args:
        source: text with LF line ends only, without lone surrogates.
        begin: where to begin; the text before it is no part of any block.
    """
    if source.find("\f", begin) >= 0 or source.find("\v", begin) >= 0:
        # The parser takes them for white space in some places and for text in others.
        return parsed(source, begin)
    rows, headings, marks = Rows(), list[Heading](), list[tuple[int, int]]()
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    at = _LEADING.match(source, begin).end()  # type: ignore[union-attr]
    brackets = False  # whether a title holds one outside of code, which may be a reference
    while at < len(source):
        for found in _BLOCK.finditer(source, at):
            which: int = found.lastindex  # type: ignore[assignment]  # each alternative has a group
            end = found.end()
            if which <= _BOX_LINE:
                kind = level = 0
                if which == _BOX_LINE:
                    marks.append((at, len(kinds)))
            elif which <= _TITLE:
                kind, level = _HEADING, found.end(3) - at
                title = found[4] or ""
                if which == _MARKED_TITLE:
                    title = _without_spans(_said(found[_MARKED_TITLE]))
                elif which == _TITLE:
                    title = rows_of(source[at:end])[1][0]
                    brackets = brackets or "[" in title
                    title = _without_spans(title)
                headings.append((level, " ".join(title.split()), at, end))
            elif which == _FLAT:
                _flat(source, at, found.end(_FLAT), end, rows)
                at = end
                continue
            elif which == _BULLETS:
                row = len(kinds)
                if not _bullets(source, at, found.end(_BULLETS), end, rows):
                    break
                marks += box_marks(source, at, end, rows, row)
                at = end
                continue
            elif which == _NONE or (which == _TEXTS and source[at] == "[" and "]:" in found[_TEXTS]):
                break
            else:
                kind, level = _KINDS[which], 0
            kinds.append(kind)
            starts.append(at)
            ends.append(end)
            levels.append(level)
            depths.append(0)
            if which == _TEXTS:
                marks += box_marks(source, at, end, rows, len(kinds) - 1)
            at = end
        if at < len(source):
            row = len(kinds)
            end, titles = _parse_on(source, at, rows)
            brackets = brackets or any("[" in title for title in titles)
            headings += _headings(rows, row, titles)
            marks += box_marks(source, at, end, rows, row)
            at = end
    if brackets and source.find("]:", begin) >= 0:
        # The target of a reference may stand in another part: only the whole text tells.
        return parsed(source, begin)
    _begin(source, begin, rows, headings)
    return rows, headings, marks


def parsed(source: str, begin: int = 0) -> Scanned:
    """What `scan` gives, by the parser alone."""
    rows = Rows()
    more, titles = rows_of(source[begin:])
    rows.extend(more, begin)
    headings = _headings(rows, 0, titles)
    _begin(source, begin, rows, headings)
    return rows, headings, box_marks(source, begin, len(source), rows, 0)


def _begin(source: str, begin: int, rows: Rows, headings: list[Heading]) -> None:
    """Let the first block hold the blank lines before it; a section begins with its heading."""
    if not rows.start:
        return
    rows.start[0] = begin
    if rows.kind[0] == _HEADING:
        level, title, _, body = headings[0]
        headings[0] = level, title, trim_lines(source, begin, body)[0], body


def _headings(rows: Rows, row: int, titles: list[str]) -> list[Heading]:
    """The headings at depth 0 from a row on, of which the titles are given."""
    numbers = (i for i in range(row, len(rows.kind)) if rows.kind[i] == _HEADING and not rows.depth[i])
    return [
        (rows.level[i], " ".join(_without_spans(title).split()), rows.start[i], rows.end[i])
        for i, title in zip(numbers, titles, strict=True)
    ]


def _without_spans(title: str) -> str:
    """A title without the anchors and attributes that converters leave."""
    return _SPAN.sub(r"\1", title) if "]{" in title else title


def _parse_on(source: str, at: int, rows: Rows) -> tuple[int, list[str]]:
    """Give the parser what stands from here to the next place where nothing is open; that place, and the
    titles of the headings at depth 0 on the way.
    """
    html = _HTML.match(source, at) is not None
    look = at
    while True:
        sync = BEHIND_LISTS.search(source, max(look - 1, 0))
        end = sync.end() if sync else len(source)
        place = look
        if not _RISKY.match(source, look):
            found = _RISKY_LINE.search(source, look, end)
            if found is None:
                break
            place = found.start() + 1
        fence = _BLOCK.match(source, place)
        # A fence at the margin opens whatever stands around it, but for HTML.
        if fence is None or not fence[_FENCE] or html or _HTML_LINE.search(source, at, place):
            end = len(source)
            break
        look = fence.end()
        if look >= len(source):
            end = len(source)
            break
    more, titles = rows_of(source[at:end])
    rows.extend(more, at)
    return end, titles


def _flat(source: str, at: int, end: int, behind: int, rows: Rows) -> None:
    """Add a list of which each line is an item. `end` is where its last line ends, `behind` where the blank
    lines behind it end.
    """
    starts, ends, find = rows.start, rows.end, source.find
    first = len(starts) + 1
    starts.append(at)
    while at < end:
        starts.append(at)
        at = find("\n", at, end) + 1 or end
    items = len(starts) - first
    ends.append(behind)
    ends += starts[first + 1 :]
    ends.append(behind)
    rows.kind.append(_LIST)
    rows.kind += items * _ITEMS
    rows.level.append(0)
    rows.level += items * _ONES
    rows.depth.append(0)
    rows.depth += items * _ONES


def _bullets(source: str, at: int, end: int, behind: int, rows: Rows) -> bool:
    """Add a list of bullets with a paragraph each, nested by their indentation.

    `end` is where its last line ends, `behind` where the blank lines behind it end. False, and nothing
    is added, where the nesting is not plain to see.
    """
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    text = at + 1
    while source[text] == " ":
        text += 1
    # Of the innermost list: its number, that of its last item, its mark and depth, and where it ends as far
    # as is known; the columns of the text that it stands in and of that of its last item.
    first = list_ = len(kinds)
    item, mark, depth, last, left, right = first + 1, source[at], 0, behind, 0, text - at
    outer: list[tuple[int, int, str, int, int, int, int]] = []  # the same of the lists around it
    rows.add(_LIST, at, behind)
    rows.add(_ITEM, at, behind, 1, 1)
    # With blank lines, each item is given its paragraph; those in lists without any are taken out again.
    spaced = _BLANK_LINE.search(source, at, end) is not None
    items, loose = [(item, list_)], set[int]()
    if spaced:
        rows.add(_PARAGRAPH, text, end, 0, 2)
    for found in _ITEM_START.finditer(source, at, end):
        line, place = found.span(1)
        inner, text = found.span(2)
        column = inner - place
        if spaced:
            ends[item + 1] = line
        if column >= right:
            if line < place:
                loose.add(list_)
            outer.append((list_, item, mark, depth, last, left, right))
            list_, mark, depth, last, left = len(kinds), source[inner], depth + 2, end, right
            rows.add(_LIST, place, end, 0, depth)
        else:
            while column < left:
                ends[item] = ends[list_] = line
                list_, item, mark, depth, last, left, right = outer.pop()
            if line < place:
                loose.add(list_)
            ends[item] = place
        if column - left > 3 or source[inner] != mark:
            rows.cut(first)
            return False
        item, right = len(kinds), text - place
        kinds.append(_ITEM)
        starts.append(place)
        ends.append(last)
        levels.append(depth // 2 + 1)
        depths.append(depth + 1)
        if spaced:
            rows.add(_PARAGRAPH, text, end, 0, depth + 2)
            items.append((item, list_))
    if spaced and _BOX.search(source, at, end):
        rows.cut(first)
        return False
    if spaced:
        rows.drop(first, [item + 1 for item, list_ in items if list_ not in loose])
    return True


def _said(title: str) -> str:
    """What a title says, without the marks in it."""
    if "*" not in title and "[" not in title:
        return title.replace("`", "")
    return _MARKS.sub(lambda found: found[found.lastindex or 0], title)
