"""Where a text may be cut and where not: sentences, paragraphs, rows, code and headings as columns.

Several documents are treated as one text, joined by line ends, so that a thousand small files cost as
little as one large one. All columns are sorted, and all their ranges are trimmed to visible characters:
a cut in the white space between two sentences is inside neither.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwise.text import IGNORABLE, language_of, sentence_ends
from chunkwise.types import BlockKind, BoolArray, Document, IntArray

_TEXT_KINDS = (
    BlockKind.PARAGRAPH,
    BlockKind.HEADING,
    BlockKind.ITEM,
    BlockKind.QUOTE,
    BlockKind.ADMONITION,
    BlockKind.HTML,
    BlockKind.FOOTNOTE,
)
_PARAGRAPH = int(BlockKind.PARAGRAPH)
_COLON, _WIDE_COLON = 0x3A, 0xFF1A  # as in English and as in Chinese
_FAR = np.iinfo(np.int64).max // 2
_HIDDEN, _WHITE = 1, 2


class Ranges(NamedTuple):
    """Sorted ranges that do not overlap, as two columns."""

    starts: IntArray
    ends: IntArray

    def inside(self, positions: IntArray) -> BoolArray:
        """Whether each position lies strictly inside one of the ranges."""
        i = np.searchsorted(self.ends, positions, side="right")
        found: BoolArray = np.append(self.starts, _FAR)[i] < positions
        return found

    def overlapping(self, starts: IntArray, ends: IntArray) -> IntArray:
        """How many of the ranges share a character with each `[start, end)`."""
        before = np.searchsorted(self.ends, starts, side="right")
        found: IntArray = np.maximum(np.searchsorted(self.starts, ends, side="left") - before, 0)
        return found


class Landmarks(NamedTuple):
    """The columns of one or more documents; positions count through their joined text."""

    offsets: IntArray
    """Where each document begins."""
    lengths: IntArray
    """Length of each document."""
    words: Ranges
    """Runs without white space."""
    visible: Ranges
    """Runs of visible characters."""
    lines: IntArray
    """Position of the last character of each line end (LF, CRLF or CR)."""
    sentences: Ranges
    """Sentences of the whole text; only those of running text count."""
    text: Ranges
    """Running text: paragraphs, headings, list items, quotes. Blank lines part them too."""
    rows: Ranges
    """Table rows."""
    code: Ranges
    """Code blocks."""
    headings: Ranges
    """Heading lines whose section has text of its own."""
    heading_bodies: IntArray
    """For each of `headings` its first character of text."""
    bodies: Ranges
    """Text of the leaf sections below their heading lines; front matter is none."""
    front: Ranges
    """Front matter."""
    headed_rows: IntArray
    """First character of each row of a table that has a header, the header aside."""
    row_headers: IntArray
    """For each of `headed_rows` the first character of its header."""
    led_items: IntArray
    """First character of each item of a list that a paragraph right before it introduces with a colon."""
    item_leads: IntArray
    """For each of `led_items` the first character of the sentence with the colon."""

    def first_visible(self, positions: IntArray) -> IntArray:
        """The first visible character at or behind each position; a very large number where none is left."""
        i = np.searchsorted(self.visible.ends, positions, side="right")
        found: IntArray = np.maximum(positions, np.append(self.visible.starts, _FAR)[i])
        return found

    def last_visible(self, positions: IntArray) -> IntArray:
        """The position behind the last visible character before each position; 0 where there is none."""
        i = np.searchsorted(self.visible.starts, positions, side="left")
        found: IntArray = np.minimum(positions, np.concatenate(([0], self.visible.ends))[i])
        return found

    def trim(self, starts: IntArray, ends: IntArray) -> tuple[IntArray, IntArray]:
        """Ranges without the blank characters at both ends; empty where nothing is visible."""
        first, last = self.first_visible(starts), self.last_visible(ends)
        return np.minimum(first, ends), np.maximum(last, np.minimum(first, ends))

    def visible_in(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Number of visible characters of each range."""
        total = np.concatenate(([0], np.cumsum(self.visible.ends - self.visible.starts)))

        def before(positions: IntArray) -> IntArray:
            i = np.searchsorted(self.visible.starts, positions, side="left")
            over = np.maximum(np.append(self.visible.ends, 0)[i - 1] - positions, 0)
            counted: IntArray = total[i] - np.where(i > 0, over, 0)
            return counted

        found: IntArray = np.maximum(before(ends) - before(starts), 0)
        return found

    def words_in(self, starts: IntArray, ends: IntArray) -> IntArray:
        """Number of words of each slice, counted as a text of its own: a part of a word is a word."""
        return self.words.overlapping(starts, ends)

    def of(self, number: int) -> Landmarks:
        """The landmarks of one of the documents, as if it stood alone."""
        begin = self.offsets[number]
        edges = begin, begin + self.lengths[number]

        def own(positions: IntArray) -> slice:
            return slice(*np.searchsorted(positions, edges))

        def cut(ranges: Ranges) -> Ranges:
            inside = own(ranges.starts)
            return Ranges(ranges.starts[inside] - begin, ranges.ends[inside] - begin)

        headed, led = own(self.headed_rows), own(self.led_items)
        return Landmarks(
            offsets=np.zeros(1, dtype=np.int64),
            lengths=self.lengths[number : number + 1],
            words=cut(self.words),
            visible=cut(self.visible),
            lines=self.lines[own(self.lines)] - begin,
            sentences=cut(self.sentences),
            text=cut(self.text),
            rows=cut(self.rows),
            code=cut(self.code),
            headings=cut(self.headings),
            heading_bodies=self.heading_bodies[own(self.headings.starts)] - begin,
            bodies=cut(self.bodies),
            front=cut(self.front),
            headed_rows=self.headed_rows[headed] - begin,
            row_headers=self.row_headers[headed] - begin,
            led_items=self.led_items[led] - begin,
            item_leads=self.item_leads[led] - begin,
        )


