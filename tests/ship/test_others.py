"""What readers of LangChain and LlamaIndex find in what is served: the same chunks, also behind a switch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.index import make_retrievers
from chunkwise.ship.receipts import Receipt
from chunkwise.ship.stores import Store, open_store

QUESTION = "garden leave car"
BOTH = pytest.mark.parametrize("retriever", ["dense:model={}", "hybrid:rrf,dense={}"])
# They warn of what they will change in themselves.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")


@pytest.fixture
def embed(model: Path) -> Any:
    (made,) = make_retrievers(f"dense:model={model}")

    def embed(text: str) -> list[float]:
        return [float(number) for number in made.embedder.questions([text])[0]]

    return embed


@pytest.fixture
def embeddings(embed: Any) -> Any:
    """The model, as LangChain asks it."""
    base: Any = pytest.importorskip("langchain_core.embeddings").Embeddings

    class Embeddings(base):  # type: ignore[misc]
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [embed(text) for text in texts]

        def embed_query(self, text: str) -> list[float]:
            return list(embed(text))

    return Embeddings()


@pytest.fixture
def qdrant(folder: Path) -> Iterator[Any]:
    pytest.importorskip("qdrant_client")
    store: Any = open_store(f"qdrant:{folder / 'index'}")
    yield store
    store.close()


@pytest.fixture
def postgres(schema: str) -> Store:
    return open_store(schema)


def ship(folder: Path, store: Store, model: Path, retriever: str = "dense:model={}") -> list[Receipt]:
    """Ship, and find what a reader that asks for vectors finds."""
    shipped = chunkwise.ship_index(
        folder / "docs", store, chunker="heading:size=400", retriever=retriever.format(model)
    )
    assert shipped.served
    index = chunkwise.open_index(store)
    found = index.search(QUESTION, 4)
    return sorted(found, key=lambda one: -one.scores["dense"])[:2]


def edit(folder: Path) -> None:
    path = folder / "docs" / "leaving.md"
    path.write_text(path.read_text("utf-8").replace("keep your car", "keep your lamp, not your car"), "utf-8")


def told(found: list[Receipt]) -> list[tuple[str, str, int]]:
    """Text, document and first line of what was found."""
    assert all(one.lines is not None for one in found)
    return [(one.text, one.doc, one.lines[0]) for one in found if one.lines]


def of_langchain(found: list[Any]) -> list[tuple[str, str, int]]:
    return [(one.page_content, one.metadata["doc"], one.metadata["line"]) for one in found]


def of_llamaindex(found: Any) -> list[tuple[str, str, int]]:
    return [(one.get_content(), one.metadata["doc"], one.metadata["line"]) for one in found.nodes]


def of_lunch(reader: Any, types: Any, asked: Any) -> list[str]:
    """The documents of what is found with a filter of LlamaIndex."""
    only = types.MetadataFilters(filters=[types.MetadataFilter(key="doc", value="lunch.md")])
    return [one.metadata["doc"] for one in reader.query(replace(asked, filters=only)).nodes]


@BOTH
def test_langchain_reads_the_alias(
    folder: Path, qdrant: Any, model: Path, embeddings: Any, retriever: str
) -> None:
    library = pytest.importorskip("langchain_qdrant")
    first = ship(folder, qdrant, model, retriever)
    with qdrant.asked("lending") as client:
        reader = library.QdrantVectorStore(client=client, collection_name="chunkwise", embedding=embeddings)
        assert of_langchain(reader.similarity_search(QUESTION, 2)) == told(first)
        models = pytest.importorskip("qdrant_client.models")
        only = models.FieldCondition(key="metadata.doc", match=models.MatchValue(value="lunch.md"))
        found = reader.similarity_search(QUESTION, 4, filter=models.Filter(must=[only]))
        assert [one.metadata["doc"] for one in found] == ["lunch.md"]
        edit(folder)
        second = ship(folder, qdrant, model, retriever)
        assert told(second) != told(first)
        assert of_langchain(reader.similarity_search(QUESTION, 2)) == told(second)


@BOTH
def test_llamaindex_reads_the_alias(
    folder: Path, qdrant: Any, model: Path, embed: Any, retriever: str
) -> None:
    library = pytest.importorskip("llama_index.vector_stores.qdrant")
    types = pytest.importorskip("llama_index.core.vector_stores.types")
    first = ship(folder, qdrant, model, retriever)
    asked = types.VectorStoreQuery(query_embedding=embed(QUESTION), similarity_top_k=2)
    with qdrant.asked("lending") as client:
        reader = library.QdrantVectorStore("chunkwise", client=client, text_key="page_content")
        assert of_llamaindex(reader.query(asked)) == told(first)
        assert of_lunch(reader, types, asked) == ["lunch.md"]
        edit(folder)
        assert of_llamaindex(reader.query(asked)) == told(first)
        assert (
            told(ship(folder, qdrant, model, retriever)) == of_llamaindex(reader.query(asked)) != told(first)
        )


def test_langchain_reads_the_view(
    folder: Path, postgres: Any, schema: str, model: Path, embeddings: Any
) -> None:
    library = pytest.importorskip("langchain_postgres")
    first = ship(folder, postgres, model)
    url, name = schema.replace("postgresql://", "postgresql+psycopg://").split("#")
    engine = library.PGEngine.from_connection_string(url)
    reader = library.PGVectorStore.create_sync(
        engine,
        embedding_service=embeddings,
        table_name="chunks",
        schema_name=name,
        id_column="id",
        content_column="text",
        embedding_column="embedding",
        metadata_json_column="metadata",
    )
    found = reader.similarity_search(QUESTION, 2)
    assert of_langchain(found) == told(first)
    assert [one.id for one in found] == [one.id for one in first]
    for only in ({"doc": "lunch.md"}, {"doc": {"$in": ["lunch.md", "none.md"]}}):
        lunch = reader.similarity_search(QUESTION, 4, filter=only)
        assert [one.metadata["doc"] for one in lunch] == ["lunch.md"]
    edit(folder)
    second = ship(folder, postgres, model)
    assert of_langchain(reader.similarity_search(QUESTION, 2)) == told(second) != told(first)
    engine._run_as_sync(engine.close())


def test_llamaindex_reads_the_view(folder: Path, postgres: Any, schema: str, model: Path, embed: Any) -> None:
    library = pytest.importorskip("llama_index.vector_stores.postgres")
    types = pytest.importorskip("llama_index.core.vector_stores.types")
    first = ship(folder, postgres, model)
    url, name = schema.split("#")
    reader = library.PGVectorStore(
        connection_string=url.replace("postgresql://", "postgresql+psycopg2://"),
        async_connection_string=url.replace("postgresql://", "postgresql+asyncpg://"),
        table_name="chunks",
        schema_name=name,
        embed_dim=len(embed(QUESTION)),
        perform_setup=False,
    )
    asked = types.VectorStoreQuery(query_embedding=embed(QUESTION), similarity_top_k=2)
    found = reader.query(asked)
    assert of_llamaindex(found) == told(first)
    assert [node.node_id for node in found.nodes] == [one.id for one in first]
    assert of_lunch(reader, types, asked) == ["lunch.md"]
    edit(folder)
    second = ship(folder, postgres, model)
    assert of_llamaindex(reader.query(asked)) == told(second) != told(first)
    reader._engine.dispose()
