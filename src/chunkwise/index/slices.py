"""The words of chunks, taken from the words of their document.

Runs are never analysed twice: the words of a chunk are a slice of its document's, but for the runs that its
edges cut and for what stands in front of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

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

    def context(self, text: str, /) -> list[int]:
        """The words of a context, which comes again."""
        ...

    def separate(self, text: str, position: int, /) -> bool:
        """Whether no run goes over a position, as far as the character before it says."""
        ...


def of_strings(words: Words, chunks: Sequence[Chunk], stripped: Stripped | None) -> ChunkWords:
    """The words of chunks, each string analysed by itself."""
    found = _Extra(words, stripped is not None)
    bare = stripped(chunks) if stripped is not None else chunks
    sizes = []
    for chunk, other in zip(chunks, bare, strict=True):
        before = len(found)
        found.strings(chunk, other)
        sizes.append(len(found) - before)
    return ChunkWords(found.ids(), np.array(sizes, dtype=np.int64), found.where())


def of_columns(
    words: Words, columns: Columns, text: str, chunks: Sequence[Chunk], stripped: Stripped | None
) -> ChunkWords:
    """The words of chunks, from the words of their document.

    Where the indexed string of a chunk is a context followed by a slice of the document, the context is
    remembered and the words of the slice come from the columns; other strings are analysed.

    Args:
        words: finds words.
        columns: the document's.
        text: the document's.
        chunks: the chunks.
        stripped: what leaves lines out of them, if they are counted without these too. No run may go over
            the edge of a line, see `parts_cleanly`.
    """
    starts, ends, first, column = columns
    flat = chain.from_iterable(chunk.match for chunk in chunks)
    matches = np.fromiter(flat, np.int64, 2 * len(chunks)).reshape(-1, 2)
    np.clip(matches, 0, len(text), out=matches)
    # Runs [after, before) lie whole in the match. The one in front of them and the one behind may reach
    # into it.
    after = np.searchsorted(starts, matches[:, 0])
    before = np.searchsorted(ends, matches[:, 1], side="right")
    left = np.concatenate(([0], ends))[after]
    right = np.concatenate((starts, [len(text)]))[before]
    within: Callable[[IntArray], list[int]] = (
        (lambda at: [BOTH] * len(at))
        if stripped is None
        else (lambda at: np.where(inside(stripped.lines, at), WHOLE, BOTH).tolist())
    )
    edges = zip(left.tolist(), right.tolist(), within(matches[:, 0]), within(right), strict=True)
    extra = _Extra(words, stripped is not None)
    bare: Sequence[Chunk] | None = None
    in_front, behind, foreign = [], [], []
    for i, (chunk, (reach, from_, at_start, at_end)) in enumerate(zip(chunks, edges, strict=True)):
        start, end = chunk.match
        indexed = chunk.indexed
        body = text[start:end] if 0 <= start <= end else ""
        front = len(indexed) - len(body)
        in_front.append(len(extra))
        if not body or not indexed.endswith(body) or (front and not words.separate(indexed, front)):
            foreign.append(i)
            if bare is None:
                bare = stripped(chunks) if stripped is not None else chunks
            extra.strings(chunk, bare[i])
            behind.append(len(extra))
            continue
        if front:
            extra.add(words.context(indexed[:front]))
        if reach > start:
            extra.add(words.numbers(text[start : min(reach, end)]), at_start)
        behind.append(len(extra))
        # The run that reaches in from behind may be the one in front: it is taken once.
        if start <= from_ < end:
            extra.add(words.numbers(text[from_:end]), at_end)
    # The words of a chunk are up to three slices of `column` and `extra` joined: those in front of its
    # whole runs, those of the whole runs, those behind them.
    slices = np.zeros((2, len(chunks), 3), dtype=np.int64)
    slices[0, :, 0], slices[1, :, 0] = in_front, behind
    slices[0, :, 2], slices[1, :, 2] = behind, [*in_front[1:], len(extra)]
    slices += len(column)
    slices[:, :, 1] = first[after], np.maximum(first[before], first[after])
    slices[:, foreign, 1] = 0
    lengths = slices[1] - slices[0]
    place = _positions(slices[0].ravel(), lengths.ravel())
    where = None
    if stripped is not None:
        held = np.repeat(inside(stripped.lines, starts), np.diff(first)).astype(np.uint8)  # WHOLE or BOTH
        where = np.concatenate((held, extra.where()))[place]
    return ChunkWords(np.concatenate((column, extra.ids()))[place], lengths.sum(axis=1), where)


def parts_cleanly(columns: Columns, lines: tuple[IntArray, IntArray]) -> bool:
    """Whether leaving lines out changes no run: none goes over an edge, none ends where a line begins."""
    far = np.append(columns.starts, np.iinfo(np.int64).max)
    edges = np.searchsorted(columns.ends, lines[0]), np.searchsorted(columns.ends, lines[1], side="right")
    return not any(bool((far[i] < edge).any()) for i, edge in zip(edges, lines, strict=True))


def inside(ranges: tuple[IntArray, IntArray], positions: IntArray) -> BoolArray:
    """Whether each position lies in one of some rising ranges."""
    i = np.searchsorted(ranges[0], positions, side="right")
    found: BoolArray = np.concatenate(([-1], ranges[1]))[i] > positions
    return found


class _Extra:
    """Words that are in no column."""

    def __init__(self, words: Words, twice: bool) -> None:
        self._words, self._twice = words, twice
        self._ids: list[int] = []
        self._where: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, ids: list[int], where: int = BOTH) -> None:
        self._ids += ids
        if self._twice:
            self._where += [where] * len(ids)

    def strings(self, chunk: Chunk, bare: Chunk) -> None:
        """A chunk's whole string, and where it has one the same without lines."""
        if not self._twice or bare.indexed == chunk.indexed:
            self.add(self._words.numbers(chunk.indexed))
        else:
            self.add(self._words.numbers(chunk.indexed), WHOLE)
            self.add(self._words.numbers(bare.indexed), BARE)

    def ids(self) -> IntArray:
        return np.array(self._ids, dtype=np.int64)

    def where(self) -> Any:
        return np.array(self._where, dtype=np.uint8) if self._twice else None


def _positions(begins: IntArray, lengths: IntArray) -> IntArray:
    """The positions of some slices, one slice behind the other."""
    shifts = begins - np.cumsum(lengths) + lengths
    found: IntArray = np.arange(lengths.sum()) + np.repeat(shifts, lengths)
    return found
