"""What a Markdown text says without its marks, with the way back to where each character stands.

Emphasis, hashes, bullets, pipes, fences, link targets, definitions, comments and tags are left out; words,
code, formulas, the text of links and the text alternatives of pictures stay, character for character. One
pass over the parser's events, so that a star is a mark only where the parser takes it for one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from chunkwise.structure.events import characters_before, events_of, readable
from chunkwise.structure.frontmatter import front_matter
from chunkwise.types import IntArray

_LINES = 2  # line ends in a row at most
TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[/!?A-Za-z][^<>]*>",
    re.DOTALL | re.IGNORECASE,
)
"""A comment, a script or a style with what stands in it, a tag, a declaration."""
ALTERNATIVE = re.compile(r"""<img\b[^<>]*?\salt\s*=\s*(["'])(.*?)\1""", re.DOTALL | re.IGNORECASE)
"""A tag that shows a picture; group 2 is its text alternative."""
_BREAK = re.compile(r"<(?:br|hr|/?p|/?div|/?li|/?tr|/?td|/?th)\b", re.IGNORECASE)


class Unmarked(NamedTuple):
    """A text without its marks."""

    text: str
    """What is left of it."""
    places: IntArray
    """For each character of `text` where it stands in the source, in code points; never falling."""

    def between(self, start: int, end: int) -> str:
        """What is left of a slice of the source, without white space at both ends."""
        first, last = np.searchsorted(self.places, (start, end))
        return self.text[first:last].strip()


def unmarked(text: str) -> Unmarked:
    r"""A Markdown text without its marks.

    White space between blocks becomes one or two line ends, between the cells of a row a space. What is
    left of any slice is never longer than the slice. Front matter stays as it is.

    >>> found = unmarked("## See [the *page*](p.html)\n\n| a | `b` |\n|---|---|\n| 1 | 2 |\n")
    >>> found.text
    'See the page\n\na b\n1 2\n'
    >>> found.places[:4].tolist()
    [3, 4, 5, 6]
    """
    body, _ = front_matter(text)
    source = readable(text[body:] if body else text)
    made = _Writer(source)
    made.read()
    said, places = made.finish()
    if not body:
        return Unmarked(said, places)
    return Unmarked(text[:body] + said, np.concatenate([np.arange(body), places + body]))


def _masked(tag: re.Match[str]) -> str:
    """A tag as so many NULs, but for the text alternative of a picture."""
    picture = ALTERNATIVE.match(tag[0])
    start, end = picture.span(2) if picture else (0, 0)
    return "\0" * start + tag[0][start:end] + "\0" * (len(tag[0]) - end)


def _same(said: str, written: str) -> bool:
    """Whether a character of a code span is what is written; a line end is a space, NUL has a sign."""
    return said == written or (said == " " and written == "\n") or (said == "\ufffd" and written == "\0")


class _Writer:
    """Collects what is left, with the byte that each part begins at."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._data = source.encode("utf-8")
        self._parts: list[str] = []
        self._starts: list[int] = []
        self._reached = 0  # the byte behind what was read last
        self._lines = _LINES  # line ends at the end of what is collected; none are wanted at its start

    def read(self) -> None:
        """Take the text from all events."""
        html: list[tuple[str, int]] | None = None
        cell = False
        for event, place in events_of(self._source, inside=True):
            start, end = place["start"], place["end"]
            if event.__class__ is not dict:
                if event in ("SoftBreak", "HardBreak"):
                    self._gap(end)
                    self._reached = end
                continue
            (name, value), *_ = event.items()
            if name == "Start":
                if value == "TableCell":
                    if cell:
                        self._space(start)
                    cell = True
                elif value in ("TableRow", "TableHead"):
                    self._gap(start, 1 if value == "TableRow" else _LINES)
                    cell = False
                elif value == "HtmlBlock":
                    html = []
                elif value.__class__ is dict and value.get("BlockQuote"):
                    self._alert(start, value["BlockQuote"])
            elif name == "End":
                if value == "HtmlBlock" and html is not None:
                    self._html(html)
                    html = None
            elif name in ("Html", "InlineHtml") and html is not None:
                html.append((value, start))
            elif name == "InlineHtml":
                if _BREAK.match(value):
                    self._space(start)
                elif picture := ALTERNATIVE.match(value):
                    place = start + len(value[: picture.start(2)].encode("utf-8"))
                    self._add(picture[2], place, place + len(picture[2].encode("utf-8")))
            elif name == "Text":
                if html is None:  # else the rest of a tab that a quote mark took a part of
                    self._add(value, start, end)
            elif name == "Code":
                self._code(value, start, end)
            elif name in ("InlineMath", "DisplayMath"):
                self._add(self._data[start:end].decode(), start, end)

    def finish(self) -> tuple[str, IntArray]:
        """The text, and where each of its characters stands in the source, in code points."""
        self._gap(len(self._data), 1)
        lengths = np.array([len(part) for part in self._parts], dtype=np.int64)
        starts = np.array(self._starts, dtype=np.int64)
        if len(self._data) != len(self._source):
            starts = characters_before(self._data)[starts]
        own = np.cumsum(lengths) - lengths
        places = np.arange(int(lengths.sum()), dtype=np.int64) + np.repeat(starts - own, lengths)
        return "".join(self._parts), places

    def _put(self, part: str, start: int) -> None:
        """Collect a part whose characters stand in the source one behind the other."""
        if part:
            self._parts.append(part)
            self._starts.append(start)
            self._lines = len(part) - len(part.rstrip("\n")) if part[-1] == "\n" else 0

    def _gap(self, end: int, most: int = _LINES) -> None:
        """Keep the line ends between what was read last and a place, up to so many in a row."""
        position = self._reached
        while self._lines < most:
            position = self._data.find(b"\n", position, end)
            if position < 0:
                break
            lines = self._lines
            self._put("\n", position)
            self._lines = lines + 1
            position += 1
        self._reached = max(self._reached, end)

    def _space(self, start: int) -> None:
        """A space where words would run together."""
        self._gap(start)
        if self._parts and not self._parts[-1][-1].isspace():
            self._put(" ", start)

    def _add(self, value: str, start: int, end: int) -> None:
        """Collect a text; one that is written otherwise in the source stands where it begins there."""
        self._gap(start)
        if len(value.encode("utf-8")) == end - start:
            self._put(value, start)
        else:
            for character in value:
                self._put(character, start)
        self._reached = end

    def _code(self, value: str, start: int, end: int) -> None:
        """Collect a code span: what stands between its ticks, line ends as spaces."""
        written = self._data[start:end].decode().strip("`")
        ticks = (end - start - len(written.encode("utf-8"))) // 2
        skipped = 1 if len(written) == len(value) + 2 else 0
        if len(written) == len(value) + 2 * skipped:
            self._gap(start)
            self._put(value, start + ticks + skipped)
            self._reached = end
        else:
            self._over_lines(value, written, start + ticks, end)

    def _over_lines(self, value: str, written: str, start: int, end: int) -> None:
        """Collect a code span whose lines begin with marks of a quote, character by character."""
        self._gap(start)
        byte, position = start, 0
        for character in value:
            while position < len(written) and not _same(character, written[position]):
                byte += len(written[position].encode("utf-8"))
                position += 1
            self._put(character, byte)
            byte += len(written[position : position + 1].encode("utf-8"))
            position += 1
        self._reached = end

    def _alert(self, start: int, kind: str) -> None:
        """Keep the word of `[!NOTE]`."""
        found = self._data.find(b"[!", start)
        self._gap(found)
        self._put(self._data[found + 2 : found + 2 + len(kind)].decode(), found + 2)
        self._reached = found + 2 + len(kind)

    def _html(self, lines: list[tuple[str, int]]) -> None:
        """Collect the text of a block of HTML, without its tags and comments."""
        joined = "".join(line for line, _ in lines)
        kept = TAG.sub(_masked, joined)
        position = 0
        for line, start in lines:
            byte = start
            for part in re.split(r"(\0+|\n)", kept[position : position + len(line)]):
                size = len(part)
                said = joined[position : position + size]
                if part and part[0] != "\0" and not part.isspace():
                    self._gap(byte)
                    self._put(said, byte)
                    self._reached = byte + len(said.encode("utf-8"))
                byte += len(said.encode("utf-8"))
                position += size
