"""Hit rules: when a chunk counts as having found a place of an answer.

A rule is asked only about a chunk and a place of the same document that share at least one
character, both in raw coordinates. It answers for whole arrays at once, and for single numbers too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from chunkwise.errors import SettingError, UnknownName

__all__ = [
    "CONTAINED",
    "HALF_SECTION",
    "MAJORITY",
    "OVERLAP",
    "RULES",
    "HitRule",
    "Rule",
    "either",
    "overlap_length",
    "parse_rule",
]


class HitRule(Protocol):
    """What a hit rule must offer. `Rule` makes one from a function."""

    @property
    def name(self) -> str:
        """Its text form, under which figures are reported."""
        ...

    def __call__(self, chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any, /) -> Any:
        """Whether the chunk `[chunk_start, chunk_end)` finds the place `[gold_start, gold_end)`.

        Given integer arrays of equal length, the answer is a boolean array; given integers, a boolean.
        """
        ...


@dataclass(frozen=True, slots=True)
class Rule:
    """A named hit rule, made of a function that works on integers and on integer arrays alike.

    >>> def test(cs, ce, gs, ge):
    ...     return 2 * overlap_length(cs, ce, gs, ge) > ce - cs
    >>> more_than_half = Rule("more than half", test)
    >>> bool(more_than_half(0, 10, 5, 30)), bool(more_than_half(0, 10, 4, 30))
    (False, True)
    """

    name: str
    """Its text form, under which figures are reported."""
    test: Callable[[Any, Any, Any, Any], Any]
    """`test(chunk_start, chunk_end, gold_start, gold_end)`."""

    def __call__(self, chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any, /) -> Any:
        """Whether the chunk finds the place."""
        return self.test(chunk_start, chunk_end, gold_start, gold_end)

    def __str__(self) -> str:
        return self.name


def overlap_length(chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any) -> Any:
    """Number of characters that a chunk and a place share, given that they share any."""
    return np.minimum(chunk_end, gold_end) - np.maximum(chunk_start, gold_start)


def _contained(chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any) -> Any:
    return (chunk_start <= gold_start) & (gold_end <= chunk_end)


def _majority(chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any) -> Any:
    return 2 * overlap_length(chunk_start, chunk_end, gold_start, gold_end) >= chunk_end - chunk_start


def _half_section(chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any) -> Any:
    return 2 * overlap_length(chunk_start, chunk_end, gold_start, gold_end) >= gold_end - gold_start


def _overlap(chunk_start: Any, chunk_end: Any, gold_start: Any, gold_end: Any) -> Any:
    return overlap_length(chunk_start, chunk_end, gold_start, gold_end) > 0


CONTAINED = Rule("contained", _contained)
"""The place lies whole in the chunk. The rule for answers that a person marked."""
MAJORITY = Rule("majority", _majority)
"""At least half of the chunk lies in the place. The rule for sections: most chunks are smaller."""
HALF_SECTION = Rule("half-section", _half_section)
"""The chunk holds at least half of the place."""
OVERLAP = Rule("overlap", _overlap)
"""The chunk and the place share a character."""

RULES = {rule.name: rule for rule in (CONTAINED, MAJORITY, HALF_SECTION, OVERLAP)}
"""The built-in hit rules by name, the strictest first."""


def either(first: HitRule, second: HitRule) -> Rule:
    """The rule that is met where one of two rules is met.

    >>> either(MAJORITY, HALF_SECTION).name
    'majority or half-section'
    """
    return Rule(
        f"{first.name} or {second.name}",
        lambda cs, ce, gs, ge: first(cs, ce, gs, ge) | second(cs, ce, gs, ge),
    )


def parse_rule(rule: str | HitRule) -> HitRule:
    """The hit rule of a name; `a or b` names two of them; a rule is returned as it is.

    Raises:
        UnknownName: no such rule.
        SettingError: what was given is neither a name nor a rule.
    """
    if not isinstance(rule, str):
        if callable(rule) and isinstance(getattr(rule, "name", None), str):
            return rule
        raise SettingError(f"a hit rule is a name ({', '.join(RULES)}) or a rule with a name, got {rule!r}")
    names = rule.split(" or ")
    for name in names:
        if name not in RULES:
            raise UnknownName("hit rule", name, RULES)
    found: HitRule = RULES[names[0]]
    for name in names[1:]:
        found = either(found, RULES[name])
    return found
