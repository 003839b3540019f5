"""A report for people: readable at 80 columns, in a log without colours, and without knowing the tool."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chunkwise.report.costs import costs, why_missed
from chunkwise.report.detail import by_rule, by_tag, copied_from_headings, everything, one_setting, tests
from chunkwise.report.names import Names
from chunkwise.report.tables import Column, paragraph, percent, points, print_table, title, wide_enough
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Comparison, Decision, Report

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["render"]

ROW = "row"
_MOST_KS = 4
_MATCHED = "size-matched"


def render(report: Report, console: Console, *, detail: int = 0) -> None:
    """Print a report.

    First what was found, then what these questions could not have shown, the figures of every row, what
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
        costs(report, rows, names, console)
        everything(report, rows, names, console)


def in_order(report: Report) -> list[CandidateReport]:
    """The rows, the highest primary measure first; equal ones, and those without it, as they were named."""
    primary = str(report.settings["primary"])

    def falling(row: CandidateReport) -> float:
        return -row.measures[primary].value if primary in row.measures else 0.0

    return sorted(report.candidates, key=falling)


def not_shown(report: Report) -> list[str]:
    """What these questions could not have shown, in sentences."""
    questions, families = int(report.golden["questions"]), int(report.golden["families"])
    if not questions:
        return []
    of = counted(questions, "question")
    if families < questions:
        of += f" of {counted(families, 'family', 'families')}"
    found = []
    shown = detectable(report)
    if shown is not None:
        found.append(
            f"What {of} could not have shown: a difference between two rows of less than about "
            f"{percent(shown)} points. One question counts {percent(1 / questions)} points."
        )
    elif report.limits:
        found.append(
            f"What {of} could not have shown: any difference between two rows, however large. "
            f"With {counted(len(report.candidates), 'row')} at least {report.limits['least_families']} "
            "families must change, all the same way, before it is more than chance."
        )
    copied = int(report.golden.get("origin", {}).get("heading", 0))
    if copied:
        found.append(
            f"{copied:,} of {of} {'is' if copied == 1 else 'are'} copied from headings and can show nothing "
            "about questions in the words of users."
        )
    return found


def detectable(report: Report) -> float | None:
    """The smallest true difference that would be found in 4 of 5 samples like this one; None: none would.

    A report from before it was computed has half of the widest interval instead.
    """
    if report.limits:
        found = report.limits["detectable"]
        return None if found is None else float(found)
    widest = max((c.high - c.low for c in report.comparisons), default=0.0)
    return widest / 2 if widest > 0 else None


def meaning(measure: str) -> str:
    """A measure in words."""
    match = re.fullmatch(r"([a-z-]+)@(\d+)(\D.*)?", measure)
    if match is None:
        return {
            "ceiling": "share of questions whose answer lies whole in some chunk: no search can find more",
            "coverage": "share of questions whose answer lies in the chunks taken together",
            "precision-omega": "share of answer in the chunks that hold some of it, however they were found",
        }.get(measure.partition("/")[0], measure)
    name, number, unit = match[1], int(match[2]), match[3]
    if name == "recall" and unit is not None:
        return f"share of the answers' text that a reader has after {number:,} {unit} of the chunks found"
    top = "the first chunk" if number == 1 else f"the first {number} chunks"
    return {
        "hit": f"share of questions whose whole answer is in {top}",
        "recall": f"share of the needed passages that are in {top}",
        "mrr": f"1 at rank 1, 1/2 at rank 2, … 0 behind rank {number}; the mean over all questions",
        "ndcg": f"how near the needed passages stand to the top of {number} chunks, against the best",
        "text-recall": f"share of the answers' text that is in {top}",
        "precision": f"share of the text of {top} that answers the question",
        "iou": f"text of the answers in {top}, against all text of both",
    }.get(name, measure)


def _found(
    report: Report, rows: Sequence[CandidateReport], names: Names, console: Console, *, legend: bool
) -> None:
    primary = str(report.settings["primary"])
    questions = int(report.golden["questions"])
    apart = {c.other: c for c in report.comparisons}
    title(console, f"FOUND: {primary}, {counted(questions, 'question')}")
    scores = [row.measures[primary] for row in rows]
    few = [_few(report, apart.get(row.name)) for row in rows]
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
                [_verdict(report, row.name) + (" *" if f else "") for row, f in zip(rows, few, strict=True)],
                True,
            ),
        ]
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    if not legend:
        return
    _legend(console, f"found: {meaning(primary)}")
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


