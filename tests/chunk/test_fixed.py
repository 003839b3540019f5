"""`fixed`: windows of a size, each a step behind the one before."""

from __future__ import annotations

from chunkwise.chunk import Fixed


def test_an_overlap_does_not_grow_for_a_cluster_that_stands_across_its_start() -> None:
    family = "👨‍👩‍👧"  # five code points, one cluster
    first, second = Fixed(size=10, overlap=3)("abcd" + family + "x" + "efgh")[:2]
    assert first.text == "abcd" + family + "x"
    assert second.text.startswith("xef"), "the overlap of 3 holds no half of the cluster"
