"""What ends a line, CRLF, CR or LF, changes nothing of what a step takes out."""

from __future__ import annotations

import pytest

from chunkwise.readers import read_text
from chunkwise.readers.clean import STEPS, clean

PAGES = "\f".join(
    f"Press room\n\nPart {word} of it\n{end}\n\nPage {i}\n"
    for i, (word, end) in enumerate(
        [
            ("one", "goes on to"),
            ("two", "ends here."),
            ("three", "tells of the pres-"),
            ("four", "\n\n\n\nis last."),
        ],
        1,
    )
)
GUIDE = (
    "# Press *room*\n\n\n\nThe pres-\nsure is **six** bar.\nIt is kept.\n\n> quoted\n> [text](a.html)\n\n\n"
    "- one\n\n\n- two\n\n"
    "| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n\n\n\nmore\n```\n\n"
    "End<br>of it.  \nTwo  \nlines\\\nmore.\n\n[x]: y.html\n\n<!-- no -->\n\nLast.\n"
)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize("step", [*STEPS, "page-furniture+hyphenation+blank-lines"])
@pytest.mark.parametrize(
    ("id", "text"), [("a.txt", PAGES), ("a.md", GUIDE), ("a.md", PAGES), ("a.txt", GUIDE)]
)
def test_line_ends_change_nothing(id: str, text: str, step: str, line_end: str) -> None:
    plain = clean(read_text(text, id), step)
    other = clean(read_text(text.replace("\n", line_end), id), step)
    assert other.text == plain.text.replace("\n", line_end)
    assert other.counts() == plain.counts()


def test_blank_lines_behind_code_are_not_code() -> None:
    text = "```\na\n\n\n\nb\n```\n\n\n\n    c\n\n\n\n    d\n\n\n\nEnd.\n"
    made = clean(read_text(text, "a.md"), "blank-lines")
    assert made.text == "```\na\n\n\n\nb\n```\n\n    c\n\n\n\n    d\n\nEnd.\n"
