"""What is not checked yet, statement by statement, and why. Each one is reported as skipped."""

from __future__ import annotations

from .loader import Statement

SEMANTIC = "the semantic chunker comes later"

CHECKS: dict[str, str] = {}
"""By the name of the check."""
STRATEGIES = {"semantic": SEMANTIC}
"""By the strategy of the case, for all its checks."""
STATEMENTS: dict[tuple[str, str], str] = {}
"""By case and check."""


def pending(statement: Statement) -> str | None:
    """Why a statement is not checked yet; None where it is checked."""
    return (
        CHECKS.get(statement.name)
        or STRATEGIES.get(statement.case.settings.get("strategy", ""))
        or STATEMENTS.get((statement.case.id, statement.name))
    )
