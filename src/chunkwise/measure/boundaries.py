"""The damage at the cuts: what a chunker cut through, and what it threw together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from chunkwise.measure.landmarks import Landmarks, landmarks
from chunkwise.text import sentence_ends as _sentence_ends
from chunkwise.types import BoolArray, Document, IntArray


@dataclass(frozen=True, slots=True)
class Cuts:
    """Cuts of one side (starts, or ends) and how many of them fall inside of what belongs together.

    White space next to a cut may belong to either side: a cut between two sentences is inside neither.
    """

    cuts: int = 0
    """Number of cuts."""
    sentence: int = 0
    """Inside a sentence of running text."""
    paragraph: int = 0
    """Inside running text and not at the end of a paragraph."""
    row: int = 0
    """Inside a table row."""
    code: int = 0
    """Inside a code block."""
    any: int = 0
    """Inside a sentence, a table row or a code block."""

    def __add__(self, other: Cuts) -> Cuts:
        return Cuts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def share(self, kind: str) -> float:
        """Share of the cuts that fall inside of that kind; 0 where there is no cut."""
        return getattr(self, kind) / self.cuts if self.cuts else 0.0


@dataclass(frozen=True, slots=True)
class Boundaries:
    """The damage that one candidate does. Sums of two give the damage over both their documents."""

    starts: Cuts = Cuts()
    """Where chunks begin; the first chunk of a document begins with no cut."""
    ends: Cuts = Cuts()
    """Where chunks end; the last chunk of a document ends with no cut. Overlap flatters the starts, so
    that both sides are counted."""
    headings: int = 0
    """Headings with text of their own below them."""
    parted: int = 0
    """Those of them that are with the first character of their text in no chunk."""
    chunks: int = 0
    """Chunks that have a place."""
    crossing: int = 0
    """Those of them that hold text of two or more leaf sections, levels 1 to 6."""

    def __add__(self, other: Boundaries) -> Boundaries:
        return Boundaries(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """As plain values, with shares."""
        return {
            "starts": _plain(self.starts),
            "ends": _plain(self.ends),
            "headings_parted": _part(self.parted, self.headings),
            "crossing_sections": _part(self.crossing, self.chunks),
        }


def boundaries(
    document: Document,
    spans: Sequence[tuple[int, int]],
    *,
    sentence_ends: Callable[[str], Sequence[int]] = _sentence_ends,
) -> Boundaries:
    """The damage of some chunks of one document.

    Args:
        document: the document.
        spans: the chunks' spans in its text, by start.
        sentence_ends: gives the positions after each sentence of a text.
    """
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    docs = np.zeros(len(columns), dtype=np.int64)
    return damage(landmarks([document], sentence_ends), docs, columns[:, 0], columns[:, 1])


def damage(marks: Landmarks, docs: IntArray, starts: IntArray, ends: IntArray) -> Boundaries:
    """The damage of chunks, given as columns by document and start, at the landmarks of their documents.

    Args:
        marks: the landmarks.
        docs: number of each chunk's document among those of the landmarks.
        starts: where each begins, counted through the joined text.
        ends: where each ends.
    """
    same = docs[1:] == docs[:-1]
    return Boundaries(
        starts=_cuts(marks, starts[1:][same]),
        ends=_cuts(marks, ends[:-1][same]),
        headings=len(marks.headings.starts),
        parted=int(parted(marks, starts, ends).sum()),
        chunks=len(starts),
        crossing=int(crossing(marks, starts, ends).sum()),
    )


def parted(marks: Landmarks, starts: IntArray, ends: IntArray) -> BoolArray:
    """For each of the landmarks' headings whether no chunk holds it and the first character of its text."""
    # A heading keeps its text where some chunk begins at or before it and ends behind the first
    # character of the text. Documents follow each other, so that the furthest end tells.
    reach = np.concatenate(([-1], np.maximum.accumulate(ends))) if len(ends) else np.array([-1])
    furthest = reach[np.searchsorted(starts, marks.headings.starts, side="right")]
    found: BoolArray = furthest <= marks.heading_bodies
    return found


def crossing(marks: Landmarks, starts: IntArray, ends: IntArray) -> BoolArray:
    """For each chunk whether it holds text of two or more leaf sections."""
    found: BoolArray = marks.bodies.overlapping(*marks.trim(starts, ends)) > 1
    return found


def cut_kinds(marks: Landmarks, cuts: IntArray) -> dict[str, BoolArray]:
    """By kind of damage, as `Cuts` names them, whether each cut does it."""
    text = marks.text.inside(cuts)
    # A blank line ends a paragraph whatever block it stands in.
    before = np.searchsorted(marks.lines, marks.last_visible(cuts))
    behind = np.searchsorted(marks.lines, marks.first_visible(cuts))
    text &= behind - before < 2
    sentence = text & marks.sentences.inside(cuts)
    row, code = marks.rows.inside(cuts), marks.code.inside(cuts)
    return {"sentence": sentence, "paragraph": text, "row": row, "code": code, "any": sentence | row | code}


def _cuts(marks: Landmarks, cuts: IntArray) -> Cuts:
    return Cuts(len(cuts), **{kind: int(column.sum()) for kind, column in cut_kinds(marks, cuts).items()})


def _plain(cuts: Cuts) -> dict[str, Any]:
    kinds = ("sentence", "paragraph", "row", "code", "any")
    return {
        "cuts": cuts.cuts,
        **{kind: getattr(cuts, kind) for kind in kinds},
        "shares": {kind: round(cuts.share(kind), 6) for kind in kinds},
    }


def _part(count: int, of: int) -> dict[str, Any]:
    return {"count": count, "of": of, "share": round(count / of, 6) if of else 0.0}
