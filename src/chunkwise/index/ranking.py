"""Questions ranked by their words, many at once: the postings of the words in, the best chunks out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunkwise.types import FloatArray, Hits, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

DECIMALS = 6
"""Decimals that scores are rounded to before they are sorted."""

_TOGETHER = 1 << 16  # scores held at once: few enough for the cache of a processor, others beside them
_STEPS = 64  # of the scores of a question, from 0 to its best one
_ABOVE_ZERO = 5e-324
_FAR = np.iinfo(np.int64).max


class Asked(NamedTuple):
    """Questions as the words that they ask for."""

    words: IntArray
    """All different words, as numbers of the vocabulary."""
    flat: IntArray
    """The words of each different question, one question behind the other, as positions in `words`."""
    edges: IntArray
    """Where the words of each different question begin in `flat`, and where those of the last one end."""
    rows: IntArray
    """For each question which of the different ones it is; -1 for one without words."""

    @classmethod
    def of(cls, questions: Sequence[tuple[int, ...]]) -> Asked:
        """Questions by their words; those that have the same words in the same order are one."""
        different: dict[tuple[int, ...], int] = {}
        rows = [different.setdefault(own, len(different)) if own else -1 for own in questions]
        places: dict[int, int] = {}
        flat = [places.setdefault(word, len(places)) for own in different for word in own]
        edges = [0, *accumulate(map(len, different))]
        return cls(*(np.array(part, dtype=np.int64) for part in ([*places], flat, edges, rows)))


class Held(NamedTuple):
    """Where the words are that are asked for, in their order."""

    chunks: list[npt.NDArray[np.int32]]
    """The chunks that hold a word, by rising number; none for a word that the index does not know."""
    weights: list[FloatArray]
    """The weight of the word in each, above 0."""


def ranked(asked: Asked, held: Held, size: int, depth: int) -> Hits:
    """The best `depth` chunks for each question; ties go to the lower number.

    Args:
        asked: the questions.
        held: the chunks that hold their words.
        size: number of chunks.
        depth: how many are wanted.
    """
    parts: list[_Best] = []
    questions = len(asked.edges) - 1
    if questions:
        holders = np.array(list(map(len, held.chunks)), dtype=np.int64)[asked.flat]
        counts = np.add.reduceat(holders, asked.edges[:-1])
        least = _least(asked, held, holders, depth)
        together = max(1, _TOGETHER // max(size, 1))
        for first in range(0, questions, together):
            part = slice(first, first + together)
            edges = asked.edges[first : first + together + 1]
            words = asked.flat[edges[0] : edges[-1]].tolist()
            parts.append(_ranked(words, held, counts[part], least[part], size, depth))
    best = parts[0] if len(parts) == 1 else _Best(*map(np.concatenate, zip(_NOTHING, *parts, strict=True)))
    edges = np.zeros(questions + 2, dtype=np.int64)  # the last one is where row -1 begins
    np.cumsum(best.lengths, out=edges[1:-1])
    return Hits(best.chunks, best.scores, edges[asked.rows], edges[asked.rows + 1])


def _least(asked: Asked, held: Held, holders: IntArray, depth: int) -> FloatArray:
    """What the best `depth` chunks of each question score at least: the chunks of one word say so.

    It is the rarest of the words that so many chunks hold; `holders` are how many hold each word of `flat`.
    """
    found = np.full(len(asked.edges) - 1, _ABOVE_ZERO)
    both = np.where(holders >= depth, holders << 32 | asked.flat, _FAR)
    rarest = np.minimum.reduceat(both, asked.edges[:-1])
    enough = np.flatnonzero(rarest < _FAR)
    words = (rarest[enough] & 0xFFFFFFFF).tolist()
    # Rounding keeps the order: nothing more than one step below the last place can tie with it. The
    # second step is for the error of this subtraction.
    last = {word: float(np.partition(held.weights[word], -depth)[-depth]) for word in set(words)}
    found[enough] = np.maximum(np.array([last[word] for word in words]) - 2 * 10.0**-DECIMALS, _ABOVE_ZERO)
    return found


class _Best(NamedTuple):
    """The best chunks of some questions, one question behind the other."""

    chunks: IntArray
    scores: FloatArray
    lengths: IntArray
    """How many there are of each question."""


_NOTHING = _Best(np.zeros(0, dtype=np.int64), np.zeros(0), np.zeros(0, dtype=np.int64))


def _ranked(
    words: Sequence[int], held: Held, counts: IntArray, least: FloatArray, size: int, depth: int
) -> _Best:
    """The best chunks for each question of a block.

    Args:
        words: those of all questions, as positions in `held`.
        held: the chunks that hold them.
        counts: for each question how many chunks hold its words, all words together.
        least: what the best chunks score at least.
        size: number of chunks.
        depth: how many are wanted.
    """
    cells = np.concatenate([held.chunks[word] for word in words])
    begins = np.arange(len(counts) + 1) * size
    if len(counts) > 1:  # their scores stand in one row, one question behind the other
        cells = cells + np.repeat(begins[:-1], counts)
    weights = np.concatenate([held.weights[word] for word in words])
    sums = np.bincount(cells, weights, len(counts) * size)
    cells = np.flatnonzero(sums.reshape(len(counts), size) >= least[:, None])
    scores = np.rint(sums[cells] * 10.0**DECIMALS)
    edges = np.searchsorted(cells, begins)
    lengths = edges[1:] - edges[:-1]
    if lengths.max() > depth:
        near = _near(scores, lengths, depth)
        cells, scores = cells[near], scores[near]
        edges = np.searchsorted(cells, begins)
        lengths = edges[1:] - edges[:-1]
    chunks, scores = _sorted(cells - np.repeat(begins[:-1], lengths), scores, lengths, depth)
    return _Best(chunks, scores / 10.0**DECIMALS, np.minimum(lengths, depth))


def _near(scores: FloatArray, lengths: IntArray, depth: int) -> IntArray:
    """Which scores may be among the best `depth` of their question.

    They are counted by steps between 0 and the best one of the question, and those below the step at which
    there are enough are left out: what is then sorted is hardly more than what is wanted.

    Args:
        scores: those of one question behind those of the other.
        lengths: how many there are of each question.
        depth: how many are wanted of each.
    """
    real = np.flatnonzero(lengths)
    lengths, count = lengths[real], len(real)
    best = np.maximum.reduceat(scores, np.cumsum(lengths) - lengths)
    base = np.arange(count) * _STEPS
    step = scores * np.repeat((_STEPS - 1) / np.maximum(best, 1.0), lengths) + np.repeat(base, lengths)
    place = step.astype(np.int64)
    table = np.bincount(place, minlength=count * _STEPS).reshape(count, _STEPS)
    above = np.cumsum(table[:, ::-1], axis=1)[:, ::-1]
    lowest = np.maximum((above >= depth).sum(axis=1) - 1, 0)
    return np.flatnonzero(place >= np.repeat(base + lowest, lengths))


def _sorted(
    chunks: IntArray, scores: FloatArray, lengths: IntArray, depth: int
) -> tuple[IntArray, FloatArray]:
    """The best `depth` of each question, by falling score, then rising chunk.

    Args:
        chunks: those of one question behind those of the other, rising.
        scores: of each, whole numbers.
        lengths: how many there are of each question.
        depth: how many are wanted of each.
    """
    filled = np.arange(lengths.max()) < lengths[:, None]
    bits, top = int(chunks.max(initial=0)).bit_length(), float(scores.max(initial=0.0))
    if top >= 2.0 ** min(53, 62 - bits):  # no longer whole, or too large beside the chunk
        order = np.lexsort((-scores, np.repeat(np.arange(len(lengths)), lengths)))
        order = order[np.broadcast_to(np.arange(filled.shape[1]) < depth, filled.shape)[filled]]
        return chunks[order], scores[order]
    # Score and chunk as one integer: rows of integers are sorted many times faster than by an order.
    rows = np.full(filled.shape, _FAR)
    rows[filled] = (top - scores).astype(np.int64) << bits | chunks
    rows.sort(axis=1)
    keys: IntArray = rows[:, :depth][filled[:, :depth]]
    return keys & ((1 << bits) - 1), top - (keys >> bits).astype(np.float64)
