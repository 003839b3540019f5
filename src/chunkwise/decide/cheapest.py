"""Which of the tied rows costs least, and what is known of its mean."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.decide.words import p_value, percent, points, unit_name
from chunkwise.types import CandidateReport, Comparison, Report

__all__ = ["cheapest", "searched_alike"]

_CLOSE = 0.01  # costs within this share of the least count as equal


def cheapest(report: Report, tied: Sequence[str], best: str) -> tuple[str, list[str]]:
    """The cheapest of the tied rows, and why it is named although its mean may be lower.

    Only rows that are searched as the best one is are weighed: the costs here are those of chunks, and what
    a retriever costs to run is not among them.
    """
    against = {c.other: c for c in report.comparisons}
    # A row that is behind for all that these questions say is not chosen for being cheap.
    open_ = [name for name in tied if name == best or against[name].low <= 0]
    alike = searched_alike(report, open_, best)
    # Nor is one that cuts answers which the best row holds: no search finds them whole, however good.
    whole = [name for name in alike if name == best or not _cuts_more(against[name], report.level)]
    shown = [name for name in whole if name == best or against[name].not_worse]
    margin = points(report.margin)
    if len(alike) == 1 < len(open_):
        alone = (
            f"{best} has the highest mean, and is named for it: no other of the rows that are not behind is "
            f"searched with {report[best].retriever}, and what a retriever costs is not weighed here"
        )
        return best, [alone]
    pool = shown if len(shown) > 1 else whole
    primary = str(report.settings["primary"])
    chosen, why = _least_cost([report[name] for name in pool], primary)
    if len(pool) == len(tied):
        them = "them"
    elif len(shown) > 1:
        them = f"those shown to be not worse than {best} by more than {margin}"
    elif len(whole) < len(alike):
        them = f"those that cut no more of the answers than {best}"
    elif len(alike) < len(open_):
        them = f"those that are searched with {report[best].retriever}, as the highest mean is"
    else:
        them = "those that are not behind"
    reasons = [why.format(them=them)]
    cheaper, _ = _least_cost([report[name] for name in alike], primary)
    if cheaper not in whole:
        fewer = against[cheaper].ceiling
        reasons.append(
            f"{cheaper} costs less and is not named for it: its chunks hold {points(fewer['difference'])} "
            f"[{percent(fewer['low'])} to {percent(fewer['high'])}] fewer of the answers whole than those "
            f"of {best} (ceiling), more than chance ({p_value(fewer['p'])}), and what is cut no search "
            "finds whole"
        )
    if chosen != best:
        reasons.append(_how_good(report, against[chosen]))
    return chosen, reasons


def _how_good(report: Report, against: Comparison) -> str:
    """What is known of the mean of a row that is named for its cost."""
    best, chosen, margin = against.best, against.other, points(report.margin)
    least = report.limits.get("margin_families")
    if against.not_worse:
        return (
            f"{chosen} is shown to be not worse than {best} by more than {margin}: it is at most "
            f"{points(max(0.0, against.high))} behind"
        )
    if percent(against.high) == "0" and not against.differing:
        few = f"; to show that it is as good within {margin} takes {least:,} families" if least else ""
        return f"no question here tells {chosen} from {best}{few}"
    lower = (
        f"its mean is {points(against.difference)} lower and these questions cannot say whether that is "
        "chance"
        if percent(against.difference) != "0"
        else "their means are level, and these questions are too few to say more"
    )
    # Where few families differ the interval ends early, and would promise what it cannot know.
    behind = (
        f"that takes {least:,} families, if within {margin} will do"
        if least and against.high < report.margin
        else f"it may be {points(max(0.0, against.high))} behind"
    )
    return (
        f"{chosen} is named for its cost, not for its mean: {lower}. It is not shown to be worse than "
        f"{best}, nor shown to be as good: {behind}. Where cost does not matter, take {best}"
    )


def _cuts_more(comparison: Comparison, level: float) -> bool:
    """Whether the ceiling of the other row is clearly below that of the best one: the whole interval is, and
    a sign-flip test says so. The test is not corrected: nothing is claimed, only a saving passed over.
    """
    behind = comparison.ceiling
    return comparison.measure != "ceiling" and bool(behind) and behind["low"] > 0 and behind["p"] < level


def searched_alike(report: Report, names: Sequence[str], best: str) -> list[str]:
    """Those of some rows that are searched with the retriever of the best one."""
    return [name for name in names if report[name].retriever == report[best].retriever]


def _least_cost(rows: Sequence[CandidateReport], primary: str) -> tuple[str, str]:
    """The cheapest of some rows, and why: units sent, then characters indexed, then chunks, then order."""
    key = _sent_key(rows[0], primary)
    unit = unit_name(str(rows[0].costs.get("unit", "")))
    at = f"in the first {key[1:]} chunks" if key[1:].isdigit() else f"within {key[1:]}"
    steps = [
        (
            f"hands the reader the fewest {unit} {at}",
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
            why = f"{rows[i].name} is the cheapest of {{them}}: it {reason} ({costs[i]:,.0f})"
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
