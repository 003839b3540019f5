"""Quantiles near the ends of many long rows, without sorting the rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import floor
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import FloatArray

Numbers: TypeAlias = npt.NDArray[np.intp]

_SAMPLE = 256  # values that tell where the ends of a row begin; rows are in no order


def tails(
    rows: npt.NDArray[Any],
    share: float,
    errors: Sequence[float] = (),
    exact: Callable[[int, Numbers], FloatArray] | None = None,
) -> FloatArray:
    """The `share` and the `1 - share` quantile of each row, by linear interpolation.

    The same as `numpy.quantile`, several times as fast where the share is small.

    Args:
        rows: shape [m, n], the values of each row in no order.
        share: from 0 to 1/2.
        errors: for each row how far from the true ones its values may be at most.
        exact: `exact(row, places)` gives true values, and is asked for those that may be the quantiles of a
            row with an error; None: all values are true.

    Returns:
        Shape [m, 2].
    """
    count = rows.shape[1]
    low, high = (count - 1) * share, (count - 1) * (1 - share)
    need = floor(low) + 2
    # A sample tells what may be among the first or last ones: mostly less than a tenth of a row.
    sample = min(_SAMPLE, count)
    cut = min(2 * need * sample // count + 8, sample - 1)
    found = np.empty((len(rows), 2))
    for i, (row, ends) in enumerate(zip(rows, found, strict=True)):
        some = np.sort(row[:sample])
        first = row[(row <= some[cut]).nonzero()[0]]
        last = row[(row >= some[sample - 1 - cut]).nonzero()[0]]
        for side, (values, place) in enumerate(((first, low), (last, high))):
            rising = np.sort(values if len(values) >= need else row)
            own = place - (count - len(rising)) * side
            if exact is not None and errors[i]:
                rising, own = _true(row, rising, own, place, errors[i], partial(exact, i))
            ends[side] = _at(rising, own)
    return found


def _true(
    row: npt.NDArray[Any], rising: npt.NDArray[Any], own: float, place: float, error: float, exact: Any
) -> tuple[FloatArray, float]:
    """The true values that may stand at a place of a row, sorted, and the place among them.

    Args:
        row: values that are off by no more than `error`.
        rising: its first or its last ones, sorted.
        own: the place among these.
        place: the place in the row.
        error: how far off.
        exact: gives true values by their numbers.
    """
    before, behind = _around(rising, own)
    # The true value at a place is off by no more than those that seem to stand there.
    least, most = rising[before] - 2 * error, rising[behind] + 2 * error
    chosen = ((row >= least) & (row <= most)).nonzero()[0]
    return np.sort(exact(chosen)), place - np.count_nonzero(row < least)


def _around(rising: npt.NDArray[Any], place: float) -> tuple[int, int]:
    before = min(floor(place), len(rising) - 1)
    return before, min(before + 1, len(rising) - 1)


def _at(rising: npt.NDArray[Any], place: float) -> float:
    """What stands at a place of sorted values, or between two of them."""
    before, behind = _around(rising, place)
    low, high = float(rising[before]), float(rising[behind])
    return low + (high - low) * (place - before)
