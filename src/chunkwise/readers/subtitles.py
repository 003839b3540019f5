"""Subtitles and transcripts (SRT, WebVTT): each turn is a paragraph, its time is where it stands."""

from __future__ import annotations

import re

from chunkwise.errors import ReadError
from chunkwise.readers.decode import decode
from chunkwise.readers.options import DEFAULT, SKIP, Options
from chunkwise.readers.signs import refuse_other
from chunkwise.readers.writer import Writer
from chunkwise.types import Document

_TIME = re.compile(r"\s*((?:\d+:)?\d{1,2}:\d{2}[.,]\d{3})\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{3}.*")
# Nothing reaches over the next sign that opens something: looking for an end is work once.
_SPEAKER = re.compile(r"<v(?:\.[^ <>]*)?\s+([^<>]+)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}")


def read_subtitles(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A transcript. Numbers, times, styles and notes are no text; a named speaker stands before the turn.

    Raises:
        ReadError: not decodable, or a file without a single time.
    """
    del options
    refuse_other(data, id, "transcript")
    text, _ = decode(data, id, encoding)
    writer, turns, previous = Writer(), 0, ""
    for block in re.split(r"\n[ \t]*\n+", text.replace("\r\n", "\n").replace("\r", "\n")):
        lines = block.strip("\n").split("\n")
        at = next((i for i, line in enumerate(lines[:2]) if "-->" in line and _TIME.fullmatch(line)), None)
        if at is None:
            continue
        turns += 1
        time = _TIME.fullmatch(lines[at])
        said = " ".join(line.strip() for line in lines[at + 1 :])
        said = _TAG.sub("", _SPEAKER.sub(r"\1: ", said)).strip()
        if said and said != previous:
            writer.origin(0, element=time[1].replace(",", ".") if time is not None else "")
            writer.paragraph(said)
            previous = said  # captions that roll up say a line twice
    if not turns and text.strip():
        raise ReadError(
            id, f"holds no time such as 00:01:02,000 --> 00:01:04,000; is it a transcript? Give it another "
            f"ending (.txt), {SKIP}"
        )  # fmt: skip
    return writer.document(id)
