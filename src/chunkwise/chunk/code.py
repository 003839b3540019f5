"""The inside of a code block: which line opens what, told by indentation, and by braces where no line is
indented. No language is parsed; what is told wrong costs a line of context, never text.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right

from chunkwise.types import Document

# A line, its indentation, and its first visible character.
_LINE = re.compile(r"([^\S\r\n]*)(?:(\S)[^\r\n]*)?(?:\r\n?|\n|\Z)")
_FENCE = re.compile(r"[ \t>]*(?:```|~~~)")
_CLOSER = re.compile(r"\s*(?:[)\]}]|end\b|</)")
# What belongs to the definition below it: decorators, attributes, comments.
_ATTACHED = re.compile(r"\s*(?:@|#|//|/\*|\*|--|\[\w)")
_MODIFIERS = (
    r"(?:(?:export|default|pub(?:\([^)\n]*\))?|public|private|protected|internal|static|final|abstract|async|"
    r"unsafe|extern|virtual|override|inline|const|data|sealed|open|partial|local)\s+)*"
)
_DEFINES = re.compile(
    rf"\s*{_MODIFIERS}(?:(?:def|defp|defmodule|class|function\*?|fn|func|fun|sub|struct|impl|interface|trait|"
    r"enum|type|module|namespace|object|record|union|protocol|extension|macro_rules!|proc|procedure)\b"
    r"|(?i:create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|trigger))\b)"
    r"|(?!\s*(?:if|for|while|switch|catch|else|elif|do|try|with|return)\b)[^;={}\n]*\w\([^;\n]*\)[^;=\n]*\{\s*$"
    r"|.*=>\s*\{\s*$|.*\bfunction\s*\([^)\n]*\)\s*\{\s*$"
)
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`\n]*`|//[^\n]*")


class Codes:
    """The code blocks of a document. The last one that was asked for is kept: it is cut and told at once."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._last: tuple[int, Code] | None = None

    def __getitem__(self, block: int) -> Code:
        """The lines of a block, by its number."""
        if self._last is None or self._last[0] != block:
            blocks = self._document.blocks
            self._last = block, Code(self._document.text, blocks.start[block], blocks.end[block])
        return self._last[1]


class Code:
    """The lines of one code block, and the line that each of them stands below."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._starts: list[int] = []
        self._levels: list[int] = []
        for found in _LINE.finditer(text, start, end):
            indent, first = found.groups()
            # Blank lines and the fence say nothing of what encloses what.
            if first is None or (first in "`~>" and _FENCE.match(text, found.start())):
                continue
            self._starts.append(found.start())
            self._levels.append(len(indent.expandtabs(4)))
        self._ends = [*self._starts[1:], end][: len(self._starts)]
        if len(set(self._levels)) == 1 and "{" in text[start:end]:
            self._levels = self._braces()
        self._parents = self._enclosing()

    def opened_at(self, position: int) -> list[str]:
        """The lines that open what encloses the line at `position`, outermost first: the definitions among
        them, or the nearest line where there is none. Indentation is kept as in the source.
        """
        number = bisect_right(self._starts, position) - 1
        if number < 0 or _FENCE.match(self._text, position):
            return []
        # A place before the first line of what follows belongs to what follows.
        if not self._text[position : self._ends[number]].strip() and number + 1 < len(self._starts):
            number += 1
        chain = []
        number = self._parents[number]
        while number >= 0:
            chain.append(self._line(number))
            number = self._parents[number]
        definitions = [line for line in chain if _DEFINES.match(line)]
        return (definitions or chain[:1])[::-1]

    def top_level(self, places: list[int]) -> list[int]:
        """Those of some places whose next line is indented the least of the whole block."""
        least = min(self._levels, default=0)
        numbers = [bisect_left(self._starts, place) for place in places]
        return [
            place
            for place, number in zip(places, numbers, strict=True)
            if number < len(self._levels) and self._levels[number] == least
        ]

    def definitions(self, start: int, end: int) -> list[int]:
        """Where definitions begin inside of a stretch: lines indented the least in it that open something or
        follow what is indented more, with the decorators and comments above them.
        """
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
        levels = self._levels
        least = min(levels[first:last], default=0)
        cuts: list[int] = []
        for number in range(first, last):
            if levels[number] != least or self._closes(number):
                continue
            opens = number + 1 < last and levels[number + 1] > least
            closes = number > first and levels[number - 1] > least
            closes = closes or (number > first and self._closes(number - 1))
            if not opens and not closes:
                continue
            top = number
            while (
                opens
                and top > first
                and levels[top - 1] == least
                and _ATTACHED.match(self._text, self._starts[top - 1])
                and self._starts[top - 1] > start
            ):
                top -= 1
            if self._starts[top] > start and (not cuts or self._starts[top] > cuts[-1]):
                cuts.append(self._starts[top])
        return cuts

    def _closes(self, number: int) -> bool:
        """Whether a line begins with what closes something."""
        return _CLOSER.match(self._text, self._starts[number]) is not None

    def _line(self, number: int) -> str:
        return (
            self._text[self._starts[number] : self._ends[number]]
            .rstrip()
            .replace("\r", "\n")
            .partition("\n")[0]
            .rstrip()
        )

    def _braces(self) -> list[int]:
        """How many braces are open where each line begins; a line that closes one counts as closed."""
        levels = []
        open_ = 0
        for number in range(len(self._starts)):
            line = _STRINGS.sub("", self._line(number))
            bare = line.lstrip()
            closed = len(bare) - len(bare.lstrip("})] \t"))
            levels.append(max(0, open_ - bare[:closed].count("}")))
            open_ = max(0, open_ + line.count("{") - line.count("}"))
        return levels

    def _enclosing(self) -> list[int]:
        parents: list[int] = []
        open_: list[int] = []
        for number, level in enumerate(self._levels):
            while open_ and self._levels[open_[-1]] > level:
                open_.pop()
            if open_ and self._levels[open_[-1]] == level:
                # A closing bracket goes on with the line that it closes: `) -> int:`, `} else {`.
                if self._closes(number):
                    parents.append(parents[open_[-1]])
                    continue
                open_.pop()
            parents.append(open_[-1] if open_ else -1)
            open_.append(number)
        return parents
