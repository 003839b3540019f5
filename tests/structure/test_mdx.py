"""What MDX hides in comments of several lines, which are text in Markdown."""

from __future__ import annotations

import pytest

from chunkwise import read_text

COMMENT = "# Saws\n\n{/*\n# Old\n\nOlder\n=====\n*/}\n\n## Care {/* #care */}\n\n{/* One line. */}\n### Oil\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_headings_in_a_comment_are_none(end: str) -> None:
    document = read_text(COMMENT.replace("\n", end), "a.mdx")
    assert list(document.sections.titles[1:]) == ["Saws", "Care", "Oil"]
    assert "# Old" in document.text
    assert list(read_text(COMMENT, "a.md").sections.titles[1:]) == ["Saws", "Old", "Older", "Care", "Oil"]


@pytest.mark.parametrize(
    "text",
    ["```\n{/*\n```\n\n# Seen\n\n*/}\n", "{/*\n# Seen\n", "A {/*\n# Seen\n*/}\n", "{/* */}\n# Seen\n\n*/}\n"],
    ids=["opened in code", "never closed", "opened in a line", "closed at once"],
)
def test_headings_outside_of_comments_are_seen(text: str) -> None:
    assert list(read_text(text, "a.mdx").sections.titles[1:]) == ["Seen"]
