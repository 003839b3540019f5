"""What ends a line, CRLF, CR or LF, changes no cut: a CRLF is one line end, never a blank line."""

from __future__ import annotations

import pytest

from chunkwise.chunk import CHUNKERS
from chunkwise.readers import read_text
from chunkwise.text import sentences

PROSE = (
    "The press runs at six bar. Nobody\nopens the guard before the wheel\nhas come to rest.\n\n"
    "Paper is stored flat and dry\nin the room behind the press. It is\nturned once a month.\n \n\n"
    "Ink is mixed by hand\nfrom two tins.\n"
)
GUIDE = (
    "---\ntitle: Press room\n---\n\n# Press room\n\n" + PROSE + "\n## Tables\n\n"
    "| part | count | shelf |\n|---|---|---|\n"
    + "".join(f"| part {i} | {i} | the shelf on the left |\n" for i in range(6))
    + "\n- oil the rollers\n  twice a day\n\n  and wipe them\n- sweep\n\n> Careful with the\n> guard.\n\n"
    "```py\ndef start():\n    a = 1\n    b = 2\n    c = 3\n    d = 4\n\n    e = 5\n    f = 6\n\n\n"
    "def stop():\n    a = 0\n    b = 0\n```\n\nQ: What is\nink?\n\nA: A fluid that\ncolours paper.\n\n"
    "Title\n=====\n\nThe end\nis near.\n"
)


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize("size", [8, 12, 20, 45])
@pytest.mark.parametrize("name", sorted(CHUNKERS))
@pytest.mark.parametrize(("id", "text"), [("a.txt", PROSE), ("a.md", GUIDE)])
def test_line_ends_change_no_cut(id: str, text: str, name: str, size: int, line_end: str) -> None:
    chunker = CHUNKERS[name]() if name == "document" else CHUNKERS[name](size=size, unit="words")
    plain = [(chunk.text, chunk.context, chunk.marks) for chunk in chunker(read_text(text, id))]
    other = [
        (chunk.text.replace(line_end, "\n"), chunk.context, chunk.marks)
        for chunk in chunker(read_text(text.replace("\n", line_end), id))
    ]
    assert other == plain


@pytest.mark.parametrize("line_end", ["\r\n", "\r"])
@pytest.mark.parametrize("text", [PROSE, GUIDE, "It stops at 5.\nThen\n\ngo on.\n"])
def test_line_ends_change_no_sentence(text: str, line_end: str) -> None:
    other = text.replace("\n", line_end)
    assert [other[start:end].replace(line_end, "\n") for start, end in sentences(other)] == [
        text[start:end] for start, end in sentences(text)
    ]
