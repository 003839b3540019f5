"""Plain functions as chunkers: whatever cuts a text, in one call."""

from __future__ import annotations

import inspect
import re
from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from operator import index
from typing import Any, NamedTuple, TypeAlias

from chunkwise.adapters.places import place
from chunkwise.arguments import checked
from chunkwise.errors import ChunkerError, SettingError
from chunkwise.spec import Spec, unescape, yes_or_no
from chunkwise.structure import parse_markdown
from chunkwise.text import VISIBLE
from chunkwise.types import Chunk, Counter, Document, Span

Piece: TypeAlias = "str | Chunk | tuple[int, int] | tuple[int, int, str]"
"""What a function may yield: see `from_callable`."""

UNPLACED = "unplaced"
"""The mark of a chunk whose text is not found in its document."""
INDEX_CLEAN = "index_clean"
"""The setting that every chunker has: whether what is indexed goes without Markdown's marks."""


@dataclass(frozen=True, slots=True)
class CallableChunker:
    """A function as a chunker. Made by `from_callable` and by `py:` specs."""

    function: Callable[..., Iterable[Piece]]
    """What cuts: takes the text of a document, yields its pieces."""
    spec: str
    """Its name; a `py:` spec where it came from one, which parses back."""
    settings: tuple[tuple[str, object], ...] = ()
    """Keyword arguments that the function is called with."""
    index_clean: bool = False
    """Whether what is indexed goes without Markdown's marks and link targets; the text stays the source."""

    @property
    def counter(self) -> Counter | None:
        """What the function counts sizes with, where it says so; sizes are reported in that unit."""
        found: Counter | None = getattr(self.function, "counter", None)
        return found

    def __call__(self, document: Document | str, /) -> list[Chunk]:
        """The chunks of a document by rising start; those without a place last. A plain string is Markdown.

        Raises:
            ChunkerError: the function yields what cannot be a chunk; names chunker, document and numbers.
        """
        if isinstance(document, str):
            document = Document("text.md", document, parse_markdown)
        try:
            pieces = self.function(document.text, **dict(self.settings))
            given = None if isinstance(pieces, str) or not isinstance(pieces, Iterable) else list(pieces)
        except Exception as error:
            error.add_note(f"raised by the chunker {self.spec} on {document.id}")
            raise
        if given is None:
            raise self._fault(document, f"returned {type(pieces).__name__}, not an iterable of pieces")
        read = [self._read(document, number, piece) for number, piece in enumerate(given)]
        kept = [piece for piece in read if piece is not None]
        places = place(document.text, [piece.where for piece in kept])
        made = [self._chunk(document, piece, span) for piece, span in zip(kept, places, strict=True)]
        made.sort(key=lambda pair: (pair[1].span is None, pair[1].span or ()))
        if self.index_clean:
            from chunkwise.structure.clean import IndexCleaner

            clean = IndexCleaner(document)
            made = [(ready, clean(chunk)) for ready, chunk in made]
        return self._number(made)

    def _read(self, document: Document, number: int, piece: object) -> _Read | None:
        """A piece as it was given, checked; None for an empty one."""
        if isinstance(piece, str):
            return _Read(piece, piece) if piece else None
        if isinstance(piece, Chunk):
            if piece.span is None:
                return _Read(piece.text, piece.indexed, piece) if piece.text else None
            where = self._span(document, number, piece.span)
            self._span(document, number, piece.match)
            if piece.text != document.text[where.start : where.end]:
                fault = "has a text that is not the document's there"
                raise self._fault(document, f"chunk {number}, {_numbers(where)}, {fault}")
            return _Read(where, piece.indexed, piece) if where.length else None
        if isinstance(piece, Sequence) and len(piece) in (2, 3):
            where = self._span(document, number, piece[:2])
            indexed = piece[2] if len(piece) == 3 else document.text[where.start : where.end]
            if isinstance(indexed, str):
                return _Read(where, indexed) if where.length else None
        wanted = "a piece is a string, (start, end), (start, end, indexed) or a Chunk"
        raise self._fault(document, f"chunk {number} is {_short(piece)}; {wanted}")

    def _span(self, document: Document, number: int, ends: Sequence[Any]) -> Span:
        try:
            span = Span(index(ends[0]), index(ends[1]))
        except TypeError:
            fault = f"chunk {number} has the ends {_short(ends)}, which are no whole numbers"
            raise self._fault(document, fault) from None
        length = len(document.text)
        if 0 <= span.start <= span.end <= length:
            return span
        fault = "runs backwards" if span.start > span.end else f"is outside the text of {length} characters"
        hint = ""
        if 0 <= span.start <= span.end <= len(document.text.encode("utf-8", "surrogatepass")):
            hint = "; it may count bytes where code points are wanted"
        raise self._fault(document, f"chunk {number}, {_numbers(span)}, {fault}{hint}")

    def _fault(self, document: Document, fault: str) -> ChunkerError:
        return ChunkerError(self.spec, document.id, fault)

    def _chunk(self, document: Document, piece: _Read, span: Span | None) -> tuple[Chunk | None, Chunk]:
        """The chunk of a piece, after the ready chunk that it was given as, if any."""
        ready = piece.ready
        if span is None:
            text, match = (ready.text if ready else piece.indexed), Span(0, 0)
            path, section = ready.path if ready else (), 0
        else:
            text = document.text[span.start : span.end]
            match = ready.match if ready and ready.span is not None else span
            visible = VISIBLE.search(document.text, span.start, span.end)
            section = document.sections.of(visible.start() if visible else span.start, span.end)
            path = document.sections.path(section)
        marks = [mark for mark in (ready.marks if ready else ()) if mark != UNPLACED]
        return ready, Chunk(
            doc=document.id,
            span=span,
            text=text,
            indexed=piece.indexed,
            match=match,
            context=ready.context if ready else (),
            path=path,
            section=section,
            parent=ready.parent if ready else None,
            marks=tuple(marks if span is not None else [*marks, UNPLACED]),
            chunker=self.spec,
        )

    def _number(self, pairs: Iterable[tuple[Chunk | None, Chunk]]) -> list[Chunk]:
        """Number the chunks among equals, and let parents name the chunks by their ids of now."""
        seen: Tally[str] = Tally()
        chunks: list[Chunk] = []
        known: dict[str, str] = {}
        for ready, bare in pairs:
            chunk = bare._replace(number=seen[bare.indexed]) if seen[bare.indexed] else bare
            seen[bare.indexed] += 1
            chunks.append(chunk)
            if ready is not None:
                known[ready.id] = chunk.id
        return [
            chunk._replace(parent=known.get(chunk.parent, chunk.parent)) if chunk.parent else chunk
            for chunk in chunks
        ]


