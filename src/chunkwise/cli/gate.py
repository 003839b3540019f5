"""`chunkwise gate`: what is measured now against a baseline, for continuous integration."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chunkwise.cli.exits import Exit
from chunkwise.cli.options import (
    READING,
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
from chunkwise.cli.output import STANDARD, check_target, note, progress, say, written
from chunkwise.errors import ChunkwiseError, NothingMeasured, ReportError, SettingError

if TYPE_CHECKING:
    from chunkwise.ship.baseline import Baseline
    from chunkwise.ship.outcome import Outcome

OptionalDocs = Annotated[
    str | None, typer.Argument(metavar="DOCS", help="The documents; leave out with --report.")
]
Golden = Annotated[str | None, named("golden", "The questions. Without it they are drafted from headings.")]
BaselineFile = Annotated[str, named("baseline", "What is compared with: a baseline or a report.")]
ReportFile = Annotated[
    str | None, typer.Option("--report", metavar="FILE", help="Judge this report; nothing is measured anew.")
]
RulesFile = Annotated[
    str | None,
    named(
        "gate",
        "The rules, such as gate.toml. Default: no mean falls by more than 2 points, ceiling and "
        "coverage not at all.",
    ),
]
Row = Annotated[
    str | None,
    typer.Option("--row", metavar="NAME", help="Row of the report, if not the one it decided for."),
]
Chunker = Annotated[str | None, named("chunker", "What cuts. Default: as the baseline.")]
Retriever = Annotated[str | None, named("retriever", "What searches. Default: as the baseline.")]
Update = Annotated[
    bool,
    typer.Option("--update", help="Write what is measured now as the new baseline, and show the difference."),
]
By = Annotated[list[str] | None, named("by", "Tags to measure apart, for a new baseline.")]
Ks = Annotated[list[str] | None, named("k", "For a first baseline.")]
Budgets = Annotated[list[str] | None, named("budget", "For a first baseline.")]
Unit = Annotated[str | None, named("unit", "For a first baseline.")]
HitRule = Annotated[str | None, named("rule", "For a first baseline.")]
Primary = Annotated[str | None, named("primary", "For a first baseline.")]
Junit = Annotated[str | None, typer.Option("--junit", metavar="FILE", help="Write JUnit XML here.")]
Markdown = Annotated[
    str | None,
    typer.Option(
        "--markdown",
        metavar="FILE",
        help="Write a summary here; - prints it. It is added to GITHUB_STEP_SUMMARY by itself.",
    ),
]
Json = Annotated[
    str | None, typer.Option("--json", metavar="FILE", help="Write the report of this run here.")
]


@reads
def gate(
    context: typer.Context,
    docs: OptionalDocs = None,
    baseline: BaselineFile = "baseline.json",
    golden: Golden = None,
    report: ReportFile = None,
    gate: RulesFile = None,
    row: Row = None,
    chunker: Chunker = None,
    retriever: Retriever = None,
    update: Update = False,
    by: By = None,
    k: Ks = None,
    budget: Budgets = None,
    unit: Unit = None,
    rule: HitRule = None,
    primary: Primary = None,
    junit: Junit = None,
    markdown: Markdown = None,
    json: Json = None,
    reading: Reading = READING,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Fail where questions find less than before.

    Exit codes: 0 passed, 1 a rule failed, 2 an unknown rule, 3 no baseline or a broken one, 4 a golden set
    that cannot be used, 7 not comparable, 8 nothing measured. Only 0 is green.
    """
    from chunkwise.ship.gating import gate_report, measure
    from chunkwise.ship.rules import Rules, load_rules

    level = detail(context, quiet, verbose)
    for option, path in (("--junit", junit), ("--json", json)):
        check_target(option, path, replaced=True)
    check_target("--markdown", markdown)
    rules = load_rules(gate) if gate is not None else Rules()
    if (docs is None) == (report is None):
        raise SettingError(
            "give the documents to measure, or --report FILE to judge a report; one of the two"
        )
    if report is not None:
        if update:
            raise SettingError("--update measures anew; give the documents, not --report")
        outcome = gate_report(report, baseline, rules, row)
        _tell(outcome, level, junit, markdown, "")
        return
    if primary is not None and not rules.measures:
        from chunkwise.measure import parse_measure

        rules = replace(rules, measures=(parse_measure(primary).name,))
    first = update and not Path(baseline).exists()
    if update:
        check_target("--baseline", baseline, replaced=True)
    before = None if first else _before(baseline, row, update)
    settings: dict[str, Any] = {
        "k": numbers("-k", k) if k else None,
        "budgets": numbers("--budget", budget) if budget else None,
        "unit": unit,
        "rule": rule,
        "primary": primary,
        "by": commas(by) or None,
    }
    with progress(level < 0) as bars:
        corpus = reading.open(str(docs), bars, golden=golden)
        measured = measure(
            corpus,
            golden,
            chunker=chunker,
            retriever=retriever,
            before=before,
            rules=rules,
            settings={name: value for name, value in settings.items() if value is not None},
            judged=not update,
            progress=bars,
        )
    if json is not None:
        with written(json) as file:
            file.write(measured.report.to_json().encode("utf-8", "backslashreplace"))
    tell_left_out(corpus, level)
    from chunkwise.ship.gate import judge
    from chunkwise.ship.lost import explained

    if not update:
        assert before is not None
        outcome = judge(measured.baseline, before, rules)
        _tell(
            explained(outcome, measured.report, measured.golden, measured.corpus),
            level,
            junit,
            markdown,
            str(docs),
        )
        return
    if before is not None:
        try:
            outcome = explained(
                judge(measured.baseline, before, rules), measured.report, measured.golden, measured.corpus
            )
            _tell(outcome, level, junit, markdown, str(docs), fail=False)
        except ChunkwiseError as error:
            note(f"the old baseline cannot be compared with: {error}")
    with written(baseline) as file:
        file.write(measured.baseline.to_json().encode("utf-8", "backslashreplace"))
    figures = ", ".join(
        f"{name} {100 * measured.baseline.means[name]:.1f} %"
        for name in rules.compared(measured.baseline.setting("primary"))
        if name in measured.baseline.means
    )
    kind = "first" if first else "new"
    from chunkwise.report.words import counted

    asked = counted(measured.baseline.questions, "question")
    note(f"{kind} baseline written to {baseline}: {asked}, {figures}")
    # What is wrong with the figures is said once, when somebody decides to go by them.
    for warning in measured.report.warnings if level >= 0 else ():
        note(f"warning: {warning}")
    if first and level >= 0:
        note("keep it with the code; the same command without --update compares with it")


