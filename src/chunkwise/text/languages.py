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
_PARTS = 4  # stretches of a text that are looked at
_PART, _GLANCE = 600, 200  # characters of each, to tell any language and to see plain English
_LEAST = 20  # letters of which a language is told
_SURE = 0.5  # confidence
# A word of prose. Parts of names, paths and addresses, of which code is made, tell no language.
_WORD = re.compile(r"(?<![\w./`:@])[^\W\d_]++(?![\w/`(=]|[.:]\w)")
# Words that stand in every English text and in few others, one of them among so many words at the least:
# of any text, and of what is prose in it.
_ENGLISH = frozenset(("the", "and", "are", "from", "that", "this", "with", "you"))
_OFTEN, _OFTEN_IN_PROSE = 30, 20
# Those of them that begin a line of code, or stand behind what it imports.
_KEYWORD = re.compile(r"\n[ \t]*(?:(?:import|export)\b[^\n]*? )?(?:from|with) ")
_NO_KEYWORDS = _ENGLISH.difference(("from", "this", "with"))
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
    glances = _stretches(text, _GLANCE)
    if 2 * sum(map(_is_plain, glances)) >= len(glances):
        return DEFAULT  # plain English is told without the tables of all languages, which take their time
    sample = " ".join(_stretches(text, _PART))
    words = _WORD.findall(sample)
    letters = "".join(words)
    if len(letters) < _LEAST:
        return DEFAULT
    known = sum(word.lower() in _NO_KEYWORDS for word in words)
    if letters.isascii() and known * _OFTEN_IN_PROSE >= len(words):
        return DEFAULT  # so is English among code
    language, confidence = _identifier().classify(sample.encode("utf-8", "replace"))
    return str(language) if confidence >= _SURE and language not in _NO_LANGUAGE else DEFAULT


def _stretches(text: str, length: int) -> list[str]:
    """A few stretches of a text, from all over it, each of a length."""
    step = max((len(text) - length) // (_PARTS - 1), length)
    return [text[start : start + length] for start in range(0, len(text), step)[:_PARTS]]


def _is_plain(stretch: str) -> bool:
    """Whether a stretch is English beyond doubt."""
    stretch = stretch.lower()
    words = stretch.split()
    known = sum(map(_ENGLISH.__contains__, words)) - len(_KEYWORD.findall(stretch))
    return known * _OFTEN >= len(words) > 0


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
