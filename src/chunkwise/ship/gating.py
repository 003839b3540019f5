"""`gate`: documents measured as the baseline was, and judged."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from chunkwise.arguments import checked
from chunkwise.comparison import compare, make_candidates
from chunkwise.errors import NothingMeasured, SettingError
from chunkwise.evaluate import evaluate_stored
from chunkwise.golden import check_source, draft, load_golden
from chunkwise.index import make_retrievers
from chunkwise.readers import opened
from chunkwise.ship.baseline import Baseline, load_baseline, make_baseline
from chunkwise.ship.comparable import check_askable
from chunkwise.ship.gate import judge
from chunkwise.ship.held import Held
from chunkwise.ship.lost import explained
from chunkwise.ship.outcome import Outcome
from chunkwise.ship.rules import Rules, load_rules
from chunkwise.types import Candidate, Corpus, GoldenSet, Report

__all__ = ["Measured", "gate", "gate_report", "measure", "measure_held", "measure_through", "suffices"]

_AS_BEFORE: Final = ("k", "budgets", "unit", "rule", "primary", "seed", "resamples", "show_context")
"""Settings that a run takes from its baseline."""
_STORE: Final = "through the store"
"""Name of the row that a store answers."""
_SHOWN: Final = 200  # questions whose chunks are kept for the account of what came instead


class Measured(NamedTuple):
    """What a run came to."""

    baseline: Baseline
    """Its row, without texts."""
    report: Report
    """The report, with the chunks of its questions."""
    corpus: Corpus
    """The documents."""
    golden: GoldenSet
    """The questions."""


@checked("corpus", "golden")
def gate(
    corpus: Corpus | str | Path,
    golden: GoldenSet | str | Path | None = None,
    *,
    baseline: Baseline | str | Path = "baseline.json",
    rules: Rules | str | Path | None = None,
    chunker: Any = None,
    retriever: str | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> Outcome:
    """Measure documents as a baseline was measured, and judge what came out.

    Args:
        corpus: the documents, or the path of a folder or file.
        golden: the questions, or the path of a golden set. None: drafted from the headings, which makes
            a free regression test and no more.
        baseline: what is compared with, or the path of its file.
        rules: the rules, or the path of their file; None for the defaults.
        chunker: a text form or a chunker; None for that of the baseline.
        retriever: a text form; None for that of the baseline.
        progress: `progress(stage, done, total)`.

    Raises:
        ReportError: the baseline is missing or broken.
        NotComparable: other questions than the baseline's, another measure, hit rule or counter.
        NothingMeasured: no questions, or a figure that is no number.
        SettingError: an unknown rule, or a setting that cannot work.
    """
    before = baseline if isinstance(baseline, Baseline) else load_baseline(baseline)
    found = _rules(rules)
    measured = measure(
        corpus, golden, chunker=chunker, retriever=retriever, before=before, rules=found, progress=progress
    )
    return explained(
        judge(measured.baseline, before, found), measured.report, measured.golden, measured.corpus
    )


def gate_report(
    report: str | Path,
    baseline: Baseline | str | Path,
    rules: Rules | str | Path | None = None,
    row: str | None = None,
) -> Outcome:
    """Judge a stored report, or a file of means, without a new run; see `gate` for what it raises."""
    found = _rules(rules)
    before = baseline if isinstance(baseline, Baseline) else load_baseline(baseline)
    outcome = judge(load_baseline(report, row), before, found)
    if outcome.now.report is None:
        return outcome
    return explained(outcome, Report.from_json(Path(report).read_text("utf-8-sig"), str(report)), None, None)


def measure(
    corpus: Corpus | str | Path,
    golden: GoldenSet | str | Path | None,
    *,
    chunker: Any = None,
    retriever: str | None = None,
    before: Baseline | None = None,
    rules: Rules | None = None,
    settings: Mapping[str, Any] | None = None,
    judged: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> Measured:
    """Measure one candidate.

    Args:
        corpus: the documents, or the path of a folder or file.
        golden: the questions, or the path of a golden set. None: drafted from the headings.
        chunker: a text form or a chunker; None for that of `before`.
        retriever: a text form; None for that of `before`, else `bm25`.
        before: a baseline whose settings are taken over.
        rules: their tags are measured too.
        settings: settings of `compare` that stand before those of the baseline.
        judged: it will be compared with `before`: what cannot be is refused before anything is measured.
        progress: `progress(stage, done, total)`.

    Raises:
        NotComparable: other questions than those of `before`, or a measure that it lacks.
        SettingError: nothing says which chunker is meant, a setting cannot work, or a rule names a question
            or a tag that the golden set does not have.
    """
    candidate = _candidate(chunker, retriever, before)
    check_source(golden)
    documents = opened(corpus)
    questions = _questions(golden, documents)
    check_askable(questions, rules or Rules(), before if judged else None)
    report = _compared(documents, questions, [candidate], before, rules, settings or {}, progress)
    return Measured(make_baseline(report, golden=questions), report, documents, questions)


def measure_through(
    corpus: Corpus,
    golden: GoldenSet,
    candidate: Candidate,
    store: Any,
    *,
    before: Baseline | None = None,
    rules: Rules | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Measured, Measured]:
    """Measure a candidate by its own search, which is exact, and by what a store finds.

    Documents are cut once for both.

    Args:
        corpus: the documents.
        golden: the questions.
        candidate: what is measured.
        store: what searches in the place of the candidate's retriever.
        before: a baseline whose settings are taken over.
        rules: their tags are measured too.
        progress: `progress(stage, done, total)`.

    Returns:
        Each as `measure` gives it for the candidate.
    """
    rows = [candidate, candidate._replace(label=_STORE, retriever=store.spec)]
    given = {"retrievers": [store]}
    report = _compared(corpus, golden, rows, before, rules, given, progress)
    exact, through = (_alone(report, row.name, candidate) for row in rows)
    return (
        Measured(make_baseline(exact, golden=golden), exact, corpus, golden),
        Measured(make_baseline(through, golden=golden), through, corpus, golden),
    )


def suffices(before: Baseline | None, rules: Rules, candidate: Candidate) -> bool:
    """Whether `measure_held` finds out all that the rules ask for, as `measure_through` would.

    Not so with rules on what is measured on all documents, or where a reader pays for context or for cleaned
    texts, which a store does not have.
    """
    return (
        before is not None
        and before.row is not None
        and not (rules.boundaries or rules.sizes)
        and all(cost == "chunks" or cost.startswith("sent@") for cost in rules.costs)
        and not before.setting("show_context")
        and not candidate.clean
        and candidate.offsets == 1
    )


def measure_held(
    corpus: Corpus,
    golden: GoldenSet,
    candidate: Candidate,
    held: Held,
    *,
    before: Baseline,
    rules: Rules | None = None,
    progress: Callable[[str, int, int], None] | None = None,
) -> tuple[Measured, Measured, Callable[[Collection[str]], Report]]:
    """The same for a version of which little changed: only documents of the golden set are cut.

    Boundaries, sizes and costs are those of `before`.

    Returns:
        Exact search, the store, and what gives the store's report with the chunks of some questions.
    """
    assert before.row is not None
    rows = [candidate._replace(label="exact"), candidate._replace(label=_STORE)]
    report, runs, ids = evaluate_stored(
        corpus, golden, rows, held, progress=progress, **_settings(golden, before, rules, {})
    )
    last = before.row
    made = (
        replace(row, boundaries=last.boundaries, sizes=last.sizes, costs={**last.costs, **row.costs})
        for row in report.candidates
    )
    report = replace(report, candidates=tuple(made))
    exact, through = (_alone(report, row.name, candidate) for row in rows)

    def shown(questions: Collection[str]) -> Report:
        run = runs[1]._replace(candidate=candidate)
        return replace(through, exhibits=tuple(held.shown(corpus, run, ids, questions)))

    return (
        Measured(make_baseline(exact, golden=golden), exact, corpus, golden),
        Measured(make_baseline(through, golden=golden), through, corpus, golden),
        shown,
    )


def _compared(
    documents: Corpus,
    questions: GoldenSet,
    rows: Sequence[Candidate],
    before: Baseline | None,
    rules: Rules | None,
    settings: Mapping[str, Any],
    progress: Callable[[str, int, int], None] | None,
) -> Report:
    """The report of some rows, with the settings of the baseline."""
    return compare(
        documents,
        questions,
        rows,
        exhibits=min(len(questions), _SHOWN),
        progress=progress,
        **_settings(questions, before, rules, settings),
    )


def _settings(
    questions: GoldenSet, before: Baseline | None, rules: Rules | None, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The settings of a run: those of the baseline, unless others are named."""
    taken = {name: before.setting(name) for name in _AS_BEFORE} if before is not None else {}
    given: dict[str, Any] = {k: v for k, v in taken.items() if v is not None} | dict(settings)
    # A tag that nobody has is refused; a rule on one is not kept, and says so.
    asked = given.pop("by", None) or ()
    named = rules.tag_names if rules is not None else ()
    own = (tag for tag in named if all(tag in question.tags for question in questions))
    return {**given, "by": list(dict.fromkeys((*asked, *own)))}


