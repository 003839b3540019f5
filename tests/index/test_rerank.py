from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise.errors import ModelError, SettingError, UnknownName
from chunkwise.index import Bm25, Dense, Rerank, make_retrievers
from chunkwise.index.cache import cache_info
from tests.index.tiny import pair_model

CHUNKS = ["red car", "red car car car car", "old red car boat", "green tree", "car", "boat boat boat"]


def built(retriever: Any, chunks: list[str] = CHUNKS) -> Any:
    indexer = retriever.indexer()
    indexer.add_texts(chunks)
    return indexer.finish()


def shared(question: str, text: str) -> float:
    """What the tiny model says: pairs of equal words."""
    known = {"red", "green", "blue", "car", "tree", "boat", "old", "new"}
    return float(sum(a == b for a in question.split() for b in text.split() if a in known))


def by_length(question: str, texts: list[str]) -> Any:
    return [-abs(len(text) - len(question)) for text in texts]


CALLS: list[int] = []


def counted(question: str, texts: list[str]) -> Any:
    CALLS.append(len(texts))
    return by_length(question, texts)


def wrong(question: str, texts: list[str]) -> Any:
    assert question
    return [float("nan")] * len(texts)


def test_the_first_are_put_in_order_by_the_model(tmp_path: Path) -> None:
    rerank = Rerank(Bm25(), str(pair_model(tmp_path)), top=10)
    rerank.prepare()
    searched = built(rerank)
    for question in ("red car", "old boat", "car"):
        below, _ = built(Bm25()).search(question, 10)
        found, scores = searched.search(question, 10)
        fits = {n: shared(question, CHUNKS[n]) for n in below.tolist()}
        assert found.tolist() == sorted(fits, key=lambda n: (-fits[n], n))
        assert scores.tolist() == [fits[n] for n in found.tolist()]


def test_what_is_behind_keeps_its_order_and_scores_fall() -> None:
    texts = [f"red {'car ' * i}" for i in range(20)]
    below = built(Bm25(), texts)
    order, _ = below.search("car", 20)
    searched = built(Rerank(Bm25(), f"py:{__name__}.by_length", top=5), texts)
    found, scores = searched.search("car", 20)
    assert sorted(found[:5].tolist()) == sorted(order[:5].tolist())
    assert found[5:].tolist() == order[5:].tolist()
    assert (np.diff(scores) <= 0).all()
    assert scores[5] < scores[4]
    for depth in (1, 3, 5, 6, 12):
        assert searched.search("car", depth)[0].tolist() == found[:depth].tolist()
        assert searched.search("car", depth)[1].tolist() == scores[:depth].tolist()


def test_nothing_below_is_nothing_above() -> None:
    searched = built(Rerank(Bm25(), f"py:{__name__}.by_length"))
    assert searched.search("spaceship", 3)[0].tolist() == []
    assert built(Rerank(Bm25(), f"py:{__name__}.by_length"), []).search("car", 3)[0].tolist() == []


def test_no_pair_is_scored_twice(tmp_path: Path) -> None:
    CALLS.clear()
    searched = built(Rerank(Bm25(), f"py:{__name__}.counted"))
    first = searched.search("red car", 9)
    assert np.array_equal(searched.search("red car", 9)[1], first[1])
    built(Rerank(Bm25(), f"py:{__name__}.counted"), [*CHUNKS, "a new red car"]).search("red car", 9)
    assert CALLS == [4, 1]
    folder = str(pair_model(tmp_path))
    built(Rerank(Bm25(), folder)).search("red car", 9)
    assert [(m.name, m.vectors, m.dimension) for m in cache_info().models] == [(folder, 4, 1)]


def test_pairs_beyond_the_window_are_counted(tmp_path: Path) -> None:
    searched = built(Rerank(Bm25(), str(pair_model(tmp_path)), window=7))
    searched.search("red car", 9)
    # Three special tokens and the question's two leave two words: two of the four texts have more.
    assert (searched.cut, searched.pairs) == (2, 4)
    searched.search("red car", 2)
    assert (searched.cut, searched.pairs) == (2, 4)
    (note,) = searched.notes
    assert note.startswith("2 of 4 pairs of question and chunk are longer than the 7 tokens that ")
    assert built(Rerank(Bm25(), str(pair_model(tmp_path)))).notes == ()


def test_over_dense_and_hybrid_retrieval(tmp_path: Path) -> None:
    folder = str(pair_model(tmp_path))
    for of in ("dense:model=minilm", "hybrid:rrf,dense=minilm"):
        (below,) = make_retrievers(of)
        found, scores = built(Rerank(below, folder)).search("red car", 3)
        assert found.tolist() == [1, 0, 2]
        assert scores.tolist() == [5.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("rerank", "rerank"),
        ("rerank:top=20,of=bm25:k1=2", "rerank:top=20,of=bm25:k1=2"),
        ("rerank:model=/m,of=hybrid:rrf\\,dense=minilm", "rerank:model=/m,of=hybrid:rrf\\,dense=minilm"),
        ("rerank:of=dense:model=/a\\\\\\,b", "rerank:of=dense:model=/a\\\\\\,b"),
        ("rerank:of=rerank:top=200", "rerank:of=rerank:top=200"),
    ],
)
def test_text_forms_parse_back(text: str, spec: str) -> None:
    (made,) = make_retrievers(text)
    assert made.spec == spec
    assert make_retrievers(made.spec) == [made]


def test_a_sweep_over_what_is_below() -> None:
    found = make_retrievers("rerank:of=bm25|dense:model=minilm,top=10|20")
    assert [r.spec for r in found] == [
        "rerank:top=10",
        "rerank:top=20",
        "rerank:top=10,of=dense:model=minilm",
        "rerank:top=20,of=dense:model=minilm",
    ]
    assert [half.spec for half in found[3].halves] == ["dense:model=minilm"]  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("rerank:bm25", SettingError, "rerank takes settings only"),
        ("rerank:top=0", SettingError, "top must be a whole number of at least 1"),
        ("rerank:of=bm26", UnknownName, "did you mean 'bm25'"),
        ("rerank:model=", SettingError, "model is empty"),
        ("rerank:depth=4", UnknownName, "unknown setting of rerank"),
    ],
)
def test_text_forms_that_cannot_work(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_retrievers(text)


def test_models_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no such folder"):
        Rerank(Bm25(), str(tmp_path / "no")).prepare()
    with pytest.raises(ModelError, match="the folder holds no model"):
        Rerank(Bm25(), str(tmp_path)).prepare()
    with pytest.raises(UnknownName, match="did you mean 'Xenova/ms-marco-MiniLM-L-6-v2'"):
        Rerank(Bm25(), "Xenova/ms-marco-MiniLM-L6-v2").prepare()
    with pytest.raises(SettingError, match="takes no window"):
        Rerank(Bm25(), "Xenova/ms-marco-MiniLM-L-6-v2", window=9).prepare()
    with pytest.raises(ModelError, match="gives a score that is not a finite number"):
        built(Rerank(Bm25(), f"py:{__name__}.wrong")).search("car", 3)
    with pytest.raises(ModelError, match="failed: TypeError"):
        built(Rerank(Bm25(), "py:json.loads")).search("car", 3)
    assert Dense("minilm").spec == "dense:model=minilm"
