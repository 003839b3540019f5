"""A report to explanations: its exhibits hold the texts, its rows the reasons."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from chunkwise.arguments import checked
from chunkwise.errors import GoldenError, ReportError, SettingError
from chunkwise.evaluate.parting import CUTS
from chunkwise.explanation.reasons import found, missed, whole
from chunkwise.index import Analyzer
from chunkwise.index.words import alone, holding
from chunkwise.types import CandidateReport, Report
from chunkwise.types.explanation import Answer, CutInside, ExplainedGold, ExplainedRow, Explanation, Returned

__all__ = ["explain_report", "nearest"]


@checked("report")
def explain_report(
    report: Report, question: str | Iterable[str] | None = None, *, worst: int | None = None
) -> tuple[Explanation, ...]:
    """What a report holds about single questions.

    Args:
        report: with exhibits; they hold the questions on which its rows differ most.
        question: id of a question, or several; None for all that the report shows.
        worst: so many questions at most, those on which the rows differ most.

    Raises:
        SettingError: `worst` is below 1, or `report` is none.
        GoldenError: there is no such question; the nearest is named.
        ReportError: the report has no texts, or none of this question.
    """
    if not isinstance(report, Report):
        raise SettingError(
            f"report must be a Report, got {type(report).__name__}; Report.from_json(text) makes one of the "
            "text of a file that compare --json wrote"
        )
    if worst is not None and worst < 1:
        raise SettingError(f"worst must be at least 1, got {worst}")
    shown = {e["id"]: e for e in report.exhibits if e["kind"] == "question"}
    if not shown:
        raise ReportError(
            "the report holds no texts of questions; compare again without --no-texts, or explain on the "
            "documents"
        )
    if question is None:
        wanted = list(shown)
    else:
        wanted = [question] if isinstance(question, str) else list(question)
        asked = list(report.candidates[0].questions) if report.candidates else []
        for id in wanted:
            if id not in asked:
                raise GoldenError(nearest(id, dict.fromkeys(asked, "")))
            if id not in shown:
                some = ", ".join(list(shown)[:5]) + (", …" if len(shown) > 5 else "")
                raise ReportError(
                    f"the report holds the texts of {len(shown):,} questions ({some}), not of {id!r}; "
                    "explain it on the documents, with a golden set"
                )
    analyzer = Analyzer()
    made = tuple(_explained(report, shown[id], analyzer) for id in wanted)
    if worst is not None:
        made = tuple(sorted(made, key=lambda one: -one.spread)[:worst])
    return made


def nearest(id: str, known: Mapping[str, str]) -> str:
    """What is said of a question that does not exist.

    Args:
        id: as it was named.
        known: by id the text of each question.
    """
    ids = list(known)
    near = get_close_matches(id, ids, n=1, cutoff=0.4) or get_close_matches(
        id.casefold(), [name.casefold() for name in ids], n=1, cutoff=0.4
    )
    match = next((name for name in ids if near and name.casefold() == near[0].casefold()), "")
    if not match:
        texts = {text: name for name, text in known.items() if text}
        by_text = get_close_matches(id, list(texts), n=1, cutoff=0.5)
        match = texts[by_text[0]] if by_text else ""
    said = f' ("{known[match]}")' if match and known[match] else ""
    hint = f"; did you mean {match!r}{said}?" if match else f"; it has {', '.join(ids[:5])}, …"
    return f"no question {id!r} among {len(ids):,}{hint}"


def _explained(report: Report, shown: Mapping[str, Any], analyzer: Analyzer) -> Explanation:
    words = list(dict.fromkeys(analyzer.tokens(shown["question"])))
    rows = [
        _row(
            report[row["candidate"]], row, str(shown["id"]), shown["golds"], words, analyzer, report.settings
        )
        for row in shown["rows"]
    ]
    return Explanation(
        id=shown["id"],
        question=shown["question"],
        answers=tuple(tuple(_answer(place) for place in gold) for gold in shown["golds"]),
        rows=tuple(rows),
        measure=str(report.settings["primary"]),
        unit=str(report.settings["unit"]),
        rule=str(report.settings["rule"]),
        depth=int(report.settings["depth"]),
        corpus=str(report.corpus["digest"]),
    )


def _row(
    row: CandidateReport,
    shown: Mapping[str, Any],
    id: str,
    places: Sequence[Sequence[Mapping[str, Any]]],
    words: list[str],
    analyzer: Analyzer,
    settings: Mapping[str, Any],
) -> ExplainedRow:
    told = row.questions[id]
    chunks = [_returned(chunk, words, analyzer) for chunk in shown["chunks"]]
    by_rank = {chunk.rank: chunk for chunk in chunks}
    miss = told.get("miss", {"reason": "", "golds": []})
    window = row.costs.get("vectors", {}).get("window")
    reasons = {gold["gold"]: {**gold, "window": window} for gold in miss["golds"]}
    golds = []
    for number, gold in enumerate(shown["golds"]):
        cuts = tuple(_cut(cut) for cut in gold.get("cuts", ()))
        rank = gold["rank"]
        held = by_rank.get(rank) if rank else None
        if held is None and "held" in gold:
            held = _returned(gold["held"], words, analyzer)
        why = reasons.get(number)
        sentence = (
            found(rank, str(settings["primary"]), whole=not cuts or _starts(row.spec) == 1)
            if why is None
            else missed(why["reason"], why, cuts, held, settings, row.retriever)
        )
        reason = "" if why is None else str(why["reason"])
        parted = _parted(places[number], held) if "heading" in gold else None
        if parted is not None:
            sentence += f'; the heading "{gold["heading"]}" was cut off from it'
        golds.append(ExplainedGold(number, rank, reason, sentence, cuts, held, parted))
    order = {gold["gold"]: place for place, gold in enumerate(miss["golds"])}
    late = sorted((gold for gold in golds if gold.reason), key=lambda gold: order[gold.number])
    sentences = [gold.words for gold in (late or golds)]
    words_said = whole(str(miss["reason"]), sentences, len(golds))
    starts = _starts(row.spec)
    if starts > 1:
        words_said += f"; the figure is the mean over {starts} starts of the windows, shown is the first"
    return ExplainedRow(
        candidate=row.name,
        spec=row.spec,
        retriever=row.retriever,
        value=float(told[str(settings["primary"])]),
        rank=shown["rank"],
        reason=str(miss["reason"]),
        words=words_said,
        golds=tuple(golds),
        chunks=tuple(chunks),
    )


def _parted(places: Sequence[Mapping[str, Any]], held: Returned | None) -> CutInside | None:
    """The cut between an answer and its heading, which the chunk that holds the answer has lost."""
    place = next((p for p in places if held is not None and p["doc"] == held.doc), None)
    if place is None or held is None or held.start is None:
        return None
    back = place["start"] - held.start
    before, text = place["before"], place["quote"]
    at = len(before) - back
    known = at > 0
    line = held.lines[0] if held.lines else 0
    return CutInside(
        held.start,
        line,
        "parted",
        "between the heading and the answer",
        before[:at] if known else "",
        (before[at:] if known else "") + text + place["behind"] if known else held.text,
    )


def _starts(spec: str) -> int:
    """Over how many starts of its windows a row is the mean."""
    match = re.search(r"[:,]offsets=(\d+)", spec)
    return int(match[1]) if match else 1


def _answer(place: Mapping[str, Any]) -> Answer:
    return Answer(
        place["doc"],
        place["start"],
        place["end"],
        (place["lines"][0], place["lines"][1]),
        tuple(place["path"]),
        place["quote"],
        place["before"],
        place["behind"],
    )


def _cut(cut: Mapping[str, Any]) -> CutInside:
    return CutInside(
        cut["at"], cut["line"], cut["kind"], CUTS.get(cut["kind"], cut["kind"]), cut["before"], cut["behind"]
    )


def _returned(chunk: Mapping[str, Any], words: list[str], analyzer: Analyzer) -> Returned:
    """A chunk of an exhibit, with the words of the question that are indexed with it."""
    context = chunk.get("context")
    indexed = "\n".join([*(text for _, text in context or ()), chunk["text"]])
    own = set(analyzer.tokens(indexed))
    own.update(word for word in alone(words) if holding([word], own))
    whole_text = context is not None and "shortened" not in chunk
    lines = chunk.get("lines")
    return Returned(
        rank=chunk.get("rank"),
        score=chunk.get("score"),
        doc=chunk["doc"],
        start=chunk["start"],
        end=chunk["end"],
        lines=(lines[0], lines[1]) if lines else None,
        path=tuple(chunk["path"]),
        text=chunk["text"],
        context=None if context is None else tuple(text for _, text in context),
        size=chunk["size"],
        hit=bool(chunk.get("hit", True)),
        has=tuple(word for word in words if word in own),
        lacks=tuple(word for word in words if word not in own) if whole_text else None,
    )
