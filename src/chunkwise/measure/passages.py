"""Text of the answers against text of the chunks, position by position, for measures that count text.

A position is a character, or a unit (word, token) of the document. All measures of this kind count with
true places and strict overlap: chunks that only touch an answer have found nothing of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.measure.found import Found, merged, union_lengths
from chunkwise.measure.scale import CHARS, in_unit
from chunkwise.types import BoolArray, FloatArray, IntArray


class Passages(NamedTuple):
    """Positions by question."""

    needed: IntArray
    """Of its golds: of several places of a gold the best one, each position once; blank characters that
    are in no chunk left out."""
    found: IntArray
    """Those of them that are in the chunks that were looked at, each once."""
    retrieved: IntArray
    """Of the chunks that were looked at."""


def share(part: IntArray, whole: IntArray) -> FloatArray:
    """One column over another; 0 where there is nothing."""
    found: FloatArray = part / np.maximum(whole, 1)
    return found


def counted(name: str, unit: str) -> str:
    """The name of a measure with its unit: `precision@5`, `precision@5/words`."""
    return name if unit == CHARS else f"{name}/{unit}"


def passages(found: Found, k: int, unit: str = CHARS) -> Passages:
    """What the first k chunks hold of each question's golds.

    What is retrieved twice counts twice in `retrieved`, as a reader pays for it twice, and once in `found`.

    Raises:
        SettingError: the chunks are counted in another unit.
    """
    found = in_unit(found, unit)
    key = "passages", k
    if key not in found.memo:
        found.memo[key] = _passages(found, k)
    known: Passages = found.memo[key]
    return known


def _passages(found: Found, k: int) -> Passages:
    places, table = found.places, found.table
    place, rank, chunk = found.pairs
    place, chunk = place[rank < k], chunk[rank < k]
    starts = np.maximum(table.starts[chunk], places.starts[place])
    ends = np.minimum(table.ends[chunk], places.ends[place])
    best = found.best_places(union_lengths(place, starts, ends, len(places)))
    chosen = _among(place, best, len(places))
    # Behind the end of a ranking stands -1, which takes what is appended.
    lengths = np.append(found.lengths, 0)[found.matrix[:, :k]]
    return Passages(
        _needed(found, best),
        _together(found, place[chosen], starts[chosen], ends[chosen]),
        lengths.sum(axis=1, dtype=np.int64),
    )


def touched(found: Found, unit: str = CHARS, *, touching: bool = False) -> Passages:
    """What would be found if exactly the chunks were retrieved that share a position with a gold.

    Each position counts once, in `retrieved` too. Of several places of a gold that one is
    taken whose own share is best.

    Args:
        found: the candidate's chunks; what it retrieved is not looked at.
        unit: what is counted.
        touching: also chunks that only stand beside a gold, as in a published figure.

    Raises:
        SettingError: the chunks are counted in another unit.
    """
    found = in_unit(found, unit)
    key = "touched", touching
    if key not in found.memo:
        found.memo[key] = _touched(found, touching)
    known: Passages = found.memo[key]
    return known


def _touched(found: Found, touching: bool) -> Passages:
    places, table = found.places, found.table
    none = np.zeros(0, dtype=np.int64)
    pairs = [*found.near(touching=touching), (none, none)]
    place, chunk = (np.concatenate(column) for column in zip(*pairs, strict=True))
    begins, stops = table.starts[chunk], table.ends[chunk]
    starts, ends = np.maximum(begins, places.starts[place]), np.minimum(stops, places.ends[place])
    seen = union_lengths(place, starts, ends, len(places))
    apart = union_lengths(place, begins, stops, len(places)) + found.whole - seen
    best = found.best_places(seen, apart)
    chosen = _among(place, best, len(places))
    place = place[chosen]
    return Passages(
        _needed(found, best),
        _together(found, place, starts[chosen], ends[chosen]),
        _together(found, place, begins[chosen], stops[chosen]),
    )


def _among(place: IntArray, chosen: IntArray, count: int) -> BoolArray:
    """Whether each place is one of the chosen ones."""
    found = np.zeros(count, dtype=bool)
    found[chosen] = True
    return found[place]


def _needed(found: Found, chosen: IntArray) -> IntArray:
    """By question the positions of chosen places, each once, that a reader could see."""
    places = found.places
    starts, ends = places.starts[chosen], places.ends[chosen]
    group, question, doc = _groups(found, chosen)
    group, starts, ends = merged(group, starts, ends)
    seen = ends - starts - found.unreadable(doc[group], starts, ends)
    return _sums(found, question[group], seen)


def _together(found: Found, place: IntArray, starts: IntArray, ends: IntArray) -> IntArray:
    """By question the positions of some ranges, each once; each range is in the document of its place."""
    group, question, _ = _groups(found, place)
    group, starts, ends = merged(group, starts, ends)
    return _sums(found, question[group], ends - starts)


def _groups(found: Found, place: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """For each place the number of its question and document taken together, and what these are."""
    if "groups" not in found.memo:
        places = found.places
        count = len(found.table.doc_ids) + 1
        keys, group = np.unique(places.question * count + places.docs + 1, return_inverse=True)
        found.memo["groups"] = group, keys // count, keys % count - 1
    group, question, doc = found.memo["groups"]
    return group[place], question, doc


def _sums(found: Found, question: IntArray, values: IntArray) -> IntArray:
    sums = np.bincount(question, weights=values, minlength=len(found.places.golds))
    return sums.astype(np.int64)


_UNIT = re.compile(r"/(?P<unit>.+)", re.DOTALL)


def unit_of(text: str, rest: str | None) -> str:
    """The unit that stands behind the slash of a measure's text form; characters where there is none.

    Raises:
        SettingError: something else stands there.
    """
    if not rest:
        return CHARS
    match = _UNIT.fullmatch(rest)
    if match is None:
        raise SettingError(f"{text!r}: a unit stands behind a slash, as in precision@5/words")
    return match["unit"]
