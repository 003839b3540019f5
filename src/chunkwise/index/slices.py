"""The words of chunks, taken from the words of their document.

Runs are never analysed twice: the words of a chunk are a slice of its document's, but for the runs that its
edges cut and for what stands in front of its text.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from operator import is_
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from chunkwise.types import BoolArray, Chunk, Document, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

BOTH, WHOLE, BARE = 0, 1, 2
"""Where a word of a chunk is: in the string that is indexed and in the same without some lines, or in the
one alone, or in the other."""


class Columns(NamedTuple):
    """The words of one document as columns, one row a run."""

    starts: IntArray
    """Start of each run in the text, rising."""
    ends: IntArray
    """End of each run."""
    first: IntArray
    """Where the words of each run begin in `ids`; one more entry than runs. Nearly every run is one word."""
    ids: IntArray
    """Numbers of the words in the vocabulary, in reading order."""


_NONE = np.zeros(0, dtype=np.int64)
NO_COLUMNS = Columns(_NONE, _NONE, np.zeros(1, dtype=np.int64), _NONE)
_FAR = np.iinfo(np.int64).max


class Stripped(Protocol):
    """A document without some of its lines, and the same chunks over it."""

    @property
    def document(self) -> Document:
        """The document without the lines."""
        ...

    @property
    def lines(self) -> tuple[IntArray, IntArray]:
        """Start and end of each line in the document's text, rising."""
        ...

    def __call__(self, chunks: Sequence[Chunk], /) -> Sequence[Chunk]:
        """The chunks without the lines: what is right in them is `indexed` and `match`."""
        ...


class Cut(NamedTuple):
    """A document and its chunks."""

    document: Document
    chunks: Sequence[Chunk]
    stripped: Stripped | None = None
    """What leaves lines out of them, if they are to be counted without these too."""


class ChunkWords(NamedTuple):
    """The words of some chunks."""

    ids: IntArray
    """All words of the first chunk, then of the second, and so on, as numbers."""
    lengths: IntArray
    """How many of them are of each chunk."""
    where: npt.NDArray[np.uint8] | None = None
    """For each word `BOTH`, `WHOLE` or `BARE`; None where only the indexed strings were asked for."""


class Words(Protocol):
    """What turns texts into numbers of words."""

    def numbers(self, text: str, /) -> list[int]:
        """The words of a text."""
        ...

    def run(self, text: str, /) -> list[int]:
        """The words of a run, or of a part of one."""
        ...

    def context(self, text: str, /) -> list[int]:
        """The words of a context, which comes again."""
        ...

    def separate(self, text: str, position: int, /) -> bool:
        """Whether no run goes over a position, as far as the character before it says."""
        ...


class Joining:
    """Joins documents, and remembers those joined last: many chunkers cut the same ones, one behind the
    other.
    """

    def __init__(self) -> None:
        self._parts: list[object] = []
        self._made: tuple[_Joined, Sequence[Columns]] | None = None

    def __call__(self, cuts: Sequence[Cut], known: Sequence[Columns]) -> tuple[_Joined, Sequence[Columns]]:
        """The documents as one text, and for each the words that are in its columns."""
        parts: list[object] = [*known, *(part for cut in cuts for part in (cut.document, cut.stripped))]
        same = len(parts) == len(self._parts) and all(map(is_, parts, self._parts))
        if self._made is None or not same:
            self._parts, self._made = parts, _joined_cleanly(cuts, known)
        return self._made


def _joined_cleanly(cuts: Sequence[Cut], known: Sequence[Columns]) -> tuple[_Joined, Sequence[Columns]]:
    joined = _Joined.of(cuts, known)
    if joined.parts_cleanly():
        return joined, known
    # A document of which leaving lines out changes the words is counted by its strings.
    clean = [_Joined.of([cut], [own]).parts_cleanly() for cut, own in zip(cuts, known, strict=True)]
    known = [own if good else NO_COLUMNS for own, good in zip(known, clean, strict=True)]
    return _Joined.of(cuts, known), known