def sentences_of(document: Document) -> list[int]:
    """The positions after each sentence of a document, in its language."""
    return sentence_ends(document.text, language_of(document))


def landmarks(
    documents: Sequence[Document], ends: Callable[[Document], Sequence[int]] = sentences_of
) -> Landmarks:
    """Find the landmarks of some documents.

    Args:
        documents: a document without blocks counts as running text from end to end.
        ends: gives the positions after each sentence of a document.
    """
    lengths = np.array([len(d.text) for d in documents], dtype=np.int64)
    offsets = np.concatenate(([0], np.cumsum(lengths + 1)[:-1])) if len(lengths) else lengths
    codes = _codes("\n".join(d.text for d in documents))
    kinds = _kinds().take(codes, mode="clip")
    words = _runs(kinds != _WHITE)
    visible = _runs(kinds == 0) if (kinds == _HIDDEN).any() else words
    feeds, returns = codes == 0x0A, codes == 0x0D
    feeds[offsets[1:] - 1] = False
    if returns.any():
        feeds[:-1] |= returns[:-1] & ~feeds[1:]
        feeds[-1:] |= returns[-1:]
    no = np.zeros(0, dtype=np.int64)
    none = Ranges(no, no)
    lines = np.flatnonzero(feeds)
    # The columns of what the documents' structure says are filled in below.
    marks = Landmarks(
        offsets, lengths, words, visible, lines, none, none, none, none, none, no, none, none, no, no, no, no
    )
    blocks = _blocks(documents, offsets)
    marks = _with_blocks(marks, documents, blocks)
    marks = _with_sections(marks, documents)
    marks = marks._replace(sentences=_sentences(marks, documents, ends))
    return _with_leads(marks, blocks, codes)


class _Columns(NamedTuple):
    """The blocks of all documents, with places in the joined text."""

    kind: IntArray
    level: IntArray
    start: IntArray
    end: IntArray
    depth: IntArray
    doc: IntArray
    """Number of the document."""


def _blocks(documents: Sequence[Document], offsets: IntArray) -> _Columns:
    columns = {
        name: array(code)
        for name, code in (("kind", "b"), ("level", "i"), ("start", "q"), ("end", "q"), ("depth", "i"))
    }
    counts = []
    for document in documents:
        blocks = document.blocks
        for name, column in columns.items():
            column.extend(getattr(blocks, name))
        counts.append(len(blocks))
    kind, level, start, end, depth = (np.asarray(column, dtype=np.int64) for column in columns.values())
    shift = np.repeat(offsets, counts)
    return _Columns(
        kind, level, start + shift, end + shift, depth, np.repeat(np.arange(len(documents)), counts)
    )


def _with_blocks(marks: Landmarks, documents: Sequence[Document], blocks: _Columns) -> Landmarks:
    kind, level, start, end, depth, _ = blocks
    # A container's own text ends where the first block inside it begins.
    own = end.copy()
    holds = np.flatnonzero(depth[1:] > depth[:-1])
    own[holds] = start[holds + 1]
    bare = np.flatnonzero([not len(document.blocks) for document in documents])
    text = np.isin(kind, _TEXT_KINDS)
    rows, tables = np.flatnonzero(kind == BlockKind.ROW), np.flatnonzero(kind == BlockKind.TABLE)
    # The header is the block right behind that of the table.
    header = tables[np.searchsorted(tables, rows) - 1] + 1 if len(tables) else rows
    headed = (level[header] == 0) & (header < rows)
    return marks._replace(
        headed_rows=marks.first_visible(start[rows[headed]]),
        row_headers=marks.first_visible(start[header[headed]]),
        text=_trimmed(
            marks,
            np.concatenate((start[text], marks.offsets[bare])),
            np.concatenate((own[text], (marks.offsets + marks.lengths)[bare])),
        ),
        rows=_trimmed(marks, start[kind == BlockKind.ROW], end[kind == BlockKind.ROW]),
        code=_trimmed(marks, start[kind == BlockKind.CODE], end[kind == BlockKind.CODE]),
        front=_trimmed(marks, start[kind == BlockKind.FRONT_MATTER], end[kind == BlockKind.FRONT_MATTER]),
    )


