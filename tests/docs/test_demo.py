"""`make demo` walks five steps, and what it prints is what was measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from examples.demo import __main__ as demo
from examples.demo.corpora import HARD, Compared, load_all
from examples.demo.steps import FIRST_FIVE, FOUND, to_ship
from rich.console import Console

from chunkwise.cli.exits import Exit
from chunkwise.index.embedders import make_embedder
from chunkwise.report.tables import percent

pytestmark = pytest.mark.xdist_group("minilm")
STEPS = [f"{number}. " for number in range(1, 6)]


class Shown(NamedTuple):
    """What a run of the demonstration measured and printed."""

    compared: list[Compared]
    printed: str


def run() -> Shown:
    console = Console(width=demo.WIDTH, highlight=False, markup=False, emoji=False)
    with console.capture() as capture:
        compared = demo.show(console, load_all())
    return Shown(compared, capture.get())


@pytest.fixture(scope="module")
def without() -> Shown:
    """A run where the packages of the model are not installed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("chunkwise.index.embedders.minilm._WEIGHTS", "no_such_package")
        make_embedder.cache_clear()
        return run()


@pytest.fixture(scope="module")
def both(vectors: Path) -> Shown:
    """A run with both searches. Two corpora are embedded for it."""
    del vectors
    return run()


@pytest.fixture(params=["without", "both"])
def shown(request: pytest.FixtureRequest) -> Shown:
    return request.getfixturevalue(request.param)


def test_it_is_five_steps_on_two_screens(shown: Shown) -> None:
    lines = shown.printed.splitlines()
    titles = [line for line in lines if re.match(r"\d\. [A-Z]", line)]
    assert [title[:3] for title in titles] == STEPS
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 150


def test_it_shows_recall_chunks_and_mean_size_of_each_chunker(shown: Shown) -> None:
    for one in shown.compared:
        table = shown.printed.split(f"\n{one.name} ")[1].split("\n\n")[0].split("\nBy meaning")[0]
        for row in one.report.candidates:
            figures = [
                *(percent(report[row.name].measures[FOUND].value) for report in one.reports.values()),
                percent(row.measures[FIRST_FIVE].value),
                f"{row.chunks:,}",
                f"{row.sizes['mean']:,.0f}",
            ]
            pattern = r"\s.*?\s".join(map(re.escape, figures))
            assert re.search(rf"{pattern}\b", table), (one.name, row.name)
        assert len(table.splitlines()) == len(one.report.candidates) + 1


def test_it_searches_by_words_and_by_meaning(both: Shown) -> None:
    assert [(one.name, list(one.reports)) for one in both.compared] == [
        ("handbook", ["BM25", "MiniLM"]),
        ("manuals", ["BM25", "MiniLM"]),
        ("docs", ["BM25"]),
    ]
    assert {row.retriever for one in both.compared for row in one.report.candidates} == {
        "bm25",
        "dense:model=minilm",
    }
    assert "MiniLM searches by meaning" in both.printed
    assert "vectors-1.sqlite3" in re.sub(r"\s", "", both.printed)
    assert "not installed" not in both.printed


def test_it_says_what_it_changes_to_search_by_meaning(both: Shown) -> None:
    said = re.findall(r"By meaning instead of by words: ([+-][\d.]+) points in\s+the mean", both.printed)
    means = [
        [sum(row.measures[FOUND].value for row in report.candidates) / 8 for report in one.reports.values()]
        for one in both.compared
        if one.meaning
    ]
    assert [float(points) for points in said] == pytest.approx(
        [100 * (meaning - words) for words, meaning in means], abs=0.051
    )


def test_without_the_model_it_searches_by_words_and_says_how_to_get_it(without: Shown) -> None:
    assert all(list(one.reports) == ["BM25"] for one in without.compared)
    assert "The model minilm is not installed, so BM25 searches alone here" in without.printed
    assert "\n    .venv/bin/python -m pip install -e '.[minilm]'\n" in without.printed
    assert "dense:minilm" not in without.printed


def test_it_can_be_interrupted(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "load_all", interrupt)
    assert demo.main() == Exit.INTERRUPTED
    assert capsys.readouterr().err == "interrupted; the next run goes on from what is in the cache\n"


def test_it_marks_the_cut_between_the_heading_and_the_row(shown: Shown) -> None:
    handbook = next(one for one in shown.compared if one.name == "handbook")
    gold = handbook.asked.golden[HARD].golds[0].quote
    step = shown.printed.split("\n3. ")[1].split("\n4. ")[0]
    marks = ("### Grade 7 and above", "- cut: ", f"{gold}   <- the")
    heading, cut, row = map(step.index, marks)
    assert heading < cut < row
    assert "Grade 7" not in step[cut:row]


def test_it_shows_the_heading_chunk_with_its_path(shown: Shown) -> None:
    handbook = next(one for one in shown.compared if one.name == "handbook")
    step = shown.printed.split("\n4. ")[1].split("\n5. ")[0]
    assert "Rank 1" in step
    path, row = step.index("Notice period   <- path"), step.index(handbook.asked.golden[HARD].golds[0].quote)
    assert path < step.index("### Grade 7 and above") < row


def test_it_says_what_to_ship_and_what_would_change_that(shown: Shown) -> None:
    chosen = to_ship(shown.compared)
    assert chosen is not None
    step = shown.printed.split("\n5. ")[1]
    assert f"Ship {chosen.name}" in step
    assert "What would change that:" in step
    for one in shown.compared:
        for report in one.reports.values():
            assert report.decision is not None
            assert chosen.name in report.decision.tied
            assert chosen.name not in report.decision.ruled_out
