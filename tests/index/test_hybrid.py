from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index import Bm25, Dense, Hybrid, fill, make_retrievers
from tests.index.tiny import WORDS, static_model

CHUNKS = [
    "red car old",
    "green tree",
    "blue boat new",
    "old red boat",
    "new green car",
    "tree tree tree",
    "boat",
    "blue tree old car",
]


@pytest.fixture
def model(tmp_path: Path) -> str:
    table = np.random.default_rng(3).normal(size=(len(WORDS), 7)).astype(np.float32)
    return str(static_model(tmp_path / "model", table))


def built(hybrid: Any, chunks: list[str] = CHUNKS) -> Any:
    indexer = hybrid.indexer()
    indexer.add_texts(chunks)
    return indexer.finish()


def rows(ranking: Any) -> list[tuple[int, float]]:
    numbers, scores = ranking
    return list(zip(numbers.tolist(), scores.tolist(), strict=True))


def reciprocal(rankings: list[list[int]], k: int) -> list[tuple[int, float]]:
    """Cormack and others (2009), as it is written there."""
    scores: dict[int, float] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, 1):
            scores[number] = scores.get(number, 0) + 1 / (k + rank)
    return sorted(((n, round(s, 6)) for n, s in scores.items()), key=lambda pair: (-pair[1], pair[0]))


@pytest.mark.parametrize(("k", "top"), [(60, 1000), (1, 1000), (60, 3), (5, 1)])
@pytest.mark.parametrize("question", ["red boat", "tree", "old new blue", "spaceship car"])
def test_reciprocal_rank_fusion(model: str, question: str, k: int, top: int) -> None:
    hybrid = Hybrid("rrf", Dense(model), k=k, top=top)
    searched = built(hybrid)
    halves = [r.search(question, top)[0].tolist() for r in (searched.lexical, searched.dense)]
    expected = reciprocal(halves, k)
    found = rows(searched.search(question, 8))
    assert [n for n, _ in found] == [n for n, _ in expected]
    assert np.allclose([s for _, s in found], [s for _, s in expected], atol=1e-6)
    assert rows(searched.search(question, 2)) == found[:2]


@pytest.mark.parametrize("alpha", [0, 0.3, 1])
@pytest.mark.parametrize("norm", ["tmm", "minmax"])
@pytest.mark.parametrize(
    "question", ["red boat", "tree", "blue blue car", "old red boat new green car blue tree"]
)
def test_weighted_sum(model: str, question: str, norm: str, alpha: float) -> None:
    searched = built(Hybrid("weighted", Dense(model), alpha=alpha, norm=norm))
    lexical = dict(rows(searched.lexical.search(question, 99)))
    dense = dict(rows(searched.dense.search(question, 99)))
    lexical = {n: lexical.get(n, 0.0) for n in range(len(CHUNKS))}
    low = {"tmm": (0.0, -1.0), "minmax": (min(lexical.values()), min(dense.values()))}[norm]

    def brought(scores: dict[int, float], least: float, n: int) -> float:
        return (scores[n] - least) / (max(scores.values()) - least)

    expected = {
        n: alpha * brought(dense, low[1], n) + (1 - alpha) * brought(lexical, low[0], n)
        for n in range(len(CHUNKS))
    }
    found = rows(searched.search(question, 8))
    assert sorted(n for n, _ in found) == list(range(len(CHUNKS)))
    assert np.allclose([s for _, s in found], [expected[n] for n, _ in found], atol=2e-6)
    assert [s for _, s in found] == sorted((s for _, s in found), reverse=True)


def test_a_question_that_one_half_does_not_know(model: str) -> None:
    chunks = [*CHUNKS, "spaceship"]
    for hybrid in (Hybrid("rrf", Dense(model)), Hybrid("weighted", Dense(model))):
        searched = built(hybrid, chunks)
        assert searched.search("spaceship", 3)[0].tolist() == [8]  # no vector: BM25 alone
        assert searched.search("nothing of this", 3)[0].tolist() == []
        assert built(hybrid, []).search("red", 3)[0].tolist() == []


