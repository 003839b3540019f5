"""Exit codes: one table in code and docs, and a code for every error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from chunkwise import errors
from chunkwise.cli.exits import MEANING, Exit, exit_of
from chunkwise.errors import ChunkwiseError

DOCS = Path(__file__).parents[2] / "docs" / "exit-codes.md"
ROW = re.compile(r"\| (\d+) \| ([A-Z]+) \| (.+) \|")


def kinds(root: type[ChunkwiseError]) -> Iterator[type[ChunkwiseError]]:
    for kind in root.__subclasses__():
        if kind.__module__ == errors.__name__:
            yield kind
            yield from kinds(kind)


def test_the_docs_show_the_table_of_the_code() -> None:
    shown = [ROW.fullmatch(line) for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| ")]
    rows = [match.groups() for match in shown if match]
    assert rows == [(str(code.value), code.name, meaning) for code, meaning in MEANING.items()]
    assert set(MEANING) == set(Exit)


@pytest.mark.parametrize("kind", sorted(kinds(ChunkwiseError), key=str), ids=lambda kind: kind.__name__)
def test_every_error_has_a_code_of_its_own(kind: type[ChunkwiseError]) -> None:
    expected = {
        "SettingError": Exit.USAGE,
        "NameClash": Exit.USAGE,
        "UnknownName": Exit.USAGE,
        "UnknownRow": Exit.USAGE,
        "UnknownSetting": Exit.USAGE,
        "ChunkerError": Exit.USAGE,
        "ReadError": Exit.UNREADABLE,
        "BrokenFiles": Exit.UNREADABLE,
        "CorpusError": Exit.UNREADABLE,
        "ReportError": Exit.UNREADABLE,
        "GoldenError": Exit.GOLDEN,
        "MissingExtra": Exit.MISSING,
        "ModelError": Exit.MODEL,
        "NotComparable": Exit.INCOMPARABLE,
        "NothingMeasured": Exit.UNMEASURED,
        "RunnerError": Exit.RUNNER,
        "StoreError": Exit.STORE,
    }
    assert exit_of(kind.__new__(kind)) == expected[kind.__name__]


def test_what_nobody_foresaw_is_told_from_faults() -> None:
    assert exit_of(ValueError("?")) == Exit.UNEXPECTED
    assert exit_of(PermissionError("?")) == Exit.UNREADABLE
