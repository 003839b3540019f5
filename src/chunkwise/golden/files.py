"""Files are written beside and renamed: there is never half of one."""

from __future__ import annotations

import os
from pathlib import Path


def replace_file(path: str | Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    target = Path(path).resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with beside.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            beside.chmod(target.stat().st_mode & 0o7777)
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
