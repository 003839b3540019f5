"""Rows, reports and comparisons to decide on."""

from __future__ import annotations

from typing import Any

from chunkwise.types import CandidateReport, Comparison, Report, Score


def row(
    name: str, value: float, *, sent: float = 1000.0, indexed: int = 5000, chunks: int = 10, **more: Any
) -> CandidateReport:
    return CandidateReport(
        spec=name,
        label="",
        retriever="bm25",
        chunks=chunks,
        measures={"recall@1000words": Score(value, max(0, value - 0.1), min(1, value + 0.1))},
        rules={},
        tags={},
        boundaries={},
        sizes={},
        costs={"unit": "words", "sent": {"@5": 400.0, "@1000words": sent}, "characters_indexed": indexed},
        questions={},
        **more,
    )


def report(
    rows: list[CandidateReport],
    *comparisons: Comparison,
    questions: int = 40,
    primary: str = "recall@1000words",
    **more: Any,
) -> Report:
    return Report(
        corpus={"documents": 3},
        golden={"questions": questions, "families": questions},
        settings={"primary": primary},
        candidates=tuple(rows),
        comparisons=comparisons,
        **more,
    )


def against(other: str, difference: float, low: float, high: float, **more: Any) -> Comparison:
    """Where nothing else is said, the test agrees with the interval."""
    p = 0.001 if low > 0 else 0.4
    more = {"differing": 20, "p": p, "adjusted": p, **more}
    return Comparison("recall@1000words", "best", other, difference, low, high, **more)
