"""Units of size and their counters: characters, words, tokens, or a callable of the user's."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from chunkwise.errors import SettingError, UnknownName
from chunkwise.text.tokens import ENCODINGS, TiktokenCounter, TokenizerCounter

if TYPE_CHECKING:
    from chunkwise.types import Counter

WORD = re.compile(r"\S+")
"""A word, for sizes and budgets: a run without white space."""


class CharCounter:
    """Sizes in characters (Unicode code points)."""

    name = "chars"

    def count(self, text: str) -> int:
        """Number of code points."""
        return len(text)

    def ends(self, text: str) -> list[int]:
        """Position after each unit, rising."""
        return list(range(1, len(text) + 1))


class WordCounter:
    """Sizes in words: runs without white space."""

    name = "words"

    def count(self, text: str) -> int:
        """Number of words."""
        return len(text.split())

    def ends(self, text: str) -> list[int]:
        """Position after each word, rising."""
        return [match.end() for match in WORD.finditer(text)]


class CallableCounter:
    """Sizes by a function of the user's: `function(text) -> int`."""

    def __init__(self, function: Callable[[str], int]) -> None:
        self.name = getattr(function, "__name__", type(function).__name__)
        self._function = function

    def count(self, text: str) -> int:
        """What the function says; it must be a whole number of at least 0."""
        size = self._function(text)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise SettingError(
                f"the counter {self.name!r} gave {size!r}; it must give a whole number of at least 0"
            )
        return size


def counter(unit: str | Callable[[str], int] | Counter) -> Counter:
    """The counter of a unit.

    Args:
        unit: `chars`, `words`, `cl100k`, `o200k`, the path of a `tokenizer.json`, a function
            `text -> int`, or a counter.

    Raises:
        UnknownName: no such unit.
        MissingExtra: the unit needs an optional library; the message has the install line.
    """
    if not isinstance(unit, str):
        if hasattr(unit, "count") and hasattr(unit, "name"):
            return unit
        if callable(unit):
            return CallableCounter(unit)
        raise SettingError(f"unit must be a name or a function, got {unit!r}")
    if unit == "chars":
        return CharCounter()
    if unit == "words":
        return WordCounter()
    if unit in ENCODINGS or unit.endswith(".json"):
        return _loaded(unit)
    raise UnknownName("unit", unit, ["chars", "words", *ENCODINGS, "tokenizer.json"])


@cache
def _loaded(unit: str) -> Counter:
    return TiktokenCounter(unit) if unit in ENCODINGS else TokenizerCounter(unit)
