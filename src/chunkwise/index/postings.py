"""Counting words: which chunks hold a word, and how often.

Chunks may be counted in two readings at once, as they are and **bare**, without some lines of theirs. Nearly
all of their words are in both, so that they are sorted once for both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from chunkwise.index.slices import BARE, WHOLE
from chunkwise.types import IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

# Words are counted in blocks of about this many: small enough for the processor's cache, and the
# words of a large corpus are never sorted all at once.
BLOCK = 1 << 20
_WHERE = 2  # bits that say in which readings a word is


class Postings(NamedTuple):
    """The words of all chunks, counted."""

    lengths: IntArray
    """Number of words of each chunk."""
    pointers: IntArray
    """Postings of word w stand at `pointers[w]:pointers[w + 1]`."""
    chunks: npt.NDArray[np.int32]
    """For each posting the number of the chunk, rising within a word."""
    counts: npt.NDArray[np.int32]
    """For each posting how often the word occurs there."""


class Tally:
    """Gathers the words of chunks, which are numbered as they come."""

    def __init__(self) -> None:
        self._words: list[IntArray] = []
        self._lengths: list[IntArray] = []
        self._where: list[npt.NDArray[np.uint8]] = []
        self._pending = 0
        self._blocks: tuple[list[_Block], list[_Block]] = ([], [])
        self._done: tuple[list[IntArray], list[IntArray]] = ([], [])
        self._chunks = 0

    def __len__(self) -> int:
        """Number of chunks added."""
        return self._chunks

    def add(self, ids: IntArray, lengths: IntArray, where: npt.NDArray[np.uint8] | None = None) -> None:
        """Take the words of some chunks.

        Args:
            ids: numbers of the words, chunk by chunk.
            lengths: how many of them are of each chunk.
            where: for each word in which readings it is, see `slices`; without it there is one reading.
                Either all chunks of a tally have it or none has.
        """
        self._words.append(ids)
        self._lengths.append(lengths)
        if where is not None:
            self._where.append(where)
        self._chunks += len(lengths)
        self._pending += len(ids)
        if self._pending >= BLOCK:
            self._flush()

    def finish(self, words: int, *, bare: bool = False) -> Postings:
        """Everything added, counted.

        Args:
            words: number of words of the vocabulary.
            bare: the other reading.
        """
        self._flush()
        return Postings(_joined(self._done[bare]), *_merge(self._blocks[bare], words))

    def _flush(self) -> None:
        if not self._lengths:
            return
        lengths, ids = _joined(self._lengths), _joined(self._words)
        where = np.concatenate(self._where) if self._where else None
        stops = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(lengths)))
        i, before = 0, self._chunks - len(lengths)
        while i < len(lengths):
            # One large document may hold many blocks; a chunk is never parted.
            j = max(i + 1, int(np.searchsorted(stops, stops[i] + BLOCK, side="right")) - 1)
            part = slice(stops[i], stops[j])
            counted = _count(ids[part], lengths[i:j], before + i, None if where is None else where[part])
            for done, blocks, (own, block) in zip(self._done, self._blocks, counted, strict=False):
                done.append(own)
                blocks.append(block)
            i = j
        self._words, self._lengths, self._where, self._pending = [], [], [], 0


class _Block(NamedTuple):
    """Postings of some neighbouring chunks, sorted by word, then chunk."""

    words: npt.NDArray[np.int32]
    chunks: npt.NDArray[np.int32]
    counts: npt.NDArray[np.int32]


def _count(
    ids: IntArray, lengths: IntArray, first_chunk: int, where: npt.NDArray[np.uint8] | None
) -> list[tuple[IntArray, _Block]]:
    """Count each word of each chunk with one sort: the lengths and the block of each reading."""
    chunks = np.repeat(np.arange(len(lengths)), lengths)
    # Shifts and not products: dividing again would take longer than the sort.
    bits, aside = len(lengths).bit_length(), 0 if where is None else _WHERE
    limit = int(ids.max(initial=0)) + 1
    keys: npt.NDArray[np.integer[Any]] = (ids << bits | chunks) << aside
    if limit << (bits + aside) < 1 << 32:
        keys = keys.astype(np.uint32)  # sorted twice as fast
    if where is not None:
        keys |= where
    if limit <= 1 << 16:
        # The chunks rise already. Numbers this small are sorted by their digits, on every processor.
        keys = keys[ids.astype(np.uint16).argsort(kind="stable")]
    else:
        keys.sort()
    pairs = keys >> aside
    new = np.ones(len(pairs), dtype=bool)
    np.not_equal(pairs[1:], pairs[:-1], out=new[1:])
    first = np.flatnonzero(new)
    pairs = pairs[first]
    counts = np.diff(first, append=len(keys)).astype(np.int32)
    words = (pairs >> bits).astype(np.int32)
    holders = (pairs & ((1 << bits) - 1)).astype(np.int32) + np.int32(first_chunk)
    if where is None:
        return [(lengths, _Block(words, holders, counts))]
    readings = []
    for absent in (BARE, WHOLE):
        left_out = np.flatnonzero(where == absent)
        own = lengths - np.bincount(chunks[left_out], minlength=len(lengths))
        # A posting of no word in this reading is none.
        block = _Block(words, holders, counts)
        if len(left_out):
            apart = np.flatnonzero(keys & ((1 << _WHERE) - 1) == absent)
            posting = np.cumsum(new)[apart] - 1
            rest = counts - np.bincount(posting, minlength=len(counts)).astype(np.int32)
            held = rest > 0
            block = _Block(words[held], holders[held], rest[held])
        readings.append((own, block))
    return readings


def _merge(blocks: list[_Block], words: int) -> tuple[IntArray, npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Join blocks to postings by word, without sorting again: each block's share of a word has its place."""
    total = np.zeros(words, dtype=np.int64)
    for block in blocks:
        total += np.bincount(block.words, minlength=words)
    pointers = np.concatenate((np.zeros(1, dtype=np.int64), np.cumsum(total)))
    if len(blocks) == 1:
        return pointers, blocks[0].chunks, blocks[0].counts
    chunks = np.empty(int(pointers[-1]), dtype=np.int32)
    counts = np.empty(int(pointers[-1]), dtype=np.int32)
    free = pointers[:-1].copy()
    for block in blocks:
        mine = np.bincount(block.words, minlength=words)
        place = np.arange(len(block.words)) + np.repeat(free - (np.cumsum(mine) - mine), mine)
        chunks[place] = block.chunks
        counts[place] = block.counts
        free += mine
    return pointers, chunks, counts


def _joined(parts: list[IntArray]) -> IntArray:
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)
