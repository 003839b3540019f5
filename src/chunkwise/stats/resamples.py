"""Resamples of whole families as counts: how often each family was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import DRAWN, FloatArray, blocks

# Numbers of 2 bytes that are kept for the next call.
_KEPT = 1 << 25
# Whole numbers below this are exact in half the digits, and so are their sums.
EXACT = 1 << 24
# Reciprocals of all ranks down to 10 are whole numbers of such parts.
PARTS = 2520
_SAME_PART = 2e-9  # what rounding to 12 decimals makes of a part


def resampled(count: int, resamples: int, seed: int) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """How often each of `count` families is drawn, in portions of the resamples.

    They depend on these three numbers alone: a report asks for the same ones again and again, and they
    are kept where there is room.
    """
    if are_kept(count, resamples):
        table = drawn(count, resamples, seed)
        for block in blocks(resamples, count):
            yield block, table[block]
        return
    generator = np.random.default_rng(seed)
    for block in blocks(resamples, count):
        yield block, _draw(generator, block.stop - block.start, count)


def are_kept(count: int, resamples: int) -> bool:
    """Whether there is room for so many resamples of so many families."""
    return count * resamples <= _KEPT


@lru_cache(maxsize=2)
def drawn(count: int, resamples: int, seed: int) -> npt.NDArray[np.uint16]:
    """All of them in one table, [resamples, count], where there is room."""
    # Each is drawn about once: 2^16 times never comes up.
    table = np.empty((resamples, count), dtype=np.uint16)
    generator = np.random.default_rng(seed)
    for block in blocks(resamples, count):
        table[block] = _draw(generator, block.stop - block.start, count)
    return table


def _draw(generator: np.random.Generator, resamples: int, count: int) -> npt.NDArray[np.int64]:
    counts = np.empty((resamples, count), dtype=np.int64)
    for part in blocks(resamples, count, DRAWN):
        n = part.stop - part.start
        # Counts of uniform draws are multinomial, and faster than `Generator.multinomial`.
        taken = generator.integers(0, count, size=(n, count)) + np.arange(n)[:, None] * count
        counts[part] = np.bincount(taken.ravel(), minlength=n * count).reshape(n, count)
    return counts


def in_parts(sums: FloatArray) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """Sums by family as numbers of parts, and for which columns these are whole and exact in half the digits.

    Hits are such, and in small parts reciprocal ranks are. So many families are drawn as there are, so that
    the sum of a resample has no more parts than all of them if each had the most.
    """
    scaled = sums * PARTS
    parts = np.rint(scaled)
    whole = (np.abs(scaled - parts) < _SAME_PART).all(axis=0)
    whole &= np.abs(parts).max(axis=0) * len(sums) < EXACT
    return parts, whole
