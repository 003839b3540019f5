"""A report to a decision: which row to use, how sure that is, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwise.types import CandidateReport, Comparison, Decision, Report

LEAST_DIFFERING = 6
"""An exact paired sign test reaches 5 % with six families that all change the same way, not with five."""
_CLOSE = 0.01  # costs within this share of the least count as equal


def decide(report: Report) -> Decision:
    """Say which row to use.

    A row is ruled out where the whole interval of its difference from the best row lies above zero and
    the two differ in at least six families. Where no row but the best is left, it is the winner; else
    the rows that are left are tied, and of those whose interval touches zero the cheapest is named.
    Nothing is decided where there are no questions, where no row found anything, or where there is
    one row only.

    Args:
        report: with its comparisons on the primary measure.
    """
    rows, primary = report.candidates, str(report.settings["primary"])
    values = {row.name: row.measures[primary].value for row in rows if primary in row.measures}
    if not rows or not report.golden.get("questions") or len(values) < len(rows):
        reason = "no questions were asked: sizes and the damage at the cuts do not say what is found"
        return Decision("undecided", None, (), (), (reason,))
    best = report.comparisons[0].best if report.comparisons else rows[0].name
    if not any(values.values()):
        reason = f"no row found anything of what the questions need: {primary} is 0 for all of them"
        return Decision("undecided", None, (), (), (reason, *_why_zero(rows)))
    if len(rows) == 1:
        return Decision(
            "undecided",
            best,
            (best,),
            (),
            (_found(report, report[best]), "there is one row only: name a second one to compare it with"),
        )
    out = [c for c in report.comparisons if c.low > 0 and c.differing >= LEAST_DIFFERING]
    ruled_out = tuple(c.other for c in out)
    tied = tuple(row.name for row in rows if row.name not in ruled_out)
    if len(tied) == 1:
        reasons = (_found(report, report[best]), *_ahead(report, out), *_headings(report, best))
        return Decision("winner", best, tied, ruled_out, reasons)
    # A row that is behind for all that these questions say is not chosen for being cheap.
    behind = {c.other for c in report.comparisons if c.low > 0}
    chosen, cheap = _cheapest([report[name] for name in tied if name not in behind], primary)
    reasons = (
        _found(report, report[chosen]),
        *_tie(report, tied, best),
        cheap,
        *_ahead(report, out),
        *_headings(report, best),
    )
    return Decision("tie", chosen, tied, ruled_out, reasons)


def _found(report: Report, row: CandidateReport) -> str:
    """The sentence that the whole tool is there for."""
    primary = str(report.settings["primary"])
    score, questions = row.measures[primary], report.golden["questions"]
    return (
        f"on this corpus {row.name} found {_percent(score.value)} % "
        f"[{_percent(score.low)} to {_percent(score.high)}] of {_what(primary, questions)}"
    )


def _what(measure: str, questions: int) -> str:
    """What a measure is a share of, in words."""
    asked = f"{questions:,} question{'' if questions == 1 else 's'}"
    match = re.fullmatch(r"(hit|recall|mrr)@(\d+)(\D.*)?", measure)
    if match is None:
        what = {
            "ceiling": "what {} need in some chunk, retrieved or not",
            "coverage": "what {} need in its chunks together",
        }
        return what.get(measure, f"the possible {measure} over {{}}").format(asked)
    name, number, unit = match[1], int(match[2]), match[3]
    top = "the first chunk" if number == 1 else f"the first {number} chunks"
    if unit is not None:
        return f"the answers to {asked} within {number:,} {_unit(unit)} read ({measure})"
    if name == "hit":
        return f"the whole answers to {asked} in {top} ({measure})"
    if name == "recall":
        return f"the passages that {asked} need in {top} ({measure})"
    return f"the best possible rank for the answers to {asked} ({measure})"


def _unit(unit: str) -> str:
    return unit if unit in ("words", "chars") else f"{unit} tokens"


def _tie(report: Report, tied: Sequence[str], best: str) -> list[str]:
    """Why no row is called best."""
    measure, questions = report.settings["primary"], report.golden["questions"]
    asked = f"{questions:,} question{'' if questions == 1 else 's'}"
    rows = f"{len(tied)} of {len(report.candidates)} rows"
    reasons = [f"{rows} cannot be told apart by {asked}: {', '.join(tied)}"]
    for c in report.comparisons:
        if c.other not in tied:
            continue
        if c.low > 0:
            reasons.append(
                f"{best} is {_points(c.difference)} ahead of {c.other} on {measure}, but they differ in "
                f"{c.differing} famil{'y' if c.differing == 1 else 'ies'} of questions only; "
                f"fewer than {LEAST_DIFFERING} prove nothing"
            )
        elif _percent(c.difference) != "0":
            reasons.append(
                f"{best} is {_points(c.difference)} ahead of {c.other} on {measure}, "
                f"[{_percent(c.low)} to {_percent(c.high)}], which may be chance"
            )
        else:
            reasons.append(f"{best} and {c.other} are level on {measure}")
    return reasons


def _ahead(report: Report, out: Sequence[Comparison]) -> list[str]:
    """By how much the best row is ahead of those that are ruled out, the nearest first."""
    return [
        f"{c.best} is {_points(c.difference)} [{_percent(c.low)} to {_percent(c.high)}] ahead of {c.other} "
        f"on {report.settings['primary']}, more than chance"
        for c in sorted(out, key=lambda c: c.difference)
    ]


def _headings(report: Report, best: str) -> list[str]:
    """What is left of the lead where the words of the questions are no longer in the index."""
    own, primary = report[best].headings, report.settings["primary"]
    if not own:
        return []
    without = {row.name: row.headings["without"][primary]["value"] for row in report.candidates}
    first = max(without, key=lambda name: without[name])
    told = f"without the heading lines in the index {best} finds {_percent(without[best])} %"
    also = (
        "" if without[first] <= without[best] else f", and {first} is first with {_percent(without[first])} %"
    )
    return [f"{own['questions']:,} questions are copied from headings; {told}{also}"]


def _why_zero(rows: Sequence[CandidateReport]) -> list[str]:
    if all(row.chunks == 0 for row in rows):
        return ["no row has any chunks"]
    if all("ceiling" in row.measures and row.measures["ceiling"].value == 0 for row in rows):
        return ["no chunk of any row holds an answer: is the golden set about these documents?"]
    return ["no question shares a word with the chunks that answer it, or other chunks always came first"]


def _cheapest(rows: Sequence[CandidateReport], primary: str) -> tuple[str, str]:
    """The cheapest of some rows, and why: units sent, then characters indexed, then chunks, then order."""
    key = _sent_key(rows[0], primary)
    unit = rows[0].costs.get("unit", "")
    at = f"at {primary.partition('@')[2] or 'the deepest k'}"
    steps = [
        (
            f"hands the reader the fewest {_unit(unit)} {at}",
            [row.costs["sent"].get(key, 0.0) for row in rows],
        ),
        ("puts the fewest characters into the index", [row.costs["characters_indexed"] for row in rows]),
        ("has the fewest chunks", [row.chunks for row in rows]),
    ]
    left = list(range(len(rows)))
    for reason, costs in steps:
        least = min(costs[i] for i in left)
        cheap = [i for i in left if costs[i] <= least * (1 + _CLOSE)]
        if len(cheap) == 1:
            i = cheap[0]
            return rows[i].name, f"{rows[i].name} is the cheapest of them: it {reason} ({_number(costs[i])})"
        left = cheap
    name = rows[left[0]].name
    return name, f"{name} costs as little as any of them and is named first"


def _sent_key(row: CandidateReport, primary: str) -> str:
    """Under which key of `sent` the cost at the primary measure stands; else the largest k."""
    sent = row.costs["sent"]
    key = "@" + primary.partition("@")[2]
    if key in sent:
        return key
    ks = [name for name in sent if name[1:].isdigit()]
    return ks[-1] if ks else next(iter(sent), "")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0")


def _points(difference: float) -> str:
    text = _percent(difference)
    return f"{text} point{'' if text == '1' else 's'}"


def _number(value: float) -> str:
    return f"{value:,.0f}"
