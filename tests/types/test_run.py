"""Rankings as columns: a sequence that makes each when it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from chunkwise.types import Hits, Ranking, Rankings

HITS = Hits(
    np.array([3, 1, 4, 2]), np.array([0.9, 0.5, 0.7, 0.1]), np.array([0, 2, 4, 0]), np.array([2, 4, 4, 2])
)


def plain(rankings: list[Ranking] | Rankings) -> list[tuple[str, list[int], list[float]]]:
    return [(one.question, one.chunks.tolist(), one.scores.tolist()) for one in rankings]


def test_rankings_are_a_sequence() -> None:
    found = Rankings(["a", "b", "c", "d"], HITS)
    expected = [
        ("a", [3, 1], [0.9, 0.5]),
        ("b", [4, 2], [0.7, 0.1]),
        ("c", [], []),
        ("d", [3, 1], [0.9, 0.5]),
    ]
    assert len(found) == 4
    assert plain(found) == expected
    assert plain([found[-1]]) == expected[-1:]
    assert plain(found[1:3]) == expected[1:3]
    assert isinstance(found[0], Ranking)
    with pytest.raises(IndexError):
        found[4]


def test_hits_are_pairs_of_chunks_and_scores() -> None:
    assert [(chunks.tolist(), scores.tolist()) for chunks, scores in HITS[2:]] == [
        ([], []),
        ([3, 1], [0.9, 0.5]),
    ]
    assert len(HITS) == 4
