"""Plain text: paragraphs between blank lines or form feeds, nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.structure import parse_plain
from chunkwise.types import BlockKind


def split(text: str) -> list[str]:
    blocks = parse_plain(text, "a.txt").blocks
    assert all(block.kind == BlockKind.PARAGRAPH and block.depth == block.level == 0 for block in blocks)
    return [text[block.span.start : block.span.end] for block in blocks]


@pytest.mark.parametrize(
    "parts",
    [
        [],
        ["one"],
        ["one\ntwo\n"],
        ["one\n\n", "two\n \t\n\n", "three"],
        ["one\r\n\r\n", "two\r\n"],
        ["one\r\r", "two\r"],
        ["one\n\n", "  indented\n\n", "\tby a tab"],
        ["one\f", "two\n\f", "three"],
        ["one\f\n\n", "two"],
        ["one\n\f\n", "two"],
        ["# no heading\n\n", "- no list\n- at all\n\n", "```\n\n", "no code\n"],
        ["one\u2028two\x85three\x0bfour\n\n", "five"],
    ],
)
def test_paragraphs(parts: list[str]) -> None:
    assert split("".join(parts)) == parts


def test_blank_lines_before_the_first_paragraph_belong_to_it() -> None:
    assert split("\n\n  one\n\ntwo") == ["\n\n  one\n\n", "two"]


@given(st.text(st.sampled_from("ab \t\n\r\f\u2028"), max_size=30))
def test_blocks_tile_the_text(text: str) -> None:
    assert "".join(split(text)) == text
    assert [tuple(section.span) for section in parse_plain(text, "a.txt").sections] == [(0, len(text))]
