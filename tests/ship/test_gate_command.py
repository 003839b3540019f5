"""`chunkwise gate` as its users run it: exit codes, files, annotations, the fixture for pytest."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

from .conftest import Run
from .make import write_folder

BASE = ("gate", "docs", "--golden", "golden.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_folder(tmp_path))
    for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def made(run: Run) -> None:
    """A first baseline."""
    code, _, err = run(*BASE, "-c", "heading:size=400", "--primary", "hit@1", "--update")
    assert code == 0, err


def test_a_missing_baseline_is_made_only_on_purpose(run: Run, folder: Path) -> None:
    code, _, err = run(*BASE, "-c", "heading:size=400")
    assert code == 3
    assert "--update" in err
    assert not (folder / "baseline.json").exists()
    code, _, err = run(*BASE, "-c", "heading:size=400", "--update")
    assert (code, "first baseline written" in err) == (0, True)
    assert err.endswith("keep it with the code; the same command without --update compares with it\n")
    # What speaks against the figures is said when somebody decides to go by them, and not in every run.
    assert "\nwarning: all documents together have " in err
    code, _, err = run(*BASE)
    assert (code, "warning: " in err) == (0, False)


@pytest.mark.usefixtures("made")
def test_the_same_passes_and_a_cut_answer_fails_on_exactly_its_question(run: Run) -> None:
    code, out, _ = run(*BASE)
    assert (code, out.startswith("gate passed")) == (0, True)
    code, out, _ = run(*BASE, "-c", "fixed:size=400")
    assert code == 1
    assert "1 question has less" in out
    assert "notice: hit@1 from 1 to 0" in out
    assert "expected  leaving.md:13 [Leaving > Notice period for Grade 7]" in out
    assert "came      l" in out


@pytest.mark.usefixtures("made")
def test_files_for_others(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "summary.md"))
    code, out, _ = run(*BASE, "-c", "fixed:size=400", "--junit", "junit.xml", "--markdown", "gate.md")
    assert code == 1
    assert "::error file=docs/leaving.md,line=13,title=question notice::asked: How long is" in out
    suite = ElementTree.parse(folder / "junit.xml").getroot()[0]
    cases = {case.get("name"): case.find("failure") for case in suite}
    assert cases["notice"] is not None
    assert "expected: leaving.md:13" in str(cases["notice"].text)
    assert cases["coverage: coverage"] is None
    assert int(str(suite.get("failures"))) == sum(case is not None for case in cases.values())
    for name in ("gate.md", "summary.md"):
        assert "GATE FAILED" in (folder / name).read_text("utf-8")


@pytest.mark.usefixtures("made")
def test_odd_characters_break_no_output(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "docs" / "lunch.md"
    path.write_text(path.read_text("utf-8").replace("at noon", "at \x1b[31m\0noon | `x` %0A"), "utf-8")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, _ = run(*BASE, "-c", "fixed:size=30", "--junit", "junit.xml", "--markdown", "gate.md")
    assert code == 1
    assert "\x1b" not in out
    ElementTree.parse(folder / "junit.xml")


@pytest.mark.usefixtures("made")
def test_other_questions_and_an_unknown_rule_have_codes_of_their_own(run: Run, folder: Path) -> None:
    (folder / "gate.toml").write_text("max_dropp = 0.1\n", "utf-8")
    assert run(*BASE, "--gate", "gate.toml")[0] == 2
    code, out, err = run(*BASE, "-r", "bm25:k1=1|2")  # one of the two must not pass for both
    assert (code, out) == (2, "")
    assert "stands for 2 retrievers" in err
    lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
    (folder / "golden.jsonl").write_text("\n".join(lines[:2]), "utf-8")
    code, _, err = run(*BASE)
    assert code == 7
    assert "golden set changed" in err


@pytest.mark.usefixtures("made")
def test_the_order_of_the_questions_does_not_count(run: Run, folder: Path) -> None:
    lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
    (folder / "golden.jsonl").write_text("\n".join(lines[::-1]), "utf-8")
    code, out, err = run(*BASE)
    assert (code, out.startswith("gate passed")) == (0, True), err


@pytest.mark.usefixtures("made")
def test_no_text_of_a_golden_set_is_a_command_to_github(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder / "golden.jsonl"
    path.write_text(path.read_text("utf-8").replace('"notice"', '"n\\n::error::x"'), "utf-8")
    assert run(*BASE, "-c", "heading:size=400", "--primary", "hit@1", "--update")[0] == 0
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, _ = run(*BASE, "-c", "fixed:size=400")
    assert code == 1
    first, *lines = out.splitlines()
    assert first.startswith("::stop-commands::")
    end = lines.index(f"::{first.removeprefix('::stop-commands::')}::")
    assert any("n\ufffd::error::x: hit@1" in line for line in lines[:end])
    assert [line for line in lines[end + 1 :] if not line.startswith("::error ")] == []
    assert ",title=question n%0A%3A%3Aerror%3A%3Ax::" in out


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("root", ["docs/leaving.md", "./docs/", "docs"])
def test_an_annotation_stands_at_the_file(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, root: str
) -> None:
    path = folder / "golden.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    given = ("gate", root, "--golden", "golden.jsonl", "--baseline", "b.json")
    assert run(*given, "-c", "heading:size=400", "--primary", "hit@1", "--update")[0] == 0
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    code, out, _ = run(*given, "-c", "fixed:size=400")
    assert (code, "::error file=docs/leaving.md,line=13," in out) == (1, True)


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("broken", ["", "half", "null", '{"golden": "a", "questions": 3, "mrr": null}'])
def test_a_broken_baseline_is_written_anew_on_purpose(run: Run, folder: Path, broken: str) -> None:
    path = folder / "baseline.json"
    whole = path.read_text("utf-8")
    path.write_text(whole[:900] if broken == "half" else broken, "utf-8")
    code, _, err = run(*BASE, "-c", "heading:size=400")
    assert code in (3, 8), err
    if broken == "null":  # no beginning of a baseline: some other file
        assert run(*BASE, "-c", "heading:size=400", "--update")[0] == 3
        assert path.read_text("utf-8") == "null"
        return
    code, _, err = run(*BASE, "-c", "heading:size=400", "--primary", "hit@1", "--update")
    assert (code, "cannot be compared with: baseline.json" in err) == (0, True)
    assert path.read_text("utf-8") == whole
    assert run(*BASE)[0] == 0


def test_a_golden_set_is_no_baseline_to_be_replaced(run: Run, folder: Path) -> None:
    before = (folder / "golden.jsonl").read_bytes()
    code, _, err = run(*BASE, "-c", "heading:size=400", "--baseline", "golden.jsonl", "--update")
    assert (code, "is no baseline, and is not overwritten" in err) == (3, True)
    assert (folder / "golden.jsonl").read_bytes() == before


@pytest.mark.usefixtures("made")
def test_an_update_shows_the_difference_and_writes(run: Run, folder: Path) -> None:
    before = (folder / "baseline.json").read_text("utf-8")
    code, out, err = run(*BASE, "-c", "fixed:size=400", "--update")
    assert code == 0
    assert "fell from" in out
    assert "new baseline written" in err
    assert (folder / "baseline.json").read_text("utf-8") != before
    assert run(*BASE)[0] == 0  # it is judged as the new baseline was measured


@pytest.mark.usefixtures("made")
def test_a_report_is_judged_without_a_run(run: Run, folder: Path) -> None:
    code, _, err = run("compare", *BASE[1:], "-c", "fixed:size=400", "--json", "out.json", "-q")
    assert code == 0, err
    code, out, _ = run("gate", "--report", "out.json")
    assert code == 1
    assert "notice: hit@1 from 1 to 0" in out
    assert run("gate", "--report", "out.json", "--row", "x")[0] == 2
    assert run("gate", "docs", "--report", "out.json")[0] == 2
    assert run("gate")[0] == 2
    assert run("gate", "--report", "out.json", "--update")[0] == 2
    del folder


def test_a_drafted_set_gates_and_is_marked(run: Run, folder: Path) -> None:
    assert run("gate", "docs", "-c", "heading:size=400", "--update")[0] == 8  # no section is long enough
    path = folder / "docs" / "lunch.md"
    path.write_text(path.read_text("utf-8") + "\n## Soup on Mondays\n\n" + "Soup is cooked. " * 30, "utf-8")
    assert run("gate", "docs", "-c", "heading:size=400", "--update")[0] == 0
    code, out, _ = run("gate", "docs")
    assert code == 0
    assert "copied from headings" in out


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(("chunker", "code"), [("heading:size=400", 0), ("fixed:size=400", 1)])
def test_the_fixture(folder: Path, chunker: str, code: int) -> None:
    (folder / "test_answers.py").write_text(
        "def test_answers(chunkwise_gate):\n"
        f"    chunkwise_gate('docs', 'golden.jsonl', baseline='baseline.json', chunker='{chunker}')\n"
        + ("def test_none(chunkwise_gate):\n    chunkwise_gate('docs', baseline='none.json')\n" * code),
        "utf-8",
    )
    known = [point.value for point in entry_points(group="pytest11")]
    extra = [] if "chunkwise.ship.fixture" in known else ["-p", "chunkwise.ship.fixture"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *extra, "test_answers.py"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "GITHUB_ACTIONS": "true"}, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    assert ("::error file=docs/leaving.md" in done.stdout) == bool(code)
    assert ("expected  leaving.md:13" in done.stdout) == bool(code)
    # What cannot be compared is a line, too, and no way through the code.
    assert ("\nnone.json: there is no such baseline;" in done.stdout) == bool(code)
    assert "Error:" not in done.stdout.replace("FAILED", "")


@pytest.mark.usefixtures("made")
def test_the_measure_of_the_command_line_is_the_one_that_is_compared(run: Run, folder: Path) -> None:
    code, out, _ = run(*BASE, "--primary", "RR@3")
    assert (code, "max_drop: mrr@3" in out, "hit@1" in out) == (0, True, False)
    code, _, err = run(*BASE, "--by", "nope")
    assert (code, "nope" in err) == (2, True)
    del folder
