"""A report to a decision: which row to use, how sure that is, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chunkwise.decide.because import beside, by_retriever, found, not_shown, of_next, of_tie
from chunkwise.decide.cheapest import cheapest
from chunkwise.decide.hidden import headings, held_out, weak
from chunkwise.decide.settle import settles
from chunkwise.decide.words import asked, p_value, percent, points
from chunkwise.types import CandidateReport, Comparison, Decision, Report

__all__ = ["decide"]


def decide(report: Report) -> Decision:
    """Say which row to use.

    A row is ruled out where a paired test, corrected for the number of rows and for having picked the best
    by the same scores, finds it worse than the best, and the whole interval of its difference lies above
    zero. Where no row but the best is left, it is the winner; else the rows that are left are tied, and
    the cheapest of them is named: of those that are shown to be not worse than the best by more than a
    margin, where there are any, else of those whose interval touches zero. Where rows are searched with
    several retrievers, the named one has the retriever of the best. Nothing is decided where there
    are no questions, where no row found anything, or where there is one row only.

    A comparison without a corrected p, from a report before there was one, rules nothing out.

    Args:
        report: with its comparisons on the primary measure.
    """
    decision = _decided(report)
    return replace(decision, not_shown=not_shown(report))


def _decided(report: Report) -> Decision:
    rows, primary = report.candidates, str(report.settings["primary"])
    values = {row.name: row.measures[primary].value for row in rows if primary in row.measures}
    if not rows or not report.golden.get("questions") or len(values) < len(rows):
        reason = "no questions were asked: sizes and the damage at the cuts do not say what is found"
        wanted = "write thirty questions or more, each with the words of the documents that answer it"
        return Decision("undecided", None, (), (), (reason,), (wanted,))
    best = report.comparisons[0].best if report.comparisons else rows[0].name
    if not any(values.values()):
        reason = f"no row found anything of what the questions need: {primary} is 0 for all of them"
        return Decision("undecided", None, (), (), (reason, *_why_zero(rows)))
    if len(rows) == 1:
        alone = "there is one row only: name a second one to compare it with"
        said = (found(report, report[best]), alone)
        return Decision("undecided", best, (best,), (), said, hides=tuple(weak(report, best)))
    told = [c for c in report.comparisons if c.adjusted is not None and c.adjusted < report.level]
    out = [c for c in told if c.low > 0]
    ruled_out = tuple(c.other for c in out)
    tied = tuple(row.name for row in rows if row.name not in ruled_out)
    chosen, cheap = (best, []) if len(tied) == 1 else cheapest(report, tied, best)
    hides = (*weak(report, chosen), *held_out(report), *headings(report, best))
    others = by_retriever(report, best, ruled_out)
    if len(tied) == 1:
        first = f"{found(report, report[best])}, {of_next(report, best, out)}"
        return Decision("winner", best, tied, ruled_out, (first, *_ahead(report, out), *others), hides=hides)
    reasons = (
        _first_of_tie(report, tied, best, chosen, out),
        *_ahead(report, out),
        *cheap,
        *others,
        *_tie(report, tied, best),
    )
    return Decision("tie", chosen, tied, ruled_out, reasons, settles(report, tied, chosen), hides=hides)


def _first_of_tie(
    report: Report, tied: Sequence[str], best: str, chosen: str, out: Sequence[Comparison]
) -> str:
    """The sentence of a tie. A row that is named for its cost stands behind the one that found more."""
    if out and all(not c.differing for c in report.comparisons if c.other in tied):
        # What is tied found the same, question by question; the others are told apart.
        same = ", ".join(name for name in tied if name != chosen)
        return f"{found(report, report[chosen])}, as did {same}, {of_next(report, chosen, out)}"
    why = of_tie(report, tied, best)
    if chosen == best or not next(c for c in report.comparisons if c.other == chosen).differing:
        return f"{found(report, report[chosen])}, {why}"
    return f"{found(report, report[best])}, {why}; {beside(report, chosen)}"


def _tie(report: Report, tied: Sequence[str], best: str) -> list[str]:
    """Why no row is called best."""
    measure = report.settings["primary"]
    rows = f"{len(tied)} of {len(report.candidates)} rows"
    reasons = [f"{rows} cannot be told apart by {asked(report)}: {', '.join(tied)}"]
    for c in report.comparisons:
        if c.other not in tied:
            continue
        if c.low > 0:
            tested = (
                "the test corrected for the number of rows is missing"
                if c.adjusted is None
                else f"corrected for having picked the best of {len(report.candidates)} rows "
                f"{p_value(c.adjusted)}"
            )
            families = f"{c.differing} famil{'y' if c.differing == 1 else 'ies'} of questions"
            reasons.append(
                f"{best} is {points(c.difference)} ahead of {c.other} on {measure}, [{percent(c.low)} to "
                f"{percent(c.high)}], but they differ in {families} and {tested}: it may be chance"
            )
        elif percent(c.difference) != "0":
            reasons.append(
                f"{best} is {points(c.difference)} ahead of {c.other} on {measure}, "
                f"[{percent(c.low)} to {percent(c.high)}], which may be chance"
            )
        else:
            reasons.append(f"{best} and {c.other} are level on {measure}")
    return reasons


def _ahead(report: Report, out: Sequence[Comparison]) -> list[str]:
    """By how much the best row is ahead of those that are ruled out, the nearest first."""
    return [
        f"{c.best} is {points(c.difference)} [{percent(c.low)} to {percent(c.high)}] ahead of {c.other} "
        f"on {report.settings['primary']}, more than chance ({p_value(c.adjusted)})"
        for c in sorted(out, key=lambda c: c.difference)
    ]


def _why_zero(rows: Sequence[CandidateReport]) -> list[str]:
    if all(row.chunks == 0 for row in rows):
        return ["no row has any chunks"]
    if all("ceiling" in row.measures and row.measures["ceiling"].value == 0 for row in rows):
        return ["no chunk of any row holds an answer: is the golden set about these documents?"]
    return ["no question shares a word with the chunks that answer it, or other chunks always came first"]
