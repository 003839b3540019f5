"""The bootstrap over families: known answers, edges, and another library's figures."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.stats import bootstrap_means, interval, mean_interval, paired_interval
from chunkwise.stats import families as stats_families
from chunkwise.stats import resamples as stats_resamples


def ones(hits: int, of: int) -> np.ndarray:
    return np.array([1.0] * hits + [0.0] * (of - hits))


def test_draws_have_the_exact_distribution_of_all_resamples() -> None:
    # Four families of sizes 1, 2, 3, 1: all 4^4 draws are equally likely and can be listed.
    values = [1.0, 0.0, 1.0, 0.5, 0.0, 0.25, 0.0]
    families = ["a", "b", "b", "c", "c", "c", "d"]
    held = {f: [v for v, g in zip(values, families, strict=True) if g == f] for f in "abcd"}
    every = []
    for draw in itertools.product("abcd", repeat=4):
        drawn = [value for family in draw for value in held[family]]
        every.append(sum(drawn) / len(drawn))
    draws = bootstrap_means(values, families, resamples=200_000, seed=1)[:, 0]
    for point in np.unique(np.round(every, 9)):
        share = np.mean(np.isclose(every, point))
        seen = np.mean(np.isclose(draws, point))
        assert seen == pytest.approx(share, abs=0.005)
    assert set(np.round(draws, 9)) <= set(np.round(every, 9))


def test_columns_share_their_resamples() -> None:
    generator = np.random.default_rng(0)
    values = generator.random((40, 3))
    families = generator.integers(0, 12, 40)
    together = bootstrap_means(values, families, resamples=50, seed=7)
    assert together.shape == (50, 3)
    for column in range(3):
        alone = bootstrap_means(values[:, column], families, resamples=50, seed=7)
        np.testing.assert_allclose(together[:, [column]], alone, atol=1e-12)
    difference = bootstrap_means(values[:, 0] - values[:, 1], families, resamples=50, seed=7)
    np.testing.assert_allclose(together[:, 0] - together[:, 1], difference[:, 0], atol=1e-12)


def test_a_seed_gives_one_result_and_another_seed_another() -> None:
    values, families = ones(12, 30), range(30)
    first = bootstrap_means(values, families, seed=3)
    assert np.array_equal(first, bootstrap_means(values, families, seed=3))
    assert not np.array_equal(first, bootstrap_means(values, families, seed=4))


def test_the_order_of_the_questions_does_not_matter() -> None:
    generator = np.random.default_rng(5)
    values = generator.random(60) / 3
    families = [f"t{i % 17}" for i in range(60)]
    order = generator.permutation(60)
    shuffled = mean_interval(values[order], [families[i] for i in order], resamples=300)
    assert np.array_equal(mean_interval(values, families, resamples=300), shuffled)


def test_little_memory_gives_the_same_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    values, families = ones(9, 25), range(25)
    whole = bootstrap_means(values, families, resamples=101, seed=2)
    monkeypatch.setattr(stats_families, "BLOCK", 70)
    np.testing.assert_allclose(bootstrap_means(values, families, resamples=101, seed=2), whole, atol=1e-15)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 1.0, 1 / 3, 1 / 7, -1.0]), st.floats(-1, 1), st.integers(0, 40)),
        min_size=2,
        max_size=80,
    ),
    st.integers(0, 3),
    st.sampled_from([1, 2, 40, 700]),
)
def test_means_in_half_the_digits_give_the_same_interval(
    rows: list[tuple[float, float, int]], seed: int, resamples: int
) -> None:
    values = np.array([[a, b, a + b, a * 1e-9, b * 1e6] for a, b, _ in rows])
    families = [family for *_, family in rows]
    if len(set(families)) < 2:
        return
    plain = interval(bootstrap_means(values, families, resamples, seed))
    found = paired_interval(values, np.zeros((len(rows), 1)), families, resamples=resamples, seed=seed)
    np.testing.assert_allclose(found[:, 1:], plain, rtol=1e-15, atol=2e-12)


def test_resamples_that_are_not_kept_give_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.random.default_rng(4).random((30, 2))
    values[:, 1] = values[:, 1] < 0.4
    for families in (list(range(30)), [i // 4 for i in range(30)]):
        kept = mean_interval(values, families, resamples=200)
        with monkeypatch.context() as less:
            less.setattr(stats_resamples, "_KEPT", 100)
            np.testing.assert_allclose(mean_interval(values, families, resamples=200), kept, atol=1e-12)


def test_questions_of_one_family_count_as_one() -> None:
    values, families = ones(7, 20), list(range(20))
    repeated = mean_interval(np.repeat(values, 10), np.repeat(families, 10))
    np.testing.assert_array_equal(repeated, mean_interval(values, families))
    as_if_independent = mean_interval(np.repeat(values, 10), range(200))
    assert repeated[2] - repeated[1] > 2.5 * (as_if_independent[2] - as_if_independent[1])


def test_large_families_weigh_more() -> None:
    value, low, high = mean_interval([1.0] * 9 + [0.0], ["big"] * 9 + ["small"])
    assert (value, low, high) == (0.9, 0.0, 1.0)
    draws = bootstrap_means([1.0] * 9 + [0.0], ["big"] * 9 + ["small"], seed=1)
    assert set(np.round(draws[:, 0], 9)) == {0.0, 0.9, 1.0}


@pytest.mark.parametrize("value", [0.1, 1 / 3])
def test_equal_values_give_an_interval_without_width(value: float) -> None:
    mean, low, high = mean_interval([value] * 30, range(30))
    assert low == mean == high == pytest.approx(value, abs=1e-12)


def test_all_found_is_no_promise_for_the_next_question() -> None:
    binomtest = pytest.importorskip("scipy.stats").binomtest
    for count in (2, 40, 692):
        exact = binomtest(count, count).proportion_ci(0.95, "exact")
        assert mean_interval([1.0] * count, range(count)) == pytest.approx([1, exact.low, 1], abs=1e-9)
        assert mean_interval([0.0] * count, range(count)) == pytest.approx([0, 0, 1 - exact.low], abs=1e-9)
    # Questions of one family are one piece of evidence.
    of_families = mean_interval([1.0] * 40, [i // 10 for i in range(40)])
    assert of_families == pytest.approx([1, binomtest(4, 4).proportion_ci(0.95, "exact").low, 1], abs=1e-9)
    # Next to it: one of forty missed, by resampling.
    assert mean_interval([1.0] * 39 + [0.0], range(40))[1] == pytest.approx(0.925)
    assert mean_interval([1.0] * 40, range(40))[1] == pytest.approx(0.912, abs=1e-3)
    # What was lost a little says no more of what may be lost.
    assert mean_interval([1.0] * 38 + [0.9, 0.98], range(40))[1] == pytest.approx(0.997 * 0.912, abs=1e-3)
    # Where something was lost, or is spread wider, resampling tells.
    wide = mean_interval([1.0, 0.51] * 3, range(6))[1]
    assert wide == pytest.approx(0.755 * 0.025 ** (1 / 6), abs=1e-9)
    assert mean_interval([1.0] * 30 + [0.5] * 10, range(40))[1] == pytest.approx(0.8, abs=0.03)
    # Each column by itself, and within other bounds.
    both = mean_interval([[1.0, 0.0], [1.0, 1.0]] * 20, range(40))
    assert both[0, 1] == pytest.approx(0.912, abs=1e-3)
    assert both[1, 1] == pytest.approx(0.35, abs=0.03)
    assert mean_interval([9.0] * 40, range(40), bounds=(-1, 9))[1] == pytest.approx(9 - 10 * 0.088, abs=0.01)


def test_equal_rows_differ_by_exactly_nothing() -> None:
    scores = np.random.default_rng(0).random((50, 2))
    np.testing.assert_array_equal(paired_interval(scores, scores, range(50)), np.zeros((2, 3)))


def test_differences_that_cancel_touch_zero() -> None:
    # Sums of thirds and tenths miss 0 by 1e-17; a bound must not come to lie beyond 0 for that.
    a = np.array([0.1, 0.2, 0.3] * 10)
    b = np.array([0.3, 0.2, 0.1] * 10)
    families = [f"f{i // 3}" for i in range(30)]
    np.testing.assert_array_equal(paired_interval(a, b, families), [0.0, 0.0, 0.0])


def test_one_family_says_nothing() -> None:
    assert mean_interval([1.0, 1.0, 0.0], ["x"] * 3).tolist() == [round(2 / 3, 12), 0.0, 1.0]
    assert mean_interval([1.0], ["x"]).tolist() == [1.0, 0.0, 1.0]
    assert paired_interval([1.0, 0.0], [0.0, 0.0], ["x", "x"]).tolist() == [0.5, -1.0, 1.0]
    assert mean_interval([3.0], ["x"], bounds=(0, 9)).tolist() == [3.0, 0.0, 9.0]


def test_many_rows_are_compared_with_one() -> None:
    generator = np.random.default_rng(1)
    rows, best = generator.random((40, 3)), generator.random((40, 1))
    together = paired_interval(rows, best, range(40))
    assert together.shape == (3, 3)
    for i in range(3):
        np.testing.assert_array_equal(together[i], paired_interval(rows[:, i], best[:, 0], range(40)))


def test_the_interval_is_a_pair_of_quantiles() -> None:
    draws = np.arange(101) / 100
    np.testing.assert_allclose(interval(draws, 0.9), [0.05, 0.95])
    np.testing.assert_allclose(
        interval(np.stack([draws, 1 - draws, draws + 1], axis=1), 0.5)[2], [1.25, 1.75]
    )


def test_intervals_agree_with_scipy() -> None:
    reference = pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(11)
    a, b = generator.random(80), generator.random(80) ** 2
    theirs = reference.bootstrap((a,), np.mean, n_resamples=20_000, method="percentile", rng=1)
    ours = mean_interval(a, range(80), resamples=20_000, seed=1)
    assert ours[0] == pytest.approx(a.mean())
    np.testing.assert_allclose(ours[1:], theirs.confidence_interval, atol=0.003)
    theirs = reference.bootstrap((a - b,), np.mean, n_resamples=20_000, method="percentile", rng=1)
    np.testing.assert_allclose(
        paired_interval(a, b, range(80), resamples=20_000)[1:], theirs.confidence_interval, atol=0.003
    )


def test_intervals_agree_with_the_reference_on_real_counts(shared: Path) -> None:
    reference = json.loads((shared / "reference" / "fastapi.json").read_text("utf-8"))
    hits = {name: row["hits_at_1"] for name, row in reference["exact_counts"].items()}
    for name, bounds in reference["confidence"]["hit_at_1_95pct_bootstrap"].items():
        value, low, high = mean_interval(ones(hits[name], 773), range(773), resamples=10_000)
        assert value == pytest.approx(hits[name] / 773)
        np.testing.assert_allclose([low, high], bounds, atol=0.002)


@given(
    rows=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 4)), min_size=1, max_size=30),
    seed=st.integers(0, 5),
)
def test_bounds_are_in_order_and_within_the_values(rows: list[tuple[float, int]], seed: int) -> None:
    values, families = zip(*rows, strict=True)
    value, low, high = mean_interval(values, families, resamples=60, seed=seed)
    assert value == pytest.approx(np.mean(values), abs=1e-9)
    assert low <= high
    if len(set(families)) == 1:
        assert (low, high) == (0.0, 1.0)
    else:
        # Only samples of which nothing, or all, was lost say something beyond their values.
        assert low >= (0 if min(values) > 0.5 else min(values) - 1e-9)
        assert high <= (1 if max(values) == 0 else max(values) + 1e-9)


@pytest.mark.parametrize(
    ("values", "families", "settings", "message"),
    [
        ([], [], {}, "no values"),
        ([0.5], [], {}, "1 values need as many families, got 0"),
        ([0.5, float("nan")], "ab", {}, "finite"),
        ([[[0.5]]], "a", {}, "shape"),
        ([0.5, 1.0], "ab", {"resamples": 0}, "at least 1, got 0"),
        ([0.5, 1.0], "ab", {"level": 1.0}, "between 0 and 1, got 1.0"),
    ],
)
def test_what_cannot_be_resampled_is_refused(values, families, settings, message) -> None:
    with pytest.raises(ValueError, match=message):
        mean_interval(values, families, **settings)


def test_shapes_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match=r"same shape, got \(3,\) and \(2,\)"):
        paired_interval([0, 1, 1], [0, 1], "abc")
    with pytest.raises(ValueError, match="at least one draw"):
        interval([])
