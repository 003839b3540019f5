"""The one flow: figures against plain loops, each document once, the same bytes."""

from __future__ import annotations

import json
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from chunkwise.adapters import from_callable
from chunkwise.chunk import Fixed, Heading
from chunkwise.errors import SettingError
from chunkwise.evaluate import evaluate
from chunkwise.index import Analyzer, Bm25
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

from .make import GOLDEN, QUESTIONS, QUICK, ROWS, TEXTS, documents, plain, run


def by_loops(candidate: Candidate, question: Question, budget: int = 0) -> tuple[list[int | None], float]:
    """Ranks of the golds (contained), and the share of their characters within a budget of words."""
    chunks = [(d, c) for d in documents() for c in candidate.chunker(d)]
    indexer = Bm25().indexer(Analyzer())
    indexer.add_texts(c.indexed for _, c in chunks)
    order = [int(i) for i in indexer.finish().search(question.text, 1000)[0]]
    ranks: list[int | None] = []
    for gold in question.golds:
        (place,) = gold.places
        hits = [
            rank
            for rank, i in enumerate(order, 1)
            if chunks[i][0].id == place.doc
            and chunks[i][1].span is not None
            and chunks[i][1].span.contains(place.span)
        ]
        ranks.append(hits[0] if hits else None)
    seen: set[tuple[str, int]] = set()
    for i in order:
        document, chunk = chunks[i]
        if budget <= 0 or chunk.span is None:
            break
        words = chunk.text.split()
        end = chunk.span.end
        if len(words) > budget:  # up to the end of the last word that is paid for
            stop = 0
            for word in words[:budget]:
                stop = chunk.text.index(word, stop) + len(word)
            end = chunk.span.start + stop
        seen |= {(document.id, p) for p in range(chunk.span.start, end)}
        budget -= len(words)
    whole = [{(p.doc, i) for i in range(*p.span)} for g in question.golds for p in g.places]
    return ranks, sum(len(w & seen) for w in whole) / sum(map(len, whole))


def test_figures_are_those_of_plain_loops() -> None:
    report = run()
    for candidate, row in zip(ROWS, report.candidates, strict=True):
        for question in QUESTIONS:
            ranks, _ = by_loops(candidate, question)
            own = row.questions[question.id]
            known = [r for r in ranks if r is not None]
            assert own["rank"] == (max(known) if len(known) == len(ranks) else None)
            if len(ranks) > 1:
                assert own["ranks"] == ranks
            assert own["hit@3"] == all(r is not None and r <= 3 for r in ranks)
            assert own["recall@1"] == sum(r == 1 for r in ranks) / len(ranks)
            for budget in (10, 25):
                share = by_loops(candidate, question, budget)[1]
                assert own[f"recall@{budget}words"] == pytest.approx(share, abs=1e-6)
        for name, score in row.measures.items():
            values = [row.questions[q.id][name] for q in QUESTIONS]
            assert score.value == pytest.approx(np.mean(values), abs=2e-6)
            assert 0 <= score.low <= score.value <= score.high <= 1


def test_an_unanswered_question_counts_as_zero() -> None:
    row = run().candidates[0]
    assert row.questions["none"]["rank"] is None
    assert row.questions["none"]["recall@25words"] == 0
    assert len(row.questions) == len(QUESTIONS)


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (replace(run(), timings={}).to_json() for _ in range(2))
    assert first == second
    assert json.loads(first)["schema"] == 1


def test_a_report_is_read_back_equal() -> None:
    report = run(by=("kind", "part"))
    again = Report.from_json(report.to_json())
    assert again == report
    assert again.to_json() == report.to_json()
    assert again["para"].label == "para"


def test_batches_and_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plain(run(size_matched=1))
    monkeypatch.setattr("chunkwise.evaluate.gathering._BATCH", 1)
    assert plain(run(size_matched=1)) == whole
    monkeypatch.setattr("chunkwise.evaluate.control.HELD", 10)
    assert plain(run(size_matched=1)) == whole


def test_a_shallow_search_is_deepened_until_the_budget_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = run([Candidate(Fixed(size=12))], k=(1,), budgets=(40,))
    monkeypatch.setattr("chunkwise.evaluate.plan.DEPTH", 1)
    shallow = run([Candidate(Fixed(size=12))], k=(1,), budgets=(40,))
    assert shallow.settings["depth"] == 1
    name = "recall@40words"
    assert shallow.candidates[0].measures[name] == deep.candidates[0].measures[name]
    assert shallow.candidates[0].costs["sent"] == deep.candidates[0].costs["sent"]


