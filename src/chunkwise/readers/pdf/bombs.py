"""Streams of a PDF that unpack to more than a page holds, found before any page is parsed."""

from __future__ import annotations

import re
import zlib
from typing import Final

from chunkwise.errors import ReadError
from chunkwise.readers.options import MEGABYTE, SKIP

MOST: Final = 32 * MEGABYTE
"""Unpacked size up to which any stream is taken."""
RATIO: Final = 100
"""So many times its packed size a larger one may have."""
_ENOUGH: Final = 8 * MOST  # and no more than this, however it is packed
_PACKING: Final = 1032  # what a run of deflate unpacks to at most, for each byte
_HEAD: Final = 4096  # so far before its stream a dictionary may begin
_STEP: Final = MEGABYTE
_STREAM = re.compile(rb"(?<!end)stream\r?\n")
_OBJECT = re.compile(rb"(\d+)\s+\d+\s+obj\b(?!.*\bobj\b)", re.DOTALL)
_DEFLATE = re.compile(rb"/Fl(?:ateDecode)?\b")


def check_streams(data: bytes, path: str) -> None:
    """Refuse a file one of whose streams is a bomb. Raises `ReadError`.

    Pictures are left out: they may be large and of one colour, and none is looked at. So is what cannot be
    unpacked here, since it is encrypted or broken.
    """
    for found in _STREAM.finditer(data):
        head = data[max(0, found.start() - _HEAD) : found.start()]
        opened = _OBJECT.search(head)
        head = head[opened.start() if opened is not None else 0 :]
        layers = len(_DEFLATE.findall(head))
        end = data.find(b"endstream", found.end())
        packed = data[found.end() : end if end >= 0 else len(data)]
        if not layers or b"/Image" in head or len(packed) * _PACKING**layers <= MOST:
            continue
        most = min(max(MOST, RATIO * len(packed)), _ENOUGH)
        if _unpacks_over(packed, layers, most):
            name = f"object {int(opened[1])}" if opened is not None else "a stream"
            raise ReadError(
                path, f"{name} in it unpacks to more than {most // MEGABYTE:,} MB: a bomb; {SKIP[3:]}"
            )


def _unpacks_over(packed: bytes, layers: int, most: int) -> bool:
    """Whether some layer of a stream unpacks to more; no more than a part of it is held at a time."""
    unpack = zlib.decompressobj()
    inner = b""
    total = 0
    rest = packed
    while rest and total <= most and not unpack.eof:
        try:
            part = unpack.decompress(rest, _STEP)
        except zlib.error:
            break
        rest = unpack.unconsumed_tail
        total += len(part)
        if layers > 1:
            inner += part
    return total > most or (layers > 1 and _unpacks_over(inner, layers - 1, most))
