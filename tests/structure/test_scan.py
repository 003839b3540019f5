"""The fast path gives exactly what the full parse gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkwise.structure.admonitions import group_admonitions
from chunkwise.structure.events import Rows
from chunkwise.structure.scan import parsed, scan

from .atoms import ATOMS

FEW = "\n\n\n  \t#-*+_`~>|:![]()<>/=&\\{}^.1a\"'é"
"""Characters that mean something, and two that do not."""
TEXTS = st.one_of(
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=9).map("".join),
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=30).map("".join),
    st.text(FEW, max_size=30),
    st.lists(st.one_of(st.sampled_from(ATOMS), st.text(FEW, max_size=6)), max_size=12).map("".join),
)


def table(rows: Rows) -> list[tuple[int, ...]]:
    """Rows as tuples (kind, start, end, level, depth)."""
    return list(zip(rows.kind, rows.start, rows.end, rows.level, rows.depth, strict=True))


def same(source: str, begin: int = 0) -> None:
    rows, headings, marks = scan(source, begin)
    others, other_headings, other_marks = parsed(source, begin)
    assert table(rows) == table(others)
    assert headings == other_headings
    group_admonitions(source, rows, marks)
    group_admonitions(source, others, other_marks)
    assert table(rows) == table(others)


@settings(max_examples=max(400, settings().max_examples))
@given(text=TEXTS, cut=st.booleans())
@example(text="\xa0\n---\n\n# h\n", cut=False)  # a heading of a space, which is no blank line to the parser
@example(text="", cut=False)
@example(text="# \n\f", cut=False)  # a form feed is white space to the parser, and no line end
@example(text="# `a``b`\n", cut=False)  # one code span that holds two ticks
@example(text="# The **bold** and *plain* [link](https://example.org/a)'s `code *x*`\n", cut=False)
@example(text="<div>\n\v\n- a\n", cut=False)
@example(text="- [x]\nmore\n", cut=False)  # to pulldown-cmark, a bare task ends with its line
@example(text="- a\n\n- [ ] b\n", cut=False)  # the paragraph of a task begins behind its box
@example(text="- a\n  - b\n\n  - c\n    - d\n- e\n", cut=False)  # only the middle list is loose
@example(text="- a\n  - b\n\n- c\n", cut=False)  # only the outer list is loose
@example(text="- a\n\n  - b\n    - c\n  \n# h\n", cut=True)
@example(text="- a\n  * b\n\u2028", cut=False)  # no blank line
@example(text="> [!NOTE]\n\t\n> q\n", cut=False)  # two quotes
def test_fast_and_full_agree_on_every_construct(text: str, cut: bool) -> None:
    text = text.rstrip("\n") if cut else text
    same(text)
    same(f"---\nkey: [\n---\n{text}", 15)


@pytest.mark.parametrize("first", ATOMS)
def test_fast_and_full_agree_on_every_pair_of_lines(first: str) -> None:
    for second in ATOMS:
        same(f"{first}{second}")
        same(f"{first}{second}a\n")


def plain_sources(folder: Path) -> Iterator[str]:
    """Every Markdown file, with LF line ends as the parser gets it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".md", ".mdx", ".markdown"):
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        yield text.replace("\r\n", " \n").replace("\r", "\n")


@pytest.mark.parametrize("folder", ["corpora", "cases"])
def test_fast_and_full_agree_on_real_documents(shared: Path, folder: str) -> None:
    count = 0
    for source in plain_sources(shared / folder):
        count += 1
        same(source)
    assert count > 40, "the folder holds documents"
