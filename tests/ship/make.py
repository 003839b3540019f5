"""Small baselines made by hand, and a folder with documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from chunkwise.ship.baseline import Baseline, Group
from chunkwise.types import CandidateReport, Report, Score

POLICY = """# Leaving

Whoever wants to go hands in a letter. The portal has a form for it, and the confirmation arrives within three
working days. Agree on a handover with your manager before you tell the others, and keep a copy of the letter.

## Notice period for Grade 7

Heads of department know the prices and the customers, and it takes time to find somebody else.

| Stage | Notice |
|---|---|
| During the trial period | 30 days |
| After the trial period | 90 days |

## Garden leave

We may ask you not to come to work during your notice. You are still employed, and you keep your car until the
last day. Garden leave uses up the annual leave that you have left over.
"""
LUNCH = """# Lunch

## The canteen

The canteen opens at noon and closes at two. Soup is free for apprentices on Mondays.
"""
QUESTIONS = """\
{"id": "notice", "question": "How long is the notice period for Grade 7?", "doc": "leaving.md", \
"gold": "| After the trial period | 90 days |"}
{"id": "garden", "question": "Do I keep my car during garden leave?", "doc": "leaving.md", \
"gold": "you keep your car until the\\nlast day"}
{"id": "soup", "question": "Who gets free soup in the canteen?", "doc": "lunch.md", \
"gold": "Soup is free for apprentices on Mondays."}
"""


def write_folder(root: Path) -> Path:
    """A folder with two documents and three questions about them."""
    (root / "docs").mkdir()
    (root / "docs" / "leaving.md").write_text(POLICY, "utf-8")
    (root / "docs" / "lunch.md").write_text(LUNCH, "utf-8")
    (root / "golden.jsonl").write_text(QUESTIONS, "utf-8")
    return root


def baseline(
    values: Mapping[str, float],
    measure: str = "hit@5",
    *,
    source: str = "before.json",
    families: Mapping[str, str] | None = None,
    tags: Mapping[str, Mapping[str, str]] | None = None,
    row: Mapping[str, Any] | None = None,
    settings: Mapping[str, object] | None = None,
    golden: str = "g",
) -> Baseline:
    """A baseline of some questions with one measure."""
    mean = sum(values.values()) / len(values)
    questions = {id: {"rank": 1 if value else None, measure: value} for id, value in values.items()}
    candidate = CandidateReport(
        spec="heading:size=400",
        label="",
        retriever="bm25",
        chunks=10,
        measures={measure: Score(mean, 0.0, 1.0)},
        rules={},
        tags={},
        boundaries={"starts": {"shares": {"row": 0.25}}, "headings_parted": {"share": 0.1}},
        sizes={"max": 400, "marked": 0},
        costs={"embedded": 1000, "sent": {"@5": 200.0}},
        questions=questions,
    )
    candidate = replace(candidate, **(row or {}))
    report = Report(
        corpus={"documents": 1, "digest": "c"},
        golden={
            "questions": len(values),
            "digest": golden,
            "asked": golden,
            "origin": {"written": len(values)},
        },
        settings={"k": [5], "unit": "words", "rule": "contained", "primary": measure, **(settings or {})},
        candidates=(candidate,),
        comparisons=(),
    )
    return Baseline(
        source,
        candidate.name,
        golden,
        golden,
        len(values),
        {measure: mean},
        _groups(values, tags or {}, measure),
        questions,
        families or {},
        tags or {},
        report,
    )


def _groups(
    values: Mapping[str, float], tags: Mapping[str, Mapping[str, str]], measure: str
) -> dict[str, Group]:
    found: dict[str, list[float]] = {}
    for id, own in tags.items():
        for tag, value in own.items():
            found.setdefault(f"{tag}={value}", []).append(values[id])
    return {key: Group(len(own), {measure: sum(own) / len(own)}) for key, own in found.items()}
