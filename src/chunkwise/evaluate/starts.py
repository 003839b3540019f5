"""Fixed windows over several start offsets: one candidate, whose figures are means over its starts.

Where the first window begins is chance, and so is which answers the windows cut. A row with `offsets=N` is
cut and searched N times, the starts spread evenly over the step of its windows. What each question gets is
the mean over the starts; how far these lie apart is told as a range, and no start is ever a row of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chunkwise.chunk import Fixed
from chunkwise.errors import SettingError
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.scoring import DECIMALS, Scored
from chunkwise.types import Candidate

__all__ = ["averaged", "check_offsets", "spread", "starts"]


def check_offsets(candidate: Candidate) -> None:
    """Refuse several start offsets where they mean nothing.

    Raises:
        SettingError: the chunker is not `fixed`, has an offset of its own, or has too short a step.
    """
    if candidate.offsets == 1:
        return
    chunker, count = candidate.chunker, candidate.offsets
    if not isinstance(chunker, Fixed):
        raise SettingError(
            f"{candidate.name}: only fixed takes offsets, as its cuts follow from where it starts"
        )
    if chunker.offset:
        raise SettingError(f"{candidate.name}: give either one offset or a number of offsets")
    if not 1 <= count <= chunker.size - chunker.overlap:
        raise SettingError(
            f"{candidate.name}: offsets must be from 1 to {chunker.size - chunker.overlap}, the step of its "
            f"windows, got {count}"
        )


def starts(candidate: Candidate) -> list[Candidate]:
    """A candidate once for each of its start offsets; most have a single one."""
    chunker = candidate.chunker
    if candidate.offsets == 1 or not isinstance(chunker, Fixed):
        return [candidate]
    step = chunker.size - chunker.overlap
    places = [i * step // candidate.offsets for i in range(candidate.offsets)]
    return [candidate._replace(chunker=replace(chunker, offset=place), offsets=1) for place in places]


def averaged(scored: Sequence[Scored]) -> Scored:
    """The scores of one candidate over its starts: means by question; all else is the first start's."""
    first = scored[0]
    if len(scored) == 1:
        return first
    values = np.mean([one.values for one in scored], axis=0)
    ruled = {rule: np.mean([one.ruled[rule] for one in scored], axis=0) for rule in first.ruled}
    return Scored(first.found, values, ruled)


def spread(members: Sequence[Candidate], scored: Sequence[Scored], plan: Plan) -> dict[str, Any]:
    """How far the starts of one candidate lie apart; nothing for a candidate with a single one.

    Returns:
        `offsets`; `measures`, by name `low` and `high`: the least and the greatest mean of a start.
    """
    if len(members) == 1 or not scored:
        return {}
    means = np.array([one.values.mean(axis=0) for one in scored]).round(DECIMALS)
    return {
        "offsets": [getattr(member.chunker, "offset", 0) for member in members],
        "measures": {
            measure.name: {"low": low, "high": high}
            for measure, low, high in zip(
                plan.measures, means.min(axis=0).tolist(), means.max(axis=0).tolist(), strict=True
            )
        },
    }
