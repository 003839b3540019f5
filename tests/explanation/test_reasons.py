"""Every reason why an answer is missed, each on a question made for it: see `reasons.toml`."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.adapters import from_callable
from chunkwise.evaluate.misses import PARTIAL, REASONS
from chunkwise.explanation import explain
from chunkwise.readers import read_text
from chunkwise.types import Corpus, Gold, GoldenSet, Place, Question, Span
from chunkwise.types.explanation import Explanation

DATA = tomllib.loads(Path(__file__).with_name("reasons.toml").read_text("utf-8"))
QUESTIONS: dict[str, dict[str, Any]] = DATA["questions"]
NOISE = "".join(f"## {i}\n\nA torn filter, torn filter {i}.\n\n" for i in range(150))
CHUNKERS = {
    "dropping": from_callable(lambda _: [(0, 60)], "dropping"),
    "changing": from_callable(lambda text: [text.replace("grade", "sort")], "changing"),
}


def corpus(noise: bool) -> Corpus:
    texts = {name: text.lstrip("\n") for name, text in DATA["documents"].items()}
    if noise:
        texts["noise.md"] = NOISE
    return Corpus([read_text(text, id=name) for name, text in texts.items()])


def asked(id: str, documents: Corpus) -> GoldenSet:
    told = QUESTIONS[id]
    text = documents[told["doc"]].text
    golds = []
    for quote in told["gold"]:
        assert text.count(quote) == 1, quote
        start = text.index(quote)
        golds.append(Gold(quote, (Place(told["doc"], Span(start, start + len(quote))),)))
    return GoldenSet([Question(id, told["question"], tuple(golds))])


def made(id: str) -> Explanation:
    told = QUESTIONS[id]
    documents = corpus(noise=id == "deep")
    if "minilm" in told.get("retriever", ""):
        pytest.importorskip("onnxruntime", reason="the extra 'minilm' is not installed")
    (found,) = explain(
        documents,
        asked(id, documents),
        [CHUNKERS.get(told["chunker"], told["chunker"])],
        question=id,
        retrievers=told.get("retriever", "bm25"),
        k=told.get("k", [5]),
        budgets=told.get("budget", 200),
        primary=told.get("primary"),
    )
    return found


def test_there_is_a_question_for_each_reason() -> None:
    assert {told["reason"] for told in QUESTIONS.values()} == {*REASONS, PARTIAL}
    assert len({*REASONS, PARTIAL}) == 10


@pytest.mark.parametrize("id", QUESTIONS)
def test_the_reason_is_right_and_said(id: str) -> None:
    explanation, told = made(id), QUESTIONS[id]
    (row,) = explanation.rows
    assert row.reason == told["reason"]
    assert told["says"] in row.words
    assert explanation.question == told["question"]
    for gold in row.golds:
        assert (gold.reason == "cut") == bool(gold.cuts)
        if gold.reason in ("unseen", "unmatched", "deep", "outranked", "long", "beyond"):
            assert gold.held is not None
            assert told["gold"][gold.number] in gold.held.text
        for cut in gold.cuts:
            assert cut.before + cut.behind in corpus(noise=False)[told["doc"]].text


def test_what_stands_above_is_shown_with_its_words() -> None:
    (row,) = made("outranked").rows
    first, second = row.chunks
    assert (first.rank, first.hit, second.hit) == (1, False, True)
    assert first.score > second.score
    assert (first.has, first.lacks) == (("foot", "the", "fan"), ("of",))
    assert (second.has, second.lacks) == (("the", "fan"), ("foot", "of"))
    assert second.context == ()


def test_each_of_several_spans_is_told_apart() -> None:
    (row,) = made("partial").rows
    assert [gold.reason for gold in row.golds] == ["", "cut", "beyond"]
    assert row.golds[0].rank == 1
    assert row.golds[1].held is None
    assert row.golds[2].held is not None


def test_cuts_of_overlapping_windows_are_all_told() -> None:
    (row,) = made("overlap").rows
    (gold,) = row.golds
    assert len(gold.cuts) >= 2
    assert [cut.at for cut in gold.cuts] == sorted({cut.at for cut in gold.cuts})


def test_it_is_public() -> None:
    documents = corpus(noise=False)
    (one,) = chunkwise.explain(documents, asked("cut", documents), "fixed:size=20", question="cut")
    assert one["fixed:size=20"].reason == "cut"
    with pytest.raises(KeyError, match=r"\Aunknown row 'heading' \(known: fixed:size=20\)\Z"):
        _ = one["heading"]
