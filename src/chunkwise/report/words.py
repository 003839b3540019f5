"""Numbers with their nouns."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "family", "families"), counted(2000, "chunk")
    ('1 family', '2,000 chunks')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
