"""The figures of docs/speed.md: what the last `make bench` measured on some machine."""

from __future__ import annotations

from pathlib import Path


def table(data: Path) -> str | None:
    """Not wired yet."""
    del data
    return None