class _Read(NamedTuple):
    where: str | Span
    """Its place, or the string that is looked for."""
    indexed: str
    ready: Chunk | None = None


@checked()
def from_callable(function: Callable[[str], Iterable[Piece]], name: str) -> CallableChunker:
    r"""Make a chunker of a function that cuts a text.

    The function gets the text of a document and yields its pieces, each as one of:

    - `(start, end)`: a half-open span in code points of the text;
    - `(start, end, indexed)`: the same, and the string that is searched for it;
    - a string: it is looked for in the text, the pieces in order (see `adapters.places`), exactly
      first, then with white space folded. The chunk's text is the document's, `indexed` the string as it
      was given. What is not found keeps its rank, is never a hit, and has the mark `unplaced`;
    - a `Chunk`: it keeps `indexed`, `match`, `context`, `marks` and its parent.

    Empty pieces are left out. Heading path and section of every chunk with a place are the document's,
    whatever cut it. Pieces may come in any order, chunks are sorted by start.

    Args:
        function: what cuts; called once a document.
        name: what its rows are called, and a part of every chunk's id.

    Raises:
        SettingError: `function` cannot be called, or the name is empty.

    >>> halves = from_callable(lambda text: [(0, 6), (6, len(text))], "halves")
    >>> [(chunk.text, chunk.path) for chunk in halves("# One\nand some text")]
    [('# One\n', ('One',)), ('and some text', ('One',))]
    """
    if not callable(function):
        raise SettingError(f"a chunker is made of a function, got {type(function).__name__}")
    if not isinstance(name, str) or not name.strip():
        raise SettingError(f"a chunker made of a function needs a name, got {name!r}")
    return CallableChunker(function, name)


