from __future__ import annotations

import numpy as np
import pytest

from chunkwise.stats import bootstrap_means
from chunkwise.stats.tails import tails


@pytest.mark.parametrize("count", [1, 2, 3, 39, 41, 256, 300, 9999])
@pytest.mark.parametrize("share", [0.0, 0.0005, 0.025, 0.25, 0.5])
def test_tails_are_numpys_quantiles(count: int, share: float) -> None:
    generator = np.random.default_rng(count)
    made = generator.normal(size=(4, count))
    for rows in (made, np.sort(made, axis=1), -np.sort(-made, axis=1), np.rint(made), np.zeros((2, count))):
        expected = np.quantile(rows, [share, 1 - share], axis=1).T
        np.testing.assert_allclose(tails(rows, share), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("count", [1, 2, 40, 300, 3000])
@pytest.mark.parametrize("error", [1e-9, 0.01, 0.5, 30.0])
def test_values_that_are_off_give_the_quantiles_of_the_true_ones(count: int, error: float) -> None:
    generator = np.random.default_rng(count)
    true = np.vstack((generator.normal(size=(3, count)), np.rint(generator.normal(size=(2, count)))))
    seen = true + generator.uniform(-error, error, size=true.shape)
    seen[0] = true[0]
    asked: list[int] = []

    def exact(row: int, places: np.ndarray) -> np.ndarray:
        asked.append(len(places))
        return true[row, places]

    for share in (0.0, 0.025, 0.25, 0.5):
        expected = np.quantile(true, [share, 1 - share], axis=1).T
        found = tails(seen, share, [0.0] + [error] * 4, exact)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-13)
    if count == 3000 and error < 0.1:
        assert max(asked[:4]) < 300


def test_reciprocal_ranks_and_hits_are_resampled_exactly() -> None:
    ranks = np.random.default_rng(1).integers(1, 12, size=300)
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0.0)
    columns = np.column_stack((reciprocal, ranks == 1, 1 / np.log2(ranks + 1)))
    for families in (range(300), [i // 2 for i in range(299)] + [200]):
        draws = bootstrap_means(columns, list(families), resamples=500, seed=3)
        # A column that is no whole number of parts takes the other way.
        beside = bootstrap_means(columns + 1e-7, list(families), resamples=500, seed=3)
        np.testing.assert_allclose(draws, beside - 1e-7, rtol=0, atol=1e-12)
