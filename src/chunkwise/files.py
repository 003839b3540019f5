"""Files are written beside their place and renamed, so that there is never half of one; and the folder of
what is kept between runs.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

__all__ = ["ENV", "cache_folder", "replaced"]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No room on the disk, none left of a user's share, a larger file than the system lets one be."""
ENV = "CHUNKWISE_CACHE"
"""The variable that names the folder of what is kept between runs; `off` keeps nothing."""


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of `target` when the block ends, whole and on the disk.

    It keeps the rights of the file that was there. When the block raises, nothing is left of it. Several may
    write one target at once: each has a file of its own, and the last one to end stays.
    """
    # Numbers of processes are no names: threads share one, and so do containers with a common folder.
    beside = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}.part")
    try:
        with beside.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileNotFoundError):
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        if error.filename == str(beside):
            error.filename = str(target)
        elif error.errno in _FULL and error.filename is None:
            error.filename = str(target)
            error.add_note("free room on the disk, or name another file; what was there before is untouched")
        raise
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def cache_folder() -> Path | None:
    """The folder of the cache: `CHUNKWISE_CACHE`, else the user's cache folder; None where it is `off`."""
    named = os.environ.get(ENV, "").strip()
    if named:
        return None if named.lower() in ("off", "no", "0") else Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "chunkwise"
