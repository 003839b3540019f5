"""Files are written beside their place and renamed, so that there is never half of one; and the folder of
what is kept between runs.
"""

from __future__ import annotations

import errno
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows, which has no such locks
    fcntl = None  # type: ignore[assignment]

__all__ = ["ENV", "cache_folder", "replaced"]

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""No room on the disk, none left of a user's share, a larger file than the system lets one be."""
ENV = "CHUNKWISE_CACHE"
"""The variable that names the folder of what is kept between runs; `off` keeps nothing."""


@contextmanager
def replaced(target: Path) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of `target` when the block ends, whole and on the disk.

    It keeps the rights of the file that was there. When the block raises, nothing is left of it; what a
    killed process left goes when the same target is written again. Several may write one target at once: each
    has a file of its own, and the last one to end stays.
    """
    _remove_left(target)
    beside, file = _begin(target)
    held = os.dup(file.fileno()) if fcntl is not None else None  # the lock lasts until the file has its name
    try:
        with file:
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
    finally:
        if held is not None:
            os.close(held)


def _begin(target: Path) -> tuple[Path, BinaryIO]:
    """A new file beside the target, locked as long as it is open: that is how others know that we live."""
    while True:
        # Numbers of processes are no names: threads share one, and so do containers with a common folder.
        beside = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}.part")
        try:
            file = beside.open("xb")
        except OSError as error:
            error.filename = str(target)
            raise
        if fcntl is not None:
            with suppress(OSError):  # a file system without locks: nobody removes anything there
                fcntl.flock(file, fcntl.LOCK_EX)
        if beside.exists():
            return beside, file
        file.close()  # it was taken for a leftover before it was locked


def _remove_left(target: Path) -> None:
    """Remove what killed processes left beside a target: the files that nobody has locked."""
    if fcntl is None:
        return
    name = re.compile(re.escape(f".{target.name[:40]}.") + "[0-9a-f]{12}[.]part")
    left: list[Path] = []
    with suppress(OSError), os.scandir(target.parent) as entries:
        own = (one for one in entries if name.fullmatch(one.name))
        left += [Path(one.path) for one in own if one.is_file(follow_symlinks=False)]
    for path in left:
        with suppress(OSError), path.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()


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
