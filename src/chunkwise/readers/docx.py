"""DOCX by mammoth, which makes HTML of it: real headings, tables, lists, footnotes."""

from __future__ import annotations

import io
import re
from typing import Any, Final

from chunkwise.errors import MissingExtra
from chunkwise.readers.docx_numbers import BEGIN, END
from chunkwise.readers.docx_parts import prepared
from chunkwise.readers.html import parse_page
from chunkwise.readers.html_walk import NUMBER
from chunkwise.readers.options import DEFAULT, Options, broken
from chunkwise.readers.packed import check_packed, transitional
from chunkwise.types import Document, Notice

STYLES: Final = """
p[style-name='Title'] => p.document-title:fresh
p[style-name='Code'] => pre:separator('\\n')
p[style-name='Source Code'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
p[style-name='Quotations'] => blockquote > p:fresh
"""
"""Styles of Word and LibreOffice that mean something, beside those that mammoth knows."""

_FOREIGN: Final = (
    "a part of the text stands in another format inside of the file (altChunk) and is not read; open it in "
    "Word and save it again"
)
_ITEM: Final = re.compile(f"<li>{BEGIN}([^{END}<>]*){END}")


def read_docx(data: bytes, id: str, encoding: str | None, /, options: Options = DEFAULT) -> Document:
    """A Word document. Comments and deleted text are left out; pictures give their alternative texts.

    Raises:
        ReadError: broken, encrypted, another format, or over a limit.
        MissingExtra: mammoth or selectolax is not installed.
    """
    del encoding  # it is XML, which says its own
    try:
        import mammoth
    except ImportError as error:
        raise MissingExtra(f"{id}: reading DOCX", "docx") from error
    check_packed(data, id, "DOCX", options)
    try:
        found = prepared(transitional(data))
        made = mammoth.convert_to_html(
            io.BytesIO(found.file),
            style_map=f"{STYLES}{found.styles}",
            convert_image=mammoth.images.img_element(_picture),
        )
    except Exception as error:
        raise broken(id, "DOCX", error) from error
    notices = [Notice(id, 0, _FOREIGN)] if found.foreign else []
    return parse_page(_numbered(made.value), id, options, notices)


def _numbered(page: str) -> str:
    """A page whose items have the numbers that Word shows; those of other paragraphs stand in their text."""
    if BEGIN not in page:
        return page
    page = _ITEM.sub(lambda found: f'<li {NUMBER}="{found[1].strip().replace(chr(34), "&quot;")}">', page)
    return page.replace(BEGIN, "").replace(END, "")


def _picture(image: Any) -> dict[str, str]:
    """Nothing but the alternative text, which mammoth puts in itself; the picture is not looked at."""
    del image
    return {"src": ""}
