"""Documents and chunks without their heading lines, for questions that were copied from them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from chunkwise.types import Chunk, Document, IntArray, Span


class Bare:
    """A document without its heading lines, and the same chunks over it.

    A chunk's context stays; of its slice only what is not a heading line is left. Only what an index
    looks at is right in these chunks: `indexed` and `match`.
    """

    def __init__(self, document: Document) -> None:
        self._document = document
        sections = document.sections
        starts, bodies = sections.start.tolist()[1:], sections.body.tolist()[1:]
        self._starts, self._bodies = starts, bodies
        self.lines = np.array(starts, dtype=np.int64), np.array(bodies, dtype=np.int64)
        self._last: tuple[Sequence[Chunk], Sequence[Chunk]] = (), ()
        self._before = [0]
        kept, last = [], 0
        for start, body in zip(starts, bodies, strict=True):
            kept.append(document.text[last:start])
            last = body
            self._before.append(self._before[-1] + body - start)
        kept.append(document.text[last:])
        self.document = document.with_text("".join(kept)) if starts else document

    def __call__(self, chunks: Sequence[Chunk]) -> Sequence[Chunk]:
        """The chunks without heading lines, in the same order."""
        if not self._starts:
            return chunks
        if self._last[0] is not chunks:  # several indexes ask for the same ones
            matches = np.array([chunk.match for chunk in chunks], dtype=np.int64).reshape(-1, 2)
            carried = self._carry(matches).tolist()
            made = [self._strip(chunk, *place) for chunk, place in zip(chunks, carried, strict=True)]
            self._last = chunks, made
        return self._last[1]

    def _strip(self, chunk: Chunk, begin: int, stop: int) -> Chunk:
        """The chunk whose match begins and stops there in the text without heading lines."""
        start, end = chunk.match
        body, indexed = self._document.text[start:end], chunk.indexed
        place = Span(begin, stop)
        if chunk.span is None or not body or not indexed.endswith(body):
            indexed, place = self._without_lines(chunk), Span(0, 0)
        else:
            indexed = indexed[: len(indexed) - len(body)] + self.document.text[begin:stop]
        # Made anew and not replaced: that takes three times as long.
        return Chunk(chunk.doc, chunk.span, chunk.text, indexed, place, chunk.context, chunk.path)

    def _carry(self, positions: IntArray) -> IntArray:
        """Positions in the text without heading lines; one inside a heading line goes to its place."""
        i = np.searchsorted(self._starts, positions, side="right")
        inside = np.maximum(0, np.append(self._bodies, 0)[i - 1] - positions)
        before = np.array(self._before)
        carried: IntArray = positions - before[i] + np.where(i > 0, inside, 0)
        return carried

    def _without_lines(self, chunk: Chunk) -> str:
        """For a chunk whose indexed string is not its slice: each heading line of the slice, once."""
        front = "".join(f"{text}\n" for _, text in chunk.context)
        front = front if chunk.indexed.startswith(front) else ""
        indexed = chunk.indexed[len(front) :]
        start, end = chunk.span if chunk.span is not None else (0, 0)
        for i in range(bisect_right(self._bodies, start), len(self._starts)):
            if self._starts[i] >= end:
                break
            line = self._document.text[max(self._starts[i], start) : min(self._bodies[i], end)].strip()
            # Where marks are left out of the index, what stands there is the title.
            said = line if line in indexed else self._document.sections.titles[i + 1]
            indexed = indexed.replace(said, "", 1) if line else indexed
        return front + indexed
