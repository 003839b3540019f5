"""What a killed writer leaves goes at the next write; what a living one has stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from chunkwise.files import replaced

fcntl = pytest.importorskip("fcntl", reason="files are not locked here, and nothing is removed")

WRITER = """import sys
from pathlib import Path
from chunkwise.files import replaced

with replaced(Path(sys.argv[1])) as file:
    file.write(b"the other's")
    file.flush()
    print("begun", flush=True)
    sys.stdin.readline()
"""


def writer(target: Path) -> subprocess.Popen[str]:
    """A process that has begun to write, and ends when it is told to."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "begun\n"
    return process


def write(target: Path, data: bytes) -> None:
    with replaced(target) as file:
        file.write(data)


def parts(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.endswith(".part"))


@pytest.mark.parametrize("name", ["a.txt", "odd [1-9]*?.txt", f"{'long' * 50}.txt"])
def test_what_a_killed_writer_left_goes_at_the_next_write(tmp_path: Path, name: str) -> None:
    target = tmp_path / name
    for _ in range(2):
        process = writer(target)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert parts(tmp_path)
    write(target, b"ours")
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_bytes() == b"ours"


def test_what_a_living_writer_has_stays(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    process = writer(target)
    (held,) = parts(tmp_path)
    write(target, b"ours")
    assert parts(tmp_path) == [held]
    process.communicate("end\n")
    assert (process.returncode, target.read_bytes()) == (0, b"the other's")
    assert list(tmp_path.iterdir()) == [target]


def test_what_others_left_stays(tmp_path: Path) -> None:
    """Leftovers of other targets, and files that only look like one."""
    left = [
        ".a.txt.0123456789ab.part",
        ".a.0123456789ab.part",
        ".a.md.part",
        ".a.md.0123456789AB.part",
        "a.part",
    ]
    for name in left:
        (tmp_path / name).touch()
    (tmp_path / ".a.md.0123456789ab.part").mkdir()
    (tmp_path / ".a.md.ba9876543210.part").symlink_to(tmp_path / "a.part")
    before = parts(tmp_path)
    write(tmp_path / "a.md", b"ours")
    assert parts(tmp_path) == before


def test_a_file_that_was_taken_for_a_leftover_before_it_was_locked_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, lock, taken = tmp_path / "a.txt", fcntl.flock, []

    def late(file: Any, how: int) -> None:
        if not taken:
            (held,) = parts(tmp_path)
            taken.append(held)
            write(target, b"the other's")
            assert parts(tmp_path) == []
        lock(file, how)

    monkeypatch.setattr("fcntl.flock", late)
    write(target, b"ours")
    assert (len(taken), target.read_bytes()) == (1, b"ours")
    assert list(tmp_path.iterdir()) == [target]


def test_many_writers_of_one_file_take_nothing_from_each_other(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for _ in range(40):
                write(target, b"%d" % number * 1_000)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test shows it
            faults.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(set(target.read_bytes())) == 1
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may delete everything")
def test_a_leftover_that_may_not_be_deleted_is_left(tmp_path: Path) -> None:
    left = tmp_path / ".a.txt.0123456789ab.part"
    left.touch(0o400)
    write(tmp_path / "a.txt", b"ours")
    assert (tmp_path / "a.txt").read_bytes() == b"ours"
