"""docs/equal-context.md: its figures come out again, and they say what the text says of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from scripts import context
from scripts.figures import blocks
from tests.docs.running import run_block

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "equal-context.md").read_text("utf-8")


def cells(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:] if line]


def test_the_figures_of_the_manuals_come_out_again() -> None:
    assert blocks(PAGE)["equal-context"] == context.manuals(ROOT), "write them anew with: make figures"


def test_the_order_at_equal_k_turns_round_at_equal_text() -> None:
    rows = cells(blocks(PAGE)["equal-context"])
    ranks = {row[0].strip("`"): (int(row[4]), int(row[6])) for row in rows}
    small, large = ([ranks[f"{name}:size={size}"] for name in ("fixed", "paragraph")] for size in (300, 2400))
    assert sorted(rank for rank, _ in small) == [7, 8]
    assert sorted(rank for rank, _ in large) == [1, 2]
    assert sorted(rank for _, rank in small) == [1, 2]
    # In 1,000 words windows gain with their size, and paragraphs lose.
    found = {row[0].strip("`"): float(row[7].split()[0]) for row in rows}
    assert found["fixed:size=300"] < found["fixed:size=2400"]
    assert found["paragraph:size=300"] > found["paragraph:size=2400"]


def test_the_commands_of_the_page_give_its_figures(tmp_path: Path) -> None:
    (commands,) = re.findall(r"^```\n(python -m examples.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    printed = run_block(commands.replace(" -v", " -v --json out.json --resamples 50"), tmp_path)
    assert "FOUND: recall@500words, 245 questions" in printed
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))["candidates"]
    for row, said in zip(found, cells(blocks(PAGE)["equal-context"]), strict=True):
        assert said[0] == f"`{row['spec']}`"
        measures = [row["measures"][name]["value"] for name in ("hit@5", "text-recall@5", "recall@500words")]
        assert [f"{100 * value:.1f}" for value in measures] == [
            said[2],
            *(said[i].split()[0] for i in (3, 5)),
        ]


def test_the_published_winner_is_passed_at_equal_context() -> None:
    rows = {row[0]: row for row in cells(blocks(PAGE)["chroma-minilm"].partition("\n\n")[0])}
    at_k, at_budget, indexed = (
        {name: float(row[i].replace(",", "")) for name, row in rows.items()} for i in (3, 6, 8)
    )
    winner = max(at_k, key=lambda name: at_k[name])
    assert winner == max(indexed, key=lambda name: indexed[name]) == "token 278 139"
    published = {name for name in rows if not name.startswith("`")}
    assert {name for name in published if at_budget[name] > at_budget[winner]} == {
        name for name in published if name.startswith("recursive")
    }
    halves = [name for name in published if indexed[name] < 0.51 * indexed[winner]]
    assert {"recursive 250 0", "recursive 200 0"} <= set(halves)
    assert at_budget["token 278 139"] > at_budget["token 278 0"]
    assert at_budget["recursive 250 125"] < at_budget["recursive 250 0"]


def of(published: float | None, recall: float, budget: float) -> dict[str, Any]:
    """A row of the long run's file, as much of it as the page has."""
    ours = {"chunks": 1200, "recall": recall, "tokens_at_5": 1234.5, context.TOKENS: budget}
    row: dict[str, Any] = {name: {"published": None, "ours": value} for name, value in ours.items()}
    row["recall"]["published"] = published
    row["tokens_indexed"] = {"published": None, "ours": 327740}
    return row


def test_the_rows_of_a_long_run_are_ranked_and_what_is_outside_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "chroma-minilm.json"
    monkeypatch.setattr(context, "FILE", file)
    assert context.chroma(tmp_path) is None
    plain = {
        "corpus": {"versions": "chunkwise 1"},
        "rows": {
            "token_9_4": of(82.4, 83.39, 74.26),
            "recursive_9_0": of(75.7, 76.1, 77.42),
            "chunkwise sentence:size=9": of(None, 70.0, 76.0),
        },
        "reference": {
            "figures": 34,
            "different": {"rows/token_9_4/recall": {"reference": [84.1, 85.7], "ours": 83.39}},
        },
    }
    file.write_text(json.dumps(plain), "utf-8")
    made = context.chroma(tmp_path)
    assert made is not None
    table, said = made.strip().split("\n\n")
    assert cells(table) == [
        ["token 9 4", "1,200", "82.4", "83.39", "1", "1,234", "74.26", "3", "327,740"],
        ["recursive 9 0", "1,200", "75.7", "76.10", "2", "1,234", "77.42", "1", "327,740"],
        ["`sentence:size=9`", "1,200", "", "70.00", "3", "1,234", "76.00", "2", "327,740"],
    ]
    assert said == (
        "Measured with chunkwise 1; 33 of 34 figures lie within their bands. Outside: recall of token 9 4, "
        "83.39 where 84.1 to 85.7 is expected."
    )
