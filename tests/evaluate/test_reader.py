"""Documents shown with their cuts: against the documents, against counts, and within their limits."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.chunk import Fixed, Heading
from chunkwise.evaluate import evaluate, kept, reader
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

GUIDE = """---
title: Guide
---
# Guide

Read this first. It is short.

## Oil

The oil is changed every 180 days. Use grade 46 only.

| part | days |
|---|---|
| oil | 180 |
| filter | 90 |

```sh
pump --oil 46
pump --start
```

## Filter

The filter is washed weekly. A torn filter is thrown away.
"""
OTHER = "# Other\n\nNothing is asked about this page.\n"
FIXED, HEADING = Fixed(size=60, overlap=20), Heading(size=120)


def document(id: str = "guide.md", text: str = GUIDE, shift: int = 0) -> Document:
    return Document(id, text, parse_markdown, shift=shift)


def ask(id: str, quote: str, *, doc: str = "guide.md", text: str = GUIDE, shift: int = 0) -> Question:
    start = text.index(quote) + shift
    return Question(id, f"what about {quote}", (Gold(quote, (Place(doc, Span(start, start + len(quote))),)),))


def run(documents: list[Document], questions: list[Question], **settings: Any) -> Report:
    rows = [Candidate(FIXED), Candidate(HEADING), Candidate(HEADING, "bm25:k1=2", "again")]
    golden = GoldenSet(questions, {d.id: d.digest for d in documents}) if questions else None
    return evaluate(
        Corpus(documents), golden, rows, **{"k": (1,), "budgets": (20,), "resamples": 20, **settings}
    )


def shown(report: Report) -> list[Any]:
    return [exhibit for exhibit in report.exhibits if exhibit["kind"] == "document"]


@pytest.mark.parametrize("shift", [0, 1])
def test_chunks_are_those_of_the_chunkers_with_their_context(shift: int) -> None:
    report = run([document(shift=shift)], [ask("oil", "every 180 days", shift=shift)])
    (page,) = shown(report)
    assert page["text"] == GUIDE
    assert (page["start"], page["end"], page["characters"]) == (0, len(GUIDE), len(GUIDE))
    # Rows that cut alike are shown once.
    assert [row["candidates"] for row in page["rows"]] == [[FIXED.spec], [HEADING.spec, "again"]]
    for row, chunker in zip(page["rows"], (FIXED, HEADING), strict=True):
        chunks = chunker(document())
        assert [(c["start"], c["end"]) for c in row["chunks"]] == [chunk.span for chunk in chunks]
        assert [c.get("context", []) for c in row["chunks"]] == [
            [list(pair) for pair in chunk.context] for chunk in chunks
        ]
        paths = [tuple(page["sections"][c["section"]]["path"]) for c in row["chunks"]]
        assert paths == [chunk.path for chunk in chunks]


def test_kinds_of_cuts_are_those_that_are_counted() -> None:
    report = run([document()], [ask("oil", "every 180 days")])
    (page,) = shown(report)
    for row in page["rows"]:
        own = report[row["candidates"][0]].boundaries
        for side, key in (("starts", "begins"), ("ends", "ends")):
            kinds = [c.get(key) for c in row["chunks"]]
            assert kinds.count("row") == own[side]["row"]
            assert kinds.count("code") == own[side]["code"]
            assert kinds.count("sentence") == own[side]["sentence"]
        assert sum(c.get("crosses", False) for c in row["chunks"]) == own["crossing_sections"]["count"]
        assert len(row["parted"]) == own["headings_parted"]["count"]
        for start, end in row["parted"]:
            assert GUIDE[start:end].startswith("#")
    assert "begins" not in page["rows"][0]["chunks"][0]


def test_a_gold_names_the_chunk_that_holds_it_and_none_where_it_is_cut() -> None:
    questions = [ask("oil", "every 180 days"), ask("long", "The filter is washed weekly. A torn filter is")]
    (page,) = shown(run([document()], questions))
    by_id = {gold["question"]: gold for gold in page["golds"]}
    for gold in by_id.values():
        for row, number in zip(page["rows"], gold["held"], strict=True):
            holding = [
                i
                for i, chunk in enumerate(row["chunks"])
                if chunk["start"] <= gold["start"] and gold["end"] <= chunk["end"]
            ]
            assert number == (holding[0] if holding else None)
    assert by_id["long"]["held"][1] is not None
    assert by_id["oil"]["asked"] == "what about every 180 days"


def test_a_returned_chunk_is_named_by_its_number_in_the_document() -> None:
    report = run([document("a.md", OTHER), document()], [ask("oil", "every 180 days")])
    (question,) = (e for e in report.exhibits if e["kind"] == "question")
    pages = {page["id"]: page for page in shown(report)}
    assert sorted(pages) == ["a.md", "guide.md"]
    for row in question["rows"]:
        for chunk in row["chunks"]:
            page = pages[chunk["doc"]]
            (cut,) = (r for r in page["rows"] if row["candidate"] in r["candidates"])
            assert cut["chunks"][chunk["number"]]["start"] == chunk["start"]


def test_a_long_document_is_shown_around_its_golds() -> None:
    filler = "".join(f"Line {i} says nothing of interest.\n" for i in range(4000))
    text = f"{filler}The pump is blue.\n{filler}"
    (page,) = shown(run([document("long.md", text)], [ask("pump", "pump is blue", doc="long.md", text=text)]))
    assert page["text"] == text[page["start"] : page["end"]]
    assert len(page["text"]) < 3 * reader.AROUND
    assert page["text"].startswith("Line ")
    assert "The pump is blue." in page["text"]
    assert page["characters"] == len(text)
    row = page["rows"][0]
    every = FIXED(document("long.md", text))
    for i, chunk in enumerate(row["chunks"], row["first"]):
        assert (chunk["start"], chunk["end"]) == every[i].span
    assert row["chunks"][0]["end"] > page["start"]
    assert row["chunks"][-1]["start"] < page["end"]


def test_what_is_shown_keeps_within_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [document(f"{i}.md", GUIDE) for i in range(9)]
    questions = [ask(f"q{i}", "every 180 days", doc=f"{i}.md") for i in (7, 8)]
    monkeypatch.setattr(reader, "FILLED", 4 * len(GUIDE))
    report = run(documents, questions)
    # First what the questions need, then others in the order of the corpus.
    assert [page["id"] for page in shown(report)] == ["0.md", "1.md", "7.md", "8.md"]
    monkeypatch.setattr(reader, "MOST", len(GUIDE))
    monkeypatch.setattr(reader, "FILLED", 0)
    assert len(shown(run(documents, questions))) == 1
    monkeypatch.setattr(kept, "ASKED", 0)
    assert shown(run(documents, questions)) == []


def test_without_questions_documents_are_shown_and_without_texts_nothing_is() -> None:
    assert [page["id"] for page in shown(run([document()], []))] == ["guide.md"]
    assert run([document()], [], exhibits=0).exhibits == ()
    assert run([document()], [ask("oil", "every 180 days")], exhibits=0).exhibits == ()
