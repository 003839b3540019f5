"""The figures of docs/speed.md: what the last `make bench` measured on some machine."""

from __future__ import annotations

import json
from pathlib import Path

FILE = Path(__file__).parents[1] / "benchmarks" / "out" / "speed.json"


def table(data: Path) -> str | None:
    """The tables of the last run; None where there was none. Nothing is measured anew here."""
    del data
    if not FILE.is_file():
        return None
    from benchmarks.speed_figures import from_json, markdown

    plain = json.loads(FILE.read_text("utf-8"))
    return f"{markdown(from_json(plain), plain['about'])}\n"
