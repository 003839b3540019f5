"""Sentences, found by `sentencex` and corrected for closing marks and list lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate, chain, compress, pairwise
from string import ascii_letters, punctuation

import sentencex

from chunkwise.text.going_on import goes_on
from chunkwise.types import Span

# A full stop inside a closing mark ends the sentence when a new one visibly begins behind it.
_CLOSED = re.compile(r"""[.!?…]["'”’»«)\]]+\s+(?=\S)""")
# Full-width brackets around a sentence belong to it.
_BRACKETED = re.compile(r"[。！？][）】]+(?=\S)")
# Three points in one character end a sentence in front of a capital letter, as three full stops do.
_ELLIPSIS = re.compile(r"…\s+(?=\S)")
# Marks of Khmer, Tibetan, Hebrew and Greek that `sentencex` does not know, with what closes behind them.
_FARTHER_MARKS = "\u17d4\u17d5\u0f0d\u0f0e\u05c3\u037e"
_FARTHER = re.compile(f"[{_FARTHER_MARKS}]+[\"'\u201d\u2019\u00bb)]*\\s*")
# Behind a Greek word a semicolon asks a question, whatever language the rest of the document is in.
_GREEK = re.compile(";(?<=[\u0370-\u03ff\u1f00-\u1fff];)[\"'\u201d\u2019\u00bb)]*(?:\\s+|\\Z)")
# What belongs to the sentence in front of it: marks that close, footnotes, a full stop behind them.
_DRAWN = re.compile(r"""(?:(?:[*_~`)\]}”’»"']|\[\^?\w{1,12}\]|[¹²³⁰⁴-⁹])[.!?…]*){1,8}(?=\s|\Z)""")
_DRAWN_FIRST = frozenset("*_~`)]}”’»\"'[¹²³⁰⁴⁵⁶⁷⁸⁹")
_STOPS = _DRAWN_FIRST.union(".!?…。！？।॥")
# A full-width point between digits, as Japanese texts write them, is a decimal point.
_POINT = re.compile(r"．(?<=\d．)(?=\d)")  # with a first character that can be looked for quickly
# White space outside ASCII between an initial and its point: `sentencex` counts its bytes and fails.
_WIDE = re.compile(r"[A-Z]\s*[^\S\x00-\x7f]\.")
_WIDE_POINT = re.compile(r"\.(?<=[^\S\x00-\x7f]\.)")  # part of it, looked for quickly
_PARAGRAPH_END = re.compile(r"\n[ \t\r\f\v]*\n\s*")
_WINDOW = 4_000  # characters
_BATCH = 100_000  # characters
_SURE = 2_500  # characters; of a text up to 10 kB `sentencex` gives back every blank line
_MARKED = r"(?P<line>)[ \t]*(?P<mark>[-*+•]|(?P<number>[0-9]{1,3})[.)]|[A-Za-z]\))[ \t]+(?=\S)"
_FIRST_LIST_LINE = re.compile(_MARKED)
_LIST_LINE = re.compile(rf"\n{_MARKED}")  # here too
# An end in front of one of these and behind white space stands where it is, and no sentence goes on there.
_WHITE = frozenset(" \n\t")
_SETTLED = frozenset(punctuation.replace("(", ""))
_SETTLED_ENGLISH = _SETTLED.union(ascii_letters)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACE = re.compile(r"\s*")
_BLANK_LINES = re.compile(r"\s*[\n\r]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_BLANK_BEFORE = re.compile(r"(?>\r\n?|\n)[ \t]*(?>\r\n?|\n)\Z")


def sentence_ends(text: str, language: str = "en") -> list[int]:
    """Positions after each sentence, the white space behind it included; the last is the text's length.

    Args:
        text: any text; its blank lines end a sentence too.
        language: ISO 639 code, for abbreviations and ordinals (`sentencex` knows some 300);
            `language_of` finds that of a document.
    """
    if not text:
        return []
    if "\r" in text:  # to `sentencex` a lone carriage return is no line end
        text = _LONE_RETURN.sub("\n", text)
    plain = text.isascii()
    if not plain and _WIDE_POINT.search(text):
        text = _WIDE.sub(lambda found: f"{found[0][:-2]} .", text)
    ends = _found(text, language)
    ends.update(match.end() for match in _CLOSED.finditer(text) if _closes(text, match))
    if not plain:
        _mend_scripts(text, ends)
    _mend_lists(text, ends)
    ends.discard(len(text))
    clear = _SETTLED_ENGLISH if language == "en" else _SETTLED
    settled = {end for end in ends if text[end] in clear and text[end - 1] in _WHITE}
    ends -= settled
    stop = len(text.rstrip())
    moved = {_moved(text, end, stop) for end in ends}
    settled.update(end for end in moved if not goes_on(text, end, language))
    # White space in front of all is no sentence.
    settled.difference_update(range(len(text) - len(text.lstrip()) + 1))
    settled.add(len(text))
    return sorted(settled)


def _moved(text: str, end: int, stop: int) -> int:
    """An end behind what belongs to the sentence in front of it, and behind the white space there; `stop` is
    where the last visible character of the text ends.
    """
    first = text[end : end + 1]
    if first in _DRAWN_FIRST:
        end = _drawn(text, end)
        first = text[end : end + 1]
    return _behind_blank(text, end, stop) if first.isspace() else end


def _drawn(text: str, end: int) -> int:
    """An end behind what closes the sentence in front of it."""
    found = _DRAWN.match(text, end) if text[end - 1 : end] in _STOPS else None
    return found.end() if found is not None else end


def _behind_blank(text: str, end: int, stop: int) -> int:
    """An end behind the blank lines that follow it, in front of the next line with its indentation; `stop`
    is where the last visible character of the text ends.
    """
    if end >= stop:
        return len(text)
    lines = _BLANK_LINES.match(text, end)
    if lines:
        return lines.end()
    if text[end - 1 : end] in ("\n", "\r"):
        return end
    found = _SPACE.match(text, end)
    return found.end() if found else end


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


def _found(text: str, language: str) -> set[int]:
    """The ends that `sentencex` finds.

    Its time grows with the square of a paragraph's length, so that a long paragraph is given to it in
    windows: the ends of a window count but for the last, where the next window begins. Short
    paragraphs are given many at a time, as each call has a price of its own.
    """
    if len(text) <= _WINDOW:
        return {*_starts(text, 0, len(text), language), len(text)}
    ends: set[int] = set()
    begin = start = 0  # of the paragraphs that are gathered, and of the last of them
    for stop in chain((match.end() for match in _PARAGRAPH_END.finditer(text)), (len(text),)):
        long = stop - start > _WINDOW
        if long and start > begin:
            ends.update(_starts(text, begin, start, language))
            ends.add(start)
        if long:
            # Blank lines behind a paragraph make it no longer.
            ends.update(_windows(text, start, start + len(text[start:stop].rstrip()), language))
        if long or stop - begin > _BATCH or stop == len(text):
            if not long and stop > begin:
                ends.update(_starts(text, begin, stop, language))
            ends.add(stop)
            begin = stop
        start = stop
    return ends


def _starts(text: str, start: int, end: int, language: str) -> list[int]:
    """Where the sentences of a part of a text begin; the blank lines between them are none."""
    starts: list[int] = []
    while start < end:
        stop = end
        if end - start > _SURE:
            stop = text.rfind("\n\n", start, start + _SURE)
            stop = stop if stop >= 0 else text.find("\n\n", start, end)
            stop = stop if stop >= 0 else end
        found = _segments(text[start:stop], language)
        starts += compress(accumulate(map(len, found), initial=start), map("\n\n".__ne__, found))
        start = stop + 2
    return starts


def _segments(text: str, language: str) -> list[str]:
    """A text cut into sentences and blank lines by `sentencex`."""
    try:
        found: list[str] = sentencex.segment(language, text)
    except UnicodeEncodeError:
        # A lone surrogate; a question mark would end a sentence, an underscore does not.
        return _segments(_SURROGATE.sub("_", text), language)
    if sum(map(len, found)) == len(text):
        return found
    # Of a text of more than 10 kB some blank lines may be missing.
    ends = [boundary["end_index"] for boundary in sentencex.get_sentence_boundaries(language, text)]
    return [text[a:b] for a, b in pairwise([0, *ends])]


def _windows(text: str, start: int, stop: int, language: str) -> Iterator[int]:
    """Ends in a long paragraph, by windows. Where a window holds none, the next one goes on behind it."""
    while start < stop:
        edge = min(start + _WINDOW, stop)
        # A window ends at white space, or the dots of a word cut in two would look like an end.
        while start + _WINDOW // 2 < edge < stop and not text[edge - 1].isspace():
            edge -= 1
        ends = _starts(text, start, edge, language)[1:]
        yield from ends
        start = ends[-1] if ends and edge < stop else edge
    yield stop


def _closes(text: str, match: re.Match[str]) -> bool:
    """Whether the closing marks of a match end a sentence; not so behind a single letter, as in `(J.)`."""
    if text[match.start()] == "." and not text[max(0, match.start() - 2) : match.start()].isalpha():
        return False
    return _begins(text, match.end())


def _begins(text: str, position: int) -> bool:
    """Whether a new sentence visibly begins here: behind opening marks, a letter that is not small."""
    while position < len(text) and text[position] in "“\"‘'«»([¿¡":
        position += 1
    return position < len(text) and not text[position].islower()


def _mend_scripts(text: str, ends: set[int]) -> None:
    """Ends by marks outside ASCII."""
    ends.update(match.end() for match in _ELLIPSIS.finditer(text) if text[match.end()].isupper())
    if "）" in text or "】" in text:
        ends.update(match.end() for match in _BRACKETED.finditer(text))
    if any(mark in text for mark in _FARTHER_MARKS):
        ends.update(match.end() for match in _FARTHER.finditer(text))
    if ";" in text:
        ends.update(match.end() for match in _GREEK.finditer(text))
    ends.difference_update(match.end() for match in _POINT.finditer(text))


def _mend_lists(text: str, ends: set[int]) -> None:
    """Each line of a list is a unit of its own, and its number is none."""
    lines = [*_LIST_LINE.finditer(text)]
    first = _FIRST_LIST_LINE.match(text)
    if first:
        lines.insert(0, first)
    if not lines:
        return
    list_until = -1  # where the lines of the list so far end, if none but such lines stand between
    begins = [line.start("line") for line in lines]
    for found, start, behind in zip(lines, begins, [*begins[1:], -1], strict=False):
        number = found["number"]
        if not (number is None or int(number) == 1 or start == list_until or _blank_before(text, start)):
            continue
        ends.add(start)
        # "1." alone is no sentence: drop the ends between the line's start and its first word.
        ends.difference_update(range(found.start("mark") + 1, found.end() + 1))
        at = _line_end(text, found.end())
        # Indented lines go on with the item; the first other line that begins a sentence ends the list.
        while at < len(text) and at != behind:
            line = text[at : _line_end(text, at)]
            if not line.strip():
                break
            if not line[0].isspace() and _begins(text, at):
                ends.add(at)
                break
            at += len(line)
        list_until = at


def _line_end(text: str, position: int) -> int:
    """Where a line ends, its line end included; there is no lone carriage return."""
    return text.find("\n", position) + 1 or len(text)


def _blank_before(text: str, start: int) -> bool:
    """Whether the line before is blank, or there is none."""
    before = text[max(0, start - 200) : start].rstrip(" \t\f\v")
    return not before or _BLANK_BEFORE.search(before) is not None
