"""The command line: a function a command, no logic."""

from chunkwise.cli.exits import Exit
from chunkwise.cli.run import main

__all__ = ["Exit", "main"]
