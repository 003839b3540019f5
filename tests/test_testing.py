"""`check_chunker` lets good chunkers pass, and finds each kind of broken promise."""

from __future__ import annotations

import itertools
import pickle
import re
from collections.abc import Callable

import pytest

from chunkwise.chunk import Heading, Paragraph
from chunkwise.structure import parse_markdown
from chunkwise.testing import PromiseError, check_chunker
from chunkwise.text import is_blank
from chunkwise.types import Chunk, Document, Span

TEXT = "# Pumps\n\nThe pump runs.\n\nIt is loud.\n\n## Valves\n\nThe valve is shut.\n"
FRONT = "---\ntitle: Pumps\n---\n\n"


class Lines:
    """A chunker that somebody else wrote: one chunk a line that is not blank, changed by a fault."""

    spec = "lines"

    def __init__(self, fault: Callable[[list[Chunk]], list[Chunk]] = lambda chunks: chunks) -> None:
        self.fault = fault

    def __call__(self, document: Document | str) -> list[Chunk]:
        text = document if isinstance(document, str) else document.text
        spans = [Span(*m.span()) for m in re.finditer(r"[^\r\n]+", text) if not is_blank(m.group())]
        if text.startswith("---"):
            spans = spans[3:]
        chunks = [make(text, *span) for span in spans]
        seen: dict[str, int] = {}
        for i, chunk in enumerate(chunks):
            seen[chunk.indexed] = seen.get(chunk.indexed, -1) + 1
            chunks[i] = chunk._replace(number=seen[chunk.indexed])
        return self.fault(chunks)


def make(text: str, start: int, end: int, **more: object) -> Chunk:
    return Chunk("text.md", Span(start, end), text[start:end], text[start:end], Span(start, end), **more)


def place(chunk: Chunk, start: int, end: int) -> Chunk:
    """The chunk with another span."""
    return chunk._replace(span=Span(start, end), match=Span(start, end))


@pytest.mark.parametrize("text", [TEXT, FRONT + TEXT, "", "\n \u200b\n", "a", TEXT.replace("\n", "\r\n")])
def test_good_chunkers_pass(text: str) -> None:
    for document in (text, Document("guide.md", text, parse_markdown)):
        check_chunker(Lines(), document, size=30, crosses_sections=False)
        check_chunker(Heading(size=40), document, size=40, crosses_sections=False)
        check_chunker(Paragraph(size=30, overlap=14), document, size=30, overlap=14)


def test_the_chunks_come_back() -> None:
    assert [chunk.text for chunk in check_chunker(Lines(), "one\n\ntwo")] == ["one", "two"]


def broken(promise: str, fault: Callable[[list[Chunk]], list[Chunk]], text: str = TEXT, **how: object) -> str:
    """The message for a fault, which must be found as a breach of that promise."""
    with pytest.raises(PromiseError) as caught:
        check_chunker(Lines(fault), text, **how)
    assert caught.value.promise == promise
    assert isinstance(caught.value, AssertionError)
    assert str(caught.value).startswith("lines on text.md breaks the promise")
    return str(caught.value)


@pytest.mark.parametrize(
    ("fault", "shown"),
    [
        (lambda chunks: [chunks[0]._replace(text="# pumps"), *chunks[1:]], "'# Pumps'"),
        (lambda chunks: [place(chunks[0], 0, 500), *chunks[1:]], "[0, 500)"),
        (lambda chunks: [place(chunks[0], 0, 0)._replace(text=""), *chunks[1:]], "[0, 0)"),
        (lambda chunks: [chunks[0]._replace(match=Span(0, 9)), *chunks[1:]], "(0, 9)"),
        (lambda chunks: [chunks[0]._replace(span=None), *chunks[1:]], "no place"),
    ],
)
def test_slices_that_are_not_exact(fault: Callable[[list[Chunk]], list[Chunk]], shown: str) -> None:
    assert shown in broken("exact slices", fault)


def test_starts_that_do_not_rise() -> None:
    assert "chunk 1 starts at 0" in broken("starts rise", lambda chunks: [chunks[1], chunks[0], *chunks[2:]])
    broken("starts rise", lambda chunks: [chunks[0], *chunks])


def test_blank_chunks() -> None:
    text = "\u200b \na"
    message = broken("no blank chunk", lambda _: [make(text, 0, 2), make(text, 3, 4)], text)
    assert "line 1, [0, 2)" in message


def test_text_in_no_chunk() -> None:
    message = broken("every visible character is covered", lambda chunks: chunks[:1] + chunks[2:])
    assert "line 3" in message or "line 1" in message
    assert "The pump runs." in message
    broken("every visible character is covered", lambda chunks: chunks[:-1])
    broken("every visible character is covered", lambda _: [], "a")


