"""Rows from other processes: this machine's, or those of a Ray cluster, by `daft`.

Documents are put into shards. Each is read, cut and embedded somewhere, and written to a file there; here the
files are read in their order. What is finished is not made again, whatever happens to this process.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import socket
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from chunkwise.errors import ChunkwiseError, MissingExtra, RunnerError, SettingError, UnknownName, first_line
from chunkwise.files import cache_folder
from chunkwise.ship import shards
from chunkwise.ship.partitions import Answer, Job, Maker, Part
from chunkwise.ship.rows import together
from chunkwise.ship.shards import Shard, kept, plan, read_shard, write_held

if TYPE_CHECKING:
    from chunkwise.ship.rows import Base, Progress, Rows
    from chunkwise.ship.searching import Asking
    from chunkwise.ship.stores import Store
    from chunkwise.types import Candidate, Corpus

__all__ = ["RUNNERS", "OnDaft", "prepare", "shards_folder"]

RUNNERS: Final = ("native", "ray")
"""What `daft` runs on: processes of this machine, or a cluster."""
_WAVE: Final = 1_024  # shards that are given out together, so that no more of them are held in memory
_PATIENCE: Final = 10.0  # seconds until a cluster answers
_NAMED: Final = "see that RAY_ADDRESS names a cluster that runs and lets you in"
_REMEDY: Final = (
    "a process may have been out of memory, and on a cluster chunkwise must be installed on all machines; "
    "finished shards are kept: ship again"
)
# Nothing is sent to those who make these libraries, and nothing is printed between our own lines.
_QUIET: Final = {
    "DAFT_ANALYTICS_ENABLED": "0",
    "DAFT_PROGRESS_BAR": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DISABLE_DASHBOARD": "1",
}


class OnDaft:
    """Makes rows in other processes."""

    def __init__(
        self,
        runner: str,
        folder: Path,
        corpus: Corpus,
        candidate: Candidate,
        asking: Asking,
        digests: Mapping[str, str],
        recipe: object,
    ) -> None:
        """Nothing is started before rows are asked for.

        Args:
            runner: one of `RUNNERS`.
            folder: where shards are; all machines of a cluster must see it.
            corpus: the documents.
            candidate: how they are cleaned and cut.
            asking: what embeds them.
            digests: by document, as they were when the ship began.
            recipe: what rows depend on besides the documents.
        """
        self.runner, self.folder = runner, folder
        self.corpus, self.digests, self.recipe = corpus, digests, recipe
        self.job = Job(candidate, asking.model().get("digest", ""), str(Path.cwd()))

    def rows(self, docs: Sequence[str], base: Base, tell: Progress, /) -> Iterator[Rows]:
        """The rows of shards, in the order of the documents; finished ones are read while others are made."""
        return together(self._rows(docs, base, tell))

    def _rows(self, docs: Sequence[str], base: Base, tell: Progress) -> Iterator[Rows]:
        planned = plan(docs, self.digests, self.recipe, self.folder, shards.MEAN)
        done = 0
        while wave := list(islice(planned, _WAVE)):
            finished = {shard.path for shard in wave if kept(shard.path) is not None}
            missing = [shard for shard in wave if shard.path not in finished]
            embedded = dict.fromkeys(finished, 0)
            with closing(self._made(missing, base)) as answers:
                for shard in wave:
                    while shard.path not in embedded:
                        answer = next(answers, None)
                        if answer is None:
                            raise RunnerError(self.runner, f"gave no answer for {shard.docs[0]}; {_REMEDY}")
                        embedded[answer.path] = answer.kept.embedded if answer.kept is not None else 0
                    done += len(shard.docs)
                    tell("cut", done, len(docs))
                    yield from read_shard(shard.path, embedded[shard.path])

    def forget(self) -> None:
        """Delete the shards: their rows are served."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _made(self, missing: Sequence[Shard], base: Base) -> Generator[Answer]:
        """Have shards made; answers as they come."""
        if not missing:
            return
        daft = _library(self.runner)
        for shard in missing:
            had = [id for doc in shard.docs for id in base.stale.get(doc, ())]
            held = base.vectors(had) if base.vectors is not None and had and self.job.model else {}
            if held:
                write_held(shard.held, held)
        try:
            job = daft.pickle.dumps(self.job)
            parts = [daft.pickle.dumps(self._part(shard)) for shard in missing]
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise SettingError(
                f"{self.job.candidate.cut} cannot be sent to other processes: {error}; ship "
                "without --runner, or name a chunker that is in a module"
            ) from error
        processes = _processes(self.runner)
        with _told(self.runner):
            make = daft.cls(Maker, use_process=True, max_concurrency=min(processes, len(parts)))
            frame = daft.from_pydict({"part": parts})
            # One shard is one partition, which is what is given to a process and, on a cluster, to a machine.
            frame = frame.into_batches(1) if self.runner == "native" else frame.into_partitions(len(parts))
            frame = frame.select(make(job, self.runner)(frame["part"]).alias("answer"))
            # Closed here, which waits for threads that are under way: Python that ends with them is aborted.
            with closing(frame.iter_rows(results_buffer_size=None)) as rows:
                for row in rows:
                    answer: Answer = pickle.loads(row["answer"])
                    if answer.error is not None:
                        raise answer.error
                    yield answer

    def _part(self, shard: Shard) -> Part:
        digests = {doc: self.digests[doc] for doc in shard.docs}
        return Part(shard, self.corpus.part(shard.docs), digests)


