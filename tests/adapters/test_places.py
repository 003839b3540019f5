"""Strings that somebody else cut find their place again."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.adapters.places import place
from chunkwise.types import Span

SENTENCES = "Stop. Stop it. Stop. The end."


def cut(text: str, places: list[Span | None]) -> list[str | None]:
    return [None if p is None else text[p.start : p.end] for p in places]


@pytest.mark.parametrize(
    ("text", "pieces", "expected"),
    [
        ("one two", ["one", "two"], [(0, 3), (4, 7)]),
        # A repeated piece is the next copy, not one inside the piece before.
        (SENTENCES, ["Stop.", "Stop it.", "Stop.", "The end."], [(0, 5), (6, 14), (15, 20), (21, 29)]),
        ("aaaa", ["aa", "aa"], [(0, 2), (2, 4)]),
        ("x - [ ] todo\n- [ ] todo", ["x - [ ] todo\n", "- [ ] todo"], [(0, 13), (13, 23)]),
        # Overlap: behind the start of the one before, not behind its end.
        ("abcdef", ["abcd", "cdef"], [(0, 4), (2, 6)]),
        # A later copy is far away, the one that overlaps is meant.
        ("ab cd ef -- cd ef", ["ab cd", "cd ef"], [(0, 5), (3, 8)]),
        # White space between words was changed by the chunker.
        ("one\n\n  two\tthree\n", ["one two", "three"], [(0, 10), (11, 16)]),
        ("one  two one two", ["one two", "one two"], [(0, 8), (9, 16)]),
        ("a\u00a0b", ["a b"], [(0, 3)]),
        # Exact comes first, although a folded match stands before it.
        ("x\nx y\ny x y", ["x y"], [(2, 5)]),
        # What is not in the text moves nothing.
        ("one two three", ["one", "TWO", "three"], [(0, 3), None, (8, 13)]),
        ("one two", ["two", "one"], [(4, 7), None]),
        ("", ["a"], [None]),
        ("   ", ["a b"], [None]),
        ("a", ["   "], [None]),
        # Spans that were given are taken as they are, strings go on from there.
        ("ab ab ab", [Span(3, 5), "ab"], [(3, 5), (6, 8)]),
    ],
)
def test_places(text, pieces, expected) -> None:
    assert place(text, pieces) == expected


def test_a_text_with_the_period_of_the_overlap_loses_no_piece() -> None:
    text = "ha" * 10
    pieces = [text[i : i + 8] for i in range(0, 16, 4)]
    assert None not in place(text, pieces)


def test_folding_finds_words_at_both_ends_and_stops_at_visible_characters() -> None:
    text = "\n\n# A\n\nb   c\n\n"
    assert cut(text, place(text, ["# A b c"])) == ["# A\n\nb   c"]


WORDS = st.lists(st.sampled_from(["a", "bb", "ab", "Stop.", "é", "\U0001f600"]), min_size=1, max_size=30)
SPACES = st.sampled_from([" ", "  ", "\n", "\n\n", "\t", "\r\n", "\u3000"])


@given(WORDS, st.data())
def test_cut_pieces_without_overlap_are_placed_where_they_were_cut(words, data) -> None:
    text = "".join(word + data.draw(SPACES) for word in words)
    ends = [m.start() for m in re.finditer(r"\s+", text)]
    cuts = sorted({0, len(text), *data.draw(st.lists(st.sampled_from(ends), max_size=8))})
    pieces = [text[a:b] for a, b in pairwise(cuts)]
    assert place(text, pieces) == list(pairwise(cuts))


@given(WORDS, st.data())
def test_pieces_of_other_white_space_keep_their_words(words, data) -> None:
    text = "".join(word + data.draw(SPACES) for word in words)
    size = data.draw(st.integers(1, 5))
    groups = [words[i : i + size] for i in range(0, len(words), size)]
    places = place(text, [" ".join(group) for group in groups])
    assert [None if p is None else text[p.start : p.end].split() for p in places] == groups


@given(st.text("ab \n", max_size=40), st.integers(1, 9), st.integers(0, 8))
@example("abababababababab", 8, 4)
def test_windows_are_placed_in_order_with_their_own_text(text, size, overlap) -> None:
    overlap = min(overlap, size - 1)
    pieces = [text[i : i + size] for i in range(0, len(text), size - overlap)]
    places = place(text, pieces)
    found = [p for p in places if p is not None]
    assert [p.start for p in found] == sorted({p.start for p in found})
    for piece, p in zip(pieces, places, strict=True):
        if p is not None:
            assert text[p.start : p.end].split() == piece.split()


def test_a_piece_that_overlaps_ends_behind_the_one_before() -> None:
    text = "Ask. " * 5 + "Stop. Go."
    assert place(text, [text[0:24], text[10:29]]) == [Span(0, 24), Span(10, 29)]
    # The words stand inside of the first piece too, where no chunker would put its next piece.
    assert place(text, ["Ask. Ask. Ask. Ask", "Ask. Ask.", "Stop. Go."])[1:] == [Span(10, 19), Span(25, 34)]
    assert place(text, ["Ask. Ask. Ask. Ask", "Ask.  Ask.", "Stop. Go."])[1:] == [Span(10, 19), Span(25, 34)]


def test_parts_of_a_piece_may_begin_where_it_does() -> None:
    text = "One two. Three four."
    assert place(text, [text, "One two.", "Three four."]) == [Span(0, 20), Span(0, 8), Span(9, 20)]
