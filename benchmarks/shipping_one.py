"""One ship, or the searches of one index, in a process of its own; prints what it cost as JSON.

    python -m benchmarks.shipping_one ship DOCS STORE CHUNKER MODEL [GOLDEN] [PID]
    python -m benchmarks.shipping_one search GOLDEN STORE MODEL [PID]

PID is the process of a database server on this machine, whose seconds are counted too.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

K = 10
WARM, ASKED, EXACT = 50, 1_000, 200
"""Questions before the clock runs, those whose time is taken, and those that exact search is asked too."""
_SAMPLED = 0.01  # seconds between two looks at the memory


class Phases:
    """Seconds by the clock, seconds of all processors, and the largest resident memory of each phase."""

    def __init__(self, server: int | None) -> None:
        """Begin with the phase `start`.

        Args:
            server: a process that works for this one, whose seconds count.
        """
        self._own = psutil.Process()
        self._server = server
        self.found: dict[str, dict[str, float]] = {}
        self._name = "start"
        self._since = self._now()
        threading.Thread(target=self._watch, daemon=True).start()

    def __call__(self, name: str) -> None:
        """Another phase begins."""
        now = self._now()
        row = self._row(self._name)
        for key, before, after in zip(("wall", "cpu", "server"), self._since, now, strict=True):
            row[key] += after - before
        self._name, self._since = name, now

    def _row(self, name: str) -> dict[str, float]:
        return self.found.setdefault(name, {"wall": 0.0, "cpu": 0.0, "server": 0.0, "peak": 0.0})

    def _now(self) -> tuple[float, float, float]:
        return time.perf_counter(), time.process_time(), spent_by(self._server)

    def _watch(self) -> None:
        while True:
            row = self._row(self._name)
            row["peak"] = max(row["peak"], float(self._own.memory_info().rss))
            time.sleep(_SAMPLED)


def spent_by(server: int | None) -> float:
    """Seconds of a server: its own, those of its processes, and those of processes that have ended."""
    if server is None:
        return 0.0
    process = psutil.Process(server)
    times = process.cpu_times()
    total = times.user + times.system + times.children_user + times.children_system
    for child in process.children(recursive=True):
        try:
            own = child.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += own.user + own.system
    return float(total)


def ship(
    docs: Path, store: str, chunker: str, model: Path, golden: Path | None, server: int | None
) -> dict[str, Any]:
    """Ship a folder as `chunkwise ship` does."""
    phases = Phases(server)
    import chunkwise
    from chunkwise.ship.stores import open_store

    target = open_store(store)
    target.prepare()  # imports its library
    phases("read")
    corpus = chunkwise.read(docs)

    def progress(stage: str, done: int, total: int) -> None:
        del done, total
        phases("embed" if " " in stage else stage)

    shipped = chunkwise.ship_index(
        corpus, target, chunker=chunker, retriever=f"dense:model={model}", golden=golden, progress=progress
    )
    phases("end")
    if not shipped.served:
        raise SystemExit(f"not served: {shipped.checked}")
    sample = shipped.checked.sample if shipped.checked is not None else None
    return {
        "phases": {name: row for name, row in phases.found.items() if name != "end"},
        "chunks": shipped.manifest.chunks,
        "version": shipped.manifest.version,
        "unchanged": shipped.unchanged,
        "work": dict(shipped.manifest.work),
        "questions": shipped.manifest.golden.get("questions", 0),
        "sample": [sample.found, sample.asked] if sample is not None else None,
    }


def search(golden: Path, store: str, model: Path, server: int | None) -> dict[str, Any]:
    """Ask what is served: seconds of each search by the clock, and recall against exact search.

    Recall counts scores, not ids: of several chunks with one text any may come.
    """
    from chunkwise.index import Dense
    from chunkwise.ship.stores import open_store

    target = open_store(store)
    served = target.served()
    assert served is not None
    view = target.view(served)
    lines = golden.read_text("utf-8").splitlines()
    picked = [lines[i * len(lines) // (WARM + ASKED)] for i in range(min(len(lines), WARM + ASKED))]
    embedder = Dense(model=str(model)).embedder
    vectors = embedder.questions([json.loads(line)["question"] for line in picked])
    for vector in vectors[:WARM]:
        view.dense(vector, K, False)
    asked = vectors[WARM:]
    spent = []
    began = time.process_time() + spent_by(server)
    for vector in asked:
        start = time.perf_counter()
        view.dense(vector, K, False)
        spent.append(time.perf_counter() - start)
    cpu = (time.process_time() + spent_by(server) - began) / len(asked)
    kept = 0
    chosen = asked[:: max(1, len(asked) // EXACT)]
    for vector in chosen:
        least = min(score for _, score in view.dense(vector, K, True))
        kept += sum(score >= least - 1e-6 for _, score in view.dense(vector, K, False))
    return {
        "asked": len(asked),
        "p50": float(np.percentile(spent, 50)),
        "p99": float(np.percentile(spent, 99)),
        "cpu": cpu,
        "exact": len(chosen),
        "recall": kept / (K * len(chosen)),
    }


def main(arguments: list[str]) -> int:
    """The command line."""
    what, *rest = arguments
    server = int(rest.pop()) if rest[-1].isdigit() else None
    works: dict[str, Callable[[], dict[str, Any]]] = {
        "ship": lambda: ship(
            Path(rest[0]), rest[1], rest[2], Path(rest[3]), Path(rest[4]) if rest[4:] else None, server
        ),
        "search": lambda: search(Path(rest[0]), rest[1], Path(rest[2]), server),
    }
    print(json.dumps(works[what]()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
