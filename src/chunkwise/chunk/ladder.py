"""The ladder: how a unit that is too large is cut into smaller ones, one rung at a time.

Blocks, then the blocks inside them, rows, lines or sentences, then words, then grapheme clusters. A
`Unit` says on which rung a stretch of text stands, and in which block; `finer` gives the ends of its parts.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from enum import IntEnum
from typing import TypeAlias

from chunkwise.chunk.code import Codes
from chunkwise.chunk.groups import asks, linked
from chunkwise.text import cell_spans, grapheme_floor, language_of, line_ends, quoted_line, sentence_ends
from chunkwise.types import BlockKind, Document

_BLANK_LINE = re.compile(r"(?>\r\n?|\n)(?:[^\S\r\n]*(?>\r\n?|\n))+")
_BLANK_LINE_LF = re.compile(r"\n(?:[^\S\n]*\n)+")  # a literal first character makes the search fast
_MARKS = re.compile(r"[ \t]*>[> \t]*(?:[\r\n]|\Z)")
_LINE_ENDS = frozenset("\n\r")
_ITEM_MARKS = "> \t-+*.)0123456789"
# The line that closes a fence stays with the line before it.
_CLOSING = re.compile(r"[ \t>]*(?:```+|~~~+)[ \t]*(?:[\r\n]|\Z)")

# A paragraph that is one bold line and no more; longer ones are emphasis, not headings.
_BOLD = re.compile(r"(\*\*|__)(?=\S)[^\r\n]*\S\1\s*")
_BOLD_LINE = 120  # characters
_PARAGRAPH, _HEADING, _ROW = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.ROW)

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


Unit: TypeAlias = int
"""A tag for a stretch of text: the number of a block (for groups the first, for code and for what is cut
inside a row its own, else -1), and the rung in the lowest `BITS` bits. A tuple of the two costs several
times more to make, and one is made for every block and item.
"""
BITS = 4
RUNG = (1 << BITS) - 1
"""The bits of the rung."""


def unit(rung: int, block: int = -1) -> Unit:
    """The tag of a rung and a block."""
    return block << BITS | rung


def rung_of(tag: Unit) -> int:
    """The rung of a tag."""
    return tag & RUNG


Place: TypeAlias = tuple[Unit, int, int]
"""A unit by its tag, start and end."""
Parts: TypeAlias = tuple[list[int], list[Unit]]
"""Ends and tags of the parts of a unit."""
HEAD = unit(Rung.LINE, -2)
"""A heading line: it wants to stay with what follows."""
SENTENCE = unit(Rung.SENTENCE)
LINE = unit(Rung.LINE)
_LINE, _BLOCK = int(Rung.LINE), int(Rung.BLOCK)

_LINED = frozenset(map(int, (BlockKind.CODE, BlockKind.HTML, BlockKind.QUOTE, BlockKind.FRONT_MATTER)))


class Ladder:
    """Finer units of one document."""

    def __init__(
        self, document: Document, *, code_with_prose: bool = False, parts: dict[Place, Parts] | None = None
    ) -> None:
        """Take a document.

        Args:
            document: the document.
            code_with_prose: whether code belongs to the prose around it.
            parts: those of units that were cut with another size; those found here are added.
        """
        self._document = document
        self._text = document.text
        self._blocks = document.blocks
        self._prose = code_with_prose
        self._parts = {} if parts is None else parts
        self.codes = Codes(document)

    def blocks(self, numbers: list[int]) -> Parts:
        """Ends and tags of whole blocks of depth 0, of those that belong together as one."""
        ends, tags, asked = self._single(numbers)
        if not self._prose and not asked:
            return ends, tags
        heads = [tag == HEAD for tag in tags]
        links = linked(self._document, numbers, heads, prose=self._prose, asked=asked)
        joined_ends: list[int] = []
        joined: list[Unit] = []
        for i, (end, tag) in enumerate(zip(ends, tags, strict=True)):
            if i and links[i - 1]:
                joined_ends[-1] = end
                joined[-1] = unit(Rung.GROUP, joined[-1] >> BITS)
            else:
                joined_ends.append(end)
                joined.append(tag)
        return joined_ends, joined

    def _single(self, numbers: list[int]) -> tuple[list[int], list[Unit], bool]:
        """Ends and tags of blocks, and whether one of them asks a question that may have its answer below."""
        starts, kinds, text = self._blocks.start, self._blocks.kind, self._text
        column = self._blocks.end
        ends = [column[number] for number in numbers]
        asked = False
        tags: list[Unit] = []
        for number in numbers:
            kind = kinds[number]
            if kind == _HEADING:
                tags.append(HEAD)
                continue
            tags.append(number << BITS | _BLOCK)
            if kind != _PARAGRAPH:
                continue
            start = starts[number]
            first = text[start]
            # Most paragraphs begin with a letter that says no more.
            if first not in "*_QF" and not first.isspace():
                continue
            # A short bold line stands for a heading, as converters write it.
            if (
                first in "*_"
                and column[number] - start < _BOLD_LINE
                and _BOLD.fullmatch(text, start, column[number])
            ):
                tags[-1] = HEAD
            else:
                asked = asked or asks(text, start)
        return ends, tags, asked

    def _group(self, first: int, end: int) -> Parts:
        """The blocks of a group."""
        last = bisect_left(self._blocks.start, end, first)
        ends, tags, _ = self._single(self._blocks.top(first, last))
        return ends, tags

    def keeps_whole(self, tag: Unit) -> bool:
        """Whether a unit that fits is to stay whole even where a heading in front of it stands alone then."""
        rung = rung_of(tag)
        if rung == Rung.BLOCK:
            return self._blocks.kind[tag >> BITS] in (BlockKind.CODE, BlockKind.TABLE)
        return rung != Rung.PROSE

    def cut_mark(self, tag: Unit) -> tuple[str, ...]:
        """A row that is cut says so."""
        block = tag >> BITS
        return (ROW_CUT,) if block >= 0 and self._blocks.kind[block] == _ROW else ()

    def finer(self, tag: Unit, start: int, end: int) -> Parts:
        """Ends and tags of the parts of a unit; one part where words come next."""
        if rung_of(tag) == _LINE:
            return [end], [LINE]
        place = tag, start, end
        found = self._parts.get(place)
        if found is None:
            found = self._parts[place] = self._finer(tag, start, end)
        return found

    def _finer(self, tag: Unit, start: int, end: int) -> Parts:
        rung, block = rung_of(tag), tag >> BITS
        if rung == Rung.GROUP:
            return self._group(block, end)
        while True:
            if rung == Rung.BLOCK:
                ends, tags = self._inside(block, start, end)
                if len(ends) > 1:
                    return ends, tags
                kind = self._blocks.kind[block]
                if rung_of(tags[0]) == Rung.BLOCK:
                    block = tags[0] >> BITS  # it holds nothing but this one
                    continue
                if kind == _ROW:
                    return self._cells(block, start, end)
                rung = Rung.CODE if kind == BlockKind.CODE else Rung.LINES if kind in _LINED else Rung.PROSE
            elif rung < Rung.PROSE:
                ends = self._cut(start, end, self._code_cuts(rung, block, start, end))
                rung = Rung.LINES if rung == Rung.DEFINITION else rung + 1
                if len(ends) > 1:
                    return ends, [unit(rung, block)] * len(ends)
            elif rung == Rung.PROSE:
                ends = [start + e for e in sentence_ends(self._text[start:end], language_of(self._document))]
                if len(ends) > 1:
                    return ends, [SENTENCE] * len(ends)
                rung = Rung.LINES
            elif rung in (Rung.SENTENCE, Rung.LINES):
                ends = [start + e for e in line_ends(self._text[start:end])]
                # A line of nothing but quote marks stays with the one before.
                ends[:-1] = [e for e in ends[:-1] if not _MARKS.match(self._text, e)]
                if len(ends) > 1 and block >= 0:
                    # Blank lines may follow the last one.
                    last = bisect_left(ends, start + len(self._text[start:end].rstrip()))
                    if last and _CLOSING.match(self._text, ends[last - 1]):
                        del ends[last - 1]
                if len(ends) > 1:
                    return ends, [LINE] * len(ends)
                rung = Rung.LINE
            else:
                return [end], [LINE]

    def _inside(self, block: int, start: int, end: int) -> Parts:
        """Cut before each block that begins a line inside this one."""
        blocks, text = self._blocks, self._text
        starts, kinds = blocks.start, blocks.kind
        numbers = blocks.children(block)
        if isinstance(numbers, range) and len(numbers) > 1 and starts[numbers[0]] <= start:
            places = starts[numbers[1] : numbers.stop].tolist()
            if start < places[0] and places[-1] < end and {text[i - 1] for i in places} <= _LINE_ENDS:
                # All of them begin lines, as rows and most items do.
                tags = range(unit(Rung.BLOCK, numbers[0]), unit(Rung.BLOCK, numbers.stop), 1 << BITS)
                return [*places, end], list(tags)
        first = unit(Rung.LINES if kinds[block] in _LINED else Rung.PROSE)
        whole, lines = int(Rung.BLOCK), int(Rung.LINES)
        marked = max(start, starts[block])  # nothing but marks stands before it
        cuts: list[int] = []
        inner: list[Unit] = []
        for i in numbers:
            place = starts[i]
            if place > start and text[place - 1] not in "\n\r" and (line := quoted_line(text, place)) < place:
                # Text in a quote is cut where a line with its mark begins.
                tag = i << BITS | (lines if kinds[i] == _PARAGRAPH else whole)
                if line <= start:
                    first = tag
                elif line < end:
                    cuts.append(line)
                    inner.append(tag)
            elif place <= start or (not cuts and not text[marked:place].strip(_ITEM_MARKS)):
                first = i << BITS | whole
            elif place < end and (text[place - 1] in "\n\r" or kinds[i] == _ROW):
                cuts.append(place)
                inner.append(i << BITS | whole)
        return [*cuts, end], [first, *inner]

    def _code_cuts(self, rung: int, block: int, start: int, end: int) -> list[int]:
        """Where a stretch of a code block may be cut on this rung."""
        if rung == Rung.DEFINITION:
            return self.codes[block].definitions(start, end)
        blank = _BLANK_LINE_LF if self._text.find("\r", start, end) < 0 else _BLANK_LINE
        cuts = [found.end() for found in blank.finditer(self._text, start, end)]
        return self.codes[block].top_level(cuts) if cuts and rung == Rung.CODE else cuts

    def _cells(self, block: int, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Cut a row before each of its cells but the first; a header between its lines."""
        begin = self._blocks.start[block]
        row = self._text[begin : self._blocks.end[block]]
        if self._blocks.level[block] == 0 and not row.lstrip().startswith("<"):
            places = line_ends(row)
        else:
            places = [place for place, _ in cell_spans(row)[1:]]
        ends = self._cut(start, end, [begin + place for place in places])
        return ends, [unit(Rung.LINE, block), *[unit(Rung.CELL, block)] * (len(ends) - 1)]

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
