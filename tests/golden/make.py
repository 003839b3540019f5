"""Small corpora and golden files made by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from chunkwise.types import BlockKind, Blocks, Corpus, Document, Sections, Structure

MARK = "\ufeff"


def parse(text: str, _: str = "") -> Structure:
    """ATX headings, pipe rows and paragraphs: enough of Markdown for these tests."""
    headings = []
    kinds, starts, ends, levels = [], [], [], []
    for line in re.finditer(r"[^\n]+\n*", text):
        heading = re.match(r"(#{1,6}) (.*)", line[0])
        kind = BlockKind.TABLE if line[0].startswith("|") else BlockKind.PARAGRAPH
        if heading:
            headings.append((len(heading[1]), heading[2].strip(), line.start(), line.end()))
            kind = BlockKind.HEADING
        kinds.append(kind)
        starts.append(line.start())
        ends.append(line.end())
        levels.append(len(heading[1]) if heading else 0)
    return Structure(Blocks(kinds, starts, ends, levels, [0] * len(kinds)), Sections(headings, len(text)), {})


def document(id: str, text: str) -> Document:
    shift = text.startswith(MARK)
    return Document(id, text[1:] if shift else text, parse, shift=int(shift))


def corpus(texts: dict[str, str]) -> Corpus:
    return Corpus(document(name, text) for name, text in texts.items())


def folder(root: Path) -> Corpus:
    """All text files of a folder, as they are."""
    files = sorted(f for f in root.rglob("*") if f.suffix in (".md", ".txt"))
    return Corpus(document(f.relative_to(root).as_posix(), f.read_bytes().decode()) for f in files)


def lines(path: Path, rows: Iterable[dict[str, Any] | str]) -> Path:
    """Write JSON Lines; a row that is a text is written as it is."""
    texts = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_bytes("".join(f"{text}\n" for text in texts).encode())
    return path


def row(**keys: Any) -> dict[str, Any]:
    """A sound entry for a corpus that has the document a.md, with some keys changed or (None) left out."""
    data = {"id": "q1", "question": "How warm?", "doc": "a.md", "gold": "below forty degrees", **keys}
    return {key: value for key, value in data.items() if value is not None}
