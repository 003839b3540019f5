"""`heading`: keeps to the sections, and carries the heading path."""

from __future__ import annotations

import pytest

from chunkwise.chunk import Heading


@pytest.mark.parametrize(
    "before", ["", "\n", "\n \n\n", "\r\n", "---\nkey: value\n---\n", "---\nkey: value\n---\n\n"]
)
def test_blank_lines_before_the_first_heading_change_nothing(before: str) -> None:
    (chunk,) = Heading(size=80)(before + "# Pumps\n\nOne litre.\n")
    assert chunk.text == "# Pumps\n\nOne litre."
    assert chunk.context == ()
