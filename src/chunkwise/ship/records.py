"""What a store holds of a chunk: columns that every store can keep, and the way back to the exact texts."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from chunkwise.types import Chunk, Document

__all__ = ["COLUMNS", "PLACE", "Place", "Record", "Tally", "make_records", "storable", "true_text"]

_ODD: Final = re.compile("[\0\ud800-\udfff]")
Place = tuple[str, str, int, int]
"""Id, document, start and end of a chunk."""
PLACE: Final = ("id", "doc", "start", "end")
"""The columns of a place."""
_EXACT: Final = ("doc", "text", "indexed", "path")


class Record(NamedTuple):
    """One chunk in a store.

    `doc`, `text` and `indexed` have U+FFFD for NUL and lone surrogates, which some stores refuse. Where that
    changed anything, `exact` has the texts as they are.
    """

    id: str
    """Id of the chunk."""
    doc: str
    """Id of the document: its path below the root, exactly."""
    digest: str
    """Digest of the document's text."""
    number: int
    """Number of the chunk in its document, from 0."""
    start: int
    """Start in the document's text; -1 for a chunk without a place."""
    end: int
    """End in the document's text; -1 for a chunk without a place."""
    line: int
    """First line, counted from 1; 0 for a chunk without a place."""
    last_line: int
    """Last line."""
    page: int
    """Page or slide on which it begins, counted from 1; 0 where the format has none, or it has no place."""
    element: str
    """What it begins in, as the reader names it: the cell of a notebook, the notes of a slide; else empty."""
    path: str
    """Titles of the headings above it, as a JSON list."""
    parent: str
    """Id of the parent chunk; empty where there is none."""
    marks: str
    """Marks, as a JSON list."""
    text: str
    """The slice of the document, as it was before any cleaning."""
    indexed: str
    """What was embedded and is searched."""
    words: str
    """The words that BM25 searches, with spaces between them; empty where it does not."""
    exact: str
    """JSON object with the texts that could not be stored as they are; empty where all could."""

    def true(self, name: str) -> str:
        """A text as it is in the document: `doc`, `text`, `indexed` or `path`."""
        return true_text(str(getattr(self, name)), name, self.exact)

    @property
    def titles(self) -> tuple[str, ...]:
        """The heading path."""
        return tuple(json.loads(self.true("path")))


COLUMNS: Final = Record._fields
"""The names of the columns, in their order."""
NUMBERS: Final = ("number", "start", "end", "line", "last_line", "page")
"""Those that hold whole numbers; the others hold texts."""


def storable(text: str) -> str:
    """A text that every store takes."""
    return _ODD.sub("\ufffd", text)


def true_text(text: str, name: str, exact: str) -> str:
    """A text of a column as it is in the document, by what the column `exact` holds."""
    return str(json.loads(exact).get(name, text)) if exact else text


def make_records(
    document: Document, chunks: Sequence[Chunk], words: Any = None, cut: Document | None = None
) -> list[Record]:
    """The records of a document's chunks.

    Args:
        document: the document.
        chunks: all of its chunks, in their order.
        cut: the document that was cut, where it was cleaned first; places are those in `document`.
        words: `words(text)` gives the words that BM25 searches; None where it does not.
    """
    made = []
    for number, chunk in enumerate(chunks):
        start, end = chunk.span if chunk.span is not None else (-1, -1)
        placed = start >= 0
        text = chunk.text
        if cut is not None and placed:
            start, end = document.from_raw(cut.to_raw((start, end)))
            text = document.text[start:end]
        texts = {
            "doc": chunk.doc,
            "text": text,
            "indexed": chunk.indexed,
            "path": json.dumps(list(chunk.path), ensure_ascii=False),
        }
        clean = {name: storable(text) for name, text in texts.items()}
        exact = {name: text for name, text in texts.items() if clean[name] != text}
        made.append(
            Record(
                id=chunk.id,
                doc=clean["doc"],
                digest=document.digest,
                number=number,
                start=start,
                end=end,
                line=document.line(start) if placed else 0,
                last_line=document.line(max(start, end - 1)) if placed else 0,
                page=document.page(start) if placed else 0,
                element=storable(_element(document, start, end)) if placed else "",
                path=clean["path"],
                parent=chunk.parent or "",
                marks=json.dumps(list(chunk.marks)),
                text=clean["text"],
                indexed=clean["indexed"],
                words=storable(" ".join(words(chunk.indexed))) if words is not None else "",
                exact=json.dumps(exact) if exact else "",
            )
        )
    return made


def _element(document: Document, start: int, end: int) -> str:
    """The element that a chunk begins in."""
    pieces = document.origins((start, end))
    return pieces[0].element if pieces else ""


class Tally:
    """How many rows there are, and a digest of them whatever their order. No row is kept."""

    def __init__(self) -> None:
        self.count = 0
        """Number of rows."""
        self._sum = 0

    def add(self, rows: Iterable[Place]) -> None:
        """Take in id, document and place of some rows."""
        for id, doc, start, end in rows:
            line = f"{id}\0{doc}\0{start}\0{end}".encode("utf-8", "surrogatepass")
            self._sum += int.from_bytes(hashlib.sha256(line).digest(), "big")
            self.count += 1

    def __add__(self, other: Tally) -> Tally:
        both = Tally()
        both.count, both._sum = self.count + other.count, self._sum + other._sum
        return both

    @property
    def digest(self) -> str:
        """The sum of the SHA-256 of all rows modulo 2 to the 256th: a row more, or twice, is another sum."""
        return f"{self._sum % (1 << 256):064x}"
