"""`Document`, its `Blocks` and `Sections`, and the `Corpus` that holds documents.

Structure is kept as columns (integer arrays), one row a block or section; an object is made only
when one is asked for. Frozen objects for every block would cost more than the parse itself.
"""

from __future__ import annotations

import hashlib
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from chunkwise.errors import CorpusError
from chunkwise.types.span import Span


class BlockKind(IntEnum):
    """What a block is. The number is its code in the column `Blocks.kind`."""

    PARAGRAPH = 0
    HEADING = 1
    LIST = 2
    ITEM = 3
    TABLE = 4
    ROW = 5
    CODE = 6
    QUOTE = 7
    ADMONITION = 8
    HTML = 9
    FRONT_MATTER = 10
    PAGE_BREAK = 11
    RULE = 12
    FOOTNOTE = 13


class Block(NamedTuple):
    """One block of a document."""

    kind: BlockKind
    """What it is."""
    span: Span
    """Its place. Blocks of depth 0 tile the text: each ends where the next begins, so that the blank
    lines behind a block belong to it (and those before the first block to the first)."""
    level: int
    """Headings: 1 to 6. Items: how deep their list is nested, from 1. Rows: 0 for the header row
    with its delimiter line, then 1. Else 0."""
    depth: int
    """0 for blocks of the document itself, 1 for blocks inside those, and so on."""


class Blocks(Sequence[Block]):
    """All blocks of a document in reading order, a container before what it holds, as columns.

    The columns `kind`, `start`, `end`, `level`, `depth` are `array.array`s of equal length (wrap one
    in `numpy.frombuffer(blocks.start, dtype="int64")` for a view without a copy). The inner end
    without the blank lines behind it is not stored; strip the slice for it.
    """

    __slots__ = ("depth", "end", "kind", "level", "start")

    def __init__(
        self,
        kind: Iterable[int] = (),
        start: Iterable[int] = (),
        end: Iterable[int] = (),
        level: Iterable[int] = (),
        depth: Iterable[int] = (),
    ) -> None:
        self.kind = array("b", kind)
        self.start = array("q", start)
        self.end = array("q", end)
        self.level = array("h", level)
        self.depth = array("h", depth)

    def __len__(self) -> int:
        return len(self.kind)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        return Block(BlockKind(self.kind[i]), Span(self.start[i], self.end[i]), self.level[i], self.depth[i])

    def top(self) -> list[int]:
        """Numbers of the blocks of depth 0, in order. Their spans tile the text."""
        return [i for i, depth in enumerate(self.depth) if depth == 0]


class Section(NamedTuple):
    """A heading and the text under it, up to the next heading of any level (a leaf section)."""

    number: int
    """Its number in the document. Section 0 is the text before the first heading; it may be empty."""
    title: str
    """The heading as plain text, without marks and attributes; empty for section 0."""
    level: int
    """1 to 6; 0 for section 0."""
    span: Span
    """From the start of the heading line to the next heading of any level, or the end of the text."""
    body: int
    """Where the text under the heading begins (the line after the heading)."""
    last: int
    """Where the last section below this one ends: the end of the subtree."""
    parent: int
    """Number of the section that encloses it: the nearest one before it with a smaller level; -1
    where there is none. Section 0 encloses nothing."""