def test_it_joins_halves_that_are_there_already(model: str) -> None:
    hybrid = Hybrid("rrf", Dense(model))
    lexical, dense = (built(half) for half in hybrid.halves)
    assert rows(hybrid.join(lexical, dense).search("red boat", 8)) == rows(
        built(hybrid).search("red boat", 8)
    )
    with pytest.raises(SettingError, match="hold 8 and 2 chunks"):
        hybrid.join(lexical, built(Dense(model), CHUNKS[:2]))


def test_it_is_filled_with_others(model: str) -> None:
    hybrid, dense = Hybrid("rrf", Dense(model)).indexer(), Dense(model).indexer()
    hybrid.add_texts(CHUNKS)
    dense.add_texts(CHUNKS)
    assert fill([hybrid, dense, Bm25().indexer()]) == len(CHUNKS)
    assert hybrid.finish().facts.embedded == len(CHUNKS)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("hybrid", "hybrid:rrf"),
        ("hybrid:rrf,dense=minilm", "hybrid:rrf,dense=minilm"),
        ("hybrid:dense=minilm,k=60,top=1000", "hybrid:rrf,dense=minilm"),
        ("hybrid:rrf,dense=minilm,k=20,top=99", "hybrid:rrf,dense=minilm,k=20,top=99"),
        ("hybrid:weighted,alpha=0.5,dense=minilm", "hybrid:weighted,dense=minilm"),
        (
            "hybrid:weighted,dense=minilm,alpha=1,norm=minmax",
            "hybrid:weighted,dense=minilm,alpha=1,norm=minmax",
        ),
        (
            "hybrid:rrf,dense=minilm,words=ascii,k1=1.2,window=64",
            "hybrid:rrf,dense=minilm,window=64,k1=1.2,words=ascii",
        ),
        (
            "hybrid:rrf,dense=openai,url=http://127.0.0.1:1/v1,name=n",
            "hybrid:rrf,dense=openai,url=http://127.0.0.1:1/v1,name=n",
        ),
    ],
)
def test_text_forms_parse_back(text: str, spec: str) -> None:
    (made,) = make_retrievers(text)
    assert made.spec == spec
    assert make_retrievers(made.spec) == [made]


@given(st.sampled_from(["rrf", "weighted"]), st.integers(1, 200), st.floats(0, 1), st.floats(0, 9))
def test_any_hybrid_has_a_text_form(fusion: str, k: int, alpha: float, k1: float) -> None:
    own = {"k": k} if fusion == "rrf" else {"alpha": alpha}
    made = Hybrid(fusion, Dense("minilm"), Bm25(k1=k1), **own)
    assert make_retrievers(made.spec) == [made]


def test_the_halves_have_text_forms_of_their_own() -> None:
    (made,) = make_retrievers("hybrid:rrf,dense=minilm,window=64,b=0.5")
    assert isinstance(made, Hybrid)
    assert [half.spec for half in made.halves] == ["bm25:b=0.5", "dense:model=minilm,window=64"]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("hybrid:sum", UnknownName, "unknown fusion 'sum'"),
        ("hybrid:rrf,alpha=0.3", UnknownName, "unknown setting of hybrid:rrf 'alpha'"),
        ("hybrid:weighted,k=3", UnknownName, "unknown setting of hybrid:weighted 'k'"),
        ("hybrid:weighted,alpha=2", SettingError, "alpha must be a number from 0 to 1"),
        ("hybrid:weighted,alpha=nan", SettingError, "alpha must be a number from 0 to 1"),
        ("hybrid:weighted,norm=z", UnknownName, "unknown normalisation 'z'"),
        ("hybrid:rrf,k=0", SettingError, "k must be a whole number of at least 1"),
        ("hybrid:rrf,model=minilm", UnknownName, "unknown setting of hybrid:rrf 'model'"),
    ],
)
def test_text_forms_that_cannot_work(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_retrievers(text)
