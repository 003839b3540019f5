"""`fixed`: windows of a size, each a step behind the one before."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.chunk import Fixed
from chunkwise.errors import SettingError
from chunkwise.structure import parse_plain
from chunkwise.text import counter
from chunkwise.types import Document


def windows(length: int, size: int, overlap: int, offset: int) -> list[tuple[int, int]]:
    """The windows over a text without clusters or blank stretches, as one would count them by hand."""
    found = []
    start, end = 0, offset or size
    while end < length:
        found.append((start, end))
        start = max(end - overlap, start + 1)
        end = start + size
    return [*found, (start, length)] if length else []


@st.composite
def settings_(draw: st.DrawFn) -> tuple[int, int, int]:
    size = draw(st.integers(1, 40))
    return size, draw(st.integers(0, size - 1)), draw(st.integers(0, size - 1))


@given(length=st.integers(0, 150), made=settings_())
def test_windows_in_characters(length: int, made: tuple[int, int, int]) -> None:
    size, overlap, offset = made
    document = Document("a.txt", "x" * length, parse_plain)
    chunks = Fixed(size=size, overlap=overlap, offset=offset)(document)
    assert [tuple(chunk.span) for chunk in chunks if chunk.span] == windows(length, size, overlap, offset)
    assert all(chunk.indexed == chunk.text and chunk.context == () for chunk in chunks)


@given(words=st.lists(st.sampled_from(["a", "bb", "水", "e\u0301"]), max_size=60), made=settings_())
def test_windows_in_words(words: list[str], made: tuple[int, int, int]) -> None:
    size, overlap, offset = made
    offset = (
        offset if offset > overlap else 0
    )  # a first window within the overlap is said again but for a character
    text = " ".join(words)
    chunks = Fixed(size=size, overlap=overlap, offset=offset, unit="words")(
        Document("a.txt", text, parse_plain)
    )
    found = [chunk.text.split() for chunk in chunks]
    assert found == [words[a:b] for a, b in windows(len(words), size, overlap, offset)]
    if not overlap:
        assert "".join(chunk.text for chunk in chunks) == text


PROSE = (
    "The pump runs at 24 bar, and it is loud. Größe: 水門は六時に開きます。 <|endoftext|> 👩‍🔧 x1y2z3. " * 6
)


@pytest.mark.parametrize(("size", "overlap"), [(12, 0), (30, 7), (30, 29)])
def test_windows_in_tokens_are_as_long_as_the_limit_lets_them(size: int, overlap: int) -> None:
    count = counter("cl100k").count
    chunks = Fixed(size=size, overlap=overlap, unit="cl100k")(Document("a.txt", PROSE, parse_plain))
    for chunk in chunks:
        assert count(chunk.indexed) <= size
    for one, two in pairwise(chunks):
        assert one.span is not None
        assert two.span is not None
        assert count(PROSE[two.span.start : one.span.end]) <= overlap
        longer = [PROSE[one.span.start : one.span.end + more] for more in range(1, 20)]
        # A cluster is not cut, so that a window may end a few characters before its limit.
        assert any(count(text) > size for text in longer[:5])


def test_a_text_of_the_size_is_one_window() -> None:
    assert [chunk.text for chunk in Fixed(size=3)("abc")] == ["abc"]
    assert [chunk.text for chunk in Fixed(size=3, overlap=2)("abcd")] == ["abc", "bcd"]


def test_an_overlap_does_not_grow_for_a_cluster_that_stands_across_its_start() -> None:
    family = "👨‍👩‍👧"  # five code points, one cluster
    first, second = Fixed(size=10, overlap=3)("abcd" + family + "x" + "efgh")[:2]
    assert first.text == "abcd" + family + "x"
    assert second.text.startswith("xef"), "the overlap of 3 holds no half of the cluster"


def test_an_overlap_of_one_cluster_is_none() -> None:
    family = "👨‍👩‍👧"
    assert [chunk.text for chunk in Fixed(size=6, overlap=4)(f"a{family}b{family}")] == [
        f"a{family}",
        f"b{family}",
    ]


@pytest.mark.parametrize("unit", ["chars", "cl100k"])
def test_a_first_window_too_small_for_its_first_cluster_is_a_whole_one(unit: str) -> None:
    family = "👨‍👩‍👧"
    (chunk,) = Fixed(size=30, offset=2, unit=unit)(family + "ab")
    assert chunk.text == family + "ab"
    assert chunk.marks == ()


def test_a_cluster_is_cut_only_where_it_does_not_fit_and_says_so() -> None:
    text = "a" + "\u0301" * 9 + "b"
    chunks = Fixed(size=4)(text)
    assert [len(chunk.text) for chunk in chunks] == [4, 4, 3]
    assert [chunk.marks for chunk in chunks] == [("cut in a grapheme",), ("cut in a grapheme",), ()]


def test_a_character_over_a_limit_in_tokens_is_refused_with_its_place() -> None:
    with pytest.raises(
        SettingError,
        match=r"^a\.txt:2: the character '.*000110bd' alone takes 4 cl100k, the size is 2; use a larger",
    ):
        Fixed(size=2, unit="cl100k")(Document("a.txt", "one\n\U000110bd", parse_plain))


def test_everything_is_kept() -> None:
    text = "---\ntitle: A\n---\n\n  # B \n\n\n\tc\u200b  \n"
    chunks = Fixed(size=9)(text)
    assert "".join(chunk.text for chunk in chunks) == text
