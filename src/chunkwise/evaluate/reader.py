"""Documents shown with their cuts: what a reader of the report sees beside the figures.

Positions are code points of the document's text, and so are those of its golds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple

import numpy as np

from chunkwise.evaluate.kept import Kept
from chunkwise.evaluate.plan import Plan
from chunkwise.measure.boundaries import crossing, cut_kinds, parted
from chunkwise.measure.landmarks import Landmarks
from chunkwise.text import VISIBLE
from chunkwise.types import ChunkTable, Document, IntArray, Question, Run

__all__ = ["shown_documents"]

MOST = 240_000
"""Characters of all documents that are shown."""
FILLED = 100_000
"""As long as fewer characters are shown, documents that no chosen question needs are shown too."""
WHOLE = 30_000
"""A longer document is shown in parts."""
AROUND = 4_000
"""Characters on each side of a gold, in a part."""
_LONG = 12_000  # characters of a gold that make a part longer
_LINE = 400  # so far a part reaches back for the beginning of a line
_PRECEDENCE = ("row", "code", "sentence", "paragraph")


class _Part(NamedTuple):
    doc: str
    start: int
    end: int


class _Cut(NamedTuple):
    """What one chunker made of a document: its chunks that have a place."""

    names: tuple[str, ...]  # of the candidates that have it
    starts: IntArray  # in the text
    ends: IntArray
    raw_starts: IntArray
    raw_ends: IntArray
    number: int  # of the chunker


class _Asked(NamedTuple):
    """A place of a gold."""

    question: Question
    number: int  # of the gold among those of its question
    raw: tuple[int, int]


def shown_documents(
    kept: Kept,
    chosen: Sequence[Question],
    questions: Sequence[Question],
    runs: Sequence[Run],
    numbers: Sequence[int],
    plan: Plan,
) -> list[dict[str, Any]]:
    """Documents with the cuts of every row: those that the chosen questions need, then others.

    Args:
        kept: what was kept while the corpus was cut; other documents cannot be shown.
        chosen: the questions that are shown, the most important first.
        questions: all questions; the golds of those that lie in what is shown are marked.
        runs: one a row.
        numbers: for each row the number of its chunker.
        plan: the settings; its hit rule says which chunk holds a gold.

    Returns:
        By document and start: `id`, `characters` of the whole document, the part that is shown (`start`,
        `end`, `text`), its `sections` (`start`, `path`), its `golds` (`question`, `asked`, `gold`, `start`,
        `end`, and `held`, for each of `rows` the number of the first chunk that meets the hit rule, or null),
        and `rows`: `candidates`, the rows that cut so; `first`, the number of the first chunk given; `chunks`
        (`start`, `end`, `section`, and where there are any `begins` and `ends`, what the cut is inside of,
        `crosses`, `context`, `marks`); `parted`, the heading lines that no chunk holds with their text.
    """
    tables: dict[int, tuple[ChunkTable, list[str]]] = {}
    for run, number in zip(runs, numbers, strict=True):
        tables.setdefault(number, (run.table, []))[1].append(run.candidate.name)
    golds: dict[str, list[_Asked]] = {}
    for question in questions:
        for number, gold in enumerate(question.golds):
            for place in gold.places:
                golds.setdefault(place.doc, []).append(_Asked(question, number, place.span))
    found = []
    for doc, parts in groupby(sorted(_parts(kept, chosen)), key=attrgetter("doc")):
        document = kept.documents[doc]
        marks = kept.landmarks(document)
        cuts = [_cut(document, number, *table) for number, table in tables.items()]
        found += [_shown(part, document, cuts, golds.get(doc, []), kept, marks, plan) for part in parts]
    return found


def _parts(kept: Kept, chosen: Iterable[Question]) -> list[_Part]:
    """What is shown, as ranges that do not overlap."""
    parts: list[_Part] = []
    for place in (place for question in chosen for gold in question.golds for place in gold.places[:1]):
        document = kept.documents.get(place.doc)
        if document is None:
            continue
        span = document.from_raw(place.span)
        new = _around(document, span.start, min(span.end, span.start + _LONG))
        near = [p for p in parts if p.doc == new.doc and p.start <= new.end and new.start <= p.end]
        joined = _Part(new.doc, min(p.start for p in (*near, new)), max(p.end for p in (*near, new)))
        left = [p for p in parts if p not in near]
        if _length(left) + joined.end - joined.start <= MOST:
            parts = [*left, joined]
    for doc, document in kept.documents.items():
        whole = _Part(doc, 0, min(len(document.text), WHOLE))
        if whole.end and all(p.doc != doc for p in parts) and _length(parts) + whole.end <= FILLED:
            parts.append(whole)
    return parts


def _length(parts: Iterable[_Part]) -> int:
    return sum(part.end - part.start for part in parts)


def _around(document: Document, start: int, end: int) -> _Part:
    text = document.text
    if len(text) <= WHOLE:
        return _Part(document.id, 0, len(text))
    start, end = max(0, start - AROUND), min(len(text), end + AROUND)
    line = text.rfind("\n", max(0, start - _LINE), start) + 1 if start else 0
    return _Part(document.id, line or start, end)


def _cut(document: Document, number: int, table: ChunkTable, names: Sequence[str]) -> _Cut:
    doc = table.doc_ids.index(document.id)
    own = slice(*np.searchsorted(table.docs, [doc, doc + 1]).tolist())
    placed = table.starts[own] >= 0
    raw = table.starts[own][placed], table.ends[own][placed]
    if document.shift is not None:
        return _Cut(tuple(names), raw[0] - document.shift, raw[1] - document.shift, *raw, number)
    spans = [document.from_raw(pair) for pair in zip(*(column.tolist() for column in raw), strict=True)]
    columns = np.array(spans, dtype=np.int64).reshape(-1, 2)
    return _Cut(tuple(names), columns[:, 0], columns[:, 1], *raw, number)


def _shown(
    part: _Part,
    document: Document,
    cuts: Sequence[_Cut],
    golds: Sequence[_Asked],
    kept: Kept,
    marks: Landmarks,
    plan: Plan,
) -> dict[str, Any]:
    numbers: dict[int, int] = {}  # of sections that chunks are in -> of those that are given
    rows = []
    for cut, inside in zip(cuts, _inside(part, cuts, marks), strict=True):
        said = kept.said[cut.number, document.id]
        chunks = []
        for i, start, end, begins, stops, crosses in inside:
            visible = VISIBLE.search(document.text, start, end)
            section = document.sections.of(visible.start() if visible else start, end)
            number = numbers.setdefault(section, len(numbers))
            chunk: dict[str, Any] = {"start": start, "end": end, "section": number}
            # The edges of a document are no cuts.
            if begins and i:
                chunk["begins"] = begins
            if stops and i < len(cut.starts) - 1:
                chunk["ends"] = stops
            if crosses:
                chunk["crosses"] = True
            context, own_marks = said[i]
            if context:
                chunk["context"] = [list(pair) for pair in context]
            if own_marks:
                chunk["marks"] = list(own_marks)
            chunks.append(chunk)
        lost = parted(marks, cut.starts, cut.ends)
        headings = zip(marks.headings.starts[lost].tolist(), marks.headings.ends[lost].tolist(), strict=True)
        rows.append(
            {
                "candidates": list(cut.names),
                "first": inside[0][0] if inside else 0,
                "chunks": chunks,
                "parted": [list(span) for span in headings if span[0] < part.end and span[1] > part.start],
            }
        )
    return {
        "kind": "document",
        "id": document.id,
        "characters": len(document.text),
        "start": part.start,
        "end": part.end,
        "text": document.text[part.start : part.end],
        "sections": [
            {"start": document.sections.start[number], "path": list(document.sections.path(number))}
            for number in numbers
        ],
        "golds": _golds(part, document, cuts, golds, plan),
        "rows": rows,
    }


def _inside(
    part: _Part, cuts: Sequence[_Cut], marks: Landmarks
) -> list[list[tuple[int, int, int, str, str, bool]]]:
    """For each row its chunks in a part: number, start, end, what either is inside of, and whether the chunk
    holds text of several sections.
    """
    shown = [np.flatnonzero((cut.starts < part.end) & (cut.ends > part.start)) for cut in cuts]
    # All rows at once: each has a few chunks.
    starts = np.concatenate([cut.starts[own] for cut, own in zip(cuts, shown, strict=True)])
    ends = np.concatenate([cut.ends[own] for cut, own in zip(cuts, shown, strict=True)])
    chunks = zip(
        *(column.tolist() for column in (np.concatenate(shown), starts, ends)),
        *(_kinds(marks, column) for column in (starts, ends)),
        crossing(marks, starts, ends).tolist(),
        strict=True,
    )
    return [list(islice(chunks, len(own))) for own in shown]


def _kinds(marks: Landmarks, cuts: IntArray) -> list[str]:
    """What each cut is inside of, empty for a good one."""
    kinds = cut_kinds(marks, cuts)
    found = np.full(len(cuts), "", dtype=object)
    for kind in reversed(_PRECEDENCE):  # the most damaging one stays
        found[kinds[kind]] = kind
    names: list[str] = found.tolist()
    return names


def _golds(
    part: _Part, document: Document, cuts: Sequence[_Cut], golds: Sequence[_Asked], plan: Plan
) -> list[dict[str, Any]]:
    spans = [document.from_raw(asked.raw) for asked in golds]
    inside = [i for i, span in enumerate(spans) if span.start < part.end and span.end > part.start]
    raw = np.array([golds[i].raw for i in inside], dtype=np.int64).reshape(-1, 2)
    held = zip(*(_holders(cut, raw[:, 0], raw[:, 1], plan) for cut in cuts), strict=True)
    found = [
        {
            "question": golds[i].question.id,
            "asked": golds[i].question.text,
            "gold": golds[i].number,
            "start": spans[i].start,
            "end": spans[i].end,
            "held": list(own),
        }
        for i, own in zip(inside, held, strict=True)
    ]
    return sorted(found, key=itemgetter("start", "end"))


def _holders(cut: _Cut, starts: IntArray, ends: IntArray, plan: Plan) -> list[int | None]:
    """For each place the number of the first chunk that meets the hit rule."""
    first = np.searchsorted(np.maximum.accumulate(cut.raw_ends), starts, side="right")
    counts = np.maximum(np.searchsorted(cut.raw_starts, ends) - first, 0)
    place = np.repeat(np.arange(len(starts)), counts)
    chunk = np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts - first, counts)
    near = cut.raw_ends[chunk] > starts[place]
    place, chunk = place[near], chunk[near]
    hit = plan.rule(cut.raw_starts[chunk], cut.raw_ends[chunk], starts[place], ends[place])
    hit = np.asarray(hit, dtype=bool)
    found: list[int | None] = [None] * len(starts)
    # Written from the last to the first, so that the first chunk stays.
    for i, number in zip(place[hit][::-1].tolist(), chunk[hit][::-1].tolist(), strict=True):
        found[i] = number
    return found
