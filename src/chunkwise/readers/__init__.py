"""Readers: a file in, a `Document` out. One reader a format, one table of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any, Final

from chunkwise.arguments import checked
from chunkwise.errors import BrokenFiles, CorpusError, ReadError, SettingError
from chunkwise.readers.acting import ActingParse
from chunkwise.readers.clean import clean as cleaned
from chunkwise.readers.clean import parse_steps
from chunkwise.readers.decode import check_encoding, decode
from chunkwise.readers.files import find_files
from chunkwise.readers.options import DEFAULT, Options, check_size, parse_headings
from chunkwise.readers.signs import refuse_other
from chunkwise.structure import parse_code, parse_markdown, parse_plain
from chunkwise.types import Corpus, Document, Notice, Reader, check_corpus

__all__ = ["READERS", "opened", "read", "read_text"]


def read_markdown(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A Markdown file."""
    return _text(data, id, encoding, options, "Markdown", parse_markdown)


def read_plain(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A plain text file: paragraphs, no headings."""
    return _text(data, id, encoding, options, "text", parse_plain)


def _text(
    data: bytes, id: str, encoding: str | None, options: Options, form: str, parse: Callable[[str, str], Any]
) -> Document:
    if encoding is None:
        refuse_other(data, id, form)
    text, shift = decode(data, id, encoding)
    return Document(
        id, text, ActingParse(parse, options.headings) if options.headings else parse, shift=shift
    )


def _reader(module: str, name: str) -> Reader:
    """A reader whose module, and with it its library, is imported when it is first used."""

    def read_with(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
        made: Document = getattr(import_module(f"chunkwise.readers.{module}"), name)(
            data, id, encoding, options=options
        )
        return made

    return read_with


CODE: Final = frozenset(
    (
        *(
            ".bash",
            ".c",
            ".cc",
            ".cpp",
            ".cs",
            ".css",
            ".go",
            ".h",
            ".hpp",
            ".java",
            ".jl",
            ".js",
            ".jsx",
            ".kt",
        ),
        *(".lua", ".php", ".pl", ".py", ".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".swift", ".ts", ".tsx"),
    )
)
"""Endings of source code, which is read as one block of code where a pattern names it."""


def read_code(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A file of source code: one block of code."""
    return _text(data, id, encoding, options._replace(headings=()), "source code", parse_code)


_HTML: Final = _reader("html", "read_html")
READERS: Final[dict[str, Reader]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".mdx": read_markdown,
    ".txt": read_plain,
    ".text": read_plain,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": _HTML,
    ".docx": _reader("docx", "read_docx"),
    ".pdf": _reader("pdf", "read_pdf"),
    ".pptx": _reader("pptx", "read_pptx"),
    ".rst": _reader("rst", "read_rst"),
    ".ipynb": _reader("notebook", "read_notebook"),
    ".srt": _reader("subtitles", "read_subtitles"),
    ".vtt": _reader("subtitles", "read_subtitles"),
}
"""The reader of each file name ending."""
PACKED: Final = frozenset((".docx", ".pdf", ".pptx"))
"""Endings of formats that take long to read and give little text: read once, and kept."""
_KEPT: Final = 64_000_000  # characters of their documents that are kept


@checked("path")
def read(
    path: str | Path,
    *,
    include: Iterable[str] = (),
    exclude: Iterable[str] = (),
    encoding: str | None = None,
    skip_broken: bool = False,
    clean: str | Iterable[str] = (),
    headings: str | Iterable[str] = (),
    boilerplate: bool = True,
    max_size: int = DEFAULT.max_size,
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
        headings: which lines act as headings besides real ones, as in `bold+numbered`.
        boilerplate: whether navigation, page heads and feet of web pages are read too.
        max_size: megabytes of the largest file, and of what is packed in one, that is read.
        progress: called with `("read", files done, files)`.

    Raises:
        BrokenFiles: names every file that cannot be read, with the place and the remedy.
        CorpusError: there is nothing to read.
        SettingError: `path` is none, or Python knows no such encoding.
        UnknownName: no such step of cleaning.
    """
    if not isinstance(path, str | os.PathLike):
        raise SettingError(
            f"path must be that of one folder or file, got {type(path).__name__}; choose files of a folder "
            "with include and exclude, make documents of texts with read_text"
        )
    if encoding is not None:
        check_encoding(encoding)
    steps = parse_steps(clean)
    options = Options(parse_headings(headings), boilerplate, max_size)
    if str(path) == "-":
        return Corpus([cleaned(read_markdown(sys.stdin.buffer.read(), "stdin.md", encoding, options), steps)])
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

    library = _Library(root, encoding, options)
    sound: list[str] = []
    digests: dict[str, str] = {}
    broken: list[ReadError] = []
    for number, id in enumerate(ids):
        try:
            digests[id] = library(id).digest
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
    load = partial(_cleaned, library, steps) if steps else library
    corpus = Corpus.lazy(sound, load, digests=digests, skipped=skipped)
    corpus.notices = tuple(_twice(sound, digests))
    return corpus


def _cleaned(library: Callable[[str], Document], steps: tuple[str, ...], id: str) -> Document:
    return cleaned(library(id), steps)


class _Library:
    """Reads the files of a folder when they are asked for. In another process it begins with nothing kept."""

    def __init__(self, root: Path, encoding: str | None, options: Options) -> None:
        self._root, self._encoding, self._options = root, encoding, options
        self._kept: dict[str, Document] = {}
        self._room = _KEPT

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._root.absolute(), self._encoding, self._options)

    def __call__(self, id: str) -> Document:
        if id in self._kept:
            return self._kept[id]
        path = self._root / id
        try:
            check_size(id, path.stat().st_size, self._options.max_size)
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise ReadError(id, "the file has vanished since it was found; run again") from error
        except OSError as error:
            raise ReadError(id, f"cannot be read: {error.strerror or error}") from error
        suffix = PurePosixPath(id).suffix.lower()
        reader = READERS.get(suffix, read_code if suffix in CODE else read_plain)
        document = reader(data, id, self._encoding, options=self._options)
        if suffix in PACKED and len(document.text) <= self._room:
            self._room -= len(document.text)
            self._kept[id] = document
        return document


def _twice(ids: Iterable[str], digests: Mapping[str, str]) -> Iterator[Notice]:
    """A notice for each file whose text another one has too."""
    first: dict[str, str] = {}
    for id in ids:
        other = first.setdefault(digests[id], id)
        if other != id and digests[id] != _EMPTY:
            yield Notice(id, 0, f"has the same text as {other}")


def opened(corpus: Corpus | str | Path) -> Corpus:
    """The documents that were given, or those of the folder or file named. Raises what `read` does."""
    if isinstance(corpus, str | os.PathLike):
        return read(corpus)
    check_corpus(corpus)
    return corpus


_PLAIN: Final = (".txt", ".text")


@checked("text")
def read_text(text: str, id: str = "text.md") -> Document:
    """A document of a string: Markdown, or plain text where the id ends in `.txt` or `.text`.

    Raises:
        SettingError: `text` is no string.
    """
    if not isinstance(text, str):
        raise SettingError(f"text must be a string, got {type(text).__name__}; read(path) reads files")
    # A path costs more than all else here, and most names need none.
    plain = id.lower().endswith(_PLAIN) and PurePosixPath(id).suffix.lower() in _PLAIN
    return Document(id, text, parse_plain if plain else parse_markdown)


_EMPTY: Final = Document("", "", parse_plain).digest


def _nothing(root: Path, skipped: Iterable[Notice]) -> CorpusError:
    known = ", ".join(sorted(READERS))
    lines = [f"\n  {notice}" for notice in list(skipped)[:10]]
    return CorpusError(f"no documents ({known}) to read in {root}{''.join(lines)}")
