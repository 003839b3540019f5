"""`Blocks`, `Sections` and what else is known of a text's structure.

Structure is kept as columns (integer arrays), one row a block or section; an object is made only
when one is asked for. Frozen objects for every block would cost more than the parse itself.
"""

from __future__ import annotations

import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import compress
from typing import Any, NamedTuple

from chunkwise.types.span import Span
from chunkwise.types.textmap import Edit, TextMap

_IS_ZERO = bytes((1, *255 * (0,)))
"""For `bytes.translate`: 1 where a byte is 0."""


class BlockKind(IntEnum):
    """What a block is. The number is its code in the column `Blocks.kind`."""

    PARAGRAPH = 0
    HEADING = 1
    LIST = 2
    ITEM = 3
    TABLE = 4
    ROW = 5
    CODE = 6
    QUOTE = 7
    ADMONITION = 8
    HTML = 9
    FRONT_MATTER = 10
    PAGE_BREAK = 11
    RULE = 12
    FOOTNOTE = 13


class Block(NamedTuple):
    """One block of a document."""

    kind: BlockKind
    """What it is."""
    span: Span
    """Its place. Blocks of depth 0 tile the text: each ends where the next begins, so that the blank
    lines behind a block belong to it (and those before the first block to the first)."""
    level: int
    """Headings: 1 to 6. Items: how deep their list is nested, from 1. Rows: 0 for the header row
    with its delimiter line, then 1. Else 0."""
    depth: int
    """0 for blocks of the document itself, 1 for blocks inside those, and so on."""


class Blocks(Sequence[Block]):
    """All blocks of a document in reading order, a container before what it holds, as columns.

    The columns `kind`, `start`, `end`, `level`, `depth` are `array.array`s of equal length (wrap one
    in `numpy.frombuffer(blocks.start, dtype="int64")` for a view without a copy). The inner end
    without the blank lines behind it is not stored; strip the slice for it.
    """

    __slots__ = ("_low", "depth", "end", "kind", "level", "start")

    def __init__(
        self,
        kind: Iterable[int] = (),
        start: Iterable[int] = (),
        end: Iterable[int] = (),
        level: Iterable[int] = (),
        depth: Iterable[int] = (),
    ) -> None:
        # From a list of numbers an array of bytes is made twice as slowly.
        self.kind = array("b", bytes(kind) if kind.__class__ is list else kind)
        self.start = array("q", start)
        self.end = array("q", end)
        self.level = array("i", level)
        self.depth = array("i", depth)
        self._low: bytes | None = None

    def __repr__(self) -> str:
        return f"Blocks({len(self):,})"

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        return Block(BlockKind(self.kind[i]), Span(self.start[i], self.end[i]), self.level[i], self.depth[i])

    def top(self, first: int = 0, last: int | None = None) -> list[int]:
        """Numbers of the blocks of depth 0 from `first` to below `last`; their spans tile the text."""
        depths, low = self.depth, self._bytes()[first:last]
        found = list(compress(range(first, first + len(low)), low.translate(_IS_ZERO)))
        # A block of depth 256 stands in one of depth 255.
        return found if 255 not in low else [i for i in found if depths[i] == 0]

    def parent(self, number: int) -> int:
        """Number of the block around a block; -1 for those of depth 0."""
        above = self.depth[number] - 1
        if above < 0:
            return -1
        low = self._bytes()
        while True:
            number = low.rfind(above & 0xFF, 0, number)
            if number < 0 or self.depth[number] == above:
                return number

    def children(self, number: int) -> Sequence[int]:
        """Numbers of the blocks that stand in a block and in none inside of it."""
        first = number + 1
        stop = bisect_left(self.start, self.end[number], first)
        depths, low = self.depth, self._bytes()
        depth = depths[number] + 1
        byte = depth & 0xFF
        if low.count(byte, first, stop) == stop - first:
            return range(first, stop)
        found = []
        i = low.find(byte, first, stop)
        while i >= 0:
            if depths[i] == depth:
                found.append(i)
            i = low.find(byte, i + 1, stop)
        return found

    def _bytes(self) -> bytes:
        """The low bytes of the depths: bytes are searched in no time."""
        if self._low is None:
            width = self.depth.itemsize
            self._low = self.depth.tobytes()[0 if sys.byteorder == "little" else width - 1 :: width]
        return self._low


