"""Three small documents, questions about them, and rows that are compared."""

from __future__ import annotations

from typing import Any

from chunkwise.chunk import Fixed, Heading, Paragraph
from chunkwise.evaluate import evaluate
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

TEXTS = {
    "care.md": (
        "# Care\n\nAll pumps are checked in spring.\n\n## Oil\n\nThe oil is changed every 180 days. "
        "Use grade 46. Old oil goes to the depot.\n\n## Filter\n\nThe filter is washed weekly. "
        "A torn filter is thrown away at once.\n"
    ),
    "faults.md": (
        "# Faults\n\n## Noise\n\nA loud pump has air in it. Open the valve until water comes.\n\n"
        "## Heat\n\nA hot pump runs dry. Stop it and fill the tank before you start it again.\n"
    ),
    "notes.md": "Nothing here but a note on paint. The pump is blue, the valve is red.\n",
}


def documents(texts: dict[str, str] = TEXTS, shift: int = 0) -> list[Document]:
    return [Document(doc, text, parse_markdown, shift=shift) for doc, text in texts.items()]


def ask(id: str, text: str, *quotes: str, **more: Any) -> Question:
    golds = []
    for quote in quotes:
        (doc,) = [d for d, t in TEXTS.items() if quote in t]
        assert TEXTS[doc].count(quote) == 1
        start = TEXTS[doc].index(quote)
        golds.append(Gold(quote, (Place(doc, Span(start, start + len(quote))),)))
    return Question(id, text, tuple(golds), **more)


QUESTIONS = [
    ask("oil", "how often is the oil changed", "every 180 days", tags={"kind": "fact", "part": "oil"}),
    ask("both", "what about a torn filter and old oil", "thrown away at once", "goes to the depot"),
    ask("noise", "what does a loud pump have", "air in it", tags={"kind": "fault", "part": "pump"}),
    ask("heat", "why is a pump hot", "runs dry", tags={"kind": "fault", "part": "pump"}),
    ask("paint", "colour of the pump", "The pump is blue", tags={"kind": "fact", "part": "pump"}),
    ask("none", "xylophone", "valve until water"),
]
GOLDEN = GoldenSet(
    QUESTIONS, {doc: Document(doc, text, parse_markdown).digest for doc, text in TEXTS.items()}
)
ROWS = [Candidate(Fixed(size=40)), Candidate(Heading(size=120)), Candidate(Paragraph(size=90), label="para")]
QUICK: dict[str, Any] = {"k": (1, 3), "budgets": (10, 25), "resamples": 50}
COPIED = GoldenSet(
    [ask("h", "Filter", "## Filter\n\nThe filter is washed", origin="heading"), *QUESTIONS[:1]]
)


def run(rows: list[Candidate] = ROWS, **settings: Any) -> Report:
    return evaluate(Corpus(documents()), GOLDEN, rows, **{**QUICK, **settings})


def plain(report: Report) -> dict[str, Any]:
    return {**report.to_dict(), "timings": None}
