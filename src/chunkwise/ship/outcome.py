"""What a gate comes to: the rules that were applied, and the questions that were lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chunkwise.ship.baseline import Baseline

__all__ = ["Check", "Lost", "Outcome", "Spot"]


@dataclass(frozen=True, slots=True)
class Check:
    """One rule applied to one figure."""

    rule: str
    """Name of the rule."""
    subject: str
    """The figure: a measure, `measure, tag=value`, a question, a kind of damage, a size or a cost."""
    before: float | None
    """Its value in the baseline; None where the rule does not look at it."""
    now: float | None
    """Its value now."""
    limit: float
    """The limit, as the rule states it."""
    passed: bool
    """Whether it is kept."""
    said: str
    """The same in one sentence."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place in a document, for people."""

    doc: str
    """Id of the document."""
    line: int
    """Its first line, counted from 1; 0 where it is not known."""
    path: tuple[str, ...]
    """Titles of the headings above it, where known."""
    text: str
    """What stands there; empty where texts are not at hand."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A question that has less than in the baseline, or that must pass and does not."""

    id: str
    """Its id."""
    measure: str
    """What it has less of."""
    before: float | None
    """Its value in the baseline; None where it is not known."""
    now: float
    """Its value now."""
    must: bool
    """Whether it must pass."""
    question: str = ""
    """The question itself, where texts are at hand."""
    expected: tuple[Spot, ...] = ()
    """Where its answer stands."""
    instead: tuple[Spot, ...] = ()
    """The chunks that came first."""
    reason: str = ""
    """Why it was missed, as in the report: `cut`, `outranked`, …"""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a gate comes to."""

    now: Baseline
    before: Baseline
    checks: tuple[Check, ...]
    """Every rule that was applied, in the order of the rules."""
    lost: tuple[Lost, ...]
    """Questions with less than before, the largest loss first. They may be there in a gate that passes."""
    notes: tuple[str, ...]
    """What the reader should know: rules that could not be applied, a changed corpus, a drafted set."""

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that did not pass."""
        return tuple(check for check in self.checks if not check.passed)

    def with_lost(self, lost: Sequence[Lost]) -> Outcome:
        """The same with other (better described) lost questions."""
        return replace(self, lost=tuple(lost))
