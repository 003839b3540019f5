"""`heading`: keeps to the sections, and carries the heading path."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwise.chunk import Fixed, Heading, Page, Paragraph, SectionChunker
from chunkwise.chunk.structural import Blockwise
from chunkwise.errors import SettingError
from chunkwise.readers import read
from chunkwise.structure import parse_markdown, parse_plain
from chunkwise.text import is_blank
from chunkwise.types import Chunk, Document

GUIDE = """# Guide

Intro.

## Setup

Press the key for two seconds. Let it go.

Wait until the lamp is green. Then press it again, and wait for a minute or two.

### Reset

Hold the key.

## Use
"""


def context(chunk: Chunk) -> str:
    return dict(chunk.context).get("path", "")


@pytest.mark.parametrize(
    "before", ["", "\n", "\n \n\n", "\r\n", "---\nkey: value\n---\n", "---\nkey: value\n---\n\n"]
)
def test_blank_lines_before_the_first_heading_change_nothing(before: str) -> None:
    (chunk,) = Heading(size=80)(before + "# Pumps\n\nOne litre.\n")
    assert chunk.text == "# Pumps\n\nOne litre."
    assert chunk.context == ()


def test_a_chunk_with_its_own_heading_carries_those_above_and_a_later_one_all() -> None:
    chunks = Heading(size=70)(GUIDE)
    assert [(chunk.text.split("\n")[0], context(chunk), chunk.path) for chunk in chunks] == [
        ("# Guide", "", ("Guide",)),
        ("## Setup", "Guide", ("Guide", "Setup")),
        ("Wait until the lamp is green.", "Guide > Setup", ("Guide", "Setup")),
        ("Then press it again, and wait for a minute or two.", "Guide > Setup", ("Guide", "Setup")),
        ("### Reset", "Guide > Setup", ("Guide", "Setup", "Reset")),
        ("## Use", "Guide", ("Guide", "Use")),
    ]


def test_the_indexed_string_is_the_context_a_line_each_and_the_text() -> None:
    for chunk in Heading(size=70)(GUIDE):
        assert chunk.indexed == "".join(f"{text}\n" for _, text in chunk.context) + chunk.text
        assert chunk.match == chunk.span


def test_the_path_is_known_also_where_it_is_not_indexed() -> None:
    chunks = Heading(size=70, path=False)(GUIDE)
    assert all(chunk.context == () and chunk.indexed == chunk.text for chunk in chunks)
    assert chunks[-2].path == ("Guide", "Setup", "Reset")


@pytest.mark.parametrize(
    ("levels", "starts"),
    [
        ((1,), ["# Guide"]),
        ((2,), ["# Guide", "## Setup", "## Use"]),
        ((1, 2), ["# Guide", "## Setup", "## Use"]),
        ((3,), ["# Guide", "### Reset"]),
        ((4, 5, 6), ["# Guide"]),
    ],
)
def test_only_headings_of_the_levels_are_cut_at(levels: tuple[int, ...], starts: list[str]) -> None:
    assert [chunk.text.split("\n")[0] for chunk in Heading(size=1_000, levels=levels)(GUIDE)] == starts


@pytest.mark.parametrize("size", [20, 60, 200, 1_000])
def test_no_chunk_has_text_of_two_sections(shared: Path, size: int) -> None:
    for document in list(read(shared / "corpora" / "fastapi-docs"))[:25]:
        sections = document.sections
        for chunk in Heading(size=size)(document):
            assert chunk.span is not None
            start, end = chunk.span
            first, last = sections.at(start), sections.at(end - 1)
            bodies = [
                document.text[max(sections.body[i], start) : sections.end[i]] for i in range(first, last)
            ]
            assert all(map(is_blank, bodies)), "only headings without text stand in front"


def test_headings_in_lists_quotes_and_code_are_text() -> None:
    text = "# A\n\n- # b\n\n> # c\n\n```\n# d\n```\n"
    (chunk,) = Heading(size=200)(text)
    assert chunk.text == text.strip()


@pytest.mark.parametrize("text", ["One.\n\nTwo.\n\nThree four five.\n", "One.\n\nTwo.\n\n- a\n- b\n"])
def test_without_headings_paragraphs_are_packed(text: str) -> None:
    for parse in (parse_plain, parse_markdown):
        chunks = Heading(size=12)(Document("a.txt", text, parse))
        assert chunks[0].text == "One.\n\nTwo."
        assert all(chunk.path == () and chunk.context == () for chunk in chunks)


def test_the_title_of_the_front_matter_stands_above_all() -> None:
    text = "---\ntitle: Manual\n---\n\nBefore.\n\n## A\n\nText.\n"
    before, inside = Heading(size=100)(text)
    assert (context(before), before.path) == ("Manual", ("Manual",))
    assert (context(inside), inside.path) == ("Manual", ("Manual", "A"))


def test_a_first_heading_takes_the_place_of_the_title() -> None:
    (chunk,) = Heading(size=100)("---\ntitle: Manual\n---\n\n# Pumps\n\nText.\n")
    assert (context(chunk), chunk.path) == ("", ("Pumps",))


def test_front_matter_is_metadata_or_a_chunk() -> None:
    text = "---\ntitle: Manual\nauthor: me\n---\n# A\n\nText.\n"
    assert [chunk.text for chunk in Heading(size=100)(text)] == ["# A\n\nText."]
    assert [chunk.text for chunk in Heading(size=100, front_matter=True)(text)] == [
        "---\ntitle: Manual\nauthor: me\n---",
        "# A\n\nText.",
    ]


def test_a_heading_without_text_stands_in_front_of_the_next_and_the_chunk_belongs_to_that() -> None:
    first, last = Heading(size=100)("# A\n\n## B\n\nText.\n\n## C\n")
    assert (first.text, first.path, context(first)) == ("# A\n\n## B\n\nText.", ("A", "B"), "")
    assert (last.text, last.path, context(last)) == ("## C", ("A", "C"), "A")


def test_ids_of_a_section_do_not_change_with_another() -> None:
    edited = GUIDE.replace("Press the key", "Push the button")
    before = {chunk.indexed: chunk.id for chunk in Heading(size=70)(GUIDE)}
    after = {chunk.indexed: chunk.id for chunk in Heading(size=70)(edited)}
    same = before.keys() & after.keys()
    assert len(same) == len(before) - 1
    assert all(before[indexed] == after[indexed] for indexed in same)


def test_equal_chunks_have_ids_of_their_own() -> None:
    chunks = Heading(size=100)("# A\n\nText.\n\n# A\n\nText.\n\n# A\n\nText.\n")
    assert [chunk.number for chunk in chunks] == [0, 1, 2]
    assert len({chunk.id for chunk in chunks}) == 3


def test_chunks_that_begin_alike_are_numbered_by_their_text() -> None:
    chunks = Heading(size=100)(
        "# A\n\nText.\n\n# B\n\nText.\n\n# A\n\nText.\n\n# B\n\nText.\n\n# B\n\nText.\n"
    )
    assert [chunk.number for chunk in chunks] == [0, 0, 1, 1, 2]
    lone = Fixed(size=1)("#\n#")
    assert [(chunk.text, chunk.number) for chunk in lone if chunk.text == "#"] == [("#", 0), ("#", 1)]


@pytest.mark.parametrize("unit", ["chars", "words", "cl100k"])
@pytest.mark.parametrize("make", [Heading, SectionChunker])
def test_without_the_path_the_cuts_are_the_same(shared: Path, make: type[Heading], unit: str) -> None:
    documents = list(read(shared / "corpora" / "fastapi-docs"))[:20]
    for size in (60, 200):
        for document in documents:
            with_path = make(size=size, unit=unit)(document)
            without = make(size=size, unit=unit, path=False)(document)
            assert [chunk.span for chunk in with_path] == [chunk.span for chunk in without]
            for one, two in zip(with_path, without, strict=True):
                assert two.context == tuple(part for part in one.context if part[0] != "path")


def test_a_path_that_is_left_out_is_neither_shortened_nor_refused() -> None:
    text = "# " + "A long title " * 5 + "\n\nOne two three four five six.\n\nSeven eight nine ten eleven.\n"
    chunks = Heading(size=40, path=False)(text)
    assert all("context shortened" not in chunk.marks for chunk in chunks)
    assert [c.span for c in Heading(size=40, path=False, context="strict")(text)] == [c.span for c in chunks]
    assert [c.span for c in Heading(size=40)(text)] == [c.span for c in chunks]


@pytest.mark.parametrize("make", [Heading, SectionChunker, Paragraph, Page])
def test_without_the_header_of_a_table_the_cuts_are_the_same(make: type[Blockwise]) -> None:
    handbook = Path(__file__).parents[2] / "examples" / "handbook" / "docs"
    headers = 0
    for document in read(handbook):
        with_header = make(size=300)(document)
        without = make(size=300, table_header=False)(document)
        assert [chunk.span for chunk in with_header] == [chunk.span for chunk in without]
        for one, two in zip(with_header, without, strict=True):
            assert two.context == tuple(part for part in one.context if part[0] != "header")
            headers += one.context != two.context
    assert headers > 0


def test_a_header_that_is_left_out_is_neither_shortened_nor_refused() -> None:
    rows = "".join(f"| pump {n} | {n} bar |\n" for n in range(9))
    text = f"| The name of the pump | The pressure it is built for |\n|---|---|\n{rows}"
    kept = Heading(size=90)(text)
    assert any("context shortened" in chunk.marks for chunk in kept)
    chunks = Heading(size=90, table_header=False)(text)
    assert all("context shortened" not in chunk.marks for chunk in chunks)
    strict = Heading(size=90, table_header=False, context="strict")(text)
    assert [c.span for c in strict] == [c.span for c in chunks] == [c.span for c in kept]
    with pytest.raises(SettingError, match="more than half of the size"):
        Heading(size=90, context="strict")(text)
