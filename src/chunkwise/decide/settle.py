"""How many questions would settle what is open."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.decide.words import percent, points, rough
from chunkwise.types import Comparison, Report

__all__ = ["settles"]


def settles(report: Report, tied: Sequence[str], chosen: str) -> tuple[str, ...]:
    """How many questions would tell the tied rows from the best, what concerns the chosen row first."""
    questions = int(report.golden["questions"])
    open_ = [c for c in report.comparisons if c.other in tied and c.adjusted is not None]
    found: list[tuple[bool, str]] = []
    told = [c for c in open_ if c.within_reach]
    for c in sorted(told, key=lambda c: c.needed or 0):
        pair = f"would tell {c.best} and {c.other} apart"
        needed = c.needed or 0
        if needed <= questions:
            text = f"a few more questions than the {questions:,} that there are {pair}"
        else:
            text = (
                f"about {rough(needed):,} questions like these {pair}, if the true difference is the "
                f"{points(c.difference)} seen here; there are {questions:,}"
            )
        found.append((c.other == chosen, text))
    close = [c for c in open_ if c.needed is not None and not c.within_reach]
    if close:
        seen = max(c.difference for c in close)
        by = "less than 0.1 points" if percent(seen) == "0" else points(seen)
        text = (
            f"no affordable number of questions would tell {close[0].best} and {_listed(close)} apart, if "
            f"they truly differ by as little as they do here ({'at most ' if len(close) > 1 else ''}{by})"
        )
        found.append((chosen in (c.other for c in close), text))
    level = [c for c in open_ if c.needed is None]
    if level:
        text = (
            f"{level[0].best} and {_listed(level)} are level: more questions like these tell nothing, only "
            "questions on which they differ do"
        )
        found.append((chosen in (c.other for c in level), text))
    return tuple(text for _, text in sorted(found, key=lambda pair: not pair[0]))


def _listed(comparisons: Sequence[Comparison]) -> str:
    return ", ".join(c.other for c in comparisons)
