"""`chunkwise compare`: the table, the JSON, and what each option changes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from chunkwise.cli import Exit
from chunkwise.types import Report

from .conftest import Run, write_golden

COMPARE = ("compare", "docs", "--golden", "golden.jsonl", "--resamples", "100")
TWO = ("-c", "fixed:size=300", "-c", "heading:size=300")


def report(run: Run, *arguments: str) -> Any:
    result = run(*COMPARE, *arguments, "--json", "-")
    assert (result.code, result.err) == (Exit.OK, "")
    return json.loads(result.out)


def test_json_on_standard_output_is_pure_and_whole(run: Run) -> None:
    result = run(*COMPARE, *TWO, "--json", "-")
    assert (result.code, result.err) == (Exit.OK, "")
    found = Report.from_json(result.out)
    assert [row.spec for row in found.candidates] == ["fixed:size=300", "heading:size=300"]
    assert found.golden["questions"] == 3
    assert found.decision is not None


def test_json_in_a_file_stands_beside_the_table(run: Run, folder: Path) -> None:
    result = run(*COMPARE, *TWO, "--json", "out.json")
    assert result.code == Exit.OK
    assert "FOUND: recall@1000words, 3 questions" in result.out
    assert "report written to out.json" in result.err
    again = report(run, *TWO)
    filed = json.loads((folder / "out.json").read_text("utf-8"))
    assert {**filed, "timings": {}} == {**again, "timings": {}}


def test_without_chunkers_all_built_in_ones_and_a_control_are_compared(run: Run) -> None:
    specs = [row["spec"] for row in report(run)["candidates"]]
    assert {spec.partition(":")[0] for spec in specs} == {
        "fixed",
        "recursive",
        "paragraph",
        "heading",
        "section",
    }
    assert sum(row["label"] == "size-matched" for row in report(run)["candidates"]) == 1


def test_sweeps_labels_and_retrievers_give_rows(run: Run) -> None:
    swept = report(run, "-c", "fixed:size=200|300", "-c", "mine=heading:size=250")
    assert [(row["spec"], row["label"]) for row in swept["candidates"]] == [
        ("fixed:size=200", ""),
        ("fixed:size=300", ""),
        ("heading:size=250", "mine"),
    ]
    crossed = report(run, *TWO, "-r", "bm25", "-r", "bm25:k1=1.2")
    assert len(crossed["candidates"]) == 4
    assert {row["retriever"] for row in crossed["candidates"]} == {"bm25", "bm25:k1=1.2"}


def test_options_reach_the_report(run: Run) -> None:
    found = report(
        run,
        *TWO,
        *("-k", "2,4", "--budget", "50", "--unit", "chars", "--rule", "overlap"),
        *("--primary", "hit@2", "--seed", "7", "--by", "kind,answer_length"),
    )
    settings = found["settings"]
    assert (settings["k"], settings["budgets"], settings["unit"]) == ([2, 4], [50], "chars")
    assert (settings["rule"], settings["primary"], settings["seed"]) == ("overlap", "hit@2", 7)
    assert settings["resamples"] == 100
    row = found["candidates"][0]
    assert {"hit@2", "recall@50chars"} <= set(row["measures"])
    assert row["tags"]["kind"]["when"]["questions"] == 2
    assert len(row["tags"]) == 3


def test_no_texts_keeps_the_documents_out(run: Run) -> None:
    assert "Press the left key" in json.dumps(report(run, *TWO))
    assert "Press the left key" not in json.dumps(report(run, *TWO, "--no-texts"))


def test_the_rest_is_scored_only_when_asked_for(run: Run, folder: Path) -> None:
    write_golden(folder / "golden.jsonl", timer="Press any key")
    assert run(*COMPARE, *TWO).code == Exit.GOLDEN
    result = run(*COMPARE, *TWO, "--score-rest")
    assert result.code == Exit.OK
    assert "1 of 3 questions" in result.out
    assert report(run, *TWO, "--score-rest")["golden"]["of"] == 3


def test_without_a_golden_set_headings_are_asked_for(run: Run) -> None:
    result = run("compare", "docs", "--resamples", "100", *TWO)
    assert result.code == Exit.OK
    assert "copied from headings" in result.out
    assert "WITHOUT THE HEADING LINES" in result.out
    assert "UNDER EACH HIT RULE" in result.out


def test_without_any_question_damage_and_sizes_are_shown(run: Run, folder: Path) -> None:
    (folder / "plain").mkdir()
    (folder / "plain" / "a.txt").write_text("One sentence of seven words stands here. " * 40, "utf-8")
    result = run("compare", "plain", "-c", "fixed:size=100", "-c", "sentence:size=100")
    assert result.code == Exit.OK
    assert result.out.startswith("no questions were asked")
    assert "THE CHUNKS" in result.out
    assert "FOUND" not in result.out
    assert "THE CHUNKS" in run("compare", "plain", "-c", "fixed:size=100", "-q").out
    assert "WHERE CHUNKS END" in run("compare", "plain", "-c", "fixed:size=100", "-v").out


def test_quiet_prints_less_and_verbose_more(run: Run) -> None:
    quiet, plain, verbose = (run(*COMPARE, *TWO, *level).out.splitlines() for level in (("-q",), (), ("-v",)))
    assert len(quiet) < len(plain) / 2 < len(verbose) / 2
    assert quiet[0] == plain[0] == verbose[0]
    assert any(line.startswith("WHERE CHUNKS END") for line in verbose)
    assert not any(line.startswith("WHERE CHUNKS END") for line in plain)


def test_files_that_were_left_out_are_told(run: Run, folder: Path) -> None:
    (folder / "docs" / "picture.png").write_bytes(b"\x89PNG\0")
    result = run(*COMPARE, *TWO)
    assert "picture.png" in result.out + result.err


def test_the_same_input_prints_the_same(run: Run) -> None:
    assert run(*COMPARE, *TWO).out == run(*COMPARE, *TWO).out


def test_further_measures_and_money(run: Run, folder: Path) -> None:
    (folder / "prices.toml").write_text('currency = "EUR"\nembedding = 20\ntokens_per_unit = 1.3\n', "utf-8")
    found = report(run, *TWO, "--measure", "precision@2", "--measure", "iou@2", "--prices", "prices.toml")
    for row in found["candidates"]:
        assert {"precision@2", "iou@2"} <= set(row["measures"])
        assert row["costs"]["money"]["index"] > 0
    printed = run(*COMPARE, *TWO, "--prices", "prices.toml").out
    assert "MONEY in EUR, by the price file" in printed
    assert "MONEY" not in run(*COMPARE, *TWO).out


def test_measures_and_prices_that_cannot_be_are_told_before_any_document_is_read(
    run: Run, folder: Path
) -> None:
    (folder / "docs" / "broken.md").write_bytes(b"\xff\xfe\xff")
    (folder / "prices.toml").write_text("embeding = 20\n", "utf-8")
    for arguments, said in (
        (("--measure", "precisio@2"), "did you mean 'precision'?"),
        (("--prices", "none.toml"), "none.toml: cannot be read"),
        (("--prices", "prices.toml"), "prices.toml:1: embeding is no known key; did you mean 'embedding'?"),
    ):
        result = run(*COMPARE, *TWO, *arguments)
        assert result.code != Exit.OK
        assert said in result.err
        assert "broken.md" not in result.err
