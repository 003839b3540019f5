"""Tables, lists and code in block quotes are cut and told as outside of them."""

from __future__ import annotations

import pytest

from chunkwise import Heading, read_text
from chunkwise.testing import check_chunker
from chunkwise.types import BlockKind

ROWS = "".join(f"| part {i} | {i * 7} | shelf {i} |\n" for i in range(1, 7))
TABLE = f"| Part | Count | Place |\n|---|---:|---|\n{ROWS}"


def quoted(text: str, mark: str) -> str:
    return "".join(mark + line for line in text.splitlines(keepends=True))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["> ", ">", "> > ", ">> "])
def test_pieces_of_a_table_carry_its_header_and_no_row_above(mark: str, line_end: str) -> None:
    text = quoted(TABLE, mark).replace("\n", line_end)
    chunks = Heading(size=110)(text)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.context == (("header", "| Part | Count | Place |\n|---|---:|---|"),)
        assert chunk.text.startswith(f"{mark}| part")
    check_chunker(Heading(size=110), text, size=110)


def test_rows_and_items_end_before_the_quote_mark_of_the_next() -> None:
    text = "> | a |\n> |---|\n> | 1 |\n> | 2 |\n>\n> - x\n> - y\n"
    found = [
        text[block.span.start : block.span.end]
        for block in read_text(text).blocks
        if block.kind in (BlockKind.ROW, BlockKind.ITEM)
    ]
    assert found == ["| a |\n> |---|\n", "| 1 |\n", "| 2 |\n", "- x\n", "- y\n"]


def test_a_row_over_the_size_is_cut_between_cells() -> None:
    long = "word " * 12
    text = quoted(f"| A | B | C |\n|---|---|---|\n| one | {long}| {long}|\n| two | b | c |\n", "> ")
    chunks = Heading(size=110)(text)
    assert ("cut inside a row",) in [chunk.marks for chunk in chunks]
    assert any(("row", "one") in chunk.context for chunk in chunks)
    assert not any(("row", "one") in chunk.context for chunk in chunks if "two" in chunk.text)


def test_items_of_a_quoted_list_carry_no_other_item() -> None:
    text = quoted(
        "- oil the rollers of the press\n  before work\n"
        "- sweep the floor\n  of the room\n\n  and the stairs\n- lock up\n",
        "> ",
    )
    chunks = Heading(size=58)(text)
    assert [chunk.text for chunk in chunks] == [
        "> - oil the rollers of the press\n>   before work",
        "> - sweep the floor\n>   of the room\n> \n>   and the stairs",
        "> - lock up",
    ]
    assert all(chunk.context == () for chunk in chunks)


def test_a_paragraph_in_a_quote_is_cut_where_lines_begin() -> None:
    text = "> First line of it. And\n> second line of it. And\n> third line.\n>\n> Another one.\n"
    chunks = Heading(size=50)(text)
    assert [chunk.text for chunk in chunks] == [
        "> First line of it. And\n> second line of it. And",
        "> third line.\n>\n> Another one.",
    ]


@pytest.mark.parametrize("first", ["- ", "1. ", "> - ", "- - ", "1. - "])
def test_code_and_tables_in_the_only_item_are_cut_as_such(first: str) -> None:
    inner = "```py\n" + "".join(f"value_{i} = {i}. Then\n" for i in range(6)) + "```\n\n" + TABLE
    lead = " " * len(first) if first[0] != ">" else ">   "
    text = f"{first}Steps to take:\n\n{quoted(inner, lead)}"
    chunks = Heading(size=110)(text)
    for chunk in chunks[1:]:
        assert chunk.text.startswith((f"{lead}```", f"{lead}value_", f"{lead}|")), chunk.text
        kinds = [kind for kind, _ in chunk.context]
        assert ("fence" in kinds) == (chunk.text.startswith(f"{lead}value_"))
        assert ("header" in kinds) == (chunk.text.startswith(f"{lead}| part"))


@pytest.mark.parametrize("first", ["- ", "10. ", "- - ", "* 1) "])
def test_an_item_may_begin_with_code(first: str) -> None:
    lines = "".join(f"value_{i} = {i}. Then. More\n" for i in range(8))
    text = quoted(f"```py\n{lines}```\n", " " * len(first))
    chunks = Heading(size=110)(f"{first}{text[len(first) :]}")
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.text.lstrip().startswith("value_")
        assert ("fence", "```py") in chunk.context


@pytest.mark.parametrize("blank", ["", "\n", "\n \n\n"])
def test_the_line_that_closes_a_fence_stays_with_code_whatever_follows(blank: str) -> None:
    for count in range(3, 12):
        code = "".join(f"value_{i} = {i}\n" for i in range(count))
        chunks = Heading(size=60)(f"```py\n{code}```\n{blank}")
        assert not any(chunk.text.startswith("```\n") or chunk.text == "```" for chunk in chunks)


@pytest.mark.parametrize("odd", ["\u2028", "\x0b", "\x85", "\x1c", "\x0c"])
def test_only_a_line_end_ends_a_row(odd: str) -> None:
    text = f"| a{odd}b | c |\n|---|---|\n" + "".join(f"| one{odd}two {i} | word {i} |\n" for i in range(6))
    from chunkwise.structure.tables import tables

    assert next(tables(read_text(text)))[:2] == [[f"a{odd}b", "c"], [f"one{odd}two 0", "word 0"]]
    assert Heading(size=70)(text)[-1].context == (("header", f"| a{odd}b | c |\n|---|---|"),)
