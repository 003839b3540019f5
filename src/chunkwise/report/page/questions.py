"""The hard questions of the page: what each row returned, where the answer is, and why it was missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chunkwise.report.page.words import cut_off, sentence, why_missed
from chunkwise.report.tables import percent
from chunkwise.types import Report

__all__ = ["MOST", "Asked", "asked_questions"]

MOST = 3_000_000
"""Characters of the texts of all returned chunks on a page; of further ones only the places are shown."""
_FIRST = 3  # chunks that are shown of each row; of later ones those that hold the answer
_AROUND = 200  # characters of the document before and behind a gold

Piece = tuple[str, bool]
"""A piece of a text, and whether it is part of the answer."""


class Returned(NamedTuple):
    """A chunk that a row returned."""

    rank: int | None
    """None: it would do, and was not returned."""
    doc: str
    lines: str
    """Its lines in the document, where they are known."""
    path: str
    context: list[tuple[str, str]]
    hit: bool
    pieces: list[Piece] | None
    """None: its text is left out of the page."""
    shortened: bool
    at: int | None
    """Where it begins in the document, to be shown there; None where the document is not on the page."""


class Answer(NamedTuple):
    """What a row did with a question."""

    name: str
    rank: int | None
    value: str
    why: str
    """Why it was missed; or, found, which heading was cut off from the answer."""
    found: bool
    chunks: list[Returned]


class Wanted(NamedTuple):
    """A passage that a question needs."""

    doc: str
    before: str
    quote: str
    behind: str
    shortened: bool
    shown: bool
    """Whether its document is on the page."""


class Asked(NamedTuple):
    """A question with what all rows did with it."""

    id: str
    text: str
    wanted: list[Wanted]
    answers: list[Answer]
    found: int
    """Rows that found all it needs."""


def asked_questions(report: Report, shown: Sequence[Mapping[str, Any]], order: Sequence[str]) -> list[Asked]:
    """The questions among the exhibits.

    Args:
        report: the report.
        shown: the documents, or parts of them, that are on the page.
        order: names of the rows, in which their answers are given.
    """
    primary = str(report.settings["primary"])
    room, found = MOST, []
    for exhibit in report.exhibits:
        if exhibit.get("kind") != "question":
            continue
        golds = [place for places in exhibit["golds"] for place in places]
        by_name = {row["candidate"]: row for row in exhibit["rows"]}
        answers = []
        for name in order:
            if name not in by_name:
                continue
            row, own = by_name[name], report[name].questions.get(exhibit["id"], {})
            chunks = []
            held = [
                {"rank": None, "hit": True, **gold["held"]} for gold in row.get("golds", ()) if "held" in gold
            ]
            for chunk in (*row["chunks"], *held):
                if not chunk["hit"] and chunk["rank"] > _FIRST:
                    continue
                room -= len(chunk["text"])
                chunks.append(_returned(chunk, golds, room >= 0, shown, name))
            why = why_missed(own.get("miss"))
            value = percent(own[primary]) if primary in own else ""
            said = sentence(why or cut_off(row.get("golds", ())))
            answers.append(Answer(name, row["rank"], value, said, not why, chunks))
        wanted = [_wanted(places[0], shown, exhibit["id"]) for places in exhibit["golds"] if places]
        hits = sum(answer.found for answer in answers)
        found.append(Asked(exhibit["id"], exhibit["question"], wanted, answers, hits))
    return found


def _wanted(place: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], question: str) -> Wanted:
    there = any(
        document["id"] == place["doc"] and any(gold["question"] == question for gold in document["golds"])
        for document in shown
    )
    return Wanted(
        place["doc"],
        _words(place["before"], -_AROUND),
        place["quote"],
        _words(place["behind"], _AROUND),
        bool(place.get("shortened")),
        there,
    )


def _words(text: str, most: int) -> str:
    """The beginning of a text, or its end where `most` is negative; no word is shown in part."""
    if len(text) <= abs(most):
        return text
    if most < 0:
        return "… " + text[most:].partition(" ")[2]
    return text[:most].rpartition(" ")[0] + " …"


def _returned(
    chunk: Mapping[str, Any],
    golds: Sequence[Mapping[str, Any]],
    whole: bool,
    shown: Sequence[Mapping[str, Any]],
    name: str,
) -> Returned:
    return Returned(
        chunk["rank"],
        chunk["doc"],
        "–".join(map(str, dict.fromkeys(chunk.get("lines", ())))),
        " › ".join(chunk["path"]),
        [(kind, text) for kind, text in chunk.get("context", ())],
        bool(chunk["hit"]),
        _pieces(chunk, golds) if whole else None,
        bool(chunk.get("shortened")),
        _place(chunk, shown, name),
    )


def _place(chunk: Mapping[str, Any], shown: Sequence[Mapping[str, Any]], name: str) -> int | None:
    """The number of the chunk in its document, where that is on the page."""
    number = chunk.get("number")
    for document in shown:
        if document["id"] != chunk["doc"] or number is None:
            continue
        for row in document["rows"]:
            if name in row["candidates"] and row["first"] <= number < row["first"] + len(row["chunks"]):
                return int(number)
    return None


def _pieces(chunk: Mapping[str, Any], golds: Sequence[Mapping[str, Any]]) -> list[Piece]:
    """The text of a chunk, parted where an answer begins or ends."""
    text, start = str(chunk["text"]), chunk["start"]
    if start is None or (chunk["end"] - start != len(text) and not chunk.get("shortened")):
        return [(text, False)]  # positions of the file are not those of the text
    marked = [
        (max(gold["start"] - start, 0), min(gold["end"] - start, len(text)))
        for gold in golds
        if gold["doc"] == chunk["doc"]
    ]
    pieces: list[Piece] = []
    at = 0
    for first, last in sorted(span for span in marked if span[0] < span[1]):
        if first > at:
            pieces.append((text[at:first], False))
        if last > at:
            pieces.append((text[max(first, at) : last], True))
        at = max(at, last)
    if at < len(text):
        pieces.append((text[at:], False))
    return pieces
