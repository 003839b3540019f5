"""Sizes of chunks, and what they cost to index."""

from __future__ import annotations

from typing import Any

import numpy as np

from chunkwise.types import FloatArray, IntArray


def size_profile(sizes: IntArray, unit: str, marked: int = 0) -> dict[str, Any]:
    """Sizes of indexed strings: min, median, mean, p95, max.

    Args:
        sizes: one for each chunk, in `unit`.
        unit: what they are counted in.
        marked: number of chunks that are marked as over the limit.

    `p95` is the smallest size that at least 95 % of the chunks do not exceed.
    """
    if not len(sizes):
        return {"unit": unit, "min": 0, "median": 0, "mean": 0.0, "p95": 0, "max": 0, "marked": marked}
    rising = np.sort(sizes)
    return {
        "unit": unit,
        "min": int(rising[0]),
        "median": _plain_number(median(rising)),
        "mean": round(float(rising.mean()), 2),
        "p95": int(rising[-(-len(rising) * 95 // 100) - 1]),
        "max": int(rising[-1]),
        "marked": marked,
    }


def median(values: IntArray | FloatArray) -> float:
    """The median of a column with at least one value: the middle one, or the mean of the two in the middle.

    That of numpy loads its masked arrays first, which takes longer than any comparison of a small corpus
    spends on medians.
    """
    rising, half = np.sort(values), len(values) // 2
    return float(rising[half] if len(values) % 2 else (rising[half - 1] + rising[half]) / 2)


def size_over(sizes: IntArray, unit: str, limit: int | None) -> dict[str, Any]:
    """Sizes in a unit that is not the chunker's own, and how many are over what someone else takes at most.

    Args:
        sizes: one for each chunk, in `unit`.
        unit: what they are counted in.
        limit: the window of an embedder, or a second limit; None where there is none.

    Returns:
        `unit`, `median`, `mean`, `p95` and `max` as in `size_profile`, `limit`, and `over`, the number of
        chunks that are larger (0 without a limit).
    """
    found = size_profile(sizes, unit)
    over = 0 if limit is None else int((sizes > limit).sum())
    return {
        **{key: found[key] for key in ("unit", "median", "mean", "p95", "max")},
        "limit": limit,
        "over": over,
    }


def covered_once(docs: IntArray, starts: IntArray, ends: IntArray) -> int:
    """Number of characters that are in at least one chunk; columns by document and start."""
    if not len(starts):
        return 0
    keys = docs << 40
    reach = np.maximum.accumulate(keys + ends)
    before = np.concatenate(([0], reach[:-1])) - keys
    return int(np.maximum(ends - np.maximum(starts, before), 0).sum())


def index_costs(
    docs: IntArray, starts: IntArray, ends: IntArray, indexed: int, context: int
) -> dict[str, Any]:
    """What a candidate puts into the index.

    Args:
        docs: number of each chunk's document; columns by document and start.
        starts: where each chunk begins; -1 for one without a place.
        ends: where each ends.
        indexed: characters of all indexed strings.
        context: those of them that are context and no part of a slice.

    Returns:
        `characters_indexed`; `context_characters`, a part of them; `slice_characters`, of all chunks
        together; `covered_characters`, each counted once; `overlap_factor`, how often a covered
        character is in a chunk (1 without overlap).
    """
    placed = starts >= 0
    docs, starts, ends = docs[placed], starts[placed], ends[placed]
    slices, once = int((ends - starts).sum()), covered_once(docs, starts, ends)
    return {
        "characters_indexed": indexed,
        "context_characters": context,
        "slice_characters": slices,
        "covered_characters": once,
        "overlap_factor": round(slices / once, 6) if once else 1.0,
    }


def _plain_number(value: float) -> int | float:
    return int(value) if value.is_integer() else value
