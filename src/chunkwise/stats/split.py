"""Questions split by family: the same names always fall the same way."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from chunkwise.stats.families import Families, IntArray

LEAST_QUESTIONS = 60
"""With fewer questions than that, half of them say too little."""
LEAST_FAMILIES = 20
"""With fewer families than that, likewise."""
FOLDS = 5
_LEAST_SHARE = 0.25  # of the questions, in the smaller half


@dataclass(frozen=True, slots=True)
class Split:
    """How questions are divided, so that what is chosen on some is reported on others."""

    kind: str
    """`halves`: chosen on part 0, reported on part 1. `folds`: for each part chosen on all others, and
    reported on it. `none`: a single family, which cannot be divided."""
    parts: IntArray
    """The part of each question."""


def half_of(family: str | int, salt: str = "") -> int:
    """0 or 1, by the family's name alone: another family that comes or goes moves no other one.

    Args:
        family: its name.
        salt: another one divides otherwise.
    """
    return _hash(family, salt) & 1


def halves(families: Families, salt: str = "") -> IntArray:
    """For each question the half of its family, 0 or 1, as `half_of`. The halves differ in size."""
    half = {label: half_of(label, salt) for label in set(families)}
    return np.array([half[label] for label in families], dtype=np.int64)


def folds(families: Families, count: int = FOLDS, salt: str = "") -> IntArray:
    """For each question the fold of its family, 0 to count - 1.

    Families are dealt round in the order of their hash: the numbers of families in two folds differ by
    one at most, and the order of the questions does not matter. Unlike `halves`, a new family may move
    others.

    Raises:
        ValueError: fewer than 2 folds, or fewer families than folds.
    """
    labels = sorted(set(families), key=lambda label: (_hash(label, salt), str(label)))
    if not 2 <= count <= len(labels):
        raise ValueError(f"{len(labels)} families can be dealt to 2 to {len(labels)} folds, not to {count}")
    fold = {label: i % count for i, label in enumerate(labels)}
    return np.array([fold[label] for label in families], dtype=np.int64)


def split(families: Families, salt: str = "") -> Split:
    """Halves where there are enough questions, else folds for cross-fitting.

    Enough are 60 questions of 20 families, with a quarter of the questions in the smaller half. Else the
    families are dealt to five folds, or to as many as there are families.

    Source: Cox (1975), A Note on Data-Splitting for the Evaluation of Significance Levels, Biometrika
    62; for folds Stone (1974), Cross-Validatory Choice and Assessment of Statistical Predictions, JRSS B
    36, and Chernozhukov et al. (2018), Double/Debiased Machine Learning, Econometrics Journal 21.

    Raises:
        ValueError: there are no questions.
    """
    if not len(families):
        raise ValueError("there are no questions to split")
    count = len(set(families))
    if count < 2:
        return Split("none", np.zeros(len(families), dtype=np.int64))
    if len(families) >= LEAST_QUESTIONS and count >= LEAST_FAMILIES:
        parts = halves(families, salt)
        if _LEAST_SHARE <= parts.mean() <= 1 - _LEAST_SHARE:
            return Split("halves", parts)
    return Split("folds", folds(families, min(FOLDS, count), salt))


def _hash(family: str | int, salt: str) -> int:
    """Python's own hash differs from run to run. A line end keeps salt and name apart."""
    name = f"{salt}\n{family}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "big")
