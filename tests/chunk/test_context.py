"""Context: what is indexed with a chunk and is no part of it; how it is shortened."""

from __future__ import annotations

import pytest

from chunkwise.chunk import Heading, Paragraph, SectionChunker
from chunkwise.chunk.base import BaseChunker
from chunkwise.errors import SettingError
from chunkwise.types import Chunk

CODE = "```python\none = 1\ntwo = 2\n\nthree = 3\nfour = 4\n```\n"
ROWS = "| name | use |\n|------|-----|\n" + "".join(f"| {c} | one {c} |\n" for c in "ABCDEFGH")
NESTED = (
    "- Open the door\n  - Turn the handle\n    1. to the left\n    2. to the right\n  - Push\n- Close it\n"
)
BOX = '!!! warning "Hot"\n    One two three. Four five six.\n\n    Seven eight nine.\n'


def parts(chunk: Chunk) -> list[tuple[str, str]]:
    return list(chunk.context)


def holding(chunks: list[Chunk], needle: str) -> Chunk:
    (found,) = [chunk for chunk in chunks if needle in chunk.text]
    return found


@pytest.mark.parametrize("make", [Paragraph, Heading, SectionChunker])
class TestInside:
    def test_the_line_that_opens_a_fence(self, make: type[BaseChunker]) -> None:
        first, *later = make(size=36)(CODE)  # type: ignore[call-arg]
        assert parts(first) == []
        assert all(parts(chunk) == [("fence", "```python")] for chunk in later)
        assert later

    def test_the_header_of_a_table(self, make: type[BaseChunker]) -> None:
        first, *later = make(size=80)(ROWS)  # type: ignore[call-arg]
        assert parts(first) == []
        assert all(parts(chunk) == [("header", "| name | use |\n|------|-----|")] for chunk in later)
        assert later
        assert "".join(chunk.text + "\n" for chunk in (first, *later)) == ROWS

    @pytest.mark.parametrize("overlap", [0, 20])
    @pytest.mark.parametrize("unit", ["chars", "words"])
    def test_what_stands_behind_a_table_has_not_its_header(
        self, make: type[BaseChunker], overlap: int, unit: str
    ) -> None:
        size = 80 if unit == "chars" else 24
        chunks = make(size=size, overlap=overlap, unit=unit)(ROWS + "\nBehind.\n")  # type: ignore[call-arg]
        behind = holding(chunks, "Behind.")
        assert parts(behind) == []
        assert behind.text == "Behind."
        assert "header" in dict(chunks[-2].context)

    def test_the_items_above_a_nested_one(self, make: type[BaseChunker]) -> None:
        chunks = make(size=70)(NESTED)  # type: ignore[call-arg]
        right = holding(chunks, "2. to the right")
        assert right.text.startswith("    2. to the right")
        assert parts(right) == [("item", "- Open the door"), ("item", "- Turn the handle")]
        assert parts(chunks[0]) == []

    def test_an_item_of_the_first_level_needs_nothing(self, make: type[BaseChunker]) -> None:
        chunks = make(size=20)("- one two three\n- four five six\n- seven eight\n")  # type: ignore[call-arg]
        assert len(chunks) == 3
        assert all(parts(chunk) == [] for chunk in chunks)

    def test_the_label_of_a_box(self, make: type[BaseChunker]) -> None:
        first, *later = make(size=40)(BOX)  # type: ignore[call-arg]
        assert first.text.startswith('!!! warning "Hot"')
        assert all(parts(chunk) == [("label", '!!! warning "Hot"')] for chunk in later)
        assert later

    def test_an_indented_code_block_has_no_line_that_opens_it(self, make: type[BaseChunker]) -> None:
        chunks = make(size=14)("    one = 1\n    two = 2\n    three = 3\n")  # type: ignore[call-arg]
        assert len(chunks) == 3
        assert all(parts(chunk) == [] for chunk in chunks)
        assert [chunk.text for chunk in chunks] == ["    one = 1", "    two = 2", "    three = 3"]


