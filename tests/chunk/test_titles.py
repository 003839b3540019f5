"""What paths take in tokens, told by the tokens of the text: the same as if they were counted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.text.test_token_rulers import PARTS, Counting, minilm

from chunkwise.chunk import Heading
from chunkwise.chunk.room import SEPARATOR
from chunkwise.chunk.titles import Titles
from chunkwise.readers import read_text
from chunkwise.text import counter, ruler
from chunkwise.text.token_rulers import TokenRuler
from chunkwise.types import Document

TITLES = st.lists(st.sampled_from([*PARTS, " ", "Seal", "pump", "?"]), max_size=5).map("".join)


@pytest.fixture(scope="session", params=["cl100k", "o200k", "minilm"])
def unit(request: pytest.FixtureRequest) -> str:
    """Units whose tokens are found once."""
    return minilm() if request.param == "minilm" else str(request.param)


def _sized(document: Document, unit_: str) -> Titles:
    found = ruler(document.text, counter(unit_))
    assert isinstance(found, TokenRuler)
    return Titles(document, found)


@given(
    heads=st.lists(st.tuples(st.integers(1, 4), TITLES, st.sampled_from(["", " { #it }", " #"])), max_size=6),
    inside=TITLES,
)
@example(heads=[(1, "Pumps"), (2, "Why 12 seals?"), (3, "`seal` of it"), (4, "Leaks")], inside="```py")
@example(heads=[(1, "Pumps > it"), (2, "don't"), (3, "//seal"), (2, "IT'S")], inside="/// tip")
@example(heads=[(2, "水門"), (3, "a  b"), (3, "Leaks!")], inside="  - item")
def test_a_path_has_the_size_that_is_counted(unit: str, heads: list[tuple[Any, ...]], inside: str) -> None:
    lines = [f"{'#' * level} {title}{rest[0] if rest else ''}\n\ntext\n\n" for level, title, *rest in heads]
    document = read_text("".join(lines), "pumps.md")
    sizes, count = _sized(document, unit), counter(unit).count
    parts = [("fence", inside)] if inside else []
    for section in range(len(document.sections)):
        path = document.sections.path(section)
        if path:
            told = sizes.cost(section, parts)
            texts = [SEPARATOR.join(path), *(text for _, text in parts)]
            assert told in (None, count("\n".join(texts) + "\n")), texts


@pytest.mark.parametrize("unit_", ["cl100k", "o200k"])
def test_plain_titles_are_not_counted_anew(unit_: str) -> None:
    text = "# Pumps\n\n" + "".join(
        f"## Pump {i}\n\nIts seal.\n\n### The seal {i}\n\nNew.\n\n" for i in range(9)
    )
    document = read_text(text, "pumps.md")
    sizes = _sized(document, unit_)
    assert None not in [sizes.cost(section, []) for section in range(1, len(document.sections))]


def test_a_document_under_a_title_of_its_front_matter_is_counted() -> None:
    document = read_text("---\ntitle: Pumps\n---\n\n## Seals\n\nNew.\n", "pumps.md")
    assert _sized(document, "cl100k").cost(len(document.sections) - 1, []) is None


def test_only_the_first_title_of_paths_is_encoded() -> None:
    text = "# Pumps of the plant\n\n" + "".join(
        f"## Pump number {i} of the plant\n\n" + "Its seal is new. " * 40 + "\n\n" for i in range(20)
    )
    document, count = read_text(text, "pumps.md"), Counting()
    assert len(Heading(size=100, unit=count)(document)) > 40
    assert count.encoded - len(text) < 5 * len("Pumps of the plant")
