"""Checks on errors: files that cannot be read, settings that cannot work, golden sets with faults."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.errors import ChunkwiseError, SettingError
from chunkwise.golden import check_golden, load_golden
from chunkwise.readers import read
from chunkwise.types import Question

from .mapping import Trial, build, names_for
from .structure_checks import names_all

Check = dict[str, Any]
GOLDEN, SETTINGS = "golden.jsonl", "settings.jsonl"


def error(trial: Trial, check: Check) -> None:
    if SETTINGS in trial.case.files:
        _settings(trial, check)
        return
    said = _golden_faults(trial) if GOLDEN in trial.case.files else _reading(trial)
    assert any(names_all(message, check["names"]) for message in said), said


def _reading(trial: Trial) -> list[str]:
    """What reading the case's folder says."""
    said = []
    for root in trial.roots:
        with pytest.raises(ChunkwiseError) as caught:
            read(root)
        said += str(caught.value).splitlines()
    return said


def _golden_faults(trial: Trial) -> list[str]:
    """Every fault of the golden set. Loading it must refuse with all of them."""
    path = trial.case.folder / GOLDEN
    found = [str(fault) for fault in check_golden(path, trial.corpus).faults]
    with pytest.raises(ChunkwiseError) as caught:
        load_golden(path, trial.corpus)
    for fault in found:
        assert fault in str(caught.value)
    return found


def _settings(trial: Trial, check: Check) -> None:
    """Each line is refused, and the message names its settings and the value given."""
    for line in trial.case.lines(SETTINGS):
        for name in names_for(trial.case.settings):
            if name == "document" or ("overlap" in line and name == "sentence"):
                continue  # has no such setting
            with pytest.raises(SettingError) as caught:
                build(name, {**trial.case.settings, **line})
            message = str(caught.value)
            wrong = [key for key in line if key in message]
            # A line may be about another setting than the one the check names.
            assert set(check["names"]) <= set(wrong) or set(line) - set(check["names"]) == set(wrong), message
            assert any(repr(line[key]) in message for key in wrong), message


def error_count(trial: Trial, check: Check) -> None:
    assert len(_golden_faults(trial)) == check["equals"]


def question(trial: Trial, id: str) -> Question:
    """A question of the case's golden set."""
    return load_golden(trial.case.folder / GOLDEN, trial.corpus)[id]


def golden_span(trial: Trial, check: Check) -> None:
    ((place,),) = (gold.places for gold in question(trial, check["id"]).golds)
    assert list(place.span) == [check["start"], check["end"]]


def _hits(trial: Trial, check: Check) -> list[list[str]]:
    ((place,),) = (gold.places for gold in question(trial, check["id"]).golds)
    return [
        list(chunk.path)
        for run in trial.runs
        for chunk in run.chunks
        if run.document.id == place.doc and run.raw(chunk).contains(place.span)
    ]


def hit_count(trial: Trial, check: Check) -> None:
    assert len(_hits(trial, check)) == check["equals"]


def hit_paths(trial: Trial, check: Check) -> None:
    assert _hits(trial, check) == check["paths"]


CHECKS = {
    "error": error,
    "error_count": error_count,
    "golden_span": golden_span,
    "hit_count": hit_count,
    "hit_paths": hit_paths,
}
