"""Files are written beside their place and renamed: there is never half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

__all__ = ["replaced"]


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of `target` when the block ends, whole and on the disk.

    It keeps the rights of the file that was there. When the block raises, nothing is left of it.
    """
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        # A killed process of the same number, as in a container, may have left its own behind.
        with beside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
