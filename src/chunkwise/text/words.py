"""Places of words: runs without white space."""

from __future__ import annotations

from chunkwise.text.units import WORD
from chunkwise.types import Span


def word_spans(text: str) -> list[Span]:
    """Spans of all words (runs without white space) of a text."""
    return [Span(*match.span()) for match in WORD.finditer(text)]


def word_starts(text: str, start: int, end: int) -> list[int]:
    """Starts of the words that begin in `[start, end)`. A word that began before `start` is none of them."""
    starts = [match.start() for match in WORD.finditer(text, start, end)]
    if starts and starts[0] == start and start > 0 and not text[start - 1].isspace():
        starts.pop(0)
    return starts
