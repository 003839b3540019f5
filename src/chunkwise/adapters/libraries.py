r"""Splitters of LangChain, LlamaIndex and Chonkie as chunkers, by their own names and settings.

`langchain.RecursiveCharacterTextSplitter:chunk_size=1000,chunk_overlap=200` is made by the library itself;
what it cuts is looked for in the document (see `adapters.places`), so that every chunk has its true place
whatever the library says about it. Settings are the library's. Beside them stand two of ours: `length`, the
unit in which the library counts, such as `length=cl100k`, and `index_clean`. A list is written with plus
signs between its items: `separators=\n\n+\n+`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from chunkwise.adapters.callables import INDEX_CLEAN, CallableChunker, Piece, literal
from chunkwise.errors import MissingExtra, SettingError, UnknownName
from chunkwise.spec import Spec, refuse_unknown, split, unescape, yes_or_no
from chunkwise.text import counter
from chunkwise.types import Chunk, Counter, Span

__all__ = ["LIBRARIES", "Library", "Splitter", "from_library"]

LENGTH = "length"
"""The setting that names the unit in which a library counts."""
_ENCODINGS = {"cl100k_base": "cl100k", "o200k_base": "o200k"}


class Library(NamedTuple):
    """How the splitters of a library are found, told what to count in, and asked."""

    module: str
    """Where its splitters stand; also what must be installed."""
    method: str
    """What a class must have to be a splitter."""
    length: Callable[[Counter], dict[str, Any]]
    """The library's setting that counts with a counter."""
    cut: Callable[[Any, str], Iterable[Piece]]
    """The pieces of a text."""


@dataclass(frozen=True)
class Splitter:
    """A splitter of a library as a function that cuts a text. Equal names and settings are equal."""

    library: str
    """An entry of `LIBRARIES`."""
    name: str
    """Name of the class."""
    settings: tuple[tuple[str, str], ...] = ()
    """As they are written in the spec."""
    made: Any = field(default=None, compare=False, repr=False)
    """The library's own object."""
    counter: Counter | None = field(default=None, compare=False, repr=False)
    """What it counts with, where that was said by `length`."""

    def __call__(self, text: str) -> Iterable[Piece]:
        """The pieces of a text."""
        return LIBRARIES[self.library].cut(self.made, text)


def from_library(spec: Spec) -> CallableChunker:
    """The chunker of a spec such as `langchain.TokenTextSplitter:chunk_size=400,chunk_overlap=0`.

    Raises:
        MissingExtra: the library is not installed; the message has the install line.
        UnknownName: the library has no such splitter, or the splitter no such setting.
        SettingError: the library refuses the settings.
    """
    kind, _, name = spec.name.partition(".")
    library = LIBRARIES[kind]
    text = str(Spec(spec.name, spec.settings, target=spec.target))
    if not name or spec.target:
        raise SettingError(f"{text!r} names no splitter; write {kind}.{_EXAMPLES[kind]}:key=value,…")
    found = _class(kind, library, name)
    known = {**_parameters(found), LENGTH: "", INDEX_CLEAN: ""}
    refuse_unknown(spec.name, spec.settings, known)
    given: dict[str, Any] = {}
    unit: Counter | None = None
    clean = False
    for key, written in spec.settings.items():
        if key == INDEX_CLEAN:
            clean = yes_or_no(INDEX_CLEAN, literal(written))
        elif key == LENGTH:
            unit = counter(unescape(written))
            given |= library.length(unit)
        else:
            given[key] = _value(written, known[key])
            if written in _ENCODINGS:
                # Makes the tables known to tiktoken, which would fetch them.
                counter(_ENCODINGS[written])
    unfit = [key for key in given if key not in known]
    if unfit:
        raise SettingError(f"{text!r}: {name} counts in a unit of its own; leave out {LENGTH}")
    try:
        made = found(**given)
    except ImportError as error:
        raise SettingError(f"{text!r}: {name} needs another library: {error}") from error
    except Exception as error:
        raise SettingError(f"{text!r}: {name} cannot be made so: {error}") from error
    settings = tuple((key, written) for key, written in spec.settings.items() if key != INDEX_CLEAN)
    return CallableChunker(Splitter(kind, name, settings, made, unit), text, index_clean=clean)


def _class(kind: str, library: Library, name: str) -> Any:
    try:
        module = import_module(library.module)
    except ModuleNotFoundError as error:
        # A library that is there and misses another one has a fault of its own.
        if error.name and f"{library.module}.".startswith(f"{error.name}."):
            raise MissingExtra(f"{kind}.{name}", kind) from error
        raise SettingError(f"{library.module} does not import: {error}") from error
    known = [n for n in dir(module) if _is_splitter(getattr(module, n), library.method)]
    if name not in known:
        raise UnknownName(f"{kind} splitter", name, known)
    return getattr(module, name)


