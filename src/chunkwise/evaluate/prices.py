"""What things cost: the user's own price file, and money computed with it.

```toml
currency = "USD"           # only printed
embedding = 0.02           # price of a million tokens that are embedded
reading = 0.15             # price of a million tokens that a language model reads
queries_per_month = 50000
changed_per_month = 0.1    # share of the documents that change in a month
tokens_per_unit = 1.35     # needed where a comparison counts words or characters instead of tokens
```

Whatever is left out costs nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

from chunkwise.errors import ReadError, SettingError

__all__ = ["Prices", "load_prices", "money"]

MILLION = 1_000_000
_ROUGH = ("words", "chars")  # units that are no tokens


@dataclass(frozen=True, slots=True)
class Prices:
    """What a million tokens cost, and how much is asked and changed in a month."""

    currency: str = ""
    """Name of the currency; nothing is computed with it."""
    embedding: float = 0.0
    """Price of a million tokens that are embedded."""
    reading: float = 0.0
    """Price of a million tokens that a language model reads."""
    queries_per_month: float = 0.0
    """Questions asked in a month."""
    changed_per_month: float = 0.0
    """Share of the documents that change in a month, 0 to 1."""
    tokens_per_unit: float = 0.0
    """Tokens in a word, or in whatever the comparison counts; 0 where it counts tokens."""

    def __post_init__(self) -> None:
        """Raise `SettingError` where a value cannot be meant."""
        for field in fields(self):
            fault = _fault(field.name, getattr(self, field.name))
            if fault:
                raise SettingError(f"prices: {field.name} {fault}")

    def tokens(self, unit: str) -> float:
        """Tokens in a unit of the comparison.

        Raises:
            SettingError: the comparison counts no tokens, and the file does not say how many there are.
        """
        if self.tokens_per_unit:
            return self.tokens_per_unit
        if unit in _ROUGH:
            raise SettingError(
                f"prices are for tokens, and {unit} are counted here: compare with unit='cl100k', or say "
                f"how many tokens {'a word' if unit == 'words' else 'a character'} has "
                f"(tokens_per_unit = {'1.35' if unit == 'words' else '0.25'})"
            )
        return 1.0


def load_prices(path: str | Path) -> Prices:
    """Read a price file.

    Raises:
        ReadError: it is not there, or cannot be read.
        SettingError: it is no TOML, has an unknown key, or a value that cannot be meant; names file, line
            and key.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ReadError(str(path), f"cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ReadError(str(path), f"byte {error.start} is not UTF-8; save the file as UTF-8") from error
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{path}: not valid TOML: {error}") from error
    known = [field.name for field in fields(Prices)]
    for key, value in found.items():
        fault = _fault(key, value) if key in known else _unknown(key, known)
        if fault:
            raise SettingError(f"{path}:{_line(text, key)}: {key} {fault}")
    return Prices(**found)


def _fault(key: str, value: Any) -> str:
    """What is wrong with a value; empty where nothing is."""
    if key == "currency":
        return "" if isinstance(value, str) else f"must be a text, got {value!r}"
    if not isinstance(value, int | float) or isinstance(value, bool) or not isfinite(value) or value < 0:
        return f"must be a number of at least 0, got {value!r}"
    if key == "changed_per_month" and value > 1:
        return f"must be a share from 0 to 1, got {value!r}"
    return ""


def _unknown(key: str, known: list[str]) -> str:
    near = get_close_matches(key, known, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    return f"is no known key{hint} (known: {', '.join(sorted(known))})"


def _line(text: str, key: str) -> int:
    """The line, from 1, where a key or table is written; the parser keeps none."""
    pattern = re.compile(rf"""\s*(?:\[\s*)?["']?{re.escape(key)}["']?\s*[=.\]]""")
    return next((number for number, line in enumerate(text.split("\n"), 1) if pattern.match(line)), 1)


def money(costs: Mapping[str, Any], prices: Prices, question: float) -> dict[str, Any]:
    """What one candidate costs.

    Args:
        costs: its costs: `embedded`, `sent` and `unit`, `churn` where it was measured, and `cutting` where
            texts were embedded to find the cuts (with `characters_indexed`, which say how long a unit is).
        prices: what a million tokens cost.
        question: mean units of a question.

    Returns:
        `currency`; `index`, of embedding everything once, what is embedded to find the cuts included;
        `changes`, of what must be embedded again in a month: the share of changed documents times the share
        of their texts that changes; `query`, by k and budget the cost of one question (embedding it, reading
        what was found); `month`, by k and budget all of a month.

    Raises:
        SettingError: the comparison counts no tokens, and the prices do not say how many there are.
    """
    tokens = prices.tokens(str(costs["unit"]))
    units = costs["embedded"]
    to_cut = costs.get("cutting", {}).get("characters", 0)
    if to_cut:
        units += to_cut * costs["embedded"] / max(1, costs["characters_indexed"])
    index = units * tokens * prices.embedding / MILLION
    again = costs.get("churn", {}).get("share", 1.0)
    changes = index * prices.changed_per_month * again
    asked = question * tokens * prices.embedding / MILLION
    query = {key: asked + units * tokens * prices.reading / MILLION for key, units in costs["sent"].items()}
    return {
        "currency": prices.currency,
        "index": _rounded(index),
        "changes": _rounded(changes),
        "query": {key: _rounded(value) for key, value in query.items()},
        "month": {key: _rounded(changes + prices.queries_per_month * v) for key, v in query.items()},
    }


def _rounded(value: float) -> float:
    """Six significant digits: sums of money differ by many orders."""
    return float(f"{value:.6g}")
