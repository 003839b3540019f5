"""What a report says in words: the same on the terminal, on the page and in Markdown."""

from __future__ import annotations

import re

from chunkwise.report.tables import percent
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Comparison, Decision, Report

__all__ = [
    "RULES",
    "close_call",
    "embedded_once",
    "in_order",
    "in_table",
    "meaning",
    "not_shown",
    "standing",
    "what_to_use",
]

RULES = {
    "contained": "a chunk has found an answer when it holds the whole answer",
    "majority": "a chunk has found an answer when at least half of the chunk lies in it",
    "half-section": "a chunk has found an answer when it holds at least half of the answer",
    "overlap": "a chunk has found an answer when it holds any character of it",
}
"""What each hit rule asks for."""


def in_order(report: Report) -> list[CandidateReport]:
    """The rows, the highest primary measure first; equal ones, and those without it, as they were named."""
    primary = str(report.settings["primary"])

    def falling(row: CandidateReport) -> float:
        return -row.measures[primary].value if primary in row.measures else 0.0

    return sorted(report.candidates, key=falling)


def embedded_once(report: Report) -> list[str]:
    """What it saves that equal texts of all rows are embedded once, by model."""
    found = []
    for model, of in report.embedding.items():
        chunks, distinct = int(of["chunks"]), int(of["distinct"])
        share = f": {percent((chunks - distinct) / chunks)} % are repeats" if chunks > distinct else ""
        found.append(
            f"{model}: the rows have {counted(chunks, 'chunk')} with {counted(distinct, 'different text')}, "
            f"each of which is embedded once{share}"
        )
    return found


def not_shown(report: Report) -> tuple[str, ...]:
    """What these questions could not have shown, in sentences; to be said before what they show."""
    return report.decision.not_shown if report.decision is not None else ()


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


def close_call(report: Report, comparison: Comparison | None) -> bool:
    """Whether a row is tied although its interval lies above zero."""
    tied = report.decision.tied if report.decision is not None else ()
    return comparison is not None and comparison.low > 0 and comparison.other in tied


def standing(report: Report, name: str) -> str:
    """What the decision says of a row in one word: best, cheapest, tied, worse, or nothing."""
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


def what_to_use(report: Report) -> str:
    """What follows from the decision; empty where nothing does."""
    decision = report.decision
    if decision is None:
        return ""
    return {
        "winner": f"use {decision.candidate}: it is better than every other row by more than chance",
        "tie": f"use {decision.candidate}, the cheapest of {_pool(report, decision)}; "
        "none of them is the best",
    }.get(decision.verdict, "")


def _pool(report: Report, decision: Decision) -> str:
    """Of which rows the named one is the cheapest."""
    tied = f"{len(decision.tied)} tied rows"
    shown = sum(c.not_worse for c in report.comparisons if c.other in decision.tied)
    return (
        f"{shown + 1} of {tied} that are shown to be as good" if 0 < shown < len(decision.tied) - 1 else tied
    )


def in_table(reason: str, primary: str) -> bool:
    """Whether a reason says about two rows what the first table says of all of them."""
    if " cannot be told apart by " in reason:
        return True
    return f" on {primary}" in reason and (" ahead of " in reason or " are level " in reason)
