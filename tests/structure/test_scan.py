"""The fast path gives exactly what the full parse gives."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chunkwise.structure.admonitions import box_marks, group_admonitions
from chunkwise.structure.events import Rows, rows_of
from chunkwise.structure.scan import scan

from .atoms import ATOMS

FEW = "\n\n\n  \t#-*+_`~>|:![]()<>/=&\\{}^.1a\"'é"
"""Characters that mean something, and two that do not."""
TEXTS = st.one_of(
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=9).map("".join),
    st.lists(st.sampled_from(ATOMS), min_size=1, max_size=30).map("".join),
    st.text(FEW, max_size=30),
    st.lists(st.one_of(st.sampled_from(ATOMS), st.text(FEW, max_size=6)), max_size=12).map("".join),
)


def table(rows: Rows, titles: list[str]) -> tuple[list[tuple[int, ...]], list[str]]:
    """Rows as tuples (kind, start, end, level, depth), and the titles with their white space folded."""
    columns = (rows.kind, rows.start, rows.end, rows.level, rows.depth)
    return list(zip(*columns, strict=True)), [" ".join(title.split()) for title in titles]


def same(source: str) -> None:
    rows, titles, marks = scan(source)
    others, other_titles = rows_of(source)
    fast, full = table(rows, titles), table(others, other_titles)
    assert fast[0] == full[0]
    assert fast[1] == full[1]
    group_admonitions(source, rows, marks)
    group_admonitions(source, others, box_marks(source, 0, len(source), others, 0))
    assert table(rows, titles) == table(others, titles)


@settings(max_examples=max(400, settings().max_examples))
@given(text=TEXTS, cut=st.booleans())
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
    same(text.rstrip("\n") if cut else text)


@pytest.mark.parametrize("first", ATOMS)
def test_fast_and_full_agree_on_every_pair_of_lines(first: str) -> None:
    for second in ATOMS:
        same(f"{first}{second}")
        same(f"{first}{second}a\n")


def plain_sources(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every Markdown file, with LF line ends as the parser gets it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".md", ".mdx", ".markdown"):
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            continue
        yield path, text.replace("\r\n", " \n").replace("\r", "\n")


@pytest.mark.parametrize("folder", ["corpora", "cases"])
def test_fast_and_full_agree_on_real_documents(shared: Path, folder: str) -> None:
    count = 0
    for path, source in plain_sources(shared / folder):
        count += 1
        assert table(*scan(source)[:2]) == table(*rows_of(source)), path
    assert count > 40, "the folder holds documents"
