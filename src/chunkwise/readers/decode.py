"""Bytes to text: by their mark, else as UTF-8, else not at all. No character is guessed or replaced."""

from __future__ import annotations

import codecs

from chunkwise.errors import ReadError, SettingError

# The longer marks first: the mark of UTF-32-LE begins with that of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Python's codecs that leave out a mark themselves, so that nobody would know of it.
_MARKED = ("utf-8-sig", "utf-16", "utf-32")
_REMEDY = (
    "name the encoding (--encoding cp1252, or encoding='cp1252'), or leave such files out (--skip-broken)"
)


def check_encoding(encoding: str) -> str:
    """The name that Python has for an encoding. Raises `SettingError` where it knows none of that name."""
    try:
        return codecs.lookup(encoding).name
    except (LookupError, TypeError, ValueError) as error:
        raise SettingError(
            f"no encoding is called {encoding!r}; Python knows utf-8, cp1252, utf-16, shift_jis, …"
        ) from error


def decode(data: bytes, path: str, encoding: str | None = None) -> tuple[str, int]:
    """The text without its byte order mark, and how many characters of the decoded file stand in front
    of it (1 for a mark, else 0). Line ends stay as they are.

    Args:
        data: the whole file.
        path: its name, for the error.
        encoding: an encoding by name; None for UTF-8, or what a byte order mark says.

    Raises:
        ReadError: names the path, the byte offset, the encoding tried and the remedy.
        SettingError: Python knows no such encoding.
    """
    family = ""  # of the marks to look for: all of them, or those that the named codec would take
    if encoding is not None:
        known = check_encoding(encoding)
        family = known.removesuffix("-sig") if known in _MARKED else "none"
    shift, name, body = 0, encoding or "utf-8", data
    for mark, marked in _MARKS:
        if data.startswith(mark) and marked.startswith(family):
            shift, name, body = 1, marked, data[len(mark) :]
            break
    if encoding is None and not shift and _looks_wide(data):
        raise ReadError(
            path,
            "every other byte is NUL: UTF-16 without a byte order mark? Name the encoding "
            "(--encoding utf-16-le, or encoding='utf-16-le')",
        )
    try:
        text = body.decode(name)
    except UnicodeDecodeError as error:
        offset = error.start + len(data) - len(body)
        byte = f"byte 0x{data[offset]:02X} at offset {offset}" if offset < len(data) else f"offset {offset}"
        line = data.count(b"\n", 0, offset) + 1
        raise ReadError(
            path, f"not {name.upper()}: {byte} (line {line}): {error.reason}; {_REMEDY}"
        ) from error
    except (LookupError, ValueError) as error:
        raise ReadError(path, f"cannot be read as {name!r}: {error}; {_REMEDY}") from error
    if encoding is not None and not shift and text.startswith("\ufeff"):
        text, shift = text[1:], 1
    return text, shift


def _looks_wide(data: bytes) -> bool:
    head = data[:1000]
    half = len(head) // 2
    return half >= 2 and max(head[::2].count(0), head[1::2].count(0)) > 0.4 * half
