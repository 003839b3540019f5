"""Checks on figures: runs and chunks counted by hand, ranks of the built-in search."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from chunkwise.errors import ChunkwiseError
from chunkwise.evaluate import evaluate
from chunkwise.golden import load_golden
from chunkwise.measure import parse_measure, score_run
from chunkwise.measure.boundaries import boundaries
from chunkwise.measure.sizes import index_costs
from chunkwise.readers import read_text
from chunkwise.types import (
    Candidate,
    CandidateReport,
    ChunkTable,
    Corpus,
    Gold,
    GoldenSet,
    Place,
    Question,
    Ranking,
    Span,
)
from chunkwise.types import Run as Searched

from .mapping import Trial, chunkers_for

Check = dict[str, Any]
FORMS = {"recall": "recall@{k}", "mrr": "mrr@{k}"}
"""Measures that a case names without a number -> with one."""


def table_of(spans: Sequence[tuple[int, int, int]], doc_ids: Sequence[str]) -> ChunkTable:
    """A table of chunks given as document number, start, end."""
    docs, starts, ends = np.array(spans, dtype=np.int64).reshape(-1, 3).T
    return ChunkTable(docs, starts, ends, ends - starts, lambda chunks, n: starts[chunks] + n, tuple(doc_ids))


def mean(
    metric: str, questions: Sequence[Question], table: ChunkTable, ranked: Sequence[Sequence[int]]
) -> float:
    """The mean of a measure over all questions."""
    depth = max((len(chunks) for chunks in ranked), default=1)
    measure = parse_measure(FORMS.get(metric, metric).format(k=max(depth, 1)))
    rankings = [
        Ranking(q.id, np.array(chunks, dtype=np.int64), np.arange(len(chunks), 0, -1.0))
        for q, chunks in zip(questions, ranked, strict=True)
    ]
    run = Searched(Candidate(lambda _: []), table, rankings, {})  # type: ignore[arg-type]
    return float(score_run(run, questions, [measure]).mean())


def asked(id: str, *places: tuple[str, int, int]) -> Question:
    """A question that needs the spans given."""
    golds = tuple(Gold("", (Place(doc, Span(start, end)),)) for doc, start, end in places)
    return Question(id, id, golds)


def value(trial: Trial, check: Check) -> None:
    metric = check["metric"]
    if "run.json" in trial.case.files:
        found = _of_run(trial, metric)
    elif metric in ("mid_sentence", "mid_paragraph"):
        found = _damage(trial, metric.removeprefix("mid_"))
    elif metric in ("embedded_chars", "factor"):
        found = _cost(trial, metric, check["settings"])
    else:
        found = _of_golden(trial, check)
    assert found == pytest.approx(check["equals"], abs=5e-7)


def _of_run(trial: Trial, metric: str) -> float:
    """A measure of a stored run. Chunks are named, or given as spans of a document."""
    questions, ranked = _stored(trial, "run.json")
    spans, doc_ids = _stored_chunks(trial)
    return mean(metric, questions, table_of(spans, doc_ids), ranked)


def _stored_chunks(trial: Trial) -> tuple[list[tuple[int, int, int]], list[str]]:
    rows = json.loads((trial.case.folder / "run.json").read_text("utf-8"))["questions"]
    retrieved = [chunk for row in rows for chunk in row["retrieved"]]
    if retrieved and isinstance(retrieved[0], dict):
        docs = sorted({chunk["doc"] for chunk in retrieved})
        spans = {(docs.index(c["doc"]), c["start"], c["end"]) for c in retrieved}
        return sorted(spans), docs
    names = sorted({*retrieved, *(name for row in rows for name in row["relevant"])})
    return [(number, 0, 10) for number in range(len(names))], names


def _stored(trial: Trial, name: str) -> tuple[list[Question], list[list[int]]]:
    """Questions and rankings. A named chunk is a document of its own; what is not relevant anywhere
    stands in a document without a chunk."""
    spans, docs = _stored_chunks(trial)
    questions, ranked = [], []
    for row in json.loads((trial.case.folder / name).read_text("utf-8"))["questions"]:
        if "span" in row:
            questions.append(asked(row["id"], (row["doc"], *row["span"])))
            ranked.append(
                [spans.index((docs.index(c["doc"]), c["start"], c["end"])) for c in row["retrieved"]]
            )
        else:
            golds = tuple(Place(doc, Span(0, 10)) for doc in row["relevant"]) or (Place("cut", Span(0, 10)),)
            questions.append(Question(row["id"], row["id"], (Gold("", golds),)))
            ranked.append([docs.index(name) for name in row["retrieved"]])
    return questions, ranked


def _damage(trial: Trial, kind: str) -> float:
    ((document, _),) = trial.documents()
    spans = json.loads((trial.case.folder / "chunks.json").read_text("utf-8"))
    return boundaries(document, [(start, end) for start, end in spans]).starts.share(kind)


def _cost(trial: Trial, metric: str, settings: Mapping[str, Any]) -> float:
    (run,) = trial.runs_with(settings)
    columns = np.array([(0, *run.raw(chunk)) for chunk in run.chunks], dtype=np.int64).T
    indexed = sum(len(chunk.indexed) for chunk in run.chunks)
    context = sum(len(run.prefix(chunk)) for chunk in run.chunks)
    costs = index_costs(*columns, indexed, context)
    return float(costs["characters_indexed" if metric == "embedded_chars" else "overlap_factor"])


def _of_golden(trial: Trial, check: Check) -> float:
    """A measure of the case's own golden set, on spans that were retrieved or on the built-in search."""
    settings = {**trial.case.settings, **check.get("settings", {})}
    questions = _questions(trial, check.get("ids"))
    if "retrieved" in check:
        table = table_of([(0, start, end) for start, end in check["retrieved"]], trial.corpus.ids)
        return mean(check["metric"], questions, table, [range(len(table))] * len(questions))
    return _report(trial, settings, questions).measures[check["metric"]].value


