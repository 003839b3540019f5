"""Shipping at scale: a step measures what it says, what is measured is not measured again, aims are held."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from benchmarks.shipping import STEPS, Bench, corpus, edited, main, questions, static_model
from benchmarks.shipping_table import aims, markdown
from scripts import scale

from benchmarks import shipping_one
from chunkwise.ship.shipping import STAGES


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small corpus and the model."""
    folder = tmp_path_factory.mktemp("work")
    static_model(folder / "model")
    corpus(folder / "manuals-22", 22)
    return folder


def test_a_ship_and_searches_are_measured(
    work: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path / "cache"))
    docs, model = work / "manuals-22" / "docs", str(work / "model")
    store = f"lancedb:{tmp_path / 'index'}"

    def measured(*arguments: str) -> dict[str, Any]:
        assert shipping_one.main(list(arguments)) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    first = measured("ship", str(docs), store, "section:size=2000", model)
    assert set(first["phases"]) == {"start", *STAGES} - {"copy"}
    assert first["work"]["embedded"] == first["chunks"] > 100
    assert first["phases"]["embed"]["cpu"] > 0
    assert first["phases"]["embed"]["peak"] > 10_000_000
    again = measured("ship", str(docs), store, "section:size=2000", model)
    assert again["unchanged"]
    path = sorted(docs.glob("*.md"))[11]
    before = path.read_bytes()
    with edited(path, 1):
        one = measured("ship", str(docs), store, "section:size=2000", model)
    assert path.read_bytes() == before
    assert (one["work"]["cut"], one["work"]["embedded"]) == (1, 1)
    assert one["chunks"] == first["chunks"] + 1
    assert "copy" in one["phases"]
    golden = str(questions(work / "manuals-22"))
    asked = measured("ship", str(docs), store, "section:size=2000", model, golden)
    assert asked["questions"] == 200
    with edited(path, 2):
        changed = measured("ship", str(docs), store, "section:size=2000", model, golden)
    assert (changed["work"]["cut"], changed["questions"]) == (1, 200)
    found = measured("search", str(work / "manuals-22" / "golden.jsonl"), store, model)
    assert 0 < found["p50"] <= found["p99"]
    assert found["recall"] == 1  # so few are searched without a graph


def step(cpu: float, peak: float, **more: Any) -> dict[str, Any]:
    row = {"wall": 2 * cpu, "cpu": cpu, "server": 0.0, "peak": peak * 1e6}
    phases = {
        name: dict(row) for name in ("start", "read", "copy", "cut", "embed", "write", "index", "check")
    }
    return {"phases": phases, "chunks": 1000, "work": {"embedded": 1}, "load": 1.0, **more}


def runs() -> dict[str, Any]:
    """A run that meets every aim."""
    search = {"p50": 0.004, "p99": 0.009, "cpu": 0.003, "recall": 0.995, "load": 2.0}
    steps = {"first": step(100, 300), "again": step(4, 300), "one": step(9, 300), "search": search}
    steps |= {"asked": step(40, 300, questions=200), "edited": step(9, 300, questions=200)}
    small = {**copy.deepcopy(steps), "first": step(10, 280)}
    about = {"versions": {"numpy": "2"}, "cores": 2, "machine": "x86_64, Linux"}
    return {"about": about, "runs": {"15000 section lancedb": steps, "1500 section lancedb": small}}


def test_tables_of_a_run() -> None:
    text = markdown(runs())
    assert (
        "| 15,000, section, LanceDB | 1,000 | 23.3 min | 300 MB | 4.0 ms | 9.0 ms | 3.0 ms | 99.5 % |" in text
    )
    assert "| 15,000, section, LanceDB | 280 MB | 300 MB | 7 % | 300 MB | 300 MB |" in text
    assert "| 15,000, section, LanceDB | 700 | 28.0 (4.0 %) | 63.0 (9.0 %) | 9.0 | 9.0 | 9.0 | 1 |" in text
    assert "| 15,000, section, LanceDB | 40.0 | 63.0 (9.0 % of the first ship) | 9.0 |" in text
    assert (
        "| the article: 15,000, paragraph, Qdrant, 4 cores | 213,000 | 71 min | | 6.9 ms | 19.3 ms | | |"
        in text
    )
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        assert len({line.count("|") for line in table.splitlines()}) == 1, table


def test_aims_are_held_against_the_largest_number_of_documents() -> None:
    assert aims(runs()) == []
    name = "15000 section lancedb"
    changes: list[tuple[str, dict[str, Any], str]] = [
        ("again", step(6, 300), "again takes 6%"),
        ("one", step(11, 300), "one takes 11%"),
        ("edited", step(11, 300), "edited takes 11%"),
        ("one", step(9, 300, work={"embedded": 2}), "more than the new section"),
        ("first", step(100, 337), "337 MB, and 280 MB for fewer"),
    ]
    for which, changed, said in changes:
        data = runs()
        data["runs"][name][which] = changed
        (missed,) = aims(data)
        assert said in missed


def test_what_is_measured_is_not_measured_again(work: Path, tmp_path: Path) -> None:
    file = tmp_path / "shipping.json"
    data = runs()
    data["runs"] = {"22 section lancedb": data["runs"]["15000 section lancedb"]}
    file.write_text(json.dumps(data), "utf-8")
    before = file.stat().st_mtime_ns
    Bench(work, file, "", None).run(22, "section", "lancedb", STEPS)
    assert file.stat().st_mtime_ns == before


def test_the_page_has_the_figures_of_the_last_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scale, "FILE", tmp_path / "none.json")
    assert scale.tables(tmp_path) is None
    kept = tmp_path / "one.json"
    kept.write_text(json.dumps(runs()), "utf-8")
    monkeypatch.setattr(scale, "FILE", kept)
    assert scale.tables(tmp_path) == markdown(runs())


def test_another_step_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--step", "third"])
    assert "invalid choice: 'third'" in capsys.readouterr().err
