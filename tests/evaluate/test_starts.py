"""Fixed windows over several start offsets: one candidate with a mean and a range."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise.comparison import compare, make_candidates
from chunkwise.errors import SettingError
from chunkwise.types import Report

PRIMARY = "recall@1000words"
QUICK: dict[str, Any] = {"resamples": 200, "exhibits": 0}


@pytest.fixture(scope="module")
def constitution(shared: Path) -> tuple[Path, Path]:
    folder = shared / "corpora" / "constitution"
    return folder / "docs", folder / "golden.jsonl"


def test_a_row_has_the_mean_of_its_starts_and_their_range(constitution: tuple[Path, Path]) -> None:
    together = compare(*constitution, ["fixed:size=600,offsets=4", "heading:size=600"], **QUICK)
    apart = compare(*constitution, "fixed:size=600,offset=0|150|300|450", **QUICK)
    row = together["fixed:size=600,offsets=4"]
    assert len(together.candidates) == 2
    assert row.starts["offsets"] == [0, 150, 300, 450]
    for name, score in row.measures.items():
        single = [one.measures[name].value for one in apart.candidates]
        assert score.value == pytest.approx(np.mean(single), abs=2e-6)
        ends = {"low": min(single), "high": max(single)}
        assert row.starts["measures"][name] == pytest.approx(ends, abs=2e-6)
    for id, found in row.questions.items():
        single = [one.questions[id][PRIMARY] for one in apart.candidates]
        assert found[PRIMARY] == pytest.approx(np.mean(single), abs=2e-6)
    # What is cut is told of the first start.
    assert row.boundaries == apart.candidates[0].boundaries
    assert together["heading:size=600"].starts == {}
    assert Report.from_json(together.to_json()) == together


def test_the_control_is_taken_over_four_starts_where_nothing_is_embedded(
    constitution: tuple[Path, Path],
) -> None:
    report = compare(*constitution, **QUICK)
    assert len(report["size-matched"].starts["offsets"]) == 4
    assert report["size-matched"].spec.endswith(",offsets=4")
    assert all(not row.starts for row in report.candidates if row.name != "size-matched")


def test_it_parses_back_and_is_one_candidate() -> None:
    (row,) = make_candidates("fixed:size=400,overlap=40,offsets=3")
    assert row.cut == row.name == "fixed:size=400,overlap=40,offsets=3"
    assert make_candidates(row.cut) == [row]
    labelled, swept = make_candidates(["mine=fixed:offsets=2", "fixed:size=300,offsets=2"])
    assert (labelled.name, swept.name) == ("mine", "fixed:size=300,offsets=2")
    assert [one.offsets for one in make_candidates("fixed:offsets=1|5")] == [1, 5]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("heading:size=400,offsets=4", "only fixed takes offsets"),
        ("fixed:size=400,offset=10,offsets=4", "either one offset or a number of offsets"),
        ("fixed:size=40,overlap=35,offsets=6", "must be from 1 to 5, the step of its windows, got 6"),
        ("fixed:offsets=0", "offsets must be a whole number of at least 1, got '0'"),
        ("fixed:offsets=many", "offsets must be a whole number of at least 1, got 'many'"),
    ],
)
def test_starts_that_cannot_be_are_refused(text: str, said: str) -> None:
    with pytest.raises(SettingError, match=said):
        make_candidates(text)
