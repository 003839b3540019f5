"""Overlap: what is said again, in which units, and how much at most."""

from __future__ import annotations

from itertools import pairwise

import pytest

from chunkwise.chunk import CHUNKERS, Heading, Paragraph, Recursive, SectionChunker, Sentence
from chunkwise.chunk.base import BaseChunker
from chunkwise.text import counter, sentence_ends
from chunkwise.types import Chunk

PACKERS = [Recursive, Sentence, Paragraph, Heading, SectionChunker]
SENTENCES = "".join(f"Sentence number {i} of it. " for i in range(40)).strip()
PARAGRAPHS = "\n\n".join(f"Paragraph {i} is short." for i in range(30))
WORDS = " ".join(f"word{i}" for i in range(200))


def repeated(text: str, chunks: list[Chunk]) -> list[str]:
    """What each chunk repeats of the one before it."""
    spans = [chunk.span for chunk in chunks if chunk.span]
    return [text[two.start : one.end] if two.start < one.end else "" for one, two in pairwise(spans)]


@pytest.mark.parametrize("make", PACKERS)
class TestUnits:
    def test_whole_paragraphs_where_one_fits(self, make: type[BaseChunker]) -> None:
        again = repeated(PARAGRAPHS, make(size=130, overlap=60)(PARAGRAPHS))  # type: ignore[call-arg]
        assert again
        for text in again:
            assert text.startswith("Paragraph")
            assert text.count("Paragraph") == 2

    def test_whole_sentences_where_no_paragraph_fits(self, make: type[BaseChunker]) -> None:
        again = repeated(SENTENCES, make(size=130, overlap=60)(SENTENCES))  # type: ignore[call-arg]
        assert again
        for text in again:
            assert text.startswith("Sentence")
            assert text.count("Sentence") == 2

    def test_words_where_no_sentence_fits(self, make: type[BaseChunker]) -> None:
        again = repeated(WORDS, make(size=60, overlap=20)(WORDS))  # type: ignore[call-arg]
        assert len(again) > 20
        # The last one may have less: what is left fits by itself.
        for text in again[:-1]:
            assert text.startswith("word")
            assert 12 <= len(text) <= 20

    def test_none_where_not_even_a_word_fits(self, make: type[BaseChunker]) -> None:
        assert set(repeated(WORDS, make(size=60, overlap=3)(WORDS))) == {""}  # type: ignore[call-arg]

    def test_none_by_default(self, make: type[BaseChunker]) -> None:
        assert set(repeated(SENTENCES, make(size=130)(SENTENCES))) == {""}  # type: ignore[call-arg]

    @pytest.mark.parametrize("unit", ["words", "cl100k"])
    def test_in_other_units(self, make: type[BaseChunker], unit: str) -> None:
        count = counter(unit).count
        chunks = make(size=30, overlap=12, unit=unit)(SENTENCES)  # type: ignore[call-arg]
        again = repeated(SENTENCES, chunks)
        assert all(0 < count(text) <= 12 for text in again)
        assert all(text.startswith("Sentence") for text in again)

    def test_a_chunk_adds_something_new(self, make: type[BaseChunker]) -> None:
        for size in (20, 40, 65):
            for text in (SENTENCES, PARAGRAPHS, WORDS):
                ends = [c.span.end for c in make(size=size, overlap=size - 1)(text) if c.span]  # type: ignore[call-arg]
                assert ends == sorted({*ends})


def test_a_sentence_that_begins_a_chunk_is_whole() -> None:
    starts = {0, *sentence_ends(SENTENCES)}
    for chunk in Sentence(size=130, overlap=60)(SENTENCES):
        assert chunk.span is not None
        assert chunk.span.start in starts


@pytest.mark.parametrize("make", [Heading, SectionChunker])
def test_nothing_is_repeated_across_sections(make: type[BaseChunker]) -> None:
    text = "# A\n\n" + SENTENCES[:300] + "\n\n# B\n\n" + SENTENCES[:300] + "\n"
    chunks = make(size=100, overlap=50)(text)  # type: ignore[call-arg]
    border = text.index("# B")
    assert any(chunk.span and chunk.span.start == border for chunk in chunks)
    assert all(chunk.span and not chunk.span.start < border < chunk.span.end for chunk in chunks)


def test_a_table_that_is_cut_repeats_rows() -> None:
    rows = [f"| row {i} | value |" for i in range(12)]
    text = "\n".join(["| a | b |", "|---|---|", *rows]) + "\n"
    chunks = Paragraph(size=100, overlap=40)(text)
    for one, two in pairwise(chunks):
        assert two.text.split("\n")[0] in one.text.split("\n")


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name not in ("document", "fixed")])
def test_an_overlap_gives_way_to_a_word_that_needs_the_room(name: str) -> None:
    text = "gamma delta epsilon zeta\n\n" + "x" * 98 + "\n\nshort end"
    for chunk in CHUNKERS[name](size=100, overlap=20)(text):
        assert "x" not in chunk.text or "x" * 98 in chunk.text


@pytest.mark.parametrize("name", ["paragraph", "sentence", "recursive"])
def test_headings_without_text_fill_a_chunk_also_behind_an_overlap(name: str) -> None:
    text = "".join(f"## Title {i}\n" for i in range(60))
    plain = CHUNKERS[name](size=100)(text)
    again = CHUNKERS[name](size=100, overlap=15)(text)
    assert len(plain) < len(again) <= 1.4 * len(plain)


@pytest.mark.parametrize("make", PACKERS)
@pytest.mark.parametrize(
    ("text", "overlap"),
    [
        ("^1]he pup| \u0645\u0631\u062d", 2),  # " pup|" is two tokens, "pup|" three
        ("k]a\n* the pump\n\u0627", 1),
    ],
)
def test_a_word_may_take_more_tokens_without_its_space(
    make: type[BaseChunker], text: str, overlap: int
) -> None:
    chunks = make(size=8, unit="cl100k", overlap=overlap)(text)  # type: ignore[call-arg]
    assert len(chunks) > 1
    for said in repeated(text, chunks):
        assert counter("cl100k").count(said) <= overlap
