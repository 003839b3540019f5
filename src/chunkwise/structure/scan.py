"""A fast path for the Markdown that most documents are made of, exact where it is taken.

The events of a full parse cost a Python object for every word in bold. Most blocks need none: a plain
heading, a paragraph that begins with a letter, a flat list, a fence at the margin are told by their own
lines alone. Those are matched here; any other stretch, up to the next place where nothing can be open,
is given to the parser. `tests/structure/test_scan.py` holds that both ways give the same blocks.
"""

from __future__ import annotations

import re

from chunkwise.structure.events import BEHIND_LISTS, MARGIN, Rows, rows_of
from chunkwise.types import BlockKind

_PARAGRAPH, _HEADING, _LIST = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.LIST)
_RULE = int(BlockKind.RULE)
_ITEM, _CODE, _RAW = int(BlockKind.ITEM), int(BlockKind.CODE), int(BlockKind.HTML)

# The first characters of a line that can begin nothing but a paragraph, whatever stands around it.
_TEXT = (
    r"""(?:[A-Za-z{}("'/$%&?,.;@^\\]|[^\x00-\x7f]|!(?!!!)|:(?:::|(?=[a-z]))|\*\*?(?=[^\s*])|__?(?=[^\s_])|`(?!``)|~(?!~~)"""
    r"""|\[(?!\^)|[0-9]+(?=[^0-9.)\s])|[0-9]+[.](?=[0-9])|[0-9]+[ ](?=\S))"""
)
_END = r"(?:\n|\Z)"
# Behind a paragraph: a blank line, the end, or a line that begins another block for sure.
_BEHIND = r"(?=[ \t]*+(?:\n|\Z)|\#{1,6}(?:[ \t\n]|\Z)|```[^`\n]*+\n|[*+-][ ]+[^\s*+-]|>)"
_HTML_BLOCKS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|"
    "dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|"
    "li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|"
    "tfoot|th|thead|title|tr|track|ul"
)
_LONE_TAG = (
    r"<(?!(?i:script|pre|style|textarea)[\s/>])[A-Za-z][A-Za-z0-9-]*+"
    r"""(?:[ \t]++[A-Za-z_:][\w.:-]*+(?:=(?:"[^"\n]*+"|'[^'\n]*+'|[^\s"'=<>`]++))?)*+"""
    r"""[ \t]*+/?>[ \t]*+(?=\n|\Z)"""
)
_BLANK = r"(?:[ \t]*+\n)*+(?:[ \t]++\Z)?+"
_BLOCK = re.compile(
    # 1: hashes, 2: what follows them
    rf"(?:(\#{{1,6}})(?:[ \t]+([^\n]*+))?{_END}"
    # 3: a paragraph
    rf"|({_TEXT}[^\n]*+{_END}(?:[ ]{{0,3}}{_TEXT}[^\n]*+{_END})*+){_BEHIND}"
    # 4: the ticks of a fence that is closed
    rf"|(`{{3,}}+)[^`\n]*+\n(?:(?![ ]{{0,3}}\4`*+[ \t]*+{_END})[^\n]*+\n)*+[ ]{{0,3}}\4`*+[ \t]*+{_END}"
    # 5: a list of bullets with a line each, 6: its first mark
    rf"|(([*+-])[ ]{{1,4}}{_TEXT}[^\n]*+{_END}(?:[ ]*+[*+-][ ]{{1,4}}{_TEXT}[^\n]*+{_END})*+)"
    rf"(?=\#{{1,6}}[ \t\n]|(?:[ \t]*+\n)*+\Z|(?:[ \t]*+\n)++{MARGIN})"
    # 7: a comment that is closed
    rf"|(<!--(?!-?>)[\s\S]*?-->)[^\n]*+{_END}"
    # 8: HTML that runs to the next blank line: a block's tag, or any whole tag alone on its line
    rf"|((?:</?(?i:{_HTML_BLOCKS})(?=[\s/>]|\Z)[^\n]*+|{_LONE_TAG}){_END}"
    rf"(?:(?![ \t]*+(?:\n|\Z))[^\n]++{_END})*+)"
    # 9: the mark of a thematic break
    rf"|([-*_])[ \t]*+(?:\9[ \t]*+){{2,}}+{_END}"
    # and the blank lines behind it
    rf"){_BLANK}"
)
_LEADING = re.compile(_BLANK)
_BULLET = re.compile(r"([ ]*+)[*+-]([ ]++)[^\n]*+(?:\n|\Z)")
_KINDS = (0, 0, 0, _PARAGRAPH, _CODE, _LIST, _LIST, _RAW, _RAW, _RULE)
# What may hold a blank line with anything behind it: a fence, and HTML that runs to its closing tag.
_RISKY = re.compile(r"[ ]{0,3}(?:```|~~~|<(?:script|pre|style|textarea|[!?]))", re.IGNORECASE)
_HTML = re.compile(r"[ ]{0,3}<")
# With the line end before it: a literal first character makes the search fast.
_RISKY_LINE = re.compile(r"\n" + _RISKY.pattern, re.IGNORECASE)
_HTML_LINE = re.compile(r"\n" + _HTML.pattern)
_PLAIN_TITLE = re.compile(
    r"(?:[^`*_\[\]<&\\~{}#]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|`[^`\s](?:[^`]*[^`\s])?`)*+"
)
_ATTRIBUTE = re.compile(r"[ \t]+\{[ ]*#[\w-]+[ ]*\}[ \t]*\Z")


