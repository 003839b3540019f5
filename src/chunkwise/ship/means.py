"""A plain file of means: figures of a measurement that somebody else made, or that was written by hand."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from chunkwise.errors import NothingMeasured, ReportError

__all__ = ["COUNTED", "Means", "figure", "number", "read_means", "whole"]

_SHARE: Final = re.compile(
    r"(?:hit|recall|success|r|mrr|rr|ndcg|precision|iou|ceiling|coverage|text-recall|token-recall)(?:@|\Z)",
    re.IGNORECASE,
)
COUNTED: Final = ("unit", "counter", "rule", "show_context")
"""Settings that say what the figures mean: they must be the same on both sides."""


class Means(NamedTuple):
    """What such a file holds."""

    golden: str
    """Digest of the golden set."""
    questions: int
    """Number of questions."""
    means: dict[str, float]
    """By measure."""
    groups: dict[str, tuple[int, dict[str, float]]]
    """By `tag=value`: number of questions, and means by measure."""
    settings: dict[str, Any]
    """What it says of how the figures were counted."""
    unread: tuple[str, ...]
    """Keys that are none of these."""


def read_means(data: Mapping[str, Any], source: str) -> Means:
    """Take the figures out of such a file.

    Args:
        data: the file as JSON has it.
        source: name of the file, for messages.

    Raises:
        ReportError: a key does not hold what it must.
        NothingMeasured: a figure is null, no number, or there is none.
    """
    golden = data["golden"]
    if not isinstance(golden, str) or not golden:
        raise ReportError(
            f"{source}: 'golden' must be the digest of the golden set, got {json.dumps(golden)}: "
            "without it nobody knows which questions the figures are about"
        )
    questions = whole(data.get("questions", 0), f"{source}: 'questions'")
    means: dict[str, float] = {}
    groups: dict[str, tuple[int, dict[str, float]]] = {}
    settings: dict[str, Any] = {}
    unread = []
    for key, value in data.items():
        if key in ("golden", "questions"):
            continue
        if key.startswith("by_"):
            groups.update(_groups(key, value, source))
        elif key in COUNTED:
            settings[key] = value
        elif value is None or _SHARE.match(key) or _is_number(value):
            means[key] = figure(key, value, source)
        else:
            unread.append(key)
    if not means:
        raise NothingMeasured(f"{source}: no figure of any measure in it")
    return Means(golden, questions, means, groups, settings, tuple(unread))


def _groups(key: str, value: Any, source: str) -> Iterator[tuple[str, tuple[int, dict[str, float]]]]:
    if not isinstance(value, dict) or not all(isinstance(group, dict) for group in value.values()):
        raise ReportError(
            f"{source}: {key!r} must hold an object for each value of the tag, with 'n' and its measures"
        )
    for name, group in value.items():
        at = f"{source}: {key!r}, {name!r}"
        count = whole(group.get("n", 0), f"{at}: 'n'")
        figures = {measure: v for measure, v in group.items() if measure != "n"}
        # Without questions there is no mean, and none is asked for; a rule on such a value fails.
        own = {m: figure(m, v, at) for m, v in figures.items()} if count else {}
        yield f"{key.removeprefix('by_')}={name}", (count, own)


def whole(value: Any, what: str) -> int:
    """A number of questions. Raises `ReportError` where it is none."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ReportError(f"{what} must be a whole number of at least 0, got {json.dumps(value)}")
    return value


def figure(name: str, value: Any, source: str) -> float:
    """A mean.

    Raises:
        NothingMeasured: it is null or no number.
        ReportError: it is a share, and not from 0 to 1.
    """
    found = number(value)
    if not math.isfinite(found):
        raise NothingMeasured(f"{source}: {name} is {json.dumps(value)}, which is no figure; measure again")
    if _SHARE.match(name) and not 0 <= found <= 1:
        raise ReportError(f"{source}: {name} is {value}; it must be a share from 0 to 1, not per cent")
    return found


def number(value: Any) -> float:
    """A figure as a number; NaN for what is none."""
    if not _is_number(value):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
