"""What an explanation of one question holds, as frozen values. Positions are in raw coordinates."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from chunkwise.errors import UnknownRow


class Answer(NamedTuple):
    """A place where a needed span stands."""

    doc: str
    """Id of the document."""
    start: int
    """Its first character in the decoded file."""
    end: int
    """The character behind it."""
    lines: tuple[int, int]
    """First and last line, from 1."""
    path: tuple[str, ...]
    """Titles of the headings above it."""
    quote: str
    """Its text."""
    before: str
    """Text in front of it."""
    behind: str
    """Text behind it."""


class CutInside(NamedTuple):
    """A cut inside an answer."""

    at: int
    """Where it falls."""
    line: int
    """The line of the character behind it."""
    kind: str
    """What it parts: `row`, `code`, `word`, `sentence`, `heading`, …"""
    words: str
    """The same in words: `inside a table row`."""
    before: str
    """Text in front of the cut."""
    behind: str
    """Text behind the cut."""


class Returned(NamedTuple):
    """A chunk that a row returned, or would have had to return."""

    rank: int | None
    """Its rank, from 1; None for one that was not returned."""
    score: float | None
    """What the retriever gave it."""
    doc: str
    """Id of the document."""
    start: int | None
    """Its first character; None for a chunk without a place."""
    end: int | None
    """The character behind it."""
    lines: tuple[int, int] | None
    """First and last line."""
    path: tuple[str, ...]
    """Titles of the headings above it."""
    text: str
    """Its text; of a very long one the beginning."""
    context: tuple[str, ...] | None
    """What is indexed in front of its text, such as the heading path; None where the report does not say."""
    size: int
    """What a reader pays for it, in the unit of budgets."""
    hit: bool
    """Whether it finds a needed span by the hit rule."""
    has: tuple[str, ...]
    """Words of the question that are indexed with it, in the question's order."""
    lacks: tuple[str, ...] | None
    """The other words of the question; None where the report does not hold all that is indexed with it."""


@dataclass(frozen=True, slots=True)
class ExplainedGold:
    """One needed span in one row."""

    number: int
    """Its number in the question, from 0."""
    rank: int | None
    """Rank of the first chunk that finds it; None where it was not found that deep."""
    reason: str
    """Why it was missed, a key of `evaluate.REASONS`; empty where it was found."""
    words: str
    """In a sentence what became of it."""
    cuts: tuple[CutInside, ...] = ()
    """The cuts inside of it, where no chunk meets the hit rule."""
    held: Returned | None = None
    """The chunk that holds it, found or not; None where there is none."""
    parted: CutInside | None = None
    """Where the chunk that holds it begins, if the heading above the answer was cut off by that: neither its
    text nor its context has the heading."""


@dataclass(frozen=True, slots=True)
class ExplainedRow:
    """What one candidate made of the question."""

    candidate: str
    """Name of the row."""
    spec: str
    """Text form of its chunker."""
    retriever: str
    """Text form of what searched."""
    value: float
    """The primary measure, 0 to 1."""
    rank: int | None
    """Rank at which the last needed span was found; None where one was not."""
    reason: str
    """Why the question was missed; `partial` where some spans were found; empty where it was not."""
    words: str
    """The same in a sentence."""
    golds: tuple[ExplainedGold, ...]
    """Each needed span."""
    chunks: tuple[Returned, ...]
    """What it returned, best first."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """One question: what each row returned, and why the answer was missed where it was."""

    id: str
    """Id of the question."""
    question: str
    """What was asked."""
    answers: tuple[tuple[Answer, ...], ...]
    """For each needed span the places that would do, the first one the gold itself."""
    rows: tuple[ExplainedRow, ...]
    """One for each candidate, in the order they were named."""
    measure: str
    """The measure that says what is read, such as `recall@1000words`."""
    unit: str
    """Unit of sizes."""
    rule: str
    """The hit rule."""
    depth: int
    """How many ranks are looked at."""
    corpus: str
    """Digest of the corpus."""

    def __getitem__(self, candidate: str) -> ExplainedRow:
        """The row of that name. Raises `UnknownRow`, which lists the rows, where there is none."""
        for row in self.rows:
            if row.candidate == candidate:
                return row
        raise UnknownRow(candidate, [row.candidate for row in self.rows])

    @property
    def spread(self) -> float:
        """How far the best and the worst row lie apart on the measure."""
        values = [row.value for row in self.rows]
        return round(max(values) - min(values), 6) if values else 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"spread": self.spread, **{key: _plain(value) for key, value in asdict(self).items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {key: _plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
