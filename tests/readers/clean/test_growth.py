"""Cleaning takes time that grows with the text, whatever stands in it."""

from __future__ import annotations

import pytest

from chunkwise.readers import read_text
from chunkwise.readers.clean import STEPS, clean
from tests.cases.work_checks import at_most

MANY = 15_000


@pytest.mark.parametrize(
    "text",
    [
        "\u200e" * MANY + "a",
        "\u200d" * MANY + "a",
        "\u05d0\u200f" * MANY,
        "a\u0301" * MANY,
        "[" * MANY,
        "*a " * MANY,
        "<b>" * MANY,
        "<!-- " * MANY,
        "> " * 2000 + "a",
        "```\n" * MANY,
        "[a]: b\n" * MANY,
        "well-\nknown " * MANY,
        "a\n\n\n\n" * MANY,
        "-" + " " * MANY + "-\n",
        "Report 1\n\f" * MANY,
        "x" + " " * 150 + "1\n\f" * 2000,
        "1 2 3\n\f" * MANY,
    ],
    ids=range(17),
)
def test_no_text_takes_long(text):
    for id in ("a.md", "a.txt"):
        with at_most(6, f"cleaning {text[:8]!r}"):
            made = clean(read_text(text, id), list(STEPS))
            assert len(made.blocks) >= 0