def words_of(words: Words, cuts: Sequence[Cut], known: Sequence[Columns], joining: Joining) -> ChunkWords:
    """The words of the chunks of some documents, from the words of these.

    Where the indexed string of a chunk is a context followed by a slice of the document, the context is
    remembered and the words of the slice come from the columns; other strings are analysed.

    Args:
        words: finds words.
        cuts: the documents and their chunks; either all have what leaves lines out of them, or none.
        known: for each document its words; `NO_COLUMNS` where the strings of all chunks are to be analysed.
        joining: joins the documents.
    """
    joined, known = joining(cuts, known)
    starts, ends, first, column = joined.columns
    shifts = np.repeat(joined.offsets, [len(cut.chunks) for cut in cuts])[:, None]
    limits = np.repeat(joined.lengths, [len(cut.chunks) for cut in cuts])[:, None]
    flat = chain.from_iterable([chunk.match for cut in cuts for chunk in cut.chunks])
    matches = np.fromiter(flat, np.int64, 2 * len(shifts)).reshape(-1, 2)
    matches = np.minimum(np.maximum(matches, 0), limits) + shifts
    # Runs [after, before) lie whole in the match. The one in front of them and the one behind may reach
    # into it.
    after = np.searchsorted(starts, matches[:, 0])
    before = np.searchsorted(ends, matches[:, 1], side="right")
    left = np.concatenate(([0], ends))[after]
    right = np.append(starts, _FAR)[before]
    extra = _extra(words, cuts, known, left - shifts[:, 0], right - shifts[:, 0])
    # The words of a chunk are up to four slices of `column` and `extra` joined: of its context, of the run
    # in front, of its whole runs, and of the run behind.
    slices = np.empty((2, len(matches), 4), dtype=np.int64)
    bounds = np.array(extra.bounds, dtype=np.int64) + len(column)
    slices[:, :, [0, 1, 3]] = np.stack((bounds[:-1], bounds[1:])).reshape(2, -1, 3)
    slices[:, :, 2] = first[after], np.maximum(first[before], first[after])
    slices[:, extra.foreign, 2] = 0
    sizes = slices[1] - slices[0]
    place = _positions(slices[0].ravel(), sizes.ravel())
    where = None
    if joined.lines is not None:
        cut_through = np.zeros((len(matches), 3), dtype=bool)  # no context stands in a line
        cut_through[:, 1:] = inside(joined.lines, np.stack((matches[:, 0], right), axis=1))
        beside = np.repeat(cut_through.ravel() * np.uint8(WHOLE), sizes[:, [0, 1, 3]].ravel())
        where = np.concatenate((joined.where, beside))
        for start, end, own in extra.apart:
            where[len(column) + start : len(column) + end] = own
        where = where[place]
    ids = np.concatenate((column, np.array(extra.ids, dtype=np.int64)))
    return ChunkWords(ids[place], sizes.sum(axis=1), where)


class _Joined(NamedTuple):
    """Some documents as one text, with a gap behind each."""

    columns: Columns
    offsets: IntArray
    lengths: IntArray
    lines: tuple[IntArray, IntArray] | None
    """What is left out of documents that have columns; None where nothing is to be left out."""
    where: npt.NDArray[np.uint8]
    """For each word of the columns `BOTH`, or `WHOLE` where it is left out."""

    @classmethod
    def of(cls, cuts: Sequence[Cut], known: Sequence[Columns]) -> _Joined:
        lengths = np.array([len(cut.document.text) for cut in cuts], dtype=np.int64)
        offsets = np.cumsum(lengths + 1) - lengths - 1
        before = np.cumsum([0, *(len(own.ids) for own in known)])
        shifted = [
            Columns(own.starts + offset, own.ends + offset, own.first[:-1] + count, own.ids)
            for own, offset, count in zip(known, offsets.tolist(), before.tolist(), strict=False)
        ]
        joined = [np.concatenate(column) for column in zip(*shifted, strict=True)] or [_NONE] * 4
        columns = Columns(joined[0], joined[1], np.append(joined[2], before[-1]), joined[3])
        lines, where = None, np.full(len(columns.ids), BOTH, dtype=np.uint8)
        if cuts and cuts[0].stripped is not None:
            pairs = [
                np.stack(cut.stripped.lines) + offset
                for cut, own, offset in zip(cuts, known, offsets.tolist(), strict=True)
                if cut.stripped is not None and own is not NO_COLUMNS
            ]
            left_out = np.concatenate([np.zeros((2, 0), dtype=np.int64), *pairs], axis=1)
            lines = left_out[0], left_out[1]
            where = np.repeat(inside(lines, columns.starts) * np.uint8(WHOLE), np.diff(columns.first))
        return cls(columns, offsets, lengths, lines, where)

    def parts_cleanly(self) -> bool:
        """Whether leaving lines out changes no run: none goes over an edge, none ends where a line begins."""
        if self.lines is None:
            return True
        begins = np.append(self.columns.starts, _FAR)
        for side, edges in zip(("left", "right"), self.lines, strict=True):
            run = np.searchsorted(self.columns.ends, edges, side="right" if side == "right" else "left")
            if (begins[run] < edges).any():
                return False
        return True


