"""The one flow: corpus + golden set + candidates -> report.

Every document is parsed once and cut by every chunker while it is at hand; what is kept of it are
columns of integers. Then every question is searched in every index, and every ranking is scored.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from chunkwise.evaluate.about import about_golden, furthest, settings
from chunkwise.evaluate.cautions import cautions
from chunkwise.evaluate.churn import Churn
from chunkwise.evaluate.cleaning import cleaned_corpora, gather_cleaned, removed
from chunkwise.evaluate.control import HELD, control_of, held
from chunkwise.evaluate.exhibits import exhibits as _exhibits
from chunkwise.evaluate.gathering import Clock, Indexing, Progress
from chunkwise.evaluate.kept import Kept
from chunkwise.evaluate.overlap import measured, thirds
from chunkwise.evaluate.plan import (
    Plan,
    check_candidates,
    check_corpus,
    check_golden_set,
    make_plan,
)
from chunkwise.evaluate.prices import Prices
from chunkwise.evaluate.repeats import near_duplicates
from chunkwise.evaluate.rows import make_rows
from chunkwise.evaluate.scoring import score
from chunkwise.evaluate.searched import look_back
from chunkwise.evaluate.searching import search
from chunkwise.evaluate.starts import averaged, check_offsets, spread, starts
from chunkwise.evaluate.stored import Columns, Stored, evaluate_stored
from chunkwise.index import Analyzer, Bm25, Saved, make_retrievers
from chunkwise.measure import HitRule, Places
from chunkwise.types import (
    Candidate,
    Chunk,
    Chunker,
    Corpus,
    GoldenSet,
    Measure,
    Report,
    Run,
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
    members = [starts(candidate) for candidate in candidates]
    ways, every = _distinct([one for own in members for one in own])
    parts = iter(every)
    numbered = [[next(parts) for _ in own] for own in members]
    numbers = [own[0] for own in numbered]
    chunkers = [chunker for chunker, _ in ways]
    corpora = cleaned_corpora(corpus, [clean for _, clean in ways])
    wanted = {
        (number, candidate.retriever): None
        for candidate, own in zip(candidates, numbered, strict=True)
        for number in own
    }
    questions = golden.questions if golden is not None else ()
    copied = [question for question in questions if question.origin == "heading"]
    cut_before = {(numbers[i], doc): chunks for (i, doc), chunks in cut_before.items()}
    churn = Churn(corpus.ids, chunkers, plan.seed)
    named = furthest(questions)
    kept = Kept(named, wanted=count > 0)
    analyzers: dict[str, Analyzer] = {}
    gathered = gather_cleaned(
        corpora,
        churn.watched,
        [(number, retrievers[name]) for number, name in wanted],
        [clean for _, clean in ways],
        kept,
        counter=plan.counter,
        places=named,
        bare=bool(copied),
        show_context=plan.show_context,
        analyzers=analyzers,
        clock=clock,
        progress=tell,
        cut_before=cut_before,
    )
    clock.start()
    churned = churn.measure(cut_before)
    clock.stop("churn")
    places, copied_places = (Places.of(asked, corpus.ids) for asked in (questions, copied))
    runs, scored, bare, searched, ranges = [], [], [], [], []
    open_ = Tally(
        (number, retrievers[candidate.retriever].spec)
        for candidate, own in zip(candidates, numbered, strict=True)
        for number in own
    )
    for done, (candidate, own) in enumerate(zip(candidates, numbered, strict=True), 1):
        own_scored, own_bare = [], []
        for place, number in enumerate(own):
            clock.start()
            key = (number, retrievers[candidate.retriever].spec)
            retriever, table = gathered.retrievers[key], gathered.cuttings[number].table
            rankings = search(retriever, table, questions, plan.depth, plan.reach, tell)
            run = Run(candidate, table, rankings, {"depth": plan.depth, "budget": plan.reach})
            clock.stop(f"search {candidate.name}")
            if questions:
                own_scored.append(score(run, questions, places, plan))
                clock.stop("score")
            if not place:
                runs.append(run)
                found = own_scored[0].found if questions else None
                searched.append(look_back(retriever, questions, found, plan))
                clock.stop("misses")
            if copied:
                again = search(gathered.bare[key], table, copied, plan.depth, plan.reach)
                clock.stop(f"search {candidate.name}")
                lines_left_out = run._replace(rankings=again)
                own_bare.append(score(lines_left_out, copied, copied_places, plan, ruled=False))
                clock.stop("score")
            open_[key] -= 1
            if not open_[key]:
                # Indexes are what takes the most room: each is let go when its last row is scored.
                del retriever, gathered.retrievers[key]
                gathered.bare.pop(key, None)
        if questions:
            scored.append(averaged(own_scored))
        if copied:
            bare.append(averaged(own_bare))
        ranges.append(spread(members[done - 1], own_scored, plan))
        tell("search", done, len(candidates))
    cuttings = [gathered.cuttings[number] for number in numbers]
    overlap = measured(corpus, questions, analyzers.get("unicode"))
    parts_of = thirds(overlap.shares)
    clock.stop("overlap")
    made, judged = make_rows(
        runs,
        cuttings,
        scored,
        bare,
        questions,
        plan,
        searched,
        [churned[number] for number in numbers],
        ranges,
        parts_of,
    )
    clock.stop("intervals")
    about_corpus = {
        "documents": len(corpus),
        "characters": gathered.characters,
        "digest": corpus.digest,
        "skipped": [str(notice) for notice in corpus.skipped],
        "without_text": gathered.without_text,
        # Larger corpora are not in memory, and are not read once more for this.
        "near_duplicates": near_duplicates(corpus) if gathered.characters <= HELD else None,
        "notices": [*map(str, corpus.notices), *gathered.notices],
    }
    if any(corpora):
        about_corpus["cleaned"] = {"+".join(steps): removed(one) for steps, one in corpora.items() if steps}
    facts = {c.name: s.facts for c, s in zip(candidates, searched, strict=True) if s.facts is not None}
    notes = [f"{c.name}: {note}" for c, s in zip(candidates, searched, strict=True) for note in s.notes]
    about_questions = about_golden(golden, overlap)
    warnings = cautions(
        golden, about_questions, about_corpus, runs, cuttings, scored, plan, facts, notes, parts_of
    )
    graphs = {
        f"approximate {c.name} {step}": seconds
        for c, s in zip(candidates, searched, strict=True)
        for step, seconds in s.seconds.items()
    }
    shown = _exhibits(corpus, questions, runs, scored, plan, count, kept, numbers)
    clock.stop("report")
    return Report(
        corpus=about_corpus,
        golden=about_questions,
        settings=settings(plan, candidates),
        candidates=made,
        comparisons=judged.comparisons,
        pairs=judged.pairs,
        limits=judged.limits,
        selection=judged.selection,
        chances=judged.chances,
        weak=judged.weak,
        warnings=warnings,
        exhibits=shown,
        embedding={model: Saved.of(texts)._asdict() for model, texts in gathered.texts.items()},
        timings={**_timings(clock, candidates, numbered), **graphs},
    )


def _silent(stage: str, done: int, total: int) -> None:
    """Tell nobody."""
    del stage, done, total


def _distinct(candidates: Sequence[Candidate]) -> tuple[list[tuple[Chunker, tuple[str, ...]]], list[int]]:
    """Each chunker with each cleaning once, and for each candidate the number of its own."""
    distinct: list[tuple[Chunker, tuple[str, ...]]] = []
    numbers = []
    for one in candidates:
        known = next(
            (
                i
                for i, (chunker, clean) in enumerate(distinct)
                if clean == one.clean and (chunker is one.chunker or chunker == one.chunker)
            ),
            None,
        )
        if known is None:
            known = len(distinct)
            distinct.append((one.chunker, one.clean))
        numbers.append(known)
    return distinct, numbers


def _timings(
    clock: Clock, candidates: Sequence[Candidate], numbered: Sequence[Sequence[int]]
) -> dict[str, float]:
    """Seconds by step; steps of a chunker are named by the first candidate that has it."""
    names: dict[str, str] = {}
    for candidate, own in zip(candidates, numbered, strict=True):
        for i in own:
            names.setdefault(f"{i}", candidate.name)
    found: dict[str, float] = {}
    for step, seconds in clock.seconds.items():
        kind, _, number = step.partition(" ")
        name = f"{kind} {names[number]}" if kind in ("chunk", "index") and number in names else step
        found[name] = round(found.get(name, 0.0) + seconds, 6)
    return {**found, "total": round(sum(clock.seconds.values()), 6)}
