"""The commands on the pages run: each block marked `sh run`, in a folder that has `examples/`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.docs.running import run_block

ROOT = Path(__file__).parents[2]
BLOCKS = {
    path.name: found
    for path in sorted((ROOT / "docs").glob("*.md"))
    if (found := re.findall(r"^```sh run\n(.*?)^```$", path.read_text("utf-8"), re.MULTILINE | re.DOTALL))
}


@pytest.mark.parametrize("name", BLOCKS)
def test_commands_on_the_pages_run(name: str, tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for block in BLOCKS[name]:
        assert run_block(block, tmp_path)
