"""`chunkwise explain`: why questions were found or missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.compare import Chunkers, Golden, HitRule, Primary, Retrievers, ScoreRest
from chunkwise.cli.compare import Unit as BudgetUnit
from chunkwise.cli.options import (
    READING,
    Json,
    Quiet,
    Reading,
    Verbose,
    detail,
    named,
    numbers,
    reads,
    refuse_idle,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, console, note, progress, written
from chunkwise.cli.report import read_report
from chunkwise.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwise.types import Corpus, Report
    from chunkwise.types.explanation import Explanation

Docs = Annotated[
    str | None,
    typer.Argument(metavar="DOCS", help="Folder of documents, or one file. Not needed with --report."),
]
Question = Annotated[
    list[str] | None, typer.Option("--question", metavar="ID", help="The question to explain. Repeatable.")
]
Worst = Annotated[
    int | None,
    typer.Option("--worst", metavar="N", help="So many questions on which the candidates differ most."),
]
Stored = Annotated[
    str | None,
    typer.Option("--report", metavar="FILE", help="Explain from this report, as compare --json wrote it."),
]
Ks = Annotated[list[str], named("k", "Chunks looked at, -v shows them.")]
Budgets = Annotated[list[str], named("budget", "Amounts read, for recall at a budget.")]


@reads
def explain(
    context: typer.Context,
    docs: Docs = None,
    golden: Golden = None,
    question: Question = None,
    worst: Worst = None,
    report: Stored = None,
    chunker: Chunkers = None,
    retriever: Retrievers = None,
    k: Ks = ["10"],  # noqa: B006 - read, never changed
    budget: Budgets = ["1000"],  # noqa: B006
    unit: BudgetUnit = "words",
    rule: HitRule = None,
    primary: Primary = None,
    json: Json = None,
    score_rest: ScoreRest = False,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Say why a question was found or missed.

    What each chunker returned, the chunk that holds the answer, its rank, and why it was missed: cut by the
    chunker (and where), not retrieved, or outranked by which chunks. --worst shows the questions on which the
    candidates differ most.
    """
    level = detail(context, quiet, verbose)
    check_target("--json", json)
    ks, budgets = numbers("-k", k), numbers("--budget", budget)
    from chunkwise.report.explanation import explanations_json

    if report is not None:
        if chunker or retriever:
            raise SettingError("with --report the rows are those of the report; leave -c and -r out")
        refuse_idle(
            context, "with --report", "golden", "k", "budget", "unit", "rule", "primary", "score_rest"
        )
        stored = read_report(report)
        if docs is not None:
            corpus = reading.open(docs)
            _tell_changes(report, stored, corpus)
        from chunkwise.explanation import explain_report

        found = explain_report(stored, question or None, worst=worst)
    else:
        if docs is None:
            raise SettingError("name the documents, or with --report a report; see chunkwise explain --help")
        from chunkwise.comparison import make_candidates, make_searchers
        from chunkwise.explanation import explain as run
        from chunkwise.index import prepare

        searched = make_searchers(retriever or ("bm25",))
        rows = make_candidates(chunker, list(searched)) if chunker else None
        prepare(searched.values())
        with progress(level < 0) as bars:
            corpus = reading.open(docs, bars, golden=golden)
            found = run(
                corpus,
                golden,
                rows,
                question=question or None,
                worst=worst,
                retrievers=searched.values(),
                k=ks,
                budgets=budgets,
                unit=unit,
                rule=rule,
                primary=primary,
                score_rest=score_rest,
                progress=bars,
            )
        tell_left_out(corpus, level)
    if json is not None:
        with written(json) as file:
            file.write(explanations_json(found))
    if json != STANDARD:
        # Of many questions the tables are enough, unless more is asked for.
        _show(found, level - 1 if len(found) > 1 and not question else level)
        if json is not None:
            note(f"explanations written to {json}")


def _show(found: Sequence[Explanation], level: int) -> None:
    """Print explanations, with a line between them."""
    from chunkwise.report.explanation import render_explanation

    screen = console()
    for number, one in enumerate(found):
        if number:
            screen.print()
            screen.print("-" * 80)
        render_explanation(one, screen, detail=level)


def _tell_changes(path: str, report: Report, corpus: Corpus) -> None:
    """Say that the documents are not those of the report, where that is so."""
    then, now = str(report.corpus["digest"]), corpus.digest
    if then != now:
        note(
            f"the documents have changed since {path} was written (digest {then[:12]} then, {now[:12]} now): "
            "what is shown is what they were"
        )
