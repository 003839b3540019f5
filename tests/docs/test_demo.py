"""`make demo` walks five steps, and what it prints is what was measured."""

from __future__ import annotations

import re

import pytest
from examples.demo import __main__ as demo
from examples.demo.corpora import HARD, Compared, compare_all
from examples.demo.steps import FIRST_FIVE, FOUND, to_ship
from rich.console import Console

from chunkwise.report.tables import percent

pytestmark = pytest.mark.xdist_group("demo")
STEPS = [f"{number}. " for number in range(1, 6)]


@pytest.fixture(scope="module")
def compared() -> list[Compared]:
    return compare_all()


@pytest.fixture(scope="module")
def printed(compared: list[Compared]) -> str:
    console = Console(width=80, highlight=False, markup=False, record=True, file=None, quiet=False)
    with console.capture() as capture:
        demo.show(console, compared)
    return capture.get()


def test_it_is_five_steps_on_two_screens(printed: str) -> None:
    lines = printed.splitlines()
    titles = [line for line in lines if re.match(r"\d\. [A-Z]", line)]
    assert [title[:3] for title in titles] == STEPS
    assert max(map(len, lines)) <= 80
    assert len(lines) <= 130


def test_it_shows_recall_chunks_and_mean_size_of_each_chunker(printed: str, compared: list[Compared]) -> None:
    for one in compared:
        table = printed.split(f"\n{one.name} ")[1].split("\n\n")[0]
        for row in one.report.candidates:
            figures = [
                percent(row.measures[FOUND].value),
                percent(row.measures[FIRST_FIVE].value),
                f"{row.chunks:,}",
                f"{row.sizes['mean']:,.0f}",
            ]
            pattern = r"\s.*\s".join(map(re.escape, figures))
            assert re.search(rf"{pattern}\b", table), (one.name, row.name)
        assert len(table.splitlines()) == len(one.report.candidates) + 1


def test_it_marks_the_cut_between_the_heading_and_the_row(printed: str, compared: list[Compared]) -> None:
    handbook = next(one for one in compared if one.name == "handbook")
    gold = handbook.golden[HARD].golds[0].quote
    step = printed.split("\n3. ")[1].split("\n4. ")[0]
    marks = ("### Grade 7 and above", "- cut: ", f"{gold}   <- the")
    heading, cut, row = map(step.index, marks)
    assert heading < cut < row
    assert "Grade 7" not in step[cut:row]


def test_it_shows_the_heading_chunk_with_its_path(printed: str, compared: list[Compared]) -> None:
    handbook = next(one for one in compared if one.name == "handbook")
    step = printed.split("\n4. ")[1].split("\n5. ")[0]
    assert "Rank 1" in step
    path, row = step.index("Notice period   <- path"), step.index(handbook.golden[HARD].golds[0].quote)
    assert path < step.index("### Grade 7 and above") < row


def test_it_says_what_to_ship_and_what_would_change_that(printed: str, compared: list[Compared]) -> None:
    chosen = to_ship(compared)
    assert chosen is not None
    step = printed.split("\n5. ")[1]
    assert f"Ship {chosen.name}" in step
    assert "What would change that:" in step
    for one in compared:
        decision = one.report.decision
        assert decision is not None
        assert chosen.name in decision.tied
        assert chosen.name not in decision.ruled_out
