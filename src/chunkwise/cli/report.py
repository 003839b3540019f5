"""`chunkwise report`: a stored report rendered again, without a document read or a question asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from chunkwise.cli.options import Quiet, Verbose, detail
from chunkwise.cli.output import STANDARD, check_target, console, note, written
from chunkwise.errors import ReadError, SettingError

if TYPE_CHECKING:
    from chunkwise.types import Report

__all__ = ["Html", "Markdown", "check_renderings", "read_report", "report", "write_renderings"]

Stored = Annotated[
    str, typer.Argument(metavar="REPORT", help="What compare --json wrote; - is standard input.")
]
Html = Annotated[
    str | None,
    typer.Option("--html", metavar="FILE", help="Write the report as one self-contained page; - prints it."),
]
Markdown = Annotated[
    str | None, typer.Option("--markdown", metavar="FILE", help="Write the report as Markdown; - prints it.")
]


def report(
    context: typer.Context,
    stored: Stored,
    html: Html = None,
    markdown: Markdown = None,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> None:
    """Show a stored report again: on the terminal, as a page, or as Markdown."""
    level = detail(context, quiet, verbose)
    check_renderings(html, markdown)
    made = read_report(stored)
    write_renderings(made, html, markdown)
    if html is None and markdown is None:
        from chunkwise.report.terminal import render

        render(made, console(), detail=level)


def read_report(path: str) -> Report:
    """A stored report; `-` is standard input.

    Raises:
        ReadError: the file cannot be read, or is no UTF-8.
        ReportError: what is in it is no report of this schema.
    """
    from chunkwise.types import Report

    return Report.from_json(_read(path), "standard input" if path == STANDARD else path)


def check_renderings(html: str | None, markdown: str | None, json: str | None = None) -> None:
    """Refuse, before any work is done, what cannot be written.

    Raises:
        SettingError: a file that cannot be written, or two of them on standard output or in one file.
        MissingExtra: the library that pages need.
    """
    given = {"--json": json, "--html": html, "--markdown": markdown}
    taken: dict[str, str] = {}
    for option, path in given.items():
        check_target(option, path)
        if path is not None and path in taken:
            where = "standard output" if path == STANDARD else repr(path)
            raise SettingError(f"{taken[path]} and {option} both name {where}; give each its own file")
        if path is not None:
            taken[path] = option
    if html is not None:
        from chunkwise.report.page import check_page

        check_page()


def write_renderings(made: Report, html: str | None, markdown: str | None) -> None:
    """Write the page and the Markdown, each whole or not at all."""
    if html is not None:
        from chunkwise.report.page import render_page

        page = render_page(made)
        with written(html) as file:
            file.write(page)
    if markdown is not None:
        from chunkwise.report.markdown import render_markdown

        text = render_markdown(made)
        with written(markdown) as file:
            file.write(text.encode("utf-8", "replace"))
    for path in (html, markdown):
        if path is not None and path != STANDARD:
            note(f"report written to {path}")


def _read(path: str) -> str:
    import sys
    from pathlib import Path

    try:
        data = sys.stdin.buffer.read() if path == STANDARD else Path(path).read_bytes()
    except OSError as error:
        raise ReadError(path, f"{error.strerror}; name a file that compare --json wrote") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ReadError(path, f"line {line} is no UTF-8: no report; run compare --json again") from error
