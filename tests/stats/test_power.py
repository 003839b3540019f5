"""Detectable differences and numbers of questions: published values, statsmodels, and the promise itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.stats import (
    detectable_at,
    detectable_difference,
    least_families,
    questions_for,
    questions_needed,
    sign_flip,
)
from chunkwise.stats.power import _at_least, _difference, _least_share, _trials


@pytest.mark.parametrize(
    ("alpha", "families"), [(0.05, 6), (0.01, 8), (0.05 / 66, 12), (1 / 32, 6), (0.5, 2), (0.99, 2)]
)
def test_as_many_families_must_agree(alpha: float, families: int) -> None:
    assert least_families(alpha) == families
    assert 2 / 2**families <= alpha
    assert families == 1 or 2 / 2 ** (families - 1) > alpha


@pytest.mark.parametrize(
    ("difference", "discordance", "pairs"),
    [(0.4, 0.5, 23), (0.15, 0.45, 155)],  # public calculators after Connor (1987)
)
def test_without_the_correction_it_is_the_formula_of_connor(
    difference: float, discordance: float, pairs: int
) -> None:
    assert _trials(difference, discordance, 0.0, discordance, 0.8, 0.05) == pairs
    assert questions_for(difference, discordance) > pairs


@given(st.floats(0.03, 0.9), st.floats(0.05, 4), st.floats(0.55, 0.99), st.sampled_from([0.05, 0.01]))
def test_it_agrees_with_statsmodels(share: float, moment: float, power: float, alpha: float) -> None:
    reference = pytest.importorskip("statsmodels.stats.power")
    difference = share * np.sqrt(moment)
    theirs = reference.normal_sample_size_one_tail(
        difference,
        power,
        alpha / 2,
        std_null=np.sqrt(moment),
        std_alternative=np.sqrt(moment - difference**2),
    )
    ours = _trials(difference, moment, 0.0, 1.0, power, alpha)
    assert ours == max(np.ceil(theirs - 1e-9), ours if ours <= 12 else 0)
    if theirs > 12:
        assert ours == np.ceil(theirs - 1e-9)


@given(st.integers(12, 2000), st.floats(0.05, 2), st.sampled_from([0.0, 0.5, 1.0]), st.floats(0.2, 0.95))
def test_the_difference_solves_the_equation(
    trials: int, moment: float, half_step: float, power: float
) -> None:
    normal = pytest.importorskip("scipy.stats").norm
    d = _difference(trials, moment, half_step, power, 0.05)
    if np.isfinite(d) and d <= np.sqrt(moment):
        left = d * np.sqrt(trials) - half_step / np.sqrt(trials)
        right = normal.ppf(0.975) * np.sqrt(moment) + normal.ppf(power) * np.sqrt(moment - d**2)
        assert left == pytest.approx(right, abs=1e-6)


def test_binomial_tails_agree_with_scipy() -> None:
    binom = pytest.importorskip("scipy.stats").binom
    for trials, least, share in [
        (6, 6, 0.9),
        (400, 6, 0.02),
        (50, 12, 0.3),
        (5, 6, 0.5),
        (9, 1, 0.0),
        (9, 9, 1.0),
    ]:
        assert _at_least(trials, least, share) == pytest.approx(binom.sf(least - 1, trials, share), abs=1e-9)
    assert _at_least(100, 6, _least_share(100, 6, 0.8)) == pytest.approx(0.8, abs=1e-9)


def test_the_two_directions_fit_each_other() -> None:
    for difference, discordance in [(0.05, 0.2), (0.1, 0.3), (0.02, 0.1)]:
        questions = int(questions_for(difference, discordance))
        assert detectable_at(questions, discordance) <= difference < detectable_at(questions - 1, discordance)


@pytest.mark.parametrize(
    ("questions", "won", "lost"), [(32, 7, 6), (100, 10, 10), (400, 45, 35), (400, 4, 4), (100, 0, 0)]
)
def test_what_is_detectable_is_detected(questions: int, won: int, lost: int) -> None:
    pilot = np.repeat([1.0, -1.0, 0.0], [won, lost, questions - won - lost])
    difference = detectable_difference(pilot, range(questions))[0]
    share = max((won + lost) / questions, difference)
    chances = [(share + difference) / 2, (share - difference) / 2, 1 - share]
    samples = np.random.default_rng(0).choice([1.0, -1.0, 0.0], size=(questions, 800), p=chances)
    found = np.mean(sign_flip(samples, range(questions), flips=999) < 0.05)
    assert 0.77 < found < 0.93


def test_graded_differences_by_family_are_detected_too() -> None:
    generator = np.random.default_rng(1)
    sizes = np.array([1] * 40 + [3] * 20 + [10] * 5)
    families = np.repeat(np.arange(65), sizes)

    def sample(mean: float) -> np.ndarray:
        own = generator.normal(0, 0.3, (len(families), 400))
        return mean + own + generator.normal(0, 0.2, (65, 400))[families]

    difference = detectable_difference(sample(0.0), families).mean()
    found = np.mean(sign_flip(sample(difference), families, flips=999) < 0.05)
    assert 0.75 < found < 0.87
    by_question = detectable_difference(sample(0.0), range(len(families))).mean()
    assert by_question < 0.8 * difference  # as if all questions were independent


def test_the_floor_is_six_families() -> None:
    # Six of six must change: with 0.8^(1/6) each.
    assert detectable_difference([0.0] * 6, range(6))[0] == pytest.approx(0.8 ** (1 / 6))
    assert detectable_difference([0.0] * 5, range(5))[0] == np.inf
    assert detectable_at(5, 1.0) == np.inf
    assert detectable_at(100, 0.04) == np.inf  # four discordant of a hundred
    # 400 questions, hardly any of them discordant: six are 0.015, and a few more to be sure of six.
    found = detectable_difference([1.0, -1.0] + [0.0] * 398, range(400))[0]
    assert 6 / 400 < found < 8.5 / 400


def test_a_few_small_differences_tell_little_of_how_large_others_would_be() -> None:
    # Seven of forty must change. That three changed a little does not mean that four more would, too.
    few = [0.05, 0.05, 0.1] + [0.0] * 37
    none, some = (detectable_difference(d, range(40), alpha=0.05 / 3)[0] for d in ([0.0] * 40, few))
    seven = detectable_difference(
        [0.05, 0.05, 0.1, 0.05, 0.05, 0.1, 0.1] + [0.0] * 33, range(40), alpha=0.05 / 3
    )
    assert some == pytest.approx(none * (0.2 + 4) / 7)
    assert seven[0] < none / 10


def test_five_large_families_show_nothing() -> None:
    assert detectable_difference(np.tile([1.0, 0.0], 50), np.repeat(range(5), 20))[0] == np.inf


def test_a_corrected_level_asks_for_more() -> None:
    differences = np.repeat([1.0, -1.0, 0.0], [30, 20, 150])
    plain, corrected = (detectable_difference(differences, range(200), alpha=a)[0] for a in (0.05, 0.05 / 66))
    assert plain < corrected
    assert (
        questions_needed(differences, range(200), alpha=0.05)[0]
        < questions_needed(differences, range(200), alpha=0.05 / 66)[0]
    )


def test_questions_needed_settle_the_comparison() -> None:
    generator = np.random.default_rng(2)
    pilot = np.repeat([1.0, -1.0, 0.0], [14, 8, 78])
    needed = int(questions_needed(pilot, range(100))[0])
    assert needed == questions_for(0.06, 0.22)
    samples = generator.choice([1.0, -1.0, 0.0], size=(needed, 500), p=[0.14, 0.08, 0.78])
    assert 0.76 < np.mean(sign_flip(samples, range(needed), flips=999) < 0.05) < 0.86


def test_questions_come_in_families() -> None:
    pilot = np.repeat([1.0, -1.0, 0.0], [14, 8, 78])
    single = questions_needed(pilot, range(100))[0]
    assert questions_needed(np.repeat(pilot, 5), np.repeat(range(100), 5))[0] == 5 * single


def test_a_lead_in_few_families_needs_so_many_that_six_differ() -> None:
    # One family in ten differs, always the same way: 78 are needed for six of them with 80 %.
    pilot = [0.3] * 2 + [0.0] * 18
    needed = int(questions_needed(pilot, range(20))[0])
    assert _at_least(needed, 6, 0.1) >= 0.8 > _at_least(needed - 1, 6, 0.1)


def test_no_difference_is_never_settled() -> None:
    assert questions_needed([[1.0, 0.0], [-1.0, 0.0]], "ab").tolist() == [np.inf, np.inf]
    assert questions_for(0.0, 0.3) == np.inf


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: detectable_difference([1.0], "a", alpha=0), "level of a test"),
        (lambda: questions_needed([1.0], "a", power=1), "power must lie"),
        (lambda: least_families(1.5), "level of a test"),
        (lambda: detectable_at(10, 0), "discordance must lie"),
        (lambda: questions_for(0.3, 1.2), "discordance must lie"),
        (lambda: questions_for(-0.3, 0.2), "a difference of 0.3 needs"),
    ],
)
def test_what_cannot_be_is_refused(call, message) -> None:
    with pytest.raises(ValueError, match=message):
        call()
