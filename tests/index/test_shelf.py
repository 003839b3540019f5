from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise.index import Analyzer, Bm25Indexer, DenseIndexer, Shelf, fill, make_retrievers
from tests.index.tiny import WORDS, static_model

CHUNKS = ["red car old", "green tree", "blue boat new", "old red boat", "new green car", "tree tree tree"]
QUESTIONS = ["red boat", "tree", "old new blue", "spaceship car"]


def by_length(question: str, texts: list[str]) -> Any:
    return [-abs(len(text) - len(question)) for text in texts]


@pytest.fixture
def specs(tmp_path: Path) -> list[str]:
    table = np.random.default_rng(3).normal(size=(len(WORDS), 7)).astype(np.float32)
    model = static_model(tmp_path / "model", table)
    return [
        "bm25",
        "bm25:k1=0.9",
        f"dense:model={model}",
        f"dense:model={model},search=hnsw",
        f"hybrid:rrf,dense={model}",
        f"hybrid:weighted,dense={model},k1=0.9",
        f"rerank:model=py:{__name__}.by_length",
        rf"rerank:model=py:{__name__}.by_length,of=hybrid:rrf\,dense={model}",
    ]


def filled(specs: list[str]) -> tuple[Shelf, dict[str, Any]]:
    shelf = Shelf()
    for spec in specs:
        shelf.put(make_retrievers(spec)[0])
    shelf.add_texts(CHUNKS)
    return shelf, shelf.finish()


def test_what_retrievers_have_in_common_is_built_once(specs: list[str]) -> None:
    shelf, found = filled(specs)
    assert [type(indexer) for indexer in shelf.indexers] == [Bm25Indexer, DenseIndexer]
    assert list(found) == [make_retrievers(spec)[0].spec for spec in specs]
    bm25, weighed, dense, _, rrf, fused, over, above = found.values()
    assert (rrf.lexical, rrf.dense) == (bm25, dense)
    assert (fused.lexical, fused.dense) == (weighed, dense)
    assert (over.below, above.below) == (bm25, rrf)
    assert len(shelf) == len(CHUNKS)


def test_whatever_stands_beside_it_a_retriever_finds_the_same(specs: list[str]) -> None:
    _, together = filled(specs)
    for spec, retriever in together.items():
        (alone,) = filled([spec])[1].values()
        for question in QUESTIONS:
            for mine, theirs in zip(retriever.search(question, 5), alone.search(question, 5), strict=True):
                assert mine.tolist() == theirs.tolist(), spec


def test_texts_wait_once_and_words_have_one_vocabulary(specs: list[str]) -> None:
    analyzers: dict[str, Analyzer] = {}
    shelves = [Shelf(analyzers), Shelf(analyzers)]
    for shelf in shelves:
        for spec in [*specs, "bm25:words=ascii"]:
            shelf.put(make_retrievers(spec)[0])
        shelf.add_texts(CHUNKS)
    assert sorted(analyzers) == ["ascii", "unicode"]
    assert [len(shelf.dense) for shelf in shelves] == [1, 1]
    assert fill(indexer for shelf in shelves for indexer in shelf.indexers) == len(CHUNKS)
    facts = [shelf.finish()[make_retrievers(specs[2])[0].spec].facts for shelf in shelves]
    assert [(f.known, f.embedded) for f in facts] == [(0, len(CHUNKS)), (len(CHUNKS), 0)]


def test_texts_are_kept_only_for_what_reads_them(specs: list[str]) -> None:
    assert filled(specs[:6])[0]._texts == ([], [])
    assert filled(specs)[0]._texts == (CHUNKS, [])
