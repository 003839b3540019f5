"""The documentation as a site: it builds without a warning, and names everything."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import chunkwise

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site."""
    pytest.importorskip("mkdocs", reason="the extra 'docs' is not installed")
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_page_is_in_the_navigation_and_built(site: Path) -> None:
    named = re.findall(r"([\w-]+\.md)$", (ROOT / "mkdocs.yml").read_text("utf-8"), re.MULTILINE)
    pages = {path.name for path in (ROOT / "docs").glob("*.md")}
    assert sorted(named) == sorted(pages)
    assert {path.stem for path in site.glob("*.html")} - {"404"} == {Path(name).stem for name in pages}


def test_every_public_name_is_in_the_reference(site: Path) -> None:
    text = (site / "reference.html").read_text("utf-8")
    for name in chunkwise.__all__:
        value = getattr(chunkwise, name)
        assert f'id="{value.__module__}.{value.__name__}"' in text, name


def test_a_page_asks_nobody_else_for_anything(site: Path) -> None:
    for path in site.glob("*.html"):
        sources = re.findall(
            r'<(?:script|link|img|iframe)[^>]*?(?:src|href)="(https?:[^"]+)"', path.read_text("utf-8")
        )
        assert sources == [], path.name
