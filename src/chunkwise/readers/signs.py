"""What a file is by its first bytes, where they tell: a wrong ending is named, not read as noise."""

from __future__ import annotations

from typing import Final

from chunkwise.errors import ReadError
from chunkwise.readers.options import SKIP

_SIGNS: Final = (
    (b"%PDF-", "PDF", ".pdf"),
    (b"PK\x03\x04", "a zip file (DOCX, PPTX, …)", ".docx"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a file of an old Office", ".doc"),
    (b"{\\rtf", "RTF", ".rtf"),
    (b"\x89PNG\r\n", "a picture", ".png"),
    (b"\xff\xd8\xff", "a picture", ".jpg"),
    (b"GIF8", "a picture", ".gif"),
    (b"\x1f\x8b\x08", "a packed file", ".gz"),
    (b"7z\xbc\xaf\x27\x1c", "a packed file", ".7z"),
    (b"\x7fELF", "a program", ".bin"),
    (b"SQLite format 3\0", "a database", ".db"),
)


def refuse_other(data: bytes, path: str, form: str) -> None:
    """Refuse a file of text that is something else by its first bytes. Raises `ReadError`."""
    for sign, name, ending in _SIGNS:
        if data.startswith(sign):
            raise ReadError(
                path,
                f"is no {form} but {name} by its first bytes; give it its own ending (such as {ending}), "
                f"{SKIP}",
            )
