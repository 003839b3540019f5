"""The context of a chunk, and the room that there is for it."""

from __future__ import annotations

from collections.abc import Sequence
from sys import maxsize
from typing import NamedTuple, TypeAlias

from chunkwise.types import Counter

SEPARATOR = " > "
"""Between the titles of a heading path."""
ELLIPSIS = "…"
"""Stands for what a shortened context left out."""

Parts: TypeAlias = list[tuple[str, str]]
"""Parts of a context: pairs of kind and text."""


class Context(NamedTuple):
    """The context of a chunk that starts at some place."""

    parts: tuple[tuple[str, str], ...]
    """Pairs of kind and text."""
    cost: int
    """Its size together with the line ends behind it, in the chunker's unit."""
    shortened: bool
    """Whether something was left out to keep it within half of the size."""
    shown: tuple[tuple[str, str], ...] | None = None
    """What of `parts` is indexed, where that is not all: what is left out still takes its room."""
    until: int = maxsize
    """How far it is true: the end of the table whose header is among the parts."""
    full: bool = False
    """Whether it has all that there is to say, so that it is the same at any size of twice its cost."""

    @property
    def indexed(self) -> tuple[tuple[str, str], ...]:
        """The parts that are indexed."""
        return self.parts if self.shown is None else self.shown


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
