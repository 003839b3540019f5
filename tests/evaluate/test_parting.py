"""Where an answer is cut, and what the cut parts; one example of each kind."""

from __future__ import annotations

import numpy as np
import pytest

from chunkwise.evaluate.parting import CUTS, cuts_in, holding, kind_of
from chunkwise.measure import CONTAINED, MAJORITY
from chunkwise.measure.landmarks import landmarks
from chunkwise.readers import read_text
from chunkwise.types import ChunkTable, Document, Place, Span

TEXT = """# Leaving

Tell your manager. The notice period
depends on the grade.

Second paragraph.

## Grade 7

| stage | days |
|---|---|
| trial | 30 |
| after | 90 |

- hand in the key
- hand in the badge

```
x = 1

y = 2
```

## Grade 8

Ask.
"""
PARTS = {
    "word": "depen|ds on",
    "sentence": "period\n|depends",
    "paragraph": "manager. |The notice",
    "block": "grade.\n\n|Second",
    "section": "paragraph.\n\n|## Grade 7",
    "heading": "## Grade 7\n|\n| stage",
    "row": "| trial || 30",
    "table": "| 30 |\n|| after",
    "list": "the key\n|- hand",
    "code": "x = 1\n|\ny",
}


def position(marked: str) -> int:
    for at in [i for i, c in enumerate(marked) if c == "|"]:
        plain = marked[:at] + marked[at + 1 :]
        if plain in TEXT:
            return TEXT.index(plain) + at
    raise AssertionError(marked)


def test_there_is_an_example_of_each_kind() -> None:
    assert sorted(PARTS) == sorted(CUTS)


@pytest.mark.parametrize("kind", PARTS)
def test_what_a_cut_parts(kind: str) -> None:
    document = read_text(TEXT, id="a.md")
    assert kind_of(document, landmarks([document]), position(PARTS[kind])) == kind


def table(*spans: tuple[int, int]) -> ChunkTable:
    starts, ends = np.array(spans, dtype=np.int64).T
    docs = np.ones(len(spans), dtype=np.int64)
    return ChunkTable(docs, starts, ends, ends - starts, lambda chunks, n: starts[chunks] + n, ("0", "a.md"))


def place(quote: str) -> Place:
    return Place("a.md", Span(TEXT.index(quote), TEXT.index(quote) + len(quote)))


def test_cuts_come_with_their_text_on_both_sides() -> None:
    document = read_text(TEXT, id="a.md")
    at = position(PARTS["row"])
    (cut,) = cuts_in(table((0, at), (at, len(TEXT))), place("| trial | 30 |"), document)
    assert (cut["at"], cut["kind"], cut["side"]) == (at, "row", "both")
    assert cut["line"] == TEXT[:at].count("\n") + 1
    assert TEXT.index(cut["before"] + cut["behind"]) == at - len(cut["before"])
    assert cuts_in(table((0, at)), place("Ask."), document) == []


def test_blank_lines_that_no_chunk_holds_are_one_cut() -> None:
    document = read_text(TEXT, id="a.md")
    asked = place("paragraph.\n\n## Grade 7")
    end = TEXT.index("\n\n## Grade 7")
    found = cuts_in(table((0, end), (end + 2, len(TEXT))), asked, document)
    assert [(cut["at"], cut["side"], cut["kind"]) for cut in found] == [(end + 2, "both", "section")]


def test_overlapping_chunks_end_and_start_in_different_places() -> None:
    document = read_text(TEXT, id="a.md")
    asked = place("The notice period\ndepends on the grade.")
    start = asked.span.start
    found = cuts_in(table((0, start + 20), (start + 5, len(TEXT))), asked, document)
    assert [(cut["at"], cut["side"]) for cut in found] == [(start + 5, "starts"), (start + 20, "ends")]


def test_a_byte_order_mark_moves_the_cuts_with_the_text() -> None:
    shift = 1
    document = Document("a.md", TEXT, read_text(TEXT)._parse, shift=shift)
    at = position(PARTS["sentence"])
    asked = place("period\ndepends")
    asked = Place("a.md", Span(asked.span.start + shift, asked.span.end + shift))
    (cut,) = cuts_in(table((0, at + shift)), asked, document)
    assert cut["at"] == at + shift
    assert cut["behind"].startswith("depends")


def test_the_first_chunk_that_would_do_is_the_one_that_holds_it() -> None:
    asked = place("Second paragraph.")
    start, end = asked.span
    chunks = table((0, start + 3), (start - 4, end), (start, end + 9))
    assert holding(chunks, (asked,), CONTAINED) == 1
    assert holding(chunks, (asked,), MAJORITY) == 1
    assert holding(table((0, start + 3)), (asked,), CONTAINED) is None
    assert holding(chunks, (Place("b.md", asked.span),), CONTAINED) is None
    assert holding(chunks, (Place("0", asked.span), asked), CONTAINED) == 1
