"""The path of a newcomer, by the clock: a fresh clone, `make demo` to its sentence, then an own folder.

    python -m benchmarks.first_minute [--json FILE] [--python PYTHON]

What is downloaded and installed is timed apart: it depends on the line. The clone has an environment, a cache
of vectors and a home of its own, so that nothing of this machine's earlier runs helps.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OUT = ROOT / "benchmarks" / "out" / "first_minute.json"
SENTENCE = "Ship "
TABLE = "row "
MOST = 90.0
"""Seconds from the first line of the demo to its sentence that are aimed at, on two cores."""


class Steps(NamedTuple):
    """Seconds by the clock; each from the end of the step before."""

    install: float
    """Making the environment: downloads included."""
    sentence: float
    """From then, with no byte code and no vector kept, to the line that says what to ship."""
    rest: float
    """From then to the end of the demo."""
    table: float
    """One command on another folder, to the head of its first table."""
    cores: int
    """Cores of the machine."""
    python: str
    """Version of Python."""


def watched(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], marks: Sequence[str]
) -> list[float]:
    """Run a command; seconds from its start to the first line that begins with each mark, and to its end.

    Raises:
        SystemExit: the command failed, or a mark never came.
    """
    start = time.perf_counter()
    found: dict[str, float] = {}
    said = []
    with subprocess.Popen(
        command, cwd=folder, env=environment, text=True, encoding="utf-8", stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            for mark in marks:
                if line.startswith(mark):
                    found.setdefault(mark, time.perf_counter() - start)
    lacking = [mark for mark in marks if mark not in found]
    if process.returncode or lacking:
        print("".join(said[-40:]), file=sys.stderr)
        what = f"ended with {process.returncode}" if process.returncode else f"never printed {lacking[0]!r}"
        raise SystemExit(f"{' '.join(command)}: {what}")
    return [*(found[mark] for mark in marks), time.perf_counter() - start]


def walk(python: str) -> Steps:
    """Walk the path once, in a fresh clone of the last commit."""
    with tempfile.TemporaryDirectory() as place:
        clone, home = Path(place, "chunkwise"), Path(place, "home")
        home.mkdir()
        subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(clone)], check=True)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CHUNKWISE_", "PYTHON", "XDG_"))
        }
        environment = {**kept, "HOME": str(home), "PYTHONUNBUFFERED": "1"}
        begin = time.time()
        sentence, end = watched(
            ["make", "--no-print-directory", "demo", f"PYTHON={python}"], clone, environment, (SENTENCE,)
        )
        # A stamp is touched when its set of libraries is installed.
        stamps = [stamp.stat().st_mtime for stamp in (clone / ".venv").glob(".setup-stamp*")]
        installed = max(stamps) - begin
        own = clone / "examples" / "handbook" / "docs"
        table, _ = watched(
            [str(clone / ".venv" / "bin" / "chunkwise"), "compare", str(own)], clone, environment, (TABLE,)
        )
    return Steps(
        installed, sentence - installed, end - sentence, table, os.cpu_count() or 1, platform.python_version()
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Walk the path, print the seconds, and keep them for the page of figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.first_minute", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--json", type=Path, default=OUT, help="where the seconds are written")
    parser.add_argument("--python", default=sys.executable, help="makes the environment of the clone")
    options = parser.parse_args(arguments)
    steps = walk(options.python)
    for name, seconds in list(steps._asdict().items())[:4]:
        print(f"{name:10} {seconds:6.1f} s")
    print(f"aim: sentence below {MOST:.0f} s: {'met' if steps.sentence < MOST else 'missed'}")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(steps._asdict(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
