"""The benchmark of cutting in tokens runs. No test asks how fast anything is."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks import speed_pages, tokens

pytest.importorskip("tiktoken")
pytest.importorskip("langchain_text_splitters")


def test_it_measures_each_tokenizer_against_all(folder: Any) -> None:
    made = speed_pages.pages(folder)[:4]
    found = tokens.measured(made, 1)
    assert found["characters"] == speed_pages.characters(made)
    assert found["rows"][0]["tokenizer"] == "cl100k"
    for row in found["rows"]:
        assert set(row["milliseconds"]) == {"first", "further", "encode", "langchain"}
        assert all(least > 0 for ratio in row["ratios"].values() for least in ratio)
    told = tokens.table(found)
    assert told.count("| cl100k |") == 1 + len(tokens.ROWS)


def test_a_ratio_is_held_against_its_aim() -> None:
    ratios = {"encode": [0.7, 0.7, 0.7], "langchain": [1.99, 1.9, 2.0], "further": [25.0, 20.0, 30.0]}
    milliseconds = dict.fromkeys(("first", "further", "encode", "langchain"), 1234.5)
    row = {"tokenizer": "cl100k", "milliseconds": milliseconds, "ratios": ratios}
    plain = {
        "versions": {"one": "1"},
        "files": 3,
        "characters": 1_500_000,
        "sizes": [400, 256],
        "rows": [row],
    }
    lines = tokens.table(plain).splitlines()
    assert lines[0] == "Measured with one 1 on 3 pages of 1.5 MB, at most 400 tokens a chunk, then 256."
    assert [line.split(" | ")[-1].rstrip(" |") for line in lines[-3:]] == ["yes", "no", "yes"]
    assert "| cl100k | 1,234 ms/MB | 1,234 ms/MB | 1,234 ms/MB | 1,234 ms/MB |" in lines
