"""`blank-lines`: one blank line where there were several. Code keeps its own."""

from __future__ import annotations

import re

from chunkwise.readers.clean.base import Page, outside
from chunkwise.types import BlockKind, Edit

_RUN = re.compile(r"((?>\r\n|[\r\n]))[^\S\r\n\f]*((?>\r\n|[\r\n]))((?:[^\S\r\n\f]*(?>\r\n|[\r\n]))+)")


def find_blank_lines(page: Page) -> list[Edit]:
    """Every line end behind the second one of a run; white space alone makes no line."""
    found = [
        Edit(m.start(3), m.end(), "", "blank lines")
        if m.end(1) == m.start(2)
        else Edit(m.end(1), m.end(), m[2], "blank lines")
        for m in _RUN.finditer(page.text)
    ]
    if not found:
        return found
    # The blank lines behind a block of code are part of the block, and no code.
    text = page.text
    code = [(start, start + len(text[start:end].rstrip())) for start, end in page.blocks(BlockKind.CODE)]
    return outside(found, code)
