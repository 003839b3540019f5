"""Chosen on some questions, reported on others."""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.stats import Truth, flattery

from chunkwise.stats import choose_and_report, folds, halves, highest, mean_interval

NAMES = [f"q{i}" for i in range(120)]


def test_halves_choose_on_one_and_report_on_the_other() -> None:
    generator = np.random.default_rng(0)
    scores = generator.random((120, 3))
    reported = halves(NAMES) == 1
    scores[~reported, 2] += 1  # the best where it is chosen,
    scores[reported, 2] = 0.1  # and the worst where it is reported
    found = choose_and_report(scores, NAMES, bounds=(0, 2))
    assert (found.kind, found.chosen, found.questions) == ("halves", (2,), int(reported.sum()))
    assert (found.value, found.low, found.high) == pytest.approx((0.1, 0.1, 0.1))
    assert found.own == pytest.approx(scores.mean(axis=0).max())


def test_the_interval_is_that_of_the_reported_questions() -> None:
    scores = np.random.default_rng(1).random((120, 2)) + np.array([0.3, 0])
    found = choose_and_report(scores, NAMES, seed=4)
    reported = halves(NAMES) == 1
    names = [name for name, yes in zip(NAMES, reported, strict=True) if yes]
    expected = mean_interval(scores[reported, 0], names, seed=4)
    np.testing.assert_allclose([found.value, found.low, found.high], expected, atol=0.02)
    assert found.value == expected[0]


def test_folds_choose_without_the_fold_they_report_on() -> None:
    names = NAMES[:30]
    scores = np.random.default_rng(2).random((30, 4))
    found = choose_and_report(scores, names)
    part = folds(names)
    chosen = [int(scores[part != k].mean(axis=0).argmax()) for k in range(5)]
    expected = [scores[i, chosen[part[i]]] for i in range(30)]
    assert (found.kind, found.chosen, found.questions) == ("folds", tuple(chosen), 30)
    assert found.value == pytest.approx(np.mean(expected))
    assert found.low < found.value < found.high


def test_one_family_is_reported_on_its_own_questions() -> None:
    found = choose_and_report([[0.0, 1.0], [0.5, 0.5]], ["x", "x"])
    assert (found.kind, found.chosen, found.value, found.own) == ("none", (1,), 0.75, 0.75)
    assert (found.low, found.high) == (0.0, 1.0)


def test_another_way_of_choosing_sees_families() -> None:
    seen = []

    def cheapest(scores: np.ndarray, families: np.ndarray) -> int:
        seen.append((len(scores), len(families)))
        return 1

    found = choose_and_report(np.eye(120)[:, :3], NAMES, choose=cheapest)
    assert found.chosen == (1,)
    assert seen[0] == (120, 120)
    assert seen[1][0] == seen[1][1] == 120 - found.questions


def test_the_first_of_equals_is_chosen() -> None:
    assert highest(np.array([[0.1 + 0.2, 0.3, 0.2]]), np.array([0])) == 0
    assert highest(np.array([[0.2, 0.3, 0.3]]), np.array([0])) == 1


@pytest.mark.parametrize(
    ("truth", "kind", "flatters"),
    [
        (Truth("few", (0.5,) * 12, (1,) * 32), "folds", 0.10),
        (Truth("many", (0.5,) * 12, (1,) * 120), "halves", 0.05),
    ],
)
def test_the_best_of_equals_flatters_only_on_its_own_questions(
    truth: Truth, kind: str, flatters: float
) -> None:
    own, other, how = flattery(truth, trials=200)
    assert how == kind
    assert own > flatters
    assert abs(other) < 0.02


def test_scores_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match=r"shape \[n, c\]"):
        choose_and_report([0.5, 1.0], ["a", "b"])
