"""Statistics: arrays in, numbers out. Knows nothing of chunks.

Questions of one family stand or fall together, so that families are what is resampled, flipped,
counted and split, everywhere. Means are means over questions.

- `bootstrap`: means and paired differences with intervals
- `flips`, `mcnemar`: is this pair apart?
- `holm`, `pairs`: the same for many pairs, and for the best among many
- `power`: what these questions could show, and how many it takes
- `best`: the probability of being best; is the cheaper one good enough?
- `split`, `selection`: choose on some questions, report on others
"""

from __future__ import annotations

from chunkwise.stats.best import least_for_margin, non_inferior, probability_best
from chunkwise.stats.bootstrap import bootstrap_means, interval, mean_interval, paired_interval
from chunkwise.stats.flips import sign_flip
from chunkwise.stats.holm import holm
from chunkwise.stats.mcnemar import mcnemar_midp
from chunkwise.stats.pairs import AgainstBest, PairTests, against_best, pair_tests
from chunkwise.stats.power import (
    detectable_at,
    detectable_difference,
    least_families,
    questions_for,
    questions_needed,
)
from chunkwise.stats.selection import Selected, choose_and_report, highest
from chunkwise.stats.split import Split, folds, half_of, halves, split

__all__ = [
    "AgainstBest",
    "PairTests",
    "Selected",
    "Split",
    "against_best",
    "bootstrap_means",
    "choose_and_report",
    "detectable_at",
    "detectable_difference",
    "folds",
    "half_of",
    "halves",
    "highest",
    "holm",
    "interval",
    "least_families",
    "least_for_margin",
    "mcnemar_midp",
    "mean_interval",
    "non_inferior",
    "pair_tests",
    "paired_interval",
    "probability_best",
    "questions_for",
    "questions_needed",
    "sign_flip",
    "split",
]