class _Extra(NamedTuple):
    """Words of chunks that are in no column."""

    ids: list[int]
    bounds: list[int]
    """Three for each chunk, and one more: where the words of its context begin in `ids`, those of the run
    in front, and those of the run behind."""
    foreign: list[int]
    """Numbers of the chunks whose whole string was analysed; its words stand in the place of a context."""
    apart: list[tuple[int, int, int]]
    """Start and end in `ids` of words that are `WHOLE` or `BARE` only."""


def _extra(
    words: Words, cuts: Sequence[Cut], known: Sequence[Columns], left: IntArray, right: IntArray
) -> _Extra:
    """Analyse what is in no column: contexts, runs that edges cut, and strings that are no slices.

    Args:
        words: finds words.
        cuts: the documents and their chunks.
        known: for each document its words.
        left: for each chunk the end of the run that may reach into it from the front, in its document.
        right: the start of the one that may reach out of it behind.
    """
    found = _Extra([], [], [], [])
    ids, bounds, run = found.ids, found.bounds, words.run
    edges = zip(left.tolist(), right.tolist(), strict=True)
    for cut, own in zip(cuts, known, strict=True):
        text = "" if own is NO_COLUMNS else cut.document.text
        bare: Sequence[Chunk] | None = None
        # The chunks of the document come first: behind its last one no edge of the next is taken.
        for i, (chunk, (reach, from_)) in enumerate(zip(cut.chunks, edges, strict=False)):
            start, end = chunk.match
            indexed = chunk.indexed
            body = text[start:end] if 0 <= start <= end else ""
            front = len(indexed) - len(body)
            bounds.append(len(ids))
            if not body or not indexed.endswith(body) or (front and not words.separate(indexed, front)):
                if bare is None:
                    bare = cut.chunks if cut.stripped is None else cut.stripped(cut.chunks)
                found.foreign.append(len(bounds) // 3)
                _add_strings(found, words, indexed, bare[i].indexed)
                bounds += (len(ids), len(ids))
                continue
            if front:
                ids += words.context(indexed[:front])
            bounds.append(len(ids))
            if reach > start:
                ids += run(text[start : min(reach, end)])
            bounds.append(len(ids))
            # The run that reaches in from behind may be the one in front: it is taken once.
            if start <= from_ < end:
                ids += run(text[from_:end])
    bounds.append(len(ids))
    return found


def _add_strings(found: _Extra, words: Words, indexed: str, bare: str) -> None:
    """A chunk's whole string, and where it has another one the same without lines."""
    if bare == indexed:
        found.ids.extend(words.numbers(indexed))
        return
    for where, text in ((WHOLE, indexed), (BARE, bare)):
        before = len(found.ids)
        found.ids.extend(words.numbers(text))
        found.apart.append((before, len(found.ids), where))


def inside(ranges: tuple[IntArray, IntArray], positions: IntArray) -> BoolArray:
    """Whether each position lies in one of some rising ranges."""
    i = np.searchsorted(ranges[0], positions, side="right")
    found: BoolArray = np.concatenate(([-1], ranges[1]))[i] > positions
    return found


def _positions(begins: IntArray, lengths: IntArray) -> IntArray:
    """The positions of some slices, one slice behind the other."""
    shifts = begins - np.cumsum(lengths) + lengths
    found: IntArray = np.arange(lengths.sum()) + np.repeat(shifts, lengths)
    return found
