"""The application: its commands, and the settings that a file gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from chunkwise.cli.cache import cache
from chunkwise.cli.check import check
from chunkwise.cli.chunk import chunk
from chunkwise.cli.compare import compare
from chunkwise.cli.draft import draft
from chunkwise.cli.exits import Exit
from chunkwise.cli.explain import explain
from chunkwise.cli.gate import gate
from chunkwise.cli.index import index
from chunkwise.cli.outline import outline
from chunkwise.cli.profile import profile
from chunkwise.cli.report import report
from chunkwise.cli.search import search
from chunkwise.cli.serve import serve
from chunkwise.cli.ship import ship

if TYPE_CHECKING:
    from collections.abc import Callable

    from chunkwise.config import Kind

__all__ = ["app"]

COMMANDS = (
    compare,
    report,
    explain,
    profile,
    chunk,
    check,
    draft,
    outline,
    cache,
    gate,
    ship,
    search,
    index,
    serve,
)
_KINDS: dict[Any, Kind] = {
    bool: "flag",
    int: "number",
    str: "text",
    str | None: "text",
    int | None: "number",
    list[str]: "texts",
    list[str] | None: "texts",
}
_UNSET = {"fix", "force", "prune", "model", "unused-days", "everything", "update", "fresh", "rebuild"}
_UNSET |= {"question", "worst"}
"""Options that no file may set: what they do is decided each time."""

app = typer.Typer(
    add_completion=True,
    rich_markup_mode=None,  # plain help reads the same in a log, and costs no import of rich
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"chunkwise {version('chunkwise')}")  # noqa: T201
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Cut documents for retrieval, measure every way of cutting them, say which one to use.

    Options may also be set in chunkwise.toml, or below [tool.chunkwise] in pyproject.toml, of the folder
    you are in. Exit codes: 0 done, 1 faults found, 2 wrong usage, 3 unreadable, 4 golden set unusable,
    5 a library is missing, 6 a model fails, 7 not comparable, 8 nothing measured, 9 a store fails,
    10 a runner fails, 70 unforeseen, 130 interrupted.
    """
    del version
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(Exit.USAGE)
    context.default_map = file_settings()


def file_settings() -> dict[str, Any]:
    """What the file in the working folder sets, by command and parameter."""
    from chunkwise.config import load_settings

    options = {command.__name__: _options(command) for command in COMMANDS}
    known = {name: {key: kind for key, (_, kind) in found.items()} for name, found in options.items()}
    settings = load_settings(".", known)
    return {
        command: {options[command][key][0]: value for key, value in values.items()}
        for command, values in settings.commands.items()
    }


def _options(command: Callable[..., None]) -> dict[str, tuple[str, Kind]]:
    """By long name of each option the name of its parameter, and what it takes."""
    found: dict[str, tuple[str, Kind]] = {}
    for parameter, hint in get_type_hints(command, include_extras=True).items():
        for option in getattr(hint, "__metadata__", ()):
            # Inside of `Annotated` the first name of an option stands where else its default would.
            given = [getattr(option, "default", None), *(getattr(option, "param_decls", None) or ())]
            names = [part.partition("/")[0] for part in given if isinstance(part, str)]
            name = next((part.removeprefix("--") for part in names if part.startswith("--")), "")
            if name and name not in _UNSET:
                found[name] = parameter, _KINDS[hint.__origin__]
    return found


for _command in COMMANDS:
    app.command()(_command)
