"""What a mean hides: where it does not hold, and what it was picked by."""

from __future__ import annotations

from chunkwise.decide.words import percent, points
from chunkwise.types import Report

__all__ = ["headings", "held_out", "weak"]


def weak(report: Report, name: str) -> list[str]:
    """What the mean of a row hides: the questions it does worst on, and where another row is ahead."""
    spots, primary = report.weak.get(name, {}), str(report.settings["primary"])
    reasons = []
    worst, behind = spots.get("worst"), spots.get("behind")
    mean = report[name].measures[primary].value
    # A mean that holds everywhere hides nothing.
    if worst is not None and worst["mean"] < mean and percent(worst["mean"]) != percent(mean):
        reasons.append(
            f"{name} is weakest on {worst['tag']} = {worst['value']}: {percent(worst['mean'])} % "
            f"[{percent(worst['low'])} to {percent(worst['high'])}] of {worst['questions']:,} questions, "
            f"against {percent(mean)} % of all"
        )
    if behind is not None:
        reasons.append(
            f"on {behind['tag']} = {behind['value']} ({behind['questions']:,} questions) {behind['other']} "
            f"is {points(behind['mean'])} [{percent(behind['low'])} to {percent(behind['high'])}] ahead "
            f"of {name}"
        )
    return reasons


def held_out(report: Report) -> list[str]:
    """What the best row has on questions that did not pick it."""
    found = report.selection
    if not found:
        return []
    own = (
        f"the highest mean, {percent(found['own'])} %, was picked by the same questions that it is a mean of"
    )
    if found["kind"] == "none":
        return [f"{own}; with one family of questions there are no others to check it on"]
    figure = f"{percent(found['value'])} % [{percent(found['low'])} to {percent(found['high'])}]"
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


def headings(report: Report, best: str) -> list[str]:
    """What is left of the lead where the words of the questions are no longer in the index."""
    own, primary = report[best].headings, report.settings["primary"]
    if not own:
        return []
    without = {row.name: row.headings["without"][primary]["value"] for row in report.candidates}
    first = max(without, key=lambda name: without[name])
    told = f"without the heading lines in the index {best} finds {percent(without[best])} %"
    also = (
        "" if without[first] <= without[best] else f", and {first} is first with {percent(without[first])} %"
    )
    return [f"{own['questions']:,} questions are copied from headings; {told}{also}"]
