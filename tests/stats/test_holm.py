"""Holm's correction: by hand, and against statsmodels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunkwise.stats import holm


def test_a_row_by_hand() -> None:
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    np.testing.assert_allclose(holm([0.5, 0.6]), [1.0, 1.0])
    np.testing.assert_allclose(holm([0.04]), [0.04])
    assert holm([]).shape == (0,)


@settings(max_examples=25)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_it_agrees_with_statsmodels(p: list[float]) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    np.testing.assert_allclose(holm(p), multitest.multipletests(p, method="holm")[1], atol=1e-12)


def test_each_row_is_a_family_of_tests() -> None:
    table = np.random.default_rng(0).random((3, 5)) / 10
    np.testing.assert_array_equal(holm(table), [holm(row) for row in table])


@pytest.mark.parametrize(
    ("p", "message"), [([0.5, 1.5], "between 0 and 1"), ([np.nan], "between"), (0.1, "single")]
)
def test_what_is_no_p_is_refused(p: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        holm(p)
