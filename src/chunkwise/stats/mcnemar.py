"""McNemar's test for measures that are 0 or 1, such as hit@k."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import Families, FloatArray, checked, family_sums, rounded


def mcnemar_midp(differences: npt.ArrayLike, families: Families) -> FloatArray:
    """Two-sided mid-p of McNemar's exact test, for many paired differences at once.

    Of the m questions that one candidate answers and the other does not, those won by the first are
    binomial with 1/2 if the two are equally good. The exact test gives that half too much: it reaches
    its level only at few values of m. The mid-p counts the observed outcome by half: with b and c wins
    and b < c, p = 2 P(X <= b) - P(X = b); with b = c, p = 1 - P(X = b) / 2.

    **By family.** Questions of one family are no independent trials, so that a family is one trial: won
    by the candidate that answers more of its questions, and no trial where both answer as many. With a
    question a family this is McNemar's test. With larger ones it is the sign test on families (Dixon and
    Mood 1946): it asks who wins more *families*, each counting the same, while `sign_flip` asks who has
    the higher *mean*, in which large families and large differences count more. The two can disagree;
    the sign flip is the one that fits the figures of a report, and this one a second opinion that no
    single family can carry. Nothing but the signs is used, so that any measure may be handed in.

    Sources: McNemar (1947), Psychometrika 12; Fagerland, Lydersen and Laake (2013), The McNemar test for
    binary matched-pairs data: mid-p and asymptotic are better than exact conditional, BMC Medical
    Research Methodology 13:91.

    Args:
        differences: shape [n] or [n, m]: differences of n questions for m pairs or measures.
        families: n labels; equal ones are one family.

    Returns:
        Shape [m]; m is 1 for differences of shape [n]. 1 where no family differs.

    Raises:
        ValueError: no values, values that are not finite, or lengths that do not fit.
    """
    sums = family_sums(*checked(differences, families))[0]
    won, lost = (sums > 0).sum(axis=0).tolist(), (sums < 0).sum(axis=0).tolist()
    return rounded(np.array([_midp(min(b, c), b + c) for b, c in zip(won, lost, strict=True)]))


def _midp(fewer: int, trials: int) -> float:
    """Whole numbers until the one division at the end: no sum of small shares loses digits."""
    below, ways = 0, 1  # ways to have fewer wins, and to have as many
    for k in range(fewer):
        below += ways
        ways = ways * (trials - k) // (k + 1)
    if trials == 0:
        return 1.0
    if 2 * fewer == trials:
        return ((1 << trials + 1) - ways) / (1 << trials + 1)
    return (2 * below + ways) / (1 << trials)
