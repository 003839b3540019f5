"""Numbers with their nouns, and texts of users on a terminal."""

from __future__ import annotations

import unicodedata
from typing import Final

__all__ = ["counted", "plain"]

_JOINERS: Final = "\u200c\u200d"
"""Characters without a shape of their own that words of several scripts, and emoji, are written with."""


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "family", "families"), counted(2000, "chunk")
    ('1 family', '2,000 chunks')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def plain(text: str) -> str:
    r"""A text without characters that would begin a line, move the cursor, or colour or turn around what
    stands there: each is shown as U+FFFD.

    >>> plain("a\x1b[31mb")
    'a�[31mb'
    """
    return "".join(c if _shown(c) else "\ufffd" for c in text)


def _shown(char: str) -> bool:
    return char.isprintable() or char in _JOINERS or unicodedata.category(char) == "Zs"
