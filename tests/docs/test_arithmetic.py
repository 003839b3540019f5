"""The page of arithmetic: what it computes without measuring, and that the page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import arithmetic
from scripts.figures import ROOT, blocks

PAGE = blocks((ROOT / "docs" / "arithmetic.md").read_text("utf-8"))


def test_the_bill_is_that_of_longer_chunks_than_the_article_allows() -> None:
    said = " ".join(arithmetic.bill(Path()).split())
    assert "would be 728 tokens each, above the limit of 512" in said
    assert PAGE["arithmetic-bill"] == arithmetic.bill(Path())


def test_links_of_a_graph() -> None:
    # Half of all points are on the first layer above with m=2, a quarter on the next: one layer in the mean.
    assert arithmetic.links(2) == 4 * (4 + 2)
    layers = sum(16**-layer for layer in range(1, 40))
    assert arithmetic.links(16) == pytest.approx(4 * (32 + 16 * layers))
    assert PAGE["arithmetic-vectors"] == arithmetic.vectors(Path())


def test_sizes_are_in_proportion() -> None:
    found = {
        "about": "",
        "documents": 10,
        "characters": 100,
        "read": 3.6,
        "rows": [{"chunker": "x", "chunks": 20, "tokens": 1000, "bytes": 5000, "cut": 32.4}],
        "embed": 0.5,
        "graph": 0.1,
        "held": 1,
        "manifest": 1,
    }
    line = arithmetic._sizes(found).splitlines()[2]
    assert [cell.strip() for cell in line.strip("|").split("|")] == [
        "15,000",
        "`x`",
        "30,000",
        "1.50 million",
        "$0.03",
        "15.0 h",
        "208 h",
        "0.833 h",
        "0.0500 GB",
        "0.0075 GB",
    ]
