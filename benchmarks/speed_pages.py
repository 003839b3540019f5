"""The pages that speed is measured on, and larger corpora made from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

Page = tuple[str, str]
"""Path below the root, and text."""


def root_of(data: Path) -> Path:
    """The folder of the pages: `data` itself, its `docs/`, or those of `fastapi-docs` below it."""
    for folder in (data / "fastapi-docs" / "docs", data / "docs", data):
        if folder.is_dir():
            return folder
    return data


def pages(root: Path) -> list[Page]:
    """All Markdown files below a folder, by path, their line ends untouched."""
    found = ((path.relative_to(root).as_posix(), path) for path in root.rglob("*.md"))
    return [(name, path.read_bytes().decode("utf-8")) for name, path in sorted(found)]


def characters(made: Sequence[Page]) -> int:
    """Characters of all pages together."""
    return sum(len(text) for _, text in made)


def copies(made: Sequence[Page], wanted: int) -> Iterator[list[Page]]:
    """The pages again and again, each time in another folder, until there are `wanted` characters."""
    whole = characters(made)
    for number in range(max(1, -(-wanted // whole))):
        yield [(f"{number:04}/{name}", text) for name, text in made]


def joined(made: Sequence[Page]) -> str:
    """The pages as one text."""
    return "\n\n".join(text for _, text in made)


def pieces(made: Sequence[Page], count: int, size: int = 500) -> Iterator[Page]:
    """Small pages: `count` stretches of whole lines of about `size` characters, with a heading each."""
    lines = [line for _, text in made for line in text.splitlines(keepends=True)]
    at = 0
    for number in range(count):
        held, length = [f"# Page {number}\n\n"], 0
        while length < size:
            held.append(lines[at % len(lines)])
            length += len(held[-1])
            at += 1
        yield f"{number // 1000:03}/{number % 1000:03}.md", "".join(held)


def write(folder: Path, made: Sequence[Page] | Iterator[Page]) -> int:
    """Write pages below a folder; returns their number."""
    known: set[Path] = set()
    count = 0
    for name, text in made:
        path = folder / name
        if path.parent not in known:
            path.parent.mkdir(parents=True, exist_ok=True)
            known.add(path.parent)
        path.write_bytes(text.encode("utf-8"))
        count += 1
    return count
