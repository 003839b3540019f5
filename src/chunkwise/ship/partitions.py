"""What another process does: it makes one shard after the other, and says how that went."""

from __future__ import annotations

import os
import pickle
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from chunkwise.errors import ChunkwiseError, ModelError, RunnerError
from chunkwise.ship.rows import Base, InProcess
from chunkwise.ship.searching import Asking, make_asking
from chunkwise.ship.shards import Kept, Shard, kept, read_held, write_shard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from chunkwise.types import Candidate, Corpus

__all__ = ["Answer", "Job", "Maker", "Part"]


class Job(NamedTuple):
    """What all shards of a ship have in common."""

    candidate: Candidate
    """How documents are cleaned, cut and searched."""
    model: str
    """Digest of the model as the ship knows it; empty without one."""
    folder: str
    """Where paths begin that are not absolute."""


class Part(NamedTuple):
    """One shard that is to be made."""

    shard: Shard
    """Its file and its documents."""
    corpus: Corpus
    """These documents."""
    digests: Mapping[str, str]
    """Theirs, as they were when the ship began."""


class Answer(NamedTuple):
    """How a shard went."""

    path: Path
    """Its file."""
    kept: Kept | None
    """What is in it."""
    error: ChunkwiseError | None
    """Why it was not made."""


class Maker:
    """Makes shards. What it needs is loaded with the first one, so that a fault there is an answer too."""

    def __init__(self, job: bytes, runner: str) -> None:
        """Keep the job.

        Args:
            job: a pickled `Job`.
            runner: what runs this, for messages.
        """
        self._job, self._runner = job, runner
        self._opened: tuple[Job, Asking] | None = None

    def __call__(self, part: bytes) -> bytes:
        """Make a shard.

        Args:
            part: a pickled `Part`.

        Returns:
            A pickled `Answer`.
        """
        wanted: Part = pickle.loads(part)
        try:
            answer = Answer(wanted.shard.path, self._make(wanted), None)
        except ChunkwiseError as error:
            answer = Answer(wanted.shard.path, None, error)
        return pickle.dumps(answer)

    def _make(self, part: Part) -> Kept:
        shard = part.shard
        among = f"{shard.docs[0]} to {shard.docs[-1]}" if len(shard.docs) > 1 else shard.docs[0]
        try:
            job, asking = self._open()
        except ChunkwiseError:
            raise
        except Exception as error:
            raise RunnerError(
                self._runner,
                f"another process cannot begin: {type(error).__name__}: {error}; what cuts must be in a "
                "module that is installed there",
            ) from error
        try:
            found = kept(shard.path)
            if found is not None:
                return found  # made by a process whose answer was lost
            held = read_held(shard.held)
            base = Base(lambda ids: {id: held[id] for id in ids if id in held})
            made = InProcess(part.corpus, job.candidate, asking, part.digests)
            return write_shard(shard.path, made.rows(shard.docs, base, _silent))
        except ModelError as error:
            raise ModelError(error.model, f"{error.reason} (among {among})") from error
        except ChunkwiseError:
            raise
        except Exception as error:
            raise RunnerError(self._runner, f"{among}: {type(error).__name__}: {error}") from error

    def _open(self) -> tuple[Job, Asking]:
        if self._opened is None:
            job: Job = pickle.loads(self._job)
            if Path(job.folder).is_dir():
                os.chdir(job.folder)
                if job.folder not in sys.path:
                    sys.path.insert(0, job.folder)
            asking = make_asking(job.candidate.retriever)
            asking.prepare()
            if asking.model().get("digest", "") != job.model:
                raise ModelError(
                    str(asking.embedder.name),
                    "is another model here than where the ship began; see that "
                    "all machines have the same files",
                )
            self._opened = job, asking
        return self._opened


def _silent(stage: str, done: int, total: int) -> None:
    del stage, done, total
