"""A report to a decision: which row to use, how sure that is, and why."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwise.types import CandidateReport, Comparison, Decision, Report

ALPHA = 0.05
"""Level of the tests: a row is ruled out where its corrected p is below."""
_CLOSE = 0.01  # costs within this share of the least count as equal
_MANY = 100_000  # questions; more are not counted


def decide(report: Report) -> Decision:
    """Say which row to use.

    A row is ruled out where a paired test, corrected for the number of rows and for having picked the best
    by the same scores, finds it worse than the best, and the whole interval of its difference lies above
    zero. Where no row but the best is left, it is the winner; else the rows that are left are tied, and
    the cheapest of them is named: of those that are shown to be not worse than the best by more than a
    margin, where there are any, else of those whose interval touches zero. Nothing is decided where there
    are no questions, where no row found anything, or where there is one row only.

    A comparison without a corrected p, from a report before there was one, rules nothing out.

    Args:
        report: with its comparisons on the primary measure.
    """
    rows, primary = report.candidates, str(report.settings["primary"])
    values = {row.name: row.measures[primary].value for row in rows if primary in row.measures}
    if not rows or not report.golden.get("questions") or len(values) < len(rows):
        reason = "no questions were asked: sizes and the damage at the cuts do not say what is found"
        return Decision(
            "undecided",
            None,
            (),
            (),
            (reason,),
            ("write thirty questions or more, each with the words of the documents that answer it",),
        )
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
            (
                _found(report, report[best]),
                "there is one row only: name a second one to compare it with",
                *_weak(report, best),
            ),
        )
    out = [c for c in report.comparisons if c.low > 0 and c.adjusted is not None and c.adjusted < ALPHA]
    ruled_out = tuple(c.other for c in out)
    tied = tuple(row.name for row in rows if row.name not in ruled_out)
    if len(tied) == 1:
        reasons = (
            f"{_found(report, report[best])}, ahead of every other row by more than chance",
            *_ahead(report, out),
            *_weak(report, best),
            *_held_out(report),
            *_headings(report, best),
        )
        return Decision("winner", best, tied, ruled_out, reasons)
    chosen, cheap = _cheapest(report, tied, best)
    reasons = (
        _found(report, report[chosen]),
        *_tie(report, tied, best),
        *cheap,
        *_ahead(report, out),
        *_weak(report, chosen),
        *_held_out(report),
        *_headings(report, best),
    )
    return Decision("tie", chosen, tied, ruled_out, reasons, _settles(report, tied, chosen))


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
    measure = report.settings["primary"]
    rows = f"{len(tied)} of {len(report.candidates)} rows"
    reasons = [f"{rows} cannot be told apart by {_asked(report)}: {', '.join(tied)}"]
    for c in report.comparisons:
        if c.other not in tied:
            continue
        if c.low > 0:
            tested = (
                "the test corrected for the number of rows is missing"
                if c.adjusted is None
                else f"corrected for having picked the best of {len(report.candidates)} rows {_p(c.adjusted)}"
            )
            families = f"{c.differing} famil{'y' if c.differing == 1 else 'ies'} of questions"
            reasons.append(
                f"{best} is {_points(c.difference)} ahead of {c.other} on {measure}, [{_percent(c.low)} to "
                f"{_percent(c.high)}], but they differ in {families} and {tested}: it may be chance"
            )
        elif _percent(c.difference) != "0":
            reasons.append(
                f"{best} is {_points(c.difference)} ahead of {c.other} on {measure}, "
                f"[{_percent(c.low)} to {_percent(c.high)}], which may be chance"
            )
        else:
            reasons.append(f"{best} and {c.other} are level on {measure}")
    return reasons


def _asked(report: Report) -> str:
    questions = report.golden["questions"]
    return f"{questions:,} question{'' if questions == 1 else 's'}"


def _ahead(report: Report, out: Sequence[Comparison]) -> list[str]:
    """By how much the best row is ahead of those that are ruled out, the nearest first."""
    return [
        f"{c.best} is {_points(c.difference)} [{_percent(c.low)} to {_percent(c.high)}] ahead of {c.other} "
        f"on {report.settings['primary']}, more than chance ({_p(c.adjusted)})"
        for c in sorted(out, key=lambda c: c.difference)
    ]


def _p(p: float | None) -> str:
    return "p < 0.001" if p is not None and p < 0.001 else f"p = {p:.2g}"


def _weak(report: Report, name: str) -> list[str]:
    """What the mean of a row hides: the questions it does worst on, and where another row is ahead."""
    spots, primary = report.weak.get(name, {}), str(report.settings["primary"])
    reasons = []
    worst, behind = spots.get("worst"), spots.get("behind")
    if worst is not None:
        mean = report[name].measures[primary].value
        reasons.append(
            f"{name} is weakest on {worst['tag']} = {worst['value']}: {_percent(worst['mean'])} % "
            f"[{_percent(worst['low'])} to {_percent(worst['high'])}] of {worst['questions']:,} questions, "
            f"against {_percent(mean)} % of all"
        )
    if behind is not None:
        reasons.append(
            f"on {behind['tag']} = {behind['value']} ({behind['questions']:,} questions) {behind['other']} "
            f"is {_points(behind['mean'])} [{_percent(behind['low'])} to {_percent(behind['high'])}] ahead "
            f"of {name}"
        )
    return reasons


def _held_out(report: Report) -> list[str]:
    """What the best row has on questions that did not pick it."""
    found = report.selection
    if not found:
        return []
    own = (
        f"the highest mean, {_percent(found['own'])} %, was picked by the same questions that it is a mean of"
    )
    if found["kind"] == "none":
        return [f"{own}; with one family of questions there are no others to check it on"]
    figure = f"{_percent(found['value'])} % [{_percent(found['low'])} to {_percent(found['high'])}]"
    chosen = list(dict.fromkeys(found["chosen"]))
    if found["kind"] == "halves":
        checked = (
            f"picked on one half of the families, {chosen[0]} found {figure} of the "
            f"{found['questions']:,} questions of the other half"
        )
    else:
        which = f"always {chosen[0]}" if len(chosen) == 1 else f"not always the same row: {', '.join(chosen)}"
        checked = (
            f"picked {len(found['chosen'])} times without a part of the families and asked that part, "
            f"the row picked ({which}) found {figure}"
        )
    return [f"{own}; {checked}"]


def _settles(report: Report, tied: Sequence[str], chosen: str) -> tuple[str, ...]:
    """How many questions would tell the tied rows from the best, what concerns the chosen row first."""
    questions, found = int(report.golden["questions"]), []
    open_ = [c for c in report.comparisons if c.other in tied and c.adjusted is not None]
    told = [c for c in open_ if c.needed is not None]
    for c in sorted(told, key=lambda c: (c.other != chosen, c.needed)):
        pair = f"would tell {c.best} and {c.other} apart"
        needed = c.needed or 0
        if needed > _MANY:
            found.append(f"more than {_MANY:,} questions like these {pair}")
        elif needed <= questions:
            found.append(f"a few more questions than the {questions:,} that there are {pair}")
        else:
            found.append(
                f"about {_rough(needed):,} questions like these {pair}, if the true difference is the "
                f"{_points(c.difference)} seen here; there are {questions:,}"
            )
    level = [c.other for c in open_ if c.needed is None]
    if level:
        last = (
            f"{open_[0].best} and {', '.join(level)} are level: more questions like these tell nothing, only "
            "questions on which they differ do"
        )
        found.insert(0 if chosen in level else len(found), last)
    return tuple(found)


def _rough(number: int) -> int:
    """A number to two digits: more of them would promise too much."""
    step: int = 10 ** max(0, len(str(number)) - 2)
    return int(-(-number // step) * step)


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


def _cheapest(report: Report, tied: Sequence[str], best: str) -> tuple[str, list[str]]:
    """The cheapest of the tied rows, and why it is named although its mean may be lower."""
    against = {c.other: c for c in report.comparisons}
    # A row that is behind for all that these questions say is not chosen for being cheap.
    open_ = [name for name in tied if name == best or against[name].low <= 0]
    shown = [name for name in open_ if name == best or against[name].not_worse]
    margin = _points(float(report.limits.get("margin", 0.02)))
    pool = shown if len(shown) > 1 else open_
    chosen, why = _least_cost([report[name] for name in pool], str(report.settings["primary"]))
    them = "them" if len(pool) == len(tied) else "those that are not behind"
    if len(shown) > 1:
        them = (
            f"those shown to be not worse than {best} by more than {margin}" if pool != list(tied) else them
        )
    reasons = [why.format(them=them)]
    if chosen == best:
        return chosen, reasons
    c = against[chosen]
    if c.not_worse:
        reasons.append(
            f"{chosen} is shown to be not worse than {best} by more than {margin}: it is at most "
            f"{_points(max(0.0, c.high))} behind"
        )
    elif _percent(c.high) == "0" and not c.differing:
        least = report.limits.get("margin_families")
        few = f"; to show that it is as good within {margin} takes {least:,} families" if least else ""
        reasons.append(f"no question here tells {chosen} from {best}{few}")
    else:
        lower = (
            f"its mean is {_points(c.difference)} lower and these questions cannot say whether that is chance"
            if _percent(c.difference) != "0"
            else "their means are level, and these questions are too few to say more"
        )
        reasons.append(
            f"{chosen} is named for its cost, not for its mean: {lower}. It is not shown to be worse than "
            f"{best}, nor shown to be as good: it may be {_points(max(0.0, c.high))} behind. Where cost "
            f"does not matter, take {best}"
        )
    return chosen, reasons


def _least_cost(rows: Sequence[CandidateReport], primary: str) -> tuple[str, str]:
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
            why = f"{rows[i].name} is the cheapest of {{them}}: it {reason} ({_number(costs[i])})"
            return rows[i].name, why
        left = cheap
    name = rows[left[0]].name
    return name, f"{name} costs as little as any of {{them}} and is named first"


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