def _alone(report: Report, name: str, candidate: Candidate) -> Report:
    """One row of a report as if it were the only one, under the names of a candidate."""
    row = replace(report[name], label=candidate.label, retriever=candidate.retriever)
    warnings = (w for w in report.warnings if w.startswith(f"{name}:"))
    exhibits = []
    for one in report.exhibits:
        if one.get("kind") == "question":
            own = [{**r, "candidate": row.name} for r in one["rows"] if r["candidate"] == name]
            exhibits.append({**one, "rows": own})
    return replace(
        report,
        candidates=(row,),
        comparisons=(),
        decision=None,
        warnings=tuple(row.name + w.removeprefix(name) for w in warnings),
        exhibits=tuple(exhibits),
    )


def _rules(rules: Rules | str | Path | None) -> Rules:
    if rules is None or isinstance(rules, Rules):
        return rules or Rules()
    return load_rules(rules)


def _candidate(chunker: Any, retriever: str | None, before: Baseline | None) -> Candidate:
    if isinstance(chunker, Candidate):
        return chunker
    row = before.row if before is not None else None
    if chunker is None:
        if row is None:
            raise SettingError("nothing says which chunker is meant; name one, such as -c heading:size=800")
        chunker = f"{row.label}={row.spec}" if _is_name(row.label) else row.spec
    searched = retriever or (row.retriever if row is not None else "bm25")
    meant = len(make_retrievers(searched))
    if meant != 1:
        raise SettingError(f"{searched!r} stands for {meant} retrievers; a gate judges one")
    rows = make_candidates(chunker, [searched])
    if len(rows) != 1:
        raise SettingError(f"{chunker!r} stands for {len(rows)} candidates; a gate judges one")
    return rows[0]


def _is_name(label: str) -> bool:
    return label.isidentifier()


def _questions(golden: GoldenSet | str | Path | None, corpus: Corpus) -> GoldenSet:
    if isinstance(golden, GoldenSet):
        return golden
    if golden is not None:
        return load_golden(golden, corpus)
    drafted = draft(corpus)
    if not len(drafted):
        raise NothingMeasured(
            "no heading of the documents makes a question; give questions with --golden FILE"
        )
    return drafted
