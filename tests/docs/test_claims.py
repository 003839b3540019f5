"""docs/claims.md: tables are whole, the last column follows from the figures, the quick ones come again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from scripts import claims
from scripts.claims_measured import SECTION, WINDOW, standing, within
from scripts.figures import MAKERS, blocks

from chunkwise.types import CandidateReport, Comparison, Decision, Report, Score

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "claims.md").read_text("utf-8")
NAMES = [name for name in MAKERS if name.startswith("claims-")]


def rows(block: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()[2:] if line]


def test_each_article_has_its_table() -> None:
    found = blocks(PAGE)
    assert list(found) == NAMES
    assert len(NAMES) == 5
    for name, block in found.items():
        assert len(rows(block)) >= 4, name
        for row in rows(block):
            assert len(row) == 4, row
            assert all(row), row


def test_the_figures_of_the_policies_come_out_again() -> None:
    assert blocks(PAGE)["claims-notice"] == claims.notice_period(ROOT), "write them anew with: make figures"


def test_the_bill_of_the_article_has_more_tokens_than_its_windows_can_hold() -> None:
    chunks, paid = claims.PRICED["windows"]
    each = paid / claims.PRICE * 1e6 / chunks
    assert each > claims.LIMIT
    (bill,) = (row for row in rows(blocks(PAGE)["claims-sections"]) if "times the cost" in row[0])
    assert f"would be {each:,.0f} tokens" in bill[2]
    assert bill[3] == claims.NOT


def made(section: float, window: float) -> Report:
    """A report of sections against windows, with the same value for each measure."""
    values = {SECTION: section, WINDOW: window}
    candidates = tuple(
        CandidateReport(
            spec=name,
            label="",
            retriever="bm25",
            chunks=3,
            measures={measure: Score(value, value, value) for measure in ("hit@5", "recall@1000cl100k")},
            rules={},
            tags={
                "query_type": {
                    "procedural": {
                        "measures": {
                            measure: {"value": 1 - value} for measure in ("hit@5", "recall@1000cl100k")
                        }
                    }
                }
            },
            boundaries={},
            sizes={},
            costs={},
            questions={},
        )
        for name, value in values.items()
    )
    return Report({}, {}, {}, candidates, (Comparison("hit@5", SECTION, WINDOW, 0.1, 0.05, 0.2),))


@pytest.mark.parametrize(
    ("tag", "first", "verdict"),
    [
        (None, True, claims.AGREES),
        (None, False, "on 0 of 2 in five chunks, on 0 in 1,000 tokens"),
        # On questions of that kind it is the other way round.
        ("procedural", False, claims.AGREES),
    ],
)
def test_the_word_for_a_kind_of_question_follows_from_both_measures(
    tag: str | None, first: bool, verdict: str
) -> None:
    reports = {"one": made(0.8, 0.7), "two": made(0.9, 0.6)}
    claim = claims.of_kind("more", "0.9", reports, tag, sections_first=first)
    assert claim.verdict == verdict
    assert ("one 80.0 / 70.0, in 1,000 tokens 80.0 / 70.0" in claim.here) == (tag is None)


def test_how_a_row_stands() -> None:
    report = made(0.8, 0.7)
    assert standing(report, SECTION) == "first"
    assert standing(report, WINDOW) == "tied"
    out = replace(report, decision=Decision("winner", SECTION, (SECTION,), (WINDOW,), ()))
    assert standing(out, WINDOW) == "worse"
    assert within([2.0, -1.25]) == "-1.2 to +2.0"
