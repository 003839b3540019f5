"""Blocks that belong together: code with the prose around it, a question with its answer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwise.types import BlockKind, Document

_PARAGRAPH, _HEADING, _CODE = int(BlockKind.PARAGRAPH), int(BlockKind.HEADING), int(BlockKind.CODE)
_QUESTION = re.compile(r"\s*(?:\*\*|__)?(?:Q|Question|Frage)[ ]?\d*[.)]?[ ]?:")
_ANSWER = re.compile(r"\s*(?:\*\*|__)?(?:A|Answer|Antwort)[ ]?\d*[.)]?[ ]?:")
_INTRODUCES = re.compile(r":\W*\Z")


def asks(text: str, start: int) -> bool:
    """Whether the block that begins here asks a question that may have its answer below it."""
    return _QUESTION.match(text, start) is not None


def linked(
    document: Document, numbers: Sequence[int], heads: Sequence[bool], *, prose: bool, asked: bool
) -> list[bool]:
    """For each of some consecutive blocks of depth 0 whether the next one belongs to it.

    Args:
        document: the document.
        numbers: the blocks.
        heads: which of them are headings, which belong to what follows in another way.
        prose: whether code belongs to the paragraph before it, and to the one behind it unless that
            introduces the next code.
        asked: whether a paragraph that begins with `Q:` or `Question:` belongs to the next one that
            begins with `A:` or `Answer:`.
    """
    blocks, text = document.blocks, document.text
    kinds = [_HEADING if head else blocks.kind[number] for number, head in zip(numbers, heads, strict=True)]
    found = [False] * len(numbers)
    for i in range(len(numbers) - 1):
        this, following = kinds[i], kinds[i + 1]
        start, end = blocks.start[numbers[i]], blocks.start[numbers[i + 1]]
        if prose and following == _CODE:
            found[i] = this in (_PARAGRAPH, _CODE)
        elif prose and this == _CODE and following == _PARAGRAPH:
            introduces = i + 2 < len(numbers) and kinds[i + 2] == _CODE
            behind = text[end : blocks.end[numbers[i + 1]]]
            found[i] = not introduces and not _INTRODUCES.search(behind)
        elif asked and this == following == _PARAGRAPH:
            found[i] = bool(_QUESTION.match(text, start)) and bool(_ANSWER.match(text, end))
    return found
