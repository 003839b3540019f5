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
    NotComparable,
    NothingMeasured,
    ReadError,
    ReportError,
    RunnerError,
    SettingError,
    StoreError,
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
    INCOMPARABLE = 7
    UNMEASURED = 8
    STORE = 9
    RUNNER = 10
    UNEXPECTED = 70
    INTERRUPTED = 130


MEANING: Final[dict[Exit, str]] = {
    Exit.OK: "done, or the reader of standard output closed it",
    Exit.FAULTS: "`check` found faults in the golden set, a rule of `gate` failed, or what was to be shipped "
    "did not pass; what is served is untouched",
    Exit.USAGE: "wrong usage or a setting that cannot work, also one of `chunkwise.toml`; "
    "or a chunker of your own gave what cannot be a chunk",
    Exit.UNREADABLE: "something cannot be read or written; there are no documents; or a report or a "
    "baseline is missing or broken",
    Exit.GOLDEN: "the golden set cannot be used: it has faults, is for other documents, or is no golden set",
    Exit.MISSING: "an optional library is missing; the message has the line that installs it",
    Exit.MODEL: "a model, its endpoint or its key is missing or fails; what is embedded is kept",
    Exit.INCOMPARABLE: "`gate` cannot compare: another golden set, fewer questions, another measure, "
    "hit rule or counter than the baseline's",
    Exit.UNMEASURED: "`gate` has nothing to judge: no questions, or a figure that is no number",
    Exit.STORE: "a store cannot be reached or used, holds something else than was meant, or another ship "
    "is at work; what is served is untouched",
    Exit.RUNNER: "processes or the cluster of `--runner` cannot be reached or have ended; finished "
    "shards are kept",
    Exit.UNEXPECTED: "an error nobody foresaw, in Chunkwise or in a function of your own",
    Exit.INTERRUPTED: "interrupted (Ctrl-C); no half-written output is left",
}
"""What each code means, in Markdown."""

_BRANCHES: Final[tuple[tuple[type[BaseException], Exit], ...]] = (
    (MissingExtra, Exit.MISSING),
    (ModelError, Exit.MODEL),
    (GoldenError, Exit.GOLDEN),
    (NotComparable, Exit.INCOMPARABLE),
    (NothingMeasured, Exit.UNMEASURED),
    (StoreError, Exit.STORE),
    (RunnerError, Exit.RUNNER),
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
