"""McNemar's mid-p: published values, statsmodels, and families as trials."""

from __future__ import annotations

import numpy as np
import pytest

from chunkwise.stats import mcnemar_midp


def changes(won: int, lost: int, same: int = 3) -> np.ndarray:
    return np.array([1.0] * won + [-1.0] * lost + [0.0] * same)


@pytest.mark.parametrize(
    ("won", "lost", "p"),
    [
        (7, 1, 0.0390625),  # Bentur et al., as worked out by Fagerland, Lydersen and Laake (2013)
        (1, 7, 0.0390625),
        (5, 0, 1 / 32),
        (4, 0, 1 / 16),
        (1, 1, 0.75),
        (0, 0, 1.0),
        (3, 3, 1 - 20 / 64 / 2),
    ],
)
def test_known_values(won: int, lost: int, p: float) -> None:
    found = mcnemar_midp(changes(won, lost), range(won + lost + 3))
    assert found.tolist() == [pytest.approx(p, abs=1e-12)]


def test_it_is_the_exact_test_of_statsmodels_less_the_probability_of_the_outcome() -> None:
    tables = pytest.importorskip("statsmodels.stats.contingency_tables")
    distributions = pytest.importorskip("scipy.stats")
    for won, lost in [(3, 9), (40, 22), (0, 6), (150, 190), (800, 700)]:
        exact = tables.mcnemar([[5, won], [lost, 7]], exact=True).pvalue
        expected = exact - distributions.binom.pmf(min(won, lost), won + lost, 0.5)
        found = mcnemar_midp(changes(won, lost), range(won + lost + 3))[0]
        assert found == pytest.approx(expected, abs=1e-10)


def test_a_family_is_one_trial_by_the_side_it_leans_to() -> None:
    differences = [1, 1, -1] * 6 + [1, -1, 0] * 2 + [-1, 0, 0]
    families = np.repeat(np.arange(9), 3)
    assert mcnemar_midp(differences, families)[0] == mcnemar_midp(changes(6, 1, 2), range(9))[0]


def test_many_columns_at_once() -> None:
    table = np.random.default_rng(0).integers(-1, 2, (50, 4))
    alone = [mcnemar_midp(column, range(50))[0] for column in table.T]
    assert mcnemar_midp(table, range(50)).tolist() == alone
