"""Blank characters: white space and what is invisible by definition."""

from __future__ import annotations

import re

# Default_Ignorable_Code_Point of Unicode (DerivedCoreProperties.txt).
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
VISIBLE = re.compile(f"[^\\s{_IGNORABLE}]")
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
