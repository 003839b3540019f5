"""The paired permutation test: signs of whole families are flipped."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from chunkwise.stats.families import Families, FloatArray, blocks, checked, family_sums, rounded

# Statistics this close count as equal: what is summed in another order differs in the last bits.
CLOSE = 1e-9
# The signs that the bits of a byte stand for, [256, 8].
_SIGNS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1) * 2.0 - 1.0


def sign_flip(
    differences: npt.ArrayLike, families: Families, *, flips: int = 10_000, seed: int = 0
) -> FloatArray:
    """Two-sided p of the paired permutation test, for many paired differences at once.

    If two candidates are equally good, each family could as well have come out the other way round: the
    sign of its summed difference is a fair coin. The statistic is the absolute sum over all families, and
    p the share of coin flips that reach the observed one. As the number of questions is the same in each
    of them, the sum orders them as the mean of the questions does, also where families differ in size.

    Families that do not differ play no part. Where m others do and 2^m is at most `flips`, all flips are
    counted, and p is exact; else p = (1 + c) / (1 + flips), where c random flips reach the sum. All
    columns share their flips. Six families that all change the same way give 2 / 2^6 = 0.031, five give
    0.062: with fewer than six nothing is told apart at 5 %.

    Sources: Fisher (1935), The Design of Experiments, section 21; Edgington and Onghena (2007),
    Randomization Tests; Phipson and Smyth (2010), Permutation P-values Should Never Be Zero (the 1 added
    to both parts); Smucker, Allan and Carterette (2007), A Comparison of Statistical Significance Tests
    for Information Retrieval Evaluation.

    Args:
        differences: shape [n] or [n, m]: differences of n questions for m pairs of candidates, or
            measures, or both.
        families: n labels; equal ones are one family.
        flips: number of random flips, at least 1.
        seed: the same seed gives the same flips, whatever the order of the questions.

    Returns:
        Shape [m]; m is 1 for differences of shape [n].

    Raises:
        ValueError: no values, values that are not finite, lengths that do not fit, or no flips.
    """
    table, number = checked(differences, families)
    check_flips(flips)
    sums = family_sums(table, number)[0]
    few = (sums != 0).sum(axis=0) <= most_counted(flips)
    p = np.empty(sums.shape[1])
    p[few] = [exact(column[column != 0]) for column in sums.T[few]]
    if not few.all():
        many = sums[:, ~few]
        reached = np.abs(many.sum(axis=0)) - CLOSE
        count = np.zeros(many.shape[1])
        for flipped in randomly_flipped(many, flips, seed):
            count += (np.abs(flipped) >= reached).sum(axis=0)
        p[~few] = (1 + count) / (1 + flips)
    return rounded(p)


def exact(sums: FloatArray) -> float:
    """The p over all flips of a few families that differ; mirrored flips are counted once."""
    if not len(sums):
        return 1.0
    total = sums[:1]
    for value in sums[1:]:
        total = np.concatenate([total + value, total - value])
    return float(np.mean(np.abs(total) >= abs(sums.sum()) - CLOSE))


def all_signs(count: int) -> FloatArray:
    """Every flip of `count` families, one a row, without their mirrors: [2^(count - 1), count]."""
    rows = np.arange(1 << max(0, count - 1))[:, None]
    return 1.0 - 2.0 * ((rows >> np.arange(count)) & 1).astype(np.float64)


def randomly_flipped(sums: FloatArray, flips: int, seed: int) -> Iterator[FloatArray]:
    """What columns of sums by family come to after each of `flips` random flips, in blocks of rows.

    Each sign takes one bit. Eight families have 256 sums: a byte says which of them it is.
    """
    count, m = sums.shape
    words = -(-count // 64)
    eights = np.zeros((-(-count // 8), 8, m))
    eights.reshape(-1, m)[:count] = sums
    generator = np.random.default_rng(seed)
    for block in blocks(flips, max(8 * m, words // 16)):
        size = (block.stop - block.start, words)
        drawn = generator.integers(0, 1 << 64, size=size, dtype=np.uint64).astype("<u8")
        flipped = np.zeros((len(drawn), m))
        for eight, signs in zip(eights, drawn.view(np.uint8).T.copy(), strict=False):
            flipped += (_SIGNS @ eight).take(signs, axis=0)
        yield flipped


def most_counted(flips: int) -> int:
    """The most families whose flips are counted one by one: the largest m with 2^m <= flips."""
    return flips.bit_length() - 1


def check_flips(flips: int) -> None:
    """Raises `ValueError` where there are none."""
    if flips < 1:
        raise ValueError(f"the number of flips must be at least 1, got {flips}")
