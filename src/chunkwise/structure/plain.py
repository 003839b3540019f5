"""Plain text: paragraphs between blank lines or form feeds, no headings."""

from __future__ import annotations

import re
from collections import Counter

from chunkwise.types import BlockKind, Blocks, Notice, Sections, Structure

# Blank lines, or a form feed; the indentation of the line behind them is the paragraph's.
_BREAK = re.compile(r"(?>\r\n?|\n)(?>[^\S\r\n]*(?>\r\n?|\n|\f))+|\f(?>[^\S\r\n]*(?>\r\n?|\n|\f))*")


def parse_plain(text: str, id: str) -> Structure:
    """The paragraphs of a plain text as blocks that tile it."""
    starts = [0] if text else []
    starts += [
        match.end() for match in _BREAK.finditer(text) if match.start() > 0 and match.end() < len(text)
    ]
    ends = [*starts[1:], len(text)] if starts else []
    zeros = [0] * len(starts)
    blocks = Blocks([BlockKind.PARAGRAPH] * len(starts), starts, ends, zeros, zeros)
    return Structure(blocks, Sections((), len(text)), {}, _columns(text, id))


def parse_code(text: str, id: str) -> Structure:  # noqa: ARG001 - the signature of every parser
    """A text that is one block of code."""
    there = int(bool(text.strip()))
    blocks = Blocks([BlockKind.CODE] * there, [0] * there, [len(text)] * there, [0] * there, [0] * there)
    return Structure(blocks, Sections((), len(text)), {})


# A wide gap inside of a line, and the column in which the text behind it begins.
_GAP = re.compile(r"(?<=[^\s|]) {4,}(?=[^\s|])")
_LOOKED_AT = 400
"""Lines of which a sample is looked at."""


def _columns(text: str, id: str) -> tuple[Notice, ...]:
    """A notice where most lines have a wide gap at the same place: two columns printed side by side."""
    if "    " not in text:
        return ()
    lines = [line for line in text[: _LOOKED_AT * 100].splitlines()[:_LOOKED_AT] if line.strip()]
    places: Counter[int] = Counter()
    for line in lines:
        gaps = _GAP.findall(line.strip())
        if len(gaps) == 1 and len(line) < 250:
            places[next(_GAP.finditer(line)).end() if _GAP.search(line) else -1] += 1
    if len(lines) < 4 or not places:
        return ()
    place, count = places.most_common(1)[0]
    count += places[place - 1] + places[place + 1]
    if place < 0 or count < 0.6 * len(lines):
        return ()
    said = (
        f"a wide gap in front of column {place + 1} of {count} of {len(lines)} lines: two columns "
        "printed side by side? Then sentences run across both; get the text from its source"
    )
    return (Notice(id, 0, said),)
