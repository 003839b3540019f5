"""Offsets that were counted in something else than code points."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator

from chunkwise.types import Document, Span


def other_units(
    document: Document, quote: str, span: Span, fold: Callable[[str], str]
) -> tuple[str, Span] | None:
    """The unit in which offsets fit their quote, and the right span in raw code points.

    Tried are UTF-16 code units (JavaScript, Java, .NET), UTF-8 bytes, text whose CRLF was read as one
    character, text without its byte order mark, an end that names the last character, and positions
    that count from 1.
    """
    text = document.text
    shift = document.to_raw((0, 0)).start
    wanted = fold(quote)
    plain = document.from_raw(span)
    for unit, start, end in _readings(text, shift, span, plain):
        if 0 <= start < end <= len(text) and fold(text[start:end]) == wanted:
            return unit, document.to_raw((start, end))
    return None


def _readings(text: str, shift: int, span: Span, plain: Span) -> Iterator[tuple[str, int, int]]:
    """Each way to understand the offsets, as a span of `text`; below 0 where one is inside a character."""
    if shift == 1:
        yield "text without its byte order mark", *span
    marks = (0, 1) if shift == 1 else (0,)
    for mark in marks:  # a mark in front may have been counted or not
        for unit, width, encoding in (("UTF-16 units", 2, "utf-16-le"), ("UTF-8 bytes", 1, "utf-8")):
            data = ("\ufeff" * mark + text).encode(encoding, "surrogatepass")
            start, end = (_characters(data, width * offset, encoding) - mark for offset in span)
            yield unit, start, end
    joined = [match.start() - n for n, match in enumerate(re.finditer("\r\n", text))]
    if joined:
        for mark in marks:
            start, end = (offset - mark + bisect_left(joined, offset - mark) for offset in span)
            yield "text whose CRLF was read as one character", start, end
    start, end = plain
    yield "an end that names the last character", start, end + 1
    yield "positions that count from 1", start - 1, end - 1
    yield "positions that count from 1 and name the last character", start - 1, end


def _characters(data: bytes, offset: int, encoding: str) -> int:
    """Number of characters in the first `offset` bytes; far below 0 where that ends inside one."""
    try:
        return len(data[:offset].decode(encoding, "surrogatepass")) if offset <= len(data) else -len(data) - 1
    except UnicodeDecodeError:
        return -len(data) - 1
