r"""`recursive`: a ladder of separators, the next one only where a piece is still too large."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from chunkwise.chunk.base import Piece, setting
from chunkwise.chunk.ladder import BITS, Rung, Unit, unit
from chunkwise.chunk.pack import Packer
from chunkwise.chunk.structural import Structural
from chunkwise.errors import SettingError
from chunkwise.spec import escape, split, unescape
from chunkwise.text import language_of, ruler, sentence_ends
from chunkwise.types import Document

__all__ = ["Recursive"]

DEFAULT_SEPARATORS = ("\n\n", "\n", "sentence", " ")


def read_separators(name: str, value: Any) -> tuple[str, ...]:
    """Separators: text joined by `+`, or a sequence of strings; `sentence` stands for sentence ends."""
    if isinstance(value, str):
        value = [unescape(part) for part in split(value, "+")]
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(v, str) and v for v in value):
        raise SettingError(f"{name} must be separators, none of them empty, got {value!r}")
    return tuple(value)


def show_separators(separators: tuple[str, ...]) -> str:
    """The separators, escaped and joined by `+`."""
    return "+".join(escape(separator) for separator in separators)


@dataclass(frozen=True)
class Recursive(Structural):
    """Cuts behind each separator in turn and packs the parts up to `size`. Knows nothing of structure.

    Args:
        size: Largest size of the indexed string, context included, in units.
        unit: Unit of size and overlap: `chars`, `words`, `cl100k`, `o200k`, a tokenizer file, a function.
        overlap: How much of a chunk may be said again at the start of the next, in units; whole paragraphs,
            sentences or words. Below `size`.
        front_matter: Whether the front matter is cut too; else it is metadata.
        separators: Coarsest first. A separator stays with the text before it. Behind the last, words and
            grapheme clusters come by themselves.
        index_clean: Whether what is indexed goes without Markdown's marks and link targets; the text stays
            the source.
        within: A second limit on the indexed string, in another unit: `400cl100k`. None: there is none.
    """

    name = "recursive"

    separators: tuple[str, ...] = setting(DEFAULT_SEPARATORS, read_separators, show_separators)
    """Coarsest first. A separator stays with the text before it. Behind the last, words and grapheme
    clusters come by themselves."""

    def pieces(self, document: Document) -> Iterator[Piece]:
        """The packed parts."""
        blocks, first = document.blocks, self.first(document)
        if first == len(blocks):
            return
        count, size, scale = self.limit
        separators = _Separators(document, self.separators)
        rule = ruler(document.text, count)
        packer = Packer(document, count, rule, separators, size, self.overlap * scale)
        start, end = blocks.start[first], len(document.text)
        ends, tags = separators.finer(_rung(0), start, end)
        yield from packer.pack(start, ends, tags)


def _rung(number: int) -> Unit:
    """The separator that comes next for a unit, kept in the tag."""
    return unit(Rung.LINE, number)


class _Separators:
    """The ladder of separators."""

    def __init__(self, document: Document, separators: tuple[str, ...]) -> None:
        self._document = document
        self._text = text = document.text
        line_end = r"(?>\r\n?|\n)" if "\r" in text else r"\n"
        self._patterns = [
            None
            if s == "sentence"
            else re.compile("".join(line_end if c == "\n" else re.escape(c) for c in s))
            for s in separators
        ]

    def keeps_whole(self, tag: Unit) -> bool:  # noqa: ARG002 - headings are nothing special here
        """A part that fits stays whole."""
        return True

    def cut_mark(self, tag: Unit) -> tuple[str, ...]:  # noqa: ARG002 - rows are nothing special here
        """No marks."""
        return ()

    def finer(self, tag: Unit, start: int, end: int) -> tuple[list[int], list[Unit]]:
        """Cut behind the first separator that the text holds, from the unit's rung on."""
        for number in range(max(tag >> BITS, 0), len(self._patterns)):
            pattern = self._patterns[number]
            if pattern is None:
                ends = [start + e for e in sentence_ends(self._text[start:end], language_of(self._document))]
            else:
                ends = [m.end() for m in pattern.finditer(self._text, start, end) if m.end() < end]
                ends.append(end)
            if len(ends) > 1:
                return ends, [_rung(number + 1)] * len(ends)
        return [end], [_rung(len(self._patterns))]
