"""The same command twice: what the second run takes when every vector is in the cache.

    python -m benchmarks.again [--documents 22] [--json FILE]

A sweep of five chunkers at three sizes over the synthetic manuals, searched with all-MiniLM-L6-v2, from the
command line, each run in a process of its own. The cache is empty before the first run. A third run says
whether libraries that run a model are imported.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from examples.manuals import generate

ROOT = Path(__file__).parents[1]
OUT = ROOT / "benchmarks" / "out" / "again.json"
SWEEP = tuple(
    f"{name}:size=300|600|1200" for name in ("fixed", "recursive", "sentence", "paragraph", "heading")
)
LIBRARIES = frozenset({"onnxruntime", "tokenizers"})
"""Whoever loads the model imports these."""
MOST = 5.0
"""Per cent of the first run's time that the second one may take."""


class Again(NamedTuple):
    """What was measured."""

    documents: int
    """Manuals and policies."""
    rows: int
    """Rows of the comparison."""
    chunks: int
    """Chunks of all rows."""
    distinct: int
    """Different texts among them: what is embedded."""
    first: float
    """CPU seconds of the first run, its children included."""
    second: float
    """CPU seconds of the same command once more."""
    first_clock: float
    """Seconds of the first run by the clock."""
    second_clock: float
    """Seconds of the second run by the clock."""
    equal: bool
    """Whether both wrote the same report, timings apart."""
    loaded: list[str]
    """Libraries of a model that a further run imports; none is wanted."""

    @property
    def share(self) -> float:
        """CPU time of the second run in per cent of the first one's."""
        return 100 * self.second / self.first


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[float, float, str]:
    """CPU seconds and seconds by the clock of a process, and what it said on standard error."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8"
    )
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: ended with {done.returncode}\n{done.stderr[-2000:]}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, clock, done.stderr


def measure(documents: int, chunkers: Sequence[str]) -> Again:
    """Run the command three times in a folder of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        generate.write(folder / "manuals", 7, documents)
        environment = {
            **os.environ,
            "CHUNKWISE_CACHE": str(folder / "cache"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        }
        words = ["compare", "manuals/docs", "--golden", "manuals/golden.jsonl", "-q", "-r", "dense:minilm"]
        words += [word for chunker in chunkers for word in ("-c", chunker)]
        command = [sys.executable, "-m", "chunkwise", *words, "--json"]
        first, first_clock, _ = run([*command, "one.json"], folder, environment)
        second, second_clock, _ = run([*command, "two.json"], folder, environment)
        traced = [sys.executable, "-X", "importtime", *command[1:], "three.json"]
        lines = [line for line in run(traced, folder, environment)[2].splitlines() if "import time:" in line]
        imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
        one, two = (json.loads((folder / name).read_text("utf-8")) for name in ("one.json", "two.json"))
    for report in (one, two):
        del report["timings"]
    embedded = one["embedding"]["minilm"]
    return Again(
        documents,
        len(one["candidates"]),
        embedded["chunks"],
        embedded["distinct"],
        first,
        second,
        first_clock,
        second_clock,
        one == two,
        sorted(imported & LIBRARIES),
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and keep the figures for the page of retrievers."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.again", description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=generate.DEFAULT_DOCUMENTS)
    parser.add_argument("--chunker", action="append", help="instead of the sweep; repeatable")
    parser.add_argument("--json", type=Path, default=OUT, help="where the figures are written")
    options = parser.parse_args(arguments)
    found = measure(options.documents, options.chunker or SWEEP)
    print(f"{found.rows} rows, {found.chunks:,} chunks, {found.distinct:,} different texts")
    print(f"first run   {found.first:6.1f} s of CPU  {found.first_clock:6.1f} s by the clock")
    print(f"second run  {found.second:6.1f} s of CPU  {found.second_clock:6.1f} s by the clock")
    print(f"second of first: {found.share:.1f} % of the CPU; reports {'equal' if found.equal else 'DIFFER'}")
    print(f"libraries of a model in a run with the cache: {', '.join(found.loaded) or 'none'}")
    print(f"aim: below {MOST:.0f} %: {'met' if found.share < MOST else 'missed'}")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps(found._asdict(), indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
