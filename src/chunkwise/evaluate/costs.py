"""What a row costs beside characters: the size of its index, and which of its chunks come first."""

from __future__ import annotations

from typing import Any

import numpy as np

from chunkwise.measure.sizes import median
from chunkwise.types import IntArray, Retriever

__all__ = ["first_sizes", "index_bytes"]

_HALVES = ("lexical", "dense", "below")


def index_bytes(retriever: Retriever | None) -> int | None:
    """Bytes of the numbers that a search reads: postings, weights, vectors, graphs. Texts and words aside.

    A retriever that is made of others has the sum of theirs. None where it says nothing and holds no arrays.
    """
    if retriever is None:
        return None
    parts = [part for name in _HALVES if hasattr(part := getattr(retriever, name, None), "search")]
    if parts:
        sizes = [index_bytes(part) for part in parts]
        return sum(size for size in sizes if size is not None) if any(s is not None for s in sizes) else None
    said = getattr(getattr(retriever, "facts", None), "bytes", getattr(retriever, "nbytes", None))
    if isinstance(said, int):
        return said
    arrays = {id(value): value for value in vars(retriever).values() if isinstance(value, np.ndarray)}
    return sum(value.nbytes for value in arrays.values()) if arrays else None


def first_sizes(matrix: IntArray, sizes: IntArray) -> dict[str, Any]:
    """How large the chunks are that stand first, against all chunks.

    Short chunks often stand above longer ones that say more: where the first ones are much smaller than the
    others, the ranking goes by length too.

    Args:
        matrix: questions x depth, numbers of the chunks found, -1 behind the end of a ranking.
        sizes: of all chunks.

    Returns:
        `questions`, those for which anything was found; `median`, of their first chunks; `all`, the median of
        all chunks; and `ratio` of the two.
    """
    first = matrix[:, :1]
    first = first[first >= 0]
    every = median(sizes) if len(sizes) else 0.0
    own = median(sizes[first]) if len(first) else 0.0
    ratio = round(own / every, 6) if len(first) and every else 1.0
    return {"questions": len(first), "median": own, "all": every, "ratio": ratio}
