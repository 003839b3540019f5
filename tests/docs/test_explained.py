"""docs/explain.md shows what `chunkwise explain` prints: the heading cut from its row, and the path."""

from __future__ import annotations

from pathlib import Path

from scripts.figures import MAKERS, blocks

from chunkwise.evaluate.misses import PARTIAL, REASONS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "explain.md").read_text("utf-8")


def test_the_page_shows_what_is_printed() -> None:
    assert blocks(PAGE)["explain"] == MAKERS["explain"](ROOT), "write it anew with: make figures"


def test_windows_part_the_heading_from_the_row_and_the_heading_chunk_has_its_path() -> None:
    printed = blocks(PAGE)["explain"]
    fixed, heading = printed.split("\nfixed:size=800: ")[1].split("\nheading:size=800: ")
    assert 'the heading "Grade 7 and\nabove" was cut off from it' in fixed
    assert "---- cut between the heading and the answer" in fixed
    holder = heading.split("  1. ")[1].split("  2. ")[0]
    assert "<- holds the answer" in holder.splitlines()[0]
    assert holder.index("[Leaving Ashdene Freight > Notice period]") < holder.index("### Grade 7 and above")
    assert "| After the trial period | 90 days |" in holder


def test_every_reason_is_told() -> None:
    table = PAGE.split("## The reasons")[1].split("\n\n")[1].splitlines()[2:]
    assert [line.split("`")[1] for line in table] == [*REASONS, PARTIAL]
