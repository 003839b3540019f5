"""`page-furniture`: running headers and footers, page numbers and form feeds.

A line is furniture where it stands at the edge of pages and stands there again on most of them: word for
word, or with a number that counts up with the pages. A bare number must count up. Numbers that repeat, and
lines that are only now and then at an edge, are content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from chunkwise.readers.clean.base import Page, line_end
from chunkwise.readers.clean.page_numbers import Shape, numbers_a_page, shape_of
from chunkwise.types import Edit

_LINE = re.compile(r"[^\r\n\f]*(?:\r\n|[\r\n\f]|\Z)")
_LETTER = re.compile(r"[^\W\d_]")
_PAGE_END = re.compile(r"^[^\r\n\f]*\[Page (\d+)\][^\S\r\n\f]*(?:\r\n|[\r\n])", re.MULTILINE)
_DEEP = 4
"""So many lines from the edge of a page may be furniture."""
_FEW = 3
"""So many pages with roman numbers are enough: a book has them in front of its first chapter alone."""
_LONGEST = 200
"""Characters of the longest line that can be furniture."""
_ENDS = re.compile(r"[.!?:;…。！？\"')\]»”’|]\Z")


class _Edge(NamedTuple):
    """A line at the edge of a page."""

    start: int
    end: int
    """Behind its line end."""
    text: str


def find_furniture(page: Page) -> list[Edit]:
    """Furniture with the blank lines around it, page by page.

    A sentence that a page break parts is whole again.
    """
    text = page.text
    bounds, feeds = _bounds(page)
    if len(bounds) < 2:
        return []
    edges = [_lines(text, start, end) for start, end in bounds]
    tops = _running(edges)
    feet = _running([lines[top:][::-1] for lines, top in zip(edges, tops, strict=True)])
    found: list[Edit] = []
    for number, (start, end) in enumerate(bounds):
        lines, top, foot = edges[number], tops[number], feet[number]
        if number == 0 and top:
            behind = lines[top].start if len(lines) > top else end
            found += _parts(text, start, behind, lines[:top], "")
        if number + 1 < len(bounds):
            found += _between(text, bounds, edges, tops, feet, number, feeds)
        elif foot and len(lines) > foot:
            found += _parts(text, lines[-foot - 1].end, end, lines[-foot:], "")
    return found


def _between(
    text: str,
    bounds: Sequence[tuple[int, int]],
    edges: Sequence[list[_Edge]],
    tops: Sequence[int],
    feet: Sequence[int],
    number: int,
    feeds: bool,
) -> list[Edit]:
    """What stands between the bodies of two pages."""
    here, behind = edges[number], edges[number + 1]
    foot, top = feet[number], tops[number + 1]
    if not foot and not top and not feeds:
        return []
    last = here[len(here) - foot - 1] if len(here) > foot else None
    first = behind[top] if len(behind) > top else None
    start = last.end if last is not None else bounds[number][0]
    end = first.start if first is not None else bounds[number + 1][1]
    lines = [*here[len(here) - foot :], *behind[:top]]
    if last is None or first is None:
        return _parts(text, start, end, lines, "")
    ended = line_end(text)
    goes_on = not _ENDS.search(last.text.rstrip()) and first.text.lstrip()[:1].islower()
    put = "" if goes_on else ended
    if not last.text.endswith(("\n", "\r")):
        # The form feed stands right behind the last line and ends it.
        start = last.start + len(last.text.rstrip("\f"))
        put += ended
    return _parts(text, start, end, lines, put)


def _parts(text: str, start: int, end: int, lines: Sequence[_Edge], put: str) -> list[Edit]:
    """The edits that take out a range, one for each line and form feed, with the blank lines behind it."""
    marks = [(line.start, "running line" if _LETTER.search(line.text) else "page number") for line in lines]
    marks += [(i, "form feed") for i in range(start, end) if text[i] == "\f"]
    marks.sort()
    if not marks:
        return [Edit(start, end, put, "blank lines")] if text[start:end] != put else []
    starts = [start, *(at for at, _ in marks[1:])]
    ends = [*starts[1:], end]
    found = [Edit(a, b, "", what) for a, b, (_, what) in zip(starts, ends, marks, strict=True)]
    # Put in with the first one: what is put in belongs to what stands before.
    found[0] = found[0]._replace(put=put)
    return found


def _bounds(page: Page) -> tuple[list[tuple[int, int]], bool]:
    """Start and end of every page with visible text, and whether form feeds part them."""
    text = page.text
    starts, feeds = list(page.pages), "\f" in text
    if not starts:
        ends = [(m.end(), int(m[1])) for m in _PAGE_END.finditer(text)]
        rises = all(b == a + 1 for (_, a), (_, b) in pairwise(ends))
        if len(ends) < 2 or not rises:
            return [], False
        starts = [0, *(end for end, _ in ends)]
    pairs = zip(starts, [*starts[1:], len(text)], strict=True)
    return [(start, end) for start, end in pairs if text[start:end].strip()], feeds


def _lines(text: str, start: int, end: int) -> list[_Edge]:
    """The visible lines of a page."""
    found = []
    while start < end:
        match = _LINE.match(text, start, end)
        if match is None or match.end() == start:
            break
        if match[0].strip():
            found.append(_Edge(start, match.end(), match[0]))
        start = match.end()
    return found


def _running(pages: Sequence[Sequence[_Edge]]) -> list[int]:
    """For each page, how many lines from one edge on are furniture."""
    taken = [0] * len(pages)
    for _ in range(_DEEP):
        groups: dict[str, list[int]] = {}
        shapes: dict[int, Shape] = {}
        for number, lines in enumerate(pages):
            if taken[number] < len(lines) and len(lines[taken[number]].text) <= _LONGEST:
                shapes[number] = shape_of(lines[taken[number]].text)
                groups.setdefault(shapes[number].text, []).append(number)
        changed = False
        for members in groups.values():
            usual = _enough(len(pages))
            least = min(usual, _FEW) if shapes[members[0]].roman else usual
            if len(members) < least:
                continue
            said = [pages[number][taken[number]].text for number in members]
            for number in _furniture(said, [shapes[n].numbers for n in members], members, least, usual):
                changed = True
                taken[number] += 1
        if not changed:
            break
    return taken


def _enough(pages: int) -> int:
    """On how many pages a line must stand: most of a few, two in five of many (left and right ones)."""
    return max(2, pages // 2 + 1) if pages < 5 else max(3, -(-2 * pages // 5))


def _furniture(
    lines: Sequence[str],
    numbers: Sequence[tuple[int, ...]],
    members: Sequence[int],
    least: int,
    usual: int,
) -> Sequence[int]:
    """The pages on which lines of one shape say the same, or count up with the pages.

    Where pages are left out or put in, numbers count on from another one. A run that counts must have `least`
    pages, a line that says the same must stand on `usual`.
    """
    kept = list(range(len(members)))
    counting = False
    for column in zip(*numbers, strict=True):
        if len(set(column)) == 1:
            continue
        steps = Counter(value - number for value, number in zip(column, members, strict=True))
        kept = [i for i in kept if steps[column[i] - members[i]] >= least]
        counting = True
    if counting:
        return [members[i] for i in kept if numbers_a_page(lines[i])]
    return members if len(members) >= usual and _LETTER.search(lines[0]) else ()
