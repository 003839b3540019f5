"""`section`: one chunk a section, each with the chunk of the section above as parent."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwise.chunk import CHUNKERS, SectionChunker
from chunkwise.readers import read
from chunkwise.types import Chunk

GUIDE = """# Guide

Intro.

## Setup

Press it.

### Reset

Hold it.

#### Deep

More.

## Use

Turn it.
"""


def tree(chunks: list[Chunk]) -> dict[str, str | None]:
    """First line of each chunk -> first line of its parent."""
    lines = {chunk.id: chunk.text.split("\n")[0] for chunk in chunks}
    return {lines[chunk.id]: lines.get(chunk.parent or "") for chunk in chunks}


def test_the_nearest_section_above() -> None:
    assert tree(SectionChunker(size=200)(GUIDE)) == {
        "# Guide": None,
        "## Setup": "# Guide",
        "### Reset": "## Setup",
        "## Use": "# Guide",
    }
    assert tree(SectionChunker(size=200, levels=(1, 2, 3, 4))(GUIDE))["#### Deep"] == "### Reset"


def test_levels_that_are_not_chosen_stay_inside_and_are_no_parents() -> None:
    chunks = SectionChunker(size=200, levels=(1, 3))(GUIDE)
    assert tree(chunks) == {"# Guide": None, "### Reset": "# Guide"}
    assert "## Setup" in chunks[0].text


def test_a_section_cut_in_two_is_the_parent_with_its_first_piece() -> None:
    text = "# A\n\nOne two three.\n\nFour five six.\n\n## B\n\nSeven eight.\n\nNine ten.\n\n### C\n\nText.\n"
    chunks = SectionChunker(size=26)(text)
    by_text = {chunk.text: chunk for chunk in chunks}
    first_a, second_a = by_text["# A\n\nOne two three."], by_text["Four five six."]
    assert second_a.parent is None, "a later piece has the parent of its section"
    b = next(chunk for chunk in chunks if chunk.text.startswith("## B"))
    assert b.parent == first_a.id
    assert next(chunk for chunk in chunks if "Nine" in chunk.text).parent == first_a.id
    assert next(chunk for chunk in chunks if chunk.text.startswith("### C")).parent == b.id


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("# A\n\na\n\n### C\n\nc\n\n## B\n\nb\n", {"# A": None, "### C": "# A", "## B": "# A"}),
        ("### C\n\nc\n\n# A\n\na\n", {"### C": None, "# A": None}),
        ("# A\n\n## B\n\nb\n\n## C\n\nc\n", {"# A": None, "## C": "# A"}),
        ("Before.\n\n# A\n\na\n", {"Before.": None, "# A": None}),
        ("# A\n\na\n\n# A\n\nb\n\n## B\n\nc\n", {"# A": None, "## B": "# A"}),
        ("No heading.\n\nAt all.\n", {"No heading.": None}),
    ],
)
def test_trees(text: str, expected: dict[str, str | None]) -> None:
    assert tree(SectionChunker(size=200)(text)) == expected


def test_the_second_of_two_equal_titles_is_the_parent_of_what_is_below_it() -> None:
    chunks = SectionChunker(size=200)("# A\n\na\n\n# A\n\na\n\n## B\n\nc\n")
    assert chunks[0].indexed == chunks[1].indexed
    assert chunks[2].parent == chunks[1].id != chunks[0].id


def test_every_parent_comes_before_its_child_and_stands_above_it(shared: Path) -> None:
    for document in list(read(shared / "corpora" / "fastapi-docs"))[:30]:
        seen: dict[str, Chunk] = {}
        sections = document.sections
        for chunk in SectionChunker(size=400)(document):
            if chunk.parent is not None:
                above = seen[chunk.parent]
                assert above.span is not None
                # It may hold headings without text in front of its own.
                outermost = sections.at(above.span.start)
                assert sections.level[outermost] < sections.level[chunk.section]
                assert chunk.path[: len(sections.path(outermost))] == sections.path(outermost)
            else:
                # Nothing stands above it, or only headings without text that begin the chunk itself.
                number = sections.parent[chunk.section]
                assert chunk.span is not None
                assert number < 0 or sections.start[number] >= chunk.span.start
            seen[chunk.id] = chunk


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name != "section"])
def test_other_chunkers_make_no_tree(name: str) -> None:
    assert all(chunk.parent is None for chunk in CHUNKERS[name]()(GUIDE))
