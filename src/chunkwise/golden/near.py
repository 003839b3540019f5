"""Looser readings of a text, to say how a quote that is not found differs from its document."""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from string import ascii_lowercase, ascii_uppercase
from typing import Generic, TypeVar

from chunkwise.text import is_blank

Made = TypeVar("Made")
# What word processors and web pages put for a plain sign.
_SIGNS = {
    **dict.fromkeys("‘’‚‛′`´", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}
_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)
_MARKS = r"[*_`~\\\[]|\]\([^)\s]{0,500}\)|\]"


def _plain(character: str) -> str:
    """A character without its typographic form; nothing for one that is invisible."""
    if character in _SIGNS:
        return _SIGNS[character]
    if not character.isspace() and is_blank(character):
        return ""
    return "".join(_SIGNS.get(c, c) for c in unicodedata.normalize("NFKD", character))


@cache
def _case(found: str) -> str:
    return found.casefold()


@cache
def _sign(found: str) -> str:
    return _plain(found)


@cache
def _both(found: str) -> str:
    return _plain(found).casefold()


def _bare(found: str) -> str:
    return "" if len(found) > 1 or found.isascii() else _both(found)


_OTHER = r"[^\x00-\x7f]"
_FORMS: tuple[tuple[str, re.Pattern[str], Callable[[str], str], bool], ...] = (
    ("other capitals", re.compile(_OTHER), _case, True),
    ("other quotation marks, dashes or forms of letters", re.compile(rf"{_OTHER}|`"), _sign, False),
    ("other capitals, quotation marks or forms of letters", re.compile(rf"{_OTHER}|`"), _both, True),
    ("the Markdown marks of the document", re.compile(rf"{_MARKS}|{_OTHER}"), _bare, True),
)


def _loosened(
    text: str, pattern: re.Pattern[str], other: Callable[[str], str], lower: bool
) -> tuple[str, array[int], array[int]]:
    """A text with some of its characters replaced, and the breaks that lead back, in linear time."""
    here, there = array("q", [0]), array("q", [0])
    pieces: list[str] = []
    done = length = 0
    for match in pattern.finditer(text):
        plain, new = text[done : match.start()], other(match.group())
        pieces += (plain, new)
        length += len(plain)
        done = match.end()
        if len(new) != done - match.start():
            if new and here[-1] != length:
                here.append(length)
                there.append(match.start())
            length += len(new)
            here.append(length)
            there.append(done)
        else:
            length += len(new)
    pieces.append(text[done:])
    joined = "".join(pieces)
    # What is left is ASCII, whose small letters have the same length.
    return (joined.translate(_LOWER) if lower else joined), here, there


@dataclass(frozen=True, slots=True)
class Loose(Generic[Made]):
    """One looser reading of a text."""

    difference: str
    """What it does not look at, in words."""
    loosen: Callable[[str], str]
    """Reads a quote in the same way."""
    text: Callable[[], Made]
    """The text so read; made when it is first asked for."""


def loose_forms(text: str, make: Callable[[str, array[int], array[int]], Made]) -> tuple[Loose[Made], ...]:
    """The looser readings of a text: case, signs, both of them, and both without Markdown marks.

    `make(loose, here, there)` makes something of a text so read, with the breaks that lead back.
    """

    def form(
        difference: str, pattern: re.Pattern[str], other: Callable[[str], str], lower: bool
    ) -> Loose[Made]:
        return Loose(
            difference,
            lambda quote: _loosened(quote, pattern, other, lower)[0],
            cache(lambda: make(*_loosened(text, pattern, other, lower))),
        )

    return tuple(form(*kind) for kind in _FORMS)
