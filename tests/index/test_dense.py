from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index import Dense, DenseRetriever, fill, make_retrievers, nearest, prepare
from chunkwise.index.cache import open_vectors
from chunkwise.index.embedders import make_embedder
from chunkwise.index.vectors import digest_of
from chunkwise.types import Chunk, Document, Span, Structure
from chunkwise.types.structure import Blocks, Sections

SIZE = 12


def numbers(texts: list[str]) -> Any:
    """A vector by the text: `7` is random vector 7, `-7` its opposite."""
    rows = []
    for text in texts:
        seed = int(text.split()[-1])
        rows.append(np.random.default_rng(abs(seed)).normal(size=SIZE) * (1 if seed >= 0 else -1))
    return np.array(rows)


MODEL = f"py:{__name__}.numbers"


def retriever(texts: list[str], **settings: Any) -> DenseRetriever:
    indexer = Dense(MODEL, **settings).indexer()
    indexer.add_texts(texts)
    return indexer.finish()


def expected(texts: list[str], question: str, depth: int) -> list[tuple[int, float]]:
    """The definition, with Python's own numbers."""
    q = [float(x) for x in numbers([question])[0]]
    scored = []
    for number, text in enumerate(texts):
        v = [float(x) for x in numbers([text])[0]]
        dot = sum(a * b for a, b in zip(q, v, strict=True))
        norm = (sum(a * a for a in q) * sum(b * b for b in v)) ** 0.5
        scored.append((-round(dot / norm, 6), number))
    return [(number, -score) for score, number in sorted(scored)[:depth]]


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=30), st.integers(0, 20), st.integers(1, 40))
def test_search_is_exact(seeds: list[int], question: int, depth: int) -> None:
    texts = [str(seed) for seed in seeds]
    found, scores = retriever(texts).search(str(question), depth)
    wanted = expected(texts, str(question), depth)
    assert np.allclose(scores, [score for _, score in wanted], atol=2e-6)
    assert found.tolist() == [number for number, _ in wanted]


def test_equal_texts_tie_and_the_lower_number_comes_first() -> None:
    found, scores = retriever(["3", "5", "3", "5", "3"]).search("3", 5)
    assert found.tolist() == [0, 2, 4, 1, 3]
    assert scores[:3].tolist() == [1.0, 1.0, 1.0]


