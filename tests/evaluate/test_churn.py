"""What one more sentence changes: where it goes, what counts, and what is looked at."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.adapters import from_callable
from chunkwise.chunk import DocumentChunker, Fixed, Heading, Paragraph
from chunkwise.evaluate import churn as room
from chunkwise.evaluate.churn import SENTENCE, Churn, with_sentence
from chunkwise.readers import read_text
from chunkwise.types import Chunker, Document

TEXT = (
    "---\ntitle: T\n---\n# A\n\nOne here.\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "## B\n\nTwo here.\n\n\n"
)


def measured(documents: list[Document], *chunkers: Chunker, seed: int = 0) -> list[dict[str, Any]]:
    watch = Churn([d.id for d in documents], chunkers, seed)
    for document in documents:
        for chunker in watch.watched:
            chunker(document)
    return watch.measure({})


def test_the_sentence_stands_at_the_end_of_a_paragraph_that_the_seed_chooses() -> None:
    document = read_text(TEXT, id="a.md")
    made = {with_sentence(document, seed).text for seed in range(20)}
    assert made == {
        TEXT.replace("One here.", f"One here. {SENTENCE}"),
        TEXT.replace("Two here.", f"Two here. {SENTENCE}"),
    }
    assert with_sentence(document, 3).text == with_sentence(read_text(TEXT, id="a.md"), 3).text
    assert with_sentence(document, 3).id == "a.md"


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("", f"{SENTENCE}\n"),
        ("  \n", f"{SENTENCE}\n"),
        ("# Title\n", f"# Title\n\n{SENTENCE}\n"),
        ("- one\n", f"- one {SENTENCE}\n"),
        ("> said\n\n- one\n", None),
        ("One\r\n\r\n# H\r\n", f"One {SENTENCE}\r\n\r\n# H\r\n"),
    ],
)
def test_documents_without_a_paragraph_of_their_own(text: str, changed: str | None) -> None:
    found = with_sentence(read_text(text, id="a.md")).text
    if changed is None:
        assert found in {text.replace("said", f"said {SENTENCE}"), text.replace("one", f"one {SENTENCE}")}
    elif text == "- one\n":
        assert found in {changed, f"- one\n\n{SENTENCE}\n"}
    else:
        assert found == changed


def paragraphs(count: int, id: str) -> Document:
    return read_text("\n\n".join(f"Paragraph {n} of {id} says so." for n in range(count)) + "\n", id=id)


def test_chunkers_that_count_from_the_beginning_change_more() -> None:
    documents = [paragraphs(20, f"{n}.md") for n in range(5)]
    fixed, one, whole = measured(documents, Fixed(size=40), Paragraph(size=40), DocumentChunker())
    assert one["documents"] == 5
    # The sentence makes the one paragraph too long: it is cut in a few pieces, all others stay.
    assert one["again"] <= 5 * 4
    assert fixed["share"] > 3 * one["share"] > 0
    assert (whole["texts"], whole["again"], whole["share"]) == (5, 5, 1.0)


def test_equal_texts_count_as_often_as_they_occur() -> None:
    document = read_text("Same.\n\nSame.\n\nSame.\n", id="a.md")

    def lines(text: str) -> list[str]:
        return ["Same." for _ in range(2 * text.count("Same.") - (SENTENCE not in text))] + ["x"]

    # 5 equal ones before, 6 after the change: one of them is new.
    (found,) = measured([document], from_callable(lines, "lines"))
    assert (found["texts"], found["again"]) == (7, 1)


def test_the_context_of_chunks_counts_as_it_is_indexed() -> None:
    document = read_text("# A\n\nOne here.\n\n## B\n\nTwo here.\n", id="a.md")
    (found,) = measured([document], Heading(size=200))
    assert (found["texts"], found["again"]) == (2, 1)


def test_a_sample_is_taken_of_many_and_of_long_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [paragraphs(3, f"{n}.md") for n in range(30)]
    monkeypatch.setattr(room, "DOCUMENTS", 8)
    first, again = (measured(documents, Paragraph(size=50), seed=1)[0] for _ in range(2))
    assert first == again
    assert first["documents"] == 8
    assert measured(documents[::-1], Paragraph(size=50), seed=1)[0] == first
    monkeypatch.setattr(room, "CHARACTERS", 2 * len(documents[0].text) + 20)
    assert measured(documents, Paragraph(size=50))[0]["documents"] == 2
    monkeypatch.setattr(room, "CHARACTERS", 1)
    assert measured(documents, Paragraph(size=50))[0]["documents"] == 1


def test_a_chunker_that_knows_no_other_text_has_no_figure() -> None:
    documents = [paragraphs(3, "a.md")]
    known = {documents[0].text: [(0, 9)]}
    found = measured(documents, from_callable(lambda text: known[text], "table"), Paragraph(size=50))
    assert found[0] == {}
    assert found[1]["documents"] == 1


def test_chunks_that_were_made_before_are_taken() -> None:
    document, calls = paragraphs(3, "a.md"), []

    def cut(text: str) -> list[tuple[int, int]]:
        calls.append(text)
        return [(0, len(text))]

    chunker = from_callable(cut, "whole")
    known = {(0, "a.md"): chunker(document)}
    watch = Churn(["a.md"], [chunker, Paragraph(size=50)], 0)
    watch.watched[1](document)
    assert watch.measure(known)[0]["again"] == 1
    assert calls == [document.text, with_sentence(document).text]


def test_watching_hides_nothing() -> None:
    chunker = Heading(size=200)
    (watched,) = Churn([], [chunker], 0).watched
    assert watched.spec == chunker.spec
    assert watched.counter.name == "chars"
    assert watched("# A\n\nB\n") == chunker("# A\n\nB\n")
