"""What every chunker of ours shares: settings that print and parse back, and the making of `Chunk`s."""

from __future__ import annotations

from collections import Counter as Counts
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from operator import itemgetter
from sys import maxsize
from typing import Any, ClassVar, Self, TypeAlias

from chunkwise.chunk.limits import Limit
from chunkwise.errors import SettingError
from chunkwise.spec import Settings, Spec, escape, refuse_unknown, whole_number, yes_or_no
from chunkwise.structure import parse_markdown
from chunkwise.text import VISIBLE, counter
from chunkwise.types import Chunk, Counter, Document, Sections, Span

DEFAULT_SIZE = 800
"""Characters. What most libraries start with; nothing speaks for it but habit, so measure."""

_SAMPLE = itemgetter(slice(None, None, 64))
"""A few characters of a text, which tell whether two may be equal."""
_INDEXED = itemgetter(Chunk._fields.index("indexed"))


Piece: TypeAlias = tuple[int, int, tuple[tuple[str, str], ...], tuple[str, ...]]
"""A slice that is to become a chunk: start, end, context and marks. A plain tuple, which is made and taken
apart in a tenth of the time that one with names takes.
"""


def setting(
    default: Any,
    read: Callable[[str, Any], Any],
    show: Callable[[Any], str] = str,
    parse: Callable[[str], Any] = str,
    *,
    kw_only: bool = False,
) -> Any:
    """A setting of a chunker: its default, how a given value is read and checked, how it is printed, and
    what is done to its text form before it is read.
    """
    return field(default=default, kw_only=kw_only, metadata={"read": read, "show": show, "parse": parse})


def read_unit(name: str, value: Any) -> Any:
    """A unit by name, path or function. It is loaded at once, so that a missing library is told up front."""
    if not isinstance(value, str) and not callable(value) and not hasattr(value, "count"):
        raise SettingError(f"{name} must be the name of a unit or a function, got {value!r}")
    counter(value)
    return value


def show_unit(value: Any) -> str:
    """The unit's name, escaped."""
    return escape(value if isinstance(value, str) else counter(value).name)


def read_size(name: str, value: Any) -> int:
    """A size: a whole number of at least 1."""
    return whole_number(name, value, 1)


def read_count(name: str, value: Any) -> int:
    """A whole number of at least 0."""
    return whole_number(name, value, 0)


def show_yes(value: bool) -> str:
    """`yes` or `no`."""
    return "yes" if value else "no"


def flag(default: bool, *, kw_only: bool = False) -> Any:
    """A setting that is yes or no."""
    return setting(default, yes_or_no, show_yes, kw_only=kw_only)


@dataclass(frozen=True)
class BaseChunker(Settings):
    """A chunker is a value: equal settings are equal chunkers, and `spec` parses back to it."""

    name: ClassVar[str]
    """Its name in the table of chunkers."""
    always: ClassVar[tuple[str, ...]] = ("size",)
    """Settings that the text form names even where they have their default."""

    index_clean: bool = flag(False, kw_only=True)
    """Whether what is indexed goes without Markdown's marks and link targets; the text stays the source."""

    def __post_init__(self) -> None:
        """Read and check every setting. Raises `SettingError`, which names the setting and its value."""
        for f in fields(self):
            object.__setattr__(self, f.name, f.metadata["read"](f.name, getattr(self, f.name)))
        size, overlap, limit = getattr(self, "size", None), getattr(self, "overlap", 0), self.limit
        if limit is not None and overlap * limit.scale >= limit.size:
            raise SettingError(f"overlap must be below size, got overlap={overlap} with size={size}")
        # The text form is asked for with every document; a chunker never changes.
        object.__setattr__(self, "_spec", self._text_form())

    @classmethod
    def called(cls) -> str:
        """What it is, as errors name it."""
        return f"the chunker {cls.name!r}"

    @classmethod
    def from_spec(cls, spec: Spec) -> Self:
        """The chunker of a parsed text form."""
        known = [f.name for f in fields(cls)]
        if spec.target:
            raise SettingError(f"{spec}: {spec.target!r} is no setting; write key=value ({', '.join(known)})")
        refuse_unknown(cls.called(), spec.settings, known)
        parse = {f.name: f.metadata["parse"] for f in fields(cls)}
        return cls(**{key: parse[key](value) for key, value in spec.settings.items()})

    @property
    def spec(self) -> str:
        """The text form: the name, and the settings that differ from their defaults."""
        return str(self.__dict__["_spec"])

    def _text_form(self) -> str:
        shown = {
            f.name: f.metadata["show"](getattr(self, f.name))
            for f in sorted(fields(self), key=lambda f: bool(f.kw_only))
            if f.name in self.always or getattr(self, f.name) != f.default
        }
        return str(Spec(self.name, shown))

    def __str__(self) -> str:
        return self.spec

    def __call__(self, document: Document | str, /) -> list[Chunk]:
        """Cut a document, or a string of Markdown, into chunks in the order of their starts.

        Raises:
            SettingError: `document` is neither.
        """
        if isinstance(document, str):
            document = Document("text.md", document, parse_markdown)
        elif not isinstance(document, Document):
            raise SettingError(
                f"{self.spec} cuts a Document or a text, got {type(document).__name__}; chunkwise.read(path) "
                "gives the documents of a folder or file, to be cut one by one"
            )
        chunks = self.cut(document)
        if not self.index_clean:
            return chunks
        from chunkwise.structure.clean import clean_index

        limit = self.limit
        return clean_index(document, chunks, *(limit[:2] if limit is not None else (None, None)))

    def cut(self, document: Document) -> list[Chunk]:
        """The chunks of a document."""
        return build(document, self.spec, self.pieces(document))

    def pieces(self, document: Document) -> Iterable[Piece]:
        """The slices, in the order of their starts."""
        raise NotImplementedError

    @property
    def counter(self) -> Counter:
        """Counts sizes in the chunker's unit."""
        return counter(getattr(self, "unit", "chars"))

    @property
    def limit(self) -> Limit | None:
        """What a chunk may come to; None where there is no limit."""
        return None


