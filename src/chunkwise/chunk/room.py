"""The context of a chunk, and the room that there is for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from sys import maxsize
from typing import TypeAlias

from chunkwise.types import Counter

SHORTENED = "context shortened"
"""The mark of a chunk whose context leaves something out."""
SEPARATOR = " > "
"""Between the titles of a heading path."""
ELLIPSIS = "…"
"""Stands for what a shortened context left out."""

Parts: TypeAlias = list[tuple[str, str]]
"""Parts of a context: pairs of kind and text."""


@dataclass(slots=True)
class Context:
    """The context of a chunk that starts at some place. Many chunks have the same: it is never changed."""

    parts: tuple[tuple[str, str], ...]
    """Pairs of kind and text."""
    cost: int
    """Their size together with the line ends behind them, in the chunker's unit."""
    indexed: tuple[tuple[str, str], ...]
    """The parts that are indexed: what is left out still takes its room."""
    marks: tuple[str, ...] = ()
    """A mark where something was left out to keep it within half of the size."""
    until: int = maxsize
    """How far it is true: the end of the table whose header is among the parts."""
    full: bool = False
    """Whether it has all that there is to say, so that it is the same at any size of twice its cost."""


class Room:
    """What contexts may take of chunks of one size."""

    def __init__(self, counter: Counter, size: int) -> None:
        """Take what counts sizes, and the size of a chunk."""
        self.counter, self.size = counter, size
        self.most = size // 2
        """Half of the size."""

    def cost(self, parts: Sequence[tuple[str, str]]) -> int:
        """The size of the parts of a context together with the line ends behind them."""
        return self.counter.count("\n".join([part for _, part in parts]) + "\n") if parts else 0

    def context(self, parts: Parts, *, shortened: bool, until: int = maxsize) -> Context:
        """The context of these parts, all of them indexed; `shortened` where something was left out of it."""
        all_ = tuple(parts)
        return Context(all_, self.cost(parts), all_, (SHORTENED,) if shortened else (), until)

    def start_of(self, text: str, beside: list[tuple[str, str]]) -> str:
        """As much of the text's start as fits, with an ellipsis behind it; empty where nothing does."""
        low, high = 0, len(text)
        while low < high:
            middle = (low + high + 1) // 2
            if self.cost([*beside, ("", text[:middle] + ELLIPSIS)]) <= self.most:
                low = middle
            else:
                high = middle - 1
        return text[:low].rstrip() + ELLIPSIS if low else ""
