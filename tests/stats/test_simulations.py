"""What is claimed of many drawn score tables whose truth is known. Seeds are fixed: no trial is luck.

Fewer flips than the default make the tests faster and no claim more frequent.
"""

from __future__ import annotations

import pytest
from benchmarks.stats import FEW, ONE, UNEVEN, Truth, copies, rates, told_apart

FLIPS = 499


@pytest.mark.parametrize(
    ("questions", "share", "trials"), [(32, 0.5, 500), (400, 0.7, 500), (100, 0.95, 200)]
)
def test_twelve_equal_candidates_have_no_winner(questions: int, share: float, trials: int) -> None:
    found = rates(Truth("equal", (share,) * 12, ONE * questions), trials, FLIPS)
    assert found.false_winner <= 0.05
    assert found.false_claim <= 0.06
    assert found.winner == 0


def test_holm_against_the_best_by_the_same_scores_would_rule_out_equals() -> None:
    found = rates(Truth("many questions", (0.7,) * 12, ONE * 400), trials=200, flips=FLIPS)
    assert found.holm_claim > 0.08
    assert found.false_claim < found.holm_claim


@pytest.mark.parametrize("equal", [2, 3])
def test_no_winner_among_equals_that_lead(equal: int) -> None:
    truth = Truth("a few lead", (0.8,) * equal + (0.4,) * (12 - equal), ONE * 200)
    found = rates(truth, trials=300, flips=FLIPS)
    assert found.false_winner <= 0.05
    assert found.false_claim <= 0.05


@pytest.mark.parametrize("candidates", [2, 12])
def test_families_of_different_sizes(candidates: int) -> None:
    truth = Truth("uneven", (0.7,) * candidates, UNEVEN, alike=0.7)
    found = rates(truth, trials=200, flips=FLIPS)
    assert found.false_winner <= 0.05
    assert found.false_claim <= 0.06
    assert found.blind_claim > 0.3  # as if all questions were independent


@pytest.mark.parametrize("equal", [2, 3])
def test_few_large_families(equal: int) -> None:
    found = rates(Truth("templates", (0.7,) * equal, FEW, alike=0.7), trials=500, flips=FLIPS)
    assert found.false_winner <= 0.05
    assert found.false_claim <= 0.06


@pytest.mark.parametrize("exact", [True, False])
def test_ten_points_with_a_fifth_discordant_are_told_apart(exact: bool) -> None:
    apart, wins = told_apart(500, FLIPS, exact=exact)
    assert apart >= 0.95
    assert wins >= 0.95


def test_a_clear_winner_is_named() -> None:
    truth = Truth("15 points", (0.8,) + (0.65,) * 11, ONE * 400)
    assert rates(truth, trials=60, flips=FLIPS).winner > 0.9


def test_nothing_is_claimed_of_copies() -> None:
    assert copies(trials=5, flips=FLIPS) == 0
