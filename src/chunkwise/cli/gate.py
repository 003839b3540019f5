"""`chunkwise gate`: what is measured now against a baseline, for continuous integration."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

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
    refuse_idle,
    tell_left_out,
)
from chunkwise.cli.output import STANDARD, check_target, note, progress, say, written
from chunkwise.errors import ChunkwiseError, NothingMeasured, ReportError, SettingError

if TYPE_CHECKING:
    from chunkwise.ship.baseline import Baseline
    from chunkwise.ship.gating import Measured
    from chunkwise.ship.outcome import Outcome
    from chunkwise.ship.rules import Rules

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


_MEASURED = ("golden", "chunker", "retriever", "by", "k", "budget", "unit", "rule", "primary", "json")
"""What says how and what is measured, or keeps it."""


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
    telling = _Telling(level, junit, markdown, docs or "")
    if report is not None:
        if update:
            raise SettingError("--update measures anew; give the documents, not --report")
        refuse_idle(context, "with --report, where nothing is measured", *_MEASURED)
        telling.judge(gate_report(report, baseline, rules, row))
        return
    if primary is not None and not rules.measures:
        from chunkwise.measure import parse_measure

        rules = replace(rules, measures=(parse_measure(primary).name,))
    if update:
        check_target("--baseline", baseline, replaced=True)
    before = None if update and not Path(baseline).exists() else _before(baseline, row, update)
    settings = {
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
    if update:
        telling.update(measured, before, rules, baseline)
    else:
        assert before is not None
        telling.judge(_judged(measured, before, rules))


def _judged(measured: Measured, before: Baseline, rules: Rules) -> Outcome:
    from chunkwise.ship.gate import judge
    from chunkwise.ship.lost import explained

    outcome = judge(measured.baseline, before, rules)
    return explained(outcome, measured.report, measured.golden, measured.corpus)


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


class _Telling(NamedTuple):
    """Where what came out is said."""

    level: int
    junit: str | None
    markdown: str | None
    docs: str

    def judge(self, outcome: Outcome) -> None:
        """Say what came out. Ends with the exit code of a fault where a rule failed."""
        self.tell(outcome)
        if not outcome.passed:
            raise typer.Exit(Exit.FAULTS)

    def update(self, measured: Measured, before: Baseline | None, rules: Rules, path: str) -> None:
        """Write what was measured as the new baseline, and say how it differs from the old one."""
        from chunkwise.report.words import counted

        first = not Path(path).exists()
        if before is not None:
            try:
                self.tell(_judged(measured, before, rules))
            except ChunkwiseError as error:
                note(f"the old baseline cannot be compared with: {error}")
        made = measured.baseline
        with written(path) as file:
            file.write(made.to_json().encode("utf-8", "backslashreplace"))
        names = [name for name in rules.compared(made.setting("primary")) if name in made.means]
        figures = ", ".join(f"{name} {100 * made.means[name]:.1f} %" for name in names)
        kind, asked = "first" if first else "new", counted(made.questions, "question")
        note(f"{kind} baseline written to {path}: {asked}, {figures}")
        # What is wrong with the figures is said once, when somebody decides to go by them.
        for warning in measured.report.warnings if self.level >= 0 else ():
            note(f"warning: {warning}")
        if first and self.level >= 0:
            note("keep it with the code; the same command without --update compares with it")

    def tell(self, outcome: Outcome) -> None:
        """Say what came out, in the terminal, in files, and to GitHub where it runs there."""
        from chunkwise.ship.rendering import github, junit, markdown, terminal, uncommanded

        actions = os.environ.get("GITHUB_ACTIONS") == "true"
        if self.markdown != STANDARD:
            lines = terminal(outcome, self.level < 0)
            # The account quotes documents and questions: there nothing of it may be taken for a command.
            say(uncommanded(lines) if actions else lines)
        if self.junit is not None:
            with written(self.junit) as file:
                file.write(junit(outcome))
        if self.markdown is not None:
            with written(self.markdown) as file:
                file.write(markdown(outcome).encode("utf-8", "backslashreplace"))
        if actions:
            say(github(outcome, self.docs))
            summary = os.environ.get("GITHUB_STEP_SUMMARY")
            if summary:
                with Path(summary).open("a", encoding="utf-8", errors="backslashreplace") as file:
                    file.write(markdown(outcome))
