"""`--clean` on the command line: cleaned and uncleaned rows on the same questions, and what was removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunkwise.cli.exits import Exit

NOISY = (
    "# Pumps\n\n## Valve\n\nThe val\u00adve opens at six\u00a0bar and closes slowly.\n\n"
    "## Lamp\n\nThe lamp is red.\n"
)


@pytest.fixture(autouse=True)
def _noisy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "noisy").mkdir()
    (tmp_path / "noisy" / "a.md").write_bytes(NOISY.encode())
    questions = [
        {
            "question": "When does the valve open?",
            "doc": "a.md",
            "gold": "The val\u00adve opens at six\u00a0bar",
        },
        {"question": "Which colour has the lamp?", "doc": "a.md", "gold": "The lamp is red."},
    ]
    (tmp_path / "noisy.jsonl").write_text("\n".join(map(json.dumps, questions)), "utf-8")
    monkeypatch.chdir(tmp_path)


def test_rows_that_clean_and_rows_that_do_not_meet_the_same_questions(run):
    result = run(
        "compare", "noisy", "--golden", "noisy.jsonl", "-c", "heading:size=200",
        "--clean", "no", "--clean", "invisible+spaces", "--resamples", "100", "--json", "-",
    )  # fmt: skip
    report = json.loads(result.out)
    rows = {row["spec"]: row for row in report["candidates"]}
    assert set(rows) == {"heading:size=200", "heading:size=200,clean=invisible+spaces"}
    cleaned = rows["heading:size=200,clean=invisible+spaces"]
    # The word with a soft hyphen inside is found only where it was cleaned; the place is the same.
    assert cleaned["measures"]["recall@1000words"]["value"] == 1
    assert [q["rank"] for q in cleaned["questions"].values()] == [1, 1]
    assert report["corpus"]["cleaned"] == {
        "invisible+spaces": {
            "characters": 1,
            "steps": {"invisible": {"soft hyphen": 1}, "spaces": {"no-break space": 1}},
        }
    }
    assert [(p["setting"], p["before"], p["after"]) for p in report["pairs"]] == [
        ("clean", "no", "invisible+spaces")
    ]
    shown = [
        chunk["text"]
        for one in report["exhibits"]
        if one["kind"] == "question"
        for row in one["rows"]
        for chunk in row["chunks"]
    ]
    assert all("val\u00adve" in text for text in shown if "opens" in text)


def test_a_candidate_says_how_it_cleans(run):
    result = run(
        "compare", "noisy", "--golden", "noisy.jsonl", "-c", "fixed:size=80,clean=no|spaces|invisible",
        "--resamples", "100", "--json", "-",
    )  # fmt: skip
    specs = [row["spec"] for row in json.loads(result.out)["candidates"]]
    assert specs == ["fixed:size=80", "fixed:size=80,clean=spaces", "fixed:size=80,clean=invisible"]


def test_the_default_rows_are_cleaned_too(run):
    result = run("compare", "noisy", "--golden", "noisy.jsonl", "--clean", "spaces", "--json", "-")
    specs = [row["spec"] for row in json.loads(result.out)["candidates"]]
    assert len(specs) == 8
    assert all(",clean=spaces" in spec for spec in specs)


def test_chunks_of_what_was_cleaned_lead_back(run):
    result = run("chunk", "noisy", "-c", "heading:size=200", "--clean", "invisible+spaces")
    rows = [json.loads(line) for line in result.out.splitlines()]
    valve = next(row for row in rows if "valve opens" in row["text"])
    start, end = valve["raw"]
    assert NOISY[start:end] == valve["text"].replace("valve", "val\u00adve").replace(
        "six bar", "six\u00a0bar"
    )
    assert valve["lines"] == [1, 5]


def test_the_outline_lists_what_was_removed(run):
    result = run("outline", "noisy", "--clean", "invisible+spaces", "-v")
    assert "invisible: 1 soft hyphen" in result.out
    assert "     5  invisible: soft hyphen '\\xad'" in result.out
    assert "     5  spaces: no-break space '\\xa0' -> ' '" in result.out


def test_an_unknown_step_is_told_before_any_work(run):
    for command in ("compare", "chunk", "outline"):
        result = run(command, "noisy", "--clean", "invisibel")
        assert (result.code, result.out) == (Exit.USAGE, "")
        assert "did you mean 'invisible'" in result.err
