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


def test_reciprocal_ranks_and_hits_are_resampled_exactly() -> None:
    ranks = np.random.default_rng(1).integers(1, 12, size=300)
    reciprocal = np.where(ranks <= 10, 1 / ranks, 0.0)
    columns = np.column_stack((reciprocal, ranks == 1, 1 / np.log2(ranks + 1)))
    for families in (range(300), [i // 2 for i in range(299)] + [200]):
        draws = bootstrap_means(columns, list(families), resamples=500, seed=3)
        # A column that is no whole number of parts takes the other way.
        beside = bootstrap_means(columns + 1e-7, list(families), resamples=500, seed=3)
        np.testing.assert_allclose(draws, beside - 1e-7, rtol=0, atol=1e-12)