def test_front_matter_may_be_left_out_and_nothing_behind_it() -> None:
    check_chunker(Lines(), FRONT + TEXT)
    broken("every visible character is covered", lambda chunks: chunks[1:], FRONT + TEXT)


def test_text_in_two_chunks() -> None:
    def twice(_: list[Chunk]) -> list[Chunk]:
        return [make("one two", 0, 5), make("one two", 4, 7)]

    promise = "no more overlap than asked for"
    assert "repeats 1 (overlap 0)" in broken(promise, twice, "one two")
    assert "line 1, [4, 5)" in broken(promise, twice, "one two")
    twice_more = lambda _: [make("one two", 0, 5), make("one two", 2, 7)]  # noqa: E731
    broken(promise, twice_more, "one two", overlap=2)


def test_chunks_over_the_limit() -> None:
    promise = "a size is a hard limit"
    message = broken(promise, lambda chunks: chunks, size=15)
    assert "indexes 18 chars, the limit is 15" in message
    assert "The valve is shut." in message
    broken(promise, lambda chunks: [c._replace(indexed="Pumps > " + c.indexed) for c in chunks], size=20)
    broken(promise, lambda chunks: chunks, size=3, unit="words")
    broken(promise, lambda chunks: chunks, size=9, unit=lambda text: len(text) // 2 + 1)


def test_a_mark_tells_of_a_chunk_over_the_limit() -> None:
    check_chunker(Lines(lambda chunks: [c._replace(marks=("over the limit",)) for c in chunks]), TEXT, size=5)
    broken(
        "a size is a hard limit",
        lambda chunks: [c._replace(marks=("context shortened",)) for c in chunks],
        size=5,
    )


def test_the_unit_of_the_chunker_is_taken() -> None:
    check_chunker(Paragraph(size=5, unit="words"), TEXT, size=5)


def test_crossed_sections() -> None:
    promise = "no section is crossed"

    def whole(chunks: list[Chunk]) -> list[Chunk]:
        return [make(TEXT, 0, len(TEXT))] if len(chunks) == 5 else chunks

    message = broken(promise, whole, crosses_sections=False)
    assert "'Pumps'" in message
    assert "line 7" in message
    check_chunker(Lines(), TEXT, crosses_sections=False)


def test_headings_without_text_may_stand_in_front() -> None:
    text = "# Pumps\n\n## Valves\n\nText.\n\n# More\n"
    check_chunker(Heading(size=100), text, size=100, crosses_sections=False)


def test_a_heading_behind_the_text_of_another_section_crosses() -> None:
    text = "# Pumps\n\nText.\n\n# More\n"
    broken("no section is crossed", lambda _: [make(text, 0, 22)], text, crosses_sections=False)


def test_ids_that_are_not_unique() -> None:
    def same(chunks: list[Chunk]) -> list[Chunk]:
        return [chunk._replace(number=0) for chunk in chunks]

    assert "chunks 0 and 1" in broken("ids are unique", same, "one\n\none")


def test_a_chunker_with_a_memory() -> None:
    runs = itertools.count()
    broken("same input, same chunks", lambda chunks: [c._replace(chunker=str(next(runs))) for c in chunks])
    calls = itertools.count()
    text = "one two"
    halves = [make(text, 0, 3), make(text, 4, 7)]
    broken("same input, same chunks", lambda _: halves if next(calls) else [make(text, 0, 7)], text)


def test_ids_that_change_with_an_edit_elsewhere() -> None:
    def counted(chunks: list[Chunk]) -> list[Chunk]:
        return [chunk._replace(number=i) for i, chunk in enumerate(chunks)]

    assert "added at the top" in broken("an edit elsewhere changes no id", counted)


def test_chunks_that_change_with_an_edit_in_another_section() -> None:
    def counted(chunks: list[Chunk]) -> list[Chunk]:
        return [chunk._replace(indexed=f"{len(chunks)} {chunk.indexed}") for chunk in chunks]

    check_chunker(Lines(counted), TEXT)
    message = broken("an edit elsewhere changes no id", counted, crosses_sections=False)
    assert "in another section" in message


def test_the_error_travels_between_processes() -> None:
    with pytest.raises(PromiseError) as caught:
        check_chunker(Lines(lambda chunks: chunks[1:]), TEXT)
    error = pickle.loads(pickle.dumps(caught.value))
    assert str(error) == str(caught.value)
    assert (error.spec, error.doc, error.promise, error.fault) == (
        "lines",
        "text.md",
        caught.value.promise,
        caught.value.fault,
    )