def _before(path: str, row: str | None, update: bool) -> Baseline | None:
    """The baseline. One that is broken may be written anew, as its message says; no other file may."""
    from chunkwise.ship.baseline import load_baseline, replaceable

    try:
        return load_baseline(path, row)
    except (NothingMeasured, ReportError) as error:
        if not update:
            raise
        if not replaceable(path):
            raise ReportError(f"{path}: is no baseline, and is not overwritten; name another file") from error
        note(f"the old baseline cannot be compared with: {error}")
        return None


def _tell(
    outcome: Outcome, level: int, junit: str | None, markdown: str | None, root: str, fail: bool = True
) -> None:
    from chunkwise.ship.rendering import github, terminal, uncommanded
    from chunkwise.ship.rendering import junit as as_junit
    from chunkwise.ship.rendering import markdown as as_markdown

    actions = os.environ.get("GITHUB_ACTIONS") == "true"
    if markdown != STANDARD:
        # The account quotes documents and questions: there nothing of it may be taken for a command.
        say(uncommanded(terminal(outcome, level < 0)) if actions else terminal(outcome, level < 0))
    if junit is not None:
        with written(junit) as file:
            file.write(as_junit(outcome))
    if markdown is not None:
        with written(markdown) as file:
            file.write(as_markdown(outcome).encode("utf-8", "backslashreplace"))
    if actions:
        say(github(outcome, root))
        summary = os.environ.get("GITHUB_STEP_SUMMARY")
        if summary:
            with Path(summary).open("a", encoding="utf-8", errors="backslashreplace") as file:
                file.write(as_markdown(outcome))
    if fail and not outcome.passed:
        raise typer.Exit(Exit.FAULTS)
