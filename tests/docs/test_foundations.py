"""The commands that a newcomer runs first, and what they install."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import pytest
from scripts.constraints import PIN, pins
from scripts.figures import blocks, spliced

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
# What is installed by name or place, and its extra; packages of others have options in front of them.
INSTALLS = re.compile(r"pip(?:\(\)\})? install '?((?:\./)?(?:chunkwise|\.)(?:\[([\w{}.]+)\])?)")
TEXTS = ["*.md", "*.toml", "*.txt", "Makefile", ".ci/*", "docs/*.md"]
TEXTS += [f"{folder}/**/*.py" for folder in ("src", "tests", "benchmarks", "examples", "scripts")]


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MAKELEVEL", "PYTHON")}
    return subprocess.run(["make", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True)


def test_every_target_is_in_the_help() -> None:
    text = (ROOT / "Makefile").read_text("utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", text, re.MULTILINE)
    listed = [line.split()[1] for line in make("help").stdout.splitlines()]
    assert sorted(listed) == sorted(phony.split())
    assert {"setup", "demo", "test", "check", "published", "bench", "clean", "help"} <= set(listed)


def test_what_is_kept_is_small_and_in_its_place() -> None:
    """What a run leaves behind, such as a table of tokens in a cache, is not committed by mistake."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("no git here, or no checkout")
    files = [ROOT / name for name in done.stdout.split("\0") if name]
    assert len(files) > 500
    assert [str(file) for file in files if file.exists() and file.stat().st_size > 200_000] == []
    folders = {file.relative_to(ROOT).parts[0] for file in files if file.parent != ROOT}
    assert folders <= {".ci", "benchmarks", "docs", "examples", "scripts", "src", "tests"}


def test_an_old_python_is_refused_with_the_remedy(tmp_path: Path) -> None:
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit\nexit 1\n')
    old.chmod(0o755)
    done = make("setup", f"PYTHON={old}", f"VENV={tmp_path / 'venv'}")
    assert done.returncode != 0
    assert "needs Python 3.11 or newer" in done.stderr
    assert "Python 3.9.2" in done.stderr
    assert not (tmp_path / "venv").exists()


def test_an_environment_that_was_not_made_whole_is_not_taken_for_done(tmp_path: Path) -> None:
    broken = tmp_path / "python3"
    venv = tmp_path / "venv"
    broken.write_text(
        '#!/bin/sh\ncase "$*" in *"-m venv"*)\n'
        f'mkdir -p "{venv}/bin"; : > "{venv}/bin/python"; echo "no ensurepip" >&2; exit 1;; esac\n'
    )
    broken.chmod(0o755)
    done = make("setup", f"PYTHON={broken}", f"VENV={venv}")
    assert done.returncode != 0
    assert "no ensurepip" in done.stderr
    assert not (venv / "bin" / "python").exists()


def test_demo_and_test_set_up_what_they_need() -> None:
    venv = "VENV=/nowhere/venv"
    demo, test = (make("-n", target, venv).stdout for target in ("demo", "test"))
    assert "-c constraints.txt -e ." in demo
    assert "[dev]" not in demo
    assert "-e '.[dev]'" in test


def test_constraints_are_plain_pins_of_all_that_is_needed() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    found = [line for line in lines if not line.startswith("#")]
    assert [line for line in found if not PIN.fullmatch(line)] == []
    names = [re.sub(r"[-_.]+", "-", line.partition("==")[0].lower()) for line in found]
    assert len(set(names)) == len(names)
    wanted = [*PROJECT["dependencies"], *(n for e in PROJECT["optional-dependencies"].values() for n in e)]
    needed = {re.split(r"[<>=\[]", line)[0].lower().replace("_", "-") for line in wanted} - {"chunkwise"}
    assert needed <= set(names)


def test_pins_leave_out_paths_and_the_project_itself() -> None:
    frozen = (
        "numpy==2.0.0\n# comment\n-e /some/where\nother @ file:///tmp/other\nChunkwise==0.1.0\nabc==1.0+cpu\n"
    )
    assert pins(frozen) == ["abc==1.0+cpu", "numpy==2.0.0"]


def test_the_whole_check_is_a_sound_script() -> None:
    script = ROOT / ".ci" / "run"
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", str(script)], check=False).returncode == 0
    text = script.read_text("utf-8")
    assert [step for step in ("check", "test") if f"\nstep {step}" not in text] == []


def test_no_machine_and_no_registry_is_named() -> None:
    here = [f"{folder}/" for folder in (ROOT, ROOT.parent) if folder != Path(tempfile.gettempdir())]
    # Put together so that this file does not name them itself.
    bad = ["index" + "-url", "extra" + "-index", "/root" + "/", *here]
    found = [
        (path.relative_to(ROOT).as_posix(), word)
        for pattern in TEXTS
        for path in ROOT.glob(pattern)
        if path.is_file()
        for word in bad
        if word in path.read_text("utf-8", errors="replace")
    ]
    assert found == []


def test_the_version_is_told_in_the_changes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert f"{PROJECT['version']}" in text
    assert "## Unreleased" in text or f"## {PROJECT['version']}" in text


PAIRS = [("one", "old"), ("two", "kept")]


def test_only_blocks_that_were_made_are_replaced() -> None:
    one, two = (f"<!-- figures: {name} -->\n{body}\n<!-- /figures -->\n" for name, body in PAIRS)
    text = f"a\n{one}b\n{two}"
    assert blocks(text) == {"one": "old\n", "two": "kept\n"}
    after = spliced(text, {"one": "new\n"})
    assert after == text.replace("old", "new")


@pytest.mark.skipif(sys.platform == "win32", reason="make is not there")
def test_make_without_a_target_is_the_help() -> None:
    assert make().stdout == make("help").stdout


def test_nobody_is_told_to_install_what_no_registry_has() -> None:
    """An extra of what is installed can be added by its name; chunkwise itself comes from its repository."""
    extras = set(PROJECT["optional-dependencies"])
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    told = [(page.name, *found) for page in pages for found in INSTALLS.findall(page.read_text("utf-8"))]
    assert len(told) > 10
    for page, what, extra in told:
        assert what in (".", "./chunkwise") or extra, (page, what)
        assert not extra or "{" in extra or extra in extras, (page, what)
