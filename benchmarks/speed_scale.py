"""Growth: 50 MB against 1.5 MB, as many files and as one; very many small files; memory."""

from __future__ import annotations

import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import chunkwise
from benchmarks.speed_clock import Process, Ratio, Work, alternating, process
from benchmarks.speed_figures import Figure
from benchmarks.speed_pages import Page, characters, copies, joined, pieces, write
from chunkwise.chunk import make_chunkers
from chunkwise.types import Chunker

TIME = "Time a megabyte, with reading and parsing, as the corpus grows"
MEMORY = "Memory and time of `chunkwise chunk`, one document at a time"
SPECS = ("heading:size=1000", "section:size=1000", "paragraph:size=1000")
SPECS += ("recursive:size=1000", "sentence:size=1000", "fixed:size=1000")
MOST = 1.5
MANY, FEW = 100_000, 10_000
"""Numbers of small files."""
MOST_MEMORY = 1.5
"""How many times the memory for 1.5 MB a folder of 50 MB may take: documents are not kept."""


def cutting(folder: Path, chunker: Chunker) -> Work:
    """Reading a folder and cutting it, a document at a time."""

    def work() -> int:
        return sum(len(chunker(document)) for document in chunkwise.read(folder))

    return work


def growth(folders: dict[str, tuple[Path, int]], specs: Sequence[str], rounds: int) -> Iterator[Figure]:
    """Time a character in the other folders against that in the first one.

    The first, small one is timed three times before and three times after each of the large ones.

    Args:
        folders: by name, folder and characters; the first is the small one.
        specs: the chunkers.
        rounds: how often each is timed.
    """
    (base, (small, count)), *others = folders.items()
    for text in specs:
        (chunker,) = make_chunkers(text)
        for name, (folder, length) in others:
            makers: dict[str, Callable[[], Work]] = {
                "before": lambda chunker=chunker: repeated(cutting(small, chunker), 3),
                "large": lambda chunker=chunker, folder=folder: cutting(folder, chunker),
                "after": lambda chunker=chunker: repeated(cutting(small, chunker), 3),
            }
            spent = alternating(makers, rounds, warm=False)
            each = [
                (before + after) / (6 * count)
                for before, after in zip(spent["before"], spent["after"], strict=True)
            ]
            large = [seconds / length for seconds in spent["large"]]
            yield Figure(
                TIME,
                f"{text}, {name}",
                base,
                statistics.median(large) * 1e9,
                statistics.median(each) * 1e9,
                "ms/MB",
                *Ratio.of(large, each),
                most=MOST,
            )


def repeated(work: Work, times: int) -> Work:
    """The same work several times."""

    def again() -> None:
        for _ in range(times):
            work()

    return again


def command(path: Path) -> Process:
    """`chunkwise chunk` in a process of its own."""
    return process(["-m", "chunkwise", "chunk", str(path), "-c", SPECS[0], "-q"])


def memory(folders: dict[str, tuple[Path, int]], start: Process) -> Iterator[Figure]:
    """The most memory that `chunkwise chunk` takes, as the corpus grows.

    Args:
        folders: by name, folder and characters; the first is the small one.
        start: what a folder of one small file costs.
    """
    (base, (small, _)), *others = folders.items()
    least = command(small).peak
    for name, (folder, _) in others:
        peak = command(folder).peak
        single = sum(1 for path in folder.rglob("*.md") if path.is_file()) == 1
        note = (
            "One file is one document, and is held whole with its structure and its chunks."
            if single
            else f"A folder of one small file takes {start.peak / 1e6:.0f} MB."
        )
        aim = None if single else MOST_MEMORY
        yield Figure(
            MEMORY,
            f"peak memory, {name}",
            base,
            peak / 1e6,
            least / 1e6,
            "MB",
            peak / least,
            most=aim,
            note=note,
        )


def small_files(made: Sequence[Page], folder: Path, many: int, few: int, start: Process) -> Iterator[Figure]:
    """A folder of very many small files in one run, against one of fewer.

    Args:
        made: what the small files are cut from.
        folder: where they are written.
        many: number of files.
        few: number of files that it is held against.
        start: what a folder of one small file costs.
    """
    large, small = folder / "many", folder / "few"
    for path, count in ((large, many), (small, few)):
        write(path, pieces(made, count))
    base, whole = command(small), command(large)
    each = [(done.cpu - start.cpu) / count * 1e6 for done, count in ((whole, many), (base, few))]
    name, against = f"{many:,} small files", f"{few:,} files"
    yield Figure(MEMORY, f"time a file, {name}", against, *each, "us", each[0] / each[1], most=MOST)
    peaks = whole.peak / 1e6, base.peak / 1e6
    yield Figure(MEMORY, f"peak memory, {name}", against, *peaks, "MB", peaks[0] / peaks[1])


def run(
    made: Sequence[Page],
    rounds: int,
    large: int,
    *,
    many: int = MANY,
    few: int = FEW,
    specs: Sequence[str] = SPECS,
) -> Iterator[Figure]:
    """All of it, in a folder that is removed afterwards.

    Args:
        made: the pages.
        rounds: how often each large corpus is cut.
        large: characters of the large corpora.
        many: number of small files.
        few: the number that they are held against.
        specs: the chunkers whose time is taken.
    """
    folder = Path(tempfile.mkdtemp(prefix="chunkwise-speed-"))
    try:
        small, spread, one = (folder / name for name in ("small", "spread", "one"))
        write(small, made)
        write(spread, (page for row in copies(made, large) for page in row))
        text = "\n\n".join(joined(row) for row in copies(made, large))
        write(one, [("all.md", text)])
        count = characters(made)
        total = count * sum(1 for _ in copies(made, large))
        folders = {
            f"{count / 1e6:.1f} MB in {len(made)} files": (small, count),
            f"{total / 1e6:.0f} MB in {total // count * len(made):,} files": (spread, total),
            f"{len(text) / 1e6:.0f} MB in one file": (one, len(text)),
        }
        yield from growth(folders, specs, rounds)
        single = folder / "single"
        write(single, pieces(made, 1))
        start = command(single)
        yield from memory(folders, start)
        shutil.rmtree(spread)
        yield from small_files(made, folder, many, few, start)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
