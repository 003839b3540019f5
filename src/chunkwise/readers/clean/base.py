"""What a step of cleaning is given, and what it gives back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from chunkwise.structure import parse_markdown
from chunkwise.types import BlockKind, Document, Edit, Structure, TextMap, carried

_LINE_END = re.compile(r"\r\n?|\n")


class Page:
    """A text while it is cleaned: what the steps before have left of a document, or a title of it."""

    def __init__(self, document: Document | None, text: str, way: TextMap) -> None:
        self._document, self._way = document, way
        self.text = text

    @property
    def markdown(self) -> bool:
        """Whether the text is Markdown as somebody wrote it, with marks inside its lines."""
        document = self._document
        if document is None or document.steps:
            return False
        parse = document.parse
        return getattr(parse, "parse", parse) is parse_markdown

    @cached_property
    def structure(self) -> Structure | None:
        """Blocks and sections of the text; None for a title."""
        if self._document is None:
            return None
        if self._way.shift == 0:
            return self._document.structure
        return carried(self._document.structure, self._way, self.text)

    @cached_property
    def pages(self) -> Sequence[int]:
        """Where pages begin; empty where there are none."""
        return self._way.forward(self._document.pages) if self._document is not None else []

    def blocks(self, *kinds: BlockKind) -> list[tuple[int, int]]:
        """The spans of all blocks of these kinds, in order."""
        if self.structure is None:
            return []
        blocks = self.structure.blocks
        wanted = frozenset(kinds)
        return [
            (start, end)
            for kind, start, end in zip(blocks.kind, blocks.start, blocks.end, strict=True)
            if kind in wanted
        ]


Finder: TypeAlias = "Callable[[Page], Sequence[Edit]]"


class Step(NamedTuple):
    """One step of cleaning."""

    find: Finder
    """Gives the edits of a text, in order and without overlap. What it leaves it does not find again."""
    titles: bool = False
    """Whether it looks at characters only, so that titles are cleaned the same way."""


def line_end(text: str) -> str:
    """What ends the lines of a text: that of its first line, LF where there is none."""
    found = _LINE_END.search(text)
    return found[0] if found else "\n"


def outside(edits: Sequence[Edit], spans: Sequence[tuple[int, int]]) -> list[Edit]:
    """The edits that touch none of the spans. Both are in order; spans may lie in each other."""
    kept, i, reach = [], 0, -1
    for edit in edits:
        while i < len(spans) and spans[i][0] < max(edit.end, edit.start + 1):
            reach = max(reach, spans[i][1])
            i += 1
        if edit.start >= reach:
            kept.append(edit)
    return kept
