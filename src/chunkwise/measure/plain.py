"""One question at a time, in plain loops: the readable definition of what `Found` computes with arrays."""

from __future__ import annotations

import numpy as np

from chunkwise.measure.rules import HitRule
from chunkwise.types import ChunkTable, Place, Question, Ranking, Span, covered


def place_of(table: ChunkTable, chunk: int) -> Place | None:
    """Document and raw span of a chunk; None for one without a place."""
    if table.starts[chunk] < 0:
        return None
    span = Span(int(table.starts[chunk]), int(table.ends[chunk]))
    return Place(table.doc_ids[int(table.docs[chunk])], span)


def finds(table: ChunkTable, chunk: int, place: Place, rule: HitRule) -> bool:
    """Whether a chunk finds a place: same document, a character in common, and what the rule says."""
    own = place_of(table, chunk)
    if own is None or own.doc != place.doc or not own.span.overlap(place.span):
        return False
    return bool(rule(*own.span, *place.span))


def gold_ranks(question: Question, ranking: Ranking, table: ChunkTable, rule: HitRule) -> list[int | None]:
    """For each gold the rank, from 1, of the first chunk that finds one of its places; None if none does."""
    ranks: list[int | None] = []
    for gold in question.golds:
        hits = (
            rank
            for rank, chunk in enumerate(ranking.chunks, 1)
            if any(finds(table, int(chunk), place, rule) for place in gold.places)
        )
        ranks.append(next(hits, None))
    return ranks


def reading(ranking: Ranking, table: ChunkTable, budget: int) -> list[Place]:
    """What a reader sees who walks down a ranking and stops at the budget, the last chunk cut."""
    seen: list[Place] = []
    for chunk in map(int, ranking.chunks):
        if budget <= 0:
            break
        place = place_of(table, chunk)
        sent = int(table.sent[chunk])
        if place is not None:
            end = place.span.end
            if sent > budget:
                end = min(end, int(table.cut(np.array([chunk]), np.array([budget]))[0]))
            if end > place.span.start:
                seen.append(Place(place.doc, Span(place.span.start, end)))
        budget -= sent
    return seen


def share_read(question: Question, seen: list[Place], table: ChunkTable) -> float:
    """The share of the golds' characters in what was read, of each gold the best place."""
    read = whole = 0
    for gold in question.golds:
        best = (-1.0, 0, 0)
        for place in gold.places:
            spans = [s.span for s in seen if s.doc == place.doc]
            length = place.span.length - unreadable(place, table)
            found = covered(spans, place.span)
            if found / max(length, 1) > best[0]:
                best = (found / max(length, 1), found, length)
        read, whole = read + best[1], whole + best[2]
    return read / max(whole, 1)


def is_covered(place: Place, table: ChunkTable) -> bool:
    """Whether all visible characters of a place are in chunks."""
    if place.doc not in table.doc_ids:
        return False
    number = table.doc_ids.index(place.doc)
    if table.gaps is None:
        chunks = (place_of(table, i) for i in range(len(table)) if table.docs[i] == number)
        return covered([c.span for c in chunks if c is not None], place.span) == place.span.length
    return not any(gap.overlap(place.span) for gap in _gaps(number, table, blank=False))


def unreadable(place: Place, table: ChunkTable) -> int:
    """Number of blank characters of a place that are in no chunk."""
    if table.gaps is None or place.doc not in table.doc_ids:
        return 0
    return covered(_gaps(table.doc_ids.index(place.doc), table, blank=True), place.span)


def _gaps(number: int, table: ChunkTable, *, blank: bool) -> list[Span]:
    gaps = table.gaps
    assert gaps is not None
    rows = np.flatnonzero((gaps.docs == number) & (gaps.blank == blank))
    return [Span(int(gaps.starts[i]), int(gaps.ends[i])) for i in rows]
