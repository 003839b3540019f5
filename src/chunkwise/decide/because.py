"""The sentence that the whole tool is there for: what was found, and because of what."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence

from chunkwise.decide.cheapest import searched_alike
from chunkwise.decide.words import asked, counted, p_value, percent, points, what
from chunkwise.types import CandidateReport, Comparison, Report

__all__ = ["beside", "by_retriever", "found", "not_shown", "of_next", "of_tie"]

_SAME = 1e-9  # values this close are equal
_LEAST = 0.001  # smaller shares are not told apart in print
_GROUPS = (
    ("cut", ("cut",)),
    ("has {} in no chunk", ("lost", "unplaced")),
    ("has {} behind what the model reads of a chunk", ("unseen",)),
    ("did not retrieve", ("unmatched",)),
    ("ranked {} too low", ("deep", "outranked", "beyond")),
    ("has {} in chunks too long to be read", ("long",)),
)
"""What a row did to answers that another row found, by the reasons of its misses."""


def found(report: Report, row: CandidateReport) -> str:
    """What a row found on this corpus, with its interval."""
    primary = str(report.settings["primary"])
    score = row.measures[primary]
    documents = report.corpus.get("documents")
    of = what(primary, str(report.settings.get("rule", "contained")))
    on = f"{counted(int(documents), 'document')}, {asked(report)}" if documents else asked(report)
    return (
        f"on this corpus ({on}) {row.name} found {percent(score.value)} % "
        f"[{percent(score.low)} to {percent(score.high)}] of {of}"
    )


def of_next(report: Report, name: str, others: Sequence[Comparison]) -> str:
    """Why a row is ahead: what the nearest of those behind it did to the answers that it found.

    Where that is not known question by question, that it is ahead by more than chance.
    """
    other = min(others, key=lambda c: c.difference).other
    primary = str(report.settings["primary"])
    own, theirs = report[name].questions, report[other].questions
    shared = [id for id in own if id in theirs and primary in own[id] and primary in theirs[id]]
    behind = [id for id in shared if own[id][primary] > theirs[id][primary] + _SAME]
    ahead = sum(own[id][primary] < theirs[id][primary] - _SAME for id in shared)
    if not behind:
        return "ahead of every other row by more than chance"
    reasons = Tally(str(theirs[id].get("miss", {}).get("reason", "")) for id in behind)
    counts = [(text, sum(reasons[name] for name in names)) for text, names in _GROUPS]
    # Whatever else there is: some of several passages, less of the text, a lower rank.
    counts.append(("found {} in part", len(behind) - sum(n for _, n in counts)))
    did = [
        (text if "{}" in text else f"{text} {{}}").format("all of them" if n == len(behind) else f"{n:,}")
        for text, n in counts
        if n
    ]
    listed = did[0] if len(did) == 1 else f"{', '.join(did[:-1])} and {did[-1]}"
    nearest = "the other row" if len(report.candidates) == 2 else "the next row"
    back = f"; on {ahead:,} it is ahead" if ahead else ""
    of = counted(len(behind), "question")
    return f"because {nearest}, {other}, is behind on the answers to {of}: it {listed}{back}"


def of_tie(report: Report, tied: Sequence[str], best: str) -> str:
    """Why no row is called best: what the differences are against what these questions can show."""
    others = len(tied) - 1
    rows = "the other row" if others == 1 and len(report.candidates) == 2 else counted(others, "other row")
    told = f"which cannot be told from {rows}"
    if not _one_retriever(report):
        alike = len(searched_alike(report, tied, best)) - 1
        told += f" ({f'{alike:,}' if alike else 'none'} of them with the same retriever)"
    open_ = [c for c in report.comparisons if c.other in tied]
    if all(not c.differing for c in open_):
        return f"{told}, because no question tells them apart"
    # Each pair by its own limit: that of rows which find other answers is no measure of rows that are alike.
    if all(c.detectable is not None and c.difference < c.detectable for c in open_):
        widest = max(open_, key=lambda c: c.difference)
        apart = (
            "less than 0.1 points" if widest.difference < _LEAST else f"at most {points(widest.difference)}"
        )
        return (
            f"{told}, because they differ by {apart}, and {asked(report)} can show only differences "
            f"of about {points(max(_LEAST, float(widest.detectable or 0)))} between such rows"
        )
    least = min((c.adjusted for c in open_ if c.adjusted is not None), default=None)
    chance = f" ({p_value(least)} at the least)" if least is not None else ""
    return f"{told}, because what they differ by may be chance{chance}"


def beside(report: Report, chosen: str) -> str:
    """What the row that is named for its cost found, set against the one that found the most."""
    c = next(c for c in report.comparisons if c.other == chosen)
    score = report[chosen].measures[str(report.settings["primary"])]
    said = f"{percent(score.value)} % [{percent(score.low)} to {percent(score.high)}]"
    if percent(c.difference) == "0":
        said += ", as much"
    else:
        said += f", {points(c.difference)} less [{percent(c.low)} to {percent(c.high)}]"
    return f"{chosen}, named for its cost, found {said}"


def by_retriever(report: Report, best: str, ruled_out: Sequence[str]) -> list[str]:
    """Of every other retriever the row that found the most, set against the best of all."""
    primary = str(report.settings["primary"])
    against = {c.other: c for c in report.comparisons}
    first: dict[str, CandidateReport] = {}
    for row in report.candidates:
        known = first.get(row.retriever)
        if known is None or row.measures[primary].value > known.measures[primary].value:
            first[row.retriever] = row
    said = []
    for retriever, row in first.items():
        if retriever == report[best].retriever:
            continue
        c = against[row.name]
        value, apart = percent(row.measures[primary].value), f"[{percent(c.low)} to {percent(c.high)}]"
        if row.name in ruled_out:
            less = (
                f"{points(c.difference)} less than {best} {apart}, more than chance ({p_value(c.adjusted)})"
            )
        elif percent(c.difference) == "0":
            less = f"as much as {best}"
        else:
            less = f"{points(c.difference)} less than {best} {apart}, which may be chance"
        said.append(f"with {retriever} {row.name} is first and found {value} %, {less}")
    return said


def _one_retriever(report: Report) -> bool:
    return len({row.retriever for row in report.candidates}) == 1


def not_shown(report: Report) -> tuple[str, ...]:
    """What these questions can miss, whatever they show."""
    questions = int(report.golden.get("questions", 0))
    families = int(report.golden.get("families", questions))
    if not questions:
        return ()
    of = asked(report)
    if families < questions:
        of += f" of {counted(families, 'family', 'families')}"
    said = []
    if report.limits:
        said.append(f"What {of} can miss: {_missable(report)}")
    copied = int(report.golden.get("origin", {}).get("heading", 0))
    if copied:
        said.append(
            f"{copied:,} of {of} {'is' if copied == 1 else 'are'} copied from headings and can show nothing "
            "about questions in the words of users."
        )
    proposed = int(report.golden.get("unreviewed_of_models", 0))
    if proposed:
        said.append(
            f"{proposed:,} of {of} {'was' if proposed == 1 else 'were'} proposed by a model and reviewed by "
            "nobody: a model asks what is easy to find."
        )
    return tuple(said)


def _missable(report: Report) -> str:
    """How far behind a row may be without being seen; rows that never differ tell nothing of the others."""
    apart = [c.detectable for c in report.comparisons if c.differing] or [
        c.detectable for c in report.comparisons
    ]
    known = sorted(max(_LEAST, d) for d in apart if d is not None)
    if not known:
        return (
            f"any difference between two rows, however large. With {counted(len(report.candidates), 'row')} "
            f"at least {report.limits['least_families']} families must change, all the same way, before "
            "it is more than chance."
        )
    low, high = percent(known[0]), points(known[-1])
    if low == percent(known[-1]):
        less, which = high, ""
    else:
        less, which = f"{low} to {high}", ", depending on the row"
    whatever = "; of some rows any difference" if len(known) < len(apart) else ""
    return (
        f"a row that is less than about {less} behind the first{which}{whatever}. "
        f"One question counts {points(1 / int(report.golden['questions']))}."
    )
