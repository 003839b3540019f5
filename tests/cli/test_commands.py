"""What chunk, check, draft and outline print."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.cli import Exit

from .conftest import Run, write_golden


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_chunk_prints_exact_slices_with_their_lines(run: Run, folder: Path) -> None:
    result = run("chunk", "docs", "-c", "heading:size=200")
    assert result.code == Exit.OK
    found = rows(result.out)
    assert {row["doc"] for row in found} == {"guide.md", "shop/returns.md"}
    for row in found:
        text = (folder / "docs" / row["doc"]).read_text("utf-8")
        assert text[row["start"] : row["end"]] == row["text"]
        assert row["lines"] == [
            text.count("\n", 0, row["start"]) + 1,
            text.count("\n", 0, row["end"] - 1) + 1,
        ]
    wanted = "id doc start end lines text indexed context path section parent marks"
    assert " ".join(key for key in found[0] if key in wanted.split()) == wanted
    table = next(row for row in found if "| left | 4 |" in row["text"])
    assert table["path"] == ["Guide", "Setting the timer"]
    assert f"{len(found)} chunks of 2 documents by heading:size=200" in result.err


def test_chunk_writes_the_same_to_a_file(run: Run, folder: Path) -> None:
    printed = run("chunk", "docs", "-c", "fixed:size=99", "-q")
    filed = run("chunk", "docs", "-c", "fixed:size=99", "-q", "-o", "chunks.jsonl")
    assert (folder / "chunks.jsonl").read_text("utf-8") == printed.out
    assert (filed.out, filed.err, printed.err) == ("", "", "")


def test_chunk_takes_a_file_and_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (only,) = {row["doc"] for row in rows(run("chunk", "docs/guide.md").out)}
    assert only == "guide.md"
    piped = io.TextIOWrapper(io.BytesIO("# Über\n\nNur ein Satz.\n".encode()), "utf-8")
    monkeypatch.setattr(sys, "stdin", piped)
    (row,) = rows(run("chunk", "-", "-c", "heading").out)
    assert (row["text"], row["path"]) == ("# Über\n\nNur ein Satz.", ["Über"])


def test_chunk_takes_functions(run: Run) -> None:
    found = rows(run("chunk", "docs", "-c", "py:textwrap.wrap,width=2000").out)
    assert {row["doc"] for row in found} == {"guide.md", "shop/returns.md"}


def test_documents_are_chosen_by_patterns(run: Run) -> None:
    assert {r["doc"] for r in rows(run("chunk", "docs", "--exclude", "shop").out)} == {"guide.md"}
    assert {r["doc"] for r in rows(run("chunk", "docs", "--include", "ret*").out)} == {"shop/returns.md"}


def test_documents_where_a_size_in_characters_means_less_are_named(run: Run, folder: Path) -> None:
    for i in range(3):
        (folder / "docs" / f"{i}.md").write_text(
            f"{i}. The pump is checked in spring and in autumn. " * 40, "utf-8"
        )
    assert "a size in characters" not in run("chunk", "docs").err
    (folder / "docs" / "zh.md").write_text("水泵每年春季检查一次，密封件每两年更换一次。" * 60, "utf-8")
    said = " ".join(run("chunk", "docs").err.split())
    assert "fewer than half as many words in 1 document as in the median one (zh.md: " in said
    assert "give sizes in tokens, such as unit=cl100k" in said
    for quiet in (("-q",), ("-c", "heading:size=90,unit=words"), ("-c", "document")):
        assert "a size in characters" not in run("chunk", "docs", *quiet).err


def test_check_finds_nothing_in_a_sound_set(run: Run) -> None:
    result = run("check", "golden.jsonl", "--docs", "docs")
    assert result.code == Exit.OK
    assert result.out.startswith("3 questions, no faults\n")
    assert "advice: " in result.out
    assert result.err == "next: chunkwise compare docs --golden golden.jsonl\n"
    assert run("check", "golden.jsonl", "--docs", "docs", "-q").err == ""
    # The command would find other documents without the same option.
    assert run("check", "golden.jsonl", "--docs", "docs", "--exclude", "none").err == ""
    assert "advice" not in run("check", "golden.jsonl", "--docs", "docs", "-q").out


def test_a_golden_set_without_a_question_is_not_called_faultless(run: Run, folder: Path) -> None:
    for text in ("", "[]", "\n \n"):
        (folder / "golden.jsonl").write_text(text, "utf-8")
        result = run("check", "golden.jsonl", "--docs", "docs")
        assert (result.code, "golden.jsonl: no questions; write at least one" in result.err) == (4, True)


def test_check_tells_every_fault_and_mends_what_is_safe(run: Run, folder: Path) -> None:
    write_golden(folder / "golden.jsonl", timer="press the LEFT key 7 times", returns="within a year")
    before = (folder / "golden.jsonl").read_bytes()
    result = run("check", "golden.jsonl", "--docs", "docs")
    assert result.code == Exit.FAULTS
    assert "golden.jsonl:1: timer: " in result.out
    assert "golden.jsonl:3: returns: " in result.out
    assert "2 faults; --fix mends 1 of them; 1 of 3 questions can be scored" in result.out.splitlines()
    mended = run("check", "golden.jsonl", "--docs", "docs", "--fix", "-o", "better.jsonl")
    assert mended.code == Exit.FAULTS
    assert "1 fault mended, written to better.jsonl" in mended.out
    assert "better.jsonl:3: returns: " in mended.out
    assert (folder / "golden.jsonl").read_bytes() == before
    assert "Press the left key 7 times" in (folder / "better.jsonl").read_text("utf-8")
    assert run("check", "golden.jsonl", "--docs", "docs", "--fix").code == Exit.FAULTS
    assert (folder / "golden.jsonl").read_bytes() == (folder / "better.jsonl").read_bytes()


def test_draft_says_what_it_is_and_can_be_compared_with(run: Run, folder: Path) -> None:
    result = run("draft", "docs", "-o", "drafted.jsonl")
    assert (result.code, result.out) == (Exit.OK, "")
    assert "3 questions copied from headings" in result.err
    assert max(map(len, result.err.splitlines())) <= 80
    assert result.err.endswith("\nnext: chunkwise check drafted.jsonl --docs docs\n")
    assert "next: " not in run("draft", "docs").err
    spaced = run("draft", "docs", "-o", "my questions.jsonl").err
    assert spaced.endswith("next: chunkwise check 'my questions.jsonl' --docs docs\n")
    drafted = rows((folder / "drafted.jsonl").read_text("utf-8"))
    assert {row["origin"] for row in drafted} == {"heading"}
    assert {row["question"] for row in drafted} >= {"Setting the timer", "Cleaning the filter"}
    assert run("draft", "docs", "-q").out == (folder / "drafted.jsonl").read_text("utf-8")
    assert run("check", "drafted.jsonl", "--docs", "docs").code == Exit.OK


def test_outline_shows_sections_blocks_and_notices(run: Run, folder: Path) -> None:
    guide = folder / "docs" / "guide.md"
    guide.write_text(guide.read_text("utf-8") + "\n```\nnever closed\n", "utf-8")
    result = run("outline", "docs/guide.md")
    assert result.code == Exit.OK
    lines = [line.split() for line in result.out.splitlines()]
    assert ["5", "2"] in [line[:2] for line in lines if line[-3:] == ["Setting", "the", "timer"]]
    assert "1 table, 3 table rows, 1 code block" in result.out
    assert "notice: guide.md:" in result.out
    detailed = run("outline", "docs/guide.md", "-v").out
    assert detailed.count("table row (") == 3


def test_outline_as_json_gives_a_line_a_document(run: Run, folder: Path) -> None:
    result = run("outline", "docs", "--json")
    guide, returns = rows(result.out)
    assert (guide["doc"], returns["doc"]) == ("guide.md", "shop/returns.md")
    text = (folder / "docs" / "guide.md").read_text("utf-8")
    assert guide["lines"] == text.count("\n")
    timer = next(s for s in guide["sections"] if s["title"] == "Setting the timer")
    assert text[timer["start"] :].startswith("## Setting the timer")
    assert (timer["line"], timer["level"], timer["path"]) == (5, 2, ["Guide", "Setting the timer"])
    table = next(b for b in guide["blocks"] if b["kind"] == "table")
    assert text[table["start"] : table["end"]].startswith("| key | seconds |")


def test_version_and_help(run: Run) -> None:
    assert run("--version").out == f"chunkwise {chunkwise.__version__}\n"
    assert run("--help").out.count("\n  ") > 5
    for command in ("compare", "chunk", "check", "draft", "outline"):
        result = run(command, "--help")
        assert (result.code, result.err) == (Exit.OK, "")
        assert "--exclude" in result.out
    alone = run()
    assert (alone.code, alone.out) == (Exit.USAGE, "")
    assert "Commands:" in alone.err


def test_help_is_light() -> None:
    heavy = "numpy regex rich.console rich.table pyromark sentencex pandas tokenizers tiktoken"
    code = (
        "import sys; from chunkwise.cli import main; main(['--help']); main(['compare', '--help']);"
        f"print('loaded', *(m for m in {heavy.split()} if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"


def test_a_first_comparison_loads_little(tmp_path: Path) -> None:
    # Each of these takes a while to load. Some versions of numpy bring its masked arrays along at once.
    heavy = "numpy.ma pandas regex tokenizers tiktoken onnxruntime jinja2 py3langid chunkwise.ship"
    (tmp_path / "a.md").write_text("# Pumps\n\n" + "## The valve\n\nThe valve is there. " * 40, "utf-8")
    code = (
        "import sys, numpy; from chunkwise.cli import main; before = set(sys.modules);"
        f"main(['compare', {str(tmp_path)!r}]);"
        f"print('loaded', *(m for m in {heavy.split()} if m in sys.modules and m not in before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "loaded"
