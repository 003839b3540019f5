"""Units of size and their counters: characters, words, tokens, or a callable of the user's."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, SupportsIndex

from chunkwise.errors import SettingError, UnknownName
from chunkwise.text.tokens import ENCODINGS, MINILM, TiktokenCounter, TokenizerCounter, model_counter

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
        size = said = self._function(text)
        if not isinstance(size, int) and isinstance(size, SupportsIndex):
            with suppress(TypeError):  # NumPy's booleans
                size = index(size)
        if not isinstance(size, int) or isinstance(size, bool) or size < 0:
            raise SettingError(
                f"the counter {self.name!r} gave {said!r}; it must give a whole number of at least 0"
            )
        return size


def counter(unit: str | Callable[[str], int] | Counter) -> Counter:
    """The counter of a unit.

    Args:
        unit: `chars`, `words`, `cl100k`, `o200k`, the path of a `tokenizer.json`, `minilm` or the folder of
            an embedding model (both with the model's special tokens), a function `text -> int`, or a counter.

    Raises:
        UnknownName: no such unit.
        MissingExtra: the unit needs an optional library; the message has the install line.
    """
    if not isinstance(unit, str):
        if hasattr(unit, "count") and hasattr(unit, "name") and not isinstance(unit, type):
            return unit
        if callable(unit) and not isinstance(unit, type):
            return CallableCounter(unit)
        raise SettingError(f"unit must be a name or a function, got {unit!r}")
    if unit == "chars":
        return CharCounter()
    if unit == "words":
        return WordCounter()
    if unit in ENCODINGS or unit == MINILM or unit.endswith(".json") or _is_folder(unit):
        return _loaded(unit)
    raise UnknownName(
        "unit", unit, ["chars", "words", *ENCODINGS, MINILM, "tokenizer.json", "a model's folder"]
    )


def bare(counted: Counter) -> Counter:
    """The counter of parts of a text: without the special tokens that an embedder puts around the whole."""
    return getattr(counted, "bare", counted)


def special(counted: Counter) -> int:
    """How many units a counter adds to every text, whatever its length: the special tokens of an embedder."""
    return int(getattr(getattr(counted, "bare", None), "special", 0))


def _is_folder(unit: str) -> bool:
    return ("/" in unit or os.sep in unit or unit.startswith(("~", "."))) and Path(unit).expanduser().is_dir()


@cache
def _loaded(unit: str) -> Counter:
    if unit in ENCODINGS:
        return TiktokenCounter(unit)
    return TokenizerCounter(unit) if unit.endswith(".json") else model_counter(unit)


class BothCounter:
    """Sizes against two limits at once: what is within both is within `size` times `most` of this unit.

    A text takes as much of it as it takes of the limit that it takes more of, in whole numbers.
    """

    def __init__(self, own: Counter, size: int, other: Counter, most: int) -> None:
        """Take two counters and the limit of each."""
        self.own, self.size, self.other, self.most = own, size, other, most
        self.name = f"{own.name} and {other.name}"

    @property
    def limit(self) -> int:
        """What is within both limits is not more than this."""
        return self.size * self.most

    def count(self, text: str) -> int:
        """The larger of both sizes, each times the other's limit."""
        return max(self.own.count(text) * self.most, self.other.count(text) * self.size)