class Section(NamedTuple):
    """A heading and the text under it, up to the next heading of any level (a leaf section)."""

    number: int
    """Its number in the document. Section 0 is the text before the first heading; it may be empty."""
    title: str
    """The heading as plain text, without marks and attributes; empty for section 0."""
    level: int
    """1 to 6; 0 for section 0."""
    span: Span
    """From the start of the heading line to the next heading of any level, or the end of the text."""
    body: int
    """Where the text under the heading begins (the line after the heading)."""
    last: int
    """Where the last section below this one ends: the end of the subtree."""
    parent: int
    """Number of the section that encloses it: the nearest one before it with a smaller level; -1
    where there is none. Section 0 encloses nothing."""


class Sections(Sequence[Section]):
    """All sections of a document in order, as columns; section 0 is the text before the first heading."""

    __slots__ = ("_paths", "body", "end", "last", "level", "parent", "root", "start", "titles")

    def __init__(
        self,
        headings: Sequence[tuple[int, str, int, int]],
        length: int,
        root: tuple[str, ...] = (),
    ) -> None:
        """Build the tree.

        Args:
            headings: `(level, title, start of the heading, start of its body)` in order.
            length: length of the text in code points.
            root: titles that stand above every section (the front matter's title, where the text
                has no H1).
        """
        levels, titles, starts, bodies = [0], [""], [0], [0]
        for level, title, start, body in headings:
            levels.append(level)
            titles.append(title)
            starts.append(start)
            bodies.append(body)
        ends = [*starts[1:], length]
        # Lists while the tree is built: an array makes a number anew whenever it is asked for one.
        last, parents = ends.copy(), [-1]
        open_: list[int] = []
        for i in range(1, len(starts)):
            level = levels[i]
            while open_ and levels[open_[-1]] >= level:
                last[open_.pop()] = starts[i]
            parents.append(open_[-1] if open_ else -1)
            open_.append(i)
        for i in open_:
            last[i] = length
        self.titles, self.level = titles, array("h", levels)
        self.start, self.body, self.end = array("q", starts), array("q", bodies), array("q", ends)
        self.parent, self.last = array("q", parents), array("q", last)
        self.root = root
        self._paths: list[tuple[str, ...]] | None = None

    def __repr__(self) -> str:
        return f"Sections({len(self):,})"

    def __len__(self) -> int:
        return len(self.titles)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        return Section(
            i,
            self.titles[i],
            self.level[i],
            Span(self.start[i], self.end[i]),
            self.body[i],
            self.last[i],
            self.parent[i],
        )

    def at(self, position: int) -> int:
        """Number of the section that holds the character at `position`."""
        return bisect_right(self.start, position) - 1

    def of(self, first: int, end: int) -> int:
        """Number of the section that a chunk belongs to.

        Args:
            first: position of its first visible character.
            end: where it ends.

        That is the section at `first`; where it is a heading without text of its own, it stands in
        front of the next section, as far as the chunk reaches.
        """
        number = self.at(first)
        while 0 < number < len(self) - 1 and self.start[number + 1] < end:
            if self.body[number] < self.end[number]:
                break
            number += 1
        return number

    def path(self, number: int) -> tuple[str, ...]:
        """Titles from the outermost heading down to the section's own. Titles without a visible
        character are left out.
        """
        return self.paths[number]

    @property
    def paths(self) -> list[tuple[str, ...]]:
        """The path of each section, made when one is first asked for. Not to be changed."""
        paths = self._paths
        if paths is None:
            paths = []
            for title, parent in zip(self.titles, self.parent, strict=True):
                above = paths[parent] if parent >= 0 else self.root
                paths.append((*above, title) if title else above)
            self._paths = paths
        return paths


