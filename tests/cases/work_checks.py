"""Checks on time: limits that a case states, and growth with the input."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from chunkwise.errors import ChunkwiseError
from chunkwise.readers import read
from chunkwise.types import Chunker

from .loader import make
from .mapping import Trial, build, chunkers_for, names_for

Check = dict[str, Any]
MANY = 1000
"""From this many documents on, only the chunker of the case's strategy is timed."""
USUAL = 20.0
"""CPU seconds within which everything ends, where a case gives no time."""
SLACK = 1.5
"""What a factor of time may be exceeded by: two readings of a clock on a busy machine."""
SHORT = 0.02
"""Seconds below which two readings say nothing about growth."""


@contextmanager
def at_most(limit: float, what: object) -> Iterator[None]:
    """Stop the work after so many CPU seconds, where the system can."""

    def stop(*_: object) -> None:
        raise AssertionError(f"{what} takes more than {limit} CPU seconds")

    able = hasattr(signal, "SIGVTALRM") and threading.current_thread() is threading.main_thread()
    if not able:
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _work(root: Path, chunker: Chunker) -> float:
    """CPU seconds for reading a folder and chunking it."""
    before = time.process_time()
    for document in read(root, skip_broken=True):
        chunker(document)
    return time.process_time() - before


def seconds(trial: Trial, check: Check) -> None:
    limit = check["limit"]
    settings = {"size": 200, **trial.case.settings}
    if "settings.jsonl" in trial.case.files:
        with at_most(limit, "trying the settings"):
            for line in trial.case.lines("settings.jsonl"):
                for name in names_for(settings):
                    with suppress(ChunkwiseError):
                        build(name, {**settings, **line})("Some text.")
    elif sum(len(corpus) for corpus in trial.corpora) >= MANY:
        assert trial.runs  # on all documents together, made once for all checks of the case
        assert trial.spent <= limit
    else:
        within(trial, settings, limit)


def within(trial: Trial, settings: Mapping[str, Any], limit: float) -> None:
    """Every chunker, on each document by itself, parsing included."""
    if not trial.seconds:
        for name in names_for({}):
            chunker = build(name, {**settings, "overlap": 0})
            for corpus in trial.corpora:
                for document in corpus:
                    before = time.process_time()
                    with at_most(USUAL, f"{chunker.spec} on {document.id}"):
                        chunker(document)
                    trial.seconds[f"{chunker.spec} on {document.id}"] = time.process_time() - before
    assert {what: spent for what, spent in trial.seconds.items() if spent > limit} == {}


def no_crash(trial: Trial, _: Check) -> None:
    within(trial, {"size": 200, **trial.case.settings}, USUAL)


def linear(trial: Trial, check: Check, folder: Path) -> None:
    half = make(trial.case, folder, scale=0.5)
    (whole,) = trial.roots
    for chunker in chunkers_for(trial.case.settings):
        small = min(_work(half, chunker) for _ in range(3))
        large = min(_work(whole, chunker) for _ in range(3))
        assert large <= max(small, SHORT) * check["factor"] * SLACK, (chunker.spec, small, large)


CHECKS = {"seconds": seconds, "no_crash": no_crash, "no_error": no_crash}
"""`linear` stands apart: it needs a folder to make the smaller input in."""
