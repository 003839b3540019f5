"""`nfc` and `nfkc`: the normal forms of Unicode (UAX 15).

NFC writes the same characters in one way. NFKC also gives up what only looks different: superscripts,
full-width letters, fractions. It changes what a text says (2⁵ becomes 25), so ask for it by name.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from chunkwise.readers.clean.base import Page
from chunkwise.types import Edit

_WORD = re.compile(r"[^ \t\r\n]+")


def find_nfc(page: Page) -> list[Edit]:
    """What is not in NFC."""
    return _find(page.text, "NFC", "character not in NFC")


def find_nfkc(page: Page) -> list[Edit]:
    """What is not in NFKC."""
    return _find(page.text, "NFKC", "character not in NFKC")


def _find(text: str, form: Literal["NFC", "NFKC"], what: str) -> list[Edit]:
    if unicodedata.is_normalized(form, text):
        return []
    found = []
    for word in _WORD.finditer(text):
        old = word[0]
        if old.isascii() or unicodedata.is_normalized(form, old):
            continue
        new = unicodedata.normalize(form, old)
        # Only what differs, so that the way back is no coarser than it must be.
        start = 0
        while start < min(len(old), len(new)) and old[start] == new[start]:
            start += 1
        end = 0
        while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
            end += 1
        at = word.start()
        found.append(Edit(at + start, at + len(old) - end, new[start : len(new) - end], what))
    return found
