"""What is packed in a zip file (DOCX, PPTX) is looked at before anything is unpacked."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable
from typing import Final

from chunkwise.errors import ReadError
from chunkwise.readers.options import MEGABYTE, SKIP, Options

MOST_PARTS: Final = 10_000
"""Parts of the largest document."""
RATIO: Final = 200
"""So many times its packed size a large part may have. Texts and pictures are far below."""
_LARGE: Final = 10 * MEGABYTE
_PROLOG: Final = 65_536  # a document type stands before the first element
_RELATIONS: Final = "_rels/.rels"
_STRICT = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)")
_OLD: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def check_packed(data: bytes, path: str, form: str, options: Options) -> None:
    """Refuse what is no sound zip file of the named form, or would not stay within the limits.

    Args:
        data: the whole file.
        path: its name, for the error.
        form: `DOCX` or `PPTX`.
        options: with the limit of what is unpacked.

    Raises:
        ReadError: another format, encrypted, truncated, a bomb, or XML with a document type of its own.
    """
    if data.startswith(_OLD):
        if "EncryptedPackage".encode("utf-16-le") in data:
            raise ReadError(path, f"is encrypted; save it without a password, {SKIP}")
        raise ReadError(path, f"is a file of an Office before 2007; save it as {form}, {SKIP}")
    if not data.startswith(b"PK"):
        raise ReadError(path, f"is no {form}: it is no zip file; give it the ending of its format, {SKIP}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _check_parts(packed, path, options)
            wanted = {"DOCX": "word/", "PPTX": "ppt/"}[form]
            if not any(name.startswith(wanted) for name in packed.namelist()):
                raise ReadError(
                    path, f"is a zip file and no {form}; give it the ending of its format, {SKIP}"
                )
    except (
        *(zipfile.BadZipFile, zlib.error, EOFError),
        *(NotImplementedError, RuntimeError, ValueError, OSError),
    ) as error:
        raise ReadError(path, f"is a broken zip file ({error}): truncated? Copy it again, {SKIP}") from error


def _check_parts(packed: zipfile.ZipFile, path: str, options: Options) -> None:
    parts = packed.infolist()
    if len(parts) > MOST_PARTS:
        raise ReadError(path, f"holds {len(parts):,} parts, more than {MOST_PARTS:,}: a bomb? {SKIP[3:]}")
    whole = sum(part.file_size for part in parts)
    for part in parts:
        if part.file_size > _LARGE and part.file_size > RATIO * max(part.compress_size, 1):
            raise ReadError(
                path,
                f"{part.filename!r} in it unpacks to {part.file_size / part.compress_size:,.0f} times "
                f"its size: a bomb; {SKIP[3:]}",
            )
    if whole > options.max_size * MEGABYTE:
        raise ReadError(
            path,
            f"unpacks to {whole / MEGABYTE:,.0f} MB, more than the limit of {options.max_size:,} MB; "
            f"raise the limit (--max-size, or max_size=…), {SKIP}",
        )
    for part in parts:
        if part.filename.endswith((".xml", ".rels")):
            with packed.open(part) as file:
                head = file.read(_PROLOG)
            if b"<!DOCTYPE" in head.replace(b"\0", b"") or b"<!ENTITY" in head.replace(b"\0", b""):
                raise ReadError(
                    path, f"{part.filename!r} in it declares entities, which no sound file does; {SKIP[3:]}"
                )


def transitional(data: bytes) -> bytes:
    """The file with the names that libraries know, where it is of the strict form (ISO/IEC 29500, part 1)."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        names = packed.namelist()
        if _RELATIONS not in names or _STRICT.search(packed.read(_RELATIONS)) is None:
            return data

        def part(name: str) -> bytes:
            if not name.endswith((".xml", ".rels")):
                return packed.read(name)
            return _STRICT.sub(rb"http://schemas.openxmlformats.org/\1/2006", packed.read(name))

        return repacked(names, part)


def repacked(names: Iterable[str], part: Callable[[str], bytes]) -> bytes:
    """A packed file of these parts."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as out:
        for name in names:
            out.writestr(name, part(name))
    return made.getvalue()
