"""Braces alone on a line above an underline: pulldown-cmark panics on them inside a list or a quote."""

from __future__ import annotations

import pytest

from chunkwise import read_text
from chunkwise.readers.clean import clean
from chunkwise.structure.marks import unmarked
from chunkwise.types import BlockKind

INSIDE = ["> Saws\n>  {#saws}\n> ---\n", "- Saws (old)\n   {#a (b)}\n  ===\n", "1. Saws\n    {}\n   -"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("text", INSIDE)
def test_they_do_no_harm(text: str, end: str) -> None:
    document = read_text(text.replace("\n", end), "a.md")
    assert document.blocks[-1].kind == BlockKind.HEADING
    assert len(document.sections) == 1
    braces = text[text.index("{") : text.index("}") + 1]
    assert braces in unmarked(document.text).text
    cleaned = clean(document, ["markdown-to-text"])
    assert braces in cleaned.text
    assert "Saws" in cleaned.text
