"""The damage at the cuts: what a chunker cut through, and what it threw together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from chunkwise.measure.landmarks import Landmarks, Ranges, landmarks, sentences_of
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
    rows: int = 0
    """Table rows."""
    rows_cut: int = 0
    """Those of them that no chunk holds whole."""
    headed: int = 0
    """Rows of tables with a header, the header aside."""
    headless: int = 0
    """Those of them that begin in no chunk that holds the header too, or has it as context."""
    code: int = 0
    """Code blocks."""
    code_cut: int = 0
    """Those of them that no chunk holds whole."""
    items: int = 0
    """Items of lists that a colon introduces."""
    items_parted: int = 0
    """Those of them that begin in no chunk that holds the introducing sentence too, or has it as context."""

    def __add__(self, other: Boundaries) -> Boundaries:
        return Boundaries(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """As plain values, with shares."""
        return {
            "starts": _plain(self.starts),
            "ends": _plain(self.ends),
            "headings_parted": _part(self.parted, self.headings),
            "crossing_sections": _part(self.crossing, self.chunks),
            "rows_cut": _part(self.rows_cut, self.rows),
            "rows_without_header": _part(self.headless, self.headed),
            "code_cut": _part(self.code_cut, self.code),
            "items_parted": _part(self.items_parted, self.items),
        }


def boundaries(
    document: Document,
    spans: Sequence[tuple[int, int]],
    *,
    with_header: Sequence[bool] = (),
    with_lead: Sequence[bool] = (),
    ends: Callable[[Document], Sequence[int]] = sentences_of,
) -> Boundaries:
    """The damage of some chunks of one document.

    Args:
        document: the document.
        spans: the chunks' spans in its text, by start.
        with_header: for each chunk whether a table's header is indexed with it; none if empty.
        with_lead: for each chunk whether the sentence that introduces a list is indexed with it.
        ends: gives the positions after each sentence of a document.
    """
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    docs = np.zeros(len(columns), dtype=np.int64)
    marks = landmarks([document], ends)
    flags = (np.array(flag, dtype=bool) if flag else None for flag in (with_header, with_lead))
    return damage(marks, docs, columns[:, 0], columns[:, 1], *flags)


def damage(
    marks: Landmarks,
    docs: IntArray,
    starts: IntArray,
    ends: IntArray,
    with_header: BoolArray | None = None,
    with_lead: BoolArray | None = None,
) -> Boundaries:
    """The damage of chunks, given as columns by document and start, at the landmarks of their documents.

    Args:
        marks: the landmarks.
        docs: number of each chunk's document among those of the landmarks.
        starts: where each begins, counted through the joined text.
        ends: where each ends.
        with_header: whether a table's header is indexed with each; None: with none of them.
        with_lead: the same of the sentence that introduces a list.
    """
    same = docs[1:] == docs[:-1]
    return Boundaries(
        starts=_cuts(marks, starts[1:][same]),
        ends=_cuts(marks, ends[:-1][same]),
        headings=len(marks.headings.starts),
        parted=int(parted(marks, starts, ends).sum()),
        chunks=len(starts),
        crossing=int(crossing(marks, starts, ends).sum()),
        rows=len(marks.rows.starts),
        rows_cut=_not_whole(marks.rows, starts, ends),
        headed=len(marks.headed_rows),
        headless=_alone(marks.headed_rows, marks.row_headers, starts, ends, with_header),
        code=len(marks.code.starts),
        code_cut=_not_whole(marks.code, starts, ends),
        items=len(marks.led_items),
        items_parted=_alone(marks.led_items, marks.item_leads, starts, ends, with_lead),
    )


def _furthest(positions: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
    """For each position the furthest end of the chunks that begin at or before it; -1 where none does."""
    reach = np.concatenate(([-1], np.maximum.accumulate(ends))) if len(ends) else np.array([-1])
    found: IntArray = reach[np.searchsorted(starts, positions, side="right")]
    return found


def _not_whole(ranges: Ranges, starts: IntArray, ends: IntArray) -> int:
    """How many ranges no chunk holds whole."""
    return int((_furthest(ranges.starts, starts, ends) < ranges.ends).sum())


def _alone(
    parts: IntArray, before: IntArray, starts: IntArray, ends: IntArray, told: BoolArray | None
) -> int:
    """How many parts begin in no chunk that holds what stands before them too, or is told of it."""
    together = _furthest(before, starts, ends) > parts
    if told is not None:
        together |= _furthest(parts, starts[told], ends[told]) > parts
    return int((~together).sum())


def parted(marks: Landmarks, starts: IntArray, ends: IntArray) -> BoolArray:
    """For each of the landmarks' headings whether no chunk holds it and the first character of its text."""
    # A heading keeps its text where some chunk begins at or before it and ends behind the first
    # character of the text. Documents follow each other, so that the furthest end tells.
    found: BoolArray = _furthest(marks.headings.starts, starts, ends) <= marks.heading_bodies
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
