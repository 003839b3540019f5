"""Blocks and sections of the fixtures in `tests/fixtures/structure`, one file a subject.

A line a block: indented by its depth, kind, level (where it has one), the lines it stands on without the
blank ones at its ends, its first line. Then a line a section: its path, the lines from its heading to the
next one, to the end of what is below it, where that differs. Then metadata and notices.
"""

from __future__ import annotations

import re

import pytest

from chunkwise.structure import parse_markdown
from chunkwise.text import is_blank
from chunkwise.types import Document
from tests.fixtures import FOLDER, Case, check, load, name

CASES = [case for file in sorted((FOLDER / "structure").glob("*.txt")) for case in load(file)]


def lines(document: Document, start: int, end: int) -> str:
    """The numbers of the lines of a span, without blank lines at both ends."""
    text = document.text
    while start < end and is_blank(text[start]):
        start += 1
    while start < end and is_blank(text[end - 1]):
        end -= 1
    first, last = document.line(start), document.line(max(start, end - 1))
    return str(first) if first == last else f"{first}-{last}"


def first_line(text: str) -> str:
    """The first line that is not blank."""
    return next((line.strip() for line in re.split("[\r\n]", text) if not is_blank(line)), "")


def show(source: str) -> str:
    """Structure as text."""
    document = Document("a.md", source, parse_markdown)
    out = []
    for block in document.blocks:
        start, end = block.span
        level = f" {block.level}" if block.level else ""
        kind = block.kind.name.lower().replace("_", " ")
        place = lines(document, start, end)
        out.append(f"{'  ' * block.depth}{kind}{level} @{place}: {first_line(source[start:end])}")
    for section in document.sections:
        start, end = section.span
        if section.number == 0 and is_blank(source[start:end]):
            continue
        path = " > ".join(document.sections.path(section.number)) or "(no heading)"
        below = f" ({lines(document, start, section.last)})" if section.last != end else ""
        out.append(f"= {path} @{lines(document, start, end)}{below}")
    out += [f"~ {key}: {value}" for key, value in document.metadata.items()]
    out += [f"! {notice.line}: {notice.message}" for notice in document.notices]
    return "".join(line.rstrip() + "\n" for line in out)


@pytest.mark.parametrize("case", CASES, ids=name)
def test_blocks_and_sections(case: Case) -> None:
    check(case, show)
