"""The language that a document is written in: as it says itself, else as its letters and words show."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any
from weakref import WeakKeyDictionary

from chunkwise.types import Document

__all__ = ["language_of", "told_language"]

DEFAULT = "en"
"""What is taken where nothing tells the language."""

_CODE = re.compile(r"([a-z]{2,3})(?:[-_.].*)?\Z", re.IGNORECASE)  # de, pt-BR, en_GB.UTF-8
_KEYS = ("lang", "language")
_PARTS, _PART = 4, 600  # stretches that are looked at, and their length in characters
_LEAST = 20  # letters of which a language is told
_SURE = 0.5  # confidence
_WORD = re.compile(r"[^\W\d_]+")
_OFTEN = 50  # words among which "the" stands once in English at the least
_NO_LANGUAGE = frozenset(["zxx", "und"])

_known: WeakKeyDictionary[Document, str] = WeakKeyDictionary()


def language_of(document: Document) -> str:
    """The language of a document as an ISO 639 code, found once.

    What the document says itself counts: `lang` or `language` in its front matter, or the `lang` of a
    page. Else it is told by four stretches of the text, from all over it; English where they are too
    short or tell too little.
    """
    document = document.source  # cleaned or not, it is in the same language
    found = _known.get(document)
    if found is None:
        found = _known[document] = _said(document) or told_language(document.text)
    return found


def told_language(text: str) -> str:
    """The language that a text is most likely written in; English where that cannot be told."""
    step = max((len(text) - _PART) // (_PARTS - 1), _PART)
    sample = " ".join(text[start : start + _PART] for start in range(0, len(text), step)[:_PARTS])
    words = _WORD.findall(sample.lower())
    if sum(map(len, words)) < _LEAST or words.count("the") * _OFTEN >= len(words):
        return DEFAULT  # plain English is told without the tables of all languages
    language, confidence = _identifier().classify(sample.encode("utf-8", "replace"))
    return str(language) if confidence >= _SURE and language not in _NO_LANGUAGE else DEFAULT


def _said(document: Document) -> str:
    """The code of the language that a document says it is in; empty where it says none."""
    for key in _KEYS:
        code = _CODE.match(str(document.metadata.get(key, "")).strip())
        if code is not None:
            return code[1].lower()
    return ""


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
