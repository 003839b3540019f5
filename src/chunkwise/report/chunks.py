"""Chunks as JSON Lines."""

from __future__ import annotations

import json
from typing import Any, Final

from chunkwise.types import Chunk, Document

__all__ = ["chunk_line", "chunk_row"]

# Line ends to some readers of lines, not to JSON: written as escapes, so that a row is one line to all.
_LINE_ENDS: Final = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def chunk_row(chunk: Chunk, document: Document) -> dict[str, Any]:
    """A chunk as plain values.

    Beside its own: `lines`, its first and last line in what was read, counted from 1; `page`, on which it
    starts, where the format has pages; `raw`, its place in what was read, where the text was cleaned.
    """
    lines = None
    place: dict[str, Any] = {}
    if chunk.span is not None:
        source = document.source
        start, end = source.from_raw(document.to_raw(chunk.span))
        lines = [source.line(start), source.line(max(start, end - 1))]
        if document.pages:
            place["page"] = document.page(chunk.span[0])
        if source is not document:
            place["raw"] = list(document.to_raw(chunk.span))
    row: dict[str, Any] = {}
    for key, value in chunk.to_dict().items():
        row[key] = value
        if key == "end":
            row |= {"lines": lines, **place}
    return row


def chunk_line(chunk: Chunk, document: Document) -> bytes:
    """A chunk as one line of JSON in UTF-8, line end included.

    A text with characters that UTF-8 does not have (lone surrogates) is written with escapes.
    """
    row = chunk_row(chunk, document)
    try:
        return f"{json.dumps(row, ensure_ascii=False).translate(_LINE_ENDS)}\n".encode()
    except UnicodeEncodeError:
        return f"{json.dumps(row)}\n".encode()
