"""Words of chunks counted twice, as they are and without some lines, are those of both strings."""

from __future__ import annotations

from collections.abc import Sequence
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.index import Analyzer, Bm25, Shelf, words
from chunkwise.index.slices import BARE, BOTH, WHOLE
from chunkwise.types import Chunk, Document, Span, Structure

PIECES = st.sampled_from(
    ["# One\n", "## two three\n", "text here. ", "more\n", "\n", "é\u200b ", "a\u0301", "水門は", "x_", "☃"]
)
TEXT = st.lists(PIECES, min_size=1, max_size=12).map("".join)


class Without:
    """Leaves ranges of a document out of it and of its chunks, character by character."""

    def __init__(self, text: str, ranges: Sequence[tuple[int, int]]) -> None:
        self.text = text
        self.lines = tuple(np.array(ranges, dtype=np.int64).reshape(-1, 2).T)
        self.out = {i for a, b in ranges for i in range(a, b)}
        self.document = document("".join(c for i, c in enumerate(text) if i not in self.out))

    def __call__(self, chunks: Sequence[Chunk]) -> list[Chunk]:
        return [self.strip(chunk) for chunk in chunks]

    def strip(self, chunk: Chunk) -> Chunk:
        start, end = chunk.match
        if not chunk.indexed.endswith(self.text[start:end]):
            return chunk._replace(indexed=chunk.indexed[1:], match=Span(0, 0))
        kept = "".join(c for i, c in enumerate(self.text[start:end], start) if i not in self.out)
        first = sum(i not in self.out for i in range(start))
        front = chunk.indexed[: len(chunk.indexed) - (end - start)]
        return chunk._replace(indexed=front + kept, match=Span(first, first + len(kept)))


def document(text: str) -> Document:
    def parse(_text: str, _id: str) -> Structure:
        raise AssertionError("words need no structure")

    return Document("a.md", text, parse)


def heading_lines(text: str) -> list[tuple[int, int]]:
    found, at = [], 0
    for line in text.splitlines(keepends=True):
        if line.startswith("#"):
            found.append((at, at + len(line)))
        at += len(line)
    return found


def cut(text: str, pairs: Sequence[tuple[int, int]], front: str) -> list[Chunk]:
    chunks = []
    for start, end in pairs:
        body = text[start:end]
        chunks.append(Chunk("a.md", Span(start, end), body, front + body, Span(start, end)))
    return chunks


def in_reading(analyzer: Analyzer, found, absent: int) -> list[list[str]]:
    """The words of each chunk in one reading."""
    ids, lengths, where = found
    named = [(analyzer.vocabulary[i], w) for i, w in zip(ids, where, strict=True)]
    stops = lengths.cumsum().tolist()
    return [
        [word for word, w in named[stop - length : stop] if w != absent]
        for stop, length in zip(stops, lengths.tolist(), strict=True)
    ]


PAIRS = st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60)).map(sorted), max_size=6)


@given(
    TEXT, PAIRS, st.sampled_from(["", "One > two\n", "水", "foreign"]), st.sampled_from([-1, 1024]), st.none()
)
@example("some text", [(0, 9)], "", -1, [(2, 6)])  # goes through words
@example("ab cd", [(0, 5)], "", -1, [(2, 3)])  # two words come together
@example("ab cd", [(0, 5)], "", -1, [(0, 3)])
def test_both_readings_have_the_words_of_their_strings(text, pairs, front, small, ranges) -> None:
    stripped = Without(text, heading_lines(text) if ranges is None else ranges)
    pairs = [(min(a, len(text)), min(b, len(text))) for a, b in pairs]
    chunks = cut(text, pairs, front if front != "foreign" else "")
    if front == "foreign":
        chunks = [chunk._replace(indexed=chunk.indexed + " One") for chunk in chunks]
    analyzer = Analyzer()
    with mock.patch.object(words, "_SMALL", small):
        found = analyzer.chunks(document(text), chunks, stripped)
    assert set(found.where.tolist()) <= {BOTH, WHOLE, BARE}
    assert in_reading(analyzer, found, BARE) == [analyzer.tokens(c.indexed) for c in chunks]
    assert in_reading(analyzer, found, WHOLE) == [analyzer.tokens(c.indexed) for c in stripped(chunks)]


@pytest.mark.parametrize("small", [-1, 1024])
@given(TEXT, PAIRS)
def test_one_count_makes_both_indexes(small, text, pairs) -> None:
    stripped = Without(text, heading_lines(text))
    chunks = cut(text, [(min(a, len(text)), min(b, len(text))) for a, b in pairs], "One > two\n")
    shelf, whole, bare = Shelf(twice=True), Shelf(), Shelf()
    for one in (shelf, whole, bare):
        one.put(Bm25())
    with mock.patch.object(words, "_SMALL", small):
        shelf.add(document(text), chunks, stripped)
        whole.add(document(text), chunks)
        bare.add(stripped.document, stripped(chunks))
    for ours, expected in ((shelf.finish(), whole.finish()), (shelf.finish(bare=True), bare.finish())):
        for question in ("one", "two more here", "水門 é text"):
            got, want = (made["bm25"].search(question, 20) for made in (ours, expected))
            assert [column.tolist() for column in got] == [column.tolist() for column in want]


def test_a_retriever_that_makes_one_index_at_a_time_is_asked_for_two() -> None:
    class Plain:
        spec = "plain"

        def __init__(self) -> None:
            self.made: list[list[str]] = []

        def indexer(self, _analyzer):
            texts: list[str] = []
            self.made.append(texts)

            class Indexer:
                def add(self, _document, chunks) -> None:
                    texts.extend(chunk.indexed for chunk in chunks)

                def finish(self) -> list[str]:
                    return texts

            return Indexer()

    text = "# One\nsome text\n"
    shelf, plain = Shelf(twice=True), Plain()
    shelf.put(plain)
    shelf.add(document(text), cut(text, [(0, len(text))], ""), Without(text, heading_lines(text)))
    assert shelf.finish() == {"plain": [text]}
    assert shelf.finish(bare=True) == {"plain": ["some text\n"]}
