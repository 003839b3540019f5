"""The shape of the default corpus, counted with the chunkers of the article that it follows.

They are written afresh from their definitions and work on text with its white space folded: they are
the yardstick of this corpus and no part of Chunkwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from statistics import mean, median
from typing import Any, NamedTuple

HEADING = re.compile(r"(#+)\s+(.*)")
SENTENCE_GAP = re.compile(r"(?<=[.!?;])\s+")
SIZES = (300, 600, 1200)


class Piece(NamedTuple):
    """A chunk in the article's sense."""

    doc: str
    """Path of its document."""
    prefix: str
    """Heading path in front of it; empty but for the heading chunker."""
    body: str
    """Its text, white space folded."""


def fold(text: str) -> str:
    """The text with each run of white space as one space, and none at its ends."""
    return " ".join(text.split())


def blocks(text: str) -> list[str]:
    """What stands between blank lines."""
    return [block.strip() for block in re.split(r"\n\s*\n", text) if block.strip()]


def join(texts: Iterable[str], size: int) -> list[str]:
    """Neighbours joined by a space as long as they stay within the size."""
    joined: list[str] = []
    for text in texts:
        if joined and len(joined[-1]) + 1 + len(text) <= size:
            joined[-1] += " " + text
        else:
            joined.append(text)
    return joined


def pack(texts: Iterable[str], size: int) -> list[str]:
    """Blocks packed up to the size; one that is larger is first cut between sentences."""
    pieces: list[str] = []
    for text in texts:
        pieces += join(SENTENCE_GAP.split(text), size) if len(text) > size else [text]
    return join(pieces, size)


def fixed(docs: Mapping[str, str], size: int) -> list[Piece]:
    """Windows of the size, of which each repeats a sixth of the one before."""
    return [
        Piece(doc, "", text[start : start + size])
        for doc, text in ((doc, fold(raw)) for doc, raw in docs.items())
        for start in range(0, len(text), size - size // 6)
    ]


def paragraph(docs: Mapping[str, str], size: int) -> list[Piece]:
    """Blocks packed up to the size; headings are blocks like all others."""
    return [Piece(doc, "", body) for doc, raw in docs.items() for body in pack(map(fold, blocks(raw)), size)]


def sections(raw: str) -> list[tuple[str, list[str]]]:
    """Heading path and blocks of each section that has any."""
    found: list[tuple[str, list[str]]] = []
    path: list[str] = []
    for block in blocks(raw):
        title = HEADING.fullmatch(block)
        if title:
            path = [*path[: len(title[1]) - 1], title[2]]
            found.append((" > ".join(path), []))
        elif found:
            found[-1][1].append(fold(block))
        else:
            found.append(("", [fold(block)]))
    return [section for section in found if section[1]]


def heading(docs: Mapping[str, str], size: int) -> list[Piece]:
    """Blocks packed up to the size within a section; the heading path comes on top of it."""
    return [
        Piece(doc, path, body)
        for doc, raw in docs.items()
        for path, texts in sections(raw)
        for body in pack(texts, size)
    ]


def ceiling(pieces: Sequence[Piece], questions: Sequence[Mapping[str, Any]]) -> float:
    """Share of questions in per cent whose gold lies whole in a chunk of its document."""
    by_doc: dict[str, list[str]] = {}
    for piece in pieces:
        by_doc.setdefault(piece.doc, []).append(f"{piece.prefix} {piece.body}")
    found = [any(fold(q["gold"]) in text for text in by_doc.get(q["doc"], ())) for q in questions]
    return 100 * mean(found)


class Figure(NamedTuple):
    """One figure of the shape and the band it has to lie in."""

    name: str
    """What was counted."""
    value: float
    """What came out."""
    low: float
    """Smallest value allowed."""
    high: float
    """Largest value allowed."""

    @property
    def inside(self) -> bool:
        """Whether the value lies in its band."""
        return self.low <= round(self.value, 6) <= self.high

    def __str__(self) -> str:
        band = f"{self.low:,g}" if self.low == self.high else f"{self.low:,g} to {self.high:,g}"
        return f"{self.name:<46} {self.value:>10,.10g}  ({band}){'' if self.inside else '  OUTSIDE'}"


def measure(docs: Mapping[str, str], questions: Sequence[Mapping[str, Any]]) -> list[Figure]:
    """All figures of the default corpus with their bands. Lengths are in characters."""
    manual_sections = [
        len(" ".join(texts)) for d, raw in docs.items() if d[:6] != "policy" for _, texts in sections(raw)
    ]
    golds = [len(q["gold"]) for q in questions]
    kinds = [q["kind"] for q in questions]
    unit = [q["names"] == "unit" for q in questions if q["kind"] == "paraphrase"]
    prefixes = [len(piece.prefix) for piece in heading(docs, 600)]
    once = sum(fold(docs[q["doc"]]).count(fold(q["gold"])) == 1 for q in questions)
    figures = [
        ("documents", len(docs), 22, 22),
        ("characters", sum(map(len, docs.values())), 86_318, 88_060),
        ("questions", len(questions), 245, 245),
        ("  paraphrases", kinds.count("paraphrase"), 176, 176),
        ("  on policies", kinds.count("policy"), 5, 5),
        ("  on identifiers", kinds.count("identifier"), 64, 64),
        ("paraphrase golds that say the unit (%)", 100 * mean(unit), 45, 60),
        ("golds that stand once in their document", once, len(questions), len(questions)),
        ("median length of a gold", median(golds), 64, 72),
        ("median length of a manual's section", median(manual_sections), 510, 555),
        ("longest section of a manual", max(manual_sections), 775, 835),
        ("sections of manuals above 600 (%)", 100 * mean(n > 600 for n in manual_sections), 30, 37),
        ("shortest heading path", min(prefixes), 26, 57),
        ("longest heading path", max(prefixes), 26, 57),
        ("mean heading path", mean(prefixes), 46, 50),
        ("fixed chunks at 600", len(fixed(docs, 600)), 180, 190),
        ("heading chunks at 600", len(heading(docs, 600)), 205, 220),
        ("ceiling of fixed at 300, overlap 50 (%)", ceiling(fixed(docs, 300), questions), 91.5, 95.5),
        ("ceiling of fixed at 600, overlap 100 (%)", ceiling(fixed(docs, 600), questions), 98.7, 99.7),
    ]
    for name, chunker in (("paragraph", paragraph), ("heading", heading)):
        figures += [
            (f"ceiling of {name} at {size} (%)", ceiling(chunker(docs, size), questions), 100, 100)
            for size in SIZES
        ]
    return [Figure(name, round(value, 2), low, high) for name, value, low, high in figures]
