"""Which files of a folder are documents, in a stable order, and which are left out and why."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from chunkwise.types import Notice


def find_files(
    root: Path, suffixes: Iterable[str], include: Iterable[str], exclude: Iterable[str]
) -> tuple[list[str], list[Notice]]:
    """Ids (paths below the root with `/`) of the files to read, sorted, and a notice for what is left out.

    Hidden files and folders (their names begin with a dot) are left out, and so are files of other
    formats, unless a pattern of `include` names them. A pattern with a `/` is matched against the whole
    id, another against the name of the file and of each folder above it.
    """
    known = {suffix.lower() for suffix in suffixes}
    include, exclude = list(include), list(exclude)
    ids: list[str] = []
    left_out: list[Notice] = []
    other: dict[str, list[str]] = {}
    for id, hidden_folder in _walk(root):
        if hidden_folder:
            if not include:
                left_out.append(Notice(id, 0, "hidden folder left out"))
            continue
        named = any(matches(pattern, id) for pattern in include)
        if include and not named:
            continue
        if any(matches(pattern, id) for pattern in exclude):
            continue
        name = id.rpartition("/")[2]
        suffix = Path(name).suffix.lower()
        if name.startswith(".") and not named:
            left_out.append(Notice(id, 0, "hidden file left out"))
        elif suffix in known or (named and not _is_binary(root / id)):
            ids.append(id)
        else:
            other.setdefault(suffix or name, []).append(id)
    for suffix, found in sorted(other.items()):
        what = (
            "file of another format"
            if len(found) == 1
            else f"files of another format ({suffix}), with {len(found) - 1} more"
        )
        left_out.append(Notice(found[0], 0, f"{what} left out"))
    return sorted(ids), left_out


def matches(pattern: str, id: str) -> bool:
    """Whether a pattern names a file: `*.md`, `drafts`, `drafts/*`, `**/old/*`."""
    pattern = pattern.removeprefix("./").rstrip("/")
    if "/" in pattern:
        plain = pattern.removeprefix("**/")
        return fnmatchcase(id, pattern) or fnmatchcase(id, plain) or fnmatchcase(id, plain + "/*")
    return any(fnmatchcase(part, pattern) for part in id.split("/"))


def _walk(root: Path) -> Iterator[tuple[str, bool]]:
    """Ids of all files; hidden folders by their own id, marked, without what is in them."""
    for folder, folders, files in os.walk(root):
        below = Path(folder).relative_to(root).as_posix()
        prefix = "" if below == "." else below + "/"
        for name in sorted(folders):
            if name.startswith("."):
                yield prefix + name, True
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            yield prefix + name, False


def _is_binary(path: Path) -> bool:
    with path.open("rb") as file:
        return b"\0" in file.read(8192)
