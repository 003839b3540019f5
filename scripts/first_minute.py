"""The newcomer's path in docs/speed.md: what the last `python -m benchmarks.first_minute` measured."""

from __future__ import annotations

from pathlib import Path

from scripts.stored import OUT, stored

FILE = OUT / "first_minute.json"


def table(data: Path) -> str | None:
    """The steps with their seconds; None where there was no run. Nothing is measured anew here."""
    del data
    plain = stored(FILE)
    if plain is None:
        return None
    from benchmarks.first_minute import MOST, Steps

    steps = Steps(**plain)
    rows = [
        ("`make demo`: downloads and installing", steps.install, ""),
        ("from there to the sentence that says what to ship", steps.sentence, f"below {MOST:.0f} s"),
        ("from there to the end of the demo", steps.rest, ""),
        ("`chunkwise compare FOLDER` on another folder, to its first table", steps.table, ""),
    ]
    lines = [f"| {name} | {seconds:.1f} s | {aim} |" for name, seconds, aim in rows]
    head = "| step | by the clock | aim |\n|---|---:|---|"
    return f"{head}\n" + "\n".join(lines) + f"\n\nPython {steps.python}, {steps.cores} cores.\n"