def test_the_path_stands_first() -> None:
    chunk = holding(Heading(size=60)("# Guide\n\n## Code\n\n" + CODE), "four")
    assert parts(chunk) == [("path", "Guide > Code"), ("fence", "```python")]
    assert chunk.indexed.startswith("Guide > Code\n```python\n")


class TestShortening:
    TEXT = "# Outermost title\n\n## Middle title\n\n### Inner\n\nOne two three four.\n\nFive six seven.\n"

    @pytest.mark.parametrize(
        ("size", "path", "shortened"),
        [
            (82, "Outermost title > Middle title > Inner", False),
            (76, "… > Middle title > Inner", True),
            (50, "… > Middle title > Inner", True),
            (48, "… > Inner", True),
            (22, "… > Inner", True),
            (16, "… > In…", True),
        ],
    )
    def test_titles_go_from_the_outermost(self, size: int, path: str, shortened: bool) -> None:
        chunks = Heading(size=size)(self.TEXT)
        later = [chunk for chunk in chunks if chunk.context and not chunk.text.startswith("#")]
        assert {chunk.context[0][1] for chunk in later if chunk.section == 3} == {path}
        assert {"context shortened" in chunk.marks for chunk in later if chunk.section == 3} == {shortened}

    @pytest.mark.parametrize("size", range(1, 90))
    def test_it_takes_at_most_half_of_the_size(self, size: int) -> None:
        for chunk in Heading(size=size)(self.TEXT + "\n" + CODE + "\n" + ROWS + "\n" + NESTED + "\n" + BOX):
            assert len(chunk.indexed) <= size
            assert sum(len(text) + 1 for _, text in chunk.context) <= size // 2
            if "context shortened" not in chunk.marks:
                assert not any("…" in text for _, text in chunk.context)

    @pytest.mark.parametrize("unit", ["words", "cl100k"])
    @pytest.mark.parametrize("size", [8, 12, 16, 24])
    def test_half_of_the_size_in_other_units(self, unit: str, size: int) -> None:
        from chunkwise.text import counter

        count = counter(unit).count
        for chunk in Heading(size=size, unit=unit)(self.TEXT + "\n" + CODE):
            assert count(chunk.indexed) <= size
            assert count("".join(text + "\n" for _, text in chunk.context)) <= size // 2

    def test_a_header_is_whole_or_not_there_but_in_rows_that_are_cut(self) -> None:
        whole = "| name | use |\n|------|-----|"
        for size in range(10, 120):
            for chunk in Paragraph(size=size)(ROWS):
                headers = [text for kind, text in chunk.context if kind == "header"]
                if headers not in ([], [whole]):
                    assert headers in (["name"], ["use"], ["name | use"], ["n…"], ["na…"], ["u…"])
                    assert not (chunk.text.startswith("|") and chunk.text.endswith("|")) or size < 20

    def test_strict_makes_it_an_error_that_names_place_and_remedy(self) -> None:
        with pytest.raises(SettingError) as caught:
            Heading(size=40, context="strict")(self.TEXT)
        message = str(caught.value)
        assert message.startswith("text.md:5: ")
        assert "the context 'Outermost title > Middle title' takes more than half of the size" in message
        assert "use a larger size, or let it be shortened (context=shorten)" in message
        assert Heading(size=90, context="strict")(self.TEXT) == [
            chunk._replace(chunker="heading:size=90,context=strict") for chunk in Heading(size=90)(self.TEXT)
        ]


def test_line_ends_of_the_context_are_plain() -> None:
    text = "# A\r\n\r\n" + ROWS.replace("\n", "\r\n")
    chunk = Heading(size=90)(text)[1]
    assert dict(chunk.context) == {"path": "A", "header": "| name | use |\n|------|-----|"}
    assert "\r\n" in chunk.text
