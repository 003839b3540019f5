"""What the pages say of search by meaning, on the Constitution and on the manuals, comes out with MiniLM."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts.choices import on_manuals
from scripts.figures import MAKERS, blocks
from scripts.meaning import CUT, FIRST_THREE, FIXED, FOUND, PARAGRAPH, PATH, Manuals, cleaned, handbook

# The demonstration embeds the same manuals: one worker does both, and embeds them once.
pytestmark = [pytest.mark.xdist_group("minilm"), pytest.mark.usefixtures("vectors")]
DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def manuals(vectors: Path) -> Manuals:
    del vectors
    return Manuals()


def mean(manuals: Manuals, row: str, measure: str = FOUND, group: str = "all") -> float:
    return float(manuals.values(row, measure, group).mean())


def test_the_heading_chunker_finds_more_than_windows_and_paragraphs(manuals: Manuals) -> None:
    decided = manuals.report.decision
    assert decided is not None
    assert decided.ruled_out == (FIXED, PARAGRAPH)
    assert mean(manuals, PATH) > mean(manuals, CUT) > mean(manuals, PARAGRAPH) > mean(manuals, FIXED)
    assert mean(manuals, PATH) > 0.9
    assert mean(manuals, FIXED) < 0.65


@pytest.mark.parametrize("other", [PARAGRAPH, FIXED])
def test_the_gap_is_where_answers_say_the_unit(manuals: Manuals, other: str) -> None:
    unit, others = (manuals.gain(other, PATH, FOUND, group) for group in ("unit", "others"))
    assert len(manuals.groups["unit"]) == 96
    assert len(manuals.groups["others"]) == 149
    assert unit.value > 2 * others.value > 0
    assert unit.low > 0


def test_cut_and_path_are_told_apart(manuals: Manuals) -> None:
    def gains(measure: str, group: str) -> tuple[float, float]:
        """Of the cut, of the path."""
        cut = manuals.gain(PARAGRAPH, CUT, measure, group)
        return cut.value, manuals.gain(CUT, PATH, measure, group).value

    # The path adds most where the answer does not name its device, and in the first chunks.
    for measure, group in ((FOUND, "unit"), (FIRST_THREE, "unit"), (FIRST_THREE, "all")):
        cut, path = gains(measure, group)
        assert path > 2 * cut, (measure, group)
        assert manuals.gain(CUT, PATH, measure, group).low > 0
    # It brings nothing where the answer names it, so that over all questions the cut adds more at a budget.
    others = manuals.gain(CUT, PATH, FOUND, "others")
    assert others.low < 0 < others.high
    cut, path = gains(FOUND, "all")
    assert cut > path > 0


def test_the_verdict_says_where_windows_and_paragraphs_tie(manuals: Manuals) -> None:
    plain = manuals.compare([FIXED, PARAGRAPH], FIRST_THREE).decision
    assert plain is not None
    assert plain.verdict == "tie"
    assert set(plain.tied) == {FIXED, PARAGRAPH}
    assert "cannot be told from the other row" in plain.reasons[0]


@pytest.mark.parametrize("name", ["constitution-minilm", "manuals-minilm"])
def test_figures_are_the_ones_that_come_out(name: str, shared: Path) -> None:
    written = blocks((DOCS / "published.md").read_text("utf-8"))
    made = MAKERS[name](shared / "corpora")
    assert made is not None
    assert written[name] == made, "write them anew with: make figures"


def test_figures_of_clean_indexes_are_the_ones_that_come_out() -> None:
    # Without the tutorial, which takes minutes to embed.
    written = blocks((DOCS / "cleaning.md").read_text("utf-8"))["index-clean"].splitlines()
    for name, asked in (("near-duplicate manuals", on_manuals()), ("policies of a company", handbook())):
        own = [line for line in written if line.startswith(f"| {name}")]
        title = own[0].split(" | ")[0].removeprefix("| ")
        assert own == list(cleaned(title, *asked)), "write them anew with: make figures"
