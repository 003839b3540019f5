"""Lines that act as headings where a format has none: lines in bold, and lines that begin with a number.

Numbers give the level: `2.1` stands below `2`. A line in bold without a number stands above those with one
where it comes before them, else below the last heading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from chunkwise.types import BlockKind, Blocks, Sections, Structure

LONGEST: Final = 120
"""Characters of the longest line that acts as a heading."""
DEEPEST: Final = 6
_NUMBER = re.compile(r"(\d{1,3}(?:\.\d{1,3})*)[.)]?[ \t\u00a0]+(?=\S)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(?!.*\1.*\1)(.+?)(?<=\S)\1[ \t]*")
_LETTER = re.compile(r"[^\W\d_]")
_LEADERS = re.compile(r"(?:\.[ \t]?){3,}|…")


class Acting:
    """Levels of lines that act as headings, in the order of the text."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds
        self._real = 0
        """Level of the last real heading."""
        self._above = 0
        """1 where a line in bold stands above the numbered ones."""
        self._last = 0
        """Level of the last numbered line; 0 before the first."""

    def real(self, level: int) -> None:
        """A real heading: what acts as one stands below it."""
        self._real, self._above, self._last = level, 0, 0

    def level(self, line: str, *, bold: bool) -> int:
        """The level of a paragraph of one line; 0 where it is no heading."""
        line = line.strip()
        if not 0 < len(line) <= LONGEST or "\n" in line or not _LETTER.search(line) or _LEADERS.search(line):
            return 0
        number = _NUMBER.match(line)
        if bold and "bold" in self._kinds:
            if line.endswith((".", ";", ",")):
                return 0
        elif number is None or "numbered" not in self._kinds or line.endswith((".", ";", ",", ":", "!", "?")):
            return 0
        if number is not None:
            self._last = self._real + self._above + number[1].count(".") + 1
            return min(self._last, DEEPEST)
        if not self._last:
            self._above = 1
            return min(self._real + 1, DEEPEST)
        return min(self._last + 1, DEEPEST)


class ActingParse:
    """A parser whose result has headings where lines act as such."""

    def __init__(self, parse: Callable[[str, str], Structure], kinds: Sequence[str]) -> None:
        self.parse, self._kinds = parse, kinds

    def __call__(self, text: str, id: str, /) -> Structure:
        """The structure of a text, with more headings."""
        found = self.parse(text, id)
        blocks, acting = found.blocks, Acting(self._kinds)
        kinds, levels = list(blocks.kind), list(blocks.level)
        titles = iter(found.sections.titles[1:])
        headings: list[tuple[int, str, int, int]] = []
        for i in blocks.top():
            start, end = blocks.start[i], blocks.end[i]
            start += len(text[start:end]) - len(text[start:end].lstrip())
            if kinds[i] == BlockKind.HEADING:
                acting.real(levels[i])
                headings.append((levels[i], next(titles), start, end))
                continue
            line, bold = _line(text, blocks, i)
            level = acting.level(line, bold=bold) if line else 0
            if level:
                kinds[i], levels[i] = BlockKind.HEADING, level
                headings.append((level, " ".join(line.split()), start, end))
        if BlockKind.HEADING in kinds:
            # A list of one item that acts as a heading is a heading without an item.
            gone = {
                i + 1
                for i in range(len(kinds) - 1)
                if kinds[i] == BlockKind.HEADING and blocks.kind[i] == BlockKind.LIST
            }
            kept = [i for i in range(len(kinds)) if i not in gone]
            blocks = Blocks(
                [kinds[i] for i in kept],
                [blocks.start[i] for i in kept],
                [blocks.end[i] for i in kept],
                [levels[i] for i in kept],
                [blocks.depth[i] for i in kept],
            )
        return found._replace(blocks=blocks, sections=Sections(headings, len(text), found.sections.root))


def _line(text: str, blocks: Blocks, i: int) -> tuple[str, bool]:
    """The one line of a block of depth 0, and whether all of it is bold; empty where there are more."""
    line = text[blocks.start[i] : blocks.end[i]].strip()
    if len(line) > LONGEST + 4 or "\n" in line or "\r" in line:
        return "", False
    if blocks.kind[i] == BlockKind.LIST:
        alone = i + 2 >= len(blocks) or blocks.depth[i + 2] == 0
        return (line, False) if alone and line[:1].isdigit() else ("", False)
    if blocks.kind[i] != BlockKind.PARAGRAPH:
        return "", False
    bold = _BOLD.fullmatch(line)
    return (bold[2], True) if bold is not None else (line, False)
