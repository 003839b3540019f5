"""The limits of a chunk: its size, and a second one in another unit that holds as well."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from chunkwise.errors import SettingError
from chunkwise.spec import escape, whole_number
from chunkwise.text import BothCounter, bare, counter, special
from chunkwise.text.tokens import TiktokenCounter, TokenizerCounter
from chunkwise.types import Counter, Document

_MOST = 1 << 31
"""What no text comes to: a larger size stands for none. Two limits are multiplied."""
LASTING = (str, TiktokenCounter, TokenizerCounter)
"""Units that stay what they are, and count a text the same every time; others may count as they like."""
_KEPT = 64
"""Limits that are kept."""
_WITHIN = re.compile(r"\s*(\d+)\s*([^\d.].*)", re.DOTALL)


class Within(NamedTuple):
    """A second limit on what is indexed."""

    size: int
    """Largest size."""
    unit: Any
    """What is counted: a unit by name, path or function."""


class Limit(NamedTuple):
    """What the parts of a chunk may come to, in one unit whatever is counted."""

    counter: Counter
    """Counts parts: without the special tokens of an embedder, against both limits where there are two."""
    size: int
    """Most of it that a chunk may have, in this counter's units."""
    scale: int
    """This counter's units for one of the chunker's own, for overlap and offset."""


def limit_of(size: int, unit: Any, within: Within | None) -> Limit:
    """The limit of a chunker.

    Args:
        size: largest size of what is indexed.
        unit: its unit.
        within: a second limit; None where there is none.

    Raises:
        SettingError: an embedder's special tokens alone are as many as a size.
    """
    known = within is None or isinstance(within.unit, LASTING)
    # It is asked for with every document.
    return (_known if known and isinstance(unit, LASTING) else _limit)(size, unit, within)


def _limit(size: int, unit: Any, within: Within | None) -> Limit:
    own, room = _room("size", size, unit)
    if within is None:
        return Limit(own, room, 1)
    other, most = _room("within", within.size, within.unit)
    both = BothCounter(own, room, other, most)
    return Limit(both, both.limit, most)


_known = lru_cache(_KEPT)(_limit)


def _room(name: str, size: int, unit: Any) -> tuple[Counter, int]:
    counted = counter(unit)
    around = special(counted)
    if size <= around:
        raise SettingError(
            f"{name}={size}: {counted.name} puts {around} special tokens around every text; use a larger size"
        )
    return bare(counted), min(size - around, _MOST)


def read_within(name: str, value: Any) -> Within | None:
    """A number and its unit: `400cl100k`, or a pair of both."""
    if value is None or isinstance(value, Within):
        return value
    if isinstance(value, str) and (match := _WITHIN.fullmatch(value)):
        value = match[1], match[2].strip()
    if not isinstance(value, tuple) or len(value) != 2:
        raise SettingError(f"{name} must be a size and its unit, such as 400cl100k, got {value!r}")
    size, unit = value
    counter(unit)  # a missing library is told up front
    return Within(whole_number(name, size, 1), unit)


def show_within(value: Within | None) -> str:
    """`400cl100k`, escaped."""
    if value is None:
        return ""
    return f"{value.size}{escape(value.unit if isinstance(value.unit, str) else counter(value.unit).name)}"


def too_small(document: Document, position: int, counted: Counter, size: int) -> SettingError:
    """The error where a character alone takes more than the limit, with its place and the remedy.

    Args:
        document: the document.
        position: where the character stands.
        counted: the counter of a limit.
        size: its size.
    """
    character = document.text[position]
    limits = [(counted, size)]
    if isinstance(counted, BothCounter):
        limits = [(counted.own, counted.size), (counted.other, counted.most)]
    around = [int(getattr(each, "special", 0)) for each, _ in limits]
    takes = " and ".join(
        f"{each.count(character) + more} {each.name}" for (each, _), more in zip(limits, around, strict=True)
    )
    sizes = " and ".join(str(most + more) for (_, most), more in zip(limits, around, strict=True))
    return SettingError(
        f"{document.id}:{document.line(position)}: the character {character!r} alone takes {takes}, "
        f"the size is {sizes}; use a larger size"
    )