def _with_leads(marks: Landmarks, blocks: _Columns, codes: npt.NDArray[np.integer]) -> Landmarks:
    """The items of lists that a colon introduces, and where the sentence before it begins."""
    tops = np.flatnonzero(blocks.depth == 0)
    at = np.flatnonzero((blocks.kind[tops[1:]] == BlockKind.LIST) & (blocks.kind[tops[:-1]] == _PARAGRAPH))
    lists, above = tops[at + 1], tops[at]
    last = marks.last_visible(blocks.end[above]) - 1
    colon = (codes[last] == _COLON) | (codes[last] == _WIDE_COLON)
    led = (blocks.doc[lists] == blocks.doc[above]) & colon
    lists, above, last = lists[led], above[led], last[led]
    if not len(lists):
        return marks
    sentence = np.searchsorted(marks.sentences.starts, last, side="right") - 1
    begins = np.maximum(marks.sentences.starts[sentence], marks.first_visible(blocks.start[above]))
    items = np.flatnonzero((blocks.kind == BlockKind.ITEM) & (blocks.depth == 1))
    own = np.searchsorted(lists, items) - 1
    inside = (own >= 0) & (blocks.start[items] < blocks.end[lists[own]])
    items, own = items[inside], own[inside]
    return marks._replace(led_items=marks.first_visible(blocks.start[items]), item_leads=begins[own])


def _with_sections(marks: Landmarks, documents: Sequence[Document]) -> Landmarks:
    columns = {name: array("q") for name in ("start", "body", "end")}
    counts = []
    for document in documents:
        sections = document.sections
        for name, column in columns.items():
            column.extend(getattr(sections, name))
        counts.append(len(sections))
    start, body, end = (np.asarray(column, dtype=np.int64) for column in columns.values())
    shift = np.repeat(marks.offsets, counts)
    start, body, end = start + shift, body + shift, end + shift
    # Front matter stands in front of everything, in section 0, and is no text of it.
    front = np.searchsorted(marks.front.starts, start, side="left")
    front_end = np.append(marks.front.ends, 0)[front]
    inside = np.append(marks.front.starts, _FAR)[front] < end
    body = np.where(inside, np.maximum(body, front_end), body)
    head_start, head_end = marks.trim(start, body)
    body_start, body_end = marks.trim(body, end)
    full = body_start < body_end
    headed = full & (head_start < head_end) & ~inside
    return marks._replace(
        headings=Ranges(head_start[headed], head_end[headed]),
        heading_bodies=body_start[headed],
        bodies=Ranges(body_start[full], body_end[full]),
    )


def _sentences(
    marks: Landmarks, documents: Sequence[Document], find: Callable[[Document], Sequence[int]]
) -> Ranges:
    ends = array("q")
    counts = []
    for document in documents:
        found = array("q", find(document))
        ends.extend(found)
        counts.append(len(found))
    stops = np.asarray(ends, dtype=np.int64) + np.repeat(marks.offsets, counts)
    starts = np.concatenate(([0], stops[:-1])) if len(stops) else stops
    return _trimmed(marks, starts, stops)


def _trimmed(marks: Landmarks, starts: IntArray, ends: IntArray) -> Ranges:
    starts, ends = marks.trim(starts, ends)
    keep = starts < ends
    starts, ends = starts[keep], ends[keep]
    order = np.argsort(starts, kind="stable")
    return Ranges(starts[order], ends[order])


def _codes(text: str) -> npt.NDArray[np.integer]:
    """The code points of a text as integers."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), dtype=np.uint8)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _runs(mask: BoolArray) -> Ranges:
    """Start and end of each run of True."""
    padded = np.zeros(len(mask) + 2, dtype=bool)
    padded[1:-1] = mask
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return Ranges(edges[::2].copy(), edges[1::2].copy())


@lru_cache(maxsize=1)
def _kinds() -> npt.NDArray[np.uint8]:
    """By code point, whether it is shown (0), `_HIDDEN` or `_WHITE`; the last entry stands for all above."""
    kinds = np.zeros(IGNORABLE[-1][1] + 2, dtype=np.uint8)
    for first, last in IGNORABLE:
        kinds[first : last + 1] = _HIDDEN
    # White space ends at U+3000.
    early = np.arange(0x3001, dtype="<u4").tobytes().decode("utf-32-le")
    kinds[[found.start() for found in re.finditer(r"\s", early)]] = _WHITE
    return kinds
