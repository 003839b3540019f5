"""The statistics: how often they are wrong, how often they see what is there, and how fast they are.

    python -m benchmarks.stats                # both parts
    python -m benchmarks.stats rates --trials 500 --flips 10000
    python -m benchmarks.stats speed --rounds 5

`rates` draws scores from known truths, with fixed seeds, and counts what is claimed of them: a *false
winner* is not better than all others, and a *false claim* is any candidate that is ruled out though it is as
good as the best. `speed` takes all intervals, tests and corrections of 12 candidates on 472 questions,
in turns with a loop over `scipy.stats.bootstrap` and `scipy.stats.permutation_test`. Times are CPU
seconds, medians of the rounds; the ratio is what counts.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from chunkwise.stats import (
    against_best,
    bootstrap_means,
    choose_and_report,
    detectable_difference,
    holm,
    interval,
    pair_tests,
    probability_best,
    sign_flip,
)

ALPHA = 0.05


@dataclass(frozen=True)
class Truth:
    """Candidates with known probabilities to answer a question, and how the questions hang together."""

    name: str
    probabilities: tuple[float, ...]
    sizes: tuple[int, ...]
    """Number of questions in each family."""
    alike: float = 0.0
    """In which share of families a candidate answers all questions or none."""
    hardness: float = 0.0
    """How much the questions differ: their probability is moved by up to this much, for all candidates."""

    @property
    def families(self) -> np.ndarray:
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def draw(self, rng: np.random.Generator) -> np.ndarray:
        """Scores of 0 and 1, [questions, candidates]; the candidates' outcomes are independent."""
        families, shape = self.families, (len(self.sizes), len(self.probabilities))
        moved = self.hardness * rng.uniform(-1, 1, shape[0])[families, None]
        own = rng.random((len(families), shape[1]))
        shared = rng.random(shape)[families]
        together = (rng.random(shape) < self.alike)[families]
        return np.where(together, shared, own) < np.array(self.probabilities) + moved


@dataclass(frozen=True)
class Rates:
    """Shares of the trials."""

    false_winner: float
    false_claim: float
    """Any candidate ruled out that is as good as the best of all."""
    winner: float
    """The winner is named, and is one."""
    holm_claim: float
    """Any false claim, if the best by these scores were set against the others with Holm alone."""
    blind_claim: float
    """Any false claim, if every question were taken for a family of its own."""


def rates(truth: Truth, trials: int = 500, flips: int = 10_000, seed: int = 0) -> Rates:
    """What is claimed in many trials of one truth."""
    probabilities = np.array(truth.probabilities)
    families, blind_differs = truth.families, len(truth.sizes) < len(truth.families)
    counts = np.zeros(5)
    for trial in range(trials):
        scores = truth.draw(np.random.default_rng([seed, trial]))
        found = against_best(pair_tests(scores, families, flips=flips, seed=trial))
        others = np.arange(len(probabilities)) != found.best
        wrong = probabilities >= probabilities[found.best]  # those that the best is not better than
        wins = found.is_winner(ALPHA)
        by_holm = np.zeros(len(probabilities), dtype=bool)
        by_holm[others] = holm(found.p[others]) < ALPHA
        blind = found
        if blind_differs:
            blind = against_best(pair_tests(scores, np.arange(len(scores)), flips=flips, seed=trial))
        blind_wrong = probabilities >= probabilities[blind.best]
        counts += [
            wins and wrong[others].any(),
            (found.ruled_out(ALPHA) & wrong).any(),
            wins and not wrong[others].any(),
            (by_holm & wrong).any(),
            (blind.ruled_out(ALPHA) & blind_wrong).any(),
        ]
    return Rates(*(counts / trials).tolist())


ONE = (1,)
FEW = (16,) * 15 + (1,) * 5
UNEVEN = (1,) * 30 + (2,) * 15 + (5,) * 10 + (12,) * 5 + (30,) * 2
TRUTHS = [
    Truth("12 equal, 32 questions", (0.5,) * 12, ONE * 32),
    Truth("12 equal, 32 questions, most answered", (0.85,) * 12, ONE * 32),
    Truth("12 equal, 100 questions", (0.7,) * 12, ONE * 100),
    Truth("12 equal, 400 questions", (0.7,) * 12, ONE * 400),
    Truth("12 equal, 400 easy and hard questions", (0.6,) * 12, ONE * 400, hardness=0.4),
    Truth("12 equal, 230 questions in 62 uneven families", (0.7,) * 12, UNEVEN, alike=0.7),
    Truth("2 equal, 100 questions", (0.7,) * 2, ONE * 100),
    Truth("2 equal, 230 questions in 62 uneven families", (0.7,) * 2, UNEVEN, alike=0.7),
    Truth("2 equal, 245 questions in 20 families", (0.7,) * 2, FEW, alike=0.7),
    Truth("3 equal, 245 questions in 20 families", (0.7,) * 3, FEW, alike=0.7),
    Truth("2 equal and 10 worse, 200 questions", (0.8,) * 2 + (0.4,) * 10, ONE * 200),
    Truth("3 equal and 9 worse, 200 questions", (0.8,) * 3 + (0.4,) * 9, ONE * 200),
    Truth("3 equal, 200 questions", (0.7,) * 3, ONE * 200),
    Truth("4 equal, 200 questions", (0.7,) * 4, ONE * 200),
    Truth("6 equal and 6 worse, 200 questions", (0.8,) * 6 + (0.4,) * 6, ONE * 200),
    Truth("1 best, 11 worse by 15 points, 400 questions", (0.8,) + (0.65,) * 11, ONE * 400),
]


