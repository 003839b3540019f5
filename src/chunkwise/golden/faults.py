"""`Fault`, `Fix` and `Check`: what is wrong with a golden set, where, and what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

Path: TypeAlias = tuple[str | int, ...]
"""Way to a value of an entry: `("also", 0, "quote")`."""


class Fix(NamedTuple):
    """A change of one entry that is safe: it cannot make another answer of it."""

    edits: tuple[tuple[Path, Any], ...]
    """Way to each value that is replaced (or put in), and the new value."""

    def __str__(self) -> str:
        return ", ".join(f"{'.'.join(map(str, path))} = {_shown(value)}" for path, value in self.edits)


class Fault(NamedTuple):
    """One thing that keeps an entry of a golden set from being scored."""

    source: str
    """The file, as it was named."""
    line: int
    """Line of the file where the entry begins, counted from 1; 0 where it is about the whole file."""
    id: str
    """Id of the question; empty where it has none."""
    message: str
    """What is wrong."""
    remedy: str
    """What to do about it."""
    fix: Fix | None = None
    """The same as a change that `fix_golden` makes; None where only a person can tell."""
    entry: int = -1
    """Number of the entry in the file, from 0; -1 where it is about the whole file."""

    def __str__(self) -> str:
        place = f"{self.source}:{self.line}" if self.line else self.source
        return f"{place}: {self.id + ': ' if self.id else ''}{self.message}; {self.remedy}"


@dataclass(frozen=True, slots=True)
class Check:
    """What `check_golden` found."""

    faults: tuple[Fault, ...]
    """Every fault, by line."""
    advice: tuple[str, ...]
    """What would make the golden set a better one; nothing of it stops a comparison."""
    questions: int
    """Number of entries in the file, the faulty ones among them."""
    sound: int
    """Number of questions that can be scored."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What `fix_golden` did."""

    fixed: tuple[Fault, ...]
    """The faults that are gone."""
    left: tuple[Fault, ...]
    """The faults that only a person can mend, as they stand in the new file."""


class Problem(Exception):  # noqa: N818 - no error that leaves this room: it becomes a Fault
    """What is wrong with one part of an entry, before its line is known."""

    def __init__(self, message: str, remedy: str, fix: Fix | None = None) -> None:
        self.message, self.remedy, self.fix = message, remedy, fix
        super().__init__(message)


def shown(text: str, most: int = 80) -> str:
    """A text as it is put in a message: on one line, in quotation marks, shortened in the middle."""
    flat = " ".join(text.split())
    if len(flat) > most:
        flat = f"{flat[: most * 2 // 3]} … {flat[-(most // 3) :]}"
    return f'"{flat}"'


def counted(number: int, noun: str) -> str:
    """A number with its noun: `1 fault`, `1,200 faults`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _shown(value: Any) -> str:
    return shown(value) if isinstance(value, str) else str(value)
