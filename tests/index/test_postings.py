"""Postings against counting with dictionaries, whatever the numbers of the words are."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from chunkwise.index.postings import Tally
from chunkwise.index.slices import BARE, BOTH, WHOLE


@pytest.mark.parametrize("largest", [3, (1 << 16) - 1, 1 << 16, 1 << 22])
@pytest.mark.parametrize("bare", [None, False, True])
def test_words_are_counted_by_chunk(largest: int, bare: bool | None) -> None:
    generator = np.random.default_rng(largest)
    lengths = generator.integers(0, 30, 200)
    ids = generator.choice([*range(4), largest], int(lengths.sum()))
    where = generator.choice([BOTH, BOTH, WHOLE, BARE], len(ids)).astype(np.uint8)
    tally = Tally()
    for part in (slice(0, 90), slice(90, 200)):
        edges = np.concatenate(([0], np.cumsum(lengths)))
        words = slice(edges[part.start], edges[part.stop])
        tally.add(ids[words], lengths[part], None if bare is None else where[words])
    found = tally.finish(largest + 1, bare=bool(bare))
    chunks = np.repeat(np.arange(200), lengths)
    if bare is not None:
        kept = where != (WHOLE if bare else BARE)
        ids, chunks = ids[kept], chunks[kept]
    expected = sorted(Counter(zip(ids.tolist(), chunks.tolist(), strict=True)).items())
    assert found.lengths.tolist() == np.bincount(chunks, minlength=200).tolist()
    words_found = np.repeat(np.arange(largest + 1), np.diff(found.pointers)).tolist()
    columns = words_found, found.chunks.tolist(), found.counts.tolist()
    assert [((w, c), n) for w, c, n in zip(*columns, strict=True)] == expected
