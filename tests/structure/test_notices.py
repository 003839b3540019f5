"""What is odd about a text and no error: marks that are opened and never closed."""

from __future__ import annotations

import pytest

from chunkwise.structure import parse_markdown, parse_plain

FENCE = "a code fence opens here and is never closed: all text behind it is code"
COMMENT = "a comment opens here and is never closed: all text behind it is hidden"


def notices(text: str) -> list[tuple[int, str]]:
    found = parse_markdown(text, "docs/a.md").notices
    assert all(notice.doc == "docs/a.md" for notice in found)
    return [(notice.line, notice.message) for notice in found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n\n```py\ncode\n", [(3, FENCE)]),
        ("~~~\n", [(1, FENCE)]),
        ("```", [(1, FENCE)]),
        ("````\n```\n", [(1, FENCE)]),
        ("```\n~~~\n", [(1, FENCE)]),
        ("text\n   ```\ncode", [(2, FENCE)]),
        ("```\nclosed\n```\n\n```\nopen\n", [(5, FENCE)]),
        ("```\ncode\n```x\n", [(1, FENCE)]),
        ("<!-- open\n\n# B\n", [(1, COMMENT)]),
        ("# A\n\n<!-- closed -->\n\n<!-- open\n", [(5, COMMENT)]),
        ("---\ntitle: A\n---\n\n```\nopen\n", [(5, FENCE)]),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_is_never_closed(text: str, found: list[tuple[int, str]], end: str) -> None:
    assert notices(text.replace("\n", end)) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "```\ncode\n```",
        "```\ncode\n`````  \n\n",
        "~~~~\n```\n~~~~\n",
        "```\n```\n",
        "    indented code at the end\n",
        "<!-- closed -->\n",
        "<!-- closed\n\n-->\ntext",
        "<div>\nhtml at the end\n",
        "text with ``` in it",
        "- ```\n  code in an item that ends with it\n\ntext\n",
        "> ```\n> code in a quote\n\ntext\n",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_what_is_closed_or_ends_by_itself(text: str, end: str) -> None:
    assert notices(text.replace("\n", end)) == []


def test_plain_text_has_none() -> None:
    found = parse_plain("```\n\n<!-- # A\n", "a.txt")
    assert found.notices == ()
    assert len(found.sections) == 1
    assert len(found.blocks) == 2
