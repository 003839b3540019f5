"""A cross-encoder, and the cache of scores in front of it: no pair is scored twice."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chunkwise.errors import ModelError
from chunkwise.index.cache import faults, open_vectors
from chunkwise.index.embedders.base import key_of
from chunkwise.index.embedders.pairs import PairModel
from chunkwise.index.vectors import Vectors, digest_of
from chunkwise.types import FloatArray


class Scorer:
    """Scores pairs of a question and a text. Scores are kept as vectors of one number."""

    def __init__(self, model: PairModel) -> None:
        """Wrap a model. Nothing is loaded."""
        self.model = model
        self.key = ""
        self._private: Vectors | None = None

    def prepare(self) -> None:
        """See that everything is there, before any work is done. Loads no model.

        Raises:
            ModelError: a file or the network is missing; says how to get it.
            MissingExtra: a library is not installed.
        """
        self.key = key_of(self.model.identity())
        _ = self._store

    @property
    def _store(self) -> Vectors:
        if self.model.lasting:
            return open_vectors()
        if self._private is None:
            self._private = Vectors(None)
        return self._private

    def scores(self, question: str, texts: Sequence[str]) -> tuple[FloatArray, int]:
        """The score of each text, and how many pairs were longer than the model's window.

        Raises:
            ModelError: the model fails, or gives what is no finite number.
        """
        if not self.key:
            self.prepare()
        digests = [digest_of(f"{len(question)}\0{question}\0{text}") for text in texts]
        with faults(self._store):
            known = self._store.known(self.key, digests)
        missing = {d: t for d, t in zip(digests, texts, strict=True) if d not in known}
        listed, strings = list(missing), list(missing.values())
        for part in self.model.score(question, strings) if missing else ():
            values = np.asarray(part.vectors, dtype=np.float64)
            if not np.isfinite(values).all():
                raise ModelError(self.model.name, "gives a score that is not a finite number")
            with faults(self._store):
                self._store.add(
                    self.key,
                    self.model.name,
                    [listed[i] for i in part.texts],
                    values.astype(np.float32),
                    part.tokens.tolist(),
                    part.unseen.tolist(),
                )
        with faults(self._store):
            kept = self._store.get(self.key, digests)
        return kept.vectors[:, 0].astype(np.float64), int((kept.unseen > 0).sum())
