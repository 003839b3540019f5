"""Subtitles and transcripts (SRT, WebVTT): each turn is a paragraph, its time is where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import Final, NamedTuple

from chunkwise.errors import ReadError
from chunkwise.readers.decode import decode
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.writer import Writer
from chunkwise.types import Document

_MOMENT = r"(?:(\d+):)?(\d{1,2}):(\d{2}(?:[.,]\d{1,3})?)"
_TIME = re.compile(rf"\s*({_MOMENT})\s*-->\s*({_MOMENT})(?!\d).*")
# Nothing reaches over the next sign that opens something: looking for an end is work once.
_SPEAKER = re.compile(r"<v(?:\.[^ <>]*)?\s+([^<>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}")
_REFERENCE = re.compile(r"&#?\w{1,31};")
_SILENT: Final = re.compile(r"(?:NOTE|STYLE|REGION)(?:[ \t].*)?\Z")
_DASHES: Final = ("-", "\u2013", "\u2014")
_TOUCH: Final = 0.05
"""Seconds between two turns that roll up: the second one goes on showing what the first one said."""


class _Line(NamedTuple):
    """A line of a turn without marks."""

    text: str
    begins: bool
    """Whether a named speaker begins it."""


class _Turn(NamedTuple):
    """A turn as it is written."""

    at: str
    """When it begins."""
    start: float
    end: float
    lines: list[str]
    """What stands behind its times, blank lines too."""


def read_subtitles(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A transcript. Numbers, times, styles and notes are no text; a named speaker stands before the turn.

    Raises:
        ReadError: not decodable, or a file without a single time.
    """
    del options
    refuse_other(data, id, "transcript")
    text, _ = decode(data, id, encoding)
    writer, found = Writer(), False
    before, until = list[_Line](), -1.0
    for turn in _turns(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        found = True
        lines = _said(turn.lines)
        # Captions that roll up say a line again, and one more.
        again = _repeated(before, lines) if turn.start - until <= _TOUCH else 0
        if lines[again:]:
            writer.origin(0, element=turn.at.replace(",", "."))
            writer.paragraph(_joined(lines[again:]))
        if lines:
            before, until = lines, turn.end
    if not found and text.strip():
        raise ReadError(
            id, f"holds no time such as 00:01:02,000 --> 00:01:04,000; is it a transcript? Give it another "
            f"ending (.txt), {SKIP}"
        )  # fmt: skip
    return writer.document(id)


def _turns(lines: Sequence[str]) -> Iterator[_Turn]:
    """Every turn: what stands between its times and the next ones, the name of the next turn aside."""
    times = [(i, found) for i, line in enumerate(lines) if "-->" in line and (found := _TIME.fullmatch(line))]
    behinds = [*(i for i, _ in times[1:]), len(lines)]
    for (at, found), behind in zip(times, behinds, strict=False):
        body = list(lines[at + 1 : behind])
        if behind < len(lines) and body and body[-1].strip():
            # A line right above the times is a number, or behind a blank line any name.
            named = body[-1].strip()
            if named.isdecimal() or (len(body) > 1 and not body[-2].strip()):
                body.pop()
                while body and not body[-1].strip():
                    body.pop()
                if len(body) > 1 and body[-1].strip() == named and not body[-2].strip():
                    body.pop()  # the number is written twice
        start, end = _seconds(*found.group(2, 3, 4)), _seconds(*found.group(6, 7, 8))
        yield _Turn(found[1], start, end, body)


def _seconds(hours: str | None, minutes: str, seconds: str) -> float:
    return 3600.0 * int(hours or 0) + 60.0 * int(minutes) + float(seconds.replace(",", "."))


def _said(lines: Sequence[str]) -> list[_Line]:
    """The lines of a turn that are text, without marks."""
    said: list[_Line] = []
    silent = False
    for i, line in enumerate(lines):
        if not line.strip():
            silent = False
            continue
        silent = silent or (i > 0 and not lines[i - 1].strip() and _SILENT.match(line.strip()) is not None)
        if not silent:
            # A speaker begins a line of the text.
            parts = _SPEAKER.sub(r"\n\1: ", line).split("\n")
            said += [_Line(_plain(part), number > 0) for number, part in enumerate(parts)]
    return [line for line in said if line.text]


def _plain(text: str) -> str:
    return _REFERENCE.sub(lambda found: unescape(found[0]), _TAG.sub("", text)).strip()


def _repeated(before: Sequence[_Line], lines: Sequence[_Line]) -> int:
    """How many of the first lines are the last ones of the turn before, however they are broken."""
    old, new = [line.text for line in before], [line.text for line in lines]
    if " ".join(old) == " ".join(new):
        return len(new)
    return next((n for n in range(min(len(old), len(new)), 0, -1) if old[-n:] == new[:n]), 0)


def _joined(lines: Sequence[_Line]) -> str:
    """The lines of a turn as one, but what several people say apart."""
    dashes = sum(line.text.startswith(_DASHES) for line in lines) > 1
    text = lines[0].text
    for line in lines[1:]:
        apart = line.begins or (dashes and line.text.startswith(_DASHES))
        text += ("\n" if apart else " ") + line.text
    return text
