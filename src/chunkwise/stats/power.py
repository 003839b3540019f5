"""What questions can show: the detectable difference, and how many questions settle a comparison.

One equation ties the number of trials n, the true mean difference d of a trial and the second moment s
of its differences (for hit@k: the share of questions that only one of the two answers):

    d sqrt(n) - h / sqrt(n) = z(1 - alpha / 2) sqrt(s) + z(power) sqrt(s - d^2)

On the left stands the expected statistic. The first term on the right is what the test asks for: its
spread is the root of s, as if the mean were 0. The second is what chance may take away: its spread is the
standard deviation. Trials are families, and d and s those of their sums. It is solved for d or for n.

h is a correction for continuity. Sums of whole numbers move in steps of 2 h under flips (for hit@k, h is 1),
and a test that keeps its level must wait for the next step, half a one on average. Other sums have no
steps to speak of, and h is 0.

An exact test of few families has a floor that this equation does not know: see `least_families`.

Sources: Miettinen (1968), The Matched Pairs Design in the Case of All-or-None Responses, Biometrics 24;
Connor (1987), Sample Size for Testing Differences in Proportions for the Paired-Sample Design,
Biometrics 43 (the equation for 0 and 1, with h = 0); Casagrande, Pike and Smith (1978), Biometrics
34 (the correction, there for two samples); Lachin (1981), Introduction to Sample Size Determination
and Power Analysis for Clinical Trials, Controlled Clinical Trials 2 (for any spread).
"""

from __future__ import annotations

from math import ceil, exp, inf, lgamma, log, log1p, log2, sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import Families, FloatArray, checked, family_sums, rounded

_WHOLE = 1e-9
_STEPS = 60  # halvings of a range: more than a double has digits
_MOST = 1 << 40  # families; where more are needed, no number of them is


def least_families(alpha: float = 0.05) -> int:
    """How many families must change, all the same way, before an exact test can reach `alpha`.

    m families that agree give p = 2 / 2^m: six give 0.031, five 0.062. With a correction for several
    candidates, hand in the corrected level.

    Raises:
        ValueError: the level is not between 0 and 1.
    """
    _check(alpha, 0.5)
    # 1e-9: a level that is itself a power of two is reached by just that many.
    return max(1, ceil(1 + log2(1 / alpha) - 1e-9))


def detectable_difference(
    differences: npt.ArrayLike, families: Families, *, power: float = 0.8, alpha: float = 0.05
) -> FloatArray:
    """The smallest true difference of means that these questions would show, for many pairs at once.

    "Show" means: a sign-flip test at `alpha` finds it in a share `power` of all samples like this one,
    given how much the paired differences vary from family to family. What is smaller may be there all
    the same. It is the larger of two numbers: the solution of the equation above, and the floor of the
    exact test: the smallest difference at which `least_families` of them change with that power, each as
    much as those that differ here. Where fewer than that differ, the missing ones are taken to change by
    all their questions: two families that differ a little tell nothing of how much a third would.

    Args:
        differences: shape [n] or [n, m]: differences of n questions for m pairs or measures.
        families: n labels; equal ones are one family.
        power: in which share of samples it would be found.
        alpha: level of the two-sided test; for several candidates the corrected one.

    Returns:
        Shape [m], in units of the measure; m is 1 for differences of shape [n]. Infinite where there are
        fewer families than must change, so that nothing can be shown.

    Raises:
        ValueError: no values, values that are not finite, lengths that do not fit, or a power or level
            that is not between 0 and 1.
    """
    _check(alpha, power)
    table, number = checked(differences, families)
    sums, sizes = family_sums(table, number)
    trials, questions = len(sums), len(table)
    least = least_families(alpha)
    share = _least_share(trials, least, power)
    found = np.full(sums.shape[1], inf)
    for k, column in enumerate(sums.T):
        differing = np.abs(column[column != 0])
        missing = max(0, least - len(differing))
        change = (differing.sum() + missing * sizes.mean()) / (len(differing) + missing)
        by_spread = _difference(trials, float((column**2).mean()), _half_step(differing), power, alpha)
        found[k] = max(by_spread, share * change) * trials / questions
    return rounded(found)


