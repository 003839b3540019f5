"""Questions ranked by their words, many at once: the postings of the words in, the best chunks out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from chunkwise.types import FloatArray, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt

DECIMALS = 6
"""Decimals that scores are rounded to before they are sorted."""
Places: TypeAlias = "tuple[npt.NDArray[np.int32], FloatArray]"
"""The chunks that hold a word, by rising number, and its weight in each, above 0."""
Found: TypeAlias = tuple[IntArray, FloatArray]
"""Numbers and scores of chunks, best first."""

_TOGETHER = 1 << 16  # scores held at once: few enough for the cache of a processor, others beside them
_STEPS = 256  # of the scores of a question, from 0 to its best one
_ABOVE_ZERO = 5e-324


def ranked(
    asked: Sequence[tuple[int, ...]], held: Mapping[int, Places], size: int, depth: int
) -> list[Found]:
    """The best `depth` chunks for each question; ties go to the lower number.

    Args:
        asked: the words of each question, at least one, each in some chunk.
        held: by word the chunks that hold it.
        size: number of chunks.
        depth: how many are wanted.
    """
    holders = {word: len(chunks) for word, (chunks, _) in held.items()}
    least = _least(asked, held, holders, depth)
    found: list[Found] = []
    together = max(1, _TOGETHER // max(size, 1))
    for first in range(0, len(asked), together):
        block = slice(first, first + together)
        counts = [sum(map(holders.__getitem__, words)) for words in asked[block]]
        found += _ranked(asked[block], held, counts, least[block], size, depth)
    return found


def _least(
    asked: Sequence[Sequence[int]], held: Mapping[int, Places], holders: Mapping[int, int], depth: int
) -> FloatArray:
    """What the best `depth` chunks of each question score at least: the chunks of one word say so."""
    lowest: dict[int, float] = {}
    found = np.full(len(asked), _ABOVE_ZERO)
    for i, words in enumerate(asked):
        enough = [word for word in words if holders[word] >= depth]
        if not enough:
            continue
        rarest = min(enough, key=holders.__getitem__)
        if rarest not in lowest:
            # Rounding keeps the order: nothing more than one step below the last place can tie with it.
            # The second step is for the error of this subtraction.
            last = float(np.partition(held[rarest][1], -depth)[-depth])
            lowest[rarest] = max(last - 2 * 10.0**-DECIMALS, _ABOVE_ZERO)
        found[i] = lowest[rarest]
    return found


def _ranked(
    block: Sequence[Sequence[int]],
    held: Mapping[int, Places],
    counts: Sequence[int],
    least: FloatArray,
    size: int,
    depth: int,
) -> list[Found]:
    """The best chunks for each question of a block.

    Args:
        block: the words of each question.
        held: by word the chunks that hold it.
        counts: for each question how many chunks hold its words, all words together.
        least: what the best chunks score at least.
        size: number of chunks.
        depth: how many are wanted.
    """
    places = [held[word] for words in block for word in words]
    cells = np.concatenate([chunks for chunks, _ in places])
    if len(block) > 1:  # their scores stand in one row, one question behind the other
        cells = cells + np.repeat(np.arange(len(block)) * size, counts)
    scores = np.bincount(cells, np.concatenate([weights for _, weights in places]), len(block) * size)
    cells = np.flatnonzero(scores.reshape(-1, size) >= least[:, None])
    begins = np.arange(len(block) + 1) * size
    scores = np.rint(scores[cells] * 10.0**DECIMALS)
    near = _near(scores, np.searchsorted(cells, begins), depth)
    cells, scores = cells[near], scores[near]
    edges = np.searchsorted(cells, begins)
    chunks = cells - np.repeat(begins[:-1], np.diff(edges))
    falling, scores = -scores, scores / 10.0**DECIMALS
    found = []
    for begin, stop in pairwise(edges.tolist()):
        order = begin + falling[begin:stop].argsort(kind="stable")[:depth]
        found.append((chunks[order], scores[order]))
    return found


def _near(scores: FloatArray, edges: IntArray, depth: int) -> IntArray:
    """Which scores may be among the best `depth` of their question.

    They are counted by steps between 0 and the best one of the question, and those below the step at which
    there are enough are left out: what is then sorted is hardly more than what is wanted.

    Args:
        scores: those of one question behind those of the other, at least one of each.
        edges: where those of each question begin, and where the last ones end.
        depth: how many are wanted of each.
    """
    count, counts = len(edges) - 1, np.diff(edges)
    best = np.maximum.reduceat(scores, edges[:-1])
    step = (scores * np.repeat((_STEPS - 1) / np.maximum(best, 1.0), counts)).astype(np.int64)
    place = step + np.repeat(np.arange(count) * _STEPS, counts)
    table = np.bincount(place, minlength=count * _STEPS).reshape(count, _STEPS)
    above = np.cumsum(table[:, ::-1], axis=1)[:, ::-1]
    lowest = np.maximum((above >= depth).sum(axis=1) - 1, 0)
    return np.flatnonzero(step >= np.repeat(lowest, counts))
