"""Means and paired differences with their bootstrap intervals over families.

Questions of one **family** (the same template, the same span) stand or fall together, so that whole
families are resampled: as many as there are, with replacement. A resample's mean is the sum of its
values over the number of its questions, a ratio estimator, because families differ in size.

The interval is the percentile interval. It has no width where all values are equal: ten hits of ten give
1 to 1, which is no promise for the eleventh question. A share s of all families, with
(1 - s)^f = (1 - level) / 2 for f families, may be of another kind and not have come up. So where no value
is below the middle of what the measure can have, a mean ends no higher than if that share had the least
value; and where all have the least, as if it had the greatest. For hits of 0 and 1 these are the exact
ends. With few families the percentile interval is too narrow: at 10 families by about a sixth, measured
against Student's t.

Sources: Efron and Tibshirani (1993), An Introduction to the Bootstrap, sections 8.3 and 13.3 (resampling
of the units that are independent; percentile interval); Davison and Hinkley (1997), Bootstrap
Methods and their Application, section 3.8, and Field and Welsh (2007), Bootstrapping Clustered Data, JRSS B
69(3) (whole groups with replacement); Cochran (1977), Sampling Techniques, chapter 6 (ratio
estimator); Clopper and Pearson (1934), Biometrika 26 (the exact end where all are alike).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chunkwise.stats.ends import are_near, percentiles
from chunkwise.stats.families import Families, FloatArray, IntArray, checked, family_sums, rounded
from chunkwise.stats.resamples import PARTS, in_parts, resampled
from chunkwise.stats.tails import tails


def bootstrap_means(
    values: npt.ArrayLike, families: Families, resamples: int = 2000, seed: int = 0
) -> FloatArray:
    """Means of resamples in which whole families are drawn with replacement.

    Each resample is one row of a matrix of multinomial counts (how often each family was drawn); all
    means come from two matrix products: (counts @ sums of families) / (counts @ sizes of families).

    Args:
        values: shape [n] or [n, m]: m measures of n questions. All columns share the same resamples, so
            that the difference of two columns of the result is the difference on the same questions.
        families: n labels; equal ones are one family.
        resamples: number of resamples, at least 1.
        seed: the same seed gives the same resamples, whatever the order of the questions.

    Returns:
        Shape [resamples, m]; m is 1 for values of shape [n]. With a single family every row is the mean.

    Raises:
        ValueError: no values, values that are not finite, or lengths that do not fit.
    """
    table, number = _checked(values, families, resamples)
    sums, sizes = family_sums(table, number)
    # Sums of small whole numbers are exact in half the digits, and taken twice as fast.
    parts, whole = in_parts(sums)
    halves, rest = parts[:, whole].astype(np.float32).T, sums[:, ~whole].T
    alike = bool((sizes == sizes[0]).all())
    # By measure: then the draws of each stand side by side, as their quantiles need them.
    means = np.empty((table.shape[1], resamples))
    for block, drawn in resampled(len(sizes), resamples, seed):
        counts = drawn.T.astype(np.float64) if rest.size or not alike else None
        taken = sizes @ counts if counts is not None and not alike else float(len(table))
        means[whole, block] = halves @ drawn.T.astype(np.float32)
        means[whole, block] /= taken * PARTS
        if counts is not None:
            means[~whole, block] = rest @ counts
            means[~whole, block] /= taken
    return means.T


def interval(draws: npt.ArrayLike, level: float = 0.95) -> FloatArray:
    """The percentile interval of bootstrap draws: their (1 - level) / 2 and (1 + level) / 2 quantiles.

    Source: Efron and Tibshirani (1993), section 13.3; quantiles by linear interpolation.

    Args:
        draws: shape [resamples] or [resamples, m].
        level: the share of draws inside, above 0 and below 1.

    Returns:
        Shape [2] or [m, 2]: low and high in the last axis, rounded to 12 decimals.

    Raises:
        ValueError: there are no draws, or the level is not between 0 and 1.
    """
    table = np.asarray(draws, dtype=np.float64)
    if not len(table):
        raise ValueError("an interval needs at least one draw")
    rows = np.ascontiguousarray(table.reshape(len(table), -1).T)
    return rounded(tails(rows, _outside(level)).reshape(*table.shape[1:], 2))


def _outside(level: float) -> float:
    """The share of draws on each side of an interval."""
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval must lie between 0 and 1, got {level}")
    return (1 - level) / 2


def mean_interval(
    values: npt.ArrayLike,
    families: Families,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> FloatArray:
    """Means of measures with their percentile intervals; put all measures into one call.

    With fewer than two families nothing is known of how families differ: the interval is then all that
    is possible, `bounds`, also where all values are equal. A number and not NaN, which JSON cannot hold.
    Where no value is low, or all are the least, see above.

    Args:
        values: shape [n] or [n, m], see `bootstrap_means`.
        families: n labels.
        resamples: number of resamples.
        seed: the same seed gives the same interval.
        level: the share of resamples inside.
        bounds: the least and the greatest value that the measure can have.

    Returns:
        Shape [3] or [m, 3]: mean, low, high in the last axis, rounded to 12 decimals.

    Raises:
        ValueError: as `bootstrap_means` and `interval`.
    """
    table, number = _checked(values, families, resamples)
    result = _mean_interval(table, number, resamples, seed, level, bounds)
    count = int(number.max()) + 1
    if count > 1:
        least, greatest = bounds
        unseen = 1 - ((1 - level) / 2) ** (1 / count)
        high = (table > (least + greatest) / 2).all(axis=0)
        lost = rounded(result[:, 0] - unseen * (result[:, 0] - least))
        result[high, 1] = np.minimum(result[high, 1], lost[high])
        # Not where values are small only: there are measures whose greatest value nothing comes near.
        result[(table == least).all(axis=0), 2] = round(least + unseen * (greatest - least), 12)
    return result[0] if np.ndim(values) == 1 else result


def _mean_interval(
    table: FloatArray,
    number: IntArray,
    resamples: int,
    seed: int,
    level: float,
    bounds: tuple[float, float],
) -> FloatArray:
    """Means of columns with their percentile intervals; of a single family with the bounds."""
    result = np.empty((table.shape[1], 3))
    result[:, 0] = rounded(table.mean(axis=0))
    sizes = np.bincount(number)
    if len(sizes) == 1:
        result[:, 1:] = bounds
    elif are_near(sizes, resamples):
        result[:, 1:] = percentiles(table, number, resamples, seed, _outside(level))
    else:
        result[:, 1:] = interval(bootstrap_means(table, number, resamples, seed), level)
    return result


def paired_interval(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    families: Families,
    *,
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> FloatArray:
    """The mean of a - b, question by question, with its percentile interval.

    Both are resampled on the same questions. To compare many rows with one, put them into the
    columns of `a` and repeat `b`, or leave it as one column: all share one set of resamples.

    Args:
        a: shape [n] or [n, m].
        b: the same shape, or [n, 1].
        families: n labels. With fewer than two of them the interval is `bounds`, see `mean_interval`.
        resamples: number of resamples.
        seed: the same seed gives the same interval.
        level: the share of resamples inside.
        bounds: the least and the greatest difference that is possible.

    Returns:
        Shape [3] or [m, 3]: mean difference, low, high in the last axis, rounded to 12 decimals.

    Raises:
        ValueError: the shapes do not fit; else as `bootstrap_means` and `interval`.
    """
    left, right = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if left.ndim != right.ndim or len(left) != len(right) or right.shape[1:] not in (left.shape[1:], (1,)):
        raise ValueError(f"paired values must have the same shape, got {left.shape} and {right.shape}")
    table, number = _checked(left - right, families, resamples)
    result = _mean_interval(table, number, resamples, seed, level, bounds)
    return result[0] if left.ndim == 1 else result


def _checked(
    values: npt.ArrayLike, families: Families, resamples: int
) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    found = checked(values, families)
    if resamples < 1:
        raise ValueError(f"the number of resamples must be at least 1, got {resamples}")
    return found
