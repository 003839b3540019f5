"""Questions that are copied from headings, asked without the heading lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunkwise.adapters import from_callable
from chunkwise.chunk import Heading
from chunkwise.evaluate import evaluate
from chunkwise.evaluate.bare import Bare
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Span

from .make import COPIED, QUICK, ROWS, documents, run


def test_heading_questions_are_asked_again_without_the_heading_lines() -> None:
    texts = {"a.md": "# Zebra crossing\n\nStop here and look.\n\n# Other\n\nNothing of note.\n"}
    corpus = Corpus(documents(texts))
    gold = Gold("", (Place("a.md", Span(0, 37)),))
    golden = GoldenSet([Question("z", "zebra crossing", (gold,), origin="heading")])
    report = evaluate(corpus, golden, [Candidate(Heading(size=100))], rule="majority", **QUICK)
    headings = report.candidates[0].headings
    assert headings["questions"] == 1
    assert headings["with"]["hit@1"]["value"] == report.candidates[0].measures["hit@1"].value == 1
    assert headings["without"]["hit@1"]["value"] == 0
    assert headings["without"]["ceiling"]["value"] == 1


def test_only_copied_questions_count_there() -> None:
    report = evaluate(Corpus(documents()), COPIED, ROWS, rule="majority", **QUICK)
    assert [row.headings["questions"] for row in report.candidates] == [1, 1, 1]
    assert all(row.headings == {} for row in run().candidates)


TEXT = st.lists(
    st.sampled_from(["# One\n\n", "## Two words\n", "Setext\n===\n", "text here. ", "more\n\n", "é\u200b "]),
    max_size=9,
).map("".join)


@given(
    TEXT.filter(bool), st.lists(st.tuples(st.integers(0, 99), st.integers(1, 30)), min_size=2), st.booleans()
)
def test_chunks_without_heading_lines(text: str, pairs: list[tuple[int, int]], prefix: bool) -> None:
    document = Document("a.md", text, parse_markdown)
    spans = [(s % len(text), min(s % len(text) + n, len(text))) for s, n in pairs]
    front = "A > B\n" if prefix else ""
    chunker = from_callable(lambda t: [(s, e, front + t[s:e]) for s, e in spans], "c")
    bare = Bare(document)
    heads = {i for s in document.sections[1:] for i in range(s.span.start, s.body)}
    chunks = chunker(document)
    assert bare.document.text == "".join(c for i, c in enumerate(text) if i not in heads)
    for chunk, stripped in zip(chunks, bare(chunks), strict=True):
        assert chunk.span is not None
        kept = "".join(text[i] for i in range(*chunk.span) if i not in heads)
        assert stripped.indexed == front + kept
        assert bare.document.text[slice(*stripped.match)] == kept


def test_a_chunk_that_begins_within_a_heading_line() -> None:
    text = "before\n\n# One two\n\nsome text\n"
    document = Document("a.md", text, parse_markdown)
    inside = text.index("two")
    chunks = from_callable(lambda _: [(0, inside), (inside, len(text)), (inside, inside + 2)], "c")(document)
    assert [c.indexed for c in Bare(document)(chunks)] == ["before\n\n", "", "some text\n"]


def test_a_foreign_string_loses_its_heading_line_too() -> None:
    text = "# One  two\n\nsome text\n"
    document = Document("a.md", text, parse_markdown)
    (chunk,) = from_callable(lambda _: ["# One two some text"], "c")(document)
    assert chunk.span is not None
    (stripped,) = Bare(document)([chunk._replace(indexed="before # One  two behind")])
    assert stripped.indexed == "before  behind"
