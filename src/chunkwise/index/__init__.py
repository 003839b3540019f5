"""Chunks in, a retriever out. Search is exact here: it measures."""

from __future__ import annotations

from collections.abc import Callable

from chunkwise.errors import UnknownName
from chunkwise.index.bm25 import Bm25, Bm25Indexer, Bm25Retriever
from chunkwise.index.words import Analyzer, Columns
from chunkwise.spec import Spec, parse

__all__ = [
    "RETRIEVERS",
    "Analyzer",
    "Bm25",
    "Bm25Indexer",
    "Bm25Retriever",
    "Columns",
    "make_retrievers",
]

RETRIEVERS: dict[str, Callable[[Spec], Bm25]] = {"bm25": Bm25.from_spec}
"""Every built-in retriever by the name of its text form."""


def make_retrievers(text: str) -> list[Bm25]:
    """The retrievers of a text form; `bm25:k1=1.2|1.5` stands for two.

    >>> [r.spec for r in make_retrievers("bm25:k1=1.2|1.5,words=ascii")]
    ['bm25:k1=1.2,words=ascii', 'bm25:words=ascii']

    Raises:
        UnknownName: there is no such retriever or setting; gives the nearest name and the list.
        SettingError: the text is no spec, or a value cannot work.
    """
    specs = parse(text)
    for spec in specs:
        if spec.name not in RETRIEVERS:
            raise UnknownName("retriever", spec.name, RETRIEVERS)
    return [RETRIEVERS[spec.name](spec) for spec in specs]
