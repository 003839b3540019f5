"""`chunkwise explain`: why questions were found or missed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.compare import Chunkers, Golden, HitRule, Primary, Retrievers, ScoreRest
from chunkwise.cli.compare import Unit as BudgetUnit
from chunkwise.cli.options import (
    LIMIT,
    Boilerplate,
    Encoding,
    Exclude,
    Headings,
    Include,
    MaxSize,
    Quiet,
    SkipBroken,
    Verbose,
    detail,
    numbers,
    open_corpus,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, console, note, progress, written
from chunkwise.errors import ReadError, SettingError

if TYPE_CHECKING:
    from chunkwise.types import Corpus, Report

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
Ks = Annotated[list[str], typer.Option("-k", "--k", metavar="N,N", help="Chunks looked at, -v shows them.")]
Budgets = Annotated[
    list[str], typer.Option("--budget", metavar="N,N", help="Amounts read, for recall at a budget.")
]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write everything here; - prints it and nothing else."),
]


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
    include: Include = None,
    exclude: Exclude = None,
    encoding: Encoding = None,
    skip_broken: SkipBroken = False,
    headings: Headings = None,
    boilerplate: Boilerplate = True,
    max_size: MaxSize = LIMIT,
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
    from chunkwise.report.explanation import explanations_json, render_explanation

    if report is not None:
        if chunker or retriever:
            raise SettingError("with --report the rows are those of the report; leave -c and -r out")
        if docs is not None:
            corpus = open_corpus(
                docs,
                include,
                exclude,
                encoding,
                skip_broken,
                headings=headings,
                boilerplate=boilerplate,
                max_size=max_size,
            )
            _tell_changes(report, _read_report(report), corpus)
        from chunkwise.explanation import explain_report

        found = explain_report(_read_report(report), question or None, worst=worst)
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
            corpus = open_corpus(
                docs,
                include,
                exclude,
                encoding,
                skip_broken,
                bars,
                headings=headings,
                boilerplate=boilerplate,
                max_size=max_size,
            )
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
        screen = console()
        for number, one in enumerate(found):
            if number:
                screen.print()
                screen.print("-" * 80)
            # Of many questions the tables are enough, unless more is asked for.
            render_explanation(one, screen, detail=level - 1 if len(found) > 1 and not question else level)
        if json is not None:
            note(f"explanations written to {json}")


def _read_report(path: str) -> Report:
    from chunkwise.types import Report

    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise ReadError(
            path, f"{error.strerror or error}; name a report that compare --json wrote"
        ) from error
    except UnicodeDecodeError as error:
        raise ReadError(path, "is not UTF-8; name a report that compare --json wrote") from error
    return Report.from_json(text, path)


def _tell_changes(path: str, report: Report, corpus: Corpus) -> None:
    """Say that the documents are not those of the report, where that is so."""
    then, now = str(report.corpus["digest"]), corpus.digest
    if then != now:
        note(
            f"the documents have changed since {path} was written (digest {then[:12]} then, {now[:12]} now): "
            "what is shown is what they were"
        )
