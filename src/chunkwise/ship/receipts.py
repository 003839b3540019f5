"""Receipts: where an answer stands, and whether it still stands there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any, Final

from chunkwise.errors import CorpusError, ReadError
from chunkwise.types import Corpus, Document, Span

__all__ = ["GONE", "MOVED", "SAME", "Receipt", "Verified", "verify"]

SAME: Final = "same"
MOVED: Final = "moved"
GONE: Final = "gone"
_LINE_END: Final = re.compile(r"(?:\r\n|\r|\n)")


@dataclass(frozen=True, slots=True)
class Receipt:
    """One search result with everything that leads back to its source."""

    rank: int
    """From 1."""
    score: float
    """What it was ranked by: BM25, a cosine, or a fusion of both."""
    scores: Mapping[str, float]
    """By retriever (`bm25`, `dense`) the score that it gave; one that did not find it is not in it."""
    id: str
    """Id of the chunk."""
    doc: str
    """Id of the document."""
    span: Span | None
    """Its place in the document's text; None for a chunk without a place."""
    lines: tuple[int, int] | None
    """Its first and last line, counted from 1."""
    page: int | None
    """Page or slide on which it begins, counted from 1; None where the format has none."""
    element: str | None
    """What it begins in, such as the cell of a notebook or the notes of a slide; None where unknown."""
    path: tuple[str, ...]
    """Titles of the headings above it."""
    text: str
    """The slice of the document, character for character. Where a smaller part was searched (small-to-big),
    this is the whole."""
    parent: str | None
    """Id of the chunk above it, where the chunker makes such a tree: that of the section above."""
    marks: tuple[str, ...]
    """What is not as one would wish of it."""
    digest: str
    """Digest of the document as it was shipped."""
    version: str
    """The version that answered."""
    parent_text: str | None = None
    """Text of the chunk above it; None where there is none, or it was not asked for."""
    verified: Verified | None = field(default=None)
    """What `verify` found; None where it was not asked for."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        found: dict[str, Any] = {
            "rank": self.rank,
            "score": self.score,
            "scores": dict(self.scores),
            "id": self.id,
            "doc": self.doc,
            "start": self.span.start if self.span is not None else None,
            "end": self.span.end if self.span is not None else None,
            "lines": list(self.lines) if self.lines is not None else None,
            "page": self.page,
            "element": self.element,
            "path": list(self.path),
            "text": self.text,
            "parent": self.parent,
            "marks": list(self.marks),
            "digest": self.digest,
            "version": self.version,
        }
        if self.parent_text is not None:
            found["parent_text"] = self.parent_text
        if self.verified is not None:
            found["verified"] = self.verified.to_dict()
        return found


@dataclass(frozen=True, slots=True)
class Verified:
    """Whether the text of a receipt still stands in the documents."""

    state: str
    """`same`: at its place. `moved`: elsewhere. `gone`: nowhere."""
    doc: str | None = None
    """The document where it stands now."""
    span: Span | None = None
    """Its place there."""
    lines: tuple[int, int] | None = None
    """Its lines there."""

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "state": self.state,
            "doc": self.doc,
            "start": self.span.start if self.span is not None else None,
            "end": self.span.end if self.span is not None else None,
            "lines": list(self.lines) if self.lines is not None else None,
        }


def verify(receipts: Iterable[Receipt], corpus: Corpus) -> list[Verified]:
    """Look each receipt up in the documents as they are now.

    A text that no longer stands in its document is looked for in all others, in those of the same file name
    first. Of several places in a document the nearest to the old one counts. Other line ends make no other
    text, but other places: it has moved.

    Args:
        receipts: from a search.
        corpus: the documents as they are now.
    """
    all_ = list(receipts)
    found: dict[int, Verified] = {}
    for i, receipt in enumerate(all_):
        document = _document(corpus, receipt.doc)
        state = _in_own(receipt, document) if document is not None else None
        if state is not None:
            found[i] = state
    missing = {i: PurePosixPath(one.doc).name for i, one in enumerate(all_) if i not in found}
    # Each document is read once, whatever the number of receipts.
    for same_name in (True, False):
        for id in corpus.ids:
            name = PurePosixPath(id).name
            wanted = [i for i in missing if i not in found and (missing[i] == name) is same_name]
            document = _document(corpus, id) if wanted else None
            if document is None:
                continue
            for i in wanted:
                place = _nearest(document.text, all_[i].text, 0)
                if place is not None:
                    found[i] = _at(MOVED, document, place)
    return [found.get(i, Verified(GONE)) for i in range(len(all_))]


def _in_own(receipt: Receipt, document: Document) -> Verified | None:
    """A receipt in the document that it names; None where its text is not there."""
    place = receipt.span
    if place is not None and document.text[place.start : place.end] == receipt.text:
        return _at(SAME, document, place)
    found = _nearest(document.text, receipt.text, place.start if place is not None else 0)
    return _at(MOVED, document, found) if found is not None else None


def _document(corpus: Corpus, id: str) -> Document | None:
    try:
        return corpus[id]
    except (CorpusError, ReadError):
        return None


def _nearest(text: str, part: str, near: int) -> Span | None:
    """The place of a part of a text that is nearest to a position; if it stands there with other line ends
    only, that place.
    """
    if not part:
        return None
    behind, before = text.find(part, max(0, near)), text.rfind(part, 0, max(0, near) + len(part))
    places = [Span(start, start + len(part)) for start in (before, behind) if start >= 0]
    pieces = [re.escape(piece) for piece in _LINE_END.split(part)]
    if not places and len(pieces) > 1:
        places = [Span(*found.span()) for found in re.finditer(_LINE_END.pattern.join(pieces), text)]
    return min(places, key=lambda place: abs(place.start - near), default=None)


def _at(state: str, document: Document, span: Span) -> Verified:
    lines = document.line(span.start), document.line(max(span.start, span.end - 1))
    return Verified(state, document.id, span, lines)
