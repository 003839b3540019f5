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
    "needed",
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
    """What these questions can miss, in sentences; to be said before what they show."""
    return report.decision.not_shown if report.decision is not None else ()


def meaning(measure: str, rule: str = "contained") -> str:
    """A measure in words, under a hit rule."""
    if rule != "contained":
        by_rule = _meaning_by_rule(measure)
        if by_rule:
            return by_rule
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
    top = _top(number)
    return {
        "hit": f"share of questions whose whole answer is in {top}",
        "recall": f"share of the needed passages that are in {top}",
        "mrr": f"1 at rank 1, 1/2 at rank 2, … 0 behind rank {number}; the mean over all questions",
        "ndcg": f"how near the needed passages stand to the top of {number} chunks, against the best",
        "text-recall": f"share of the answers' text that is in {top}",
        "precision": f"share of the text of {top} that answers the question",
        "iou": f"text of the answers in {top}, against all text of both",
    }.get(name, measure)


def _meaning_by_rule(measure: str) -> str:
    """What a measure means where an answer need not lie whole in a chunk; empty where that is the same."""
    if measure == "ceiling":
        return "share of questions for which some chunk is a hit by the hit rule: no search can find more"
    match = re.fullmatch(r"(hit|recall)@(\d+)", measure)
    if match is None:
        return ""
    what = "questions whose answer is" if match[1] == "hit" else "the needed passages that are"
    return f"share of {what} found in {_top(int(match[2]))}, by the hit rule"


def _top(number: int) -> str:
    return "the first chunk" if number == 1 else f"the first {number} chunks"


def close_call(report: Report, comparison: Comparison | None) -> bool:
    """Whether a row is tied although its interval lies above zero."""
    tied = report.decision.tied if report.decision is not None else ()
    return comparison is not None and comparison.low > 0 and comparison.other in tied


def needed(comparison: Comparison) -> str:
    """About how many questions would tell two rows apart; a dash where they are level."""
    if comparison.needed is None:
        return "-"
    return f"{comparison.needed:,}" if comparison.within_reach else "too many"


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
        # A row without others that are searched as it is was not named for its cost.
        return "cheapest" if name == decision.candidate and len(_alike(report, decision)) > 1 else "tied"
    return ""


def what_to_use(report: Report) -> str:
    """What follows from the decision; empty where nothing does."""
    decision = report.decision
    if decision is None:
        return ""
    if decision.verdict == "winner":
        return f"use {decision.candidate}: it is better than every other row by more than chance"
    return _of_tie(report, decision) if decision.verdict == "tie" else ""


def _alike(report: Report, decision: Decision) -> list[str]:
    """The tied rows that are searched as the named one is."""
    own = report[str(decision.candidate)].retriever
    return [name for name in decision.tied if report[name].retriever == own]


def _of_tie(report: Report, decision: Decision) -> str:
    """The named row, of which rows it is the cheapest, and the one with the highest mean beside it."""
    against = {c.other: c for c in report.comparisons}
    chosen = str(decision.candidate)
    best = report.comparisons[0].best if report.comparisons else chosen
    tied = f"{len(decision.tied)} tied rows"
    alike = _alike(report, decision)
    shown = sum(against[name].not_worse for name in alike if name != best)
    if len(alike) == 1:
        said = f"use {chosen}, which has the highest mean of {tied}"
    elif 0 < shown < len(decision.tied) - 1:
        said = f"use {chosen}, the cheapest of {shown + 1} of {tied} that are shown to be as good"
    elif len(alike) < len(decision.tied):
        said = (
            f"use {chosen}, the cheapest of {len(alike)} of {tied} that are searched with "
            f"{report[best].retriever}"
        )
    elif against and all(not against[name].differing for name in alike if name != best):
        return f"use {chosen}, the cheapest of {len(alike)} rows that found the same"
    else:
        said = f"use {chosen}, the cheapest of {tied}"
    # A row that is shown to be as good needs no choice.
    if chosen != best and not against[chosen].not_worse and percent(against[chosen].difference) != "0.0":
        said += f", or {best} for the highest mean, {percent(against[chosen].difference)} points more"
    return f"{said}; no row is shown to be the best"


def in_table(reason: str, primary: str) -> bool:
    """Whether a reason says about two rows what the first table says of all of them."""
    if " cannot be told apart by " in reason:
        return True
    return f" on {primary}" in reason and (" ahead of " in reason or " are level " in reason)
