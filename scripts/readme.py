"""The figures of README.md: the output of a command, and the example corpora side by side."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
COMMANDS = (
    "python -m examples.manuals --out manuals",
    "chunkwise compare manuals/docs --golden manuals/golden.jsonl -q",
)


def compare(data: Path) -> str:
    """What the second command prints, in a folder where the first one was run."""
    del data
    with tempfile.TemporaryDirectory() as folder:
        *_, lines = (printed(command, Path(folder)) for command in COMMANDS)
    return f"```\n$ {COMMANDS[-1]}\n{lines}```\n"


def printed(command: str, folder: Path) -> str:
    """What a command prints on standard output in a folder, at 80 columns, without blanks at line ends."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    words = command.removeprefix("python ").split()
    done = subprocess.run(
        [sys.executable, *(["-m", *words] if words[0] == "chunkwise" else words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths, "COLUMNS": "80", "NO_COLOR": "1"},
        check=True,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


@cache
def corpora(data: Path) -> str:
    """What each chunker found on the example corpora with BM25, in per cent.

    Chunkwise's own pages are left to the demonstration: a figure about them would move with every edit.
    """
    del data
    from examples.demo.corpora import compare, load_all
    from examples.demo.steps import FOUND, verdict

    from chunkwise.report.names import Names
    from chunkwise.report.tables import percent, points

    compared = [compare(asked, dense=False) for asked in load_all() if asked.name != "docs"]
    rows = compared[0].report.candidates
    names = Names(rows)
    heads = [f"{one.name}, {len(one.asked.golden)} questions" for one in compared]
    lines = [f"| row | {' | '.join(heads)} |", f"|---|{'---|' * len(heads)}"]
    for row in sorted(rows, key=lambda row: -row.measures[FOUND].value):
        cells = []
        for one in compared:
            own = one.report[row.name]
            score = own.measures[FOUND]
            interval = points(score.low, score.high)
            cells.append(f"{percent(score.value)} ({interval}) {verdict(one.report, own)}")
        lines.append(f"| `{names[row.name]}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])
