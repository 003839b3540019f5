"""All pairs and the best: the correction written again plainly, and what it must not do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.stats import against_best, pair_tests, sign_flip
from chunkwise.stats.flips import all_signs, randomly_flipped


def plain_step_down(sums: np.ndarray, signs: np.ndarray, added: int) -> np.ndarray:
    """Adjusted p by the definition: the pairs put aside one by one, the maximum taken anew each time."""
    c = sums.shape[1]
    pairs = [(i, j) for i in range(c) for j in range(i + 1, c)]
    observed, flipped = {}, {}
    for i, j in pairs:
        apart = sums[:, i] - sums[:, j]
        scale = np.sqrt(np.sum(apart**2)) or np.inf
        observed[i, j] = abs(apart.sum()) / scale
        flipped[i, j] = np.abs(signs @ apart) / scale
    adjusted, left, least = np.ones((c, c)), list(pairs), 0.0
    while left:
        pair = max(left, key=lambda pair: observed[pair])
        largest = np.max([flipped[other] for other in left], axis=0)
        share = (added + np.sum(largest >= observed[pair] - 1e-9)) / (added + len(signs))
        least = max(least, share)
        adjusted[pair] = adjusted[pair[::-1]] = least
        left.remove(pair)
    return adjusted


def test_drawn_flips_give_the_plain_definition() -> None:
    generator = np.random.default_rng(0)
    scores = generator.random((60, 5)) + np.array([0, 0.05, 0.1, 0.2, 0.35])
    families = np.arange(60) // 2
    found = pair_tests(scores, families, flips=400, seed=2)
    sums = scores.reshape(30, 2, 5).sum(axis=1)
    signs = np.concatenate(list(randomly_flipped(np.eye(30), 400, seed=2)))
    np.testing.assert_allclose(found.adjusted, plain_step_down(sums, signs, 1), atol=1e-12)
    assert (found.adjusted[0, 1:] < 0.05).tolist() != [True] * 4  # neither all nor none, so that
    assert (found.adjusted < 0.05).any()  # steps were taken


def test_few_families_are_counted_exactly() -> None:
    scores = np.random.default_rng(1).random((7, 4)).round(1) + np.array([0, 0, 0.2, 0.4])
    scores = np.concatenate([scores, np.full((20, 4), 0.5)])  # families that differ in nothing
    found = pair_tests(scores, range(27), flips=1000)
    np.testing.assert_allclose(
        found.adjusted, np.maximum(plain_step_down(scores[:7], all_signs(7), 0), found.p)
    )
    assert found.p[0, 3] == sign_flip(scores[:, 0] - scores[:, 3], range(27))[0]


def test_single_tests_are_those_of_each_pair() -> None:
    generator = np.random.default_rng(2)
    scores = (generator.random((80, 4)) < [0.4, 0.5, 0.6, 0.6]) * 1.0
    scores[:, 3] = scores[:, 2]
    scores[:5, 3] = 1 - scores[:5, 3]  # five families: counted
    found = pair_tests(scores, range(80), flips=500, seed=3)
    for i in range(4):
        for j in range(4):
            apart = scores[:, i] - scores[:, j]
            assert found.p[i, j] == sign_flip(apart, range(80), flips=500, seed=3)[0]
            assert found.differing[i, j] == np.count_nonzero(apart)
            assert found.differences[i, j] == pytest.approx(apart.mean())


def test_measures_are_corrected_each_for_itself() -> None:
    cube = np.random.default_rng(3).random((40, 3, 2)) + np.array([0, 0.1, 0.3])[:, None]
    cube[6:, :, 1] = 0.25  # the second measure differs in six families only
    together = pair_tests(cube, range(40), flips=300)
    for k in range(2):
        alone = pair_tests(cube[:, :, k], range(40), flips=300)
        for name in ("means", "differences", "differing", "p", "adjusted"):
            np.testing.assert_array_equal(getattr(together, name)[..., k], getattr(alone, name))


def test_two_candidates_need_no_correction() -> None:
    scores = np.random.default_rng(4).random((50, 2)) + np.array([0, 0.1])
    found = pair_tests(scores, range(50), flips=500)
    np.testing.assert_array_equal(found.p, found.adjusted)
    best = against_best(found)
    assert best.best == 1
    assert best.p.tolist() == best.adjusted.tolist() == [found.p[0, 1], 1.0]


def test_copies_change_no_p() -> None:
    scores = np.random.default_rng(5).random((60, 3)) + np.array([0, 0.05, 0.2])
    single = pair_tests(scores, range(60), flips=400)
    doubled = pair_tests(np.repeat(scores, 4, axis=1), range(60), flips=400)
    np.testing.assert_array_equal(doubled.adjusted[::4, ::4], single.adjusted)
    assert (doubled.adjusted[:4, :4] == 1).all()


def test_twelve_copies_tie() -> None:
    scores = np.repeat(np.random.default_rng(6).random((50, 1)), 12, axis=1)
    found = against_best(pair_tests(scores, range(50)))
    assert found.best == 0
    assert found.adjusted.tolist() == [1.0] * 12
    assert not found.ruled_out().any()
    assert not found.is_winner()


def test_a_winner_must_pass_every_test_and_what_is_ruled_out_all_pairs() -> None:
    generator = np.random.default_rng(7)
    levels = np.array([0.9] + [0.72] * 9)
    scores = (generator.random((150, 10)) < levels) * 1.0
    tests = pair_tests(scores, range(150))
    found = against_best(tests)
    largest = tests.p[0, 1:].max()
    np.testing.assert_array_equal(found.adjusted[1:], np.minimum(tests.adjusted[0, 1:], largest))
    assert found.is_winner() == (largest < 0.05)
    assert found.is_winner()
    # A second one that is as good: no winner, and the rest is judged by all pairs.
    tests = pair_tests(np.column_stack([scores, scores[:, 0]]), range(150))
    found = against_best(tests)
    np.testing.assert_array_equal(found.adjusted, tests.adjusted[0])
    assert not found.is_winner()
    assert found.ruled_out().any()


def test_a_claim_about_all_others_is_one_claim() -> None:
    """Eleven others, each behind in seven questions of its own: p = 1 / 64 for each, and for the claim."""
    scores = np.zeros((77, 12))
    scores[:, 0] = 1
    for other in range(11):
        scores[:, 1 + other] = 1
        scores[7 * other : 7 * other + 7, 1 + other] = 0
    found = against_best(pair_tests(scores, range(77)))
    assert found.adjusted[1:].tolist() == [1 / 64] * 11
    assert found.is_winner()
    # One of them in four questions less: for that one p = 1 / 4, and no claim about all others is left.
    scores[3:7, 1] = 1
    found = against_best(pair_tests(scores, range(77)))
    assert not found.is_winner()
    assert (found.adjusted[2:] > 0.05).all()


def test_five_families_prove_nothing_and_six_do() -> None:
    def wins(families: int) -> bool:
        scores = np.zeros((50, 2))
        scores[:families, 1] = 1
        return against_best(pair_tests(scores, range(50))).is_winner()

    assert [wins(n) for n in (1, 5, 6, 7)] == [False, False, True, True]


def test_large_families_are_one_each() -> None:
    scores = np.zeros((100, 2))
    scores[:50, 1] = 1
    assert against_best(pair_tests(scores, range(100))).is_winner()
    assert not against_best(pair_tests(scores, np.arange(100) // 10)).is_winner()  # five families of ten


def test_the_best_is_the_first_of_equals_unless_named() -> None:
    scores = np.array([[0, 1, 1], [1, 0, 1], [0, 1, 0]] * 4, dtype=float)
    tests = pair_tests(scores, range(12))
    assert against_best(tests).best == 1
    assert against_best(tests, best=2).best == 2
    with pytest.raises(ValueError, match="candidate 0 has not the highest mean"):
        against_best(tests, best=0)


def test_one_candidate_is_no_winner() -> None:
    found = against_best(pair_tests(np.ones((5, 1)), range(5)))
    assert found.adjusted.tolist() == [1.0]
    assert not found.is_winner()


@given(
    st.integers(1, 4).flatmap(
        lambda c: st.lists(st.lists(st.integers(0, 3), min_size=c, max_size=c), min_size=1, max_size=12)
    ),
    st.integers(1, 300),
)
def test_tables_keep_their_promises(rows: list[list[int]], flips: int) -> None:
    scores = np.array(rows) / 3
    families = [i % 7 for i in range(len(rows))]
    found = pair_tests(scores, families, flips=flips)
    assert np.array_equal(found.p, found.p.T)
    assert np.array_equal(found.adjusted, found.adjusted.T)
    assert np.array_equal(found.differences, -found.differences.T)
    assert (found.adjusted >= found.p).all()
    assert (found.p > 0).all()
    assert (found.adjusted <= 1).all()
    assert (found.p[found.differing == 0] == 1).all()
    best = against_best(found)
    assert (best.adjusted >= best.p).all()
    order = np.random.default_rng(0).permutation(len(rows))
    again = pair_tests(scores[order], [families[i] for i in order], flips=flips)
    np.testing.assert_array_equal(found.adjusted, again.adjusted)


@pytest.mark.parametrize("shape", [(5,), (0, 3), (5, 0), (2, 2, 2, 2)])
def test_shapes_that_are_no_scores_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"scores must have the shape \[n, c\]"):
        pair_tests(np.zeros(shape), range(shape[0]))


def test_what_cannot_be_tested_is_refused() -> None:
    with pytest.raises(ValueError, match="flips"):
        pair_tests(np.zeros((3, 2)), range(3), flips=0)
    with pytest.raises(ValueError, match="of one measure"):
        against_best(pair_tests(np.zeros((3, 2, 2)), range(3)))
