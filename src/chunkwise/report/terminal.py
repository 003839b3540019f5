"""A report for people: readable at 80 columns, in a log without colours, and without knowing the tool."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkwise.report.costs import approximate, costs, money, why_missed
from chunkwise.report.detail import (
    by_overlap,
    by_rule,
    by_tag,
    copied_from_headings,
    everything,
    one_setting,
    tests,
)
from chunkwise.report.names import Names
from chunkwise.report.sentences import (
    RULES,
    close_call,
    embedded_once,
    in_order,
    in_table,
    meaning,
    not_shown,
    standing,
    what_to_use,
)
from chunkwise.report.tables import Column, paragraph, percent, points, print_table, title, wide_enough
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Comparison, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["render"]

ROW = "row"
_MOST_KS = 4
_MATCHED = "size-matched"


def render(report: Report, console: Console, *, detail: int = 0) -> None:
    """Print a report.

    First what was found, then what these questions can miss, the figures of every row, what
    follows from them, and what speaks against trusting them.

    Args:
        report: what is printed; nothing is computed anew.
        console: where to; a console without markup and highlighting.
        detail: -1 for the essential, 0, or 1 for everything that was measured.
    """
    with wide_enough(console):
        _render(report, console, detail)


def _render(report: Report, console: Console, detail: int) -> None:
    decision = report.decision
    names = Names(report.candidates)
    rows = in_order(report)
    if decision is not None and decision.reasons:
        paragraph(console, decision.reasons[0], style="bold")
    for text in not_shown(report):
        paragraph(console, text)
    asked = bool(report.golden["questions"])
    if asked:
        _found(report, rows, names, console, legend=detail >= 0)
    if asked and detail >= 0:
        _first_chunks(report, rows, names, console)
        one_setting(report, names, console)
    if detail >= 0 or not asked:
        _chunks(rows, names, console)
        money(report, rows, names, console)
    if detail >= 0:
        copied_from_headings(report, rows, names, console)
        by_tag(report, rows, names, console, detail)
        if asked and (detail > 0 or any(row.headings for row in rows)):
            by_rule(report, rows, names, console)
        _about_rows(report, names, console)
    _conclusion(report, console, detail)
    _warnings(report, console, detail)
    if detail > 0:
        tests(report, names, console)
        why_missed(report, rows, names, console)
        by_overlap(report, rows, names, console)
        costs(report, rows, names, console)
        approximate(report, rows, names, console)
        everything(report, rows, names, console)


def _found(
    report: Report, rows: Sequence[CandidateReport], names: Names, console: Console, *, legend: bool
) -> None:
    primary = str(report.settings["primary"])
    questions = int(report.golden["questions"])
    apart = {c.other: c for c in report.comparisons}
    title(console, f"FOUND: {primary}, {counted(questions, 'question')}")
    scores = [row.measures[primary] for row in rows]
    few = [close_call(report, apart.get(row.name)) for row in rows]
    columns = [
        Column("found %", [percent(score.value) for score in scores]),
        Column("95 %\ninterval", [points(score.low, score.high) for score in scores]),
    ]
    if apart:
        columns += [
            Column("behind\nthe first", [_behind(apart.get(row.name)) for row in rows]),
            Column("95 %\ninterval", [_interval(apart.get(row.name)) for row in rows]),
            Column(
                "",
                [standing(report, row.name) + (" *" if f else "") for row, f in zip(rows, few, strict=True)],
                True,
            ),
        ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    for row in rows:
        if row.starts:
            ends = row.starts["measures"][primary]
            _legend(
                console,
                f"{names[row.name]}: the mean over {len(row.starts['offsets'])} starts of its windows; they "
                f"found {points(ends['low'], ends['high'])} %",
            )
    if not legend:
        return
    _legend(console, f"found: {meaning(primary, str(report.settings['rule']))}")
    if apart:
        _legend(
            console,
            "behind: points less than the first row, on the same questions; worse: more than chance, with "
            "the number of rows allowed for; tied: these questions cannot tell the two apart",
        )
    if any(few):
        _legend(
            console,
            "*: the interval says worse, but a test that allows for the number of rows does not",
        )


def _behind(comparison: Comparison | None) -> str:
    return "-" if comparison is None else percent(comparison.difference)


def _interval(comparison: Comparison | None) -> str:
    return "-" if comparison is None else points(comparison.low, comparison.high)


def _first_chunks(report: Report, rows: Sequence[CandidateReport], names: Names, console: Console) -> None:
    ks = [int(k) for k in report.settings["k"]]
    shown = [f"hit@{k}" for k in ([*ks[: _MOST_KS - 1], ks[-1]] if len(ks) > _MOST_KS else ks)]
    if ks:
        shown.append(f"mrr@{ks[-1]}")
    shown.append("ceiling")
    shown = [measure for measure in shown if all(measure in row.measures for row in rows)]
    questions = counted(int(report.golden["questions"]), "question")
    rule = str(report.settings["rule"])
    title(console, f"IN THE FIRST CHUNKS: hit rule {rule}, {questions}")
    columns = []
    for measure in shown:
        mean = measure.startswith("mrr")
        cells = [_plain(row.measures[measure].value, mean) for row in rows]
        columns.append(Column(f"{measure}\n{'0 to 1' if mean else '%'}", cells))
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    for measure in [shown[0], *(m for m in shown if m.startswith("mrr") or m == "ceiling")]:
        _legend(console, f"{measure}: {meaning(measure, rule)}")
    _legend(console, f"rule {rule}: {RULES.get(rule, 'your own')}")


def _plain(value: float, mean: bool) -> str:
    return f"{value:.3f}" if mean else percent(value)


def _chunks(rows: Sequence[CandidateReport], names: Names, console: Console) -> None:
    units = list(dict.fromkeys(str(row.sizes["unit"]) for row in rows))
    one = len(units) == 1
    title(console, "THE CHUNKS")
    columns = [
        Column("chunks", [f"{row.chunks:,}" for row in rows]),
        Column(
            f"mean\nsize\n{units[0] if one else ''}",
            [f"{row.sizes['mean']:,.0f}" + ("" if one else f" {row.sizes['unit']}") for row in rows],
        ),
        Column(
            "cut in\nsentence\n%", [percent(row.boundaries["starts"]["shares"]["sentence"]) for row in rows]
        ),
        Column("cross\nsections\n%", [percent(row.boundaries["crossing_sections"]["share"]) for row in rows]),
        Column("characters\nindexed", [f"{row.costs['characters_indexed']:,}" for row in rows]),
        Column("overlap\n%", [percent(row.costs["overlap_factor"] - 1) for row in rows]),
    ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    _legend(console, "mean size: of what is indexed, the context that some rows put in front included")
    _legend(
        console, "cut in sentence: chunks that begin inside a sentence; the first of each document left aside"
    )
    _legend(console, "cross sections: chunks with text from below two headings or more")
    _legend(console, "overlap: text that is indexed again because chunks overlap; it is paid for twice")


def _about_rows(report: Report, names: Names, console: Console) -> None:
    title(console, "ROWS")
    if names.shared:
        paragraph(console, f"names above leave out what the rows share: {', '.join(names.shared)}")
    for label, spec in names.labelled.items():
        what = ": windows as long as the heading chunks are on average" if label == _MATCHED else ""
        paragraph(console, f"{label} is {spec}{what}")
    documents, characters = int(report.corpus["documents"]), int(report.corpus["characters"])
    retrievers = ", ".join(dict.fromkeys(row.retriever for row in report.candidates))
    paragraph(
        console,
        f"{counted(documents, 'document')}, {characters:,} characters; searched with "
        f"{retrievers}; intervals: {int(report.settings['resamples']):,} resamples, "
        f"seed {report.settings['seed']}",
    )
    for sentence in embedded_once(report):
        paragraph(console, sentence)


def _conclusion(report: Report, console: Console, detail: int) -> None:
    decision = report.decision
    if decision is None:
        return
    title(console, "WHAT FOLLOWS")
    use = what_to_use(report)
    if decision.ruled_out and detail >= 0:
        listed = ", ".join(decision.ruled_out)
        paragraph(console, f"ruled out, worse by more than chance: {listed}", bullet="- ")
    paragraph(console, use or "nothing is decided", bullet="- ")
    if use and detail < 0:
        return
    for reason in decision.reasons[1:]:
        if detail > 0 or not in_table(reason, str(report.settings["primary"])):
            paragraph(console, reason, bullet="- ")
    # What concerns the row that is named comes first; the others are for those who ask.
    for text in decision.settles if detail > 0 else decision.settles[:1]:
        paragraph(console, f"what would settle it: {text}", bullet="- ")
    for text in decision.hides:
        paragraph(console, text, bullet="- ")


def _warnings(report: Report, console: Console, detail: int) -> None:
    count = len(report.warnings)
    if not count:
        return
    head = f"{count} WARNING{'' if count == 1 else 'S'}"
    if detail < 0:
        title(console, f"{head} (read {'it' if count == 1 else 'them'} with -v)")
        return
    if detail == 0 and count > 1:
        # The most important one comes first; the others are for those who ask.
        console.print()
        paragraph(console, f"{head} (read all with -v), the first: {report.warnings[0]}")
        return
    title(console, head)
    for warning in report.warnings:
        paragraph(console, warning, bullet="- ")


def _legend(console: Console, text: str) -> None:
    paragraph(console, text, bullet="  ", style="dim")