class Sections(Sequence[Section]):
    """All sections of a document in order, as columns; section 0 is the text before the first heading."""

    __slots__ = ("_paths", "body", "end", "last", "level", "parent", "root", "start", "titles")

    def __init__(
        self,
        headings: Sequence[tuple[int, str, int, int]],
        length: int,
        root: tuple[str, ...] = (),
    ) -> None:
        """Build the tree.

        Args:
            headings: `(level, title, start of the heading, start of its body)` in order.
            length: length of the text in code points.
            root: titles that stand above every section (the front matter's title, where the text
                has no H1).
        """
        starts = [0, *(h[2] for h in headings)]
        self.titles = ["", *(h[1] for h in headings)]
        self.level = array("h", [0, *(h[0] for h in headings)])
        self.start = array("q", starts)
        self.body = array("q", [0, *(h[3] for h in headings)])
        self.end = array("q", [*starts[1:], length])
        self.parent = array("q", [-1])
        self.last = array("q", self.end)
        self.root = root
        open_: list[int] = []
        for i in range(1, len(starts)):
            while open_ and self.level[open_[-1]] >= self.level[i]:
                self.last[open_.pop()] = starts[i]
            self.parent.append(open_[-1] if open_ else -1)
            open_.append(i)
        for i in open_:
            self.last[i] = length
        self._paths: list[tuple[str, ...] | None] = [None] * len(starts)

    def __len__(self) -> int:
        return len(self.titles)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        i = range(len(self))[i]
        return Section(
            i,
            self.titles[i],
            self.level[i],
            Span(self.start[i], self.end[i]),
            self.body[i],
            self.last[i],
            self.parent[i],
        )

    def at(self, position: int) -> int:
        """Number of the section that holds the character at `position`."""
        return bisect_right(self.start, position) - 1

    def of(self, first: int, end: int) -> int:
        """Number of the section that a chunk belongs to.

        Args:
            first: position of its first visible character.
            end: where it ends.

        That is the section at `first`; where it is a heading without text of its own, it stands in
        front of the next section, as far as the chunk reaches.
        """
        number = self.at(first)
        while 0 < number < len(self) - 1 and self.start[number + 1] < end:
            if self.body[number] < self.end[number]:
                break
            number += 1
        return number

    def path(self, number: int) -> tuple[str, ...]:
        """Titles from the outermost heading down to the section's own. Titles without a visible
        character are left out.
        """
        known = self._paths[number]
        if known is None:
            parent = self.parent[number]
            above = self.path(parent) if parent >= 0 else self.root
            title = self.titles[number]
            known = self._paths[number] = (*above, title) if title else above
        return known


class Notice(NamedTuple):
    """Something about a document that its reader should know and that is no error."""

    doc: str
    """Id of the document."""
    line: int
    """Line, counted from 1; 0 where it is about the whole document."""
    message: str
    """What is odd, in one sentence."""

    def __str__(self) -> str:
        return f"{self.doc}:{self.line}: {self.message}" if self.line else f"{self.doc}: {self.message}"


class Structure(NamedTuple):
    """What a parser finds in a text."""

    blocks: Blocks
    sections: Sections
    metadata: Mapping[str, Any]
    notices: tuple[Notice, ...] = ()


class Document:
    """A text with its structure. `text` is the coordinate system of everything cut from it.

    Structure is parsed at the first access and kept. Instances are not changed after that.
    """

    __slots__ = ("_digest", "_lines", "_parse", "_structure", "_to_raw", "_to_text", "id", "origin", "text")

    def __init__(
        self,
        id: str,
        text: str,
        parse: Callable[[str, str], Structure],
        *,
        shift: int = 0,
        origin: str | None = None,
    ) -> None:
        """Wrap a text.

        Args:
            id: path below the root of the corpus, with `/` between its parts.
            text: the decoded text, line ends untouched, without a byte order mark.
            parse: `parse(text, id)` gives the structure; called at most once.
            shift: characters of the decoded file in front of `text` (1 after a byte order mark).
            origin: where the text came from, for people; the id if None.
        """
        self.id = id
        self.text = text
        self.origin = origin if origin is not None else id
        self._parse = parse
        self._structure: Structure | None = None
        self._digest: str | None = None
        self._lines: array[int] | None = None
        # Two integer arrays of equal length, rising: position _to_text[i] of `text` is position
        # _to_raw[i] of the raw text, and so on up to the next break.
        self._to_text = array("q", [0])
        self._to_raw = array("q", [shift])

    def __repr__(self) -> str:
        return f"Document({self.id!r}, {len(self.text)} characters)"

    def with_text(self, text: str) -> Document:
        """A document of the same id that is parsed the same way and has another text."""
        return Document(self.id, text, self._parse, origin=self.origin)

    @property
    def parse(self) -> Callable[[str, str], Structure]:
        """What finds the structure: `parse(text, id)`. It tells in which language the marks are."""
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
        return self._to_raw[0] if len(self._to_raw) == 1 else None

    def to_raw(self, span: tuple[int, int]) -> Span:
        """The characters of the decoded file that a span of `text` came from."""
        if len(self._to_raw) == 1:
            shift = self._to_raw[0]
            return Span(span[0] + shift, span[1] + shift)
        return _carry(span, self._to_text, self._to_raw)

    def from_raw(self, span: tuple[int, int]) -> Span:
        """The span of `text` that holds the given characters of the decoded file."""
        if len(self._to_raw) == 1:
            shift, length = self._to_raw[0], len(self.text)
            return Span(min(max(span[0] - shift, 0), length), min(max(span[1] - shift, 0), length))
        return _carry(span, self._to_raw, self._to_text)

    def line(self, position: int) -> int:
        """The line, counted from 1, of the character at `position`. A line ends at LF, CRLF or CR."""
        if self._lines is None:
            text = self.text
            starts = array("q", [0])
            for piece in _lines(text):
                starts.append(starts[-1] + len(piece))
            if len(starts) > 1:
                starts.pop()
            self._lines = starts
        return bisect_right(self._lines, position)


