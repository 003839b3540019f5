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
    r"""|\[(?!\^|[ xX]\][ \t]*(?:\n|\Z))|[0-9]+(?=[^0-9.)\s])|[0-9]+[.](?=[0-9])|[0-9]+[ ](?=\S))"""
)
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
_PLAIN = r"[^`*_\[\]<&\\~{}#\n]*+"  # of a title that says what it looks like
_BLOCK = re.compile(
    # 1: hashes; 2: a plain title, in front of an attribute; 3: any other title
    rf"(?:(\#{{1,6}})(?:[ \t]++(?:({_PLAIN})(?:(?<=[ \t])\{{[ ]*+\#[\w-]++[ ]*+\}}[ \t]*+)?(?=\n|\Z)"
    rf"|([^\n]*+)))?{_END}"
    # 4: a paragraph
    rf"|({_TEXT}[^\n]*+{_END}(?:(?:[ ]*+{_TEXT}|[ ]{{4,}}+-[ ]\w)[^\n]*+{_END})*+){_BEHIND}"
    # 5: the ticks of a fence that is closed
    rf"|(`{{3,}}+)[^`\n]*+\n(?:(?![ ]{{0,3}}\5`*+[ \t]*+{_END})[^\n]*+\n)*+[ ]{{0,3}}\5`*+[ \t]*+{_END}"
    # 6: the mark of a flat list of bullets with a line each
    rf"|([*+-])[ ]{{1,4}}{_TEXT}[^\n]*+{_END}(?:\6[ ]{{1,4}}{_TEXT}[^\n]*+{_END})*+{_BEHIND_LIST}"
    # 7: a list of bullets with a paragraph each
    rf"|([*+-][ ]{{1,4}}{_TEXT}[^\n]*+{_END}"
    rf"(?:(?:(?:[ \t]*+\n)*+[ ]*+[*+-][ ]{{1,4}}|[ ]*+){_TEXT}[^\n]*+{_END})*+){_BEHIND_LIST}"
    # 8: a comment, or HTML that may hold blank lines, that is closed; 9: its tag
    rf"|(<!--(?!-?>)[\s\S]*?-->|<((?i:{_RAW_TAGS}))(?=[\s>])[\s\S]*?</(?i:\9)>)[^\n]*+{_END}"
    # 10: HTML that runs to the next blank line: a block's tag, or any whole tag alone on its line
    rf"|([ ]{{0,3}}(?:</?(?i:{_HTML_BLOCKS})(?=[\s/>]|\Z)[^\n]*+|{_LONE_TAG}){_END}"
    rf"(?:(?![ \t]*+(?:\n|\Z))[^\n]++{_END})*+)"
    # 11: the mark of a thematic break
    rf"|([-*_])[ \t]*+(?:\11[ \t]*+){{2,}}+{_END}"
    # and the blank lines behind it
    rf"){_BLANK}"
)
_TITLE, _TEXTS, _FENCE, _FLAT, _BULLETS = 3, 4, 5, 6, 7  # up to 3 it is a heading
_KINDS = (0, _HEADING, _HEADING, _HEADING, _PARAGRAPH, _CODE, _LIST, _LIST, _RAW, _RAW, _RAW, _RULE)
_LEADING = re.compile(_BLANK)
# The beginning of an item behind a line end; 1: its mark with the spaces behind it
_ITEM_START = re.compile(r"\n[ ]*+([*+-][ ]++)")
_BLANK_LINE = re.compile(r"\n[ \t]*+\n")
_LAST_LINE_END = re.compile(r"\n[ \t]*+(?:\n|\Z)")
# A bullet that begins no item of a flat list with the given marks.
_OTHER = {
    mark: re.compile(rf"\n(?:[ ]++[*+-]|[{other}])[ ]")
    for mark, other in (("*", "+-"), ("+", "*-"), ("-", "*+"))
}
# The box of a task: a paragraph of a loose list begins behind it.
_BOX = re.compile(r"[*+-][ ]+\[[ xX]\][ \t\n]")
# What may hold a blank line with anything behind it: a fence, and HTML that runs to its closing tag.
_RISKY = re.compile(r"[ ]{0,3}(?:```|~~~|<(?:script|pre|style|textarea|[!?]))", re.IGNORECASE)
_HTML = re.compile(r"[ ]{0,3}<")
# With the line end before it: a literal first character makes the search fast.
_RISKY_LINE = re.compile(r"\n" + _RISKY.pattern, re.IGNORECASE)
_HTML_LINE = re.compile(r"\n" + _HTML.pattern)
# Marks in a title that mean the same whatever stands around them, in three parts: code, stars around
# words, a link.
_WORDS = r"[A-Za-z0-9](?:[A-Za-z0-9 ]*[A-Za-z0-9])?"
_MARKED = (
    (r"(?<!`)`", r"[^`\s](?:[^`]*[^`\s])?", r"`(?!`)"),
    (r"(?<!\S)\*", _WORDS, r"\*(?![\w*])"),
    (r"(?<!\S)\*\*", _WORDS, r"\*\*(?![\w*])"),
    (r"(?<!!)\[", _WORDS, r"\]\(https?://[A-Za-z0-9./#~?=&%:+-]*\)"),
)
_MARKS = re.compile("|".join(f"{before}({said}){behind}" for before, said, behind in _MARKED))
# No groups here: `re` of Python 3.11 fails at times where one stands in a possessive repetition.
_PLAIN_TITLE = re.compile(
    rf"{_PLAIN}(?:(?:(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|{'|'.join(map(''.join, _MARKED))}){_PLAIN})*+"
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
    brackets = False  # whether a title holds one outside of code, which may be a reference
    while at < length:
        found = match(source, at)
        if found is None:
            known = len(titles)
            at = _parse_on(source, at, rows, titles)
            brackets = brackets or any("[" in title for title in titles[known:])
            continue
        end, which = found.end(), found.lastindex or 0
        if which == _TEXTS and source[at] != "[":
            # The most common by far, so that it is asked for first.
            kinds(_PARAGRAPH)
            starts(at)
            ends(end)
            levels(0)
            depths(0)
            at = end
            continue
        if which <= _TITLE:
            level = found.end(1) - at
            title = found[2]
            if title is None:
                title = _title(found[3] or "")
                if title is None:
                    title = rows_of(source[at:end])[1][0]
                    brackets = brackets or "[" in title
            titles.append(title)
        elif (which == _TEXTS and "]:" in found[_TEXTS]) or (
            which == _BULLETS and not _bullets(source, at, found.end(_BULLETS), end, rows)
        ):
            known = len(titles)
            at = _parse_on(source, at, rows, titles)
            brackets = brackets or any("[" in title for title in titles[known:])
            continue
        else:
            level = 0
        if which == _FLAT:
            _flat(source, at, end, rows)
        elif which != _BULLETS:
            kinds(_KINDS[which])
            starts(at)
            ends(end)
            levels(level)
            depths(0)
        at = end
    if brackets and "]:" in source:
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
        if fence is None or not fence[_FENCE] or html or _HTML_LINE.search(source, at, place):
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


def _flat(source: str, at: int, end: int, rows: Rows) -> None:
    """Add a list of which each line is an item; blank lines may follow."""
    starts, ends = rows.start, rows.end
    first = len(starts)
    starts.append(at)
    mark, find = source[at], source.find
    behind = at
    while behind < end and source[behind] == mark:
        starts.append(behind)
        behind = find("\n", behind, end) + 1 or end
    count = len(starts) - first - 1
    ends.append(end)
    ends += starts[first + 2 :]
    ends.append(end)
    rows.kind += (_LIST, *count * (_ITEM,))
    rows.level += (0, *count * (1,))
    rows.depth += (0, *count * (1,))


def _bullets(source: str, at: int, end: int, behind: int, rows: Rows) -> bool:
    """Add a list of bullets with a paragraph each, nested by their indentation.

    `end` is where its last line ends, `behind` where the blank lines behind it end. False, and nothing
    is added, where the nesting is not plain to see.
    """
    if _BLANK_LINE.search(source, at, end):
        return _loose(source, at, end, behind, rows)
    kinds, starts, ends, levels, depths = rows.kind, rows.start, rows.end, rows.level, rows.depth
    first = len(kinds)
    inner = at + 1
    while source[inner] == " ":
        inner += 1
    # Column of the text, mark, numbers of item and list of each item that is open.
    open_: list[tuple[int, str, int, int]] = [(inner - at, source[at], first + 1, first)]
    rows.add(_LIST, at, behind)
    rows.add(_ITEM, at, behind, 1, 1)
    for found in _ITEM_START.finditer(source, at, end):
        place = found.start() + 1
        column = found.start(1) - place
        mark = source[place + column]
        sibling = None
        while open_ and column < open_[-1][0]:
            if sibling is not None:
                ends[sibling[3]] = place  # the list that it was the last item of
            sibling = open_.pop()
            ends[sibling[2]] = place
        above = open_[-1][0] if open_ else 0
        if column - above > 3 or (sibling is not None and sibling[1] != mark):
            for column_ in (kinds, starts, ends, levels, depths):
                del column_[first:]
            return False
        depth = 2 * len(open_)
        last = end if depth else behind
        list_ = len(kinds)
        if sibling is None:
            rows.add(_LIST, place, last, 0, depth)
        else:
            list_ = sibling[3]
        open_.append((found.end() - place, mark, len(kinds), list_))
        kinds.append(_ITEM)
        starts.append(place)
        ends.append(last)
        levels.append(len(open_))
        depths.append(depth + 1)
    return True


def _loose(source: str, at: int, end: int, behind: int, rows: Rows) -> bool:
    """Add a flat list with blank lines between its items, which hold a paragraph each then. False, and
    nothing is added, for a nested one, each of whose lists is loose or not, and for one with tasks.
    """
    mark = source[at]
    if _OTHER[mark].search(source, at, end) or _BOX.search(source, at, end):
        return False
    starts = [at]
    at = source.find(f"\n{mark} ", at, end) + 1
    while at:
        starts.append(at)
        at = source.find(f"\n{mark} ", at, end) + 1
    rows.add(_LIST, starts[0], behind)
    for start, stop in zip(starts, [*starts[1:], behind], strict=True):
        text = start + 1
        while source[text] == " ":
            text += 1
        blank = _LAST_LINE_END.search(source, text, stop)
        rows.add(_ITEM, start, stop, 1, 1)
        rows.add(_PARAGRAPH, text, blank.start() + 1 if blank else stop, 0, 2)
    return True


def _title(raw: str) -> str | None:
    """The title of a plain heading; None where the parser has to tell."""
    if "{" in raw:
        found = _ATTRIBUTE.search(raw)
        if found is not None:
            raw = raw[: found.start()]
    if not _PLAIN_TITLE.fullmatch(raw):
        return None
    if "*" not in raw and "[" not in raw:
        return raw.replace("`", "")
    return _MARKS.sub(lambda found: found[found.lastindex or 0], raw)
