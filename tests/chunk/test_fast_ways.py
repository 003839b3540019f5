"""Ways that are taken for speed give the pieces of the long way round."""

from __future__ import annotations

from typing import Any
from unittest import mock

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.properties.strategies import SIZES, markdown

from chunkwise.chunk import CHUNKERS, pack
from chunkwise.chunk.context import Contexts
from chunkwise.chunk.pack import Packer
from chunkwise.structure import parse_markdown
from chunkwise.types import Document

NAMES = ["recursive", "sentence", "paragraph", "heading", "section"]


at = Contexts.at
CLOSED: dict[str, tuple[Any, str, Any]] = {
    "no run of plain pieces": (Packer, "_plain", lambda _self, _cursor, begin, _stop: ([], begin)),
    "no units in the place of one that is cut": (pack, "_COPIED", -1),
    "no whole region": (Packer, "whole", lambda *_: (None, 0, 0)),
    "no hint of a block": (Contexts, "at", lambda self, start, _block: at(self, start)),
}
"""What stands for a short way that is not open: where, its name, and what is there then."""


@pytest.mark.parametrize("way", CLOSED)
@pytest.mark.parametrize("unit", ["words", "cl100k"])
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=30)
@given(made=markdown(most=5), size=st.integers(12, 60))
def test_in_words_and_tokens_too(name: str, unit: str, way: str, made: Any, size: int) -> None:
    chunker = CHUNKERS[name](size=size, unit=unit)
    short = chunker(Document("a.md", made.text, parse_markdown))
    with mock.patch.object(*CLOSED[way]):
        long = chunker(Document("a.md", made.text, parse_markdown))
    assert short == long


@pytest.mark.parametrize("way", CLOSED)
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=max(60, settings().max_examples))
@given(text=st.one_of(markdown().map(lambda made: made.text), st.text("ab .\n#-|", max_size=60)), size=SIZES)
@example(text="# A\n\none\n\n# B\n\ntwo\n", size=10)
@example(text="  a\n\n  b\n", size=4)
@example(text="   >\n   > ~~~\n", size=4)  # the blank that a line begins with is not of the line before
def test_the_short_way_is_the_long_way(name: str, way: str, text: str, size: int) -> None:
    chunker = CHUNKERS[name](size=size)
    short = chunker(Document("a.md", text, parse_markdown))
    with mock.patch.object(*CLOSED[way]):
        long = chunker(Document("a.md", text, parse_markdown))
    assert short == long
