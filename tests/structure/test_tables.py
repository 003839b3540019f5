"""Tables as texts, and the rows of HTML tables."""

from __future__ import annotations

import pytest

from chunkwise import read_text
from chunkwise.structure import tables
from chunkwise.types import BlockKind


def kinds(text: str) -> list[tuple[str, int, int, str]]:
    blocks = read_text(text).blocks
    return [
        (block.kind.name, block.level, block.depth, text[block.span.start : block.span.end].strip())
        for block in blocks
        if block.kind in (BlockKind.HTML, BlockKind.TABLE, BlockKind.ROW)
    ]


def test_markdown_rows_are_as_wide_as_the_header() -> None:
    text = "Intro\n\n| a | b |\n|---|---|\n| 1 |\n| 2 | 3 | 4 |\n\nBetween\n\n| c |\n|---|\n"
    assert list(tables(read_text(text))) == [[["a", "b"], ["1", ""], ["2", "3"]], [["c"]]]


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("Prices:\na | b\n--- | ---\n1 | 2\n", ["a", "b"]),
        ("Größen\r\nÖl | Maß\r\n|:-|-:|\r\n1 | 2\r\n", ["Öl", "Maß"]),
        ("> Prices:\n> a | b\n> --- | ---\n> 1 | 2\n", ["a", "b"]),
        ("- Prices:\n  **a** | b\n  -|-\n  1 | 2\n", ["**a**", "b"]),
        ("Prices:\n\\| a | b |\n|---|---|\n1 | 2\n", ["| a", "b"]),
    ],
)
def test_a_table_without_outer_bars_may_follow_a_line_of_text(text: str, cells: list[str]) -> None:
    assert list(tables(read_text(text))) == [[cells, ["1", "2"]]]


@pytest.mark.parametrize(
    "text",
    [
        "Prices\n\na | b | c\n--- | ---\n",
        "```\nPrices\na | b\n--- | ---\n```\n",
        "<div>\nPrices\na | b\n--- | ---\n</div>\n",
        "a | b\n---\n",
    ],
)
def test_what_is_no_table_stays_none_behind_a_line_of_text(text: str) -> None:
    assert list(tables(read_text(text))) == []


def test_a_head_of_two_rows_is_one_header() -> None:
    text = "<table><thead><tr><th>a</th></tr><tr><th>b</th></tr></thead><tr><td>1</td></tr></table>\n"
    assert list(tables(read_text(text))) == [[["a", "b"], ["1"]]]
    assert [(kind, level) for kind, level, _, _ in kinds(text)] == [
        ("HTML", 0),
        ("TABLE", 0),
        ("ROW", 0),
        ("ROW", 1),
    ]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("<table><tr><th>a<th>b</tr><tr><td>1<td>2</tr></table>", [0, 1]),
        ("<table><tr><th>a</th><td>1</td></tr><tr><th>b</th><td>2</td></tr></table>", [1, 1]),
        ("<table>\n<tr><td>1</td></tr>\n<tr><td>2</td></tr>\n</table>", [1, 1]),
        ("<table>\n<tr><td>never closed", [1]),
        ("<!-- <table><tr><td>1</td></tr></table> -->", []),
        ("<pre>\n<table><tr><td>1</td></tr></table>\n</pre>", []),
        ("<table></table>", []),
        ("<div><TABLE><TR><TD>1</TABLE></div>", [1]),
    ],
)
def test_levels_of_html_rows(text: str, levels: list[int]) -> None:
    assert [level for kind, level, _, _ in kinds(text) if kind == "ROW"] == levels


def test_a_table_in_a_table_stays_in_its_row() -> None:
    text = "<table>\n<tr><td><table><tr><td>in</td></tr></table></td></tr>\n<tr><td>b</td></tr>\n</table>\n"
    rows = [text for kind, _, _, text in kinds(text) if kind == "ROW"]
    assert rows == [
        "<tr><td><table><tr><td>in</td></tr></table></td></tr>",
        "<tr><td>b</td></tr>\n</table>",
    ]


def test_a_table_beside_text_and_in_a_list() -> None:
    text = "- one\n\n  <table>\n  <tr><td>1</td></tr>\n  </table>\n\ntext\n"
    assert [(kind, depth) for kind, _, depth, _ in kinds(text)] == [("HTML", 2), ("TABLE", 3), ("ROW", 4)]