def test_results_do_not_depend_on_blocks_or_company(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [str(i % 90) for i in range(300)]
    questions = [str(i) for i in range(25)]
    one = retriever(texts).search_all(questions, 17)
    monkeypatch.setattr(nearest, "_CELLS", 700)
    monkeypatch.setattr(nearest, "_ROWS", 3)
    small = retriever(texts)
    two = [small.search(question, 17) for question in questions]
    small.release()
    for (a, b), (c, d) in zip(one, two, strict=True):
        assert a.tolist() == c.tolist()
        assert b.tolist() == d.tolist()


def test_deeper_searches_begin_with_the_shallow_ones() -> None:
    searched = retriever([str(i) for i in range(50)])
    deep, _ = searched.search("7", 50)
    assert sorted(deep.tolist()) == list(range(50))
    for depth in (1, 2, 10, 49, 80):
        assert searched.search("7", depth)[0].tolist() == deep[:depth].tolist()


def test_nothing_to_search_and_no_depth() -> None:
    empty = retriever([])
    assert len(empty) == 0
    assert empty.search("1", 3)[0].tolist() == []
    assert retriever(["1"]).search_all([], 3) == []
    with pytest.raises(SettingError, match="at least 1"):
        empty.search("1", 0)


def test_prefixes_reach_the_model() -> None:
    searched = retriever(["1", "2"], passage="chunk ", query="-")
    found, scores = searched.search("2", 2)
    assert found.tolist() == [0, 1]
    assert scores[1] == -1


def document(text: str) -> Document:
    return Document("d.md", text, lambda text, _: Structure(Blocks(), Sections([], len(text)), {}))


def test_what_is_indexed_is_embedded_and_what_it_took_is_told() -> None:
    text = "11\n22\n22\n33"
    chunks = [
        Chunk("d.md", Span(i, i + 2), text[i : i + 2], f"path {text[i : i + 2]}", Span(i, i + 2))
        for i in (0, 3, 6, 9)
    ]
    indexer = Dense(MODEL).indexer()
    indexer.add(document(text), chunks)
    made = indexer.finish()
    assert made.search("33", 1)[0].tolist() == [3]
    facts = made.facts
    assert (facts.model, facts.dimension, facts.chunks, facts.distinct) == (MODEL, SIZE, 4, 3)
    assert (facts.embedded, facts.known, facts.characters, facts.bytes) == (3, 0, 4 * 7, 4 * SIZE * 4)
    assert (facts.cut, facts.unseen, facts.tokens) == (-1, -1, -1)


def test_what_the_window_cuts_is_told() -> None:
    indexer = Dense("minilm", window=8).indexer()
    indexer.add_texts(["one two three", "one two three four five six seven eight nine", "", "one two three"])
    facts = indexer.finish().facts
    assert (facts.window, facts.cut, facts.tokens) == (8, 1, 5 + 11 + 2 + 5)
    assert facts.unseen == len(" seven eight nine")
    assert facts.characters == 13 + 44 + 13


def test_texts_of_many_candidates_are_embedded_once_together() -> None:
    indexers = [Dense(MODEL).indexer() for _ in range(3)]
    for indexer, texts in zip(indexers, (["901", "902"], ["902", "903", "903"], ["901", "903"]), strict=True):
        indexer.add_texts(texts)
    told: list[tuple[int, int]] = []
    assert fill(indexers, progress=lambda _, done, total: told.append((done, total))) == 3
    assert told == [(0, 3), (3, 3)]
    facts = [indexer.finish().facts for indexer in indexers]
    assert [(f.distinct, f.embedded, f.known) for f in facts] == [(2, 2, 0), (2, 1, 1), (2, 0, 2)]


def test_what_waits_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.dense._HELD", 100)
    indexer = Dense(MODEL).indexer()
    for i in range(60):
        indexer.add_texts([f"some more text {800 + i}"])
        assert sum(map(len, indexer.waiting.values())) <= 120
    assert indexer.finish().facts.embedded == 60


def test_memory_of_a_search_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = Dense("minilm")
    dense.prepare()
    rows = np.random.default_rng(0).normal(size=(20_000, 64)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    keys = [digest_of(str(i)) for i in range(len(rows))]
    store = open_vectors()
    store.add(dense.embedder.key, "minilm", keys, rows, [1] * len(rows), [0] * len(rows))
    questions = [f"q{i}" for i in range(200)]
    asked = [dense.embedder.digest(q, "query") for q in questions]
    store.add(dense.embedder.key, "minilm", asked, rows[:200], [1] * 200, [0] * 200)
    searched = DenseRetriever(dense, keys)
    _ = searched.vectors
    monkeypatch.setattr(nearest, "_CELLS", 20_000 * 10)
    tracemalloc.start()
    found = searched.search_all(questions, 5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [numbers[0] for numbers, _ in found] == list(range(200))
    # All scores at once would take 16 MB; ten questions' take 0.8 MB.
    assert peak < 3_000_000


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("dense", "dense"),
        ("dense:model=minilm", "dense:model=minilm"),
        ("dense:minilm,window=128", "dense:model=minilm,window=128"),
        ("dense:model=BAAI/bge-small-en-v1.5", "dense"),
        ("dense:model=/a\\,b/c,window=128", "dense:model=/a\\,b/c,window=128"),
        ("dense:model=minilm,search=hnsw,m=8,ef=99", "dense:model=minilm,search=hnsw,m=8,ef=99"),
        ("dense:model=minilm,query=ask:\\s,passage=", "dense:model=minilm,query=ask:\\s,passage="),
        (
            "dense:model=openai,url=http://127.0.0.1:1/v1,name=x,key=K,batch=9,rate=60,dimensions=256",
            "dense:model=openai,url=http://127.0.0.1:1/v1,name=x,key=K,batch=9,rate=60,dimensions=256",
        ),
    ],
)
def test_text_forms_parse_back(text: str, spec: str) -> None:
    (made,) = make_retrievers(text)
    assert made.spec == spec
    assert make_retrievers(made.spec) == [made]


@given(st.text(max_size=12), st.text(max_size=12))
def test_any_prefix_has_a_text_form(query: str, passage: str) -> None:
    made = Dense("minilm", query=query, passage=passage)
    assert make_retrievers(made.spec) == [made]


def test_a_sweep_and_a_label() -> None:
    found = make_retrievers("dense:model=minilm,window=64|128")
    assert [r.spec for r in found] == ["dense:model=minilm,window=64", "dense:model=minilm,window=128"]
    assert make_retrievers("mine=dense:model=minilm")[0].label == "mine"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dense:minilm,model=minilm", "names two models, 'minilm' and 'minilm'"),
        ("dense:modle=minilm", "did you mean 'model'"),
        ("dense:model=", "model is empty"),
        ("dense:window=0", "window must be a whole number of at least 1"),
        ("dense:window=2", "window must be a whole number of at least 3"),
        ("dense:search=fast", "unknown search 'fast'"),
        ("dense:ef=10", "ef is a setting of search=hnsw"),
        ("danse", "did you mean 'dense'"),
        ("minilm", "minilm is a model, not a retriever; write dense:minilm"),
    ],
)
def test_text_forms_that_cannot_work(text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make_retrievers(text)


def test_prepare_finds_what_is_missing_in_any_of_them() -> None:
    prepare(make_retrievers("bm25") + make_retrievers("dense:model=minilm"))
    with pytest.raises(UnknownName):
        prepare(make_retrievers("dense:model=nobody/knows-this"))


def test_equal_settings_share_a_loaded_model() -> None:
    assert Dense("minilm", label="a").embedder is Dense("minilm", search="hnsw").embedder
    assert Dense("minilm").embedder is not Dense("minilm", query="x").embedder
    assert make_embedder.cache_info().maxsize is not None
