"""Whole documents and their chunks: the fixtures in `tests/fixtures/chunk`, one file a subject.

A title ends with the chunker's text form in parentheses. A chunk is shown by its place and heading path,
its marks and its parent where it has them, then its context (`kind: text`), then its lines behind `|`.
"""

from __future__ import annotations

import re

import pytest
from tests.fixtures import FOLDER, Case, check, load, name

from chunkwise.chunk import make_chunkers
from chunkwise.structure import parse_markdown
from chunkwise.testing import check_chunker
from chunkwise.types import Document

CASES = [case for file in sorted((FOLDER / "chunk").glob("*.txt")) for case in load(file)]


def lines(text: str) -> list[str]:
    return [
        line.replace("\r\n", "\n").replace("\r", "\n").rstrip("\n")
        for line in re.split(r"(?<=\n)", text)
        if line
    ]


@pytest.mark.parametrize("case", CASES, ids=name)
def test_chunks(case: Case) -> None:
    (chunker,) = make_chunkers(case.title.rpartition(" (")[2].removesuffix(")"))

    def show(source: str) -> str:
        out = []
        chunks = check_chunker(
            chunker,
            Document("a.md", source, parse_markdown),
            size=getattr(chunker, "size", None),
            overlap=getattr(chunker, "overlap", 0),
        )
        numbers = {chunk.id: number for number, chunk in enumerate(chunks)}
        for number, chunk in enumerate(chunks):
            head = f"{number} [{chunk.span[0]}, {chunk.span[1]})"
            head += f" {' > '.join(chunk.path)}" if chunk.path else ""
            head += "".join(f" <{mark}>" for mark in chunk.marks)
            head += f" ^{numbers[chunk.parent]}" if chunk.parent else ""
            out.append(head)
            for kind, text in chunk.context:
                out += [f"{kind}: {line}" for line in lines(text)]
            out += [f"|{line}" for line in lines(chunk.text)]
        return "".join(line + "\n" for line in out)

    check(case, show)
