"""`main`: runs a command, and turns whatever goes wrong into one message and one exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from chunkwise.cli.exits import Exit, exit_of
from chunkwise.cli.output import fail
from chunkwise.errors import ChunkwiseError

TRACEBACK = "CHUNKWISE_TRACEBACK"
"""The environment variable that asks for the whole traceback."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what stands behind `chunkwise`; None for those of the process.

    Returns:
        The exit code, one of `Exit`.
    """
    try:
        code = _run(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read the output has enough. Python would complain when it flushes at the end.
        _discard_output()
        return Exit.OK
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - the last place that can explain it
        return _explain(error)
    if code == Exit.INTERRUPTED:
        fail("interrupted; no half-written file is left")
    return code


def _run(arguments: Sequence[str] | None) -> int:
    import typer

    from chunkwise.cli.app import app

    # The public name of what the argument parser raises for wrong usage is that of its subclass only.
    usage_error: type[Exception] = typer.BadParameter.__bases__[0]
    streams = sys.stdout, sys.stderr
    try:
        code: Any = app(
            None if arguments is None else list(arguments), prog_name="chunkwise", standalone_mode=False
        )
    except usage_error as error:
        return _explain_usage(error)
    except typer.Abort:
        return Exit.INTERRUPTED
    except SystemExit as error:
        # The argument parser answers a closed pipe itself, with exit code 1 and streams of its own.
        sys.stdout, sys.stderr = streams
        if isinstance(error.__context__, BrokenPipeError):
            raise error.__context__ from None
        raise
    return int(code or 0)


def _explain_usage(error: Any) -> int:
    context = error.ctx
    asked = f"; see {context.command_path} --help" if context is not None else ""
    said = str(error.format_message()).rstrip(".?")
    meaning = getattr(getattr(error, "param", None), "help", None)
    if meaning and said.startswith("Missing"):  # the parser gives its name alone
        said += f" ({meaning.rstrip('.')})"
    fail(f"{said}{asked}")
    return Exit.USAGE


def _explain(error: Exception) -> int:
    if os.environ.get(TRACEBACK, "") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    message = str(error)
    code = exit_of(error)
    if not isinstance(error, ChunkwiseError):
        message = f"{type(error).__name__}: {message}" if code == Exit.UNEXPECTED else message
        message = "; ".join([message, *getattr(error, "__notes__", ())])
    if code == Exit.UNEXPECTED:
        message += f"; nobody foresaw this error: set {TRACEBACK}=1 to see where it comes from"
    fail(message)
    return code


def _discard_output() -> None:
    """Let what is still in the buffer of standard output go nowhere."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
