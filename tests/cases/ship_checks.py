"""Checks on gates and on what is shipped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunkwise.cli import main
from chunkwise.errors import ChunkwiseError
from chunkwise.ship.gating import gate_report
from chunkwise.ship.rules import Rules

from .mapping import Trial
from .structure_checks import names_all

Check = dict[str, Any]


def _rules(trial: Trial, folder: Path) -> Path:
    """The case's tolerance as a file of rules."""
    settings = trial.case.settings
    lines = [f"measures = {json.dumps(settings.get('metrics', ['recall@5', 'mrr']))}"]
    lines.append(f"max_drop = {settings.get('tolerance', 0.02)}")
    path = folder / "gate.toml"
    path.write_text("\n".join(lines), "utf-8")
    return path


def exit_code(trial: Trial, check: Check, folder: Path) -> None:
    """The command line on every baseline of the case, and on one that is not there."""
    case = trial.case
    known = [name for name in case.files if name != "candidate.json"]
    given = [case.folder / name for name in known]
    if case.id == "baseline-missing-or-broken":
        given.append(folder / "missing.json")
    for baseline in given:
        arguments = ["--baseline", str(baseline), "--gate", str(_rules(trial, folder))]
        code = main(["gate", "--report", str(case.folder / "candidate.json"), *arguments])
        assert (code == 0) == (check["code"] == "zero"), baseline


def error(trial: Trial, check: Check) -> None:
    """The baseline that the check names is refused."""
    (name,) = (name for name in check["names"] if name.endswith(".json"))
    with pytest.raises(ChunkwiseError) as caught:
        gate_report(trial.case.folder / "candidate.json", trial.case.folder / name, Rules())
    assert names_all(str(caught.value), check["names"])


CHECKS = {"exit": exit_code}
