"""The figures of docs/tokens.md about speed: what `python -m benchmarks.tokens` measured last."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "benchmarks" / "out" / "tokens.json"


def speed(data: Path) -> str | None:
    """The tables of the last run; None where there was none. Nothing is measured anew here."""
    del data
    if not FILE.is_file():
        return None
    from benchmarks.tokens import table

    return f"{table(json.loads(FILE.read_text('utf-8')))}\n"
