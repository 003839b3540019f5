"""`chunkwise profile` as it is run."""

from __future__ import annotations

import json
from pathlib import Path

from chunkwise.cli import Exit
from tests.cli.conftest import Run


def test_it_ends_with_a_command_that_compares_the_sizes(run: Run) -> None:
    done = run("profile", "docs")
    assert done.code == Exit.OK
    head, *_ = done.out.splitlines()
    assert head.startswith("2 documents, ")
    for title in ("WHAT IT IS MADE OF", "WHERE IT CAN BE CUT", "THE LARGEST OF 2", "SIZES TO COMPARE"):
        assert title in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert "\x1b" not in done.out
    assert done.out.splitlines()[-3:] == [
        "chunkwise compare docs --golden golden.jsonl \\",
        "    -c 'recursive:size=400|800|1600' \\",
        "    -c 'fixed:size=400|800|1600'",
    ]


def test_json_on_standard_output_is_alone(run: Run) -> None:
    done = run("profile", "docs", "--json", "-", "--sizes", "100,1_000")
    found = json.loads(done.out)
    assert [row["doc"] for row in found["documents"]] == ["guide.md", "shop/returns.md"]
    assert list(found["sections"]["over"]) == ["100", "1000"]
    assert found["sections"]["at"]["doc"] == "shop/returns.md"
    assert done.err == ""


def test_json_in_a_file_is_beside_the_tables(run: Run, folder: Path) -> None:
    done = run("profile", "docs", "--json", "profile.json")
    assert "SIZES TO COMPARE" in done.out
    assert done.err == "profile written to profile.json\n"
    assert json.loads((folder / "profile.json").read_text("utf-8"))["unit"] == "words"


def test_less_and_more(run: Run, folder: Path) -> None:
    for i in range(5):
        (folder / "docs" / f"{i}.md").write_text(f"# Page {i}\n\nText of page {i}.\n", "utf-8")
    quiet, usual, everything = (run("profile", "docs", *option).out for option in (["-q"], [], ["-v"]))
    assert "WHAT IT IS MADE OF" not in quiet
    assert "SIZES TO COMPARE" in quiet
    assert "4.md" not in usual
    assert "4.md" in everything


def test_folders_with_spaces_are_quoted_in_the_command(run: Run, folder: Path) -> None:
    (folder / "docs").rename(folder / "my docs")
    assert "chunkwise compare 'my docs' --golden" in run("profile", "my docs").out


def test_what_cannot_be_done_is_said(run: Run) -> None:
    assert run("profile", "docs", "--sizes", "x").code == Exit.USAGE
    done = run("profile", "docs", "--unit", "word")
    assert done.code == Exit.USAGE
    assert "did you mean 'words'?" in done.err
    assert run("profile", "nowhere").code == Exit.UNREADABLE