def from_spec(spec: Spec) -> CallableChunker:
    """The chunker of a `py:` spec: `py:package.module.function`, settings as keyword arguments.

    `index_clean` is no argument of the function: it says what is indexed of its chunks.

    Raises:
        SettingError: it names no function, does not import, cannot be called, or does not take the settings.
    """
    unlabelled = str(Spec(spec.name, spec.settings, target=spec.target))
    if spec.name != "py" or not spec.target:
        raise SettingError(f"{unlabelled!r} names no function; write py:package.module.function")
    return bound(load_callable(spec.target), spec.target, spec)


def bound(function: Callable[..., Any], said: str, spec: Spec) -> CallableChunker:
    """A function that cuts a text, with the settings of a spec.

    Args:
        function: the function.
        said: what an error calls it.
        spec: its name and settings; `index_clean` is ours.

    Raises:
        SettingError: it does not take the settings.
    """
    unlabelled = str(Spec(spec.name, spec.settings, target=spec.target))
    given = {key: literal(value) for key, value in spec.settings.items()}
    clean = yes_or_no(INDEX_CLEAN, given.pop(INDEX_CLEAN, False))
    try:
        inspect.signature(function).bind("", **given)
    except ValueError:
        pass  # Some built-ins have no signature; they complain when they are called.
    except TypeError as error:
        raise SettingError(f"{unlabelled!r}: {said} cannot be called so: {error}") from error
    return CallableChunker(function, unlabelled, tuple(given.items()), clean)


def load_callable(path: str) -> Callable[..., Any]:
    """The function, class or method of a dotted path such as `package.module.function`.

    Raises:
        SettingError: the module does not import, has no such name, or what it names cannot be called.
    """
    parts = path.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise SettingError(f"{path!r} is no dotted path; write package.module.function")
    found, rest = _module(path, parts)
    for i, part in enumerate(rest):
        if not hasattr(found, part):
            raise SettingError(f"{path!r}: {'.'.join(parts[: len(parts) - len(rest) + i])} has no {part!r}")
        found = getattr(found, part)
    if not callable(found):
        raise SettingError(f"{path!r} is a {type(found).__name__} and cannot be called")
    return found  # type: ignore[no-any-return]


def _module(path: str, parts: list[str]) -> tuple[Any, list[str]]:
    """The longest part of a dotted path that is a module, and what is left of the path."""
    for cut in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:cut])
        try:
            return import_module(name), parts[cut:]
        except ModuleNotFoundError as error:
            # A module that is there and misses another one is a fault of its own.
            if cut == 1 or not error.name or not f"{name}.".startswith(f"{error.name}."):
                raise SettingError(f"{path!r} does not import: {error}") from error
        except Exception as error:
            raise SettingError(f"{path!r} does not import: {type(error).__name__}: {error}") from error
    raise AssertionError("a dotted path has a first part")


def literal(value: str) -> object:
    r"""A setting's value for a foreign function: whole numbers, numbers, yes and no, none, else text.

    >>> [literal(value) for value in ("600", "0.5", "no", "none", "\\n")]
    [600, 0.5, False, None, '\n']
    """
    text = value.strip()
    words: dict[str, object] = {"yes": True, "true": True, "no": False, "false": False, "none": None}
    if text.lower() in words:
        return words[text.lower()]
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return int(text)
    if re.fullmatch(r"[+-]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=e))(e[+-]?[0-9]+)?", text, re.IGNORECASE):
        return float(text)
    return unescape(value)


def _numbers(span: Span) -> str:
    return f"[{span.start}, {span.end})"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
