"""Choose on some questions, report on others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from chunkwise.stats.bootstrap import mean_interval
from chunkwise.stats.families import Families, FloatArray, checked, rounded
from chunkwise.stats.split import split

Choice: TypeAlias = Callable[[FloatArray, npt.NDArray[np.intp]], int]
"""Takes scores [n, c] and the number of each question's family, gives the number of a candidate."""


@dataclass(frozen=True, slots=True)
class Selected:
    """What the best candidate scores on questions that did not choose it."""

    kind: str
    """`halves`, `folds` or `none`, see `Split`. With `none` the figure comes from the same questions."""
    chosen: tuple[int, ...]
    """The candidates that were chosen, one for `halves` and `none`, else one a fold."""
    value: float
    """Mean of the chosen over the questions they are reported on."""
    low: float
    """Lower end of its bootstrap interval over families, for the candidates as they were chosen."""
    high: float
    """Upper end."""
    questions: int
    """Number of questions reported on."""
    own: float
    """What the candidate chosen on all questions has on the same ones. It flatters: chosen among many
    equals, the highest is so by luck."""


def highest(scores: FloatArray, families: npt.NDArray[np.intp]) -> int:  # noqa: ARG001
    """The candidate with the highest mean to 6 decimals, the first of equals."""
    return int(scores.mean(axis=0).round(6).argmax())


def choose_and_report(
    scores: npt.ArrayLike,
    families: Families,
    *,
    choose: Choice = highest,
    salt: str = "",
    resamples: int = 2000,
    seed: int = 0,
    level: float = 0.95,
    bounds: tuple[float, float] = (0.0, 1.0),
) -> Selected:
    """Choose a candidate on one half of the families and take its mean on the other half.

    With fewer than 60 questions or 20 families the choice is cross-fitted: five times a candidate is
    chosen without one fold and scored on it, and the mean goes over all questions. That is the mean of the
    *way of choosing*: the folds may choose different candidates.

    Sources: see `split`; Cawley and Talbot (2010), On Over-fitting in Model Selection and Subsequent
    Selection Bias in Performance Evaluation, JMLR 11.

    Args:
        scores: shape [n, c]: c candidates on n questions, on one measure.
        families: n labels; equal ones are one family, and stay on one side.
        choose: gives a candidate for scores and families; by default the one with the highest mean.
        salt: another one splits otherwise.
        resamples: number of resamples for the interval.
        seed: the same seed gives the same interval.
        level: the share of resamples inside.
        bounds: the least and the greatest value that the measure can have.

    Raises:
        ValueError: no scores, scores that are not finite, or shapes that do not fit.
    """
    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or 0 in table.shape:
        raise ValueError(f"scores must have the shape [n, c], none of them 0, got {table.shape}")
    table, number = checked(table, families)
    divided = split(families, salt)
    everything = choose(table, number)
    own = float(rounded(table[:, everything].mean()))
    reported = np.ones(len(table), dtype=np.bool_)
    values = table[:, everything]
    chosen: tuple[int, ...] = (everything,)
    if divided.kind == "halves":
        reported = divided.parts == 1
        chosen = (choose(table[~reported], number[~reported]),)
        values = table[:, chosen[0]]
    elif divided.kind == "folds":
        values = np.empty(len(table))
        for fold in range(int(divided.parts.max()) + 1):
            inside = divided.parts == fold
            choice = choose(table[~inside], number[~inside])
            values[inside] = table[inside, choice]
            chosen = (*chosen, choice)
        chosen = chosen[1:]
    value, low, high = mean_interval(
        values[reported], number[reported], resamples=resamples, seed=seed, level=level, bounds=bounds
    ).tolist()
    return Selected(divided.kind, chosen, value, low, high, int(reported.sum()), own)
