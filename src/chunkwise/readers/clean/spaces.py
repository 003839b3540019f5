"""`spaces`: no-break spaces and spaces of odd widths become plain ones, odd line ends become line ends."""

from __future__ import annotations

import re

from chunkwise.readers.clean.base import Page
from chunkwise.types import Edit

_NAMES = {
    "\u00a0": "no-break space",
    "\u202f": "narrow no-break space",
    "\u1680": "odd space",
    "\u205f": "odd space",
    "\u3000": "ideographic space",
    "\u0085": "odd line end",
    "\u2028": "odd line end",
    "\u2029": "odd line end",
    "\v": "odd line end",
    **{chr(code): "odd space" for code in range(0x2000, 0x200B)},
}
_ODD = re.compile(f"[{''.join(_NAMES)}]")


def find_spaces(page: Page) -> list[Edit]:
    """Every odd space and line end, each replaced by one plain character."""
    found = []
    for match in _ODD.finditer(page.text):
        name = _NAMES[match[0]]
        found.append(Edit(match.start(), match.end(), "\n" if "line" in name else " ", name))
    return found
