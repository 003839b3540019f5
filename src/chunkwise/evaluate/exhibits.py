"""A few questions shown with their texts: what each row handed to the reader, and where its cuts fell.

Behind the questions come documents with the cuts of every row (see `evaluate.reader`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from chunkwise.evaluate.kept import Kept
from chunkwise.evaluate.parting import cuts_in, heading_cut_off, holding
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.reader import shown_documents
from chunkwise.evaluate.scoring import Scored
from chunkwise.measure.landmarks import Landmarks
from chunkwise.measure.plain import finds
from chunkwise.text import VISIBLE
from chunkwise.types import Corpus, Document, Place, Question, Run

SHOWN = 3
"""Places of an answer that are shown."""
_AROUND = 400  # characters of the document on each side of a gold
_MOST = 4000  # characters of a text

_Saying = Callable[[str, int], dict[str, Any]]
_Marking = Callable[[Document], Landmarks]


def exhibits(
    corpus: Corpus,
    questions: Sequence[Question],
    runs: Sequence[Run],
    scored: Sequence[Scored],
    plan: Plan,
    count: int,
    kept: Kept,
    numbers: Sequence[int],
) -> tuple[dict[str, Any], ...]:
    """The questions on which the rows differ most, each with the first chunks of every row; then documents.

    Args:
        corpus: the documents; those that are shown are read once more.
        questions: all questions.
        runs: one a row.
        scored: one a row.
        plan: the settings.
        count: how many questions are shown; of each family at most one, as long as there are others. With 0
            no document is shown either.
        kept: what was kept of documents and their chunks.
        numbers: for each row the number of its chunker.
    """
    if not count:
        return ()
    chosen = _chosen(questions, scored, plan, count) if questions else []
    said = [partial(_said, kept, number) for number in numbers]
    asked = [_question(i, corpus, questions, runs, scored, plan, said, kept.landmarks) for i in chosen]
    return (*asked, *shown_documents(kept, [questions[i] for i in chosen], questions, runs, numbers, plan))


def _chosen(questions: Sequence[Question], scored: Sequence[Scored], plan: Plan, count: int) -> list[int]:
    """Numbers of the questions on which the rows differ most."""
    column = [m.name for m in plan.measures].index(plan.primary.name)
    primary = np.stack([one.values[:, column] for one in scored], axis=1)
    spread = (primary.max(axis=1) - primary.min(axis=1)).round(6)
    order = np.argsort(-spread, kind="stable").tolist()
    first_of_family: dict[str, int] = {}
    for i in order:
        first_of_family.setdefault(questions[i].family or questions[i].id, i)
    leading = set(first_of_family.values())
    return [*(i for i in order if i in leading), *(i for i in order if i not in leading)][:count]


def _question(
    i: int,
    corpus: Corpus,
    questions: Sequence[Question],
    runs: Sequence[Run],
    scored: Sequence[Scored],
    plan: Plan,
    said: Sequence[_Saying],
    mark: _Marking,
) -> dict[str, Any]:
    documents: dict[str, Document] = {}

    def load(doc: str) -> Document:
        if doc not in documents:
            documents[doc] = corpus[doc].source
        return documents[doc]

    question = questions[i]
    rows = [_row(*row, question, i, plan, load, mark) for row in zip(runs, scored, said, strict=True)]
    return {
        "kind": "question",
        "id": question.id,
        "question": question.text,
        "golds": [
            [_shown_place(load(place.doc), place.span, gold.quote) for place in gold.places[:SHOWN]]
            for gold in question.golds
        ],
        "rows": rows,
    }


def _row(
    run: Run,
    scored: Scored,
    said: _Saying,
    question: Question,
    number: int,
    plan: Plan,
    load: Any,
    mark: _Marking,
) -> dict[str, Any]:
    ranks = scored.found.ranks(plan.rule)
    first = int(scored.found.places.first_gold[number])
    own = ranks[first : first + len(question.golds)].tolist()
    last = max(own)
    deepest = max(plan.k, default=SHOWN)
    ranking = run.rankings[number]
    chunks = []
    for rank, (chunk, score) in enumerate(
        zip(ranking.chunks.tolist(), ranking.scores.tolist(), strict=True), 1
    ):
        if rank > deepest and rank not in own:
            continue
        hit = any(
            finds(run.table, chunk, place, plan.rule) for gold in question.golds for place in gold.places
        )
        chunks.append({"rank": rank, "score": round(score, 6), "hit": hit, **_chunk(run, chunk, load, said)})
    return {
        "candidate": run.candidate.name,
        "rank": last if last <= plan.depth else None,
        "chunks": chunks,
        "golds": [
            _gold(run, gold.places, _at(ranking.chunks, rank), rank, plan, load, said, mark)
            for gold, rank in zip(question.golds, own, strict=True)
        ],
    }


def _gold(
    run: Run,
    places: Sequence[Place],
    chunk: int | None,
    rank: int,
    plan: Plan,
    load: Any,
    said: _Saying,
    mark: _Marking,
) -> dict[str, Any]:
    """A needed span in a row: the rank of the chunk that holds it, or that chunk, or where it is cut."""
    if chunk is not None:
        return {"rank": rank, **_heading(run, chunk, places, plan, load, said)}
    holder = holding(run.table, places, plan.rule)
    if holder is not None:
        heading = _heading(run, holder, places, plan, load, said)
        return {"rank": None, "held": _chunk(run, holder, load, said), **heading}
    place = places[0]
    return {"rank": None, "cuts": cuts_in(run.table, place, load(place.doc), mark)}


def _heading(
    run: Run, chunk: int, places: Sequence[Place], plan: Plan, load: Any, said: _Saying
) -> dict[str, str]:
    """The heading that was cut off from an answer; nothing where the context of the chunk was not kept."""
    place = next((place for place in places if finds(run.table, chunk, place, plan.rule)), None)
    told = said(*_number(run, chunk))
    if place is None or "context" not in told:
        return {}
    document: Document = load(place.doc)
    span = document.from_raw((int(run.table.starts[chunk]), int(run.table.ends[chunk])))
    indexed = "\n".join([*(text for _, text in told["context"]), document.text[span.start : span.end]])
    title = heading_cut_off(document, document.from_raw(place.span), span.start, indexed)
    return {"heading": title} if title else {}


def _at(chunks: Any, rank: int) -> int | None:
    """The chunk at a rank; None where the ranking ends above it."""
    return int(chunks[rank - 1]) if rank <= len(chunks) else None


def _number(run: Run, chunk: int) -> tuple[str, int]:
    """The document of a chunk, and its number in that."""
    table = run.table
    doc = table.docs[chunk]
    return table.doc_ids[int(doc)], chunk - int(np.searchsorted(table.docs, doc))


def _said(kept: Kept, number: int, doc: str, chunk: int) -> dict[str, Any]:
    """The context of a chunk, where it was kept; `number` is that of its chunker."""
    said = kept.said.get((number, doc))
    return {} if said is None else {"context": [list(pair) for pair in said[chunk][0]]}


def _chunk(run: Run, chunk: int, load: Any, said: _Saying) -> dict[str, Any]:
    table = run.table
    start, end = int(table.starts[chunk]), int(table.ends[chunk])
    (doc, number), size = _number(run, chunk), int(table.sent[chunk])
    if start < 0:
        return {"doc": doc, "start": None, "end": None, "size": size, "path": [], "text": ""}
    document: Document = load(doc)
    span = document.from_raw((start, end))
    visible = VISIBLE.search(document.text, span.start, span.end)
    section = document.sections.at(visible.start() if visible else span.start)
    return {
        "doc": doc,
        "start": start,
        "end": end,
        "number": number,
        **said(doc, number),
        "lines": _lines(document, span),
        **({"page": document.page(span.start)} if document.pages else {}),
        "size": size,
        "path": list(document.sections.path(section)),
        **_shortened("text", document.text[span.start : span.end]),
    }


def _shown_place(document: Document, raw: tuple[int, int], quote: str) -> dict[str, Any]:
    span = document.from_raw(raw)
    before, behind = max(0, span.start - _AROUND), min(len(document.text), span.end + _AROUND)
    return {
        "doc": document.id,
        "start": raw[0],
        "end": raw[1],
        "lines": _lines(document, span),
        "path": list(document.sections.path(document.sections.at(span.start))),
        **_shortened("quote", quote or document.text[span.start : span.end]),
        "before": document.text[before : span.start],
        "behind": document.text[span.end : behind],
    }


def _lines(document: Document, span: tuple[int, int]) -> list[int]:
    """First and last line of a span, from 1; the blank lines behind it left aside."""
    last = span[0] + len(document.text[span[0] : span[1]].rstrip())
    return [document.line(span[0]), document.line(max(span[0], last - 1))]


def _shortened(name: str, text: str) -> dict[str, Any]:
    """A text under its name, with a mark where only its beginning is shown."""
    return {name: text} if len(text) <= _MOST else {name: text[:_MOST], "shortened": True}
