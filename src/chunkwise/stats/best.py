"""How often a candidate comes first, and whether a cheaper one is good enough."""

from __future__ import annotations

from math import ceil, log, log1p

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import FloatArray, rounded


def probability_best(draws: npt.ArrayLike) -> FloatArray:
    """The share of bootstrap resamples in which each candidate has the highest mean.

    Where several share the highest one, they share the resample. It may be read as the probability of
    being the best of these candidates on questions like these, if nothing was known beforehand (a
    bootstrap posterior). It is no test: of two candidates that differ in one question it gives one 63 %
    or more.

    Source: Efron (2012), Bayesian Inference and the Parametric Bootstrap, Annals of Applied Statistics
    6; Efron and Tibshirani (1998), The Problem of Regions, Annals of Statistics 26.

    Args:
        draws: shape [resamples, c], from `bootstrap_means`: all candidates on the same resamples.

    Returns:
        Shape [c]; the sum is 1.

    Raises:
        ValueError: no draws or candidates.
    """
    table = np.asarray(draws, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"draws must have the shape [resamples, c], none of them 0, got {table.shape}")
    table = rounded(table)
    first = table == table.max(axis=1, keepdims=True)
    return rounded((first / first.sum(axis=1, keepdims=True)).mean(axis=0))


def non_inferior(
    intervals: npt.ArrayLike, families: int, *, margin: float = 0.02, level: float = 0.95
) -> npt.NDArray[np.bool_]:
    """Whether a cheaper candidate is shown to be worse by less than a margin, for many at once.

    It is where the whole interval of its difference from the better one lies above -margin. That the two
    cannot be told apart is not enough: with few questions nothing can. For the same reason there must
    be `least_for_margin` families: an interval over fewer has no width where none of them differs, and yet
    candidates that differ by the margin would leave such a sample too often.

    Sources: Piaggio et al. (2012), Reporting of Noninferiority and Equivalence Randomized Trials, JAMA
    308; for the number of families see `least_for_margin`.

    Args:
        intervals: shape [2], [3], [m, 2] or [m, 3]: (mean,) low and high of the cheaper candidate's mean
            minus the better one's, from `paired_interval` at the same level.
        families: number of families they were taken over.
        margin: the difference, in units of the measure, that does not matter; above 0.
        level: of the intervals. Only the lower end counts, so that a false "not worse" comes up in at
            most (1 - level) / 2.

    Returns:
        Shape [] or [m].

    Raises:
        ValueError: intervals of another shape, a margin or level out of range.
    """
    table = np.asarray(intervals, dtype=np.float64)
    if table.ndim not in (1, 2) or table.shape[-1] not in (2, 3):
        raise ValueError(f"intervals must have the shape [m, 2] or [m, 3], got {table.shape}")
    enough = families >= least_for_margin(margin, level=level)
    above: npt.NDArray[np.bool_] = np.asarray((rounded(table[..., -2]) > -margin) & enough)
    return above


def least_for_margin(margin: float = 0.02, *, level: float = 0.95) -> int:
    """How many families a sample needs to rule out, by showing no loss at all, a loss of `margin`.

    If a share `margin` of all families is lost, n families show none of them with probability
    (1 - margin)^n, which must be at most (1 - level) / 2: 183 families for 0.02 at 0.95.

    Source: Clopper and Pearson (1934), Biometrika 26, for no events; Hanley and Lippman-Hand (1983), If
    Nothing Goes Wrong, Is Everything All Right?, JAMA 249.

    Raises:
        ValueError: the margin or the level is not between 0 and 1.
    """
    if not 0 < margin < 1:
        raise ValueError(f"the margin must lie between 0 and 1, got {margin}")
    if not 0 < level < 1:
        raise ValueError(f"the level of an interval must lie between 0 and 1, got {level}")
    return ceil(log((1 - level) / 2) / log1p(-margin))
