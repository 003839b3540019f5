"""Completion in a real bash on a real terminal device: keys are pressed, and the line is read."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src"
pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or shutil.which("bash") is None, reason="there is no bash"
)
TAB = "\t"
ENOUGH = 300.0  # seconds; a key that is answered is answered at once


class Shell:
    """An interactive bash in a folder of its own."""

    def __init__(self, home: Path) -> None:
        tool = home / "bin" / "chunkwise"
        tool.parent.mkdir()
        tool.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m chunkwise "$@"\n')
        tool.chmod(0o755)
        self._master, slave = os.openpty()
        environment = {
            "PATH": f"{tool.parent}:{os.environ['PATH']}",
            "HOME": str(home),
            "PS1": "$ ",
            "TERM": "dumb",
            "LC_ALL": "C.UTF-8",
        }
        self._bash = subprocess.Popen(
            ["bash", "--norc", "--noprofile", "-i"],
            cwd=home,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
        os.close(slave)

    def press(self, keys: str, *, until: str) -> str:
        """Press keys, and read what the terminal shows until a text is there."""
        os.write(self._master, keys.encode())
        shown, end = "", time.monotonic() + ENOUGH
        while until not in shown:
            if time.monotonic() > end:
                raise AssertionError(f"{until!r} did not come, but {shown!r}")
            if select.select([self._master], [], [], 0.05)[0]:
                shown += os.read(self._master, 65536).decode("utf-8", "replace")
        return shown

    def close(self) -> None:
        os.write(self._master, b"\x03exit\n")
        try:
            self._bash.wait(10)
        except subprocess.TimeoutExpired:
            self._bash.kill()
            self._bash.wait()
        os.close(self._master)


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    (tmp_path / "manuals").mkdir()
    running = Shell(tmp_path)
    yield running
    running.close()


def test_it_is_installed_and_completes_commands_options_and_files(shell: Shell, tmp_path: Path) -> None:
    shell.press("chunkwise --install-completion bash; echo is$((1))done\n", until="is1done")
    assert (tmp_path / ".bash_completions" / "chunkwise.sh").is_file()
    shell.press("source ~/.bashrc; echo is$((2))done\n", until="is2done")
    shell.press(f"chunkwise pro{TAB}", until="profile ")
    shell.press(f"man{TAB}", until="manuals/")
    shell.press(f" --uni{TAB}", until="--unit ")
    shell.press(f"\x15chunkwise expl{TAB}", until="explain ")
    shell.press(f"--ques{TAB}", until="--question ")


def test_it_works_beside_a_file_of_settings_that_is_broken(tmp_path: Path) -> None:
    (tmp_path / "chunkwise.toml").write_text("this is [ no toml", "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "chunkwise"],
        cwd=tmp_path,
        env={
            **os.environ,
            "PYTHONPATH": str(SOURCE),
            "_CHUNKWISE_COMPLETE": "complete_bash",
            "COMP_WORDS": "chunkwise ou",
            "COMP_CWORD": "1",
        },
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout.split(), done.stderr) == (0, ["outline"], "")
