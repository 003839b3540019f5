"""The documents of a report as the page's reader wants them: lists, and positions as JavaScript counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from chunkwise.report.page.text import Utf16, as_data

__all__ = ["MOST", "reader_data"]

MOST = 5_000_000
"""Characters of the data of all documents on a page; further documents are left out."""


def reader_data(documents: Sequence[Mapping[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
    """The documents as JSON for a script element, and those that are in it.

    Positions count from the beginning of the part that is shown; a chunk that reaches beyond it is
    cut off there and marked: 1 for its beginning, 2 for its end, 3 for both.
    """
    parts: list[str] = []
    shown: list[dict[str, Any]] = []
    room = MOST
    for document in documents:
        made = as_data(_document(document))
        if len(made) > room and parts:
            continue
        room -= len(made)
        parts.append(made)
        shown.append(dict(document))
    return f"[{','.join(parts)}]", shown


def _document(document: Mapping[str, Any]) -> dict[str, Any]:
    text, first = str(document["text"]), int(document["start"])
    to = Utf16(text)

    def place(position: int) -> int:
        return to(min(max(position - first, 0), len(text)))

    return {
        "id": document["id"],
        "length": document["characters"],
        "from": first,
        "to": document["end"],
        "text": text,
        "paths": [section["path"] for section in document["sections"]],
        "golds": [
            [
                gold["question"],
                gold["asked"],
                place(gold["start"]),
                place(gold["end"]),
                gold["held"],
            ]
            for gold in document["golds"]
        ],
        "rows": [_row(row, place, document) for row in document["rows"]],
    }


def _row(row: Mapping[str, Any], place: Any, document: Mapping[str, Any]) -> dict[str, Any]:
    contexts: dict[Any, int] = {(): 0}
    chunks = []
    for chunk in row["chunks"]:
        context = tuple((kind, text) for kind, text in chunk.get("context", ()))
        clipped = 1 * (chunk["start"] < document["start"]) + 2 * (chunk["end"] > document["end"])
        chunks.append(
            [
                place(chunk["start"]),
                place(chunk["end"]),
                chunk["end"] - chunk["start"],
                chunk["section"],
                contexts.setdefault(context, len(contexts)),
                "" if clipped & 1 else chunk.get("begins", ""),
                "" if clipped & 2 else chunk.get("ends", ""),
                int(chunk.get("crosses", False)),
                clipped,
                chunk.get("marks", []),
            ]
        )
    return {
        "names": row["candidates"],
        "first": row["first"],
        "chunks": chunks,
        "contexts": [list(context) for context in contexts],
        "parted": [[place(start), place(end)] for start, end in row["parted"]],
    }
