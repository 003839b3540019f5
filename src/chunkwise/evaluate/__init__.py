"""The one flow: corpus + golden set + candidates -> report.

Every document is parsed once and cut by every chunker while it is at hand; what is kept of it are
columns of integers. Then every question is searched in every index, and every ranking is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from chunkwise.evaluate.about import about_corpus, about_golden, furthest, settings
from chunkwise.evaluate.cautions import cautions
from chunkwise.evaluate.churn import Churn
from chunkwise.evaluate.cleaning import cleaned_corpora, gather_cleaned
from chunkwise.evaluate.control import control_of, held
from chunkwise.evaluate.exhibits import exhibits as _exhibits
from chunkwise.evaluate.gathering import Clock, Indexing, Progress
from chunkwise.evaluate.kept import Kept
from chunkwise.evaluate.layout import Layout
from chunkwise.evaluate.overlap import measured, thirds
from chunkwise.evaluate.plan import (
    Plan,
    check_candidates,
    check_corpus,
    check_golden_set,
    make_plan,
)
from chunkwise.evaluate.prices import Prices
from chunkwise.evaluate.ranked import rank
from chunkwise.evaluate.rows import make_rows
from chunkwise.evaluate.starts import check_offsets
from chunkwise.evaluate.stored import Columns, Stored, evaluate_stored
from chunkwise.index import Analyzer, Bm25, Saved, make_retrievers
from chunkwise.measure import HitRule
from chunkwise.types import (
    Candidate,
    Chunk,
    Corpus,
    GoldenSet,
    Measure,
    Report,
)

__all__ = [
    "Clock",
    "Columns",
    "Indexing",
    "Prices",
    "Progress",
    "Stored",
    "evaluate",
    "evaluate_stored",
    "held",
]


def evaluate(
    corpus: Corpus,
    golden: GoldenSet | None,
    candidates: Sequence[Candidate],
    *,
    k: int | Iterable[int] = (1, 3, 5, 10),
    budgets: int | Iterable[int] = (500, 1000, 2000),
    unit: str | Callable[[str], int] = "words",
    rule: str | HitRule = "contained",
    primary: str | Measure | None = None,
    by: str | Iterable[str] = (),
    seed: int = 0,
    resamples: int = 10_000,
    show_context: bool = False,
    size_matched: int | None = None,
    retrievers: Mapping[str, Indexing] | None = None,
    measures: Iterable[str | Measure] = (),
    prices: Prices | str | Path | None = None,
    exhibits: int = 10,
    progress: Progress | None = None,
) -> Report:
    """Measure every candidate on every question. The report has no decision yet.

    Args:
        corpus: the documents; walked once (chunkers are called once a document).
        golden: the questions; every one counts, an unanswered one as 0. None: there are none, and
            only sizes and the damage at the cuts are measured.
        candidates: the rows, each with a name of its own.
        k: the k of hit@k, recall@k and MRR@k.
        budgets: budgets of recall at a budget, in `unit`.
        unit: `words`, `chars`, `cl100k`, `o200k`, a tokenizer file, or a function `text -> int`.
        rule: the hit rule of the figures; the other rules' figures stand beside them.
        primary: the measure that rows are compared on; by default recall at a budget of 1,000.
        by: tags whose values are shown apart, and crossed where there are several.
        seed: of the resamples.
        resamples: number of bootstrap resamples.
        show_context: whether the reader is shown, and pays for, the context of chunks.
        size_matched: number of a candidate; a row of fixed windows of its mean size is added, so that what
            its cuts do can be told from what its size does.
        retrievers: retrievers that are no built-in ones, by the text form that candidates name.
        measures: what is measured besides, such as `precision@3` or `iou@5/words`.
        prices: what a million tokens cost, or the path of a price file (see `evaluate.prices`).
        exhibits: how many questions are shown with the texts of their chunks, and documents with the cuts of
            every row; 0 keeps all texts out.
        progress: `progress(stage, done, total)`.

    Raises:
        SettingError: a setting that cannot work, no candidates, or two of one name.
        ReadError: the price file cannot be read.
        CorpusError: no documents.
        GoldenError: no questions, or questions about other documents.
    """
    plan = make_plan(
        k=k,
        budgets=budgets,
        unit=unit,
        rule=rule,
        primary=primary,
        by=by,
        seed=seed,
        resamples=resamples,
        show_context=show_context,
        measures=measures,
        prices=prices,
    )
    check_candidates(candidates)
    for candidate in candidates:
        check_offsets(candidate)
    check_corpus(corpus)
    if golden is not None:
        check_golden_set(golden, corpus, plan.by)
    known = dict(retrievers or {})
    for candidate in candidates:
        if candidate.retriever not in known:
            known[candidate.retriever] = make_retrievers(candidate.retriever)[0]
    tell: Progress = progress if progress is not None else _silent
    clock = Clock()
    corpus = held(corpus)
    clock.stop("read")
    cut_before: dict[tuple[int, str], Sequence[Chunk]] = {}
    if size_matched is not None:
        lexical = isinstance(known[candidates[size_matched].retriever], Bm25)
        control, cut_before = control_of(corpus, candidates, size_matched, clock, lexical)
        candidates = [*candidates, control]
        check_candidates(candidates)
    return _run(corpus, golden, candidates, plan, known, exhibits, clock, tell, cut_before)


def _run(
    corpus: Corpus,
    golden: GoldenSet | None,
    candidates: Sequence[Candidate],
    plan: Plan,
    retrievers: Mapping[str, Indexing],
    count: int,
    clock: Clock,
    tell: Progress,
    cut_before: Mapping[tuple[int, str], Sequence[Chunk]],
) -> Report:
    layout = Layout(candidates)
    corpora = cleaned_corpora(corpus, layout.cleanings)
    questions = golden.questions if golden is not None else ()
    cut_before = {(layout.firsts[row], doc): chunks for (row, doc), chunks in cut_before.items()}
    churn = Churn(corpus.ids, layout.chunkers, plan.seed)
    named = furthest(questions)
    kept = Kept(named, wanted=count > 0)
    analyzers: dict[str, Analyzer] = {}
    gathered = gather_cleaned(
        corpora,
        churn.watched,
        [(number, retrievers[name]) for number, name in dict.fromkeys(layout.searched())],
        layout.cleanings,
        kept,
        counter=plan.counter,
        places=named,
        bare=any(question.origin == "heading" for question in questions),
        show_context=plan.show_context,
        analyzers=analyzers,
        clock=clock,
        progress=tell,
        cut_before=cut_before,
    )
    clock.start()
    churned = churn.measure(cut_before)
    clock.stop("churn")
    ranked = rank(layout, gathered, retrievers, questions, corpus.ids, plan, clock, tell)
    cuttings = [gathered.cuttings[number] for number in layout.firsts]
    overlap = measured(corpus, questions, analyzers.get("unicode"))
    parts = thirds(overlap.shares)
    clock.stop("overlap")
    rows, judged = make_rows(
        ranked, cuttings, questions, plan, [churned[number] for number in layout.firsts], parts
    )
    clock.stop("intervals")
    named_searches = [(one.name, own) for one, own in zip(candidates, ranked.searched, strict=True)]
    about_questions = about_golden(golden, overlap)
    about_documents = about_corpus(corpus, corpora, gathered)
    warnings = cautions(
        golden,
        about_questions,
        about_documents,
        ranked.runs,
        cuttings,
        ranked.scored,
        plan,
        {name: own.facts for name, own in named_searches if own.facts is not None},
        [f"{name}: {note}" for name, own in named_searches for note in own.notes],
        parts,
    )
    shown = _exhibits(corpus, questions, ranked.runs, ranked.scored, plan, count, kept, layout.firsts)
    clock.stop("report")
    graphs = {
        f"approximate {name} {step}": seconds
        for name, own in named_searches
        for step, seconds in own.seconds.items()
    }
    return Report(
        corpus=about_documents,
        golden=about_questions,
        settings=settings(plan, candidates),
        candidates=rows,
        comparisons=judged.comparisons,
        pairs=judged.pairs,
        limits=judged.limits,
        selection=judged.selection,
        chances=judged.chances,
        weak=judged.weak,
        warnings=warnings,
        exhibits=shown,
        embedding={model: Saved.of(texts)._asdict() for model, texts in gathered.texts.items()},
        timings={**layout.timings(clock), **graphs},
    )


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
    del stage, done, total
