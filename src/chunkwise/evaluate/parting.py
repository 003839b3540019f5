"""What became of one answer in a row: the chunk that holds it, or the cuts that part it, by kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from chunkwise.measure import HitRule
from chunkwise.measure.landmarks import Landmarks, Ranges, landmarks
from chunkwise.measure.plain import finds
from chunkwise.text import VISIBLE
from chunkwise.types import BlockKind, ChunkTable, Document, Place, Span

__all__ = ["CUTS", "cuts_in", "heading_cut_off", "holding"]

CUTS = {
    "row": "inside a table row",
    "code": "inside a code block",
    "word": "inside a word",
    "sentence": "inside a sentence",
    "heading": "between a heading and its text",
    "table": "between two rows of a table",
    "list": "inside a list",
    "paragraph": "between two sentences of a paragraph",
    "section": "between two sections",
    "block": "between two paragraphs, or other blocks",
}
"""Kinds of cuts, the most damaging first."""
_AROUND = 120  # characters on each side of a cut
_MOST = 10  # cuts of one answer


def holding(table: ChunkTable, places: Sequence[Place], rule: HitRule) -> int | None:
    """The first chunk, in the order of places and documents, that meets the hit rule for an answer."""
    for place in places:
        if place.doc not in table.doc_ids:
            continue
        own = _own(table, place.doc)
        near = np.flatnonzero(
            (table.starts[own] >= 0)
            & (table.starts[own] < place.span.end)
            & (table.ends[own] > place.span.start)
        )
        for chunk in (near + own.start).tolist():
            if finds(table, chunk, place, rule):
                return int(chunk)
    return None


def cuts_in(
    table: ChunkTable,
    place: Place,
    document: Document,
    find: Callable[[Document], Landmarks] = lambda document: landmarks([document]),
) -> list[dict[str, Any]]:
    """Where chunks begin or end inside an answer.

    Args:
        table: the chunks.
        place: where the answer stands.
        document: its document.
        find: finds the document's landmarks.

    Returns:
        For each cut, in order: `at` in raw coordinates, `line`, `kind` (see `CUTS`), `side` (`ends`, `starts`
        or `both`: overlapping chunks end and start in different places), and the text `before` and `behind`.
    """
    own = _own(table, place.doc)
    placed = table.starts[own] >= 0
    sides: dict[int, str] = {}
    for side, column in (("ends", table.ends[own][placed]), ("starts", table.starts[own][placed])):
        inside = column[(column > place.span.start) & (column < place.span.end)]
        for at in set(inside.tolist()):
            sides[at] = "both" if at in sides else side
    _join(sides, document)
    marks = find(document) if sides else None
    found = []
    for at in sorted(sides)[:_MOST]:
        assert marks is not None
        position = document.from_raw((at, at)).start
        found.append(
            {
                "at": at,
                "line": document.line(position),
                "kind": kind_of(document, marks, position),
                "side": sides[at],
                "before": document.text[max(0, position - _AROUND) : position],
                "behind": document.text[position : position + _AROUND],
            }
        )
    return found


def heading_cut_off(document: Document, answer: Span, start: int, indexed: str) -> str:
    """The heading above an answer, where the chunk that holds the answer has lost it.

    A reader then sees the answer and not what it is about, such as a row of a table, and not whose table.

    Args:
        document: where both stand.
        answer: where the answer stands in its text.
        start: where the chunk begins in it.
        indexed: the text of the chunk, and its context: a title in either is not lost.

    Returns:
        The title; empty where the chunk has it, or there is no heading above the answer.
    """
    path = document.sections.path(document.sections.at(answer.start))
    if not path or answer.start < start:
        return ""
    title = path[-1]
    return "" if title in indexed or _plain(title) in _plain(indexed) else title


def _plain(text: str) -> str:
    """A text without marks, so that a title is found in its heading line."""
    return " ".join("".join(c if c.isalnum() else " " for c in text).casefold().split())


def _join(sides: dict[int, str], document: Document) -> None:
    """Take an end and the next start for one cut where only blank lines, which no chunk holds, part them."""
    rising = sorted(sides)
    for end, start in pairwise(rising):
        if sides[end] != "ends" or sides[start] != "starts":
            continue
        span = document.from_raw((end, start))
        if VISIBLE.search(document.text, *span) is None:
            del sides[end]
            sides[start] = "both"


def _own(table: ChunkTable, doc: str) -> slice:
    """The rows of one document's chunks."""
    number = table.doc_ids.index(doc)
    first, behind = np.searchsorted(table.docs, [number, number + 1]).tolist()
    return slice(first, behind)


def kind_of(document: Document, marks: Landmarks, position: int) -> str:
    """What a cut parts, one of `CUTS`.

    Args:
        document: the document.
        marks: its landmarks.
        position: where the cut falls in its text.
    """
    text, at = document.text, np.array([position])

    def inside(ranges: Ranges) -> bool:
        return bool(ranges.inside(at)[0])

    for kind, ranges in (("row", marks.rows), ("code", marks.code), ("word", marks.words)):
        if inside(ranges):
            return kind
    if inside(marks.sentences) and inside(marks.text):
        return "sentence"
    visible = VISIBLE.search(text, position)
    behind = visible.start() if visible else len(text)
    before = max(0, len(text[:position].rstrip()) - 1)
    sections = document.sections
    above = sections.at(before)
    if above and before < sections.body[above] and sections.at(behind) == above:
        return "heading"
    for kind, code in (("table", BlockKind.TABLE), ("list", BlockKind.LIST)):
        if _both(document, code, before, behind):
            return kind
    if inside(marks.text):
        return "paragraph"
    return "section" if sections.at(behind) != above else "block"


def _both(document: Document, kind: BlockKind, before: int, behind: int) -> bool:
    """Whether one block of a kind holds both positions."""
    blocks = document.blocks
    return any(
        code == kind and start <= before and behind < end
        for code, start, end in zip(blocks.kind, blocks.start, blocks.end, strict=True)
    )
