"""`draft`: questions copied out of the headings, for a first look and for regression."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from chunkwise.arguments import checked
from chunkwise.golden.anchor import fold
from chunkwise.golden.families import join_families
from chunkwise.types import Corpus, Document, Gold, GoldenSet, Place, Question, Section, check_corpus

BODY = 300
"""Characters of text that a section must have under its heading to be asked for."""
WORDS = 2
_SLUG = 40
# Scripts written without spaces: Thai, Lao, Khmer, Myanmar, kana, ideographs.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_UNSPACED_WORD = 2


@dataclass(slots=True)
class _Title:
    text: str
    places: list[Place] = field(default_factory=list)


@checked("corpus")
def draft(corpus: Corpus, *, body: int = BODY, words: int = WORDS) -> GoldenSet:
    """Make a question of each heading; the whole section under it is the gold.

    Headings of level 2 and deeper are asked for, and those of level 1 in documents that have no
    others. The gold is the leaf section, from its heading line up to the next heading of any level.
    Sections with the same title (case and white space aside) anywhere in the corpus become one
    question with alternatives. `origin` is `heading`, `reviewed` is False, the family is the title.

    Args:
        corpus: one document is held at a time.
        body: least number of characters under the heading, white space at both ends aside.
        words: least number of words in the title; in scripts without spaces two characters are one.

    Returns:
        The questions in the order of the corpus; none where no heading qualifies.

    Raises:
        SettingError: `corpus` is no corpus.
    """
    check_corpus(corpus)
    titles: dict[str, _Title] = {}
    digests: dict[str, str] = {}
    for document in corpus:
        for section in _sections(document, body, words):
            title = titles.setdefault(fold(section.title).casefold(), _Title(fold(section.title)))
            title.places.append(Place(document.id, document.to_raw(section.span)))
            digests[document.id] = document.digest
    questions = [
        Question(
            _id(key, title.text),
            title.text,
            (Gold("", tuple(title.places)),),
            family=title.text,
            tags={"answer_length": "long"},
            origin="heading",
            reviewed=False,
        )
        for key, title in titles.items()
    ]
    return GoldenSet(join_families(questions), digests)


def _sections(document: Document, body: int, words: int) -> Iterator[Section]:
    sections = document.sections
    least = 2 if any(level >= 2 for level in sections.level) else 1
    for section in sections:
        if section.level < least or _words(section.title) < words:
            continue
        if len(document.text[section.body : section.span.end].strip()) >= body:
            yield section


def _words(title: str) -> float:
    spaced = _UNSPACED.sub(" ", title).split()
    return (
        sum(any(map(str.isalnum, word)) for word in spaced) + len(_UNSPACED.findall(title)) / _UNSPACED_WORD
    )


def _id(key: str, title: str) -> str:
    """An id that stays the same while the title does: readable, and unique by a digest."""
    plain = unicodedata.normalize("NFC", title).casefold()
    slug = re.sub(r"[\W_]+", "-", plain).strip("-")[:_SLUG].rstrip("-")
    digest = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return "-".join(part for part in ("h", slug, digest) if part)
