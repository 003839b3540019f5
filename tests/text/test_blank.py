"""Blank characters, blank lines, and line ends."""

from __future__ import annotations

import sys

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.text import VISIBLE, is_blank, line_ends, quoted_line, trim_lines

TEXTS = st.text(st.sampled_from("ab \t\n\r\f\u00a0\u200b\ufe0f\u3000é"), max_size=20)


def test_visible_is_what_unicode_says() -> None:
    """All code points: neither white space nor Default_Ignorable_Code_Point, as `regex` knows them."""
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    ignorable = set(regex.findall(r"\p{Default_Ignorable_Code_Point}", every))
    found = {match.group() for match in VISIBLE.finditer(every)}
    assert found == {c for c in every if not c.isspace() and c not in ignorable}


@pytest.mark.parametrize(
    ("text", "blank"),
    [
        ("", True),
        (" \t\r\n\f\v\x1c\x85\u2028\u3000", True),
        ("\u200b\u00ad\ufeff\u2060\u3164\ufe0f", True),
        ("\n\n.\n", False),
        ("\x00", False),
        ("\u0301", False),  # a combining mark without a letter is drawn
    ],
)
def test_is_blank(text: str, blank: bool) -> None:
    assert is_blank(text) is blank


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("abc", "abc"),
        ("\n\n  abc\n def \n\n", "  abc\n def"),
        ("  \n\tabc", "\tabc"),
        ("\r\n\r\n  abc\r\n", "  abc"),
        ("\r\r abc\r", " abc"),
        ("\u200b\n abc \u200b\n", " abc \u200b"),  # invisible characters behind may belong to a visible one
        ("❤\ufe0f\n", "❤\ufe0f"),
        ("\u200b é", "\u200b é"),
        (" \n\u200b\n", ""),
        ("", ""),
    ],
)
def test_trim_lines(text: str, kept: str) -> None:
    start, end = trim_lines(text, 0, len(text))
    assert text[start:end] == kept


@given(before=TEXTS, text=TEXTS, after=TEXTS)
def test_trimming_a_slice_looks_at_nothing_else(before: str, text: str, after: str) -> None:
    whole = before + text + after
    start, end = trim_lines(whole, len(before), len(before) + len(text))
    alone = trim_lines(text, 0, len(text))
    assert (start - len(before), end - len(before)) == alone
    assert len(before) <= start <= end <= len(before) + len(text)
    if is_blank(text):
        assert start == end
    else:
        dropped = text[: alone[0]] + text[alone[1] :]
        assert is_blank(dropped)
        assert not text[: alone[0]].rstrip("\r\n") or text[: alone[0]][-1] in "\r\n", (
            "whole lines are dropped"
        )
        assert not is_blank(text[alone[0] :].split("\n")[0].split("\r")[0]), "the first line is kept whole"
        assert not text[alone[1] - 1].isspace()


@given(TEXTS)
def test_line_ends_are_those_of_lf_crlf_and_cr(text: str) -> None:
    ends = line_ends(text)
    pieces = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    # str.splitlines knows more line ends than these three.
    expected = text.replace("\f", "x").replace("\x1c", "x").splitlines(keepends=True)
    assert [len(piece) for piece in pieces if piece] == [len(line) for line in expected]
    assert "".join(pieces) == text


QUOTED = {
    "> > ": 0,
    "a\n > ": 2,
    "a\r\n>\t": 3,
    "a\r> ": 2,
    "a > ": 4,
    "a\n- > ": 6,
    "\n": 1,
    "": 0,
    "a\n" + "> " * 500: 2,
}
"""What stands before a place, and where the line of the place begins."""


@pytest.mark.parametrize("before", QUOTED)
def test_a_quoted_line_begins_before_its_marks(before: str) -> None:
    assert quoted_line(f"{before}x\n> y", len(before)) == QUOTED[before]
