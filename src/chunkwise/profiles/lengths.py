"""Pieces of documents and their lengths: sections, blocks, and stretches without a place to cut."""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence

import numpy as np

from chunkwise.text import VISIBLE, language_of, line_ends, sentence_ends
from chunkwise.types import BlockKind, Corpus, Document, IntArray
from chunkwise.types.profile import Lengths, Spot

_NAMES = {
    BlockKind.PARAGRAPH: "paragraph",
    BlockKind.LIST: "list",
    BlockKind.TABLE: "table",
    BlockKind.CODE: "code",
    BlockKind.QUOTE: "quote",
    BlockKind.ADMONITION: "admonition",
    BlockKind.HTML: "html",
    BlockKind.FRONT_MATTER: "front matter",
    BlockKind.FOOTNOTE: "footnote",
}
_ANYWHERE = (BlockKind.TABLE, BlockKind.CODE)
_BLANK_LINE = re.compile(r"(?>\r\n?|\n)[^\S\r\n]*(?>\r\n?|\n)\s*")
_SPACE = re.compile(r"\s+")


class Pieces:
    """Spans of one kind over the corpus, as columns."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._lengths = array("q")
        self._longest: tuple[int, str, int] = 0, "", 0

    @property
    def characters(self) -> int:
        """Of all pieces."""
        return int(self.sizes.sum())

    @property
    def sizes(self) -> IntArray:
        """The length of each piece."""
        return np.array(self._lengths, dtype=np.int64)

    def add(self, doc: str, starts: Sequence[int] | IntArray, ends: Sequence[int] | IntArray) -> None:
        """Take the pieces of one document."""
        lengths = np.asarray(ends, dtype=np.int64) - np.asarray(starts, dtype=np.int64)
        if not len(lengths):
            return
        self._lengths.frombytes(lengths.tobytes())
        first = int(lengths.argmax())
        if lengths[first] > self._longest[0]:
            self._longest = int(lengths[first]), doc, int(starts[first])

    def lengths(self, total: int, limits: Sequence[int], corpus: Corpus) -> Lengths:
        """What is kept of them; the document with the longest one is read once more for its place.

        Args:
            total: characters of the corpus.
            limits: sizes that they are set against.
            corpus: the documents.
        """
        sizes = self.sizes
        longest, doc, start = self._longest
        whole = int(sizes.sum())
        over = {limit: sizes > limit for limit in limits}
        return Lengths(
            kind=self.kind,
            count=len(sizes),
            characters=whole,
            share=round(whole / total, 6) if total else 0.0,
            median=_quantile(sizes, 0.5),
            p90=_quantile(sizes, 0.9),
            longest=longest,
            at=spot(corpus[doc], start, start + longest) if longest else None,
            over={limit: round(float(long.mean()), 6) if len(sizes) else 0.0 for limit, long in over.items()},
            over_characters={
                limit: round(int(sizes[long].sum()) / whole, 6) if whole else 0.0
                for limit, long in over.items()
            },
        )


def _quantile(sizes: IntArray, share: float) -> float:
    """The length that a share of the pieces does not exceed; linear between two neighbours."""
    return round(float(np.quantile(sizes, share)), 1) if len(sizes) else 0.0


def spot(document: Document, start: int, end: int) -> Spot:
    """The place of a span, its lines counted from the first to the last visible character."""
    text, sections = document.text, document.sections
    first = VISIBLE.search(text, start, end)
    begin = first.start() if first else start
    last = start + len(text[start:end].rstrip())
    return Spot(
        document.id,
        document.line(begin),
        document.line(max(begin, last - 1)),
        start,
        end,
        sections.path(sections.at(begin)),
    )


def sections_of(document: Document, pieces: Pieces) -> None:
    """Add the sections that have text of their own; the text before the first heading is one too."""
    text, sections = document.text, document.sections
    own = [
        i
        for i, (body, end) in enumerate(zip(sections.body, sections.end, strict=True))
        if VISIBLE.search(text, body, end) is not None
    ]
    pieces.add(document.id, [sections.start[i] for i in own], [sections.end[i] for i in own])


def blocks_of(document: Document, found: dict[str, Pieces]) -> None:
    """Add the blocks by kind: those that stand in nothing else, and tables and code wherever they stand."""
    blocks = document.blocks
    kinds, outer = np.array(blocks.kind), np.array(blocks.depth) == 0
    starts, ends = np.array(blocks.start), np.array(blocks.end)
    for kind, name in _NAMES.items():
        chosen = (kinds == kind) if kind in _ANYWHERE else (kinds == kind) & outer
        if chosen.any():
            found.setdefault(name, Pieces(name)).add(document.id, starts[chosen], ends[chosen])


def stretches_of(document: Document, found: dict[str, Pieces]) -> None:
    """Add what lies between blank lines, then also line ends, then also sentence ends and white space.

    Each finer kind of place is added to the coarser ones, as a chunker that goes down a ladder would do.
    """
    text = document.text
    places = np.array([0, len(text)], dtype=np.int64)
    rungs: tuple[tuple[str, Sequence[int]], ...] = (
        ("blank line", [match.end() for match in _BLANK_LINE.finditer(text)]),
        ("line end", line_ends(text)),
        ("sentence end", sentence_ends(text, language_of(document))),
        ("white space", [match.end() for match in _SPACE.finditer(text)]),
    )
    for name, ends in rungs:
        places = np.union1d(places, np.array(ends, dtype=np.int64))
        found.setdefault(name, Pieces(name)).add(document.id, places[:-1], places[1:])
