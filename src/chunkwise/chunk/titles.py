"""What heading paths take in tokens: a title stands in the text, where its tokens are known."""

from __future__ import annotations

import re
from collections.abc import Sequence

from chunkwise.chunk.room import SEPARATOR
from chunkwise.text.token_rulers import TokenRuler
from chunkwise.types import Document

_BEGINS = re.compile(r" *[!-.0-~]")
"""What has tokens of its own behind a line end: no line end and no slash."""


class Titles:
    """Sizes of contexts that begin with the heading path, for one document.

    No token goes from a visible character over a space. So the titles of a path have tokens of their own,
    and those with a space before them in the text have the same there.
    """

    def __init__(self, document: Document, ruler: TokenRuler) -> None:
        """Take a document, and what knows the tokens of its text."""
        self._text, self._sections = document.text, document.sections
        self._count, self._words, self._size = ruler.counter.count, ruler.counter.by_words, ruler.size
        self._known: dict[int, int | None] = {-1: None if self._sections.root else 0}

    def cost(self, section: int, inside: Sequence[tuple[str, str]]) -> int | None:
        """The size of the path down to a section and of what stands inside, line ends behind both; None where
        it has to be counted.
        """
        if inside and not (self._words or _BEGINS.match(inside[0][1])):
            return None
        path = self._line(section)
        if path is None or not inside:
            return path
        return path + self._count("\n".join([text for _, text in inside]) + "\n")

    def _line(self, section: int) -> int | None:
        """The size of a path with the line end behind it."""
        sections, path = self._sections, self._path(section)
        while section > 0 and not sections.titles[section]:
            section = sections.parent[section]
        last = sections.titles[section][-1:]
        if path is None or self._words or not last:
            return path
        # Marks go on over line ends.
        return path + self._count("\n") if last.isascii() and last.isalnum() else None

    def _path(self, section: int) -> int | None:
        """The size of a path as it is with other titles behind it."""
        if section not in self._known:
            self._known[section] = self._longer(self._path(self._sections.parent[section]), section)
        return self._known[section]

    def _longer(self, above: int | None, section: int) -> int | None:
        """The size of a path with one more title."""
        title = self._sections.titles[section]
        if above is None or not title:
            return above
        if title[0].isspace() or title[-1].isspace():
            return None
        if not above:
            return self._count(title)
        place = self._text.find(title, self._sections.start[section], self._sections.body[section])
        if place > 0 and self._text[place - 1] == " ":
            return above + self._count(SEPARATOR.rstrip()) + self._size(place - 1, place + len(title))
        return above + self._count(SEPARATOR + title)
