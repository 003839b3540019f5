"""The tables of docs/scale.md: what the last run of `benchmarks.shipping` measured on some machine."""

from __future__ import annotations

from pathlib import Path

FILE = Path(__file__).parents[1] / "benchmarks" / "out" / "shipping.json"


def tables(data: Path) -> str | None:
    """The tables of the last run; None where there was none. Nothing is measured anew here."""
    del data
    if not FILE.is_file():
        return None
    from benchmarks.shipping_table import load, markdown

    return markdown(load(FILE))
