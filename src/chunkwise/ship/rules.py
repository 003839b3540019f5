"""The rules of a gate, and the TOML file that sets them."""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

from chunkwise.config import line_of
from chunkwise.errors import SettingError

__all__ = ["BOUNDARIES", "COSTS", "SIZES", "Rules", "load_rules"]

PARTED: Final = (
    "headings_parted",
    "crossing_sections",
    "rows_cut",
    "rows_without_header",
    "code_cut",
    "items_parted",
)
BOUNDARIES: Final = ("sentence", "paragraph", "row", "code", "any", *PARTED)
"""Kinds of damage at the cuts: shares of all starts, of headings, of chunks."""
SIZES: Final = ("max", "p95", "mean", "median", "marked")
"""Sizes of the indexed strings; `marked` is the number of chunks over their limit."""
COSTS: Final = ("chunks", "characters_indexed", "embedded", "index_bytes", "overlap_factor")
"""Costs that may grow by a factor; `sent@5` or `sent@1000words` besides."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What fails a gate. Means, shares and drops are from 0 to 1; a drop of exactly its limit passes."""

    measures: tuple[str, ...] = ()
    """Measures that are compared; empty: the primary measure of the baseline."""
    interval: bool = True
    """Fail where the paired 95 % interval of now − baseline lies below zero, for any of the measures."""
    max_drop: float | Mapping[str, float] | None = 0.02
    """How far a mean may fall: one limit for all `measures`, or by measure. None: not looked at."""
    ceiling: float | None = 0.0
    """How far the ceiling may fall."""
    coverage: float | None = 0.0
    """How far the joint coverage may fall."""
    tags: float | Mapping[str, float] | None = None
    """How far a mean may fall among the questions with one value of a tag: one limit for all of
    them, or by `tag=value`."""
    must_pass: tuple[str, ...] = ()
    """Ids of questions that may not be lost: all their spans within the first `within` chunks."""
    within: int | None = None
    """None: the largest k of the report."""
    at_least: Mapping[str, float] = field(default_factory=dict)
    """By measure the least mean, whatever the baseline has."""
    boundaries: Mapping[str, float] = field(default_factory=dict)
    """By kind of damage the largest share."""
    sizes: Mapping[str, float] = field(default_factory=dict)
    """By figure the largest size, in the chunker's unit."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """By cost the largest factor over the baseline: 1.1 allows a tenth more."""
    loss: float | None = 0.02
    """What is shipped: how far a mean through the store may be below that of exact search."""
    source: str = ""
    """The file they came from."""
    text: str = field(default="", repr=False, compare=False)
    """What stands in it, for the lines that messages name."""

    def at(self, *keys: str) -> str:
        """Where a rule is written, as messages name it: file and line, else what the rules are called."""
        line = line_of(self.text, keys[:-1], keys[-1]) or line_of(self.text, (), keys[0])
        return f"{self.source}:{line}" if line else self.source or "the gate"

    def drop_of(self, measure: str) -> float | None:
        """The limit on the fall of a measure's mean; None where there is none."""
        if isinstance(self.max_drop, Mapping):
            return self.max_drop.get(measure)
        return self.max_drop

    def compared(self, primary: str | None) -> tuple[str, ...]:
        """The measures that are compared, those with a limit of their own among them."""
        own = tuple(self.max_drop) if isinstance(self.max_drop, Mapping) else ()
        named = self.measures or own or ((primary,) if primary else ())
        return tuple(dict.fromkeys((*named, *own)))

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The tags that rules name."""
        named = self.tags if isinstance(self.tags, Mapping) else {}
        return tuple(dict.fromkeys(key.partition("=")[0] for key in named))


_TABLES: Final[dict[str, tuple[str, ...] | None]] = {
    "max_drop": None,
    "tags": None,
    "at_least": None,
    "boundaries": BOUNDARIES,
    "sizes": SIZES,
    "costs": COSTS,
}
"""Rules that are, or may be, tables; None: the keys are measures or tags."""
_NUMBERS: Final = ("max_drop", "ceiling", "coverage", "tags", "loss")
_SENT: Final = re.compile(r"sent@\d+\w*")
_KNOWN: Final = tuple(name for name in Rules.__dataclass_fields__ if name not in ("source", "text"))


def load_rules(path: str | Path) -> Rules:
    """Read a file such as `gate.toml`. A rule that it does not set has its default.

    `false` switches `max_drop`, `ceiling`, `coverage`, `tags` or `loss` off.

    Raises:
        SettingError: the file cannot be read or is no TOML, a rule is unknown, or a value cannot be meant.
            The message names the file and the line.
    """
    source = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(f"{source}: cannot be read: {error}; name a file of rules") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingError(f"{source}: not valid TOML: {error}") from error
    return _File(source, text).rules(data)


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    text: str

    def rules(self, data: Mapping[str, Any]) -> Rules:
        values: dict[str, Any] = {}
        for key, value in data.items():
            if key not in _KNOWN:
                self._unknown((), key, "rule", _KNOWN)
            values[key] = self._value(key, value)
        return Rules(**values, source=self.name, text=self.text)

    def _value(self, key: str, value: Any) -> Any:
        if isinstance(value, dict) and key in _TABLES:
            for name, limit in value.items():
                known = _TABLES[key]
                if known is not None and name not in known and not (key == "costs" and _SENT.fullmatch(name)):
                    self._unknown(
                        (key,), name, f"rule in [{key}]", (*known, *(["sent@5"] * (key == "costs")))
                    )
                if key == "tags" and "=" not in name:
                    self.fail((key,), name, 'must name a tag and its value, such as "query_type=table"')
                self._limit((key,), name, limit)
            return {name: float(limit) for name, limit in value.items()}
        if key in _NUMBERS:
            return None if value is False else self._limit((), key, value)
        if key in _TABLES:
            self.fail((), key, f"must be a table; write its limits below [{key}]")
        if key == "interval":
            if not isinstance(value, bool):
                self.fail((), key, f"must be true or false, got {value!r}")
            return value
        if key == "within":
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                self.fail((), key, f"must be a whole number of at least 1, got {value!r}")
            return value
        if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
            self.fail((), key, f"must be a list of texts, got {value!r}")
        return tuple(dict.fromkeys(value))

    def _limit(self, table: tuple[str, ...], key: str, value: Any) -> float:
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
            or value < 0
        ):
            self.fail(table, key, f"must be a number of at least 0, got {value!r}")
        above = 1 if (table and table[0] in ("sizes", "costs")) else 0
        if not above and value > 1:
            self.fail(table, key, f"is a share: 0.02 are two points of a hundred; got {value!r}")
        return float(value)

    def _unknown(self, table: tuple[str, ...], key: str, what: str, known: Iterable[str]) -> NoReturn:
        names = sorted(known)
        near = get_close_matches(key, names, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]!r}? " if near else ""
        self.fail(table, key, f"unknown {what}; {hint}(known: {', '.join(names)})")

    def fail(self, table: tuple[str, ...], key: str, fault: str) -> NoReturn:
        # An inline table has its rules on the line of its own name.
        line = line_of(self.text, table, key) or (line_of(self.text, (), table[0]) if table else 0)
        raise SettingError(f"{f'{self.name}:{line}' if line else self.name}: {key!r}: {fault}")
