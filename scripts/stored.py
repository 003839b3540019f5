"""What the last run of a benchmark kept in benchmarks/out. Nothing is measured anew here."""

from __future__ import annotations

import json
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[1] / "benchmarks" / "out"


def stored(file: Path) -> Any:
    """The figures of a file; None where there was no run."""
    return json.loads(file.read_text("utf-8")) if file.is_file() else None


def speed(data: Path) -> str | None:
    """The tables of docs/speed.md, of the last `make bench`; None where there was none."""
    del data
    plain = stored(OUT / "speed.json")
    if plain is None:
        return None
    from benchmarks.speed_figures import from_json, markdown

    return f"{markdown(from_json(plain), plain['about'])}\n"


def table(name: str, data: Path) -> str | None:
    """The tables of the last `python -m benchmarks.NAME`; None where there was none."""
    del data
    plain = stored(OUT / f"{name}.json")
    return None if plain is None else f"{import_module(f'benchmarks.{name}').table(plain)}\n"


readers, tokens = partial(table, "readers"), partial(table, "tokens")
"""The tables of docs/reading.md and of docs/tokens.md."""
