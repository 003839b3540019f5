"""The ladder: how a unit that is too large is cut into smaller ones, one rung at a time.

Blocks, then the blocks inside them, rows, lines or sentences, then words, then grapheme clusters. A
`Unit` tag says on which rung a stretch of text stands; `finer` gives the ends of its parts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import IntEnum
from typing import Any, NamedTuple

from chunkwise.chunk.code import Codes
from chunkwise.chunk.groups import asks, linked
from chunkwise.text import cell_spans, grapheme_floor, line_ends, sentence_ends
from chunkwise.types import BlockKind, Document

_BLANK_LINE = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n))+")
# The line that closes a fence stays with the line before it.
_CLOSING = re.compile(r"[ \t>]*(?:```+|~~~+)[ \t]*(?:[\r\n]|\Z)")

# A paragraph that is one bold line and no more; longer ones are emphasis, not headings.
_BOLD = re.compile(r"(\*\*|__)(?=\S)[^\r\n]*\S\1\s*")
_BOLD_LINE = 120  # characters
_PARAGRAPH, _HEADING = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING)

ROW_CUT = "cut inside a row"


class Rung(IntEnum):
    """Where a unit stands. Larger numbers are finer."""

    GROUP = 0
    """Blocks that belong together, from the one that is named."""
    BLOCK = 1
    CODE = 2
    """Lines of code between blank lines, the next of which is indented the least."""
    SPACED = 3
    """Lines of code between blank lines."""
    DEFINITION = 4
    """Lines of code that open something, and what they open."""
    PROSE = 5
    """Text that is made of sentences."""
    SENTENCE = 6
    LINES = 7
    """Text that is made of lines."""
    CELL = 8
    """A cell of a row, but for the first: a piece that ends before it is cut inside a row."""
    LINE = 9
    """A line or less: words come next."""


class Unit(NamedTuple):
    """A tag for a stretch of text."""

    rung: Rung
    block: int = -1
    """Number of the block, for groups the first, for code, and for what is cut inside a row."""


HEAD = Unit(Rung.LINE, -2)
"""A heading line: it wants to stay with what follows."""
SENTENCE = Unit(Rung.SENTENCE)
LINE = Unit(Rung.LINE)

_LINED = (BlockKind.CODE, BlockKind.HTML, BlockKind.QUOTE, BlockKind.FRONT_MATTER)


class Ladder:
    """Finer units of one document."""

    def __init__(self, document: Document, *, code_with_prose: bool = False) -> None:
        self._document = document
        self._text = document.text
        self._blocks = document.blocks
        self._prose, self._asked = code_with_prose, asks(document.text)
        self.codes = Codes(document)

    def blocks(self, numbers: range | list[int]) -> tuple[list[int], list[Unit]]:
        """Ends and tags of whole blocks of depth 0, of those that belong together as one."""
        ends, tags = self._single(numbers)
        if not self._prose and not self._asked:
            return ends, tags
        heads = [tag is HEAD for tag in tags]
        links = linked(self._document, numbers, heads, prose=self._prose, asked=self._asked)
        joined_ends: list[int] = []
        joined: list[Unit] = []
        for i, (end, tag) in enumerate(zip(ends, tags, strict=True)):
            if i and links[i - 1]:
                joined_ends[-1] = end
                joined[-1] = Unit(Rung.GROUP, joined[-1].block)
            else:
                joined_ends.append(end)
                joined.append(tag)
        return joined_ends, joined

    def _single(self, numbers: range | list[int]) -> tuple[list[int], list[Unit]]:
        starts, kinds, text = self._blocks.start, self._blocks.kind, self._text
        column = self._blocks.end
        ends = [column[i] for i in numbers]
        new: Any = tuple.__new__  # a third of what calling the class costs
        tags: list[Unit] = []
        for number, end in zip(numbers, ends, strict=True):
            kind, start = kinds[number], starts[number]
            # A short bold line stands for a heading, as converters write it.
            bold = kind == _PARAGRAPH and text[start] in "*_" and end - start < _BOLD_LINE
            head = kind == _HEADING or (bold and _BOLD.fullmatch(text, start, end))
            tags.append(HEAD if head else new(Unit, (Rung.BLOCK, number)))
        return ends, tags

    def _group(self, first: int, end: int) -> tuple[list[int], list[Unit]]:
        """The blocks of a group."""
        blocks = self._blocks
        last = bisect_left(blocks.start, end, first)
        return self._single([i for i in range(first, last) if blocks.depth[i] == 0])

    def keeps_whole(self, tag: Unit) -> bool:
        """Whether a unit that fits is to stay whole even where a heading in front of it stands alone then."""
        if tag.rung == Rung.GROUP:
            return True
        if tag.rung == Rung.BLOCK:
            return self._blocks.kind[tag.block] in (BlockKind.CODE, BlockKind.TABLE)
        return tag.rung != Rung.PROSE

    def cut_mark(self, tag: Unit) -> tuple[str, ...]:
        """A row that is cut says so."""
        if tag.block >= 0 and self._blocks.kind[tag.block] == BlockKind.ROW:
            return (ROW_CUT,)
        return ()

    def finer(self, tag: Unit, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Ends and tags of the parts of a unit; one part where words come next."""
        rung = tag.rung
        if rung == Rung.GROUP:
            return self._group(tag.block, end)
        while True:
            if rung == Rung.BLOCK:
                ends, tags = self._inside(tag.block, start, end)
                if len(ends) > 1:
                    return ends, tags
                kind = self._blocks.kind[tag.block]
                if kind == BlockKind.HTML and tags[0].rung == Rung.BLOCK:
                    tag = tags[0]  # nothing but a table
                    continue
                if kind == BlockKind.ROW:
                    return self._cells(tag.block, start, end)
                rung = Rung.CODE if kind == BlockKind.CODE else Rung.LINES if kind in _LINED else Rung.PROSE
            elif rung < Rung.PROSE:
                ends = self._cut(start, end, self._code_cuts(rung, tag.block, start, end))
                rung = Rung.LINES if rung == Rung.DEFINITION else Rung(rung + 1)
                if len(ends) > 1:
                    return ends, [Unit(rung, tag.block)] * len(ends)
            elif rung == Rung.PROSE:
                ends = [start + e for e in sentence_ends(self._text[start:end])]
                if len(ends) > 1:
                    return ends, [SENTENCE] * len(ends)
                rung = Rung.LINES
            elif rung in (Rung.SENTENCE, Rung.LINES):
                ends = [start + e for e in line_ends(self._text[start:end])]
                if len(ends) > 1 and tag.block >= 0 and _CLOSING.match(self._text, ends[-2]):
                    del ends[-2]
                if len(ends) > 1:
                    return ends, [LINE] * len(ends)
                rung = Rung.LINE
            else:
                return [end], [LINE]

    def _inside(self, block: int, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Cut before each block that begins a line inside this one."""
        blocks, text = self._blocks, self._text
        starts, ends, depths = blocks.start, blocks.end, blocks.depth
        depth, count = depths[block], len(depths)
        cuts: list[int] = []
        tags: list[Unit] = []
        first = Unit(Rung.PROSE) if blocks.kind[block] not in _LINED else Unit(Rung.LINES)
        i = block + 1
        while i < count and depths[i] > depth:
            place = starts[i]
            if place <= start:
                first = Unit(Rung.BLOCK, i)
            elif place < end and (text[place - 1] in "\n\r" or blocks.kind[i] == BlockKind.ROW):
                cuts.append(place)
                tags.append(Unit(Rung.BLOCK, i))
            # On to the next block of this depth, past all that stands in this one.
            behind = i + 1
            if behind < count and starts[behind] < ends[i]:
                behind = bisect_left(starts, ends[i], behind)
            i = behind
            while i < count and depths[i] > depth + 1:
                i += 1
        return [*cuts, end], [first, *tags]

    def _code_cuts(self, rung: Rung, block: int, start: int, end: int) -> list[int]:
        """Where a stretch of a code block may be cut on this rung."""
        code = self.codes[block]
        if rung == Rung.DEFINITION:
            return code.definitions(start, end)
        cuts = [found.end() for found in _BLANK_LINE.finditer(self._text, start, end)]
        return code.top_level(cuts) if rung == Rung.CODE else cuts

    def _cells(self, block: int, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Cut a row before each of its cells but the first; a header between its lines."""
        begin = self._blocks.start[block]
        row = self._text[begin : self._blocks.end[block]]
        if self._blocks.level[block] == 0 and not row.lstrip().startswith("<"):
            places = line_ends(row)
        else:
            places = [place for place, _ in cell_spans(row)[1:]]
        ends = self._cut(start, end, [begin + place for place in places])
        return ends, [Unit(Rung.LINE, block), *[Unit(Rung.CELL, block)] * (len(ends) - 1)]

    @staticmethod
    def _cut(start: int, end: int, cuts: list[int]) -> list[int]:
        return [cut for cut in cuts if start < cut < end] + [end]


def word_cut(text: str, start: int, reach: int, end: int) -> tuple[int, bool]:
    """Where to cut a unit that only fits up to `reach`, and whether a grapheme cluster is cut.

    Behind the last white space before `reach`, else behind the last whole cluster, else at `reach`.
    """
    if reach >= end:
        return end, False
    cut = reach
    # White space behind a word goes with it, so the cut may follow a space that ends at `reach`.
    while cut > start and not text[cut - 1].isspace():
        cut -= 1
    if cut > start and not text[start:cut].isspace():
        return cut, False
    cut = grapheme_floor(text, reach)
    if cut > start:
        return cut, False
    return reach, True
