"""An embedder: a model, and the cache of vectors in front of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from time import monotonic
from typing import NamedTuple

import numpy as np

from chunkwise.errors import ModelError, SettingError
from chunkwise.index.cache import faults, open_vectors
from chunkwise.index.embedders.base import PASSAGE, QUERY, Embedded, Matrix, Model, key_of
from chunkwise.index.vectors import Kept, Vectors, digest_of

Progress = Callable[[str, int, int], None]
"""`progress(stage, done, total)`."""

_TOGETHER = 256  # vectors that are written at once
_SECONDS = 2.0  # or those of so many seconds: no more is lost to a `kill -9`
_REMEMBERED = 20_000  # vectors of questions
_PROBE = "The quick brown fox jumps over the lazy dog; 0123456789."
_SAME = 0.999  # cosine of two vectors of one text by one model; servers compute with few bits
_SURROGATES = re.compile("[\ud800-\udfff]")


class Filled(NamedTuple):
    """What embedding some texts took."""

    texts: int
    """How many, repeats included."""
    distinct: int
    """How many different ones."""
    known: int
    """How many of these the cache had."""
    embedded: int
    """How many of these were embedded now."""


class Embedder:
    """Turns texts into unit vectors; a text that was ever embedded is not embedded again.

    Equal texts get the same vector, bit for bit, whichever candidate or run asks.
    """

    def __init__(self, model: Model) -> None:
        """Wrap a model. Nothing is loaded."""
        self.model = model
        self.key = ""
        self._private: Vectors | None = None
        self._probed = False
        self._vectors: dict[bytes, Matrix] = {}

    def __repr__(self) -> str:
        return f"Embedder({self.model.name!r})"

    @property
    def name(self) -> str:
        """What the model is called."""
        return self.model.name

    @property
    def window(self) -> int | None:
        """Tokens that the model reads at most; None where it does not say (or not before it is loaded)."""
        return self.model.window

    def prepare(self) -> None:
        """See that everything is there, before any work is done. Loads no model.

        Raises:
            ModelError: a file, the network or a key is missing; says how to get it.
            MissingExtra: a library is not installed.
            SettingError: the cache cannot be used.
        """
        key = key_of(self.model.identity())
        if key != self.key:
            self._vectors.clear()
        self.key = key
        _ = self._store

    @property
    def _store(self) -> Vectors:
        if self.model.lasting:
            return open_vectors()
        if self._private is None:
            self._private = Vectors(None)
        return self._private

    def digest(self, text: str, kind: str = PASSAGE) -> bytes:
        """What the vector of a text is found by: the digest of exactly what the model is given."""
        return self._digest(self._whole(text, kind), kind)

    def known(self, digests: Iterable[bytes]) -> set[bytes]:
        """Those of some digests that have a vector."""
        with faults(self._store):
            return self._store.known(self.key, digests)

    def fill(self, texts: Iterable[str], kind: str = PASSAGE, progress: Progress | None = None) -> Filled:
        """Embed the texts that have no vector yet.

        What is done when this is interrupted, or fails half-way, is kept.

        Args:
            texts: without prefixes.
            kind: `passage` or `query`.
            progress: told after each part: what is done, and how many texts that is of how many that had no
                vector.

        Raises:
            ModelError: the model fails, gives what is no vector, or is another one than it was.
        """
        if not self.key:
            self.prepare()
        wanted: dict[bytes, str] = {}
        count = 0
        for text in texts:
            count += 1
            whole = self._whole(text, kind)
            wanted.setdefault(self._digest(whole, kind), whole)
        known = self.known(wanted)
        missing = {digest: text for digest, text in wanted.items() if digest not in known}
        if missing:
            if self.model.remote:
                self._probe()
            self._embed(list(missing), list(missing.values()), kind, progress)
        return Filled(count, len(wanted), len(known), len(missing))

    def kept(self, digests: Sequence[bytes], *, vectors: bool = True) -> Kept:
        """What is known of texts that were filled in before, by their digests; see `Vectors.get`.

        Raises:
            SettingError: the cache was pruned in the meantime.
        """
        with faults(self._store):
            try:
                return self._store.get(self.key, digests, vectors=vectors)
            except KeyError:
                raise SettingError(
                    f"vectors of {self.name} were deleted from the cache while they were in use; run it again"
                ) from None

    def embed(self, texts: Sequence[str], kind: str = PASSAGE) -> Matrix:
        """Unit vectors of texts, one row each, 32-bit."""
        self.fill(texts, kind)
        return self.kept([self.digest(text, kind) for text in texts]).vectors

    def questions(self, questions: Sequence[str]) -> Matrix:
        """Vectors of questions, one row each; those of earlier calls are remembered."""
        if not self.key:
            self.prepare()
        digests = [self.digest(question, QUERY) for question in questions]
        # Other threads may ask too, and forget what was remembered.
        remembered = ((digest, self._vectors.get(digest)) for digest in digests)
        held = {digest: vector for digest, vector in remembered if vector is not None}
        new = {d: question for d, question in zip(digests, questions, strict=True) if d not in held}
        if new:
            made = dict(zip(new, self.embed(list(new.values()), QUERY), strict=True))
            if len(self._vectors) + len(made) > _REMEMBERED:
                self._vectors.clear()
            self._vectors.update(made)
            held.update(made)
        return np.stack([held[digest] for digest in digests])

    def _whole(self, text: str, kind: str) -> str:
        """What the model is given. A lone surrogate is no character: it is replaced, one for one."""
        whole = (self.model.query if kind == QUERY else self.model.passage) + text
        return whole if whole.isascii() else _SURROGATES.sub("\ufffd", whole)

    def _digest(self, whole: str, kind: str) -> bytes:
        return digest_of(f"{kind}\0{whole}" if self.model.kinds else whole)

    def _embed(self, digests: list[bytes], texts: list[str], kind: str, progress: Progress | None) -> None:
        stage = f"embed with {_short(self.name)}"
        waiting: list[tuple[list[bytes], Matrix, Embedded]] = []
        done = 0
        written = monotonic()

        def write() -> None:
            nonlocal waiting, written
            if waiting:
                parts, waiting = waiting, []
                self._write(parts)
            written = monotonic()

        if progress is not None:
            progress(stage, 0, len(texts))
        try:
            for part in self.model.embed(texts, kind):
                waiting.append(([digests[i] for i in part.texts], self._checked(part, texts), part))
                done += len(part.texts)
                if sum(len(w[0]) for w in waiting) >= _TOGETHER or monotonic() - written > _SECONDS:
                    write()
                if progress is not None:
                    progress(stage, done, len(texts))
        finally:
            write()
        if done != len(texts):
            raise ModelError(self.name, f"gave {done} vectors for {len(texts)} texts")

    def _write(self, parts: list[tuple[list[bytes], Matrix, Embedded]]) -> None:
        with faults(self._store):
            self._store.add(
                self.key,
                self.name,
                [digest for digests, _, _ in parts for digest in digests],
                np.concatenate([vectors for _, vectors, _ in parts]),
                [n for _, _, part in parts for n in part.tokens.tolist()],
                [n for _, _, part in parts for n in part.unseen.tolist()],
            )

    def _checked(self, part: Embedded, texts: Sequence[str]) -> Matrix:
        """Vectors of length 1. Raises `ModelError` for what is no vector."""
        try:
            vectors = np.asarray(part.vectors, dtype=np.float64)
        except (TypeError, ValueError):
            raise ModelError(self.name, "gives vectors that are not rows of numbers") from None
        if vectors.ndim != 2 or len(vectors) != len(part.texts) or not vectors.shape[1]:
            raise ModelError(
                self.name, f"gives an array of shape {vectors.shape} for {len(part.texts)} texts"
            )
        lengths = np.sqrt((vectors * vectors).sum(axis=1))
        if not np.isfinite(lengths).all():
            bad = int(np.flatnonzero(~np.isfinite(lengths))[0])
            raise ModelError(
                self.name, f"gives numbers that are not finite for {_start(texts[part.texts[bad]])}"
            )
        if not lengths.all() and not self.model.blank:
            bad = int(np.flatnonzero(lengths == 0)[0])
            raise ModelError(self.name, f"gives a vector of zeros for {_start(texts[part.texts[bad]])}")
        lengths[lengths == 0] = 1
        unit: Matrix = (vectors / lengths[:, None]).astype(np.float32)
        return unit

    def _probe(self) -> None:
        """See that the same model answers as when the vectors in the cache were made."""
        if self._probed:
            return
        digest = digest_of(f"\0probe\0{_PROBE}")
        part = next(iter(self.model.embed([_PROBE], PASSAGE)))
        vector = self._checked(part, [_PROBE])
        with faults(self._store):
            if self._store.known(self.key, [digest]):
                before = self._store.get(self.key, [digest]).vectors
                if before.shape != vector.shape or float((before * vector).sum()) < _SAME:
                    raise ModelError(
                        self.name,
                        "another model answers to this name than when the vectors in the cache were made "
                        f"({before.shape[1]} numbers then, {vector.shape[1]} now; the same sentence has "
                        f"another vector); delete the old ones: chunkwise cache --prune --model {self.name}",
                    )
            else:
                self._store.add(self.key, self.name, [digest], vector, [-1], [-1])
        self._probed = True


def _short(name: str) -> str:
    return Path(name).name if len(name) > 40 else name


def _start(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "…")
