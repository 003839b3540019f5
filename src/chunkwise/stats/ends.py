"""Percentile intervals of many columns: all means in half the digits, those at the ends in all of them."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import FloatArray, IntArray, blocks, family_sums, rounded
from chunkwise.stats.resamples import EXACT, PARTS, are_kept, drawn, in_parts
from chunkwise.stats.tails import tails

_COARSE = 1 << 8  # parts of the largest sum: where there are fewer, too many means stand near an end


def are_near(sizes: npt.NDArray[Any], resamples: int) -> bool:
    """Whether `percentiles` can be asked: whether resamples of families of these sizes are kept, and what is
    summed over them is fine enough in half the digits.
    """
    count = len(sizes)
    return are_kept(count, resamples) and count * max(_COARSE, int(sizes.max())) < EXACT


def percentiles(table: FloatArray, number: IntArray, resamples: int, seed: int, share: float) -> FloatArray:
    """The `share` and the `1 - share` quantile of each column's bootstrap means, shape [m, 2].

    Sums by family are taken to whole parts, as fine as half the digits add up without loss. That moves each
    by at most half a part, and the sum of a resample by at most half a part for each family that it draws. So
    it is known which resamples may stand at the ends, and only of those the true means are computed. Sums
    that are whole to begin with, as those of hits are, have no error. `bootstrap_means` and `interval` give
    the same in more time.

    Args:
        table: the values, [n, m].
        number: for each row the number of its family.
        resamples: number of resamples; see `are_near`.
        seed: of the resamples.
        share: from 0 to 1/2.
    """
    sums, sizes = family_sums(table, number)
    count = len(sizes)
    parts, whole = in_parts(sums)
    scale = np.full(len(whole), float(PARTS))
    scale[~whole] = (EXACT / count - 1) / np.abs(sums[:, ~whole]).max(axis=0)
    parts[:, ~whole] = np.rint(sums[:, ~whole] * scale[~whole])
    counts = drawn(count, resamples, seed)
    halves = parts.T.astype(np.float32)
    same = bool((sizes == sizes[0]).all())
    if not same:  # one row more tells how many questions a resample has
        halves = np.vstack((halves, sizes.astype(np.float32)))
    rows = np.empty((len(halves), resamples), dtype=np.float32)
    some = np.flatnonzero(halves.any(axis=0))
    sparse = 2 * len(some) < count  # as differences are: most families have none
    halves = halves[:, some] if sparse else halves
    for block in blocks(resamples, count):
        own = counts[block].take(some, axis=1) if sparse else counts[block]
        rows[:, block] = halves @ own.T.astype(np.float32)
    taken = np.ones(resamples) if same else rows[-1].astype(np.float64)
    made = rows if same else rows[:-1] / taken
    errors = np.where(whole, 0.0, (count + 1) / 2 / taken.min())
    found = tails(made, share, errors.tolist(), partial(_exact, counts, sums * scale, taken))
    return rounded(found / scale[:, None] / (len(table) if same else 1))


def _exact(
    counts: npt.NDArray[np.uint16], sums: FloatArray, taken: FloatArray, column: int, chosen: IntArray
) -> FloatArray:
    """What some resamples of a column come to."""
    found: FloatArray = counts[chosen] @ sums[:, column] / taken[chosen]
    return found
