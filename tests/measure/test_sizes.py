"""Sizes and costs: the case counted by hand, and edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.measure.sizes import covered_once, index_costs, median, size_profile


def columns(*spans: tuple[int, int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    docs, starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    return docs, starts, ends


def test_what_overlap_and_prefix_cost() -> None:
    plain = columns((0, 0, 100), (0, 100, 200), (0, 200, 300))
    assert index_costs(*plain, 300, 0)["overlap_factor"] == 1.0
    windows = columns((0, 0, 100), (0, 80, 180), (0, 160, 260), (0, 240, 300))
    costs = index_costs(*windows, 400, 40)
    assert costs == {
        "characters_indexed": 400,
        "context_characters": 40,
        "slice_characters": 360,
        "covered_characters": 300,
        "overlap_factor": 1.2,
    }


def test_the_same_place_in_two_documents_is_two_places() -> None:
    assert covered_once(*columns((0, 0, 10), (1, 0, 10), (1, 5, 12))) == 22


def test_a_chunk_inside_another_adds_nothing() -> None:
    assert covered_once(*columns((0, 0, 100), (0, 10, 20), (0, 30, 40))) == 100


def test_chunks_without_a_place_cost_only_their_string() -> None:
    costs = index_costs(*columns((0, 0, 10), (0, -1, -1)), 25, 0)
    assert (costs["characters_indexed"], costs["slice_characters"], costs["covered_characters"]) == (
        25,
        10,
        10,
    )


def test_no_chunks_cost_nothing() -> None:
    assert index_costs(*columns(), 0, 0)["overlap_factor"] == 1.0
    profile = size_profile(np.zeros(0, dtype=np.int64), "chars")
    assert (profile["min"], profile["mean"], profile["max"]) == (0, 0.0, 0)


@pytest.mark.parametrize(("count", "p95"), [(1, 1), (19, 19), (20, 19), (21, 20), (100, 95), (101, 96)])
def test_p95_is_a_size_that_95_in_100_do_not_exceed(count: int, p95: int) -> None:
    sizes = np.arange(count, 0, -1)
    assert size_profile(sizes, "words")["p95"] == p95
    assert (sizes <= p95).mean() >= 0.95


def test_the_profile() -> None:
    profile = size_profile(np.array([4, 1, 3, 2]), "words", 1)
    assert profile == {"unit": "words", "min": 1, "median": 2.5, "mean": 2.5, "p95": 4, "max": 4, "marked": 1}


@given(st.lists(st.integers(0, 10**6), min_size=1) | st.lists(st.floats(0, 1), min_size=1))
def test_the_median_is_that_of_numpy(values: list[float]) -> None:
    assert median(np.array(values)) == np.median(values)
