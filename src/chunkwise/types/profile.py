"""What a profile holds, as frozen values. Lengths are in characters; shares are from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple


class Spot(NamedTuple):
    """A place that a reader can go to."""

    doc: str
    """Id of the document."""
    line: int
    """Its first line, counted from 1."""
    last: int
    """Its last line."""
    start: int
    """Its first character in the document's text."""
    end: int
    """The character behind it."""
    path: tuple[str, ...]
    """Titles of the headings that enclose it, outermost first."""

    def __str__(self) -> str:
        return f"{self.doc}:{self.line}" + (f"-{self.last}" if self.last > self.line else "")


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths of all pieces of one kind. The blank lines behind a piece belong to it."""

    kind: str
    """`section`, `paragraph`, `list`, `table`, `code`, …; or for stretches what ends them: `blank line`,
    `line end`, `sentence end`, `white space`."""
    count: int
    """Number of pieces."""
    characters: int
    """Characters of all of them."""
    share: float
    """The same as a share of the corpus."""
    median: float
    """Half of the pieces are not longer."""
    p90: float
    """Nine in ten pieces are not longer."""
    longest: int
    """Characters of the longest piece; 0 where there is none."""
    at: Spot | None
    """Where the longest piece stands; the first of equals."""
    over: Mapping[int, float]
    """By size, the share of the pieces that are longer."""
    over_characters: Mapping[int, float]
    """By size, the characters of the pieces that are longer, as a share of all characters of this kind."""


@dataclass(frozen=True, slots=True)
class DocumentProfile:
    """One document."""

    doc: str
    """Its id."""
    characters: int
    """Characters of its text."""
    share: float
    """The same as a share of the corpus."""
    headings: int
    """Number of headings."""
    units: int
    """Its size in the profile's unit."""
    repeated: float
    """Share of its text in blocks that stand in another document too, word for word."""

    @property
    def rate(self) -> float:
        """Characters per unit; 0 for a document without one."""
        return round(self.characters / self.units, 4) if self.units else 0.0


@dataclass(frozen=True, slots=True)
class Repeated:
    """Texts that stand in the corpus more than once, white space aside."""

    texts: int
    """Number of different blocks that are repeated."""
    characters: int
    """Characters of the repetitions, the first place of each left aside."""
    share: float
    """The same as a share of the corpus."""
    most: tuple[Mapping[str, Any], ...]
    """Those that repeat the most characters: `text` (its beginning), `characters`, `times`, and `at`, the
    first two places."""
    documents: tuple[tuple[str, ...], ...]
    """Groups of documents whose whole texts are equal."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """Sizes to compare, and why."""

    sizes: tuple[int, ...]
    """Sizes in characters, rising."""
    reasons: tuple[str, ...]
    """One sentence a size, then what speaks for or against the whole."""
    chunkers: tuple[str, ...]
    """Text forms for `chunkwise compare -c`."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What is in a corpus. The same corpus gives the same profile."""

    characters: int
    """Of all documents."""
    digest: str
    """Digest of the corpus."""
    unit: str
    """What `units` counts: `words`, or the tokenizer that was named."""
    units: int
    """Size of the corpus in this unit."""
    documents: tuple[DocumentProfile, ...]
    """One for each document, in the order of the corpus."""
    without_text: tuple[str, ...]
    """Documents without a visible character."""
    without_headings: tuple[str, ...]
    """Documents that have text and no heading, or less than one in 20,000 characters."""
    under_no_heading: float
    """Share of the text that stands below no heading."""
    sections: Lengths
    """Sections from their heading to the next one, those without text of their own left out."""
    blocks: tuple[Lengths, ...]
    """Paragraphs, lists, tables, code and so on; lists and quotes where they stand in nothing else, tables
    and code wherever they stand."""
    stretches: tuple[Lengths, ...]
    """What lies between two places where a cut does little harm: first between blank lines, then between
    these and line ends, then also sentence ends, then also white space."""
    repeated: Repeated
    """Texts that stand more than once."""
    proposal: Proposal
    """Sizes to compare."""
    warnings: tuple[str, ...]
    """What one should know before cutting, the most important first."""
    skipped: tuple[str, ...] = ()
    """Files that were left out, each with its reason."""

    @property
    def rate(self) -> float:
        """Characters per unit over the corpus; 0 where there is none."""
        return round(self.characters / self.units, 4) if self.units else 0.0

    def block(self, kind: str) -> Lengths | None:
        """The lengths of one kind of block; None where the corpus has none."""
        return next((found for found in self.blocks if found.kind == kind), None)

    def to_dict(self) -> dict[str, Any]:
        """As plain values for JSON, `rate` added to the corpus and to each document."""
        plain = _plain(asdict(self))
        rates = [
            {**row, "rate": own.rate} for row, own in zip(plain["documents"], self.documents, strict=True)
        ]
        return {**plain, "rate": self.rate, "documents": rates}


def _plain(value: Any) -> Any:
    """A value as JSON has it; a place becomes an object with names."""
    if isinstance(value, Spot):
        return {**value._asdict(), "path": list(value.path)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
