"""What the last run of a benchmark kept in benchmarks/out. Nothing is measured anew here."""

from __future__ import annotations

import json
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


def readers(data: Path) -> str | None:
    """The table of docs/reading.md, of the last `python -m benchmarks.readers`; None where there was none."""
    del data
    plain = stored(OUT / "readers.json")
    if plain is None:
        return None
    from benchmarks.readers import table

    return f"{table(plain)}\n"


def tokens(data: Path) -> str | None:
    """The tables of docs/tokens.md, of the last `python -m benchmarks.tokens`; None where there was none."""
    del data
    plain = stored(OUT / "tokens.json")
    if plain is None:
        return None
    from benchmarks.tokens import table

    return f"{table(plain)}\n"
