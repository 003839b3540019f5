"""Checks on time: limits that a case states, and growth with the input."""

from __future__ import annotations

import time
from contextlib import suppress
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
SLACK = 1.5
"""What a factor of time may be exceeded by: two readings of a clock on a busy machine."""
SHORT = 0.02
"""Seconds below which two readings say nothing about growth."""


def _work(root: Path, chunker: Chunker) -> float:
    """CPU seconds for reading a folder and chunking it."""
    before = time.process_time()
    for document in read(root, skip_broken=True):
        chunker(document)
    return time.process_time() - before


def seconds(trial: Trial, check: Check) -> None:
    settings = trial.case.settings
    if "settings.jsonl" in trial.case.files:
        before = time.process_time()
        for line in trial.case.lines("settings.jsonl"):
            for name in names_for(settings):
                with suppress(ChunkwiseError):
                    build(name, {**settings, **line})("Some text.")
        assert time.process_time() - before <= check["limit"]
        return
    documents = sum(len(corpus) for corpus in trial.corpora)
    names = names_for(settings if documents >= MANY else {})
    overlap = settings.get("overlap", 0)
    for name in names:
        spent = sum(_work(root, build(name, {**settings, "overlap": overlap})) for root in trial.roots)
        assert spent <= check["limit"], (name, spent)


def linear(trial: Trial, check: Check, folder: Path) -> None:
    half = make(trial.case, folder, scale=0.5)
    (whole,) = trial.roots
    for chunker in chunkers_for(trial.case.settings):
        small = min(_work(half, chunker) for _ in range(3))
        large = min(_work(whole, chunker) for _ in range(3))
        assert large <= max(small, SHORT) * check["factor"] * SLACK, (chunker.spec, small, large)


CHECKS = {"seconds": seconds}
"""`linear` stands apart: it needs a folder to make the smaller input in."""
