"""`chunkwise explain` as it is run."""

from __future__ import annotations

import json
from pathlib import Path

from chunkwise.cli import Exit
from tests.cli.conftest import Run

ASK = ("explain", "docs", "--golden", "golden.jsonl")
ROWS = ("-c", "fixed:size=60", "-c", "heading:size=400")


def test_the_answer_the_table_and_what_each_row_returned(run: Run) -> None:
    done = run(*ASK, *ROWS, "--question", "timer")
    assert done.code == Exit.OK, done.err
    lines = done.out.splitlines()
    assert lines[0] == "timer: How is it set to seven minutes?"
    assert lines[1].startswith("answer: guide.md:")
    assert "below Guide › Setting the timer" in lines[1]
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.out
    for name in ("fixed:size=60", "heading:size=400"):
        assert any(
            line.startswith(f"{name}: ") and line.split(": ")[1] in ("FOUND", "MISSED") for line in lines
        )


def test_a_cut_is_marked_in_the_text(run: Run, folder: Path) -> None:
    text = (folder / "docs" / "guide.md").read_text("utf-8")
    start = text.index("Press the left key 7 times")
    size = start + 10  # the first window ends inside the answer
    done = run(*ASK, "-c", f"fixed:size={size}", "--question", "timer", "-k", "1", "--primary", "hit@1")
    mark = next(line for line in done.out.splitlines() if "---- cut" in line)
    assert mark.strip() == "---- cut inside a sentence, line 7 ----"
    before, behind = done.out.split(mark)
    assert before.rstrip().endswith(text[start : start + 9])
    assert behind.lstrip().startswith(text[size : size + 9].lstrip())
    assert "cut by the chunker: inside a sentence, at line 7" in " ".join(done.out.split())


def test_json_on_standard_output_is_alone(run: Run) -> None:
    done = run(*ASK, *ROWS, "--question", "timer", "--question", "returns", "--json", "-")
    found = json.loads(done.out)
    assert [one["id"] for one in found] == ["timer", "returns"]
    assert [row["candidate"] for row in found[0]["rows"]] == ["fixed:size=60", "heading:size=400"]
    assert done.err == ""


def test_of_many_questions_the_tables_are_printed(run: Run) -> None:
    several = run(*ASK, *ROWS, "--worst", "2")
    assert several.out.count("answer: ") == 2
    assert "FOUND" not in several.out
    assert "FOUND" in run(*ASK, *ROWS, "--worst", "2", "-v").out
    assert "FOUND" not in run(*ASK, *ROWS, "--question", "timer", "-q").out


def test_below_the_table_stands_why_it_was_missed(run: Run) -> None:
    done = run(*ASK, "-c", "fixed:size=20", "--question", "timer", "-q", "--primary", "hit@1")
    (line,) = (line for line in done.out.splitlines() if line.startswith("- fixed:size=20: "))
    assert "cut by the chunker" in line


def test_of_windows_over_several_starts_the_first_is_shown(run: Run) -> None:
    done = run(*ASK, "-c", "fixed:size=60,offsets=3", "--question", "timer")
    said = " ".join(done.out.split())
    assert "the figure is the mean over 3 starts of the windows, shown is the first" in said


def test_a_stored_report_is_explained_and_changes_are_told(run: Run, folder: Path) -> None:
    assert run("compare", "docs", "--golden", "golden.jsonl", *ROWS, "--json", "out.json").code == Exit.OK
    done = run("explain", "--report", "out.json", "--question", "timer")
    assert (done.code, done.err) == (Exit.OK, "")
    assert done.out.startswith("timer: ")
    same = run("explain", "docs", "--report", "out.json", "--question", "timer")
    assert (same.out, same.err) == (done.out, "")
    with (folder / "docs" / "guide.md").open("a", encoding="utf-8") as file:
        file.write("\nOne more line.\n")
    changed = run("explain", "docs", "--report", "out.json", "--question", "timer")
    assert changed.out == done.out
    digest = json.loads((folder / "out.json").read_text("utf-8"))["corpus"]["digest"]
    assert "the documents have changed since out.json was written" in changed.err
    assert f"digest {digest[:12]} then" in changed.err


def test_what_cannot_be_done_is_said(run: Run, folder: Path) -> None:
    near = run(*ASK, *ROWS, "--question", "timmer")
    assert near.code == Exit.GOLDEN
    assert "did you mean 'timer' (\"How is it set to seven minutes?\")?" in near.err
    assert run(*ASK, *ROWS).code == Exit.USAGE
    assert "name the documents" in run("explain", "--question", "timer").err
    assert run("explain", "--report", "nowhere.json").code == Exit.UNREADABLE
    (folder / "old.json").write_text('{"schema": 99}', "utf-8")
    old = run("explain", "--report", "old.json")
    assert old.code == Exit.UNREADABLE
    assert "schema 99" in old.err
    assert "run the comparison again" in old.err
    assert "leave -c and -r out" in run("explain", "--report", "old.json", "-c", "fixed:size=9").err