def build(
    document: Document,
    spec: str,
    pieces: Iterable[Piece | int],
    whole: list[Piece | Chunk | None] | None = None,
) -> list[Chunk]:
    """Chunks of slices. Slices without a visible character are left out: nothing in them can be found.

    Args:
        document: the document.
        spec: text form of the chunker.
        pieces: the slices, or the number of one in `whole`.
        whole: slices that other sizes have too. The chunk takes the place of its slice, and is taken over.
    """
    text, sections, doc = document.text, document.sections, document.id
    starts, paths = [*sections.start, maxsize], sections.paths  # no section begins behind the last
    chunks: list[Chunk] = []
    section, following = 0, starts[1]
    carried: tuple[tuple[str, str], ...] = ()
    front = ""  # the context that is carried, as it is indexed
    new: Any = tuple.__new__  # a third of what calling the class costs
    shared: Any = whole
    for found in pieces:
        piece: Any = found
        if shared is not None and type(found) is int:
            piece = shared[found]
            if type(piece) is Chunk:
                chunks.append(new(Chunk, (*piece[:10], spec, 0)))
                continue
        start, end, context, marks = piece
        slice_ = text[start:end]
        first = start
        if not "!" <= slice_ < "~":
            visible = VISIBLE.search(slice_)
            if visible is None:
                continue
            first += visible.start()
        # Starts rise, so that the section is the last one or one behind it.
        while following <= first:
            section += 1
            following = starts[section + 1]
        held = section if end <= following else _with_text(sections, section, end)
        if context is not carried:
            carried, front = context, "".join([f"{part}\n" for _, part in context])
        span: Span = new(Span, (start, end))
        values = (doc, span, slice_, front + slice_, span, context, paths[held], held, None, marks, spec, 0)
        chunk: Chunk = new(Chunk, values)
        chunks.append(chunk)
        if shared is not None and piece is not found:
            shared[found] = chunk
    # To look up a text takes as long as to read it, so that only those are which may have an equal.
    samples = list(map(_SAMPLE, map(_INDEXED, chunks)))
    return chunks if len(set(samples)) == len(chunks) else _numbered(chunks, samples)


def _numbered(chunks: list[Chunk], samples: list[str]) -> list[Chunk]:
    """The chunks with their numbers among those of the same indexed text, which share a sample of it."""
    often = Counts(samples)
    seen: dict[str, int] = {}
    for i, (chunk, sample) in enumerate(zip(chunks, samples, strict=True)):
        if often[sample] > 1:
            number = seen.get(chunk.indexed, 0)
            seen[chunk.indexed] = number + 1
            if number:
                chunks[i] = chunk._replace(number=number)
    return chunks


def _with_text(sections: Sections, held: int, end: int) -> int:
    """The section a chunk belongs to: headings without text of their own stand in front of the next."""
    while (
        held > 0
        and sections.body[held] >= sections.end[held]
        and held + 1 < len(sections)
        and sections.start[held + 1] < end
    ):
        held += 1
    return held
