"""The handbook: every gold anchored once, enough questions of each kind, and the hard question."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples" / "handbook"
DOCS = {file.name: file.read_text(encoding="utf-8") for file in sorted((FOLDER / "docs").glob("*.md"))}
GOLDEN = [json.loads(line) for line in (FOLDER / "golden.jsonl").read_text(encoding="utf-8").splitlines()]


def fold(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def test_eight_files_of_three_to_eight_kilobytes():
    assert len(DOCS) == 8
    assert all(3000 <= len(text.encode()) <= 8192 for text in DOCS.values())
    assert {q["doc"] for q in GOLDEN} == DOCS.keys()


@pytest.mark.parametrize("question", GOLDEN, ids=lambda q: q["id"])
def test_each_gold_stands_once(question):
    gold = fold(question["gold"])
    assert fold(DOCS[question["doc"]]).count(gold) == 1
    assert question["table_row"] == (gold.startswith("| ") and gold.endswith(" |"))
    length = "short" if len(gold) <= 60 else "medium" if len(gold) <= 200 else "long"
    assert question["answer_length"] == length


def test_enough_questions_of_each_kind():
    assert len(GOLDEN) >= 35
    assert len({q["id"] for q in GOLDEN}) == len({q["question"] for q in GOLDEN}) == len(GOLDEN)
    assert sum(q["needs_heading"] for q in GOLDEN) >= 5
    assert sum(q["table_row"] for q in GOLDEN) >= 5
    kinds = Counter(q["query_type"] for q in GOLDEN)
    assert kinds.keys() == {"factual", "conceptual", "procedural"}
    assert min(kinds.values()) >= 10


def test_the_readme_counts_right():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    kinds = Counter(q["query_type"] for q in GOLDEN)
    assert f"| all | {len(GOLDEN)} |" in text
    assert f"(`table_row`) | {sum(q['table_row'] for q in GOLDEN)} |" in text
    assert f"(`needs_heading`) | {sum(q['needs_heading'] for q in GOLDEN)} |" in text
    assert f"| {kinds['factual']}, {kinds['procedural']}, {kinds['conceptual']} |" in text


@pytest.mark.parametrize("size", [600, 800])
def test_fixed_windows_part_the_hard_row_from_its_heading(size):
    [hard] = [q for q in GOLDEN if q["id"] == "notice-grade-7"]
    text = DOCS[hard["doc"]]
    windows = [text[i : i + size] for i in range(0, len(text), size)]
    [window] = [window for window in windows if hard["gold"] in window]
    assert "### Grade 7 and above" not in window
    assert "Grade" not in window.partition(hard["gold"])[0]


def test_the_rows_of_the_notice_tables_differ_only_in_their_figures():
    rows = re.findall(r"^\| After the trial period \| (\d+) days", DOCS["leaving.md"], re.MULTILINE)
    assert rows == ["14", "30", "60", "90"]
