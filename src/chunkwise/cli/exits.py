"""Exit codes: one table. `docs/exit-codes.md` shows the same one."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from chunkwise.errors import (
    ChunkerError,
    ChunkwiseError,
    CorpusError,
    GoldenError,
    MissingExtra,
    ModelError,
    ReadError,
    ReportError,
    SettingError,
)

__all__ = ["MEANING", "Exit", "exit_of"]


class Exit(IntEnum):
    """How a command ended."""

    OK = 0
    FAULTS = 1
    USAGE = 2
    UNREADABLE = 3
    GOLDEN = 4
    MISSING = 5
    MODEL = 6
    UNEXPECTED = 70
    INTERRUPTED = 130


MEANING: Final[dict[Exit, str]] = {
    Exit.OK: "done, or the reader of standard output closed it",
    Exit.FAULTS: "`check` found faults in the golden set",
    Exit.USAGE: "wrong usage or a setting that cannot work, also one of `chunkwise.toml`; "
    "or a chunker of your own gave what cannot be a chunk",
    Exit.UNREADABLE: "something cannot be read or written; or there are no documents",
    Exit.GOLDEN: "the golden set cannot be used: it has faults, is for other documents, or is no golden set",
    Exit.MISSING: "an optional library is missing; the message has the line that installs it",
    Exit.MODEL: "a model, its endpoint or its key is missing or fails; what is embedded is kept",
    Exit.UNEXPECTED: "an error nobody foresaw, in Chunkwise or in a function of your own",
    Exit.INTERRUPTED: "interrupted (Ctrl-C); no half-written output is left",
}
"""What each code means, in Markdown."""

_BRANCHES: Final[tuple[tuple[type[BaseException], Exit], ...]] = (
    (MissingExtra, Exit.MISSING),
    (ModelError, Exit.MODEL),
    (GoldenError, Exit.GOLDEN),
    (ReadError, Exit.UNREADABLE),
    (CorpusError, Exit.UNREADABLE),
    (ReportError, Exit.UNREADABLE),
    (SettingError, Exit.USAGE),
    (ChunkerError, Exit.USAGE),
    (ChunkwiseError, Exit.UNEXPECTED),
    (OSError, Exit.UNREADABLE),
)


def exit_of(error: BaseException) -> Exit:
    """The exit code of an error."""
    return next((code for kind, code in _BRANCHES if isinstance(error, kind)), Exit.UNEXPECTED)
