"""`chunkwise compare`: chunkers compared on questions."""

from __future__ import annotations

from typing import Annotated

import typer

from chunkwise.cli.options import (
    READING,
    Clean,
    Docs,
    Quiet,
    Reading,
    Verbose,
    commas,
    detail,
    named,
    numbers,
    reads,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, console, note, progress, written
from chunkwise.cli.report import Html, Markdown, check_renderings, write_renderings

Golden = Annotated[str | None, named("golden", "Your questions. Without it some are drafted from headings.")]
Chunkers = Annotated[
    list[str] | None,
    named(
        "chunker",
        "A row: heading:size=600, a sweep fixed:size=300|600, a name of your own mine=heading:size=600, "
        "your function py:package.module.function. Repeatable. Without it: every built-in way, at 800 "
        "characters.",
    ),
]
Retrievers = Annotated[
    list[str] | None, named("retriever", "What searches, such as bm25:k1=1.2. Repeatable.")
]
Ks = Annotated[list[str], named("k", "Chunks read, for hit, recall and MRR at k.")]
Budgets = Annotated[list[str], named("budget", "Amounts read, for recall at a budget.")]
Unit = Annotated[str, named("unit", "What a budget counts: words, chars, cl100k, o200k, tokenizer.json.")]
HitRule = Annotated[
    str | None,
    named(
        "rule",
        "When a chunk has found an answer: contained, majority, half-section, overlap. Default: "
        "contained; majority for drafted questions.",
    ),
]
Primary = Annotated[str | None, named("primary", "What decides, such as hit@5. Default: recall@1000words.")]
Measures = Annotated[
    list[str] | None,
    typer.Option(
        "--measure",
        metavar="MEASURE",
        help="Measured besides, such as precision@3 or iou@5/words. Repeatable; all are shown with -v.",
    ),
]
PriceFile = Annotated[
    str | None,
    typer.Option(
        "--prices", metavar="FILE", help="What tokens cost you, as TOML: then every row has its money."
    ),
]
By = Annotated[list[str] | None, named("by", "Figures by the values of these tags, and crossed.")]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Of the intervals' resamples.")]
Resamples = Annotated[int, typer.Option("--resamples", metavar="N", help="Resamples of the intervals.")]
Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write the whole report here; - prints it and nothing else."),
]
ScoreRest = Annotated[
    bool,
    typer.Option(
        "--score-rest/--no-score-rest", help="Leave out faulty questions, and say how many of how many."
    ),
]
Texts = Annotated[
    bool,
    typer.Option(
        "--texts/--no-texts", show_default=False, help="Whether the report may hold texts of your documents."
    ),
]


@reads
def compare(
    context: typer.Context,
    docs: Docs,
    golden: Golden = None,
    chunker: Chunkers = None,
    retriever: Retrievers = None,
    by: By = None,
    k: Ks = ["1,3,5,10"],  # noqa: B006 - read, never changed
    budget: Budgets = ["500,1000,2000"],  # noqa: B006
    unit: Unit = "words",
    rule: HitRule = None,
    primary: Primary = None,
    measure: Measures = None,
    prices: PriceFile = None,
    json: Json = None,
    html: Html = None,
    markdown: Markdown = None,
    seed: Seed = 0,
    resamples: Resamples = 10_000,
    score_rest: ScoreRest = False,
    texts: Texts = True,
    reading: Reading = READING,
    clean: Clean = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Compare chunkers on your documents.

    Says which one found the most of the answers to your questions, how sure that is, and what it costs.
    """
    level = detail(context, quiet, verbose)
    check_renderings(html, markdown, json)
    ks, budgets = numbers("-k", k), numbers("--budget", budget)
    from chunkwise.comparison import compare as run
    from chunkwise.comparison import make_candidates, make_searchers
    from chunkwise.evaluate.prices import load_prices
    from chunkwise.index import prepare
    from chunkwise.measure import parse_measure
    from chunkwise.readers.clean import parse_steps
    from chunkwise.report.terminal import render

    # What cannot work is told before any document is read.
    cost = load_prices(prices) if prices is not None else None
    if cost is not None:
        cost.tokens(unit)
    measures = [parse_measure(name) for name in measure or ()]
    searched = make_searchers(retriever or ("bm25",))
    steps = clean or ()
    rows = make_candidates(chunker, list(searched), steps) if chunker else None
    for step in steps:
        parse_steps(step)
    # A missing model, library or key is told before any document is read.
    prepare(searched.values())
    with progress(level < 0) as bars:
        corpus = reading.open(docs, bars, golden=golden)
        report = run(
            corpus,
            golden,
            rows,
            retrievers=searched.values(),
            clean=steps,
            k=ks,
            budgets=budgets,
            unit=unit,
            rule=rule,
            primary=primary,
            measures=measures,
            prices=cost,
            by=commas(by),
            seed=seed,
            resamples=resamples,
            score_rest=score_rest,
            exhibits=10 if texts else 0,
            progress=bars,
        )
    if json is not None:
        with written(json) as file:
            file.write(report.to_json().encode("utf-8", "backslashreplace"))
    if STANDARD not in (json, html, markdown):
        render(report, console(), detail=level)
    write_renderings(report, html, markdown)
    if json is not None and json != STANDARD:
        note(f"report written to {json}")
    tell_left_out(corpus, level)
