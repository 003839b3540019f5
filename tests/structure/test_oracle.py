"""Headings as another parser finds them: `markdown-it-py`, which knows nothing of ours."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from chunkwise.structure import parse_markdown
from chunkwise.types import Document

from .atoms import ATOMS

ORACLE = MarkdownIt("commonmark").enable("table")
# What it does not know, or reads in another way than CommonMark's own parser.
UNKNOWN = re.compile(
    r"\[\^|\[!NOTE|[{\f\v\u00a0\u200b]|^(?:!!!|\?\?\?|===[^\n]|:::|///)"  # extensions; odd white space
    r"|^:-:"  # no delimiter line to pulldown-cmark
    r"|\[\w+\]:|y\]:"  # it ends a paragraph for a definition
    r"|<(?:textarea|PRE|/textarea|/script|/pre)"  # pulldown-cmark wants the end tag of the same name
)
LINES = [atom for atom in ATOMS if not UNKNOWN.search(atom)]
TWO_WAYS = re.compile(r"\|[^\n]*\n *-+ *(?:\n|\Z)")
"""A table for one, a setext heading for the other."""

Outline = list[tuple[int, int, str]]


def words(inline: Token) -> str:
    out = []
    for token in inline.children or []:
        if token.type in ("text", "code_inline"):
            out.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            out.append(" ")
        elif token.type == "image":
            out.append(words(token))
    return "".join(out)


def theirs(text: str) -> Outline:
    """Level, line and title of each heading that stands in nothing else."""
    tokens = ORACLE.parse(text)
    return [
        (int(token.tag[1]), token.map[0] + 1, " ".join(words(tokens[i + 1]).split()))
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


def ours(text: str) -> Outline:
    document = Document("a.md", text, parse_markdown)
    return [(s.level, document.line(s.span.start), s.title) for s in document.sections[1:]]


@settings(max_examples=max(300, settings().max_examples))
@given(text=st.lists(st.sampled_from(LINES), min_size=1, max_size=25).map("".join))
def test_headings_are_those_of_another_parser(text: str) -> None:
    assume(not text.startswith("---") and not TWO_WAYS.search(text))
    assert ours(text) == theirs(text)


def test_most_lines_take_part() -> None:
    assert len(LINES) > 120
    assert sum(len(theirs("".join(pair))) for pair in pairwise(LINES)) > 20


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_headings_of_real_documents(shared: Path, end: str) -> None:
    """Pages of the FastAPI documentation: levels and lines. Their titles carry attributes."""
    pages = sorted((shared / "corpora" / "fastapi-docs").rglob("*.md"))[::4]
    count = 0
    for page in pages:
        text = page.read_bytes().decode("utf-8")
        if text.startswith("---"):
            continue
        found = [(level, line) for level, line, _ in ours(text.replace("\n", end))]
        assert found == [(level, line) for level, line, _ in theirs(text)], page.name
        count += len(found)
    assert count > 100, "the pages have headings"