def _report(trial: Trial, settings: Mapping[str, Any], questions: Sequence[Question]) -> CandidateReport:
    """What the whole flow says of the one chunker of the settings."""
    (chunker,) = chunkers_for(settings)
    report = evaluate(trial.corpus, GoldenSet(questions), [Candidate(chunker)], k=(1, 3, 5, 10), resamples=20)
    return report.candidates[0]


def _questions(trial: Trial, ids: Sequence[str] | None) -> list[Question]:
    """The golden set, or some questions of it where others are refused."""
    if ids is None:
        return list(load_golden(trial.case.folder / "golden.jsonl", trial.corpus))
    questions = []
    for row in trial.case.lines("golden.jsonl"):
        if row["id"] in ids:
            start = trial.corpus[row["doc"]].text.index(row["answer"])
            found = asked(row["id"], (row["doc"], start, start + len(row["answer"])))
            questions.append(found._replace(text=row["question"]))
    assert len(questions) == len(ids)
    return questions


def rank_is(trial: Trial, check: Check) -> None:
    golden = _questions(trial, None)
    assert _report(trial, trial.case.settings, golden).questions[check["id"]]["rank"] == check["rank"]


def same_result(trial: Trial, check: Check) -> None:
    """Chunks with equal scores, met in two orders: the hits at rank 1 are the same."""
    results = [_tied(json.loads((trial.case.folder / name).read_text("utf-8"))) for name in check["files"]]
    assert all(result == results[0] for result in results)


def _tied(stored: Mapping[str, Any]) -> list[float]:
    """hit@1 of each question, where every chunk is a document of the same words."""
    (chunker,) = chunkers_for({"strategy": "paragraph", "size": 100})
    hits = []
    for row in stored["questions"]:
        assert len({score for _, score in row["scored"]}) == 1
        corpus = Corpus(read_text("the same words", id=name) for name, _ in row["scored"])
        golden = GoldenSet([asked("words", *((name, 0, 14) for name in row["relevant"]))])
        report = evaluate(corpus, golden, [Candidate(chunker)], k=(1, 3), resamples=20)
        hits.append(report.candidates[0].measures["hit@1"].value)
    return hits


def at_most_one(trial: Trial, _: Check) -> None:
    for metric in ("hit@1", "hit@5", "recall@1", "recall@5", "mrr@5", "ceiling", "recall@50words"):
        assert 0 <= _of_run(trial, metric) <= 1


def no_questions(trial: Trial, check: Check) -> None:
    """An error of a stored run: without questions there is no figure."""
    stored = json.loads((trial.case.folder / check["file"]).read_text("utf-8"))
    assert stored["questions"] == []
    corpus = Corpus([read_text("Some text.")])
    with pytest.raises(ChunkwiseError) as caught:
        evaluate(corpus, GoldenSet([]), [Candidate(chunkers_for({"strategy": "document"})[0])])
    assert all(name in str(caught.value) for name in check["names"])


CHECKS = {"value": value, "rank_is": rank_is, "same_result": same_result, "at_most_one": at_most_one}
