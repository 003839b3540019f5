"""`compare`: the main job in one call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from chunkwise.adapters import ADAPTERS, GROUP, from_callable, from_installed, is_foreign
from chunkwise.adapters import make_chunker as make_foreign
from chunkwise.arguments import checked
from chunkwise.chunk import CHUNKERS
from chunkwise.decide import decide
from chunkwise.errors import CorpusError, SettingError, UnknownName
from chunkwise.evaluate import Indexing, Prices, Progress, evaluate, held
from chunkwise.evaluate.prices import load_prices
from chunkwise.evaluate.starts import check_offsets
from chunkwise.golden import check_source, draft, load_golden
from chunkwise.index import make_retrievers, prepare
from chunkwise.measure import HitRule, parse_measure
from chunkwise.plugins import added
from chunkwise.readers.clean import parse_steps
from chunkwise.spec import Spec, parse, split_candidate, unescape, whole_number
from chunkwise.types import Candidate, Chunker, Corpus, GoldenSet, Measure, Report

__all__ = ["compare", "default_candidates", "make_candidates", "make_searchers"]

SIZE, OVERLAP = 800, 100
"""Characters of the default candidates."""
TOKENS, TOKEN_OVERLAP = 400, 50
"""Tokens of the default candidates where a tokenizer is named."""
_MATCHED = "heading"


@checked("corpus", "golden", "candidates")
def compare(
    corpus: Corpus | str | Path,
    golden: GoldenSet | str | Path | None = None,
    candidates: Iterable[Any] | str | None = None,
    *,
    retrievers: str | Iterable[str | Indexing] = ("bm25",),
    clean: str | Iterable[str] = (),
    k: int | Iterable[int] = (1, 3, 5, 10),
    budgets: int | Iterable[int] = (500, 1000, 2000),
    unit: str | Callable[[str], int] = "words",
    rule: str | HitRule | None = None,
    primary: str | Measure | None = None,
    by: str | Iterable[str] = (),
    seed: int = 0,
    resamples: int = 10_000,
    score_rest: bool = False,
    show_context: bool = False,
    measures: str | Measure | Iterable[str | Measure] = (),
    prices: Prices | str | Path | None = None,
    exhibits: int = 10,
    progress: Progress | None = None,
) -> Report:
    """Compare ways of cutting documents on questions, and say which one to use and how sure that is.

    Args:
        corpus: the documents, or the path of a folder or file.
        golden: the questions, or the path of a golden set. None: questions are drafted from the
            headings, judged by the rule `majority`; good for a first look. Where there are no headings
            either, only sizes and the damage at the cuts are measured.
        candidates: chunkers, their text forms (`heading:size=600`, also `… @ bm25:k1=1.2`), plain
            functions, or `Candidate`s. None: fixed, fixed with overlap, recursive, paragraph, heading,
            heading without the path, section, at 800 characters (400 tokens where the unit is a
            tokenizer), and fixed windows of the heading chunks' mean size.
        retrievers: what searches the chunks of candidates that name no retriever; several give a row each.
        clean: how documents are cleaned for candidates that do not say so themselves, as in
            `invisible+spaces`; several give a row each, `no` is one without.
        k: the k of hit@k, recall@k and MRR@k.
        budgets: budgets of recall at a budget, in `unit`.
        unit: `words`, `chars`, `cl100k`, `o200k`, a tokenizer file, or a function `text -> int`.
        rule: the hit rule; None: `contained`, and `majority` for drafted questions.
        primary: the measure that decides; by default recall at a budget of 1,000.
        by: tags whose values are shown apart, and crossed where there are several.
        seed: of the resamples.
        resamples: number of bootstrap resamples.
        score_rest: go on with the sound questions of a golden set that has faulty ones.
        show_context: whether the reader is shown, and pays for, the context of chunks.
        measures: what is measured besides, such as `precision@3` or `iou@5/words`.
        prices: what a million tokens cost, or the path of a price file; then the report has sums of money.
        exhibits: how many questions are shown with the texts of their chunks, and documents with the cuts of
            every row; 0 keeps all texts out.
        progress: `progress(stage, done, total)`.

    Raises:
        SettingError: a setting that cannot work, no candidates, or two of one name.
        ReadError: the price file cannot be read.
        CorpusError: no documents.
        GoldenError: no questions, faulty ones, or questions about other documents.
    """
    from chunkwise.readers import opened

    searched = make_searchers(retrievers)
    if candidates is None:
        rows = default_candidates(unit, list(searched), clean)
        matched = next(i for i, c in enumerate(rows) if c.chunker.spec.startswith(_MATCHED))
    else:
        rows, matched = make_candidates(candidates, list(searched), clean), None
    for row in rows:
        if row.retriever not in searched:
            searched[row.retriever] = make_retrievers(row.retriever)[0]
    # A missing model, library or key is told before any document is read.
    prepare(searched.values())
    cost = load_prices(prices) if isinstance(prices, str | Path) else prices
    taken = [parse_measure(one) if isinstance(one, str) else one for one in _listed(measures)]
    check_source(golden)
    documents = held(opened(corpus))
    if not len(documents):
        raise CorpusError("the corpus has no documents; give a folder with Markdown or text files")
    questions = _golden(golden, documents, score_rest)
    if rule is None:
        # What is copied from headings has whole sections for golds, which hardly a chunk contains.
        drafted = questions is not None and all(q.origin == "heading" for q in questions)
        rule = "majority" if drafted else "contained"
    report = evaluate(
        documents,
        questions,
        rows,
        k=k,
        budgets=budgets,
        unit=unit,
        rule=rule,
        primary=primary,
        by=by,
        seed=seed,
        resamples=resamples,
        show_context=show_context,
        measures=taken,
        prices=cost,
        size_matched=matched,
        retrievers=searched,
        exhibits=exhibits,
        progress=progress,
    )
    return replace(report, decision=decide(report))


def default_candidates(
    unit: str | Callable[[str], int] = "words",
    retrievers: Sequence[str] = ("bm25",),
    clean: str | Iterable[str] = (),
) -> list[Candidate]:
    """The rows of a comparison that names none, but for the size-matched control.

    Sizes are 800 characters, or 400 tokens where the unit of budgets is a tokenizer.
    """
    size, overlap, of = SIZE, OVERLAP, ""
    if isinstance(unit, str) and unit not in ("words", "chars"):
        size, overlap, of = TOKENS, TOKEN_OVERLAP, f",unit={unit}"
    texts = [
        f"fixed:size={size}{of}",
        f"fixed:size={size},overlap={overlap}{of}",
        f"recursive:size={size}{of}",
        f"paragraph:size={size}{of}",
        f"heading:size={size}{of}",
        f"heading:size={size},path=no{of}",
        f"section:size={size}{of}",
    ]
    return make_candidates(texts, retrievers, clean)


def make_candidates(
    candidates: Iterable[Any] | str,
    retrievers: Sequence[str] = ("bm25",),
    clean: str | Iterable[str] = (),
) -> list[Candidate]:
    """Rows of whatever names a way of cutting.

    Args:
        candidates: text forms (a sweep stands for several, a label names its row), chunkers, functions that
            cut a text, or candidates, in any mixture; one of them alone is taken too.
        retrievers: text forms of what searches the rows that name no retriever; several give a row each.
        clean: how documents are cleaned for rows that do not say so, as `heading:size=600,clean=spaces`
            does; several give a row each, `no` is one without.

    Raises:
        UnknownName: no such chunker, setting or step of cleaning.
        SettingError: what was given is no way of cutting.
    """
    several = isinstance(candidates, Iterable) and not isinstance(candidates, str | bytes | Candidate)
    given = list(candidates) if several and not callable(candidates) else [candidates]
    cleanings = [clean] if isinstance(clean, str) else list(clean)
    steps = list(dict.fromkeys(parse_steps(one) for one in cleanings)) or [()]
    return [row for one in given for row in _rows(one, retrievers, steps)]


def _rows(given: Any, retrievers: Sequence[str], cleanings: Sequence[tuple[str, ...]]) -> list[Candidate]:
    if isinstance(given, Candidate):
        if isinstance(given.chunker, str):
            raise SettingError(
                f"a Candidate has a chunker, got the text {given.chunker!r}; give the text by itself, or "
                "Heading(size=600)"
            )
        return [given]
    if isinstance(given, type):
        raise SettingError(f"{given.__name__} is a class; give what it makes, such as {given.__name__}()")
    ways: list[tuple[Chunker, str, tuple[str, ...] | None, int]]
    if isinstance(given, str):
        text, retriever = split_candidate(given)
        named = [r.spec for r in make_retrievers(retriever)] if retriever else list(retrievers)
        ways = [_way(spec) for spec in parse(text)]
    elif callable(given):
        named = list(retrievers)
        ways = [(given if isinstance(given, Chunker) else _adapted(given), "", None, 1)]
    else:
        raise SettingError(
            f"{given!r} is no candidate; give a text form such as heading:size=600, a chunker, or a function"
        )
    found = []
    for chunker, label, own, offsets in ways:
        wanted = cleanings if own is None else [own]
        for steps in wanted:
            row = Candidate(chunker, "", label if len(wanted) == 1 or not steps else "", steps, offsets)
            check_offsets(row)
            if label and not row.label:
                row = row._replace(label=f"{label} clean={'+'.join(steps)}")
            # Rows are named after what cuts: where several retrievers search it, the name must tell.
            found += [
                row._replace(retriever=name, label=row.label if len(named) == 1 else f"{row.name} @ {name}")
                for name in named
            ]
    return found


def _way(spec: Spec) -> tuple[Chunker, str, tuple[str, ...] | None, int]:
    """Chunker, label, steps of cleaning (None where it does not speak of them), number of start offsets."""
    settings = dict(spec.settings)
    steps = parse_steps(unescape(settings.pop("clean"))) if "clean" in settings else None
    offsets = whole_number("offsets", settings.pop("offsets"), 1) if "offsets" in settings else 1
    plain = replace(spec, settings=settings)
    if is_foreign(plain):
        return make_foreign(plain), spec.label, steps, offsets
    others = added(GROUP, (*CHUNKERS, *ADAPTERS))
    if spec.name in others:
        return from_installed(others[spec.name], replace(plain, label="")), spec.label, steps, offsets
    if spec.name not in CHUNKERS:
        raise UnknownName("chunker", spec.name, [*CHUNKERS, *others])
    return CHUNKERS[spec.name].from_spec(plain), spec.label, steps, offsets


def _adapted(function: Callable[..., Any]) -> Chunker:
    return from_callable(function, getattr(function, "__name__", type(function).__name__))


def _listed(measures: str | Measure | Iterable[str | Measure]) -> list[str | Measure]:
    """Measures, one of them alone too."""
    if isinstance(measures, str) or hasattr(measures, "score"):
        return [cast("str | Measure", measures)]
    return list(measures)


def _golden(golden: GoldenSet | str | Path | None, corpus: Corpus, score_rest: bool) -> GoldenSet | None:
    if isinstance(golden, GoldenSet):
        return golden
    if golden is not None:
        return load_golden(golden, corpus, score_rest)
    drafted = draft(corpus)
    return drafted if len(drafted) else None


def make_searchers(given: str | Iterable[str | Indexing]) -> dict[str, Indexing]:
    """Retrievers by their text form. What is made of two is listed behind both of them.

    Raises:
        UnknownName: no such retriever or setting.
        SettingError: what was given is no retriever, or none was.
    """
    found: dict[str, Indexing] = {}
    for one in [given] if isinstance(given, str) else given:
        if isinstance(one, str):
            made: list[Any] = list(make_retrievers(one))
        elif hasattr(one, "indexer") and hasattr(one, "spec"):
            made = [one]
        else:
            raise SettingError(f"{one!r} is no retriever; write one such as bm25:k1=1.2")
        for retriever in made:
            # What is made of two stands beside both: a fusion can lose to its better half.
            for part in (*getattr(retriever, "halves", ()), retriever):
                found.setdefault(part.spec, part)
    if not found:
        raise SettingError("no retriever; name at least one, such as bm25")
    return found
