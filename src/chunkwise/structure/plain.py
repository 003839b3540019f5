"""Plain text: paragraphs between blank lines or form feeds, no headings."""

from __future__ import annotations

import re

from chunkwise.types import BlockKind, Blocks, Sections, Structure

# Blank lines, or a form feed; the indentation of the line behind them is the paragraph's.
_BREAK = re.compile(r"(?:\r\n?|\n)(?:[^\S\r\n]*(?:\r\n?|\n|\f))+|\f(?:[^\S\r\n]*(?:\r\n?|\n|\f))*")


def parse_plain(text: str, id: str) -> Structure:  # noqa: ARG001 - the signature of every parser
    """The paragraphs of a plain text as blocks that tile it."""
    starts = [0] if text else []
    starts += [
        match.end() for match in _BREAK.finditer(text) if match.start() > 0 and match.end() < len(text)
    ]
    ends = [*starts[1:], len(text)] if starts else []
    zeros = [0] * len(starts)
    blocks = Blocks([BlockKind.PARAGRAPH] * len(starts), starts, ends, zeros, zeros)
    return Structure(blocks, Sections((), len(text)), {})
