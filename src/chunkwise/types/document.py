"""`Document`: a text with its structure, and the way back to the file it came from."""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from chunkwise.types.span import Span
from chunkwise.types.structure import Blocks, Notice, Sections, Structure
from chunkwise.types.textmap import TextMap


class Origin(NamedTuple):
    """Where in its file a piece of text stands."""

    start: int
    """Where the piece begins in the text that the reader made; it ends where the next one begins."""
    page: int
    """Page or slide, counted from 1; 0 where the format has none."""
    box: tuple[float, float, float, float] | None = None
    """Left, top, right and bottom in points from the upper left corner of the page."""
    element: str = ""
    """What it is part of: the name of a cell, a note."""


class Removal(NamedTuple):
    """A piece of text that cleaning took out or replaced."""

    step: str
    """Name of the step."""
    what: str
    """What was found, in words: `soft hyphen`, `running line`."""
    span: Span
    """Its raw place."""
    put: str
    """What stands there now."""


class Document:
    """A text with its structure. `text` is the coordinate system of everything cut from it.

    Structure is parsed at the first access and kept. Instances are not changed after that.
    """

    __slots__ = (
        "__weakref__",
        "_digest",
        "_lines",
        "_map",
        "_origins",
        "_pages",
        "_parse",
        "_source",
        "_structure",
        "id",
        "origin",
        "removed",
        "steps",
        "text",
    )

    def __init__(
        self,
        id: str,
        text: str,
        parse: Callable[[str, str], Structure],
        *,
        shift: int = 0,
        origin: str | None = None,
        pages: Sequence[int] | None = None,
        origins: Sequence[Origin] = (),
    ) -> None:
        """Wrap a text.

        Args:
            id: path below the root of the corpus, with `/` between its parts.
            text: the decoded text, line ends untouched, without a byte order mark.
            parse: `parse(text, id)` gives the structure; called at most once.
            shift: characters of the decoded file in front of `text` (1 after a byte order mark).
            origin: where the text came from, for people; the id if None.
            pages: where each page begins; None: at the start and behind each form feed, if there is one.
            origins: where pieces of the text stand in the file, by their starts.
        """
        self.id = id
        self.text = text
        self.origin = origin if origin is not None else id
        self.steps: tuple[str, ...] = ()
        self.removed: Sequence[Removal] = ()
        self._parse = parse
        self._structure: Structure | None = None
        self._digest: str | None = None
        self._lines: array[int] | None = None
        self._pages = None if pages is None else array("q", pages)
        self._origins = origins
        self._source: Document | None = None
        self._map = TextMap([0], [shift])

    def __repr__(self) -> str:
        return f"Document({self.id!r}, {len(self.text):,} character{'' if len(self.text) == 1 else 's'})"

    def with_text(self, text: str) -> Document:
        """A document of the same id that is parsed the same way and has another text."""
        return Document(self.id, text, self._parse, origin=self.origin)

    @property
    def parse(self) -> Callable[[str, str], Structure]:
        """What makes the structure of the text."""
        return self._parse

    @property
    def structure(self) -> Structure:
        """Blocks, sections, metadata and notices, parsed once."""
        if self._structure is None:
            self._structure = self._parse(self.text, self.id)
        return self._structure

    @property
    def blocks(self) -> Blocks:
        """The blocks, as columns."""
        return self.structure.blocks

    @property
    def sections(self) -> Sections:
        """The sections, as columns. Number 0 is the text before the first heading."""
        return self.structure.sections

    @property
    def metadata(self) -> Mapping[str, Any]:
        """What the front matter says: keys and values of its top level, as written."""
        return self.structure.metadata

    @property
    def notices(self) -> tuple[Notice, ...]:
        """What is odd about the text and no error, for example a fence that is never closed."""
        return self.structure.notices

    @property
    def digest(self) -> str:
        """SHA-256 of the text as UTF-8, in hexadecimal digits."""
        if self._digest is None:
            self._digest = hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()
        return self._digest

    @property
    def shift(self) -> int | None:
        """How far raw positions are ahead of those of `text`; None where that differs from place to place."""
        return self._map.shift

    def to_raw(self, span: tuple[int, int]) -> Span:
        """The characters of the decoded file that a span of `text` came from."""
        return self._map.to_raw(span)

    def from_raw(self, span: tuple[int, int]) -> Span:
        """The span of `text` that holds the given characters of the decoded file."""
        return self._map.from_raw(span, len(self.text))

    @property
    def map(self) -> TextMap:
        """The way between `text` and the decoded file, as columns."""
        return self._map

    @property
    def source(self) -> Document:
        """The document as it was read; itself where nothing was cleaned."""
        return self if self._source is None else self._source

    def cleaned(
        self,
        text: str,
        parse: Callable[[str, str], Structure],
        way: TextMap,
        steps: tuple[str, ...],
        removed: Sequence[Removal],
    ) -> Document:
        """What cleaning made of this document.

        Args:
            text: the cleaned text.
            parse: gives its structure.
            way: from the cleaned text to the decoded file.
            steps: names of all steps that were taken, those of this document among them.
            removed: what was taken out or replaced, by all of them.
        """
        made = Document(self.id, text, parse, origin=self.origin)
        made._source, made._map, made.steps, made.removed = self.source, way, steps, removed
        return made

    def counts(self) -> dict[str, dict[str, int]]:
        """How often cleaning found what, by the name of the step."""
        found: dict[str, Counter[str]] = {}
        for removal in self.removed:
            found.setdefault(removal.step, Counter())[removal.what] += 1
        return {step: dict(sorted(counter.items())) for step, counter in found.items()}

    @property
    def pages(self) -> Sequence[int]:
        """Where each page begins in `text`; empty where the format has none."""
        if self._pages is None:
            if self._source is not None:
                shift = self._source.shift or 0
                self._pages = array("q", self._map.forward([page + shift for page in self._source.pages]))
            else:
                self._pages = _form_feeds(self.text)
        return self._pages

    def page(self, position: int) -> int:
        """The page, counted from 1, of the character at `position`; 0 where the format has no pages."""
        return bisect_right(self.pages, position) if self.pages else 0

    def origins(self, span: tuple[int, int]) -> list[Origin]:
        """Where in the file the pieces of text stand that a span holds a part of; empty where not known.

        `start` of each is a position of the text that the reader made.
        """
        if self._source is not None:
            return self._source.origins(self._source.from_raw(self.to_raw(span)))
        pieces = self._origins
        first = max(bisect_right(pieces, span[0], key=_start) - 1, 0)
        last = bisect_left(pieces, span[1], key=_start)
        return list(pieces[first : max(last, first + 1)])

    def line(self, position: int) -> int:
        """The line, counted from 1, of the character at `position`. A line ends at LF, CRLF or CR."""
        if self._lines is None:
            self._lines = array("q", accumulate(_lines(self.text)[:-1], initial=0))
        return bisect_right(self._lines, position)


def _lines(text: str) -> list[int]:
    """The lengths of a text's lines with their ends; only LF, CRLF and CR end a line."""
    if "\r" in text:
        text = text.replace("\r\n", "\v\n").replace("\r", "\n")
    return [len(line) + 1 for line in text.split("\n")]


def _form_feeds(text: str) -> array[int]:
    """Where pages begin that form feeds part; none where there is no form feed."""
    starts = array("q")
    at = text.find("\f")
    if at >= 0:
        starts.append(0)
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\f", at + 1)
    if starts and not text[starts[-1] :].strip():
        starts.pop()
    return starts


def _start(piece: Origin) -> int:
    return piece.start
