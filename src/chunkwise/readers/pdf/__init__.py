"""PDF by pypdfium2, ruled tables by pdfplumber: text in reading order, headings, lists, code, tables.

A PDF places letters on pages; lines, words that are parted at their ends, columns and headings are
concluded from places, sizes and weights. Running headers and page numbers stay in the text, at the edges of
their pages, until the cleaning step `page-furniture` takes them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from chunkwise.errors import MissingExtra, ReadError
from chunkwise.readers.clean import Page
from chunkwise.readers.clean.hyphenation import find_hyphens
from chunkwise.readers.options import DEFAULT, SKIP, Options, broken
from chunkwise.readers.pdf.aligned import with_tables
from chunkwise.readers.pdf.blocks import Piece, code_of, pieces_of
from chunkwise.readers.pdf.bombs import check_streams
from chunkwise.readers.pdf.forms import filled
from chunkwise.readers.pdf.headings import mark_headings
from chunkwise.readers.pdf.order import Line, flows_of
from chunkwise.readers.pdf.runs import runs_of
from chunkwise.readers.pdf.tables import Tables, has_rules, outside
from chunkwise.readers.writer import Writer
from chunkwise.types import Document, Notice, TextMap, apply

__all__ = ["read_pdf"]

MOST_PAGES: Final = 20_000
"""Pages of the longest file that is read."""
_HEAD: Final = 1024  # so far into the file its sign may stand


def read_pdf(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A PDF. `Document.page` and `Document.origins` tell where a piece of text stands.

    Raises:
        ReadError: broken, encrypted, another format, without text (a scan), or over a limit.
        MissingExtra: pypdfium2 or pdfplumber is not installed.
    """
    del encoding, options  # it says its own
    try:
        import pdfplumber  # noqa: F401 - told now, not at the first table
        import pypdfium2
    except ImportError as error:
        raise MissingExtra(f"{id}: reading PDF", "pdf") from error
    if b"%PDF-" not in data[:_HEAD]:
        raise ReadError(id, f"is no PDF by its first bytes; give it the ending of its format, {SKIP}")
    check_streams(data, id)
    try:
        file = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise ReadError(id, f"is encrypted; save it without a password, {SKIP}") from error
        raise broken(id, "PDF", error) from error
    try:
        if len(file) > MOST_PAGES:
            raise ReadError(id, f"has {len(file):,} pages, more than {MOST_PAGES:,}; split it, {SKIP}")
        with_values = filled(file)
        if with_values is not None:
            file.close()
            data = with_values
            file = pypdfium2.PdfDocument(data)
        return _read(file, data, id)
    except pypdfium2.PdfiumError as error:
        raise broken(id, "PDF", error) from error
    finally:
        file.close()


def _read(file: Any, data: bytes, id: str) -> Document:
    tables = Tables(data)
    pages: list[list[Piece]] = []
    scans: list[int] = []
    for index in range(len(file)):
        page = file[index]
        runs, aside = runs_of(page, index + 1, id)
        if not runs and _has_picture(page):
            scans.append(index + 1)
        if runs and not aside and has_rules(page):
            runs = outside(runs, tables.of(index))
        flows = [with_tables(flow) for flow in flows_of([run for run in runs if not run.turned])]
        flows += [[Line([run])] for run in runs if run.turned]  # behind what is read on the page
        pages.append([piece for flow in flows for piece in pieces_of(flow, index + 1)])
        page.close()
    if not any(pages):
        what = "is a scan: no page has text; run OCR first" if scans else "has no text on any page"
        raise ReadError(id, f"{what}, {SKIP}")
    mark_headings([piece for pieces in pages for piece in pieces], _outline(file))
    title = " ".join(str(file.get_metadata_value("Title") or "").split())
    notices = [Notice(id, 0, f"page {_ranges(scans)} has no text: a scan? Run OCR first")] if scans else []
    if tables.missed:
        at = _ranges(tables.missed)
        notices.append(
            Notice(
                id, 0, f"page {at}: tables cannot be looked for, the file is damaged; they are read as text"
            )
        )
    return _write(pages).document(id, metadata={"title": title} if title else {}, notices=notices)


def _has_picture(page: Any) -> bool:
    import pypdfium2.raw as raw

    return next(iter(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)), None) is not None


def _outline(file: Any) -> dict[int, list[tuple[int, str]]]:
    """The bookmarks by page: level and title."""
    found: dict[int, list[tuple[int, str]]] = {}
    for entry in file.get_toc(max_depth=6):
        target = entry.get_dest()
        index = target.get_index() if target is not None else None
        if index is not None:
            found.setdefault(index + 1, []).append((entry.level + 1, entry.get_title()))
    return found


def _ranges(numbers: Sequence[int]) -> str:
    """Numbers as a reader would write them: `2, 4 to 6`."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    return ", ".join(" to ".join(map(str, part)) for part in parts)


def _write(pages: Sequence[Sequence[Piece]]) -> Writer:
    writer = Writer()
    texts = iter(_whole(piece.text for pieces in pages for piece in pieces if piece.kind in ("text", "item")))
    for pieces in pages:
        writer.page()
        left: list[float] = []  # of the open lists
        for piece in pieces:
            item = piece.kind == "item" and not piece.level
            if not item:
                _close(writer, left, -1.0)
            writer.origin(piece.page, piece.box)
            if piece.kind == "table":
                writer.table(piece.lines[0].rows)
            elif piece.kind == "code":
                writer.code(code_of(piece))
            elif piece.level:
                writer.heading(piece.level, f"{piece.mark} {next(texts)}".strip())
            elif item:
                _open(writer, left, piece)
                writer.paragraph(next(texts))
            else:
                writer.paragraph(next(texts))
        _close(writer, left, -1.0)
    return writer


def _open(writer: Writer, left: list[float], piece: Piece) -> None:
    """Begin an item, in the list that its indentation tells."""
    here = piece.lines[0].left
    _close(writer, left, here)
    if left and abs(here - left[-1]) <= piece.size / 2:
        writer.close()
    else:
        writer.open_list()
        left.append(here)
    writer.open_item(piece.mark if piece.mark[:1].isalnum() or piece.mark[:1] == "(" else "-")


def _close(writer: Writer, left: list[float], until: float) -> None:
    """End the lists that stand further to the right."""
    while left and left[-1] > until + 4:
        writer.close()
        writer.close()
        left.pop()


def _whole(texts: Iterable[str]) -> list[str]:
    """Texts whose words are not parted at line ends, each on one line."""
    joined = "\n\n".join(texts)
    edits = find_hyphens(Page(None, joined, TextMap()))
    return [" ".join(text.split("\n")) for text in apply(joined, edits).split("\n\n")]
