"""What the parser is given in place of what it reads in another way than the specification.

Every mask has as many bytes of UTF-8 as what it stands for, so that places stay the same.
"""

from __future__ import annotations

import re

# A line of braces alone above an underline. Inside a list or a quote pulldown-cmark 0.13 panics there.
_LONE_BRACES = re.compile(r"^[ \t>]+\{[^\n]*\}[ \t\r]*(?=\n[ \t>]*(?:-+|=+)[ \t\r]*$)", re.MULTILINE)
_ROUND = str.maketrans("{}", "()")
# The blank lines behind an alert that says nothing. It takes one of four columns for a part of the alert.
_BEHIND_ALERT = re.compile(r"(\[![A-Za-z]+\][ \t]*\n)((?:[ \t]*\n)+)")
# The box of a task that has no text on its line. The parser ends the item there, not so the specification.
_BARE_TASK = re.compile(r"^([ \t>]*(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)\[[ xX]\](?=[ \t\r]*$)", re.MULTILINE)
# The row of dashes below a header of two cells or more, with the line end before it.
_DELIMITER = re.compile(r"\n[ \t>]*\|?[ \t]*:?-+:?[ \t]*\|[ \t]*:?-+[-:| \t]*\r?(?=\n|\Z)")
# A header that has no bar in front; 2: its first character.
_BARE_HEADER = re.compile(
    r"([ >]*)(\\\||[^\s|>#<~=`*_+0-9-]|[*_`]{1,2}(?=[^\s*_`])|[0-9](?![0-9]*[.)]\s))[^\n]*\|"
)


def masked(source: str, *, inside: bool) -> str:
    """The text for the parser. With `inside`, for what stands in the blocks, no letter is masked."""
    found = source
    if "{" in source:
        found = _LONE_BRACES.sub(lambda match: match[0].translate(_ROUND), found)
    if "[!" in source:
        found = _BEHIND_ALERT.sub(lambda match: match[1] + len(match[2]) * "\n", found)
    if "[ ]" in source or "[x]" in source or "[X]" in source:
        found = _BARE_TASK.sub(r"\1aaa", found)
    if "|" in source and not inside:
        found = _with_bars(found)
    return found


def _with_bars(source: str) -> str:
    """A text where the header of a table right behind a line of a paragraph begins with a bar.

    To the parser one without goes on with the paragraph, and there is no table.
    """
    parts: list[str] = []
    reached = 0
    for delimiter in _DELIMITER.finditer(source):
        line = source.rfind("\n", 0, delimiter.start()) + 1
        above = source[source.rfind("\n", 0, max(line - 1, 0)) + 1 : line]
        header = _BARE_HEADER.match(source, line, delimiter.start())
        if header is None or line < reached or not above.strip(" \t\r\n>"):
            continue
        start, end = header.span(2)
        parts += [source[reached:start], "|".ljust(len(header[2].encode("utf-8")))]
        reached = end
    return "".join([*parts, source[reached:]]) if parts else source
