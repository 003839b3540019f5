"""All pairs of candidates on one measure, and the best one against the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import Families, FloatArray, IntArray, checked, family_sums, rounded
from chunkwise.stats.flips import CLOSE, all_signs, check_flips, exact, most_counted, randomly_flipped

# Means are compared to so many decimals: a lead below that is none.
_LEAD = 6


@dataclass(frozen=True, slots=True)
class PairTests:
    """Every candidate against every other one: tables of [c, c], for several measures [c, c, m].

    On their diagonals no difference has p = 1.
    """

    means: FloatArray
    """Mean of each candidate, [c] or [c, m]."""
    differences: FloatArray
    """Mean of the row's candidate minus mean of the column's."""
    differing: IntArray
    """Number of families in which the two differ."""
    p: FloatArray
    """Two-sided p of the sign-flip test, for a pair named before the scores were seen."""
    adjusted: FloatArray
    """The same, corrected for all pairs of the measure: any number of pairs may be picked by their
    scores."""


@dataclass(frozen=True, slots=True)
class AgainstBest:
    """The candidate with the highest mean against each other one; arrays of [c]."""

    best: int
    """Number of the candidate with the highest mean, the first of equals."""
    p: FloatArray
    """Two-sided p of the sign-flip test; 1 for the best itself."""
    adjusted: FloatArray
    """Corrected for the number of candidates and for having picked the best by these scores; 1 for the
    best itself."""
    differing: IntArray
    """Number of families in which the two differ."""

    def ruled_out(self, alpha: float = 0.05) -> npt.NDArray[np.bool_]:
        """Which candidates are worse than the best by more than chance."""
        worse: npt.NDArray[np.bool_] = self.adjusted < alpha
        return worse

    def is_winner(self, alpha: float = 0.05) -> bool:
        """Whether all others are ruled out."""
        return len(self.adjusted) > 1 and int(self.ruled_out(alpha).sum()) == len(self.adjusted) - 1


def pair_tests(scores: npt.ArrayLike, families: Families, *, flips: int = 10_000, seed: int = 0) -> PairTests:
    """Sign-flip tests of all pairs of candidates, with a correction for all of them together.

    The statistic of a pair is the sum of its differences over the root of the sum of their squares (by
    family), which makes pairs with few and with many differing families comparable and gives each pair
    the p of `sign_flip`. A flip changes a family's sign for all candidates at once, so that the tests
    are tied to each other as the scores are: twelve copies of a candidate count as one. The adjusted
    p of the largest statistic is the share of flips in which *any* pair reaches it; then that pair
    is put aside, and so on (step-down). Where adjusted p below 0.05 are rejected, a pair that does not
    differ is among them in at most 5 % of all cases, whichever the pairs are that do differ. That is
    proved for many families; how close it is with few, the tests count.

    Sources: Westfall and Young (1993), Resampling-Based Multiple Testing, algorithm 2.8 (step-down
    maxima); Romano and Wolf (2005), Exact and Approximate Stepdown Methods for Multiple Hypothesis
    Testing, JASA 100 (control whichever hypotheses hold); for p see `sign_flip`.

    Args:
        scores: shape [n, c] or [n, c, m]: c candidates on n questions, on m measures. Each measure is
            corrected for itself: name the one that decides beforehand.
        families: n labels; equal ones are one family.
        flips: number of random flips. All flips are counted, once, where 2^f is at most that for the f
            families in which any two candidates differ.
        seed: the same seed gives the same flips, whatever the order of the questions.

    Raises:
        ValueError: no scores or candidates, scores that are not finite, shapes that do not fit, no flips.
    """
    cube = np.asarray(scores, dtype=np.float64)
    if cube.ndim not in (2, 3) or 0 in cube.shape:
        raise ValueError(f"scores must have the shape [n, c] or [n, c, m], none of them 0, got {cube.shape}")
    check_flips(flips)
    n, c = cube.shape[:2]
    table, number = checked(cube.reshape(n, -1), families)
    flat = family_sums(table, number)[0]
    sums = flat.reshape(len(flat), c, -1)
    active = [np.ptp(sums[:, :, k], axis=1) > 0 for k in range(sums.shape[2])]
    few = [int(a.sum()) <= most_counted(flips) for a in active]
    drawn = np.empty((0, 0, 0))
    if not all(few):
        drawn = np.concatenate(list(randomly_flipped(flat, flips, seed))).reshape(flips, c, -1)
    p, adjusted = np.ones((c, c, len(few))), np.ones((c, c, len(few)))
    for k, counted in enumerate(few):
        flipped = all_signs(int(active[k].sum())) @ sums[active[k], :, k] if counted else drawn[:, :, k]
        p[:, :, k], adjusted[:, :, k] = _step_down(sums[:, :, k], flipped, counted, flips)
    means = rounded(sums.sum(axis=0) / n)
    shape = (c, c) if cube.ndim == 2 else (c, c, -1)
    return PairTests(
        means if cube.ndim == 3 else means[:, 0],
        rounded(means[:, None] - means[None]).reshape(shape),
        (rounded(sums[:, :, None] - sums[:, None]) != 0).sum(axis=0).reshape(shape),
        rounded(p).reshape(shape),
        rounded(adjusted).reshape(shape),
    )


def _step_down(sums: FloatArray, flipped: FloatArray, counted: bool, flips: int) -> tuple[FloatArray, ...]:
    """The p and the adjusted p of all pairs, [c, c] each.

    Args:
        sums: by family and candidate.
        flipped: sums over the families after each flip, by flip and candidate.
        counted: whether these are all flips there are.
        flips: up to how many are counted for a single pair.
    """
    c = sums.shape[1]
    rows, columns = np.triu_indices(c, 1)
    apart = rounded(sums[:, rows] - sums[:, columns])
    spread = np.sqrt((apart**2).sum(axis=0))
    spread[spread == 0] = np.inf
    observed = np.abs(apart.sum(axis=0)) / spread
    by_candidate = np.ascontiguousarray(flipped.T)
    added = 0 if counted else 1
    below = np.zeros(len(flipped))  # in each flip the largest statistic of the pairs seen so far
    p, adjusted = np.ones((c, c)), np.ones((c, c))
    order = np.argsort(-observed, kind="stable")
    corrected = np.empty(len(order))
    for pair in order[::-1]:
        i, j = rows[pair], columns[pair]
        statistic = np.abs(by_candidate[i] - by_candidate[j]) / spread[pair]
        np.maximum(below, statistic, out=below)
        reached = observed[pair] - CLOSE
        single = float(added + np.count_nonzero(statistic >= reached)) / (added + len(flipped))
        differ = apart[apart[:, pair] != 0, pair]
        if not counted and len(differ) <= most_counted(flips):
            single = exact(differ)
        p[i, j] = p[j, i] = single
        corrected[pair] = max(single, (added + np.count_nonzero(below >= reached)) / (added + len(flipped)))
    corrected[order] = np.maximum.accumulate(corrected[order])
    adjusted[rows, columns] = adjusted[columns, rows] = corrected
    return p, adjusted


def against_best(tests: PairTests, best: int | None = None) -> AgainstBest:
    """The candidate with the highest mean against each other one, corrected for having picked it.

    Two claims are corrected in two ways, and the adjusted p is the smaller:

    - *The best is ahead of every other one.* The largest of its c - 1 plain p, without any further
      correction: an intersection-union test. The claim is one claim, and it is false as soon as one of
      its parts is; each part is tested at the full level, and all of them must be rejected. Nor does it
      cost anything that the best was picked by the same scores: only one candidate can be ahead of all
      others, so that where two are equally good and best the claim comes up by chance for the one in 2.5 %
      and for the other in 2.5 %; with three or more it is rarer still. With it every other one is
      ruled out at once, which is also the first step of Hochberg's procedure.
    - *The best is ahead of this one*, although perhaps not of all. Here the picking matters: the highest
      of twelve equal candidates against the lowest is the widest of 66 differences, and Holm over eleven
      tests lets a false claim through in up to 15 % of trials. The p adjusted for all pairs does not.

    The benchmark `benchmarks.stats` and the tests count how often each claim is false.

    Sources: Berger (1982), Multiparameter Hypothesis Testing and Acceptance Sampling, Technometrics
    24; Hochberg (1988), A Sharper Bonferroni Procedure for Multiple Tests of Significance, Biometrika 75;
    Hsu (1996), Multiple Comparisons, chapters 4 and 5 (with the best, and all pairs).

    Args:
        tests: of one measure.
        best: the number of the candidate to compare with, if it is known; it must then have the highest
            mean. Without it, the first of those whose mean to 6 decimals is the highest.

    Raises:
        ValueError: the tests are of several measures, or `best` has not the highest mean.
    """
    if tests.means.ndim != 1:
        raise ValueError("the best is that of one measure; test the one that decides by itself")
    means = tests.means.round(_LEAD)
    if best is None:
        best = int(means.argmax())
    elif means[best] < means.max():
        raise ValueError(f"candidate {best} has not the highest mean")
    others = np.arange(len(means)) != best
    adjusted = tests.adjusted[best].copy()
    ahead_of_all = tests.p[best, others].max(initial=0.0)
    adjusted[others] = np.minimum(adjusted[others], ahead_of_all)
    return AgainstBest(best, tests.p[best].copy(), adjusted, tests.differing[best].copy())