def _few(report: Report, comparison: Comparison | None) -> bool:
    """Whether a row is tied although its interval lies above zero."""
    tied = report.decision.tied if report.decision is not None else ()
    return comparison is not None and comparison.low > 0 and comparison.other in tied


def _behind(comparison: Comparison | None) -> str:
    return "-" if comparison is None else percent(comparison.difference)


def _interval(comparison: Comparison | None) -> str:
    return "-" if comparison is None else points(comparison.low, comparison.high)


def _verdict(report: Report, name: str) -> str:
    decision = report.decision
    if decision is None:
        return ""
    if name in decision.ruled_out:
        return "worse"
    if decision.verdict == "winner" and name == decision.candidate:
        return "best"
    if name in decision.tied and len(decision.tied) > 1:
        return "cheapest" if name == decision.candidate else "tied"
    return ""


def _first_chunks(report: Report, rows: Sequence[CandidateReport], names: Names, console: Console) -> None:
    ks = [int(k) for k in report.settings["k"]]
    shown = [f"hit@{k}" for k in ([*ks[: _MOST_KS - 1], ks[-1]] if len(ks) > _MOST_KS else ks)]
    if ks:
        shown.append(f"mrr@{ks[-1]}")
    shown.append("ceiling")
    shown = [measure for measure in shown if all(measure in row.measures for row in rows)]
    questions = counted(int(report.golden["questions"]), "question")
    title(console, f"IN THE FIRST CHUNKS: hit rule {report.settings['rule']}, {questions}")
    columns = []
    for measure in shown:
        mean = measure.startswith("mrr")
        cells = [_plain(row.measures[measure].value, mean) for row in rows]
        columns.append(Column(f"{measure}\n{'0 to 1' if mean else '%'}", cells))
    print_table(console, ROW, [names[row.name] for row in rows], columns)
    for measure in [shown[0], *(m for m in shown if m.startswith("mrr") or m == "ceiling")]:
        _legend(console, f"{measure}: {meaning(measure)}")
    _legend(
        console, f"rule {report.settings['rule']}: {_RULES.get(str(report.settings['rule']), 'your own')}"
    )


_RULES = {
    "contained": "a chunk has found an answer when it holds the whole answer",
    "majority": "a chunk has found an answer when at least half of the chunk lies in it",
    "half-section": "a chunk has found an answer when it holds at least half of the answer",
    "overlap": "a chunk has found an answer when it holds any character of it",
}


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


def _conclusion(report: Report, console: Console, detail: int) -> None:
    decision = report.decision
    if decision is None:
        return
    title(console, "WHAT FOLLOWS")
    use = {
        "winner": f"use {decision.candidate}: it is better than every other row by more than chance",
        "tie": f"use {decision.candidate}, the cheapest of {_pool(report, decision)}; "
        "none of them is the best",
    }.get(decision.verdict)
    paragraph(console, use or "nothing is decided", bullet="- ")
    if use is not None and detail < 0:
        return
    for reason in decision.reasons[1:]:
        if detail > 0 or not _in_table(reason, str(report.settings["primary"])):
            paragraph(console, reason, bullet="- ")
    # What concerns the row that is named comes first; the others are for those who ask.
    for text in decision.settles if detail > 0 else decision.settles[:1]:
        paragraph(console, f"what would settle it: {text}", bullet="- ")
    if decision.ruled_out:
        paragraph(
            console, f"ruled out, worse by more than chance: {', '.join(decision.ruled_out)}", bullet="- "
        )


def _pool(report: Report, decision: Decision) -> str:
    """Of which rows the named one is the cheapest."""
    tied = f"{len(decision.tied)} tied rows"
    shown = sum(c.not_worse for c in report.comparisons if c.other in decision.tied)
    return (
        f"{shown + 1} of {tied} that are shown to be as good" if 0 < shown < len(decision.tied) - 1 else tied
    )


def _in_table(reason: str, primary: str) -> bool:
    """Whether a reason says about two rows what the first table says of all of them."""
    return f" on {primary}" in reason and (" ahead of " in reason or " are level " in reason)


def _warnings(report: Report, console: Console, detail: int) -> None:
    count = len(report.warnings)
    if not count:
        return
    head = f"{count} WARNING{'' if count == 1 else 'S'}"
    if detail < 0:
        title(console, f"{head} (read them without -q)")
        return
    title(console, head)
    for warning in report.warnings:
        paragraph(console, warning, bullet="- ")


def _legend(console: Console, text: str) -> None:
    paragraph(console, text, bullet="  ", style="dim")
