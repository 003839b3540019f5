"""`Question` and `GoldenSet`: what is asked, and the places of the corpus that answer it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from chunkwise.arguments import checked
from chunkwise.errors import GoldenError
from chunkwise.types.span import Span


class Place(NamedTuple):
    """Where an answer stands."""

    doc: str
    """Id of the document."""
    span: Span
    """Its span in **raw** coordinates: characters of the decoded file."""


class Gold(NamedTuple):
    """One span that a question needs, with the other places that would do as well."""

    quote: str
    """The answer as written in the golden set, for people, never used to decide a hit; empty where the
    golden set gives only the span."""
    places: tuple[Place, ...]
    """At least one place; any one of them is enough."""


class Question(NamedTuple):
    """A question and all the spans that answer it."""

    id: str
    """Unique in its golden set."""
    text: str
    """What is asked, as the retriever gets it."""
    golds: tuple[Gold, ...]
    """Every span that is needed, at least one; all of them together answer the question."""
    family: str = ""
    """Questions of one family stand or fall together and are resampled together. As given, else the
    question itself (its id); questions with a span in common are one family."""
    tags: Mapping[str, str] = {}
    """Free tags such as `query_type`; `answer_length` (short, medium, long) is derived when absent."""
    origin: str = "written"
    """`written` by a person, `heading` (copied out of the text), or `model`."""
    reviewed: bool = True
    """Whether a person has looked at it."""


class GoldenSet:
    """Questions with their answers, tied to the documents by digest."""

    @checked()
    def __init__(
        self,
        questions: Iterable[Question],
        digests: Mapping[str, str] | None = None,
        *,
        left_out: int = 0,
        faults: Iterable[object] = (),
    ) -> None:
        """Hold the questions in the order given.

        Args:
            questions: with unique ids.
            digests: digest of each document that the golds name, as it was when they were anchored.
            left_out: number of questions of the file that are not here because they are faulty; they
                are left out only where that was asked for. The file has `len(golden) + left_out`.
            faults: why they were left out, each with its line and remedy.
        """
        self.questions = tuple(questions)
        for question in self.questions:
            if not isinstance(question, Question):
                raise GoldenError(
                    f"a golden set is made of Questions, got {type(question).__name__}; "
                    "load_golden(path, corpus) reads a file"
                )
        self.digests = dict(digests or {})
        self.left_out = left_out
        self.faults = tuple(faults)
        self._by_id = {q.id: q for q in self.questions}

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same questions for the same documents; what was left out does not count."""
        if not isinstance(other, GoldenSet):
            return NotImplemented
        return self.questions == other.questions and self.digests == other.digests

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"GoldenSet({len(self):,} question{'' if len(self) == 1 else 's'})"

    def __len__(self) -> int:
        return len(self.questions)

    def __iter__(self) -> Iterator[Question]:
        return iter(self.questions)

    def __getitem__(self, id: str) -> Question:
        return self._by_id[id]

    @property
    def digest(self) -> str:
        """SHA-256 over ids, questions and places: the same golden set gives the same digest."""
        rows: list[Any] = [
            [q.id, q.text, [[[p.doc, *p.span] for p in gold.places] for gold in q.golds]]
            for q in self.questions
        ]
        return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()

    @property
    def asked(self) -> str:
        """SHA-256 over ids, questions and the words that answer them, wherever these stand.

        An edit elsewhere in a document moves the places, and with them `digest`; this stays. A gold without
        a quote counts by its places, and by its documents where the question was copied from a heading. Nor
        does the order of the questions count.
        """
        rows: list[Any] = []
        for q in sorted(self.questions, key=lambda q: q.id):
            golds: list[Any] = []
            for gold in q.golds:
                docs = sorted({place.doc for place in gold.places})
                if gold.quote or q.origin == "heading":
                    golds.append([gold.quote, docs])
                else:
                    golds.append([[p.doc, *p.span] for p in gold.places])
            rows.append([q.id, q.text, golds])
        return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()