class Blocks:
    """BM25 that takes all questions at once, and tells how often it was asked, and what was still there."""

    spec = "blocks"

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.made: list[weakref.ref[Any]] = []

    def indexer(self, analyzer: Any) -> Any:
        below, outer = Bm25().indexer(analyzer), self

        class Retriever:
            def __init__(self) -> None:
                self.below = below.finish()
                outer.made.append(weakref.ref(self))

            def search(self, question: str, depth: int) -> Any:
                return self.below.search(question, depth)

            def search_all(self, questions: Sequence[str], depth: int) -> Any:
                alive = sum(ref() is not None for ref in outer.made)
                outer.asked.append((len(questions), alive))
                return [self.below.search(question, depth) for question in questions]

        class Indexer:
            add = staticmethod(below.add)
            finish = staticmethod(Retriever)

        return Indexer()


def test_all_questions_are_asked_at_once_and_an_index_is_let_go_behind_its_last_row() -> None:
    retriever = Blocks()
    rows = [row._replace(retriever="blocks") for row in ROWS]
    rows.append(rows[0]._replace(label="again"))
    found = run(rows, retrievers={"blocks": retriever})
    # The first index has one more row to come, so that it stays; no question needs a deeper search here.
    assert retriever.asked == [(6, 3), (6, 3), (6, 2), (6, 1)]
    plain_search = run([*ROWS, ROWS[0]._replace(label="again")])
    for one, other in zip(found.candidates, plain_search.candidates, strict=True):
        assert (one.measures, one.questions) == (other.measures, other.questions)


def test_another_number_of_rankings_than_of_questions_is_refused() -> None:
    class Short(Blocks):
        def indexer(self, analyzer: Any) -> Any:
            below = Bm25().indexer(analyzer)

            class Retriever:
                search = None

                def search_all(self, questions: Sequence[str], depth: int) -> Any:
                    return (below.finish().search(question, depth) for question in questions[1:])

            class Indexer:
                add = staticmethod(below.add)
                finish = staticmethod(Retriever)

            return Indexer()

    with pytest.raises(SettingError, match=r"Retriever\.search_all gave 5 rankings for 6 questions"):
        run([ROWS[0]._replace(retriever="blocks")], retrievers={"blocks": Short()})


def test_each_document_is_read_parsed_and_cut_once() -> None:
    loads: dict[str, int] = {}
    parses: dict[str, int] = {}
    cuts: dict[str, int] = {}

    def parse(text: str, id: str) -> Any:
        parses[text] = parses.get(text, 0) + 1
        return parse_markdown(text, id)

    def load(id: str) -> Document:
        loads[id] = loads.get(id, 0) + 1
        return Document(id, TEXTS[id], parse)

    def halves(text: str) -> list[tuple[int, int]]:
        cuts[text] = cuts.get(text, 0) + 1
        return [(0, len(text) // 2), (len(text) // 2, len(text))]

    digests = {d.id: d.digest for d in documents()}
    corpus = Corpus.lazy(TEXTS, load, digests=digests)
    chunker = from_callable(halves, "halves")
    sweep = [f"bm25:k1={k1}" for k1 in (0.5, 1.0, 2.0)]
    rows = [Candidate(chunker, r, label=r) for r in sweep] + [Candidate(Heading(size=120))]
    report = evaluate(corpus, GOLDEN, rows, **QUICK)
    assert set(loads.values()) == set(parses.values()) == set(cuts.values()) == {1}
    alone = evaluate(Corpus(documents()), GOLDEN, [Candidate(chunker, sweep[2], label=sweep[2])], **QUICK)
    assert report[sweep[2]] == alone.candidates[0]


def test_retrievers_that_share_their_counts_keep_their_weights() -> None:
    sweep = ["bm25:k1=0.5", "bm25:k1=2"]

    def of_row(report: Report, name: str) -> dict[str, list[float]]:
        return {
            e["id"]: [c["score"] for c in row["chunks"]]
            for e in report.exhibits
            if e["kind"] == "question"
            for row in e["rows"]
            if row["candidate"] == name
        }

    def shown(retrievers: list[str]) -> Report:
        return run([Candidate(Fixed(size=40), r, label=r) for r in retrievers], exhibits=len(QUESTIONS))

    together = shown(sweep)
    for name in sweep:
        assert of_row(together, name) == of_row(shown([name]), name)
    assert of_row(together, sweep[0]) != of_row(together, sweep[1])


def test_raw_coordinates_decide_where_a_mark_stands_in_front() -> None:
    shifted = documents(shift=1)
    moved = [
        q._replace(
            golds=tuple(
                Gold(g.quote, tuple(Place(p.doc, Span(p.span.start + 1, p.span.end + 1)) for p in g.places))
                for g in q.golds
            )
        )
        for q in QUESTIONS
    ]
    report = evaluate(Corpus(shifted), GoldenSet(moved, GOLDEN.digests), ROWS, **QUICK)
    for row, usual in zip(report.candidates, run().candidates, strict=True):
        assert row.measures == usual.measures
        assert row.boundaries == usual.boundaries
