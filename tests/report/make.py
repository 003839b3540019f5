"""A report made by hand."""

from __future__ import annotations

from typing import Any

from chunkwise.types import CandidateReport, Comparison, Decision, Report, Score

MEASURES = (
    "hit@1",
    "hit@5",
    "recall@1",
    "recall@5",
    "mrr@1",
    "mrr@5",
    "ceiling",
    "coverage",
    "recall@1000words",
)
RULES = ("contained", "majority", "half-section", "overlap")


def row(spec: str, value: float, label: str = "", retriever: str = "bm25", **changed: Any) -> CandidateReport:
    """A row all of whose measures are `value`."""
    score = Score(value, value - 0.05, value + 0.04)
    shares = {"sentence": 0.25, "paragraph": 0.5, "row": 0.0, "code": 0.125}
    side = {"cuts": 8, "sentence": 2, "paragraph": 4, "row": 0, "code": 1, "any": 3, "shares": shares}
    fields: dict[str, Any] = {
        "spec": spec,
        "label": label,
        "retriever": retriever,
        "chunks": 12345,
        "measures": dict.fromkeys(MEASURES, score),
        "rules": {rule: dict.fromkeys(MEASURES[:7], score) for rule in RULES},
        "tags": {},
        "boundaries": {
            "starts": side,
            "ends": side,
            "headings_parted": {"count": 3, "of": 40, "share": 0.075},
            "crossing_sections": {"count": 617, "of": 12345, "share": 0.05},
        },
        "sizes": {
            "unit": "chars",
            "min": 5,
            "median": 702.5,
            "mean": 654.32,
            "p95": 790,
            "max": 800,
            "marked": 1,
            "marks": {},
        },
        "costs": {
            "characters_indexed": 8077580,
            "context_characters": 1200,
            "slice_characters": 8076380,
            "covered_characters": 7000000,
            "overlap_factor": 1.1538,
            "lost_characters": 0,
            "unit": "words",
            "sent": {"@1": 98.7, "@5": 512.0, "@1000words": 996.5},
        },
        "questions": {},
    }
    return CandidateReport(**{**fields, **changed})


def report(
    rows: list[CandidateReport],
    *,
    comparisons: tuple[Comparison, ...] = (),
    decision: Decision | None = None,
    questions: int = 245,
    families: int = 40,
    origin: dict[str, int] | None = None,
    warnings: tuple[str, ...] = (),
    **more: Any,
) -> Report:
    """A report of some rows."""
    return Report(
        corpus={"documents": 22, "characters": 87189, "digest": "d", "skipped": [], "without_text": []},
        golden={
            "questions": questions,
            "families": families,
            "digest": "g",
            "origin": origin or {"written": questions},
        },
        settings={
            "k": [1, 5],
            "budgets": [1000],
            "unit": "words",
            "rule": "contained",
            "primary": "recall@1000words",
            "by": [],
            "seed": 0,
            "resamples": 2000,
        },
        candidates=tuple(rows),
        comparisons=comparisons,
        warnings=warnings,
        decision=decision,
        timings={"read": 1.25},
        **more,
    )