def detectable_at(questions: int, discordance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference in hit@k that so many questions would show, each a family of its own.

    Args:
        questions: their number.
        discordance: the share of them that only one of the two candidates answers, above 0, at most 1.
        power: in which share of samples it would be found.
        alpha: level of the two-sided test.

    Returns:
        A share; infinite where the questions cannot show anything, even if all that are discordant fall
        to the same side.

    Raises:
        ValueError: the discordance is not above 0 and at most 1, or a power or level not between them.
    """
    _check(alpha, power)
    _check_discordance(discordance)
    found = max(
        _difference(questions, discordance, 1.0, power, alpha),
        _least_share(questions, least_families(alpha), power),
    )
    return found if found <= discordance + 1e-12 else inf


def questions_needed(
    differences: npt.ArrayLike, families: Families, *, power: float = 0.8, alpha: float = 0.05
) -> FloatArray:
    """How many questions would settle a comparison, if the true difference is the one observed.

    The families of further questions are taken to be like those here: as large, as often different, by
    as much. The observed difference is a guess of the true one, and a poor one where these questions
    do not tell the two apart: say "about".

    Args:
        differences: shape [n] or [n, m]: differences of n questions for m pairs or measures.
        families: n labels; equal ones are one family.
        power: with which probability the comparison would then be settled.
        alpha: level of the two-sided test; for several candidates the corrected one.

    Returns:
        Shape [m]: whole numbers, these questions among them; infinite where the difference is 0.

    Raises:
        ValueError: as `detectable_difference`.
    """
    _check(alpha, power)
    table, number = checked(differences, families)
    sums = family_sums(table, number)[0]
    per_family = len(table) / len(sums)
    needed = []
    for column in sums.T:
        differing = np.abs(column[column != 0])
        moment, share = float((column**2).mean()), len(differing) / len(column)
        half_step = _half_step(differing)
        needed.append(_trials(abs(float(column.mean())), moment, half_step, share, power, alpha))
    return np.array([inf if n == inf else ceil(n * per_family - 1e-9) for n in needed], dtype=np.float64)


def questions_for(difference: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """How many questions, each a family of its own, show a difference in hit@k.

    Args:
        difference: the true one, not 0.
        discordance: the share of questions that only one of the two candidates answers; it cannot be
            less than the difference.
        power: with which probability it would be shown.
        alpha: level of the two-sided test.

    Returns:
        A whole number; infinite for a difference of 0.

    Raises:
        ValueError: the discordance is above 1 or less than the difference; as `detectable_at`.
    """
    _check(alpha, power)
    _check_discordance(discordance)
    if abs(difference) > discordance:
        raise ValueError(
            f"a difference of {abs(difference):g} needs that many discordant questions at least; "
            f"the discordance given is {discordance:g}"
        )
    return _trials(abs(difference), discordance, 1.0, discordance, power, alpha)


def _half_step(changes: FloatArray) -> float:
    """Half the step in which the sum of these changes moves when their signs are flipped; 0 for none."""
    whole = changes.round()
    if not len(changes) or (np.abs(changes - whole) > _WHOLE).any():
        return 0.0
    return float(np.gcd.reduce(whole.astype(np.int64)))


def _difference(trials: int, moment: float, half_step: float, power: float, alpha: float) -> float:
    """The equation solved for d: a quadratic, of which one root has the sign that it needs."""
    asked, lost = NormalDist().inv_cdf(1 - alpha / 2) * sqrt(moment), NormalDist().inv_cdf(power)
    asked += half_step / sqrt(trials)
    a, b, c = trials + lost**2, asked * sqrt(trials), asked**2 - lost**2 * moment
    root = b * b - a * c
    if root < 0:
        return inf
    # For a power below a half chance helps, and the smaller root is the one.
    return (b + sqrt(root) * (1 if lost >= 0 else -1)) / a


def _trials(
    difference: float, moment: float, half_step: float, differing: float, power: float, alpha: float
) -> float:
    """The equation solved for n, and at least so many that enough of them differ; rounded up."""
    if round(difference, 12) == 0:
        return inf
    asked, lost = NormalDist().inv_cdf(1 - alpha / 2), NormalDist().inv_cdf(power)
    right = asked * sqrt(moment) + lost * sqrt(max(0.0, moment - difference**2))
    root = (right + sqrt(right**2 + 4 * half_step * difference)) / (2 * difference)
    by_spread = max(1, ceil(root**2 - 1e-9)) if root > 0 else 1
    least = least_families(alpha)
    low, high = least - 1, max(least, by_spread)
    while _at_least(high, least, differing) < power:
        low, high = high, 2 * high
        if high > _MOST:
            return inf
    if high == by_spread:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _at_least(middle, least, differing) >= power else (middle, high)
    return max(high, by_spread)


def _least_share(trials: int, least: int, power: float) -> float:
    """The share of families that must truly change for `least` of them to change with that power."""
    if trials < least:
        return inf
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if _at_least(trials, least, middle) >= power else (middle, high)
    return high


def _at_least(trials: int, least: int, share: float) -> float:
    """Probability that at least `least` of `trials` come up, each with probability `share`."""
    if trials < least or share <= 0:
        return 0.0
    if share >= 1:
        return 1.0
    whole = lgamma(trials + 1)
    fewer = (
        exp(whole - lgamma(k + 1) - lgamma(trials - k + 1) + k * log(share) + (trials - k) * log1p(-share))
        for k in range(least)
    )
    return 1.0 - sum(fewer)


def _check(alpha: float, power: float) -> None:
    if not 0 < alpha < 1:
        raise ValueError(f"the level of a test must lie between 0 and 1, got {alpha}")
    if not 0 < power < 1:
        raise ValueError(f"power must lie between 0 and 1, got {power}")


def _check_discordance(discordance: float) -> None:
    if not 0 < discordance <= 1:
        raise ValueError(f"discordance must lie above 0 and at most at 1, got {discordance}")
