"""Options that several commands share."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable
from functools import wraps
from inspect import Parameter, Signature, signature
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from chunkwise.cli.output import STANDARD, note
from chunkwise.errors import SettingError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chunkwise.types import Corpus, Notice

LIMIT = 200
"""Megabytes of the largest file, as in `readers.options`, which is not imported for the help."""
Docs = Annotated[
    str,
    typer.Argument(
        metavar="DOCS", help="Folder of documents, one file, or - for Markdown on standard input."
    ),
]
Include = Annotated[
    list[str] | None,
    typer.Option("--include", metavar="PATTERN", help="Read files of this pattern only. Repeatable."),
]
Exclude = Annotated[
    list[str] | None,
    typer.Option(
        "--exclude", metavar="PATTERN", help="Leave out files or folders of this pattern. Repeatable."
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        "--encoding", metavar="NAME", help="Encoding of all files. Default: UTF-8, or a byte order mark's."
    ),
]
SkipBroken = Annotated[
    bool,
    typer.Option(
        "--skip-broken/--no-skip-broken",
        show_default=False,
        help="Leave out files that cannot be read, and say so.",
    ),
]
Clean = Annotated[
    list[str] | None,
    typer.Option(
        "--clean",
        metavar="STEP+STEP",
        help="Clean the texts, such as invisible+spaces: markdown-to-text, page-furniture, hyphenation, "
        "invisible, spaces, ligatures, nfc, nfkc, blank-lines. Repeatable.",
    ),
]
Headings = Annotated[
    list[str] | None,
    typer.Option(
        "--headings",
        metavar="KIND+KIND",
        help="Lines that act as headings besides real ones: bold (whole lines), numbered (2.1 Title).",
    ),
]
Boilerplate = Annotated[
    bool,
    typer.Option(
        "--boilerplate/--no-boilerplate",
        show_default=False,
        help="Whether navigation, page heads and feet of web pages are read too.",
    ),
]
MaxSize = Annotated[
    int, typer.Option("--max-size", metavar="MB", help="Megabytes of the largest file that is read.")
]
_NAMED: dict[str, tuple[str, ...]] = {
    "golden": ("FILE", "--golden"),
    "chunker": ("SPEC", "-c", "--chunker"),
    "retriever": ("SPEC", "-r", "--retriever"),
    "k": ("N,N", "-k", "--k"),
    "budget": ("N,N", "--budget"),
    "unit": ("UNIT", "--unit"),
    "rule": ("RULE", "--rule"),
    "primary": ("MEASURE", "--primary"),
    "by": ("TAG,TAG", "--by"),
    "baseline": ("FILE", "--baseline"),
    "gate": ("FILE", "--gate"),
}
"""What several commands take, each with words of its own: what stands for the value, then the flags."""


def named(name: str, meaning: str) -> Any:
    """An option that several commands take, by its name, with what it means to one of them."""
    metavar, *flags = _NAMED[name]
    return typer.Option(*flags, metavar=metavar, help=meaning)


Json = Annotated[
    str | None,
    typer.Option("--json", metavar="FILE", help="Write everything here; - prints it and nothing else."),
]
Quiet = Annotated[
    bool, typer.Option("-q", "--quiet", show_default=False, help="Print only what is essential.")
]
Verbose = Annotated[bool, typer.Option("-v", "--verbose", show_default=False, help="Print more detail.")]


def detail(context: typer.Context, quiet: bool, verbose: bool) -> int:
    """How much is printed: -1 for `-q`, 1 for `-v`, else 0. The command line stands before the file."""
    if quiet and verbose:
        given = [name for name in ("quiet", "verbose") if _on_command_line(context, name)]
        if len(given) == 2:
            raise SettingError("-q and -v contradict each other; give one of them")
        return -1 if given == ["quiet"] else 1
    return int(verbose) - int(quiet)


def refuse_idle(context: typer.Context, why: str, *names: str) -> None:
    """Refuse options of the command line that would do nothing; what a file sets may stand there.

    Args:
        context: of the command.
        why: when they are of no use, as in `with --report`.
        names: of their parameters.
    """
    flags = {str(parameter.name): parameter.opts[-1] for parameter in context.command.params}
    idle = [flags[name] for name in names if _on_command_line(context, name)]
    if idle:
        raise SettingError(f"{' and '.join(idle)} would do nothing {why}; leave out what you do not mean")


def _on_command_line(context: typer.Context, name: str) -> bool:
    source: Any = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


class Reading(NamedTuple):
    """The options of reading, as they were given."""

    include: list[str] | None = None
    exclude: list[str] | None = None
    encoding: str | None = None
    skip_broken: bool = False
    headings: list[str] | None = None
    boilerplate: bool = True
    max_size: int = LIMIT

    def open(
        self,
        docs: str,
        progress: Callable[[str, int, int], None] | None = None,
        *,
        clean: Iterable[str] = (),
        golden: str | None = None,
    ) -> Corpus:
        """The documents that they name. A golden set for them is looked for before any is read."""
        if golden is not None:
            from chunkwise.golden import check_source

            check_source(golden)
        from chunkwise.readers import read

        return read(
            docs,
            include=self.include or (),
            exclude=self.exclude or (),
            encoding=self.encoding,
            skip_broken=self.skip_broken,
            clean=clean,
            headings=self.headings or (),
            boilerplate=self.boilerplate,
            max_size=self.max_size,
            progress=progress,
        )


READING = Reading()
"""What is read where no option is given."""
_OPTIONS: dict[str, Any] = {
    "include": Include,
    "exclude": Exclude,
    "encoding": Encoding,
    "skip_broken": SkipBroken,
    "headings": Headings,
    "boilerplate": Boilerplate,
    "max_size": MaxSize,
}
"""The options by field of `Reading`, in the order of the help."""


def reads(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of reading in the place of its parameter `reading`."""
    hints = get_type_hints(command, include_extras=True)
    parameters: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if parameter.name != "reading":
            parameters.append(parameter.replace(annotation=hints[parameter.name]))
            continue
        parameters += [
            parameter.replace(name=name, default=getattr(READING, name), annotation=option)
            for name, option in _OPTIONS.items()
        ]

    @wraps(command)
    def run(**given: Any) -> None:
        reading = Reading(**{name: given.pop(name) for name in _OPTIONS})
        command(**given, reading=reading)

    run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return run


