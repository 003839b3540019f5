"""Rulers: sizes of slices, and the furthest end within a limit."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.text import counter, ruler
from chunkwise.text.rulers import CountRuler

TEXTS = st.text(st.one_of(st.sampled_from("ab. \n\t"), st.characters(exclude_categories=["Cs"])), max_size=60)


def half_bytes(text: str) -> int:
    """Stands for a tokenizer that works on bytes: parts together may be less than their sum."""
    return (len(text.encode("utf-8")) + 1) // 2


def pairs(text: str) -> int:
    """Stands for one whose parts together may be more than their sum: it counts changes."""
    return sum(a != b for a, b in pairwise(text))


def runs(text: str) -> int:
    """Goes up and down with the text: not even a longer slice is larger."""
    return len(text) % 7 + len(text) // 7


def _name(unit: object) -> str:
    """A name that is the same in every process."""
    return unit if isinstance(unit, str) else getattr(unit, "__name__", type(unit).__name__)


RISING = ["chars", "words", half_bytes, pairs]
ANY = [*RISING, "cl100k", "o200k", runs]


@st.composite
def slices(draw: st.DrawFn) -> tuple[str, int, int, int]:
    """A text, a start, a stop behind it, and a limit."""
    text = draw(TEXTS)
    start = draw(st.integers(0, len(text)))
    return text, start, draw(st.integers(start, len(text))), draw(st.integers(0, 40))


@pytest.mark.parametrize("unit", ANY, ids=_name)
@given(made=slices())
def test_a_size_is_what_the_counter_says_of_the_slice(unit: object, made: tuple[str, int, int, int]) -> None:
    text, start, stop, _ = made
    count = counter(unit)  # type: ignore[arg-type]
    assert ruler(text, count).size(start, stop) == count.count(text[start:stop])


@pytest.mark.parametrize("unit", ANY, ids=_name)
@given(made=slices())
@example(made=("a", 0, 1, 0))
@example(made=("  ", 1, 1, 3))
def test_what_is_within_reach_fits(unit: object, made: tuple[str, int, int, int]) -> None:
    text, start, stop, limit = made
    count = counter(unit)  # type: ignore[arg-type]
    end = ruler(text, count).reach(start, limit, stop)
    assert start <= end <= stop
    assert end == start or count.count(text[start:end]) <= limit


@pytest.mark.parametrize("unit", RISING, ids=_name)
@given(made=slices())
def test_reach_is_the_largest_end_that_fits(unit: object, made: tuple[str, int, int, int]) -> None:
    """Where a longer slice is never smaller; a limit of 0 reaches nowhere, or over white space."""
    text, start, stop, limit = made
    count = counter(unit)  # type: ignore[arg-type]
    end = ruler(text, count).reach(start, limit, stop)
    if limit:
        assert end == max(
            e for e in range(start, stop + 1) if e == start or count.count(text[start:e]) <= limit
        )


@pytest.mark.parametrize("unit", ["cl100k", "o200k", runs], ids=_name)
@given(made=slices())
def test_one_character_more_does_not_fit(unit: object, made: tuple[str, int, int, int]) -> None:
    """Where sizes go up and down there may be a larger end; the one found is at an edge."""
    text, start, stop, limit = made
    count = counter(unit)  # type: ignore[arg-type]
    end = ruler(text, count).reach(start, limit, stop)
    if limit and end < stop:
        assert count.count(text[start : end + 1]) > limit


@given(made=slices(), more=st.lists(st.integers(1, 40), max_size=4))
def test_an_answer_does_not_depend_on_those_before_it(
    made: tuple[str, int, int, int], more: list[int]
) -> None:
    text, start, stop, limit = made
    count = counter(half_bytes)
    used = ruler(text, count)
    for other in more:
        used.reach(0, other, len(text))
    assert used.reach(start, limit, stop) == ruler(text, count).reach(start, limit, stop)


@pytest.mark.parametrize(("unit", "additive"), [("chars", True), ("words", True), (half_bytes, False)])
@given(made=slices(), middle=st.integers(0, 60))
def test_additive_rulers_say_so(
    unit: object, additive: bool, made: tuple[str, int, int, int], middle: int
) -> None:
    text, start, stop, _ = made
    found = ruler(text, counter(unit))  # type: ignore[arg-type]
    assert found.additive is additive
    if additive:
        cut = min(max(middle, start), stop)
        assert found.size(start, stop) <= found.size(start, cut) + found.size(cut, stop)


class Counting:
    """A counter of bytes that counts its calls."""

    name = "bytes"

    def __init__(self) -> None:
        self.calls, self.characters = 0, 0

    def count(self, text: str) -> int:
        self.calls += 1
        self.characters += len(text)
        return len(text.encode("utf-8"))


@pytest.mark.parametrize(
    "text", ["x" * 100_000, "x" * 50_000 + "水" * 50_000, "水" * 50_000 + "x" * 50_000, "x水" * 50_000]
)
def test_the_search_looks_a_few_times_and_not_far(text: str) -> None:
    count = Counting()
    found = CountRuler(text, count)
    start, steps = 0, 0
    while start < len(text):
        start = found.reach(start, 900, len(text))
        steps += 1
    assert count.calls <= 8 * steps
    assert count.characters <= 10 * len(text)


def test_a_far_stop_costs_nothing() -> None:
    count = Counting()
    CountRuler("x" * 10_000_000, count).reach(0, 100, 10_000_000)
    assert count.characters < 5_000
