"""The sign-flip test: counted by hand, against scipy, and by family."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.stats import families as arrays
from chunkwise.stats import sign_flip
from chunkwise.stats.flips import all_signs, randomly_flipped


def by_hand(sums: list[float]) -> float:
    """The share of all flips whose sum is as far from 0."""
    flips = itertools.product([1, -1], repeat=len(sums))
    totals = [abs(sum(s * x for s, x in zip(signs, sums, strict=True))) for signs in flips]
    return float(np.mean([total >= abs(sum(sums)) - 1e-9 for total in totals]))


@pytest.mark.parametrize(
    ("changes", "p"),
    [
        ([1] * 6, 2 / 64),
        ([1] * 5, 2 / 32),
        ([-1] * 6, 2 / 64),
        ([1] * 6 + [-1], 16 / 128),
        ([1, -1], 1.0),
        ([], 1.0),
        ([0.5, 0.25, 1.0], 2 / 8),
    ],
)
def test_few_families_are_counted(changes: list[float], p: float) -> None:
    differences = [0.0] * 40 + changes
    assert sign_flip(differences, range(len(differences))).tolist() == [p]


@given(st.lists(st.integers(-4, 4).map(lambda i: i / 3), min_size=1, max_size=9))
def test_the_count_is_that_of_all_flips(changes: list[float]) -> None:
    assert sign_flip(changes, range(len(changes)))[0] == pytest.approx(by_hand(changes), abs=1e-12)


def test_a_family_is_flipped_as_a_whole() -> None:
    # Sums of families: 2, 0, 1, -1/2. Only the first, third and fourth play a part.
    differences = [1.0, 1.0, 0.5, -0.5, 1.0, -0.5]
    assert sign_flip(differences, list("aabbcd"))[0] == by_hand([2, 1, -0.5]) == 0.5
    many = sign_flip(np.repeat([1.0] * 4, 10), np.repeat(range(4), 10))
    assert many[0] == 2 / 16  # forty questions, but four families


def test_it_agrees_with_scipy_where_all_flips_are_counted() -> None:
    reference = pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(3)
    differences = generator.random((12, 4)) - 0.4
    theirs = reference.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=np.inf, axis=0, vectorized=True
    )
    np.testing.assert_allclose(sign_flip(differences, range(12)), theirs.pvalue, atol=1e-12)


def test_it_agrees_with_scipy_where_flips_are_drawn() -> None:
    reference = pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(4)
    sizes = generator.integers(1, 6, 60)
    families = np.repeat(np.arange(60), sizes)
    differences = generator.normal(0.1, 0.5, (len(families), 3)) * [1, 1.5, 0.3]
    sums = np.add.reduceat(differences, np.flatnonzero(np.r_[1, np.diff(families)]), axis=0)
    theirs = reference.permutation_test(
        (sums,), np.sum, permutation_type="samples", n_resamples=20_000, axis=0, vectorized=True, rng=5
    )
    np.testing.assert_allclose(sign_flip(differences, families, flips=20_000), theirs.pvalue, atol=0.012)


def test_sums_that_are_reached_exactly_count() -> None:
    binom = pytest.importorskip("scipy.stats").binom
    differences = [0.1] * 15 + [-0.1] * 5  # fifteen of twenty, in steps that no double holds
    p = sign_flip(differences, range(20), flips=20_000)[0]
    assert p == pytest.approx(2 * binom.cdf(5, 20, 0.5), abs=0.005)  # 0.041; beyond it lies 0.012


def test_the_smallest_p_of_drawn_flips_is_not_zero() -> None:
    assert sign_flip([1.0] * 200, range(200), flips=999)[0] == 1 / 1000


def test_drawn_and_counted_flips_agree() -> None:
    differences = np.random.default_rng(2).normal(0.25, 1, 12)
    counted = sign_flip(differences, range(12), flips=1 << 12)
    drawn = sign_flip(differences, range(12), flips=(1 << 12) - 1)
    assert counted[0] != drawn[0]
    assert counted[0] == pytest.approx(drawn[0], abs=0.02)


def test_columns_share_their_flips_and_keep_their_own_p() -> None:
    differences = np.random.default_rng(8).normal(0.05, 1, (50, 3))
    differences[3:, 1] = 0  # three families: counted
    together = sign_flip(differences, range(50), flips=500, seed=4)
    alone = [sign_flip(column, range(50), flips=500, seed=4)[0] for column in differences.T]
    np.testing.assert_array_equal(together, alone)


def test_neither_order_nor_side_matters() -> None:
    generator = np.random.default_rng(5)
    differences = generator.integers(-2, 3, 60) / 3
    families = [f"t{i % 23}" for i in range(60)]
    order = generator.permutation(60)
    p = sign_flip(differences, families, flips=700)
    np.testing.assert_array_equal(p, sign_flip(differences[order], [families[i] for i in order], flips=700))
    np.testing.assert_array_equal(p, sign_flip(-differences, families, flips=700))


def test_a_seed_gives_one_result_and_another_seed_another() -> None:
    differences = np.random.default_rng(6).normal(0.1, 1, 40)
    first = sign_flip(differences, range(40), flips=400, seed=1)
    assert np.array_equal(first, sign_flip(differences, range(40), flips=400, seed=1))
    assert not np.array_equal(first, sign_flip(differences, range(40), flips=400, seed=2))


def test_little_memory_gives_the_same_flips(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate(list(randomly_flipped(np.eye(70), 90, seed=1)))
    monkeypatch.setattr(arrays, "BLOCK", 1000)
    blocks = list(randomly_flipped(np.eye(70), 90, seed=1))
    assert len(blocks) > 1
    np.testing.assert_array_equal(np.concatenate(blocks), whole)


def test_sums_by_eight_are_the_sums_of_the_flipped_families() -> None:
    for families in (1, 7, 8, 9, 64, 65, 130):
        sums = np.random.default_rng(families).normal(size=(families, 3))
        signs = np.concatenate(list(randomly_flipped(np.eye(families), 50, seed=4)))
        found = np.concatenate(list(randomly_flipped(sums, 50, seed=4)))
        np.testing.assert_allclose(found, signs @ sums, rtol=0, atol=1e-12)


def test_signs_are_fair_and_all_of_them_are_listed_once() -> None:
    drawn = np.concatenate(list(randomly_flipped(np.eye(100), 2000, seed=0)))
    assert set(np.unique(drawn)) == {-1.0, 1.0}
    assert np.abs(drawn.mean(axis=0)).max() < 0.1
    rows = {tuple(row) for row in all_signs(5)}
    assert len(rows) == 16
    assert rows | {tuple(-x for x in row) for row in rows} == set(itertools.product([1.0, -1.0], repeat=5))


def test_what_cannot_be_flipped_is_refused() -> None:
    with pytest.raises(ValueError, match="number of flips must be at least 1, got 0"):
        sign_flip([1.0], ["a"], flips=0)
    with pytest.raises(ValueError, match="finite"):
        sign_flip([np.nan], ["a"])
    with pytest.raises(ValueError, match="2 values need as many families, got 1"):
        sign_flip([1.0, 0.0], ["a"])
