"""Documents that say almost only what others say too: the wrong one is found as easily as the right one."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from chunkwise.types import Document

__all__ = ["near_duplicates"]

SHARE = 0.6
"""Of the groups of words of a document; where more of them stand in others it is called a near-duplicate."""
_GROUP = 4  # neighbouring words


def near_duplicates(documents: Iterable[Document], share: float = SHARE) -> list[str]:
    """Ids of the documents of whose groups of four words `share` or more stand in other documents too.

    Words are runs without white space; a group that comes again within one document counts once.

    Source: Broder (1997), On the Resemblance and Containment of Documents (containment, over all groups and
    in all other documents together).
    """
    ids: list[str] = []
    groups: list[npt.NDArray[np.uint64]] = []
    for document in documents:
        ids.append(document.id)
        groups.append(_distinct(np.sort(_groups(document.text.split()))))
    if not ids:
        return []
    of = np.repeat(np.arange(len(ids)), [len(own) for own in groups])
    every = np.concatenate(groups)
    rising = np.sort(every)
    # A document has each group once: what comes again stands in another one.
    again = _distinct(rising[1:][rising[1:] == rising[:-1]])
    elsewhere = np.searchsorted(again, every, side="right") > np.searchsorted(again, every)
    whole = np.bincount(of, minlength=len(ids))
    shared = np.bincount(of, weights=elsewhere, minlength=len(ids))
    return [ids[i] for i in np.flatnonzero((whole > 0) & (shared >= share * whole))]


def _distinct(rising: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Each of some sorted numbers once; `np.unique` takes five times as long."""
    new = np.ones(len(rising), dtype=bool)
    np.not_equal(rising[1:], rising[:-1], out=new[1:])
    return rising[new]


def _groups(words: list[str]) -> npt.NDArray[np.uint64]:
    """A number for each group of neighbouring words; equal groups have equal ones."""
    # Only whether two are equal matters: that Python's hash differs from run to run changes nothing.
    own = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    count = max(0, len(own) - _GROUP + 1)
    found = np.zeros(count, dtype=np.uint64)
    for i in range(_GROUP):
        found = found * np.uint64(0x9E3779B97F4A7C15) + own[i : i + count]
    return found