def discordant(rng: np.random.Generator, exact: bool, company: int = 0) -> np.ndarray:
    """400 questions; of the first two candidates the one is 10 points ahead, a fifth discordant.

    Args:
        rng: draws.
        exact: 80 questions discordant, 60 to 20; else each question is, with those probabilities.
        company: as many other candidates that are as good as the second and as often discordant.
    """
    if exact:
        kinds = rng.permutation(np.repeat([0, 1, 2, 3], [60, 20, 200, 120]))
    else:
        kinds = rng.choice(4, size=400, p=[0.15, 0.05, 0.5, 0.3])
    first, second = np.isin(kinds, [0, 2]), np.isin(kinds, [1, 2])
    others = [rng.random(400) < np.where(first, 0.5 / 0.65, 0.05 / 0.35) for _ in range(company)]
    return np.stack([first, second, *others], axis=1)


def told_apart(
    trials: int = 500, flips: int = 10_000, seed: int = 0, *, exact: bool = False, company: int = 0
) -> tuple[float, float]:
    """In which share of trials the first candidate of `discordant` is ahead of the second, and wins."""
    counts = np.zeros(2)
    for trial in range(trials):
        scores = discordant(np.random.default_rng([seed, trial]), exact, company)
        found = against_best(pair_tests(scores, range(400), flips=flips, seed=trial))
        counts += [found.best == 0 and found.ruled_out(ALPHA)[1], found.best == 0 and found.is_winner(ALPHA)]
    return tuple((counts / trials).tolist())


def copies(trials: int = 20, flips: int = 10_000) -> int:
    """In how many trials anything is claimed of twelve copies of one candidate."""
    claims = 0
    for trial in range(trials):
        scores = np.repeat(np.random.default_rng(trial).random((100, 1)), 12, axis=1)
        found = against_best(pair_tests(scores, range(100), flips=flips, seed=trial))
        claims += bool(found.ruled_out(ALPHA).any())
    return claims


def power_at_detectable(
    questions: int, discordance: float, trials: int = 500, flips: int = 2000, seed: int = 0
) -> tuple[float, float]:
    """The detectable difference of a pair, and the share of samples with that difference that show it."""
    counts = np.round(np.array([discordance / 2, discordance / 2]) * questions).astype(int)
    pilot = np.repeat([1.0, -1.0, 0.0], [*counts, questions - counts.sum()])
    difference = float(detectable_difference(pilot, range(questions), alpha=ALPHA)[0])
    share = max(discordance, difference)
    wins, losses = (share + difference) / 2, (share - difference) / 2
    rng = np.random.default_rng(seed)
    samples = rng.choice([1.0, -1.0, 0.0], size=(questions, trials), p=[wins, losses, 1 - share])
    return difference, float(np.mean(sign_flip(samples, range(questions), flips=flips) < ALPHA))


def flattery(truth: Truth, trials: int = 200, seed: int = 0) -> tuple[float, float, str]:
    """By how much the figure of the best flatters, on its own questions and on others, and how these
    were set apart."""
    probabilities = np.array(truth.probabilities)
    own, other, kind = [], [], ""
    for trial in range(trials):
        scores = truth.draw(np.random.default_rng([seed, trial])).astype(float)
        selected = choose_and_report(scores, truth.families, resamples=1)
        kind = selected.kind
        own.append(selected.own - probabilities[scores.mean(axis=0).argmax()])
        other.append(selected.value - probabilities[list(selected.chosen)].mean())
    return float(np.mean(own)), float(np.mean(other)), kind


def ours(scores: np.ndarray, resamples: int) -> list[np.ndarray]:
    """Everything a report needs: intervals of all means and all pairs, tests, corrections."""
    families = range(len(scores))
    draws = bootstrap_means(scores, families, resamples)
    rows, columns = np.triu_indices(scores.shape[1], 1)
    tests = pair_tests(scores, families, flips=resamples)
    found = against_best(tests)
    apart = draws[:, rows] - draws[:, columns]
    return [interval(draws), interval(apart), tests.p, found.adjusted, probability_best(draws)]


