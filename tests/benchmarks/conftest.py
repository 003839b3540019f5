"""The benchmarks stand beside the package, not in it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

SENTENCE = "Press the key of the {thing} for five seconds, and wait until the lamp of the {thing} is green. "
THINGS = ("boiler", "router", "lift", "meter", "gate", "pump")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few pages with headings of two levels, each section long enough for a question."""
    root = tmp_path_factory.mktemp("pages")
    for number, thing in enumerate(THINGS):
        parts = [f"# The {thing}\n\nAll about the {thing}.\n"]
        for verb in ("start", "stop"):
            body = "\n\n".join([SENTENCE.format(thing=f"{verb} {thing}") * 3] * 3)
            parts.append(f"## How to {verb} a {thing}\n\n{body}\n\n```\n{verb} {thing}\n\n# now\n```\n")
        path = root / f"part{number % 2}" / f"{thing}.md"
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(parts), encoding="utf-8")
    return root


@pytest.fixture(autouse=True)
def untidy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Collecting garbage before each work takes longer here than all works together."""
    from benchmarks import speed_clock

    monkeypatch.setattr(speed_clock, "tidy", lambda: 0)
