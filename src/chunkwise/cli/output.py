"""Where output goes: files that are written beside and renamed, standard output, and standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from chunkwise.errors import SettingError
from chunkwise.files import replaced

if TYPE_CHECKING:
    from rich.console import Console

STANDARD = "-"
"""Standard input or standard output, where a file is asked for."""


def check_target(option: str, path: str | None, *, replaced: bool = False) -> None:
    """Refuse, before any work is done, an output file that cannot be written.

    Args:
        option: the option that names it.
        path: the file; None and `-` are standard output.
        replaced: whether the file is put in the place of what is there, which only a plain file may be.

    Raises:
        SettingError: names the option, the path and what is wrong with it.
    """
    if path is None or path == STANDARD:
        return
    target = Path(path)
    if not path or target.is_dir():
        raise SettingError(f"{option} {path!r}: a folder cannot be written to; name a file in it")
    if not target.resolve().parent.is_dir():
        raise SettingError(f"{option} {path!r}: there is no folder {str(target.parent)!r}; make it first")
    if replaced and target.exists() and not target.is_file():
        raise SettingError(f"{option} {path!r} is no plain file and would be replaced by one; name another")


@contextmanager
def written(path: str | None) -> Iterator[BinaryIO]:
    """A file to write to: standard output for None and `-`, else a file that is there whole or not at all.

    It is written beside its place and renamed when the block ends; when the block raises, nothing is
    left of it. What is no plain file (a pipe, `/dev/null`) is written to directly.
    """
    if path is None or path == STANDARD:
        sys.stdout.flush()
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    target = Path(path).resolve()
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    with replaced(target) as file:
        yield file


def console(*, error: bool = False) -> Console:
    """A console on standard output or standard error that prints texts as they are: no markup, no guesses."""
    from rich.console import Console

    return Console(stderr=error, markup=False, highlight=False, emoji=False, soft_wrap=False)


def say(lines: Iterable[str]) -> None:
    """Print lines on standard output, as they are."""
    for line in lines:
        print(line)  # noqa: T201


def note(message: str) -> None:
    """Say something on standard error that is no result."""
    print(message, file=sys.stderr)  # noqa: T201


def fail(message: str) -> None:
    """Say on standard error what went wrong."""
    note(f"chunkwise: {message}")


class Progress:
    """Bars on standard error for what takes longer than a second; only on a terminal.

    An instance is called with `(step, done, total)`.
    """

    AFTER = 1.0  # seconds

    def __init__(self) -> None:
        self._bars: Any = None
        self._tasks: dict[str, Any] = {}
        self._began = 0.0

    def __enter__(self) -> Progress:
        from time import monotonic

        self._now = monotonic
        self._began = monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bars is not None:
            self._bars.stop()

    def __call__(self, step: str, done: int, total: int) -> None:
        """Show how far a step is."""
        if self._bars is None:
            if self._now() - self._began < self.AFTER:
                return
            self._bars = self._start()
        if step not in self._tasks:
            self._tasks[step] = self._bars.add_task(step, total=total)
        self._bars.update(self._tasks[step], completed=done, total=total)

    def _start(self) -> Any:
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            ProgressColumn,
            Task,
            TextColumn,
            TimeRemainingColumn,
        )
        from rich.progress import Progress as Bars
        from rich.text import Text

        class Rate(ProgressColumn):
            """How many a second."""

            def render(self, task: Task) -> Text:
                speed = task.finished_speed or task.speed
                return Text("" if speed is None else f"{speed:,.0f}/s" if speed >= 10 else f"{speed:.1f}/s")

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            Rate(),
            TimeRemainingColumn(),
        )
        bars = Bars(*columns, console=console(error=True), transient=True)
        bars.start()
        return bars


@contextmanager
def progress(quiet: bool) -> Iterator[Progress | None]:
    """Progress to be handed to what takes long; None where nobody would see it."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    with Progress() as bars:
        yield bars
