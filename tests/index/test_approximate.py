from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chunkwise.errors import MissingExtra, SettingError
from chunkwise.index import Bm25, Dense, DenseRetriever, Hybrid, Rerank
from chunkwise.index.approximate import Hnsw, measure

SIZE, COUNT = 16, 800


def numbers(texts: list[str]) -> Any:
    return np.array([np.random.default_rng(int(text)).normal(size=SIZE) for text in texts])


def retriever(**settings: Any) -> DenseRetriever:
    indexer = Dense(f"py:{__name__}.numbers", **settings).indexer()
    indexer.add_texts(str(i) for i in range(COUNT))
    return indexer.finish()


def best(question: str, texts: list[str]) -> Any:
    return [float(len(question) == len(text)) for text in texts]


QUESTIONS = [str(COUNT + i) for i in range(40)]


def test_a_wide_search_finds_what_exact_search_finds() -> None:
    exact, wide = retriever(), retriever(search="hnsw", m=32, ef_construct=400, ef=400)
    for question in QUESTIONS[:10]:
        (a, b), (c, d) = exact.search(question, 10), wide.search(question, 10)
        assert a.tolist() == c.tolist()
        assert b.tolist() == d.tolist()


def test_its_loss_is_measured_against_exact_search() -> None:
    narrow, wide = retriever(search="hnsw", m=2, ef_construct=4, ef=1), retriever(search="hnsw", ef=200)
    exact = retriever()
    loss = measure(narrow, QUESTIONS, k=10)
    shares = []
    for question in QUESTIONS:
        mine = set(narrow.search(question, 10)[0].tolist())
        shares.append(len(mine & set(exact.search(question, 10)[0].tolist())) / 10)
    assert loss.recall == pytest.approx(np.mean(shares), abs=1e-6)
    assert loss.recall < 0.95 < measure(wide, QUESTIONS).recall
    assert (loss.questions, loss.k) == (40, 10)
    assert 0 < loss.p50_ms <= loss.p99_ms
    assert loss.exact_p50_ms > 0
    assert COUNT * SIZE * 4 < loss.bytes == narrow.facts.bytes
    assert loss.build_seconds > 0


def test_figures_for_a_report_keep_times_apart() -> None:
    narrow = retriever(search="hnsw", m=2, ef_construct=4, ef=1)
    found, again = (narrow.approximate_figures(QUESTIONS, k=5) for _ in range(2))
    assert found is not None
    assert again is not None
    assert sorted(found.pop("seconds")) == ["build", "exact_p50", "p50", "p99"]
    del again["seconds"]
    assert found == again == {**found, "questions": 40, "k": 5, "m": 2, "ef_construct": 4, "ef": 1}
    assert found["recall"] == measure(narrow, QUESTIONS, k=5).recall
    assert found["bytes"] == narrow.facts.bytes
    assert retriever().approximate_figures(QUESTIONS) is None
    assert narrow.approximate_figures([]) is None


def test_what_is_made_of_an_approximate_search_gives_its_figures() -> None:
    dense = retriever(search="hnsw")
    texts = [str(i) for i in range(COUNT)]
    lexical = Bm25().indexer()
    lexical.add_texts(texts)
    hybrid = Hybrid("rrf", dense.settings).join(lexical.finish(), dense)
    rerank = Rerank(hybrid.settings, f"py:{__name__}.best").join(hybrid, texts)
    expected = measure(dense, QUESTIONS).recall
    for made in (hybrid, rerank):
        figures = made.approximate_figures(QUESTIONS)
        assert figures is not None
        assert figures["recall"] == expected
    assert Rerank(Bm25(), f"py:{__name__}.best").join(lexical.finish(), texts).approximate_figures([]) is None


def test_it_is_the_same_each_time() -> None:
    one, two = (retriever(search="hnsw", m=4, ef_construct=8, ef=4) for _ in range(2))
    assert all(one.search(q, 10)[0].tolist() == two.search(q, 10)[0].tolist() for q in QUESTIONS)


def test_rows_that_are_left_out_and_few_points() -> None:
    rows = np.eye(4, dtype=np.float32)
    graph = Hnsw(rows, leave=[1])
    assert len(graph) == 3
    assert sorted(graph.search(rows[1], 10).tolist()) == [0, 2, 3]
    assert Hnsw(rows[:0]).search(rows[0], 3).tolist() == []


def test_what_cannot_be_measured() -> None:
    with pytest.raises(SettingError, match="searches exactly; there is nothing to measure"):
        measure(retriever(), QUESTIONS)
    with pytest.raises(SettingError, match="at least one question"):
        measure(retriever(search="hnsw"), [])


def test_a_missing_library_is_told_before_any_document_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.approximate.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'chunkwise\[ann\]'"):
        Dense("minilm", search="hnsw").prepare()
