"""Bad input: the exit code, a message on standard error that names what is wrong, no output."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunkwise.cli import Exit

from .conftest import Run, write_golden

COMPARE = ("compare", "docs", "--golden", "golden.jsonl")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("compare", "docs", "-c", "headng"), Exit.USAGE, ["'headng'", "'heading'", "recursive"]),
        (("chunk", "docs", "-c", "headng"), Exit.USAGE, ["'headng'", "'heading'", "recursive"]),
        (("chunk", "docs", "-c", "heading:sise=3"), Exit.USAGE, ["'sise'", "'size'"]),
        (("chunk", "docs", "-c", "fixed:chunk_size=3"), Exit.USAGE, ["chunk_size", "'size'"]),
        ((*COMPARE, "-c", "fixed:size=50,overlap=70"), Exit.USAGE, ["overlap=70", "size=50"]),
        (("chunk", "docs", "-c", "fixed:size=0"), Exit.USAGE, ["size", "'0'"]),
        (("chunk", "docs", "-c", "fixed:size=3|4"), Exit.USAGE, ["2 chunkers"]),
        ((*COMPARE, "-r", "bm52"), Exit.USAGE, ["'bm52'", "'bm25'"]),
        ((*COMPARE, "--rule", "containd"), Exit.USAGE, ["'containd'", "'contained'"]),
        ((*COMPARE, "--primary", "hits@5"), Exit.USAGE, ["'hits@5'", "hit"]),
        ((*COMPARE, "--by", "knd"), Exit.USAGE, ["'knd'", "'kind'"]),
        ((*COMPARE, "-k", "0"), Exit.USAGE, ["k", "0"]),
        ((*COMPARE, "-k", "1,two"), Exit.USAGE, ["-k", "'two'"]),
        ((*COMPARE, "-k", ","), Exit.USAGE, ["-k"]),
        ((*COMPARE, "--budget", "1.5"), Exit.USAGE, ["--budget", "'1.5'"]),
        ((*COMPARE, "--seed", "-1"), Exit.USAGE, ["seed", "-1"]),
        ((*COMPARE, "--resamples", "0"), Exit.USAGE, ["resamples", "0"]),
        ((*COMPARE, "--seed", "x"), Exit.USAGE, ["--seed"]),
        ((*COMPARE, "--sed", "1"), Exit.USAGE, ["--sed", "compare --help"]),
        ((*COMPARE, "-q", "-v"), Exit.USAGE, ["-q", "-v"]),
        (("compar", "docs"), Exit.USAGE, ["'compar'", "'compare'"]),
        (("compare",), Exit.USAGE, ["DOCS"]),
        (("check", "golden.jsonl"), Exit.USAGE, ["--docs"]),
        (("check", "golden.jsonl", "--docs", "docs", "-o", "x.jsonl"), Exit.USAGE, ["--out", "--fix"]),
        (("check", "golden.jsonl", "--docs", "docs", "--fix", "-o", "-"), Exit.USAGE, ["--out -"]),
        (("check", "golden.jsonl", "--docs", "docs", "--fix", "-o", "/dev/null"), Exit.USAGE, ["/dev/null"]),
        (("compare", "nowhere"), Exit.UNREADABLE, ["nowhere"]),
        (("chunk", "empty"), Exit.UNREADABLE, ["no documents", "empty"]),
        (("compare", "docs", "--include", "*.rst"), Exit.UNREADABLE, ["no documents"]),
        (("draft", "plain"), Exit.UNREADABLE, ["heading"]),
        (("compare", "docs", "--golden", "none.jsonl"), Exit.GOLDEN, ["none.jsonl"]),
        (
            ("compare", "plain", "--golden", "golden.jsonl"),
            Exit.GOLDEN,
            ["golden.jsonl:1", "other documents"],
        ),
        (("check", "none.jsonl", "--docs", "docs"), Exit.GOLDEN, ["none.jsonl"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else None,
)
def test_is_refused(run: Run, folder: Path, arguments: tuple[str, ...], code: Exit, said: list[str]) -> None:
    (folder / "empty").mkdir()
    (folder / "plain").mkdir()
    (folder / "plain" / "a.txt").write_text("Text without any heading.", "utf-8")
    result = run(*arguments)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith("chunkwise: ")
    assert "Traceback" not in result.err
    assert [word for word in said if word not in result.err] == []


@pytest.mark.parametrize("command", [(*COMPARE, "--json"), ("chunk", "docs", "-o"), ("draft", "docs", "-o")])
@pytest.mark.parametrize("target", ["no/such/file", "docs", ""])
def test_an_output_that_cannot_be_written_is_refused_before_the_work(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], target: str
) -> None:
    def read(*_: object, **__: object) -> None:
        raise AssertionError("read documents first")

    monkeypatch.setattr("chunkwise.readers.read", read)
    result = run(*command, target)
    assert (result.code, result.out) == (Exit.USAGE, "")
    assert repr(target) in result.err


def test_every_fault_of_a_golden_set_is_told_with_its_line(run: Run, folder: Path) -> None:
    write_golden(folder / "golden.jsonl", timer="Press any key", returns="within a year")
    result = run(*COMPARE)
    assert (result.code, result.out) == (Exit.GOLDEN, "")
    assert "golden.jsonl:1: timer" in result.err
    assert "golden.jsonl:3: returns" in result.err
    assert "golden.jsonl:2" not in result.err


def test_all_broken_files_are_told_and_can_be_left_out(run: Run, folder: Path) -> None:
    for name in ("a.md", "b.md"):
        (folder / "docs" / name).write_bytes(b"# caf\xe9\n")
    result = run("chunk", "docs")
    assert (result.code, result.out) == (Exit.UNREADABLE, "")
    assert "a.md" in result.err
    assert "b.md" in result.err
    assert "--skip-broken" in result.err
    rest = run("chunk", "docs", "--skip-broken", "-v")
    assert rest.code == Exit.OK
    assert "a.md" not in rest.out
    assert "a.md" in rest.err
    assert run("chunk", "docs", "--encoding", "cp1252").out.count("café") > 0


def test_a_file_that_vanishes_in_the_middle_is_named_and_the_work_kept(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run("chunk", "docs", "-c", "fixed:size=100").out.splitlines()
    (folder / "cutter_that_removes.py").write_text(
        "import pathlib\n\ndef cut(text):\n"
        "    pathlib.Path('docs/shop/returns.md').unlink(missing_ok=True)\n    return [(0, len(text))]\n",
        "utf-8",
    )
    monkeypatch.syspath_prepend(folder)
    (folder / "docs" / "z.md").write_text("Last one.", "utf-8")
    result = run("chunk", "docs", "-c", "py:cutter_that_removes.cut", "-o", "out.jsonl")
    assert (result.code, result.out) == (Exit.UNREADABLE, "")
    assert "chunkwise: shop/returns.md: the file has vanished" in result.err
    assert "2 chunks of 2 documents" in result.err
    kept = (folder / "out.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["doc"] for line in kept] == ["guide.md", "z.md"]
    assert any('"shop/returns.md"' in line for line in whole)


def test_an_unforeseen_error_says_how_to_see_more(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object, **__: object) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("chunkwise.readers.read", read)
    result = run("chunk", "docs")
    assert result.code == Exit.UNEXPECTED
    assert "ZeroDivisionError: oh" in result.err
    assert "CHUNKWISE_TRACEBACK=1" in result.err
    assert "Traceback" not in result.err


def test_the_traceback_is_printed_when_asked_for(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKWISE_TRACEBACK", "1")
    result = run("compare", "nowhere")
    assert result.code == Exit.UNREADABLE
    assert "Traceback" in result.err


def test_a_function_of_the_users_own_that_raises_is_named(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "cutters_that_raise.py").write_text("def cut(text):\n    raise KeyError('mine')\n", "utf-8")
    monkeypatch.syspath_prepend(folder)
    result = run("chunk", "docs", "-c", "py:cutters_that_raise.cut")
    assert result.code == Exit.UNEXPECTED
    assert "py:cutters_that_raise.cut on guide.md" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("compare", "docs", "--golden", "gone.jsonl"),
        ("explain", "docs", "--golden", "gone.jsonl", "--worst", "1"),
        ("gate", "docs", "--golden", "gone.jsonl", "-c", "fixed", "--update"),
        ("ship", "docs", "--golden", "gone.jsonl", "-c", "fixed", "--store", "jsonl:index"),
        ("check", "gone.jsonl", "--docs", "docs"),
    ],
)
def test_a_golden_set_that_is_not_there_is_told_before_a_document_is_read(
    arguments: tuple[str, ...], folder: Path, run: Run
) -> None:
    (folder / "docs" / "broken.md").write_bytes(b"\xc3\x28")  # would be told if it was read
    code, _, said = run(*arguments)
    assert code == Exit.GOLDEN
    assert "gone.jsonl: No such file; name a golden set" in said


def test_a_missing_argument_is_told_with_what_may_stand_there(run: Run) -> None:
    code, _, said = run("index", "--store", "jsonl:index")
    assert code == Exit.USAGE
    assert (
        "Missing argument 'ACTION' (status, versions, rollback or drop); see chunkwise index --help" in said
    )
