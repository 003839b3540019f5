"""Tables of HTML in Markdown, as people write them: in quotes, with blank lines, with Markdown in cells."""

from __future__ import annotations

import pytest

from chunkwise import Heading, read_text
from chunkwise.structure import tables
from chunkwise.testing import check_chunker
from chunkwise.types import BlockKind

HEAD = "<tr><th>Pump</th><th>Bar</th></tr>\n"
ROWS = "".join(f"<tr><td>WP-{i}</td><td>{i} bar</td></tr>\n" for i in range(6))
SPACED = "".join(f"<tr>\n\n<td>WP-{i}</td>\n<td>\n\n{i} bar\n\n</td>\n</tr>\n" for i in range(6))
INDENTED = "".join(f"  <tr>\n\n    <td>WP-{i}</td>\n\n    <td>{i} bar</td>\n  </tr>\n" for i in range(6))


def quoted(text: str, mark: str) -> str:
    return "".join(mark + line for line in text.splitlines(keepends=True))


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["> ", ">", "> > "])
def test_rows_in_a_quote_are_cut_before_their_marks(mark: str, line_end: str) -> None:
    text = quoted(f"<table>\n{HEAD}{ROWS}</table>\n", mark).replace("\n", line_end)
    chunks = Heading(size=110)(text)
    assert len(chunks) > 2
    for chunk in chunks[1:]:
        assert chunk.context == (("header", "Pump | Bar"),)
        assert chunk.text.startswith(f"{mark}<tr>")
    check_chunker(Heading(size=110), text, size=110)


@pytest.mark.parametrize("rows", [SPACED, INDENTED])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_a_table_with_blank_lines_is_one(rows: str, line_end: str) -> None:
    text = f"# A\n\n<table>\n\n{HEAD}\n{rows}</table>\n\nEnd.\n".replace("\n", line_end)
    document = read_text(text)
    assert [block.kind for block in document.blocks if not block.depth] == [
        *(BlockKind.HEADING, BlockKind.HTML, BlockKind.PARAGRAPH),
    ]
    assert list(tables(document)) == [[["Pump", "Bar"], *([f"WP-{i}", f"{i} bar"] for i in range(6))]]
    for chunk in check_chunker(Heading(size=130), text, size=130)[1:-1]:
        assert ("header", "Pump | Bar") in chunk.context


@pytest.mark.parametrize(
    "inside",
    ["```js\na\n```\n", "- a\n- b\n", "## B\n", "| a |\n|---|\n| b |\n", "> a\n"],
)
def test_what_more_of_markdown_a_table_holds_counts_more(inside: str) -> None:
    document = read_text(f"<table><tr><td>\n\n{inside}\n</td></tr></table>\n\nEnd.\n")
    kinds = [block.kind for block in document.blocks if not block.depth]
    assert kinds[0] == kinds[2] == BlockKind.HTML
    assert kinds[1] != BlockKind.HTML


def test_a_table_that_is_never_closed_holds_no_more_than_its_block() -> None:
    document = read_text("<table><tr><td>a\n\nb\n\n# C\n\n<table>\n\n<tr><td>d</td></tr>\n\n</table>\n")
    assert [document.text[slice(*b.span)].strip()[:7] for b in document.blocks if not b.depth] == [
        *("<table>", "b", "# C", "<table>"),
    ]


def test_many_tables_that_are_never_closed_take_no_more_time_each() -> None:
    document = read_text("<table>\n\n" * 30_000)  # one after the other in each other would be 450,000,000
    assert sum(block.kind == BlockKind.HTML for block in document.blocks) == 30_000
