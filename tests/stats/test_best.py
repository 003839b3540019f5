"""The probability of being best, and non-inferiority."""

from __future__ import annotations

import numpy as np
import pytest

from chunkwise.stats import (
    bootstrap_means,
    least_for_margin,
    non_inferior,
    paired_interval,
    probability_best,
)


def test_resamples_are_counted_and_shared() -> None:
    draws = [[0.5, 0.4, 0.1], [0.2, 0.6, 0.6], [0.3, 0.3, 0.3], [0.0, 0.1, 0.9]]
    np.testing.assert_allclose(
        probability_best(draws), [(1 + 1 / 3) / 4, (1 / 2 + 1 / 3) / 4, (1 + 5 / 6) / 4]
    )


def test_what_differs_in_the_last_bits_is_equal() -> None:
    assert probability_best([[0.1 + 0.2, 0.3]]).tolist() == [0.5, 0.5]


def test_equal_candidates_share_and_a_clear_lead_does_not() -> None:
    generator = np.random.default_rng(0)
    scores = np.repeat(generator.random((60, 1)), 3, axis=1)
    np.testing.assert_allclose(probability_best(bootstrap_means(scores, range(60))), [1 / 3] * 3)
    scores[:, 1] += 0.1
    assert probability_best(bootstrap_means(scores, range(60))).tolist() == [0.0, 1.0, 0.0]


def test_it_agrees_with_the_normal_distribution() -> None:
    normal = pytest.importorskip("scipy.stats").norm
    apart = np.random.default_rng(1).normal(0.04, 0.3, 200)
    draws = bootstrap_means(np.column_stack([apart, np.zeros(200)]), range(200), 20_000)
    expected = normal.cdf(apart.mean() / (apart.std() / np.sqrt(200)))
    assert probability_best(draws)[0] == pytest.approx(expected, abs=0.01)


def test_one_question_more_is_82_percent() -> None:
    scores = np.zeros((100, 2))
    scores[0, 1] = 1
    assert probability_best(bootstrap_means(scores, range(100), 20_000))[1] == pytest.approx(0.82, abs=0.01)


def test_draws_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="shape"):
        probability_best([0.5, 0.4])


def test_the_lower_end_decides() -> None:
    intervals = [[0.01, -0.015, 0.04], [-0.01, -0.02, 0.0], [0.05, -0.03, 0.1], [-0.01, -0.019, -0.005]]
    assert non_inferior(intervals, 400).tolist() == [True, False, False, True]
    assert non_inferior(intervals, 400, margin=0.04).tolist() == [True] * 4
    assert bool(non_inferior([-0.015, 0.04], 400))


def test_the_margin_itself_is_not_above_it() -> None:
    assert not non_inferior([-0.02, 0.0], 1000)
    assert not non_inferior([-0.1 - 0.2, 0.0], 1000, margin=0.3)


def test_few_families_show_no_equality() -> None:
    equal = paired_interval(np.ones(32), np.ones(32), range(32))
    assert equal.tolist() == [0, 0, 0]
    assert not non_inferior(equal, 32)
    assert non_inferior(equal, 32, margin=0.15)
    assert (non_inferior(equal, 182), non_inferior(equal, 183)) == (False, True)


def test_the_number_of_families_is_that_of_clopper_and_pearson() -> None:
    binom = pytest.importorskip("scipy.stats").binomtest
    for margin, level in [(0.02, 0.95), (0.1, 0.95), (0.02, 0.9)]:
        n = least_for_margin(margin, level=level)
        assert binom(0, n).proportion_ci(level).high <= margin < binom(0, n - 1).proportion_ci(level).high


def test_a_candidate_that_is_worse_by_the_margin_seldom_passes() -> None:
    generator = np.random.default_rng(2)
    losses = -1.0 * (generator.random((400, 400)) < 0.02)
    intervals = paired_interval(losses, np.zeros((400, 1)), range(400), resamples=1000)
    assert non_inferior(intervals, 400).mean() < 0.06
    assert non_inferior(intervals / 2, 400).mean() > 0.4  # worse by half of it


@pytest.mark.parametrize(
    ("arguments", "settings", "message"),
    [
        (([0.1], 10), {}, "shape"),
        (([0.1, 0.2], 10), {"margin": 0}, "margin must lie between"),
        (([0.1, 0.2], 10), {"level": 1}, "level of an interval"),
    ],
)
def test_what_is_no_interval_is_refused(arguments, settings, message) -> None:
    with pytest.raises(ValueError, match=message):
        non_inferior(*arguments, **settings)
