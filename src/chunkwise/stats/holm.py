"""Holm's correction for several tests."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import FloatArray


def holm(p: npt.ArrayLike) -> FloatArray:
    """Adjusted p of several tests.

    Where those below 0.05 are rejected, any false one is among them in at most 5 % of all cases,
    whatever ties the tests to each other. The smallest of m is multiplied by m, the next one by m - 1,
    and so on; none becomes smaller than the one before it, or greater than 1.

    The tests must have been named before the scores were seen. Tests of all rows against the row with
    the highest score were not: there the adjusted p may say that the highest row is ahead of *all*
    others, not that it is ahead of some (see `against_best`).

    Source: Holm (1979), A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal
    of Statistics 6.

    Args:
        p: shape [m] or [k, m]; the tests of the last axis are corrected together.

    Returns:
        The same shape.

    Raises:
        ValueError: a p below 0 or above 1, or a single number.
    """
    raw = np.asarray(p, dtype=np.float64)
    if raw.ndim == 0:
        raise ValueError("Holm's correction takes a row of p, got a single number")
    if not ((raw >= 0) & (raw <= 1)).all():
        raise ValueError("each p must lie between 0 and 1")
    order = np.argsort(raw, axis=-1, kind="stable")
    steps = np.take_along_axis(raw, order, -1) * np.arange(raw.shape[-1], 0, -1)
    adjusted = np.empty_like(raw)
    np.put_along_axis(adjusted, order, np.minimum(np.maximum.accumulate(steps, axis=-1), 1.0), -1)
    return adjusted
