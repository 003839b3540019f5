"""Sentences, found by `sentencex` and corrected for closing marks and list lines."""

from __future__ import annotations

import re

from chunkwise.types import Span

# A full stop inside a closing mark ends the sentence when a new one visibly begins behind it.
_CLOSED = re.compile(
    r"""[^\W\d_]{2}[.]["'”’»«)\]]+\s+(?=[“"‘'«»(\[¿¡]*[^\W\d_a-z])|[!?…]["'”’»«)\]]+\s+(?=[“"‘'«»(\[¿¡]*[A-Z])"""
)
_LIST_LINE = re.compile(r"[ \t]*(?:[-*+•]|(?P<number>[0-9]{1,3})[.)]|[A-Za-z]\))[ \t]+\S")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_MAYBE_LIST = re.compile(r"(?:^|[\r\n])[ \t]*(?:[-*+•]|[0-9]{1,3}[.)]|[A-Za-z]\))[ \t]+\S")


def sentence_ends(text: str, language: str = "en") -> list[int]:
    """Positions after each sentence, the white space behind it included; the last is the text's length.

    Args:
        text: any text; its blank lines end a sentence too.
        language: ISO 639 code, for abbreviations (`sentencex` knows some 300).
    """
    if not text:
        return []
    from sentencex import get_sentence_boundaries

    ends = {found["end_index"] for found in get_sentence_boundaries(language, text)}
    ends.update(match.end() for match in _CLOSED.finditer(text) if _begins(text, match.end()))
    if _MAYBE_LIST.search(text):
        _mend_lists(text, ends)
    ends.discard(0)
    ends.add(len(text))
    return sorted(ends)


def sentences(text: str, language: str = "en") -> list[Span]:
    """Spans of the sentences, without the white space around them."""
    spans = []
    start = 0
    for end in sentence_ends(text, language):
        piece = text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        right = start + len(piece.rstrip())
        if left < right:
            spans.append(Span(left, right))
        start = end
    return spans


def _begins(text: str, position: int) -> bool:
    """Whether a new sentence visibly begins here: behind opening marks, a letter that is not small."""
    while position < len(text) and text[position] in "“\"‘'«»([¿¡":
        position += 1
    return position < len(text) and not text[position].islower()


def _mend_lists(text: str, ends: set[int]) -> None:
    """Each line of a list is a unit of its own, and its number is none."""
    in_list = False
    blank_before = True
    for line in _LINE.finditer(text):
        if line.end() == line.start():
            break
        found = _LIST_LINE.match(text, line.start(), line.end())
        number = found["number"] if found else None
        if found and (number is None or in_list or blank_before or int(number) == 1):
            ends.add(line.start())
            # "1." alone is no sentence: drop the ends between the line's start and its first word.
            for position in range(line.start() + 1, found.end()):
                ends.discard(position)
            in_list = True
        elif in_list and line.group().strip():
            if not line.group()[0].isspace() and _begins(text, line.start()):
                ends.add(line.start())
                in_list = False
        elif not line.group().strip():
            in_list = False
        blank_before = not line.group().strip()