def _is_splitter(found: Any, method: str) -> bool:
    return inspect.isclass(found) and hasattr(found, method) and not inspect.isabstract(found)


def _parameters(found: Any) -> dict[str, str]:
    """The names that a class and those above it can be made with, and what each takes, in words."""
    known: dict[str, str] = {}
    for above in reversed(inspect.getmro(found)):
        fields = getattr(above, "model_fields", {})
        if isinstance(fields, dict):
            known |= {name: str(field.annotation) for name, field in fields.items()}
        if above.__init__ is object.__init__:  # type: ignore[misc]
            continue
        for parameter in inspect.signature(above.__init__).parameters.values():  # type: ignore[misc]
            if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                known[parameter.name] = str(parameter.annotation)
    known.pop("self", None)
    return known


def _value(written: str, wanted: str) -> Any:
    """A setting's value; a list where plus signs stand in it or the library wants nothing else."""
    items = split(written, "+")
    a_list = any(word in wanted.lower() for word in ("list[", "sequence[", "iterable["))
    texts = "str" in wanted
    if len(items) > 1 or (a_list and "Union[str" not in wanted and "str |" not in wanted):
        return [unescape(item) if texts else literal(item) for item in items]
    return literal(written)


# --- LangChain.


def _langchain_length(unit: Counter) -> dict[str, Any]:
    return {"length_function": unit.count}


def _langchain_cut(splitter: Any, text: str) -> Iterator[Piece]:
    for piece in splitter.split_text(text):
        yield piece if isinstance(piece, str) else piece.page_content


# --- LlamaIndex.


def _llamaindex_length(unit: Counter) -> dict[str, Any]:
    # Only the length of what the tokenizer returns is looked at.
    return {"tokenizer": lambda text: range(unit.count(text))}


def _llamaindex_cut(parser: Any, text: str) -> Iterator[Piece]:
    schema = import_module("llama_index.core.schema")
    for node in parser.get_nodes_from_documents([schema.Document(text=text)]):
        own = node.get_content(schema.MetadataMode.NONE)
        indexed = node.get_content(schema.MetadataMode.EMBED)
        # What it writes in front of the text for embedding is indexed and is no part of the place.
        yield own if own == indexed else Chunk("", None, own, indexed, Span(0, 0))


# --- Chonkie.


def _chonkie_length(unit: Counter) -> dict[str, Any]:
    base = import_module("chonkie.tokenizer").Tokenizer
    ends: Callable[[str], Sequence[int]] | None = getattr(unit, "ends", None)
    if ends is None:
        return {"tokenizer": unit.count}
    members = {
        "__repr__": lambda _: f"Units({unit.name})",
        "tokenize": lambda _, text: _parts(text, ends(text)),
        "encode": lambda self, text: [self.number(part) for part in _parts(text, ends(text))],
        "decode": lambda self, tokens: "".join(self.vocab[token] for token in tokens),
        "number": _number,
    }
    return {"tokenizer": type("Units", (base,), members)()}


def _parts(text: str, ends: Sequence[int]) -> list[str]:
    """A text cut behind its units; what stands behind the last one goes with it."""
    edges = [0, *ends[:-1], len(text)] if ends else [0, len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def _number(tokenizer: Any, part: str) -> int:
    number: int = tokenizer.token2id[part]
    if number >= len(tokenizer.vocab):
        tokenizer.vocab.append(part)
    return number


def _chonkie_cut(chunker: Any, text: str) -> Iterator[Piece]:
    for piece in chunker.chunk(text):
        own, start, end = str(piece.text), piece.start_index, piece.end_index
        told = isinstance(start, int) and isinstance(end, int) and text[start:end] == own
        yield (start, end) if told else own


LIBRARIES: dict[str, Library] = {
    "langchain": Library("langchain_text_splitters", "split_text", _langchain_length, _langchain_cut),
    "llamaindex": Library(
        "llama_index.core.node_parser", "get_nodes_from_documents", _llamaindex_length, _llamaindex_cut
    ),
    "chonkie": Library("chonkie", "chunk", _chonkie_length, _chonkie_cut),
}
"""By the part of a spec's name before the dot, which is also the name of the extra that installs it."""
_EXAMPLES = {
    "langchain": "RecursiveCharacterTextSplitter",
    "llamaindex": "SentenceSplitter",
    "chonkie": "RecursiveChunker",
}
