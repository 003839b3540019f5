"""Sentences that only the page and Markdown have."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from chunkwise.report.costs import REASONS
from chunkwise.report.tables import points
from chunkwise.report.words import counted
from chunkwise.types import CandidateReport, Report

__all__ = ["corpus_line", "cut_off", "lead", "sentence", "size_text", "starts_told", "why_missed"]

_VERDICTS = {"winner": "A winner", "tie": "A tie", "undecided": "Undecided"}


def sentence(text: str) -> str:
    """A phrase of a report as a sentence; names of rows keep their case.

    >>> sentence("use heading:size=800"), sentence("")
    ('Use heading:size=800.', '')
    """
    if not text:
        return ""
    first = text.split(maxsplit=1)[0]
    # A first word with a mark inside is the name of a row.
    text = text if not first.isalpha() else text[0].upper() + text[1:]
    text = re.sub(r"(?<=\d) %", "\u00a0%", text)  # no line begins with the sign
    text = re.sub(r"\[([^\[\]]+?) to ([^\[\]]+?)\]", "[\\1\u00a0to\u00a0\\2]", text)
    return text if text.endswith((".", "!", "?", ":")) else f"{text}."


def lead(report: Report) -> tuple[str, str]:
    """The verdict in two words, and the sentence that the report is there for."""
    decision = report.decision
    if decision is None or not decision.reasons:
        return _VERDICTS["undecided"], "Nothing was decided."
    return _VERDICTS.get(decision.verdict, decision.verdict), sentence(decision.reasons[0])


def corpus_line(report: Report) -> str:
    """What was compared on what."""
    corpus, golden = report.corpus, report.golden
    questions = int(golden["questions"])
    asked = counted(questions, "question") if questions else "no questions"
    if questions and int(golden["families"]) < questions:
        asked += f" of {counted(int(golden['families']), 'family', 'families')}"
    rows = counted(len(report.candidates), "row")
    documents = counted(int(corpus["documents"]), "document")
    return f"{rows}, {documents}, {int(corpus['characters']):,} characters, {asked}"


def starts_told(report: Report, rows: Sequence[CandidateReport], short: Callable[[str], str]) -> list[str]:
    """What rows whose windows were cut from several starts are means over."""
    primary, found = str(report.settings["primary"]), []
    for row in rows:
        if row.starts and primary in row.starts["measures"]:
            ends = row.starts["measures"][primary]
            found.append(
                f"{short(row.name)}: the mean over {len(row.starts['offsets'])} starts of its windows; they "
                f"found {points(ends['low'], ends['high'])} %."
            )
    return found


def size_text(size: float) -> str:
    """A size with at most one digit behind the point."""
    return f"{size:,.1f}".removesuffix(".0")


def why_missed(miss: Mapping[str, Any] | None) -> str:
    """Why a row missed a question, in a sentence without its point; empty where it did not.

    >>> why_missed({"reason": "outranked", "golds": [{"rank": 7, "same": 4, "other": 2}]})
    'a chunk was found, behind the largest k: at rank 7, below 4 chunks of the same document and 2 of others'
    """
    if not miss:
        return ""
    text = REASONS[miss["reason"]][1] if miss["reason"] in REASONS else str(miss["reason"])
    ranked = [gold for gold in miss.get("golds", ()) if "rank" in gold]
    if len(ranked) == 1:
        gold = ranked[0]
        same = counted(int(gold["same"]), "chunk") + " of the same document"
        text += f": at rank {gold['rank']:,}, below {same} and {int(gold['other']):,} of others"
    elif miss["reason"] == "partial":
        missed = [REASONS[g["reason"]][1] for g in miss.get("golds", ()) if g.get("reason") in REASONS]
        text += f"; of the others: {', '.join(dict.fromkeys(missed))}" if missed else ""
    return text


def cut_off(golds: Sequence[Mapping[str, Any]]) -> str:
    """What is said of a question that was found in chunks that have lost the heading above its answers.

    >>> cut_off([{"rank": 2, "heading": "Grade 7 and above"}, {"rank": 1}])
    'the heading "Grade 7 and above" was cut off from it'
    """
    titles = list(dict.fromkeys(f'"{gold["heading"]}"' for gold in golds if "heading" in gold))
    if not titles:
        return ""
    heads, were = ("headings", "were") if titles[1:] else ("heading", "was")
    return f"the {heads} {' and '.join(titles)} {were} cut off from it"