def scipy_loop(scores: np.ndarray, resamples: int, all_pairs: bool) -> list[np.ndarray]:
    """The same with a call of scipy for each interval and each test; all pairs, or the best against each."""
    from scipy.stats import bootstrap, permutation_test

    count = scores.shape[1]
    best = int(scores.mean(axis=0).argmax())
    pairs = [(best, j) for j in range(count) if j != best]
    if all_pairs:
        pairs = list(zip(*np.triu_indices(count, 1), strict=True))
    differences = [scores[:, i] - scores[:, j] for i, j in pairs]
    bounds = [
        bootstrap((x,), np.mean, n_resamples=resamples, method="percentile", rng=0).confidence_interval
        for x in [*scores.T, *differences]
    ]
    p = [
        permutation_test(
            (x,), np.mean, permutation_type="samples", n_resamples=resamples, vectorized=True, rng=0
        ).pvalue
        for x in differences
    ]
    return [np.array(bounds[:count]), np.array(bounds[count:]), holm(np.array(p))]


def speed(rounds: int, resamples: int = 10_000) -> list[tuple[str, float, float]]:
    """CPU seconds of Chunkwise and of scipy, in turns."""
    rng = np.random.default_rng(0)
    scores = (rng.random((472, 12)) < np.linspace(0.55, 0.65, 12)).astype(float)

    def seconds(call: Callable[[], object]) -> float:
        begin = time.process_time()
        call()
        return time.process_time() - begin

    seconds(lambda: ours(scores, 100))
    seconds(lambda: scipy_loop(scores, 100, False))
    taken: dict[str, list[tuple[float, float]]] = {}
    for _ in range(rounds):
        for name, all_pairs in (("best against each other one", False), ("all 66 pairs", True)):
            mine = seconds(lambda: ours(scores, resamples))
            theirs = seconds(lambda: scipy_loop(scores, resamples, all_pairs))  # noqa: B023 (called at once)
            taken.setdefault(name, []).append((mine, theirs))
    return [
        (name, statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs))
        for name, pairs in taken.items()
    ]


def print_rates(trials: int, flips: int, truths: Sequence[Truth] = TRUTHS) -> None:
    print(f"{trials} trials each, {flips:,} flips; percent of the trials")
    print(f"{'':50}{'false':>8}{'false':>8}{'right':>8}{'Holm':>8}{'no':>9}")
    print(f"{'':50}{'winner':>8}{'claim':>8}{'winner':>8}{'alone':>8}{'families':>9}")
    for truth in truths:
        found = rates(truth, trials, flips)
        shares = (found.false_winner, found.false_claim, found.winner, found.holm_claim)
        print(
            f"{truth.name:50}"
            + "".join(f"{100 * x:8.1f}" for x in shares)
            + f"{100 * found.blind_claim:9.1f}"
        )
    print(f"claims about 12 copies of one candidate, in 20 trials: {copies(flips=flips)}")
    print("two candidates 10 points apart, a fifth of 400 questions discordant:")
    for name, exact, company in (
        ("60 to 20", True, 0),
        ("drawn", False, 0),
        ("drawn, and ten others", False, 10),
    ):
        apart, wins = told_apart(trials, flips, exact=exact, company=company)
        print(f"  {name:48}told apart {100 * apart:5.1f}, winner {100 * wins:5.1f}")
    print("the detectable difference, and how often a difference of that size is shown:")
    for questions, discordance in ((32, 0.4), (100, 0.2), (400, 0.2), (400, 0.02)):
        difference, shown = power_at_detectable(questions, discordance, trials)
        print(
            f"  {questions} questions, {discordance:.0%} discordant".ljust(50)
            + f"{difference:.3f} {shown:8.1%}"
        )
    print("by how many points the figure of the best of 12 equals flatters:")
    for truth in (TRUTHS[0], TRUTHS[2], TRUTHS[5]):
        own, other, kind = flattery(truth, trials)
        print(f"  {truth.name:48}{100 * own:+6.1f} on its own questions, {100 * other:+5.1f} by {kind}")


def print_speed(rounds: int) -> None:
    print(f"12 candidates, 472 questions, 10,000 resamples and flips, {rounds} rounds")
    print(f"{'':30}{'chunkwise':>12}{'scipy':>12}{'ratio':>8}")
    for name, mine, theirs in speed(rounds):
        print(f"{name:30}{mine:10.3f} s{theirs:10.3f} s{theirs / mine:7.0f}x")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("part", nargs="?", choices=("rates", "speed"))
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--flips", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    if options.part != "speed":
        print_rates(options.trials, options.flips)
    if options.part != "rates":
        print_speed(options.rounds)


if __name__ == "__main__":
    main()
