"""BM25 in PostgreSQL and Qdrant: chunks and scores of a comparison, and hybrid search over both halves."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.golden import load_golden
from chunkwise.index import make_retrievers
from chunkwise.ship.opened import Index
from chunkwise.ship.stores import Store, open_store
from chunkwise.ship.stores.postgres import PostgresStore
from chunkwise.ship.stores.qdrant import QdrantStore
from chunkwise.ship.upkeep import rollback
from chunkwise.types import Corpus

from .make import write_folder

LONG = "x" * 5_000  # longer than an entry of a tree of PostgreSQL may be


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_folder(tmp_path)
    (tmp_path / "docs" / "odd.md").write_text(
        f"# {LONG}\n\n日本語の文 notice's notice\0notice.\n\n* * *\n", "utf-8"
    )
    return tmp_path


@pytest.fixture(params=["postgresql", "qdrant"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "postgresql":
        pytest.importorskip("psycopg")
        yield open_store(request.getfixturevalue("schema"))
        return
    pytest.importorskip("qdrant_client")
    found = open_store(f"qdrant:{tmp_path / 'store'}")
    assert isinstance(found, QdrantStore)
    yield found
    found.close()


def parts(store: Store) -> set[str]:
    """The tables or collections that are of a version."""
    if isinstance(store, QdrantStore):
        with store.asked("looking") as client:
            names = {one.name for one in client.get_collections().collections}
        return {name.removeprefix("chunkwise__") for name in names if "v00" in name}
    assert isinstance(store, PostgresStore)
    with store.asked("looking") as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = %s AND table_name ~ 'v00'",
            [store.schema],
        )
        return {row[0] for row in cursor.fetchall()}


Search = Callable[[str, int], list[tuple[str, float]]]


def measured(corpus: Corpus, retriever: str, chunker: chunkwise.Heading | None = None) -> Search:
    """What a comparison finds: ids and scores."""
    (made,) = make_retrievers(retriever)
    indexer, chunks = made.indexer(), []
    for document in corpus:
        own = (chunker or chunkwise.Heading(size=400))(document)
        indexer.add(document, own)
        chunks += own
    index = indexer.finish()

    def search(question: str, k: int) -> list[tuple[str, float]]:
        numbers, scores = index.search(question, k)
        pairs = zip(numbers.tolist(), scores.tolist(), strict=True)
        return [(chunks[i].id, float(score)) for i, score in pairs]

    return search


@pytest.mark.parametrize("retriever", ["bm25", "bm25:k1=0.4,b=0.1", "bm25:k1=0", "bm25:words=ascii"])
def test_scores_are_those_of_a_comparison(folder: Path, store: Store, retriever: str) -> None:
    golden = folder / "golden.jsonl"
    shipped = chunkwise.ship_index(
        folder / "docs", store, chunker="heading:size=400", retriever=retriever, golden=golden
    )
    assert shipped.served
    search, index = measured(chunkwise.read(folder / "docs"), retriever), chunkwise.open_index(store)
    asked = ["notice period for Grade 7", "garden leave car", f"notice {LONG}", "日本語", "the of a", "'; --"]
    for question in asked:
        assert_same(index, search, question, 20)
    assert index.search("xyzzy") == []


def test_the_handbook_is_answered_as_in_a_comparison(store: Store) -> None:
    root = Path(__file__).parents[2] / "examples" / "handbook"
    corpus = chunkwise.read(root / "docs")
    assert chunkwise.ship_index(corpus, store, chunker="heading:size=400", retriever="bm25").served
    index, search = chunkwise.open_index(store), measured(corpus, "bm25")
    for question in load_golden(root / "golden.jsonl", corpus):
        assert_same(index, search, question.text, 10)


def assert_same(index: Index, search: Search, question: str, k: int) -> None:
    """The chunks of a comparison, in its order, with its scores."""
    found = [(one.id, one.score) for one in index.search(question, k)]
    wanted = search(question, k)
    assert [id for id, _ in found] == [id for id, _ in wanted]
    assert [s for _, s in found] == pytest.approx([s for _, s in wanted], abs=2e-6)


def test_an_edit_a_rollback_and_a_drop_take_the_words_along(folder: Path, store: Store) -> None:
    def ship() -> Any:
        return chunkwise.ship_index(
            folder / "docs", store, chunker="heading:size=400", retriever="bm25", keep=1
        )

    ship()
    path = folder / "docs" / "leaving.md"
    path.write_text(
        path.read_text("utf-8").replace("your car until", "your telephone and your lamp until"), "utf-8"
    )
    second = ship()
    assert second.manifest.work["cut"] == 1
    index = chunkwise.open_index(store)
    assert [one.doc for one in index.search("telephone")] == ["leaving.md"]
    # One document more words than before: the mean length of all chunks is another.
    assert_same(index, measured(chunkwise.read(folder / "docs"), "bm25"), "you keep your telephone", 20)
    assert rollback(store) == "v000001"
    assert index.search("telephone") == []
    ship()
    ship()
    left = [one.version for one in store.manifests()]
    kinds = ("{}", "{}__words") if isinstance(store, QdrantStore) else ("chunks_{}", "words_{}", "lengths_{}")
    assert parts(store) == {kind.format(version) for kind in kinds for version in left}


def test_hybrid_fuses_both_halves_of_the_server(folder: Path, store: Store, model: Path) -> None:
    shipped = chunkwise.ship_index(
        folder / "docs", store, chunker="heading:size=400", retriever=f"hybrid:rrf,dense={model}"
    )
    assert shipped.served
    found = chunkwise.open_index(store).search("notice for grade 7", 4)
    assert set(found[0].scores) == {"bm25", "dense"}
    halves = measured(chunkwise.read(folder / "docs"), f"hybrid:rrf,dense={model}")("notice for grade 7", 4)
    assert found[0].id == halves[0][0]


def test_qdrant_breaks_ties_as_a_comparison_does(tmp_path: Path) -> None:
    """Of more chunks with one score than are asked for, the first of the documents come."""
    pytest.importorskip("qdrant_client")
    store = open_store(f"qdrant:{tmp_path / 'store'}")
    assert isinstance(store, QdrantStore)
    last = ("lamp", "room", "lamp room")
    texts = {f"{number:03d}.md": f"garden leave {last[number % 3]}" for number in range(90)}
    corpus = Corpus([chunkwise.read_text(text, name) for name, text in texts.items()])
    assert chunkwise.ship_index(corpus, store, chunker="heading:size=400", retriever="bm25").served
    index, search = chunkwise.open_index(store), measured(corpus, "bm25")
    for k in (1, 7, 31, 90):
        assert_same(index, search, "garden leave", k)
    store.close()


def test_readers_see_one_version_of_qdrant_each_time_while_it_is_switched(folder: Path) -> None:
    pytest.importorskip("qdrant_client")
    store = open_store(f"qdrant:{folder / 'store'}")
    assert isinstance(store, QdrantStore)

    def ship(edition: int) -> None:
        path = folder / "docs" / "leaving.md"
        text = path.read_text("utf-8").replace(f" edition{edition - 1}", "")
        path.write_text(text.replace("\n\n## ", f" edition{edition}\n\n## "), "utf-8")
        settings: dict[str, Any] = {"chunker": "heading:size=400", "retriever": "bm25", "keep": 1}
        assert chunkwise.ship_index(folder / "docs", store, **settings).served

    ship(0)
    index, stop = chunkwise.open_index(store), threading.Event()
    seen: list[set[str]] = []
    faults: list[BaseException] = []

    def ask() -> None:
        try:
            while not stop.is_set():
                found = index.search("keep a copy of the letter; after the trial period", 4)
                words = {word for one in found for word in one.text.split()}
                seen.append({word for word in words if word.startswith("edition")})
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test tells it
            faults.append(error)

    threads = [threading.Thread(target=ask) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for edition in range(1, 6):
            ship(edition)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
        store.close()
    assert faults == []
    assert {len(words) for words in seen} == {1}
    assert len(set.union(*seen)) > 1


CJK = "# 水道\n\n喝水很重要。\n\n# 冷\n\n地下水。\n\n# 火曜日\n\n防火。\n\n# น้ำ\n\nคน 물을 마신다.\n"


def test_a_single_character_finds_what_holds_it(store: Store) -> None:
    corpus = Corpus(
        [chunkwise.read_text(CJK, "a.md"), chunkwise.read_text("# Soup\n\nNo 水 here.\n", "b.md")]
    )
    settings: dict[str, Any] = {"chunker": "heading:size=400,path=no", "retriever": "bm25"}
    assert chunkwise.ship_index(corpus, store, **settings).served
    index = chunkwise.open_index(store)
    search = measured(corpus, "bm25", chunkwise.Heading(size=400, path=False))
    for question, count in [("水", 3), ("火", 1), ("น", 1), ("물", 1), ("木", 0), ("喝水", 1), ("水 火", 4)]:
        expected = search(question, 10)
        assert len(expected) == count
        assert [(one.id, one.score) for one in index.search(question, 10)] == expected


def test_a_single_character_finds_what_holds_it_in_lancedb(tmp_path: Path) -> None:
    pytest.importorskip("lancedb")
    store = open_store(f"lancedb:{tmp_path / 'store'}")
    corpus = Corpus([chunkwise.read_text(CJK, "a.md")])
    for text in ("水", "木"):  # another version has words of its own
        corpus = Corpus([chunkwise.read_text(f"{CJK}\n# 最後\n\n大{text}。\n", "a.md")])
        chunkwise.ship_index(corpus, store, chunker="heading:size=400,path=no", retriever="bm25")
        index = chunkwise.open_index(store)
        found = {one.path[-1] for one in index.search("水", 10)}
        assert found == {"水道", "冷", *(["最後"] if text == "水" else [])}
    assert {one.path[-1] for one in index.search("木", 10)} == {"最後"}
