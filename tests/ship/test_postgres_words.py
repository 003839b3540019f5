"""BM25 in PostgreSQL: the chunks and the scores of a comparison, and hybrid search over both halves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.index import make_retrievers
from chunkwise.ship.stores import open_store
from chunkwise.ship.stores.postgres import PostgresStore
from chunkwise.ship.upkeep import rollback
from chunkwise.types import Corpus

from .make import write_folder

pytest.importorskip("psycopg")
LONG = "x" * 5_000  # longer than an entry of a tree of PostgreSQL may be


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path)
    (tmp_path / "docs" / "odd.md").write_text(
        f"# {LONG}\n\n日本語の文 notice's notice\0notice.\n\n* * *\n", "utf-8"
    )
    return tmp_path


def measured(corpus: Corpus, retriever: str, question: str, k: int) -> list[tuple[str, float]]:
    (made,) = make_retrievers(retriever)
    indexer, chunks = made.indexer(), []
    for document in corpus:
        own = chunkwise.Heading(size=400)(document)
        indexer.add(document, own)
        chunks += own
    numbers, scores = indexer.finish().search(question, k)
    return [(chunks[i].id, float(score)) for i, score in zip(numbers.tolist(), scores.tolist(), strict=True)]


@pytest.mark.parametrize("retriever", ["bm25", "bm25:k1=0.4,b=0.1", "bm25:k1=0", "bm25:words=ascii"])
def test_scores_are_those_of_a_comparison(folder: Path, schema: str, retriever: str) -> None:
    golden = folder / "golden.jsonl"
    shipped = chunkwise.ship_index(
        folder / "docs", schema, chunker="heading:size=400", retriever=retriever, golden=golden
    )
    assert shipped.served
    corpus, index = chunkwise.read(folder / "docs"), chunkwise.open_index(schema)
    asked = ["notice period for Grade 7", "garden leave car", f"notice {LONG}", "日本語", "the of a", "'; --"]
    for question in asked:
        found = [(one.id, one.score) for one in index.search(question, 20)]
        wanted = measured(corpus, retriever, question, 20)
        assert [id for id, _ in found] == [id for id, _ in wanted]
        assert [s for _, s in found] == pytest.approx([s for _, s in wanted], abs=2e-6)
    assert index.search("xyzzy") == []


def test_an_edit_a_rollback_and_a_drop_take_the_words_along(folder: Path, schema: str) -> None:
    def ship() -> Any:
        return chunkwise.ship_index(
            folder / "docs", schema, chunker="heading:size=400", retriever="bm25", keep=1
        )

    ship()
    path = folder / "docs" / "leaving.md"
    path.write_text(path.read_text("utf-8").replace("your car until", "your telephone until"), "utf-8")
    second = ship()
    assert second.manifest.work["cut"] == 1
    index = chunkwise.open_index(schema)
    assert [one.doc for one in index.search("telephone")] == ["leaving.md"]
    assert rollback(open_store(schema)) == "v000001"
    assert index.search("telephone") == []
    store = open_store(schema)
    assert isinstance(store, PostgresStore)
    ship()
    ship()
    with store.asked("looking") as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_name ~ 'v00'",
            [store.schema],
        )
        tables = {row[0] for row in cursor.fetchall()}
    left = {one.version for one in store.manifests()}
    assert tables == {f"{kind}_{version}" for kind in ("chunks", "words", "lengths") for version in left}


def test_hybrid_fuses_both_halves_of_the_server(folder: Path, schema: str, model: Path) -> None:
    shipped = chunkwise.ship_index(
        folder / "docs", schema, chunker="heading:size=400", retriever=f"hybrid:rrf,dense={model}"
    )
    assert shipped.served
    found = chunkwise.open_index(schema).search("notice for grade 7", 4)
    assert set(found[0].scores) == {"bm25", "dense"}
    halves = measured(chunkwise.read(folder / "docs"), f"hybrid:rrf,dense={model}", "notice for grade 7", 4)
    assert found[0].id == halves[0][0]
