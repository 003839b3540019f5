"""The ladder: how a unit that is too large is cut into smaller ones, one rung at a time.

Blocks, then the blocks inside them, rows, lines or sentences, then words, then grapheme clusters. A
`Unit` tag says on which rung a stretch of text stands; `finer` gives the ends of its parts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import IntEnum
from typing import NamedTuple

from chunkwise.text import grapheme_floor, line_ends, sentence_ends
from chunkwise.types import BlockKind, Document

_BLANK_LINE = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n))+")


# A paragraph that is one bold line and no more; longer ones are emphasis, not headings.
_BOLD = re.compile(r"(\*\*|__)(?=\S)[^\r\n]*\S\1\s*")
_BOLD_LINE = 120  # characters
_PARAGRAPH, _HEADING = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING)

ROW_CUT = "cut inside a row"


class Rung(IntEnum):
    """Where a unit stands. Larger numbers are finer."""

    BLOCK = 0
    GROUP = 1
    """Lines of code between blank lines."""
    PROSE = 2
    """Text that is made of sentences."""
    SENTENCE = 3
    LINES = 4
    """Text that is made of lines."""
    LINE = 5
    """A line or less: words come next."""


class Unit(NamedTuple):
    """A tag for a stretch of text."""

    rung: Rung
    block: int = -1
    """Number of the block, for `Rung.BLOCK`."""


HEAD = Unit(Rung.LINE, -2)
"""A heading line: it wants to stay with what follows."""
SENTENCE = Unit(Rung.SENTENCE)
LINE = Unit(Rung.LINE)

_LINED = (BlockKind.CODE, BlockKind.HTML, BlockKind.QUOTE, BlockKind.FRONT_MATTER)


class Ladder:
    """Finer units of one document."""

    def __init__(self, document: Document) -> None:
        self._text = document.text
        self._blocks = document.blocks

    def blocks(self, numbers: range | list[int]) -> tuple[list[int], list[Unit]]:
        """Ends and tags of whole blocks of depth 0."""
        blocks = self._blocks
        ends = [blocks.end[i] for i in numbers]
        tags = [HEAD if self._is_head(i) else Unit(Rung.BLOCK, i) for i in numbers]
        return ends, tags

    def _is_head(self, number: int) -> bool:
        """Whether a block is a heading, or a short bold line that stands for one, as converters write it."""
        kind = self._blocks.kind[number]
        if kind == _PARAGRAPH:
            start, end = self._blocks.start[number], self._blocks.end[number]
            return end - start < _BOLD_LINE and _BOLD.fullmatch(self._text, start, end) is not None
        return kind == _HEADING

    def keeps_whole(self, tag: Unit) -> bool:
        """Whether a unit that fits is to stay whole even where a heading in front of it stands alone then."""
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
        while True:
            if rung == Rung.BLOCK:
                ends, tags = self._inside(tag.block, start, end)
                if len(ends) > 1:
                    return ends, tags
                kind = self._blocks.kind[tag.block]
                rung = Rung.GROUP if kind == BlockKind.CODE else Rung.LINES if kind in _LINED else Rung.PROSE
                if kind == BlockKind.ROW:
                    rung = Rung.LINE
            elif rung == Rung.GROUP:
                ends = self._cut(start, end, [m.end() for m in _BLANK_LINE.finditer(self._text, start, end)])
                if len(ends) > 1:
                    return ends, [Unit(Rung.LINES)] * len(ends)
                rung = Rung.LINES
            elif rung == Rung.PROSE:
                ends = [start + e for e in sentence_ends(self._text[start:end])]
                if len(ends) > 1:
                    return ends, [SENTENCE] * len(ends)
                rung = Rung.LINES
            elif rung in (Rung.SENTENCE, Rung.LINES):
                ends = [start + e for e in line_ends(self._text[start:end])]
                if len(ends) > 1:
                    return ends, [LINE] * len(ends)
                rung = Rung.LINE
            else:
                return [end], [LINE]

    def _inside(self, block: int, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Cut before each block that begins a line inside this one."""
        blocks, text = self._blocks, self._text
        depth = blocks.depth[block]
        cuts: list[int] = []
        tags: list[Unit] = []
        first = Unit(Rung.PROSE) if blocks.kind[block] not in _LINED else Unit(Rung.LINES)
        i = block + 1
        while i < len(blocks) and blocks.depth[i] > depth:
            place = blocks.start[i]
            if place <= start:
                first = Unit(Rung.BLOCK, i)
            elif place < end and text[place - 1] in "\n\r":
                cuts.append(place)
                tags.append(Unit(Rung.BLOCK, i))
            # On to the next block of this depth, past all that stands in this one.
            i = max(i + 1, bisect_left(blocks.start, blocks.end[i], i + 1))
            while i < len(blocks) and blocks.depth[i] > depth + 1:
                i += 1
        return [*cuts, end], [first, *tags]

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
