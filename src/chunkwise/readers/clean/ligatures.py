"""`ligatures`: letters that fonts join become letters again."""

from __future__ import annotations

import re
import unicodedata

from chunkwise.readers.clean.base import Page
from chunkwise.types import Edit

# Alphabetic presentation forms: Latin (ff, fi, fl, ffi, ffl, long s t, st) and Armenian.
_LIGATURE = re.compile("[\ufb00-\ufb06\ufb13-\ufb17]")


def find_ligatures(page: Page) -> list[Edit]:
    """Every ligature that stands for single letters."""
    if page.text.isascii():
        return []
    return [
        Edit(m.start(), m.end(), unicodedata.normalize("NFKC", m[0]), "ligature")
        for m in _LIGATURE.finditer(page.text)
    ]
