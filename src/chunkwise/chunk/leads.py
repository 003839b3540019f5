"""Lead-ins: the sentence or caption that introduces a table or a list."""

from __future__ import annotations

import re

from chunkwise.text import cells, language_of, sentences
from chunkwise.types import BlockKind, Document

_PARAGRAPH, _HTML, _TABLE = int(BlockKind.PARAGRAPH), int(BlockKind.HTML), int(BlockKind.TABLE)
_INTRODUCED = (int(BlockKind.TABLE), int(BlockKind.LIST), int(BlockKind.HTML))
_LONGEST = 300  # characters; what is longer introduces nothing
_BELOW = re.compile(r"[ ]{0,3}(?::[ \t]|Table:|[*_]{0,2}Table[ ]\d)")
_CAPTION = re.compile(r"<caption[^>]*>([\s\S]*?)</caption", re.IGNORECASE)


def lead_in(document: Document, block: int, start: int) -> str:
    """What introduces a block of depth 0 that a chunk begins in or at; empty where it is no table or list,
    or nothing introduces it.

    The last sentence of the paragraph right before it in the same section, white space folded; for a
    table also its `<caption>`, or a caption right below it (`: …`, `Table: …`, `Table 4 …`).
    """
    blocks, text = document.blocks, document.text
    kind, begin, end = blocks.kind[block], blocks.start[block], blocks.end[block]
    if kind not in _INTRODUCED or (kind == _HTML and not _holds_table(document, block)):
        return ""
    if kind == _HTML:
        caption = _CAPTION.search(text, begin, end)
        if caption and caption.end() <= start:
            return _short(cells(f"<td>{caption[1]}</td>")[0])
    above = _neighbour(document, block, -1)
    if above >= 0 and blocks.kind[above] == _PARAGRAPH:
        paragraph = text[blocks.start[above] : blocks.end[above]]
        found = sentences(paragraph, language_of(document))
        lead = _short(paragraph[found[-1].start : found[-1].end]) if found else ""
        if lead:
            return lead
    below = _neighbour(document, block, 1) if kind in (_TABLE, _HTML) else -1
    if below >= 0 and blocks.kind[below] == _PARAGRAPH and _BELOW.match(text, blocks.start[below]):
        return _short(text[blocks.start[below] : blocks.end[below]].lstrip(" :"))
    return ""


def _holds_table(document: Document, block: int) -> bool:
    blocks = document.blocks
    return block + 1 < len(blocks) and blocks.depth[block + 1] == 1 and blocks.kind[block + 1] == _TABLE


def _neighbour(document: Document, block: int, step: int) -> int:
    """The block of depth 0 right before or behind another one; -1 where there is none."""
    depth = document.blocks.depth
    number = block + step
    while 0 <= number < len(depth) and depth[number] > 0:
        number += step
    return number if 0 <= number < len(depth) else -1


def _short(text: str) -> str:
    folded = " ".join(text.split())
    return folded if len(folded) <= _LONGEST else ""
