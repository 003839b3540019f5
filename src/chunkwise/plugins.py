"""What other packages add to a table of names, through entry points."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import TYPE_CHECKING, Any

from chunkwise.errors import NameClash, SettingError, first_line

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["added", "load"]


@cache
def added(group: str, built_in: Collection[str]) -> dict[str, EntryPoint]:
    """The entry points of the installed packages in a group, by name. Nothing of theirs is imported.

    Args:
        group: such as `chunkwise.chunkers`.
        built_in: names that are taken; hashable.

    Raises:
        NameClash: two packages give the same name, or one gives a name that is built in.
    """
    from importlib.metadata import entry_points

    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        other = found.setdefault(entry.name, entry)
        if entry.name in built_in:
            raise NameClash(group, entry.name, [_said(entry)])
        if _said(other) != _said(entry):
            raise NameClash(group, entry.name, [_said(other), _said(entry)])
    return found


def load(entry: EntryPoint) -> Any:
    """What an entry point stands for.

    Raises:
        SettingError: it does not import; names the package.
    """
    try:
        return entry.load()
    except Exception as error:
        raise SettingError(
            f"{entry.name!r} of {_said(entry)} does not import: {type(error).__name__}: {first_line(error)}"
        ) from error


def _said(entry: EntryPoint) -> str:
    """Package and object, as an error names them."""
    package = f"{entry.dist.name} " if entry.dist is not None else ""
    return f"{package}({entry.value})"
