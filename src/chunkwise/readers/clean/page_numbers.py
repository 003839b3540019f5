"""Lines that may number a page: `7`, `- 7 -`, `Page 3 of 10`, `Preface    iv`, `A-3`, `第3页`."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_NUMBER = re.compile(r"\d+")
# Canonical, up to 399: no book has as many pages in front of its first one.
_ROMAN = r"(?=[ivxlc])c{0,3}(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
_CALLED = (
    r"(?:page|pg|pp?|seite|página|pagina|pág|pag|стр(?:аница)?|стор(?:інка)?|folha|folio|strona|str|strana|sida"
    r"|side|sivu|sheet|blatt|blad|第)\b"
)
_OF = r"(?:of|/|von|de|du|sur|di|из|з|z|ze|av|af|van|od|aus|a|från|fra)"
_NUMBERED = re.compile(
    # Alone, or of how many: 7, [7], 3 of 10, 3/10, 3 (10), 1-3
    rf"\W*\d+\W*(?:(?:{_OF}\b)?\W*\d+\W*)?"
    # Of an appendix or a part: A-3
    r"|\W*[A-Z]{1,2}-\d+\W*"
    # Set off by a wide gap or a bar, at either end
    r"|.*(?:\s{2,}|\t|[|·•\u2013—]\s*)[\[(]?\d+[\])]?\s*|\s*\d+(?:\s{2,}|\t|\s*[|·•\u2013—]).*"
    # Called so
    rf"|.*\b{_CALLED}[.:]?\s*(?:n[or°º]\.?\s*)?(?:[A-Z]-)?\d+.*|.*\bpage\d+.*"
    r"|.*第\s*\d+.*|\W*\d+\s*(?:/\s*\d+\s*)?(?:ページ|頁|页|쪽)\W*",
    re.IGNORECASE,
)
_ROMAN_NUMBERED = re.compile(
    rf"(?:\W*|.*(?:\s{{2,}}|\t|[|·•\u2013—]\s*)[\[(]?|\W*{_CALLED}[.:]?\s*)({_ROMAN})(?:\W*|(?:\s{{2,}}|\t|\s*[|·•\u2013—]).*)",
    re.IGNORECASE,
)
_DIGITS: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class Shape(NamedTuple):
    """A line with its numbers apart."""

    text: str
    """The line with a sign in the place of each number, and single spaces."""
    numbers: tuple[int, ...]
    roman: bool = False
    """Whether its number is a roman one. Only the first pages of a book have such."""


def shape_of(line: str) -> Shape:
    """The shape of a line: lines of running heads and feet that differ in numbers alone have the same."""
    found = _ROMAN_NUMBERED.fullmatch(line.strip())
    if found is not None and (found[1].islower() or found[1].isupper()):
        stripped = line.strip()
        mark = "r#" if found[1].islower() else "R#"
        text = stripped[: found.start(1)] + mark + stripped[found.end(1) :]
        return Shape(" ".join(text.split()), (_roman(found[1].lower()),), roman=True)
    numbers = tuple(int(digits) if len(digits) < 10 else -1 for digits in _NUMBER.findall(line))
    return Shape(" ".join(_NUMBER.sub("#", line).split()), numbers)


def numbers_a_page(line: str) -> bool:
    """Whether a line looks like one that numbers its page, and not like a sentence or title with a number."""
    return (
        _NUMBERED.fullmatch(line.strip()) is not None or _ROMAN_NUMBERED.fullmatch(line.strip()) is not None
    )


def _roman(letters: str) -> int:
    values = [_DIGITS[letter] for letter in letters]
    return sum(
        -value if value < behind else value for value, behind in zip(values, [*values[1:], 0], strict=True)
    )
