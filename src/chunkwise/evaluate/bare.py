"""Documents and chunks without their heading lines, for questions that were copied from them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from chunkwise.types import Chunk, Document, Span


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
        return [self._strip(chunk) for chunk in chunks] if self._starts else chunks

    def _strip(self, chunk: Chunk) -> Chunk:
        start, end = chunk.match
        body = self._document.text[start:end]
        if chunk.span is None or not body or not chunk.indexed.endswith(body):
            return chunk._replace(indexed=self._without_lines(chunk), match=Span(0, 0))
        place = Span(self._carry(start), self._carry(end))
        text = self.document.text[place.start : place.end]
        return chunk._replace(indexed=chunk.indexed[: len(chunk.indexed) - len(body)] + text, match=place)

    def _carry(self, position: int) -> int:
        """The position in the text without heading lines; one inside a heading line goes to its place."""
        i = bisect_right(self._starts, position)
        if not i:
            return position
        inside = max(0, self._bodies[i - 1] - position)
        return position - self._before[i] + inside

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
