"""What the chunkers that follow the document's own blocks share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, fields
from typing import Any

from chunkwise.chunk.base import (
    DEFAULT_SIZE,
    BaseChunker,
    flag,
    read_count,
    read_size,
    read_unit,
    setting,
    show_unit,
)
from chunkwise.chunk.code import Codes
from chunkwise.chunk.context import Contexts
from chunkwise.chunk.kept import Regions
from chunkwise.chunk.ladder import Ladder
from chunkwise.chunk.limits import LASTING, Limit, Within, limit_of, read_within, show_within
from chunkwise.chunk.pack import Packer
from chunkwise.chunk.titles import Titles
from chunkwise.errors import SettingError
from chunkwise.spec import split, unescape
from chunkwise.text import ruler
from chunkwise.text.token_rulers import TokenRuler
from chunkwise.text.tokens import TiktokenCounter
from chunkwise.types import BlockKind, Counter, Document

_SIZES = ("size", "overlap", "within")


def read_context(name: str, value: Any) -> str:
    """`shorten` or `strict`."""
    if value not in ("shorten", "strict"):
        raise SettingError(f"{name} must be shorten or strict, got {value!r}")
    return str(value)


def read_levels(name: str, value: Any) -> tuple[int, ...]:
    """Heading levels: `1+2+3`, or a sequence of whole numbers from 1 to 6."""
    items = split(value, "+") if isinstance(value, str) else value
    try:
        levels = tuple(sorted({int(item) for item in items}))
    except (TypeError, ValueError):
        levels = ()
    if not levels or not all(1 <= level <= 6 for level in levels):
        raise SettingError(f"{name} must be heading levels from 1 to 6 such as 1+2+3, got {value!r}")
    return levels


def show_levels(levels: tuple[int, ...]) -> str:
    """`1+2+3`."""
    return "+".join(map(str, levels))


def read_code(name: str, value: Any) -> str:
    """`whole` or `with-prose`."""
    if value not in ("whole", "with-prose"):
        raise SettingError(f"{name} must be whole or with-prose, got {value!r}")
    return str(value)


@dataclass(frozen=True)
class Structural(BaseChunker):
    """Settings that every chunker of blocks has."""

    size: int = setting(DEFAULT_SIZE, read_size)
    """Largest size of the indexed string, context included, in units."""
    unit: Any = setting("chars", read_unit, show_unit, unescape)
    """Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function."""
    overlap: int = setting(0, read_count)
    """How much of a chunk may be said again at the start of the next, in units; whole paragraphs,
    sentences or words. Below `size`."""
    front_matter: bool = flag(False)
    """Whether the front matter is cut too; else it is metadata."""
    within: Within | None = setting(None, read_within, show_within, unescape, kw_only=True)
    """A second limit on the indexed string, in another unit: `400cl100k`. None: there is none."""

    @property
    def limit(self) -> Limit:
        """What a chunk may come to."""
        return limit_of(self.size, self.unit, self.within)

    def __post_init__(self) -> None:
        """Read and check every setting."""
        super().__post_init__()
        others = (getattr(self, f.name) for f in fields(self) if f.name not in _SIZES)
        shared = self.ours and self.unit != "chars" and self.within is None
        object.__setattr__(self, "_settings", (type(self), *others) if shared else None)

    @property
    def ours(self) -> bool:
        """Whether its unit is one of ours, which counts a text the same every time."""
        return isinstance(self.unit, LASTING)

    @property
    def settings(self) -> Hashable:
        """What is the same in chunkers that differ in nothing but their size and overlap. None where nothing
        is shared: counters of others may count as they like, two limits go together, and characters
        are counted faster than anything is looked up.
        """
        found: Hashable = self.__dict__["_settings"]
        return found

    def first(self, document: Document) -> int:
        """Number of the first block that is to be cut; the number of all blocks where none is."""
        blocks = document.blocks
        if self.front_matter or not blocks or blocks.kind[0] != BlockKind.FRONT_MATTER:
            return 0
        return next((i for i in range(1, len(blocks)) if blocks.depth[i] == 0), len(blocks))

    def body(self, document: Document) -> list[int]:
        """Numbers of the blocks of depth 0 that are to be cut."""
        tops = document.blocks.top()
        return tops[1:] if self.first(document) else tops

    def ladder(self, document: Document, kept: Regions | None = None) -> Ladder:
        """How the document's blocks are cut into smaller ones, as far as that is not kept."""
        return Ladder(document, parts=kept.parts if kept else None)

    def contexts(
        self,
        document: Document,
        codes: Codes,
        counted: Counter,
        size: int,
        *,
        path: bool,
        strict: bool,
        hidden: frozenset[str],
        lead_in: bool = False,
        sizes: Titles | None = None,
        kept: Regions | None = None,
    ) -> Contexts:
        """What is indexed with the document's chunks beside their text, with the limit of both."""
        return Contexts(
            document,
            counted,
            size,
            codes,
            path=path,
            strict=strict,
            hidden=hidden,
            lead_in=lead_in,
            known=kept.contexts if kept else None,
            sizes=sizes,
        )

    def packer(
        self,
        document: Document,
        ladder: Ladder,
        *,
        path: bool = False,
        strict: bool = False,
        hidden: frozenset[str] = frozenset(),
        kept: Regions | None = None,
    ) -> Packer:
        """A packer of the document's blocks with this chunker's limit and context. Kinds of context that
        are hidden take their room and are not indexed. `kept` is what other sizes found out.
        """
        count, size, scale = self.limit
        rule = ruler(document.text, count)
        contexts = self.contexts(
            document,
            ladder.codes,
            count,
            size,
            path=path,
            strict=strict,
            hidden=hidden,
            sizes=Titles(document, rule) if isinstance(rule, TokenRuler) else None,
            kept=kept,
        )
        # What encodes a text fast is asked as little as can be at first; others pay once for every size.
        rough = self.settings is not None and isinstance(count, TiktokenCounter)
        return Packer(
            document,
            count,
            rule,
            ladder,
            size,
            self.overlap * scale,
            contexts.at,
            contexts.rough if rough else None,
        )


@dataclass(frozen=True)
class Blockwise(Structural):
    """Settings of the chunkers that keep whole blocks."""

    lead_in: bool = flag(False)
    """Whether a chunk that begins in or at a table or list is indexed with the sentence or caption that
    introduces it."""
    table_header: bool = flag(True)
    """Whether the pieces of a table that was cut are indexed with its header row. `no` keeps the cuts and
    leaves the header out, so that what it is worth can be told."""
    code: str = setting("whole", read_code)
    """`whole` keeps a code block that fits in one chunk; `with-prose` keeps it together with the
    paragraph before it, and with the one behind it."""

    def ladder(self, document: Document, kept: Regions | None = None) -> Ladder:
        """How the document's blocks are cut into smaller ones, as far as that is not kept."""
        return Ladder(document, code_with_prose=self.code == "with-prose", parts=kept.parts if kept else None)

    def contexts(
        self, document: Document, codes: Codes, counted: Counter, size: int, **given: Any
    ) -> Contexts:
        """What is indexed with the document's chunks beside their text, lead-ins among it."""
        if not self.table_header:
            given["hidden"] |= {"header"}
        return super().contexts(document, codes, counted, size, lead_in=self.lead_in, **given)
