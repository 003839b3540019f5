"""Output files are there whole or not at all, whatever ends a command."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from chunkwise.cli import Exit
from chunkwise.cli.output import written

from .conftest import Run

SLOW = """import pathlib, time

def cut(text):
    if "Returns" in text:
        pathlib.Path("begun").touch()
        time.sleep(600)
    return [(0, len(text))]
"""


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-m", "chunkwise", *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGINT to send")
@pytest.mark.parametrize(
    "arguments",
    [
        ("chunk", "docs", "-c", "py:slow_cutter.cut", "-o", "out.jsonl"),
        ("compare", "docs", "--golden", "golden.jsonl", "-c", "py:slow_cutter.cut", "--json", "out.jsonl"),
    ],
    ids=["chunk", "compare"],
)
@pytest.mark.parametrize("before", [None, "what was there before\n"], ids=["new", "there already"])
def test_an_interrupt_leaves_nothing_half_written(
    folder: Path, arguments: tuple[str, ...], before: str | None
) -> None:
    (folder / "slow_cutter.py").write_text(SLOW, "utf-8")
    out = folder / "out.jsonl"
    if before is not None:
        out.write_text(before, "utf-8")
    process = start(folder, *arguments)
    while not (folder / "begun").exists() and process.poll() is None:
        time.sleep(0.05)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=300)
    assert process.returncode == Exit.INTERRUPTED, error
    assert b"Traceback" not in error
    assert error.startswith(b"chunkwise: interrupted")
    assert (out.read_text("utf-8") if out.exists() else None) == before
    assert [path.name for path in folder.iterdir() if path.name.endswith(".part")] == []


def test_a_reader_that_has_enough_is_no_error(folder: Path) -> None:
    text = "".join(f"## Part {i}\n\nSome words below it.\n\n" for i in range(20_000))
    (folder / "docs" / "long.md").write_text(text, "utf-8")
    process = start(folder, "chunk", "docs", "-c", "heading:size=60")
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["doc"] == "guide.md"
    process.stdout.close()
    error = process.stderr.read()
    assert (process.wait(timeout=300), error) == (Exit.OK, b"")
    process.stderr.close()


def test_a_file_is_replaced_only_when_it_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before", "utf-8")
    target.chmod(0o640)

    def half() -> None:
        with written(str(target)) as file:
            file.write(b"half")
            file.flush()
            assert target.read_text("utf-8") == "before"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        half()
    assert target.read_text("utf-8") == "before"
    with written(str(target)) as file:
        file.write(b"after")
    assert target.read_text("utf-8") == "after"
    assert target.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [target]


def test_several_that_write_one_file_at_once_leave_one_of_them_whole(tmp_path: Path) -> None:
    target = tmp_path / f"{'long' * 60}.json"
    with written(str(target)) as first:
        first.write(b"first, ")
        with written(str(target)) as second:
            second.write(b"second")
        assert target.read_bytes() == b"second"
        with pytest.raises(ZeroDivisionError), written(str(target)):
            raise ZeroDivisionError
        first.write(b"and whole")
    assert target.read_bytes() == b"first, and whole"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.name == "nt", reason="there is no limit on the size of files to set")
@pytest.mark.parametrize("before", [None, "what was there before\n"], ids=["new", "there already"])
def test_a_full_disk_is_told_with_the_file_and_the_remedy(folder: Path, before: str | None) -> None:
    """A limit on the size of files stands for the disk."""
    out = folder / "out.jsonl"
    if before is not None:
        out.write_text(before, "utf-8")
    (folder / "docs" / "long.md").write_text("Some words of a long document. " * 2_000, "utf-8")
    limited = ["sh", "-c", 'ulimit -f 40; exec "$@"', "sh"]  # blocks of 512 or 1,024 bytes
    process = subprocess.run(
        [*limited, sys.executable, "-m", "chunkwise", "chunk", "docs", "-o", "out.jsonl"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == Exit.UNREADABLE
    (line,) = process.stderr.splitlines()
    assert f"File too large: '{out}'; free room on the disk, or name another file" in line
    assert (out.read_text("utf-8") if out.exists() else None) == before
    assert [path.name for path in folder.iterdir() if path.name.endswith(".part")] == []


def test_a_file_that_cannot_be_written_is_told_by_its_own_name(tmp_path: Path) -> None:
    target = tmp_path / "missing" / "a.txt"
    with pytest.raises(FileNotFoundError) as caught, written(str(target)):
        pass
    assert caught.value.filename == str(target)


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("before", "utf-8")
    (tmp_path / "link.txt").symlink_to("real.txt")
    with written(str(tmp_path / "link.txt")) as file:
        file.write(b"after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text("utf-8") == "after"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    with written(str(pipe)) as file:
        file.write(b"through")
    reader.join(timeout=300)
    assert read == [b"through"]
    assert pipe.is_fifo()


def test_a_draft_spares_what_a_person_wrote(run: Run, folder: Path) -> None:
    before = (folder / "golden.jsonl").read_bytes()
    refused = run("draft", "docs", "-o", "golden.jsonl")
    assert (refused.code, refused.out) == (Exit.USAGE, "")
    assert "--force" in refused.err
    assert (folder / "golden.jsonl").read_bytes() == before
    assert run("draft", "docs", "-o", "golden.jsonl", "--force").code == Exit.OK
    drafted = (folder / "golden.jsonl").read_bytes()
    assert drafted != before
    assert run("draft", "docs", "-o", "golden.jsonl").code == Exit.OK
    assert (folder / "golden.jsonl").read_bytes() == drafted
