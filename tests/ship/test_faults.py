"""Killed with `kill -9` anywhere in a ship: what is served answers as before, the next ship ends well."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import chunkwise
from chunkwise.ship.manifest import BUILDING, READY
from chunkwise.ship.shipping import ship_index
from chunkwise.ship.stores import open_store

from .make import write_folder

ROOT = Path(__file__).parents[2]
MOMENTS = int(os.environ.get("CHUNKWISE_KILLS", "10"))
"""How often each store is killed; CHUNKWISE_KILLS=50 takes some minutes."""
PHASES = {
    "read": ("read",),
    "embed": ("cut", "embed"),
    "write": ("copy", "write", "index"),
    "check": ("check",),
}
"""Phases, and the stages that they are made of; the last one is `switch` with `tidy`."""
CHUNKER = "heading:size=400"


class Ships:
    """A folder, a store, and processes that ship the one to the other."""

    def __init__(self, folder: Path, store: str, model: Path) -> None:
        self.folder, self.store = write_folder(folder), store
        self.retriever = f"dense:model={model}"
        for number in range(12):
            text = "".join(f"## Room {number * 20 + i}\n\nNote {i} of the lamp.\n\n" for i in range(20))
            (self.folder / "docs" / f"room{number}.md").write_text(f"# Rooms {number}\n\n{text}", "utf-8")
        self.golden = self.folder / "golden.jsonl"
        self.edits = 0
        self.ship(chunker=CHUNKER)
        self.questions = chunkwise.load_golden(self.golden, chunkwise.read(self.folder / "docs"))
        self.spare = self.start()

    def ship(self, **settings: Any) -> Any:
        return ship_index(
            self.folder / "docs", self.store, golden=self.golden, retriever=self.retriever, **settings
        )

    def edit(self) -> None:
        """Something in a third of the documents, and nothing that a question asks for."""
        self.edits += 1
        for number in range(0, 12, 3):
            path = self.folder / "docs" / f"room{number}.md"
            text = f"\n## Edit {self.edits}\n\nNote {self.edits}.\n"
            path.write_text(path.read_text("utf-8") + text, "utf-8")

    def start(self) -> subprocess.Popen[str]:
        arguments = [str(self.folder / "docs"), self.store, str(self.golden), self.retriever]
        return subprocess.Popen(
            [sys.executable, "-m", "tests.ship.killed", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])},
        )

    def killed(self, stage: str, seconds: float) -> list[tuple[str, float]]:
        """Ship in a process that is killed so long after a stage began: the stages it came to, and when."""
        process, self.spare = self.spare, self.start()
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdin.write(f"{stage} {seconds}\n")
        process.stdin.flush()
        told = [line.split() for line in process.stdout]
        process.wait()
        process.stdin.close()
        process.stdout.close()
        return [(name, float(when)) for name, when in told]

    def answers(self) -> dict[str, str]:
        """For each question the first chunk with its answer, from what is served now."""
        index = chunkwise.open_index(self.store)
        found = {}
        for question in self.questions:
            quote = question.golds[0].quote
            texts = [one.text for one in index.search(question.text, 20)]
            found[question.id] = next((text for text in texts if quote in text), "")
        return found

    def end(self) -> None:
        self.spare.kill()
        self.spare.communicate()


def durations(told: list[tuple[str, float]]) -> dict[str, float]:
    """Seconds of each stage when it is first come to."""
    found: dict[str, float] = {}
    for (name, began), (_, ended) in pairwise(told):
        found.setdefault(name, ended - began)
    return found


@pytest.mark.parametrize("kind", ["lancedb", "postgresql"])
def test_killed_anywhere(kind: str, tmp_path: Path, model: Path, request: pytest.FixtureRequest) -> None:
    store = f"lancedb:{tmp_path / 'index'}" if kind == "lancedb" else request.getfixturevalue("schema")
    ships = Ships(tmp_path, store, model)
    try:
        before = ships.answers()
        assert before["notice"]
        assert before["garden"]
        ships.edit()
        usual = durations(ships.killed("never", 0))
        drawn = random.Random(7)
        seen: Counter[str] = Counter()
        while seen.total() < MOMENTS:
            ships.edit()
            opened = open_store(store)
            served = opened.served()
            phase = [*PHASES, "switch"][seen.total() % 5]
            stage = drawn.choice([s for s in PHASES.get(phase, ("switch",)) if s in usual])
            told = ships.killed(stage, drawn.random() * usual[stage])
            last = told[-1][0]
            if last == "done":  # it was faster than before
                usual |= durations(told)
                continue
            seen[next((name for name, of in PHASES.items() if last in of), "switch")] += 1
            # What was served is served, or the new version is, whole.
            now = opened.served()
            if now != served:
                assert last in ("switch", "tidy")
            assert ships.answers() == before
            shipped = ships.ship()
            assert shipped.served
            manifests = {one.version: one for one in opened.manifests()}
            assert manifests[shipped.manifest.version].state == READY
            assert not [one for one in manifests.values() if one.state == BUILDING]
            assert opened.view(shipped.manifest.version).count() == shipped.manifest.chunks
        print(f"{kind}: killed in", dict(seen))  # noqa: T201 - the log of the run
        if MOMENTS >= 50:
            assert min(seen[phase] for phase in (*PHASES, "switch")) >= 5, seen
    finally:
        ships.end()
