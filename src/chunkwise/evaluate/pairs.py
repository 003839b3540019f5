"""One setting at a time: rows that differ in nothing else, against each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from itertools import combinations, pairwise
from typing import TypeAlias

from chunkwise.adapters.callables import INDEX_CLEAN
from chunkwise.chunk import CHUNKERS
from chunkwise.errors import ChunkwiseError, SettingError
from chunkwise.evaluate.scoring import DECIMALS
from chunkwise.index import make_retrievers
from chunkwise.spec import parse_one
from chunkwise.stats import holm
from chunkwise.types import CandidateReport, FloatArray, Pair

_Settings: TypeAlias = tuple[str, Mapping[str, str]]
"""Name of what is set, and its settings."""
RETRIEVER = "retriever"
_CHANCE = ("offset", "offsets")  # settings that shift the cuts and mean nothing
_FROM_THE_FIRST = ("overlap",)  # settings of which every value is held against the least
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")
_FEW = 4  # so many values without an order are all held against each other


def one_setting(
    rows: Sequence[CandidateReport],
    apart: Callable[[Sequence[int], Sequence[int]], FloatArray],
    p: FloatArray,
) -> tuple[Pair, ...]:
    """Pairs of rows that differ in one setting only, each with its gain on the primary measure.

    Of a setting that is a number neighbours are compared (overlap: every one with the least); `no` comes
    before `yes`; other values are compared in the order in which rows were named.

    Args:
        rows: the rows.
        apart: gives for numbers of rows and numbers of other rows the mean of each difference with its
            interval, [m, 3].
        p: of the test of each pair of rows, [c, c].
    """
    found = single_changes(rows)
    if not found:
        return ()
    first = [i for _, i, _, _, _ in found]
    second = [j for _, _, j, _, _ in found]
    gains = apart(second, first)
    own_p = p[first, second]
    indexed = [int(row.costs["characters_indexed"]) for row in rows]
    listed = zip(
        found,
        gains.tolist(),
        own_p.round(DECIMALS).tolist(),
        holm(own_p).round(DECIMALS).tolist(),
        strict=True,
    )
    return tuple(
        Pair(
            setting,
            before,
            after,
            first=rows[i].name,
            second=rows[j].name,
            gain=gain,
            low=low,
            high=high,
            p=own,
            adjusted=corrected,
            extra_characters=indexed[j] - indexed[i],
        )
        for (setting, i, j, before, after), (gain, low, high), own, corrected in listed
    )


def single_changes(rows: Sequence[CandidateReport]) -> list[tuple[str, int, int, str, str]]:
    """Setting, numbers of the first and of the second row, and the two values, of each pair."""
    known = [_settings(row) for row in rows]
    names = dict.fromkeys(key for settings in known if settings for key in settings[1])
    found = []
    for setting in names:
        if setting in _CHANCE:
            continue
        for by_value in _alike(known, setting):
            if setting == RETRIEVER:
                found += _by_retriever(by_value)
                continue
            for before, after in _ordered(setting, list(by_value)):
                found.append((setting, by_value[before], by_value[after], before, after))
    return found


def _alike(known: Sequence[_Settings | None], setting: str) -> list[dict[str, int]]:
    """Groups of rows that are equal but for a setting: by its value the number of the row."""
    alike: dict[object, dict[str, int]] = {}
    for i, settings in enumerate(known):
        if settings is None or setting not in settings[1]:
            continue
        name, own = settings
        others = frozenset((key, value) for key, value in own.items() if key not in (setting, *_CHANCE))
        # Rows that differ in their label, or in where they start, are one row here.
        alike.setdefault((name, others), {}).setdefault(own[setting], i)
    return list(alike.values())


def _by_retriever(rows: Mapping[str, int]) -> list[tuple[str, int, int, str, str]]:
    """Pairs of rows that only their retrievers tell apart: kinds against each other, and within a kind
    those that differ in one setting.
    """
    kinds = {text: text.partition(":")[0] for text in rows}
    found = [
        (RETRIEVER, rows[before], rows[after], before, after)
        for before, after in _ordered(RETRIEVER, list(rows))
        if kinds[before] != kinds[after]
    ]
    known: list[_Settings | None] = [_of_retriever(text) for text in rows]
    numbers = list(rows.values())
    for setting in dict.fromkeys(key for settings in known if settings for key in settings[1]):
        for by_value in _alike(known, setting):
            for before, after in _ordered(setting, list(by_value)):
                first, second = numbers[by_value[before]], numbers[by_value[after]]
                found.append((f"{RETRIEVER} {setting}", first, second, before, after))
    return found


def _of_retriever(text: str) -> _Settings | None:
    """Kind and all settings of a retriever, those at their defaults too; None where it is not ours."""
    try:
        (made,) = make_retrievers(text)
    except (ChunkwiseError, ValueError):
        return None
    settings = {field.name: str(getattr(made, field.name)) for field in fields(made) if field.name != "label"}
    return text.partition(":")[0], settings


def _ordered(setting: str, values: list[str]) -> list[tuple[str, str]]:
    """The pairs of values that are compared, the smaller or plainer first."""
    if len(values) < 2:
        return []
    if set(values) == {"yes", "no"}:
        return [("no", "yes")]
    if all(_NUMBER.fullmatch(value) for value in values):
        values = sorted(values, key=float)
        if setting not in _FROM_THE_FIRST:
            return list(pairwise(values))
    elif len(values) <= _FEW:
        return list(combinations(values, 2))
    return [(values[0], value) for value in values[1:]]


def _settings(row: CandidateReport) -> _Settings | None:
    """Name and all settings of a row, those at their defaults too; None where its text form is not ours."""
    try:
        spec = parse_one(row.spec)
    except SettingError:
        return None
    known = (
        {f.name: f.metadata["show"](f.default) for f in fields(CHUNKERS[spec.name])}
        if spec.name in CHUNKERS
        else {INDEX_CLEAN: "no"}
    )
    name = f"{spec.name}:{spec.target}" if spec.target else spec.name
    return name, {"clean": "no", **known, **spec.settings, RETRIEVER: row.retriever}
