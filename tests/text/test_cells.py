"""Cells of table rows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chunkwise.text import cell_spans, cells


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| a | b |", ["a", "b"]),
        ("a | b", ["a", "b"]),
        ("  | a | b |  \n", ["a", "b"]),
        ("| a | b |\n|---|---|\n", ["a", "b"]),
        ("|a||b|", ["a", "", "b"]),
        ("| a |  |", ["a", ""]),
        ("soup", ["soup"]),
        (r"| a \| b | c |", ["a | b", "c"]),
        (r"| a \\| c |", [r"a \\", "c"]),
        ("| `a\\|b` | c |", ["`a|b`", "c"]),
        ("|", [""]),
        ("", [""]),
        ("<tr><td>a</td><td>b <b>c</b></td></tr>", ["a", "b c"]),
        ("<tr>\n<th>a &amp; b\n<th>c\n</tr>", ["a & b", "c"]),
        ("<tr><td class='x'><!-- <td>no -->1</td><td/></tr>", ["1", ""]),
    ],
)
def test_cells(row: str, expected: list[str]) -> None:
    assert cells(row) == expected


def test_a_short_row_is_filled_and_a_long_one_cut() -> None:
    assert cells("soup", 2) == ["soup", ""]
    assert cells("| bread | 1 | white |", 2) == ["bread", "1"]


def test_places_lie_in_the_row_and_rise() -> None:
    row = "  | one |  two three | |\n"
    spans = cell_spans(row)
    assert [row[start:end] for start, end in spans] == ["one", "two three", ""]
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
