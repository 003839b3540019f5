"""The sheets with tables: sound questions, true tags, and rows that a header helps to find."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

import chunkwise
from chunkwise.cli.app import app

FOLDER = Path(__file__).parents[2] / "examples" / "tables"
LINES = (FOLDER / "golden.jsonl").read_text("utf-8").splitlines()
GOLDEN = [json.loads(line) for line in LINES]
ROW = re.compile(r"\| .* \||<tr>.*</tr>")


def test_check_finds_no_fault() -> None:
    ran = CliRunner().invoke(app, ["check", str(FOLDER / "golden.jsonl"), "--docs", str(FOLDER / "docs")])
    assert ran.exit_code == 0
    assert f"{len(GOLDEN)} questions, no faults" in ran.stdout


@pytest.mark.parametrize("question", GOLDEN, ids=lambda question: question["id"])
def test_the_tags_say_what_the_answer_is(question: dict) -> None:
    assert question["table_row"] == bool(ROW.fullmatch(question["gold"]))
    assert question["table_row"] or not question["header_row"]
    assert not question["table_row"] or question["family"] != question["id"]


def test_the_readme_counts_right() -> None:
    text = (FOLDER / "README.md").read_text("utf-8")
    told = {key: int(n) for key, n in re.findall(r"\(`(\w+)`\) \| (\d+) \|", text)}
    assert told == {tag: sum(question[tag] for question in GOLDEN) for tag in told}
    assert f"| all | {len(GOLDEN)} |" in text
    assert told["header_row"] >= 25
    assert GOLDEN[0]["question"] in text
    assert GOLDEN[0]["gold"] in text


def test_nineteen_tables_and_each_is_asked_about() -> None:
    sizes = []
    for file in (FOLDER / "docs").glob("*.md"):
        text = file.read_text("utf-8")
        sizes += [len(table.splitlines()) - 2 for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
        sizes += [table.count("<tr>") - 1 for table in text.split("</table>")[:-1]]
    assert (len(sizes), min(sizes), max(sizes)) == (19, 12, 31)
    asked = Counter(question["family"] for question in GOLDEN if question["header_row"])
    assert len(asked) == len(sizes)
    assert min(asked.values()) >= 3


def test_rows_that_need_their_header_are_found_with_it() -> None:
    report = chunkwise.compare(
        FOLDER / "docs",
        FOLDER / "golden.jsonl",
        ["heading:size=400,table_header=no|yes"],
        primary="hit@5",
        resamples=200,
        exhibits=0,
    )
    needed = [question["id"] for question in GOLDEN if question["header_row"]]
    without, with_header = (
        sum(report[row].questions[name]["hit@5"] for name in needed) / len(needed)
        for row in ("heading:size=400,table_header=no", "heading:size=400")
    )
    assert with_header - without > 0.2
