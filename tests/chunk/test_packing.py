"""`recursive`, `sentence` and `paragraph`: as many whole parts as fit, counted here in another way."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.chunk import Paragraph, Recursive, Sentence
from chunkwise.chunk.base import BaseChunker
from chunkwise.structure import parse_plain
from chunkwise.types import Document

WORDS = st.lists(st.text("abc水é", min_size=1, max_size=7), min_size=1, max_size=30)


def greedy(parts: list[str], joint: str, size: int) -> list[str]:
    """Parts packed one after the other; none is larger than the size."""
    packed = [parts[0]]
    for part in parts[1:]:
        if len(packed[-1]) + len(joint) + len(part) <= size:
            packed[-1] += joint + part
        else:
            packed.append(part)
    return packed


def texts(chunker: object, text: str) -> list[str]:
    return [chunk.text for chunk in chunker(Document("a.txt", text, parse_plain))]  # type: ignore[operator]


@given(words=WORDS, size=st.integers(7, 40))
def test_words(words: list[str], size: int) -> None:
    assert texts(Recursive(size=size, separators=(" ",)), " ".join(words)) == greedy(words, " ", size)


@given(words=WORDS, size=st.integers(10, 40), separator=st.sampled_from([" ", ".", "|", " - ", "\\d", "\n"]))
def test_any_separator_is_taken_as_it_is_and_stays_with_the_part_before_it(
    words: list[str], size: int, separator: str
) -> None:
    found = texts(Recursive(size=size, separators=(separator,)), separator.join(words))
    parts = [word + separator for word in words[:-1]] + [words[-1]]
    expected = [parts[0]]
    for part in parts[1:]:
        # White space at the end of a chunk is dropped and takes no room.
        if len((expected[-1] + part).rstrip()) <= size:
            expected[-1] += part
        else:
            expected.append(part)
    assert found == [part.rstrip() for part in expected]


PARAGRAPHS = st.lists(
    st.lists(st.sampled_from(["one", "two", "three"]), min_size=1, max_size=4).map(" ".join),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("make", [Paragraph, Recursive])
@given(paragraphs=PARAGRAPHS, size=st.integers(23, 80))
def test_paragraphs(make: type, paragraphs: list[str], size: int) -> None:
    assert texts(make(size=size), "\n\n".join(paragraphs)) == greedy(paragraphs, "\n\n", size)


SENTENCES = st.lists(
    st.lists(st.sampled_from(["pumps", "run", "loud"]), min_size=1, max_size=4).map(
        lambda words: "The " + " ".join(words) + "."
    ),
    min_size=1,
    max_size=12,
)


@given(sentences=SENTENCES, size=st.integers(28, 90))
def test_sentences(sentences: list[str], size: int) -> None:
    assert texts(Sentence(size=size), " ".join(sentences)) == greedy(sentences, " ", size)


def test_a_coarse_separator_goes_before_a_fine_one() -> None:
    text = "aa bb cc.\n\ndd ee. ff gg. hh ii.\n\njj kk."
    assert texts(Recursive(size=22), text) == ["aa bb cc.", "dd ee. ff gg. hh ii.", "jj kk."]
    assert texts(Recursive(size=14), text) == ["aa bb cc.", "dd ee. ff gg.", "hh ii.\n\njj kk."]


def test_line_ends_of_a_separator_are_those_of_the_text() -> None:
    for end in ("\n", "\r\n", "\r"):
        text = end.join(["one two", "", "three four", "five", "", "six"])
        found = texts(Recursive(size=12, separators=("\n\n", "\n")), text)
        assert found == ["one two", "three four", f"five{end}{end}six"]


@pytest.mark.parametrize("make", [Recursive, Sentence, Paragraph])
@pytest.mark.parametrize("size", range(9, 40))
def test_a_word_is_cut_only_where_it_is_larger_than_the_size(make: type, size: int) -> None:
    text = "short " + "x" * 50 + " words here. And more of them"
    chunks = make(size=size)(Document("a.txt", text, parse_plain))
    cut = [one.span.end for one, two in pairwise(chunks) if one.span.end == two.span.start]
    assert cut
    assert all(6 < place < 56 for place in cut)


def test_a_fence_is_a_block_to_one_and_text_to_the_other() -> None:
    text = "One.\n\n```\na\n\nb\n```\n\n| a |\n|---|\n| 1 |\n"
    assert texts_of_markdown(Paragraph(size=17), text) == ["One.", "```\na\n\nb\n```", "| a |\n|---|\n| 1 |"]
    assert texts_of_markdown(Recursive(size=17), text)[:2] == ["One.\n\n```\na", "b\n```"]


def test_a_fence_that_fits_stays_whole_at_the_price_of_a_lone_heading() -> None:
    code = "```\n" + "line\n" * 6 + "```"
    assert texts_of_markdown(Paragraph(size=40), f"# A\n\n{code}\n") == ["# A", code]


def test_prose_is_cut_so_that_its_heading_is_not_alone() -> None:
    text = "# A\n\nOne two three. Four five six. Seven eight."
    assert texts_of_markdown(Paragraph(size=42), text) == [
        "# A\n\nOne two three. Four five six.",
        "Seven eight.",
    ]


def texts_of_markdown(chunker: BaseChunker, text: str) -> list[str]:
    return [chunk.text for chunk in chunker(text)]
