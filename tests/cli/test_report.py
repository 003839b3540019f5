"""`compare --html` and `chunkwise report`: the same page from the same report, and bad reports refused."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from chunkwise.cli import Exit

from .conftest import Run

COMPARE = ("compare", "docs", "--golden", "golden.jsonl", "-c", "fixed:size=200", "-c", "heading:size=300")


@pytest.fixture
def stored(run: Run, folder: Path) -> Path:
    """A stored report."""
    assert run(*COMPARE, "--json", "out.json", "-q").code == 0
    return folder / "out.json"


def test_a_comparison_and_its_stored_report_give_the_same_page(run: Run, folder: Path) -> None:
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    made = run(*COMPARE, "--json", "out.json", "--html", "one.html", "--markdown", "one.md")
    assert made.code == 0, made.err
    assert "FOUND" in made.out
    for name in ("out.json", "one.html", "one.md"):
        assert f"report written to {name}" in made.err
    again = run("report", "out.json", "--html", "two.html", "--markdown", "two.md")
    assert (again.code, again.out) == (0, "")
    for kind in ("html", "md"):
        assert (folder / f"one.{kind}").read_bytes() == (folder / f"two.{kind}").read_bytes()
    assert (folder / "one.html").read_bytes().startswith(b"<!doctype html>")
    assert not list(folder.glob(".*part*"))


def test_without_a_file_it_prints_what_compare_printed(run: Run, stored: Path) -> None:
    first = run(*COMPARE)
    assert run("report", str(stored)).out == first.out
    assert "TESTS" in run("report", str(stored), "-v").out.upper()


def test_it_reads_standard_input_and_prints_to_standard_output(
    run: Run, stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stored.read_bytes())))
    result = run("report", "-", "--markdown", "-")
    assert result.code == 0
    assert result.out.startswith("# ")
    assert result.err == ""


def test_without_texts_the_page_has_none(run: Run, folder: Path) -> None:
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    assert run(*COMPARE, "--no-texts", "--html", "out.html").code == 0
    page = (folder / "out.html").read_text("utf-8")
    assert "Press the left key" not in page
    assert "--no-texts" in page


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["bad.json: empty", "again"]),
        ('{"schema": 1,\n "corpus": {"docu', ["cut off", "line 2", "again"]),
        ('{"schema": 1,\n "corpus": {}', ["cut off", "line 2"]),
        ('{"schema": 1,\n oops}', ["line 2, column 2", "again"]),
        ('{"id": "a"}\n{"id": "b"}\n', ["line 2, column 1", "name a file that compare --json wrote"]),
        ("[]", ["no report of Chunkwise", "compare --json"]),
        ('{"schema": 99}', ["schema 99", "reads 1", "newer Chunkwise"]),
        ('{"schema": 0}', ["schema 0", "reads 1", "run the comparison again"]),
        ('{"schema": 1}', ["not a whole report", "again"]),
        ("[" * 100_000, ["nested too deeply", "again"]),
    ],
)
def test_a_report_that_is_none_is_refused(run: Run, folder: Path, text: str, said: list[str]) -> None:
    (folder / "bad.json").write_text(text, "utf-8")
    result = run("report", "bad.json", "--markdown", "out.md")
    assert result.code == Exit.UNREADABLE
    for part in ("bad.json", *said):
        assert part in result.err
    assert not (folder / "out.md").exists()


def test_files_that_cannot_be_read_or_written_are_named(run: Run, folder: Path, stored: Path) -> None:
    missing = run("report", "none.json")
    assert missing.code == Exit.UNREADABLE
    assert "none.json" in missing.err
    (folder / "latin.json").write_bytes(stored.read_bytes().replace(b"Press", b"Pr\xe9ss", 1))
    broken = run("report", "latin.json")
    assert broken.code == Exit.UNREADABLE
    assert "latin.json" in broken.err
    assert "line " in broken.err
    nowhere = run(*COMPARE, "--html", "no/where.html")
    assert nowhere.code == Exit.USAGE
    assert "no" in nowhere.err
    twice = run(*COMPARE, "--json", "-", "--markdown", "-")
    assert twice.code == Exit.USAGE
    assert "--markdown" in twice.err


def test_a_missing_library_is_told_before_any_document_is_read(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    result = run("compare", "nowhere", "--html", "out.html")
    assert result.code == Exit.MISSING
    assert "pip install 'chunkwise[report]'" in result.err


def test_an_older_report_without_documents_has_a_page(run: Run, folder: Path, stored: Path) -> None:
    pytest.importorskip("jinja2", reason="the extra 'report' is not installed")
    data = json.loads(stored.read_text("utf-8"))
    data["exhibits"] = [exhibit for exhibit in data["exhibits"] if exhibit["kind"] == "question"]
    (folder / "old.json").write_text(json.dumps(data), "utf-8")
    assert run("report", "old.json", "--html", "old.html").code == 0
    assert "No document is shown" in (folder / "old.html").read_text("utf-8")
