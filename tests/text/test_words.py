"""Places of words: runs without white space."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunkwise.text import word_spans, word_starts

TEXTS = st.text(st.sampled_from("ab 水\n\t\u00a0\u200b"), max_size=20)


@given(TEXTS)
def test_spans_are_the_words_in_order(text: str) -> None:
    assert [text[a:b] for a, b in word_spans(text)] == text.split()
    assert word_spans(text) == sorted(word_spans(text))


@given(text=TEXTS, data=st.data())
def test_starts_are_those_of_words_that_begin_inside(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert word_starts(text, start, end) == [a for a, _ in word_spans(text) if start <= a < end]


def test_a_word_that_began_before_is_none() -> None:
    assert word_starts("one two three", 1, 13) == [4, 8]
    assert word_starts("one two three", 4, 8) == [4]
