"""Hit rules: edges counted by hand, names, and rules of the user's."""

from __future__ import annotations

import numpy as np
import pytest

from chunkwise.errors import SettingError, UnknownName
from chunkwise.measure.rules import RULES, Rule, either, overlap_length, parse_rule


@pytest.mark.parametrize(
    ("rule", "chunk", "gold", "hit"),
    [
        ("contained", (0, 10), (0, 10), True),
        ("contained", (0, 10), (9, 11), False),
        ("contained", (5, 10), (4, 8), False),
        ("majority", (0, 10), (5, 99), True),  # exactly half of the chunk
        ("majority", (0, 10), (6, 99), False),
        ("majority", (0, 9), (4, 99), True),
        ("majority", (0, 9), (5, 99), False),
        ("majority", (0, 100), (10, 20), False),  # contained, and yet too small a part of the chunk
        ("half-section", (0, 10), (5, 15), True),  # exactly half of the gold
        ("half-section", (0, 10), (6, 15), False),
        ("half-section", (0, 100), (10, 20), True),
        ("overlap", (0, 10), (9, 50), True),
    ],
)
def test_edges(rule: str, chunk: tuple[int, int], gold: tuple[int, int], hit: bool) -> None:
    assert bool(RULES[rule](*chunk, *gold)) is hit
    columns = [np.array([value, value]) for value in (*chunk, *gold)]
    assert RULES[rule](*columns).tolist() == [hit, hit]


def test_the_default_is_the_strictest_and_comes_first() -> None:
    assert list(RULES) == ["contained", "majority", "half-section", "overlap"]


def test_names_parse_and_join() -> None:
    assert parse_rule("majority") is RULES["majority"]
    joined = parse_rule("majority or half-section")
    assert joined.name == "majority or half-section"
    assert bool(joined(0, 100, 10, 20))
    assert str(either(RULES["overlap"], joined)) == "overlap or majority or half-section"


def test_a_rule_of_the_users() -> None:
    more_than_half = Rule(
        "more than half", lambda cs, ce, gs, ge: 2 * overlap_length(cs, ce, gs, ge) > ce - cs
    )
    assert parse_rule(more_than_half) is more_than_half
    assert not more_than_half(0, 10, 5, 99)


def test_unknown_rules_are_named() -> None:
    with pytest.raises(UnknownName, match="did you mean 'majority'"):
        parse_rule("majorty")
    with pytest.raises(SettingError, match="a hit rule is a name"):
        parse_rule(lambda *_: True)  # type: ignore[arg-type]
