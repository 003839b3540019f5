"""Texts of documents made fit for a page: nothing in them is markup, and what cannot be seen is shown."""

from __future__ import annotations

import json
from bisect import bisect_left
from typing import Any, Final

__all__ = ["Utf16", "as_data", "visible"]

# Control characters have pictures of their own; a lone surrogate is no character at all.
_PICTURES: Final = {
    **{code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A, 0x0D)},
    0x7F: 0x2421,
    **dict.fromkeys(range(0xD800, 0xE000), 0xFFFD),
}
# `</script>` and `<!--` would end or change the element that holds the data.
_IN_SCRIPT: Final = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


def visible(text: str) -> str:
    """A text with pictures for control characters, such as ␀ for NUL, which HTML cannot hold."""
    return text.translate(_PICTURES)


def as_data(value: Any) -> str:
    """A value as JSON that may stand in a script element; lone surrogates are written as escapes."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for char, escaped in _IN_SCRIPT.items():
        text = text.replace(char, escaped)
    return "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) < 0xE000 else c for c in text)


class Utf16:
    """Positions of a text as JavaScript counts them: characters beyond U+FFFF count twice."""

    def __init__(self, text: str) -> None:
        self._wide = [i for i, char in enumerate(text) if ord(char) > 0xFFFF] if not text.isascii() else []

    def __call__(self, position: int) -> int:
        """The position of a code point, counted in units of UTF-16."""
        return position + bisect_left(self._wide, position)
