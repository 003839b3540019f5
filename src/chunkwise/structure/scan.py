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
_ITEM, _CODE, _RAW = int(BlockKind.ITEM), int(BlockKind.CODE), int(BlockKind.HTML)

# The first characters of a line that can begin nothing but a paragraph, whatever stands around it.
_TEXT = (
    r"""(?:[A-Za-z{}("'/$%&?,.;@^\\]|[^\x00-\x7f]|!(?!!!)|:::|\*\*?(?=[^\s*])|__?(?=[^\s_])|`(?!``)|~(?!~~)"""
    r"""|\[(?!\^)|[0-9]+(?=[^0-9.)\s])|[0-9]+[.](?=[0-9])|[0-9]+[ ](?=\S))"""
)
_END = r"(?:\n|\Z)"
# Behind a paragraph: a blank line, the end, or a line that begins another block for sure.
_BEHIND = r"(?=[ \t]*+(?:\n|\Z)|\#{1,6}(?:[ \t\n]|\Z)|```[^`\n]*+\n|[*+-][ ]+[^\s*+-]|>)"
_BLOCK = re.compile(
    # 1: hashes, 2: what follows them
    rf"(\#{{1,6}})(?:[ \t]+([^\n]*+))?{_END}"
    # 3: a paragraph
    rf"|({_TEXT}[^\n]*+{_END}(?:[ ]{{0,3}}{_TEXT}[^\n]*+{_END})*+){_BEHIND}"
    # 4: the ticks of a fence that is closed
    rf"|(`{{3,}}+)[^`\n]*+\n(?:(?![ ]{{0,3}}\4`*+[ \t]*+{_END})[^\n]*+\n)*+[ ]{{0,3}}\4`*+[ \t]*+{_END}"
    # 5: a flat list, 6: its mark
    rf"|((?P<mark>[*+-])[ ]{{1,4}}{_TEXT}[^\n]*+{_END}(?:(?P=mark)[ ]{{1,4}}{_TEXT}[^\n]*+{_END})*+)"
    rf"(?=\#{{1,6}}[ \t\n]|(?:[ \t]*+\n)*+\Z|(?:[ \t]*+\n)++{MARGIN})"
    # 7: a comment that is closed
    rf"|(<!--(?!-?>)[\s\S]*?-->)[^\n]*+{_END}",
)
_BLANK = re.compile(r"(?:[ \t]*+\n)*+(?:[ \t]*+\Z)?")
# What may hold a blank line with anything behind it: a fence, and HTML that runs to its closing tag.
_RISKY = re.compile(r"[ ]{0,3}(?:```|~~~|<(?:script|pre|style|textarea|[!?]))", re.IGNORECASE)
_HTML = re.compile(r"[ ]{0,3}<")
# With the line end before it: a literal first character makes the search fast.
_RISKY_LINE = re.compile(r"\n" + _RISKY.pattern, re.IGNORECASE)
_HTML_LINE = re.compile(r"\n" + _HTML.pattern)
_PLAIN_TITLE = re.compile(r"[^`*_\[\]<&\\~{}#]*+")
_ATTRIBUTE = re.compile(r"[ \t]+\{[ ]*#[\w-]+[ ]*\}[ \t]*\Z")


def scan(source: str) -> tuple[Rows, list[str]]:
    """Blocks and the titles of the headings at depth 0, as `rows_of` gives them.

    Args:
        source: text with LF line ends only, without lone surrogates.
    """
    rows, titles = Rows(), list[str]()
    length = len(source)
    match, blank, add = _BLOCK.match, _BLANK.match, rows.add
    at = blank(source).end()  # type: ignore[union-attr]
    while at < length:
        found = match(source, at)
        which = found.lastindex if found else 0
        if found is None or (which == 3 and source[at] == "[" and "]:" in found[3]):
            at = _parse_on(source, at, rows, titles)
            continue
        end = found.end()
        if which == 3:
            add(_PARAGRAPH, at, end)
        elif which in (1, 2):
            title = _title(found[2] or "")
            if title is None:
                title = rows_of(source[at:end])[1][0]
            titles.append(title)
            add(_HEADING, at, end, len(found[1]))
        elif which == 4:
            add(_CODE, at, end)
        elif which == 5:
            _flat_list(source, at, end, rows)
        else:
            add(_RAW, at, end)
        at = blank(source, end).end()  # type: ignore[union-attr]
    if "]:" in source and any("[" in title for title in titles):
        # The target of a reference may stand in another part: only the whole text tells.
        return rows_of(source)
    _link(rows, length)
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


def _flat_list(source: str, at: int, end: int, rows: Rows) -> None:
    """A list whose items are a line each."""
    rows.add(_LIST, at, end)
    while at < end:
        behind = source.find("\n", at, end) + 1 or end
        rows.add(_ITEM, at, behind, 1, 1)
        at = behind


def _link(rows: Rows, length: int) -> None:
    """Let the blocks of depth 0 tile the text; the last item of a list ends with it."""
    starts, ends, depths, kinds = rows.start, rows.end, rows.depth, rows.kind
    if starts:
        starts[0] = 0
    behind = length
    last = -1  # the last item of depth 1 in front of the block behind
    for i in range(len(starts) - 1, -1, -1):
        if depths[i]:
            if last < 0 and depths[i] == 1:
                last = i
            continue
        ends[i] = behind
        if last >= 0 and kinds[i] == _LIST:
            ends[last] = behind
        behind, last = starts[i], -1


def _title(raw: str) -> str | None:
    """The title of a plain heading; None where the parser has to tell."""
    found = _ATTRIBUTE.search(raw)
    if found is not None:
        raw = raw[: found.start()]
    return raw if _PLAIN_TITLE.fullmatch(raw) else None
