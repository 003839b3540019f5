"""CPU time of things that take turns, and what a fresh process costs."""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

Work = Callable[[], object]
"""Something whose time is taken; what it returns is thrown away outside of the time."""


tidy = gc.collect
"""Called before each work, so that none clears up behind another."""


def seconds(work: Work) -> float:
    """CPU seconds of this process, all its threads together, for one call."""
    tidy()
    begin = time.process_time()
    made = work()
    spent = time.process_time() - begin
    del made
    return spent


def alternating(
    makers: Mapping[str, Callable[[], Work]], rounds: int, *, warm: bool = True
) -> dict[str, list[float]]:
    """CPU seconds of each work in each round. Every round runs all of them, beginning with another one.

    Taking turns makes a busy machine hit all of them alike.

    Args:
        makers: by name, what makes the work of one round; making it is not timed.
        rounds: how often each is timed.
        warm: whether each is run once before, so that none pays for imports and caches of the process.
    """
    names = list(makers)
    if warm:
        for name in names:
            makers[name]()()
    found: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds):
        for i in range(len(names)):
            name = names[(i + turn) % len(names)]
            found[name].append(seconds(makers[name]()))
    return found


class Ratio(NamedTuple):
    """How two series of one run compare, round by round."""

    median: float
    low: float
    high: float

    @classmethod
    def of(cls, above: Sequence[float], below: Sequence[float]) -> Ratio:
        """The quotients of each round: their median and their extremes."""
        quotients = [a / b for a, b in zip(above, below, strict=True)]
        return cls(statistics.median(quotients), min(quotients), max(quotients))


class Process(NamedTuple):
    """What one fresh process cost."""

    wall: float
    """Seconds from its start to its end."""
    cpu: float
    """CPU seconds of it, in user and system mode."""
    peak: int
    """The most memory it held, in bytes."""


# A small process between this one and the measured one: Linux carries the peak of the process that
# forked over to the one that was forked, so the large one here must not be the parent. What the measured
# one prints goes nowhere; the one between keeps its own standard output for the figures.
_BETWEEN = """
import json, os, sys, time
kept = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
begin = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
spent = time.perf_counter() - begin
figures = [os.waitstatus_to_exitcode(status), spent, used.ru_utime + used.ru_stime, used.ru_maxrss]
os.write(kept, json.dumps(figures).encode())
"""


def process(arguments: Sequence[str]) -> Process:
    """Run this Python with arguments in a fresh process; its output is thrown away.

    Raises:
        RuntimeError: it ended with another status than 0.
    """
    command = [sys.executable, "-S", "-E", "-c", _BETWEEN, sys.executable, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        raise RuntimeError(f"python {' '.join(arguments)}: {done.stderr[-2000:]}")
    status, wall, cpu, peak = json.loads(lines[-1])
    if status:
        raise RuntimeError(f"python {' '.join(arguments)} ended with {status}: {done.stderr[-2000:]}")
    return Process(wall, cpu, peak if sys.platform == "darwin" else peak * 1024)
