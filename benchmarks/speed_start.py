"""What starting costs: fresh processes, one after the other."""

from __future__ import annotations

import statistics
from collections.abc import Iterator

from benchmarks.speed_clock import Process, process
from benchmarks.speed_figures import Figure

PART = "Starting, in fresh processes"
COMMANDS = {
    "python -c 'pass'": (["-c", "pass"], None),
    "import chunkwise": (["-c", "import chunkwise"], 0.2),
    "chunkwise --help": (["-m", "chunkwise", "--help"], 0.4),
}


def run(rounds: int) -> Iterator[Figure]:
    """CPU seconds of whole processes, and what they are above those of an empty one."""
    done: dict[str, list[Process]] = {name: [] for name in COMMANDS}
    for arguments, _ in COMMANDS.values():
        process(arguments)  # writes the byte code
    for _ in range(rounds):
        for name, (arguments, _) in COMMANDS.items():
            done[name].append(process(arguments))
    for name, (_, most) in COMMANDS.items():
        cpu, wall = (statistics.median(getattr(one, kind) for one in done[name]) for kind in ("cpu", "wall"))
        note = f"{name}: {wall:.3f} s by the clock."
        yield Figure(PART, name, "", cpu, None, "s", most=most, note=note)
