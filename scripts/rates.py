"""The table of false claims in docs/verdict.md: drawn comparisons whose truth is known."""

from __future__ import annotations

from pathlib import Path

TRIALS, FLIPS = 500, 2000


def table(data: Path) -> str:
    """Shares of trials in which something false, or something right, is claimed."""
    del data
    from benchmarks.stats import TRUTHS, rates, told_apart

    lines = [
        "| the truth | false winner | any false claim | right winner |",
        "|---|---|---|---|",
    ]
    for truth in TRUTHS:
        found = rates(truth, TRIALS, FLIPS)
        cells = [f"{100 * share:.1f} %" for share in (found.false_winner, found.false_claim, found.winner)]
        none = not any(p > max(truth.probabilities) - 1e-9 for p in truth.probabilities[1:])
        lines.append(f"| {truth.name} | {cells[0]} | {cells[1]} | {cells[2] if none else '-'} |")
    apart, wins = told_apart(TRIALS, FLIPS)
    lines.append(
        f"| 2 candidates 10 points apart, a fifth of 400 questions discordant | - | - | {100 * wins:.1f} % "
        f"(told apart in {100 * apart:.1f} %) |"
    )
    return "\n".join([*lines, ""])
