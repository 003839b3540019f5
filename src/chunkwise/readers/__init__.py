"""Readers: a file in, a `Document` out. One reader a format, one table of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from pathlib import Path, PurePosixPath
from typing import Final

from chunkwise.errors import BrokenFiles, CorpusError, ReadError
from chunkwise.readers.clean import clean as cleaned
from chunkwise.readers.clean import parse_steps
from chunkwise.readers.decode import decode
from chunkwise.readers.files import find_files
from chunkwise.structure import parse_markdown, parse_plain
from chunkwise.types import Corpus, Document, Notice, Reader

__all__ = ["READERS", "read", "read_text"]


def read_markdown(data: bytes, id: str, encoding: str | None, /) -> Document:
    """A Markdown file."""
    text, shift = decode(data, id, encoding)
    return Document(id, text, parse_markdown, shift=shift)


def read_plain(data: bytes, id: str, encoding: str | None, /) -> Document:
    """A plain text file: paragraphs, no headings."""
    text, shift = decode(data, id, encoding)
    return Document(id, text, parse_plain, shift=shift)


READERS: Final[dict[str, Reader]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".mdx": read_markdown,
    ".txt": read_plain,
    ".text": read_plain,
}
"""The reader of each file name ending."""


def read(
    path: str | Path,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    encoding: str | None = None,
    skip_broken: bool = False,
    clean: str | Iterable[str] = (),
    progress: Callable[[str, int, int], None] | None = None,
) -> Corpus:
    """Read a folder, a file, or standard input (`-`, as Markdown).

    Every file is decoded once before anything else is done, so that all broken ones are told together;
    after that a document is read when it is asked for, and none is kept.

    Args:
        path: a folder, a file, or `-`.
        include: patterns of file names or paths to read, also of other endings; all known ones if empty.
        exclude: patterns to leave out.
        encoding: the encoding of all files; None for UTF-8, or what a byte order mark says.
        skip_broken: leave out files that cannot be read, and say so in `Corpus.skipped`.
        clean: steps of cleaning (`readers.clean.STEPS`), as names or as `invisible+spaces`.
        progress: called with `("read", files done, files)`.

    Raises:
        BrokenFiles: names every file that cannot be read, with the place and the remedy.
        CorpusError: there is nothing to read.
        UnknownName: no such step of cleaning.
    """
    steps = parse_steps(clean)
    if str(path) == "-":
        return Corpus([cleaned(read_markdown(sys.stdin.buffer.read(), "stdin.md", encoding), steps)])
    root = Path(path)
    if root.is_file():
        ids, root = [root.name], root.parent
        skipped: list[Notice] = []
    elif root.is_dir():
        ids, skipped = find_files(root, READERS, include, exclude)
    else:
        raise ReadError(str(path), "no such file or folder")
    if not ids:
        raise _nothing(root, skipped)

    def load(id: str) -> Document:
        try:
            data = (root / id).read_bytes()
        except FileNotFoundError as error:
            raise ReadError(id, "the file has vanished since it was found; run again") from error
        except OSError as error:
            raise ReadError(id, f"cannot be read: {error.strerror or error}") from error
        return READERS.get(PurePosixPath(id).suffix.lower(), read_plain)(data, id, encoding)

    sound: list[str] = []
    digests: dict[str, str] = {}
    broken: list[ReadError] = []
    for number, id in enumerate(ids):
        try:
            digests[id] = load(id).digest
            sound.append(id)
        except ReadError as error:
            broken.append(error)
        if progress is not None:
            progress("read", number + 1, len(ids))
    if broken and not skip_broken:
        raise broken[0] if len(broken) == 1 else BrokenFiles(broken)
    skipped += [Notice(error.path, 0, f"broken, left out: {error.reason}") for error in broken]
    if not sound:
        raise _nothing(root, skipped)
    if not steps:
        return Corpus.lazy(sound, load, digests=digests, skipped=skipped)
    return Corpus.lazy(sound, lambda id: cleaned(load(id), steps), digests=digests, skipped=skipped)


def read_text(text: str, id: str = "text.md") -> Document:
    """A document of a string: Markdown, or plain text where the id ends in `.txt` or `.text`."""
    plain = PurePosixPath(id).suffix.lower() in (".txt", ".text")
    return Document(id, text, parse_plain if plain else parse_markdown)


def _nothing(root: Path, skipped: Iterable[Notice]) -> CorpusError:
    known = ", ".join(sorted(READERS))
    lines = [f"\n  {notice}" for notice in list(skipped)[:10]]
    return CorpusError(f"no documents ({known}) to read in {root}{''.join(lines)}")
