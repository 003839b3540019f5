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
        groups.append(_groups(document.text.split()))
    if not ids:
        return []
    # The document takes the lowest bits of a group's number, so that one sort brings equal groups together.
    bits = np.uint64(len(ids).bit_length())
    of = np.repeat(np.arange(len(ids), dtype=np.uint64), [len(own) for own in groups])
    rising = np.sort(np.concatenate(groups) >> bits << bits | of)
    rising = rising[np.append(True, rising[1:] != rising[:-1])] if len(rising) else rising
    own = (rising & (np.uint64(1) << bits) - np.uint64(1)).astype(np.int64)
    # A document has each group once by now: what comes again stands in another one.
    again = rising[1:] >> bits == rising[:-1] >> bits
    elsewhere = np.zeros(len(rising), dtype=bool)
    elsewhere[1:] |= again
    elsewhere[:-1] |= again
    whole = np.bincount(own, minlength=len(ids))
    shared = np.bincount(own, weights=elsewhere, minlength=len(ids))
    return [ids[i] for i in np.flatnonzero((whole > 0) & (shared >= share * whole))]


def _groups(words: list[str]) -> npt.NDArray[np.uint64]:
    """A number for each group of neighbouring words, mixed in its upper bits; the same for equal ones."""
    # Only whether two are equal matters: that Python's hash differs from run to run changes nothing.
    own = np.fromiter(map(hash, words), np.int64, len(words)).view(np.uint64)
    count = max(0, len(own) - _GROUP + 1)
    found = np.zeros(count, dtype=np.uint64)
    for i in range(_GROUP):
        found = (found + own[i : i + count]) * np.uint64(0x9E3779B97F4A7C15)
    return found
