"""Chunks in, a retriever out. Search is exact here: it measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index.bm25 import Bm25, Bm25Indexer, Bm25Retriever
from chunkwise.index.cache import CachedModel, CacheInfo, Pruned, cache_info, prune
from chunkwise.index.dense import Dense, DenseIndexer, Saved, fill, texts_of
from chunkwise.index.embedders import NAMES
from chunkwise.index.hybrid import Hybrid, HybridRetriever
from chunkwise.index.nearest import DenseRetriever, Facts
from chunkwise.index.rerank import Rerank, RerankRetriever
from chunkwise.index.shelf import Shelf
from chunkwise.index.slices import Columns
from chunkwise.index.words import Analyzer
from chunkwise.spec import Spec, parse

__all__ = [
    "RETRIEVERS",
    "Analyzer",
    "AnyRetriever",
    "Bm25",
    "Bm25Indexer",
    "Bm25Retriever",
    "CacheInfo",
    "CachedModel",
    "Columns",
    "Dense",
    "DenseIndexer",
    "DenseRetriever",
    "Facts",
    "Hybrid",
    "HybridRetriever",
    "Pruned",
    "Rerank",
    "RerankRetriever",
    "Saved",
    "Shelf",
    "cache_info",
    "fill",
    "make_retrievers",
    "prepare",
    "prune",
    "texts_of",
]

AnyRetriever = Bm25 | Dense | Hybrid | Rerank

RETRIEVERS: dict[str, Callable[[Spec], AnyRetriever]] = {
    "bm25": Bm25.from_spec,
    "dense": Dense.from_spec,
    "hybrid": Hybrid.from_spec,
    "rerank": Rerank.from_spec,
}
"""Every built-in retriever by the name of its text form."""


def make_retrievers(text: str) -> list[AnyRetriever]:
    """The retrievers of a text form; `bm25:k1=1.2|1.5` stands for two.

    >>> [r.spec for r in make_retrievers("bm25:k1=1.2|1.5,words=ascii")]
    ['bm25:k1=1.2,words=ascii', 'bm25:words=ascii']
    >>> [r.spec for r in make_retrievers("hybrid:rrf,dense=minilm,k=20|60")]
    ['hybrid:rrf,dense=minilm,k=20', 'hybrid:rrf,dense=minilm']

    Raises:
        UnknownName: there is no such retriever or setting; gives the nearest name and the list.
        SettingError: the text is no spec, names a model only, or a value cannot work.
    """
    specs = parse(text)
    for spec in specs:
        if spec.name in NAMES:
            raise SettingError(f"{spec.name} is a model, not a retriever; write dense:{spec.name}")
        if spec.name not in RETRIEVERS:
            raise UnknownName("retriever", spec.name, RETRIEVERS)
    return [RETRIEVERS[spec.name](spec) for spec in specs]


def prepare(retrievers: Iterable[object]) -> None:
    """See that whatever retrievers need is there, before any document is read. Loads no model.

    Raises:
        MissingExtra: a library is not installed; gives the install line.
        ModelError: a model is missing and cannot be fetched, or a key is missing; says how to get it.
    """
    for retriever in retrievers:
        check = getattr(retriever, "prepare", None)
        if check is not None:
            check()
