"""What was expected of a lost question, and what came instead, in words for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from chunkwise.report.words import plain
from chunkwise.ship.outcome import Lost, Outcome, Spot
from chunkwise.types import Corpus, Document, GoldenSet, Report

__all__ = ["SHOWN", "explained"]

SHOWN: Final = 3
"""Chunks that came instead."""
_TEXT: Final = 160  # characters of a text


def explained(
    outcome: Outcome, report: Report | None, golden: GoldenSet | None, corpus: Corpus | None
) -> Outcome:
    """The outcome with question, expected place and what came instead for every lost question.

    Args:
        outcome: of a gate.
        report: whose exhibits hold the chunks that came; None: these are not told.
        golden: the questions; None: only what the exhibits hold is told.
        corpus: the documents, for line numbers and texts; None: lines stay unknown.
    """
    exhibits = {one["id"]: one for one in report.exhibits if one.get("kind") == "question"} if report else {}
    name = outcome.now.name
    documents: dict[str, Document] = {}

    def document(doc: str) -> Document | None:
        if corpus is None or doc not in corpus:
            return None
        if doc not in documents:
            documents[doc] = corpus[doc]
        return documents[doc]

    made = []
    for lost in outcome.lost:
        shown = exhibits.get(lost.id, {})
        asked, expected = str(shown.get("question", "")), _golds(shown, document)
        if golden is not None:
            question = golden[lost.id]
            asked = question.text
            places = [(gold.places[0], gold.quote) for gold in question.golds]
            expected = [_spot(place.doc, *place.span, document(place.doc), quote) for place, quote in places]
        rows = [row for row in shown.get("rows", ()) if row["candidate"] == name]
        instead = [
            _spot(c["doc"], c["start"], c["end"], document(c["doc"]), c.get("text", ""), c.get("path", ()))
            for c in (rows[0]["chunks"][:SHOWN] if rows else ())
        ]
        made.append(
            Lost(
                lost.id,
                lost.measure,
                lost.before,
                lost.now,
                lost.must,
                _line(asked),
                tuple(expected),
                tuple(instead),
                lost.reason,
            )
        )
    return outcome.with_lost(made)


def _golds(shown: Mapping[str, Any], document: Any) -> list[Spot]:
    firsts = [places[0] for places in shown.get("golds", ()) if places]
    return [_spot(p["doc"], p["start"], p["end"], document(p["doc"]), p.get("quote", "")) for p in firsts]


def _spot(
    doc: str,
    start: int | None,
    end: int | None,
    document: Document | None,
    text: str,
    path: Sequence[str] = (),
) -> Spot:
    line = 0
    if document is not None and start is not None and end is not None:
        span = document.from_raw((start, end))
        line = document.line(span.start)
        text = text or document.text[span.start : span.end]
        if not path:
            path = document.sections.path(document.sections.at(span.start))
    shown = _line(text)
    return Spot(doc, line, tuple(path), shown if len(shown) <= _TEXT else shown[: _TEXT - 1] + "…")


def _line(text: str) -> str:
    """A text on one line."""
    return plain(" ".join(text.split()))