def shards_folder(store: Store, given: str | Path | None) -> Path:
    """Where the shards of a store are: below the folder given, else below the cache.

    Raises:
        SettingError: there is no cache, or the folder is a file.
    """
    if given is None:
        cache = cache_folder()
        if cache is None:
            raise SettingError("--runner keeps shards in the cache, which is off; give --shards FOLDER")
        given = cache / "shards"
    root = Path(given).expanduser().absolute()
    if root.exists() and not root.is_dir():
        raise SettingError(f"--shards {given}: is a file; name a folder")
    place = getattr(store, "path", None)
    named = store.spec if place is None else str(Path(place).resolve())
    if place is None and "://" not in named:
        named = f"{named} in {Path.cwd()}"  # a folder, which others may name alike elsewhere
    return root / hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def prepare(runner: str) -> None:
    """See that there is such a runner and its libraries, before any work is done. Starts nothing.

    Raises:
        UnknownName: there is no such runner.
        MissingExtra: a library is not installed.
        RunnerError: nothing answers at the address of the cluster.
    """
    if runner not in RUNNERS:
        raise UnknownName("runner", runner, RUNNERS)
    for library, extra in (("daft", "daft"), ("pyarrow", "daft"), ("ray", "ray")):
        if (library != "ray" or runner == "ray") and find_spec(library) is None:
            raise MissingExtra(f"--runner {runner}", extra)
    if runner == "ray":
        named = os.environ.get("RAY_ADDRESS", "").rpartition("://")[2]
        try:  # Ray itself goes on trying for minutes
            address = urlsplit(f"//{named}")
            if address.hostname and address.port:
                socket.create_connection((address.hostname, address.port), timeout=_PATIENCE).close()
        except (OSError, ValueError) as error:
            raise RunnerError(runner, f"nothing answers at {named}: {error}; {_NAMED}") from error


def _library(runner: str) -> Any:
    """`daft`, set to a runner.

    Raises:
        RunnerError: the cluster does not answer, or this process has begun with the other runner.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    import daft
    import daft.pickle

    if runner == "ray":
        import ray

        with _told(runner, _NAMED), warnings.catch_warnings():
            # LanceDB warns of every process that is started by a fork.
            warnings.simplefilter("ignore", RuntimeWarning)
            if not ray.is_initialized():
                ray.init(logging_level="error", log_to_driver=False)
    with _told(runner, "one process can use one runner"):
        if runner == "ray":
            daft.set_runner_ray(noop_if_initialized=True)
        else:
            daft.set_runner_native()
    return daft


def _processes(runner: str) -> int:
    """How many processes there is room for."""
    if runner == "ray":
        import ray

        return max(1, int(ray.cluster_resources().get("CPU", 1)))
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _told(runner: str, remedy: str = _REMEDY) -> Iterator[None]:
    """What goes wrong in the library as a `RunnerError`."""
    try:
        yield
    except ChunkwiseError:
        raise
    except Exception as error:
        raise RunnerError(runner, f"{first_line(error)}; {remedy}") from error