class Notice(NamedTuple):
    """Something about a document that its reader should know and that is no error."""

    doc: str
    """Id of the document."""
    line: int
    """Line, counted from 1; 0 where it is about the whole document."""
    message: str
    """What is odd, in one sentence."""

    def __str__(self) -> str:
        return f"{self.doc}:{self.line}: {self.message}" if self.line else f"{self.doc}: {self.message}"


class Structure(NamedTuple):
    """What a parser finds in a text."""

    blocks: Blocks
    sections: Sections
    metadata: Mapping[str, Any]
    notices: tuple[Notice, ...] = ()


def carried(
    structure: Structure, way: TextMap, text: str, title: Callable[[str], str] | None = None
) -> Structure:
    """The structure of a text that was made from the one that `structure` belongs to.

    Blocks and sections stay what they are. A block of which nothing visible is left is gone, and two
    paragraphs between which there is no blank line any more are one.

    Args:
        structure: of the text before.
        way: from the new text to the one before.
        text: the new text.
        title: makes the new title of an old one.
    """
    old = structure.blocks
    kept = _Kept()
    ends = way.forward(old.end)
    for kind, start, end, level, depth in zip(
        old.kind, way.forward(old.start), ends, old.level, old.depth, strict=True
    ):
        kept.add(text, kind, start, end, level, depth)
    kept.reach(len(text))
    sections = structure.sections
    titles = sections.titles[1:] if title is None else [title(one) for one in sections.titles[1:]]
    headings = list(
        zip(
            sections.level[1:],
            titles,
            way.forward(sections.start[1:]),
            way.forward(sections.body[1:]),
            strict=True,
        )
    )
    root = sections.root if title is None else tuple(title(one) for one in sections.root)
    return Structure(
        Blocks(kept.kind, kept.start, kept.end, kept.level, kept.depth),
        Sections(headings, len(text), root),
        structure.metadata,
        structure.notices,
    )


_VISIBLE = re.compile(r"\S")
_BLANK_LINE = re.compile(r"(?>\r\n|[\r\n\f])[^\S\r\n]*(?>\r\n|[\r\n\f])\s*\Z|\f\s*\Z")


class _Kept:
    """Blocks that are carried over, one by one."""

    def __init__(self) -> None:
        self.kind, self.start, self.end = list[int](), list[int](), list[int]()
        self.level, self.depth = list[int](), list[int]()
        self._top = -1

    def add(self, text: str, kind: int, start: int, end: int, level: int, depth: int) -> None:
        if start >= end:
            return
        if depth == 0:
            if _VISIBLE.search(text, start, end) is None and kind != BlockKind.PAGE_BREAK:
                return
            if self._top >= 0:
                paragraphs = kind == self.kind[self._top] == BlockKind.PARAGRAPH
                if paragraphs and not _BLANK_LINE.search(text, self.start[self._top], start):
                    self.end[self._top] = end
                    return
                self.reach(start)
            else:
                start = 0
            self._top = len(self.kind)
        self.kind.append(kind)
        self.start.append(start)
        self.end.append(end)
        self.level.append(level)
        self.depth.append(depth)

    def reach(self, end: int) -> None:
        """Let the last block of depth 0, and what ends with it, end here."""
        if self._top < 0 or self.end[self._top] == end:
            return
        before = self.end[self._top]
        for i in range(self._top, len(self.end)):
            if self.end[i] == before:
                self.end[i] = end


class Given:
    """A parse of a text whose structure is known already, and of others that differ in one place.

    `structure` is made once, when it is first asked for.
    """

    def __init__(self, text: str, structure: Callable[[], Structure]) -> None:
        self._text, self._make = text, structure
        self._made: Structure | None = None

    def __call__(self, text: str, id: str, /) -> Structure:
        """The structure; for another text it is carried over what differs."""
        del id
        if self._made is None:
            self._made = self._make()
        if text == self._text:
            return self._made
        start = _alike(self._text, text)
        end = _alike(self._text[start:][::-1], text[start:][::-1])
        edit = Edit(start, len(self._text) - end, text[start : len(text) - end], "")
        return carried(self._made, TextMap.of([edit]), text)


def _alike(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[low:middle] == other[low:middle] else (low, middle - 1)
    return low
