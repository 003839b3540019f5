"""What is not checked yet, statement by statement, and why. Each one is reported as skipped."""

from __future__ import annotations

from .loader import Statement

CLEANING = "cleaning of texts comes later"
INDEX = "shipping to an index comes later"
SEMANTIC = "the semantic chunker comes later"
CONVERTED = "what converters leave behind comes with cleaning"
BEHIND = "tables: a chunk that begins inside a table and goes on behind it carries the table's header"
COLUMNS = "a warning of columns printed side by side comes with page furniture"

CHECKS = {
    "cleaned_contains_in_order": CLEANING,
    "cleaned_contains_ws": CLEANING,
    "cleaned_count": CLEANING,
    "cleaned_equals": CLEANING,
    "cleaned_equals_ws": CLEANING,
    "cleaned_lacks": CLEANING,
    "cleaned_tokens": CLEANING,
    "clean_idempotent": CLEANING,
    "clean_maps_back": CLEANING,
    "sentence_count_cleaned": CLEANING,
    "page_of": "pages come with the formats that have them",
    "payload_lacks": INDEX,
    "index_count": INDEX,
    "old_index_live_on_failure": INDEX,
    "error_or_warning": INDEX,
}
"""By the name of the check."""
WHEN = {
    "clean": CLEANING,
    "bold-headings": "an option for bold lines as headings comes later",
}
"""By the mode that the statement is about."""
STRATEGIES = {"semantic": SEMANTIC}
"""By the strategy of the case, for all its checks."""
STATEMENTS: dict[tuple[str, str], str] = {
    ("table-in-list-item", "prefix_lacks"): BEHIND,
    ("two-columns-interleaved", "warning"): COLUMNS,
}
"""By case and check."""


def pending(statement: Statement) -> str | None:
    """Why a statement is not checked yet; None where it is checked."""
    return (
        CHECKS.get(statement.name)
        or WHEN.get(statement.check.get("when", ""))
        or STRATEGIES.get(statement.case.settings.get("strategy", ""))
        or STATEMENTS.get((statement.case.id, statement.name))
    )
