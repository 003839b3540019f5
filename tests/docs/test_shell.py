"""The commands on the pages run: each block marked `sh run`, in a folder that has `examples/`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCKS = {
    path.name: found
    for path in sorted((ROOT / "docs").glob("*.md"))
    if (found := re.findall(r"^```sh run\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL))
}


@pytest.mark.parametrize("name", BLOCKS)
def test_commands_on_the_pages_run(name: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "80"}
    for block in BLOCKS[name]:
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", block],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout
