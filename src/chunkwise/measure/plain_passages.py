"""One question at a time, in plain loops: the readable definition of what `passages` computes with arrays."""

from __future__ import annotations

from typing import NamedTuple

from chunkwise.errors import SettingError
from chunkwise.measure.plain import place_of, unreadable
from chunkwise.measure.scale import CHARS
from chunkwise.types import ChunkTable, Place, Question, Ranking, Span, covered, union


class Sums(NamedTuple):
    """`Passages` of one question."""

    needed: int
    found: int
    retrieved: int


def passages_of(question: Question, ranking: Ranking, table: ChunkTable, k: int, unit: str) -> Sums:
    """What the first k chunks hold of a question's golds, as three numbers."""
    first = [int(chunk) for chunk in ranking.chunks[:k]]
    seen = [own for chunk in first if (own := _chunk(table, chunk, unit)) is not None]
    golds = [[_gold(table, place, unit) for place in gold.places] for gold in question.golds]
    chosen = []
    for places in golds:
        shares = [_covered(seen, place) / max(_visible(table, place, unit), 1) for place in places]
        chosen.append(places[shares.index(max(shares))])
    target = _union(chosen)
    return Sums(
        sum(_visible(table, part, unit) for part in target),
        sum(_covered(seen, part) for part in target),
        sum(_length(table, chunk, unit) for chunk in first),
    )


def touched_of(question: Question, table: ChunkTable, unit: str, *, touching: bool = False) -> Sums:
    """What would be found if exactly the chunks were retrieved that share a position with a gold."""
    placed = [own for chunk in range(len(table)) if (own := _chunk(table, chunk, unit)) is not None]

    def near(place: Place) -> list[Place]:
        room = int(touching)
        return [
            own
            for own in placed
            if own.doc == place.doc
            and own.span.start < place.span.end + room
            and place.span.start < own.span.end + room
        ]

    chosen = []
    for gold in question.golds:
        places = [_gold(table, place, unit) for place in gold.places]
        shares = []
        for place in places:
            found = _covered(near(place), place)
            apart = _size(_union(near(place))) + _visible(table, place, unit) - found
            shares.append(found / max(apart, 1))
        chosen.append(places[shares.index(max(shares))])
    target = _union(chosen)
    chunks = _union([own for place in chosen for own in near(place)])
    return Sums(
        sum(_visible(table, part, unit) for part in target),
        sum(_covered(chunks, part) for part in target),
        _size(chunks),
    )


def _chunk(table: ChunkTable, chunk: int, unit: str) -> Place | None:
    own = place_of(table, chunk)
    if own is None or unit == CHARS:
        return own
    starts, _ = _units(table, own.doc, unit)
    held = [i for i, start in enumerate(starts) if own.span.start <= start < own.span.end]
    return Place(own.doc, Span(held[0], held[-1] + 1)) if held else None


def _gold(table: ChunkTable, place: Place, unit: str) -> Place:
    if unit == CHARS:
        return place
    starts, ends = _units(table, place.doc, unit)
    needed = [
        i
        for i, (start, end) in enumerate(zip(starts, ends, strict=True))
        if start < place.span.end and (start >= place.span.start or end > place.span.start)
    ]
    return Place(place.doc, Span(needed[0], needed[-1] + 1) if needed else Span(0, 0))


def _units(table: ChunkTable, doc: str, unit: str) -> tuple[list[int], list[int]]:
    if table.unit != unit or table.units is None:
        raise SettingError(f"the chunks are counted in {table.unit}; compare with unit={unit!r}")
    if doc not in table.doc_ids:
        return [], []
    starts, ends = table.units(table.doc_ids.index(doc))
    return starts.tolist(), ends.tolist()


def _length(table: ChunkTable, chunk: int, unit: str) -> int:
    """Positions of a retrieved chunk; of one without a place what is known of it."""
    if table.starts[chunk] >= 0:
        own = _chunk(table, chunk, unit)
        return own.span.length if own is not None else 0
    if unit != CHARS:
        return int(table.sent[chunk])
    return 0 if table.lengths is None else int(table.lengths[chunk])


def _visible(table: ChunkTable, place: Place, unit: str) -> int:
    """Positions of a place, without blank ones that are in no chunk."""
    if unit == CHARS:
        return place.span.length - unreadable(place, table)
    return place.span.length - _units_in_gaps(table, place, unit)


def _units_in_gaps(table: ChunkTable, place: Place, unit: str) -> int:
    if table.gaps is None or place.doc not in table.doc_ids:
        return 0
    number = table.doc_ids.index(place.doc)
    starts, _ = _units(table, place.doc, unit)
    gaps = [
        (int(start), int(end))
        for doc, start, end, blank in zip(*table.gaps, strict=True)
        if doc == number and blank
    ]
    own = range(place.span.start, place.span.end)
    return sum(any(start <= starts[i] < end for start, end in gaps) for i in own)


def _covered(seen: list[Place], place: Place) -> int:
    return covered([own.span for own in seen if own.doc == place.doc], place.span)


def _union(places: list[Place]) -> list[Place]:
    docs = dict.fromkeys(place.doc for place in places)
    return [Place(doc, span) for doc in docs for span in union([p.span for p in places if p.doc == doc])]


def _size(places: list[Place]) -> int:
    return sum(place.span.length for place in places)
