"""How many questions would settle what is open."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.decide.words import points, rough
from chunkwise.types import Report

__all__ = ["settles"]

_MANY = 100_000  # questions; more are not counted


def settles(report: Report, tied: Sequence[str], chosen: str) -> tuple[str, ...]:
    """How many questions would tell the tied rows from the best, what concerns the chosen row first."""
    questions, found = int(report.golden["questions"]), []
    open_ = [c for c in report.comparisons if c.other in tied and c.adjusted is not None]
    told = [c for c in open_ if c.needed is not None]
    for c in sorted(told, key=lambda c: (c.other != chosen, c.needed)):
        pair = f"would tell {c.best} and {c.other} apart"
        needed = c.needed or 0
        if needed > _MANY:
            found.append(f"more than {_MANY:,} questions like these {pair}")
        elif needed <= questions:
            found.append(f"a few more questions than the {questions:,} that there are {pair}")
        else:
            found.append(
                f"about {rough(needed):,} questions like these {pair}, if the true difference is the "
                f"{points(c.difference)} seen here; there are {questions:,}"
            )
    level = [c.other for c in open_ if c.needed is None]
    if level:
        last = (
            f"{open_[0].best} and {', '.join(level)} are level: more questions like these tell nothing, only "
            "questions on which they differ do"
        )
        found.insert(0 if chosen in level else len(found), last)
    return tuple(found)
