"""The six policy files and the five questions on them, written by hand; they use the words of the manuals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from examples.manuals.questions import answer_length

FOLDER = Path(__file__).parent / "policies"

POLICIES = {file.name: file.read_text(encoding="utf-8") for file in sorted(FOLDER.glob("*.md"))}
"""Path to text."""


def policy_questions() -> list[dict[str, Any]]:
    """The five lines of the golden set on policies; each is a family of its own."""
    lines = [
        json.loads(line) for line in (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    return [
        {
            **{key: line[key] for key in ("id", "question", "doc", "gold")},
            "family": line["id"],
            "kind": "policy",
            "names": "none",
            "template": "written",
            "query_type": line["query_type"],
            "answer_length": answer_length(line["gold"]),
            "needs_heading": False,
            "table_row": False,
        }
        for line in lines
    ]
