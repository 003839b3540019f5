"""Blank characters: white space and what is invisible by definition."""

from __future__ import annotations

import re

IGNORABLE = (
    *((code, code) for code in (0xAD, 0x34F, 0x61C, 0x3164, 0xFEFF, 0xFFA0)),
    *((0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x202A, 0x202E)),
    *((0x2060, 0x206F), (0xFE00, 0xFE0F), (0xFFF0, 0xFFF8), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A)),
    (0xE0000, 0xE0FFF),
)
"""First and last code point of each range of Default_Ignorable_Code_Point (Unicode's
DerivedCoreProperties.txt); the last one is the highest.
"""
VISIBLE = re.compile(f"[^\\s{''.join(f'{chr(first)}-{chr(last)}' for first, last in IGNORABLE)}]")
"""Matches one character that a reader can see."""
_LINE_END = re.compile(r"\r\n?|\n")


def is_blank(text: str) -> bool:
    """Whether a text has no visible character: only white space and default-ignorable ones."""
    return VISIBLE.search(text) is None


def trim_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """Drop blank lines at both ends of a slice and keep the indentation of its first line.

    White space behind the last visible character goes too; invisible characters behind it stay, as
    they may belong to it (a variation selector). An empty range is returned where nothing is visible.
    """
    if start < end and "!" <= text[start] <= "~":
        while text[end - 1].isspace():
            end -= 1
        return start, end
    first = VISIBLE.search(text, start, end)
    if first is None:
        return start, start
    last = len(text[start:end].rstrip()) + start
    begin = first.start()
    line = max(text.rfind("\n", start, begin), text.rfind("\r", start, begin)) + 1
    return max(line, start), last


_MARKS = 2_000
"""Characters of quote marks in front of a block that are looked at: each of thousands of quotes asks."""


def quoted_line(text: str, place: int) -> int:
    """The start of the line, where nothing but white space and quote marks stands before a place, not too
    much of it; else the place.
    """
    line = text.rfind("\n", 0, place) + 1
    line = max(line, text.rfind("\r", line, place) + 1)
    return place if place - line > _MARKS or text[line:place].strip("> \t") else line


def line_ends(text: str) -> list[int]:
    """Positions after each line end (LF, CRLF or CR), and the text's length where the last line has none."""
    ends = [match.end() for match in _LINE_END.finditer(text)]
    if not ends or ends[-1] < len(text):
        ends.append(len(text))
    return ends
