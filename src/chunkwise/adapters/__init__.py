"""Others' chunkers in: what cuts a text becomes a `Chunker` that keeps the promises as far as it can.

Each kind of foreign chunker is one file of this room and one entry of `ADAPTERS`. A spec belongs to a
kind by the part of its name before the first dot: `py:package.module.function,size=400` is a `py` spec,
`langchain.RecursiveCharacterTextSplitter:chunk_size=1000` a `langchain` one.
Chunkers of installed packages have names of their own (see `adapters.installed`).
"""

from __future__ import annotations

from collections.abc import Callable

from chunkwise.adapters.callables import CallableChunker, from_callable, from_spec, literal, load_callable
from chunkwise.adapters.installed import GROUP, from_installed
from chunkwise.adapters.libraries import LIBRARIES, from_library
from chunkwise.errors import UnknownName
from chunkwise.spec import Spec, parse
from chunkwise.types import Chunker

__all__ = [
    "ADAPTERS",
    "GROUP",
    "CallableChunker",
    "from_callable",
    "from_installed",
    "from_library",
    "is_foreign",
    "literal",
    "load_callable",
    "make_chunker",
    "make_chunkers",
]

ADAPTERS: dict[str, Callable[[Spec], Chunker]] = {"py": from_spec, **dict.fromkeys(LIBRARIES, from_library)}
"""What makes a chunker of a parsed spec, by the kind of its name."""


def is_foreign(spec: Spec) -> bool:
    """Whether a spec names somebody else's chunker, which `make_chunker` adapts.

    >>> is_foreign(Spec("py", target="textwrap.wrap")), is_foreign(Spec("heading"))
    (True, False)
    """
    return _kind(spec) in ADAPTERS


def make_chunker(spec: Spec) -> Chunker:
    """The chunker that a parsed spec of somebody else's chunker stands for.

    Raises:
        UnknownName: no adapter for this kind of name.
        SettingError: what it names does not import, cannot be called, or does not take the settings.
    """
    if not is_foreign(spec):
        raise UnknownName("adapter", _kind(spec), ADAPTERS)
    return ADAPTERS[_kind(spec)](spec)


def make_chunkers(text: str) -> list[Chunker]:
    """The chunkers of a spec text; `py:textwrap.wrap,width=300|600` stands for two.

    Raises:
        UnknownName: no adapter for this kind of name.
        SettingError: as in `make_chunker`, or the text is no spec.
    """
    return [make_chunker(spec) for spec in parse(text)]


def _kind(spec: Spec) -> str:
    return spec.name.partition(".")[0]