def tell_next(level: int, reading: Reading, docs: str, *words: str, given: str = "") -> None:
    """Say on standard error which command comes next, with the words after `chunkwise`, ready to be run.

    Nothing is said where it would not be ready: with documents from standard input, or read with options.
    What must not be printed is named as `given`: `the password in PGPASSWORD`.
    """
    if level >= 0 and docs != STANDARD and reading == READING:
        note(f"next{f', with {given}' if given else ''}: chunkwise {shlex.join(words)}")


def tell_left_out(corpus: Corpus, level: int) -> None:
    """Say on standard error which files were left out: their number, or with `-v` each with its reason."""
    skipped = corpus.skipped
    if level < 0:
        return
    _tell_some(corpus.notices, level)
    if not skipped:
        return
    if level > 0 or len(skipped) == 1:
        for notice in skipped:
            note(str(notice))
    else:
        note(f"{len(skipped):,} notices about files that were left out; -v lists them")


def _tell_some(notices: Sequence[Notice], level: int) -> None:
    """Say what is odd about the corpus: all of it with `-v`, else the first notice and how many there are."""
    for notice in notices if level > 0 else notices[:1]:
        note(str(notice))
    if len(notices) > 1 and level <= 0:
        note(f"{len(notices) - 1:,} more of this kind; -v lists them")


def commas(values: list[str] | None) -> tuple[str, ...]:
    """The parts of values that are written with commas between them: `1,3,5`."""
    return tuple(part.strip() for value in values or () for part in value.split(",") if part.strip())


def numbers(option: str, values: list[str] | None) -> tuple[int, ...]:
    """The numbers of an option such as `-k 1,3,5`. Raises `SettingError` where one is no whole number."""
    found = []
    for part in commas(values):
        digits = part.replace("_", "")
        if not digits.isdecimal():
            raise SettingError(f"{option} takes whole numbers with commas between them, got {part!r}")
        found.append(int(digits))
    if not found:
        raise SettingError(f"{option} takes at least one whole number")
    return tuple(found)