def _lines(text: str) -> list[str]:
    """The lines of a text with their ends; only LF, CRLF and CR end a line."""
    if "\r" not in text:
        return [line + "\n" for line in text.split("\n")]
    return [line + "\n" for line in text.replace("\r\n", "\v\n").replace("\r", "\n").split("\n")]


def _carry(span: tuple[int, int], source: array[int], target: array[int]) -> Span:
    """Carry a span from one side of a map to the other. The end goes with its last character."""
    i = max(bisect_right(source, span[0]) - 1, 0)
    start = target[i] + span[0] - source[i]
    if span[1] <= span[0]:
        return Span(start, start)
    j = max(bisect_right(source, span[1] - 1) - 1, 0)
    return Span(start, target[j] + span[1] - 1 - source[j] + 1)


class Corpus:
    """Documents by id, in the order of their ids as plain strings. Lazy: a file is read when asked for."""

    def __init__(self, documents: Iterable[Document]) -> None:
        found: dict[str, Document] = {}
        for document in documents:
            if document.id in found:
                raise CorpusError(f"two documents have the id {document.id!r}; give each its own")
            found[document.id] = document
        self._load: Callable[[str], Document] = found.__getitem__
        self._ids = tuple(sorted(found))
        self._digests: dict[str, str] = {}
        self.notices: tuple[Notice, ...] = ()
        self.skipped: tuple[Notice, ...] = ()

    @classmethod
    def lazy(
        cls,
        ids: Iterable[str],
        load: Callable[[str], Document],
        *,
        digests: Mapping[str, str] | None = None,
        skipped: Iterable[Notice] = (),
    ) -> Corpus:
        """A corpus whose documents are made by `load(id)` each time one is asked for.

        Args:
            ids: all ids, each once.
            load: gives the document of an id; called again at each access, nothing is kept.
            digests: digests that are known already, so that `digest` reads no file again.
            skipped: files that were left out, each with the reason.
        """
        corpus = cls(())
        corpus._ids = tuple(sorted(ids))
        corpus._load = load
        corpus._digests = dict(digests or {})
        corpus.skipped = tuple(skipped)
        return corpus

    @property
    def ids(self) -> tuple[str, ...]:
        """All document ids, in order."""
        return self._ids

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Document]:
        return map(self._load, self._ids)

    def __contains__(self, id: object) -> bool:
        return id in self._known

    def __getitem__(self, id: str) -> Document:
        if id not in self._known:
            raise CorpusError(f"no document {id!r} in the corpus of {len(self)} documents")
        return self._load(id)

    @property
    def _known(self) -> frozenset[str]:
        known = self.__dict__.get("_known_ids")
        if known is None:
            known = self.__dict__["_known_ids"] = frozenset(self._ids)
        return known

    @property
    def digest(self) -> str:
        """SHA-256 over every id and document digest, in order."""
        total = hashlib.sha256()
        for id in self._ids:
            if id not in self._digests:
                self._digests[id] = self._load(id).digest
            total.update(f"{id}\0{self._digests[id]}\n".encode("utf-8", "surrogatepass"))
        return total.hexdigest()

    def digest_of(self, id: str) -> str:
        """The digest of one document, without reading it again where it is known."""
        if id not in self._digests:
            self._digests[id] = self[id].digest
        return self._digests[id]
