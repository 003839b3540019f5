"""The shared cases: hard inputs from practice, each with checks that a test can read.

A new case of the same form needs no new code. `CHUNKWISE_CASES` names another folder of cases.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from chunkwise.chunk import CHUNKERS
from chunkwise.errors import ChunkwiseError, CorpusError
from chunkwise.readers import read
from chunkwise.testing import check_chunker

from . import (
    chunk_checks,
    clean_checks,
    context_checks,
    error_checks,
    measure_checks,
    ship_checks,
    structure_checks,
    work_checks,
)
from .loader import ROOT, Case, Statement, load_cases, make, statements
from .mapping import KEEPS_SECTIONS, OVERLAPPING, UNSIZED, Trial, build, trial, unit_of
from .pending import CHECKS as PENDING
from .pending import STATEMENTS, pending

CASES = load_cases()
ALL = statements(CASES)
SUBJECTS: dict[str, dict[str, Callable[..., None]]] = {
    "structure": structure_checks.CHECKS,
    "chunks": chunk_checks.CHECKS,
    "context": context_checks.CHECKS,
    "errors": error_checks.CHECKS,
    "measures": measure_checks.CHECKS,
    "cleaning": clean_checks.CHECKS,
    "work": work_checks.CHECKS,
    "ship": ship_checks.CHECKS,
}
KNOWN = {"linear", *PENDING, *(name for checks in SUBJECTS.values() for name in checks)}
FEW = 200
"""Repeats of a generated input on which the rules for every case are checked."""

pytestmark = pytest.mark.skipif(not CASES, reason=f"no cases at {ROOT}; CHUNKWISE_CASES names another folder")


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Where generated inputs are written, once for all checks, and removed behind them."""
    folder = tmp_path_factory.mktemp("cases")
    yield folder
    shutil.rmtree(folder)


def of(*names: str) -> pytest.MarkDecorator:
    """Parametrise a test with all statements of some checks. Those of a generated input stay together."""
    found = [
        pytest.param(s, marks=[pytest.mark.xdist_group(s.case.id)] if s.case.generate else [])
        for s in ALL
        if s.name in names
    ]
    return pytest.mark.parametrize("statement", found, ids=str)


def checked(statement: Statement, workshop: Path) -> Trial:
    """The trial of a statement, which is reported as skipped while it is pending."""
    reason = pending(statement)
    if reason:
        pytest.skip(f"pending: {reason}")
    return trial(statement.case, workshop, statement.check.get("when", ""))


def test_every_check_is_known() -> None:
    assert sorted({statement.name for statement in ALL} - KNOWN) == []


def test_pending_statements_stand_in_their_cases() -> None:
    present = {(statement.case.id, statement.name) for statement in ALL}
    ids = {case.id for case in CASES}
    assert [key for key in STATEMENTS if key[0] in ids and key not in present] == []


@of(*PENDING)
def test_pending(statement: Statement, workshop: Path) -> None:
    checked(statement, workshop)


@of(*structure_checks.CHECKS)
def test_structure(statement: Statement, workshop: Path) -> None:
    structure_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*chunk_checks.CHECKS)
def test_chunks(statement: Statement, workshop: Path) -> None:
    chunk_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*context_checks.CHECKS)
def test_context(statement: Statement, workshop: Path) -> None:
    context_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*clean_checks.CHECKS)
def test_cleaning(statement: Statement, workshop: Path) -> None:
    clean_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*error_checks.CHECKS)
def test_errors(statement: Statement, workshop: Path, tmp_path: Path) -> None:
    found = checked(statement, workshop)
    if statement.case.kind == "regression-gate":
        ship_checks.error(found, statement.check, tmp_path)
    elif "file" in statement.check:
        measure_checks.no_questions(found, statement.check)
    else:
        error_checks.CHECKS[statement.name](found, statement.check)


@of(*measure_checks.CHECKS)
def test_measures(statement: Statement, workshop: Path) -> None:
    measure_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*work_checks.CHECKS)
def test_work(statement: Statement, workshop: Path) -> None:
    work_checks.CHECKS[statement.name](checked(statement, workshop), statement.check)


@of(*ship_checks.CHECKS)
def test_ship(statement: Statement, workshop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path / "cache"))
    ship_checks.CHECKS[statement.name](checked(statement, workshop), statement.check, tmp_path)


@of("linear")
def test_growth(statement: Statement, workshop: Path, tmp_path: Path) -> None:
    work_checks.linear(checked(statement, workshop), statement.check, tmp_path)


TEXT_CASES = [case for case in CASES if case.texts() or case.generate]


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize("case", TEXT_CASES, ids=[case.id for case in TEXT_CASES])
def test_rules_for_every_case(case: Case, name: str, tmp_path: Path) -> None:
    """The promises of every chunker on every input of every case, generated ones at a small scale."""
    found = Trial(case, make(case, tmp_path, most=FEW) if case.generate else None)
    settings = {"size": 200, **case.settings, "overlap": 0}
    size, unit = settings["size"], unit_of(settings)
    overlaps = {0, size // 5} if name in OVERLAPPING else {0}
    try:
        documents = list(found.documents())
    except CorpusError:
        assert any(check["check"] == "error" for check in case.checks)
        return
    for document, source in documents:
        for overlap in sorted(overlaps):
            chunks = check_chunker(
                build(name, {**settings, "overlap": overlap}),
                document,
                size=None if name in UNSIZED else size,
                unit=unit,
                overlap=overlap,
                crosses_sections=name not in KEEPS_SECTIONS,
            )
            for chunk in chunks:
                start, end = document.to_raw(chunk.span)
                assert source[start:end] == chunk.text


UNREADABLE = [case for case in CASES if case.kind == "encoding"]


@pytest.mark.parametrize("case", UNREADABLE, ids=[case.id for case in UNREADABLE])
def test_a_file_is_read_or_refused_by_name(case: Case) -> None:
    for name in case.texts():
        texts, said = [], ""
        try:
            texts = [document.text for document in read(case.folder / name)]
        except ChunkwiseError as error:
            said = str(error)
        assert texts or Path(name).name in said
        assert not any(char in text for text in texts for char in "\ufffd\x00")