def scan(source: str) -> tuple[Rows, list[str]]:
    """Blocks and the titles of the headings at depth 0, as `rows_of` gives them.

    Args:
        source: text with LF line ends only, without lone surrogates.
    """
    if "\f" in source or "\v" in source:
        # The parser takes them for white space in some places and for text in others.
        return rows_of(source)
    rows, titles = Rows(), list[str]()
    kinds, starts, ends = rows.kind.append, rows.start.append, rows.end.append
    levels, depths = rows.level.append, rows.depth.append
    match = _BLOCK.match
    length = len(source)
    at = _LEADING.match(source).end()  # type: ignore[union-attr]
    while at < length:
        found = match(source, at)
        which = (found.lastindex or 0) if found else 0
        if (
            found is None
            or (which == 3 and source[at] == "[" and "]:" in found[3])
            or (which == 5 and not _bullets(source, at, found.end(5), found.end(), rows))
        ):
            at = _parse_on(source, at, rows, titles)
            continue
        end = found.end()
        if which > 2:
            if which != 5:
                kinds(_KINDS[which])
                starts(at)
                ends(end)
                levels(0)
                depths(0)
        else:
            kinds(_HEADING)
            starts(at)
            ends(end)
            levels(len(found[1]))
            depths(0)
            title = _title(found[2] or "")
            if title is None:
                title = rows_of(source[at:end])[1][0]
            titles.append(title)
        at = end
    if "]:" in source and any("[" in title for title in titles):
        # The target of a reference may stand in another part: only the whole text tells.
        return rows_of(source)
    if rows.start:
        rows.start[0] = 0
    return rows, titles


def _parse_on(source: str, at: int, rows: Rows, titles: list[str]) -> int:
    """Give the parser what stands from here to the next place where nothing is open; that place."""
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
        if fence is None or not fence[4] or html or _HTML_LINE.search(source, at, place):
            end = len(source)
            break
        look = fence.end()
        if look >= len(source):
            end = len(source)
            break
    more, more_titles = rows_of(source[at:end])
    rows.extend(more, at)
    titles += more_titles
    return end


def _bullets(source: str, at: int, end: int, behind: int, rows: Rows) -> bool:
    """Add a list of bullets with a line each, nested by their indentation.

    `end` is where its last line ends, `behind` where the blank lines behind it end. False, and nothing
    is added, where the nesting is not plain to see.
    """
    lines = source[at:end].split("\n")
    if not lines[-1]:
        lines.pop()
    mark = source[at]
    if all(line[0] == mark for line in lines):
        starts = [at]
        for line in lines[:-1]:
            at += len(line) + 1
            starts.append(at)
        count = len(lines)
        rows.kind += [_LIST, *[_ITEM] * count]
        rows.start += [starts[0], *starts]
        rows.end += [behind, *starts[1:], behind]
        rows.level += [0, *[1] * count]
        rows.depth += [0, *[1] * count]
        return True
    first = len(rows.kind)
    open_: list[tuple[int, str, int, int]] = []  # column of the text, mark, numbers of item and list
    for found in _BULLET.finditer(source, at, end):
        place = found.start()
        column, inner = found.end(1) - place, found.end(2) - place
        mark = source[place + column]
        sibling = None
        while open_ and column < open_[-1][0]:
            if sibling is not None:
                rows.end[sibling[3]] = place  # the list that it was the last item of
            sibling = open_.pop()
            rows.end[sibling[2]] = place
        above = open_[-1][0] if open_ else 0
        if column - above > 3 or (sibling is not None and sibling[1] != mark):
            for column_ in (rows.kind, rows.start, rows.end, rows.level, rows.depth):
                del column_[first:]
            return False
        depth = 2 * len(open_)
        list_ = len(rows.kind) if sibling is None else sibling[3]
        last = end if depth else behind
        if sibling is None:
            rows.add(_LIST, place, last, 0, depth)
        open_.append((inner, mark, len(rows.kind), list_))
        rows.add(_ITEM, place, last, len(open_), depth + 1)
    return True


def _title(raw: str) -> str | None:
    """The title of a plain heading; None where the parser has to tell."""
    found = _ATTRIBUTE.search(raw)
    if found is not None:
        raw = raw[: found.start()]
    return raw.replace("`", "") if _PLAIN_TITLE.fullmatch(raw) else None
