"""The figures of docs/reading.md about speed: what `python -m benchmarks.readers` measured last."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "benchmarks" / "out" / "readers.json"


def speed(data: Path) -> str | None:
    """The table of the last run; None where there was none. Nothing is measured anew here."""
    del data
    if not FILE.is_file():
        return None
    from benchmarks.readers import table

    return f"{table(json.loads(FILE.read_text('utf-8')))}\n"
