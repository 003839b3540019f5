"""Dense retrieval: chunks and questions as vectors of one model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index.embedders import DEFAULT, Embedder, Progress, Setup, make_embedder
from chunkwise.index.nearest import DenseRetriever
from chunkwise.spec import Settings, Spec, escape, refuse_unknown, unescape, whole_number
from chunkwise.types import Chunk, Document

Texts = npt.NDArray[np.uint64]

SEARCHES = ("exact", "hnsw")
_HELD = 32_000_000  # characters that wait to be embedded
_TEXTS = ("model", "query", "passage", "pooling", "url", "name", "key")
_NUMBERS = ("window", "batch", "rate", "dimensions")
_GRAPH = ("m", "ef_construct", "ef")


@dataclass(frozen=True, slots=True)
class Dense(Settings):
    """Dense retrieval, a value with a text form such as `dense:model=minilm` (short: `dense:minilm`).

    `model` is `minilm`, a model of fastembed (the default is `BAAI/bge-small-en-v1.5`), a folder with an ONNX
    file or a static model, `openai` for any `/v1/embeddings` (with `url` and `name`), or
    `py:package.module.function`.
    """

    model: str = DEFAULT
    """See above."""
    query: str | None = None
    """Put in front of questions; None: what the model's authors say. In a text form `\\s` is a space."""
    passage: str | None = None
    """Put in front of chunks; None: what the model's authors say."""
    window: int | None = None
    """Tokens that the model reads at most; None: what its files say."""
    pooling: str | None = None
    """`mean`, `cls` or `last`; None: what its files say."""
    url: str | None = None
    """Endpoint: the address in front of `/embeddings`."""
    name: str | None = None
    """Endpoint: the name that it knows the model by."""
    key: str | None = None
    """Endpoint: the environment variable that holds the key; None for OPENAI_API_KEY."""
    batch: int | None = None
    """Endpoint or function: texts at once."""
    rate: int | None = None
    """Endpoint: requests a minute at most."""
    dimensions: int | None = None
    """Endpoint: length of vectors to ask for."""
    search: str = "exact"
    """`exact`, or `hnsw` for the approximate search of the shipped index."""
    m: int = 16
    """hnsw: neighbours of a point."""
    ef_construct: int = 100
    """hnsw: candidates looked at while building."""
    ef: int = 50
    """hnsw: candidates looked at while searching; never fewer than are asked for."""
    label: str = ""
    """A name of the user's; equal retrievers with different labels are kept apart."""

    def __post_init__(self) -> None:
        """Refuse settings that cannot work.

        Raises:
            SettingError: names the setting and the value given.
            UnknownName: `search` is not known.
        """
        if not self.model:
            raise SettingError("dense: model is empty; name one, such as dense:model=minilm")
        if self.search not in SEARCHES:
            raise UnknownName("search", self.search, SEARCHES)
        for name in (*_NUMBERS, *_GRAPH):
            value = getattr(self, name)
            if value is not None:
                whole_number(f"dense: {name}", value, 3 if name == "window" else 1)
        if self.search == "exact":
            for name in _GRAPH:
                if getattr(self, name) != _usual(name):
                    raise SettingError(f"dense: {name} is a setting of search=hnsw")

    @classmethod
    def from_spec(cls, spec: Spec) -> Dense:
        """The retriever that a parsed text form stands for.

        Raises:
            SettingError: a setting is unknown or has a value that cannot work.
        """
        settings = dict(spec.settings)
        if spec.target:
            # dense:minilm is short for dense:model=minilm.
            if "model" in settings:
                raise SettingError(f"dense: names two models, {spec.target!r} and {settings['model']!r}")
            settings = {"model": spec.target, **settings}
        refuse_unknown("dense", settings, [f.name for f in fields(cls) if f.name != "label"])
        return cls(**read_settings(settings), label=spec.label)

    @property
    def spec(self) -> str:
        """Its text form, which parses back; settings at their defaults are left out."""
        return str(Spec("dense", self.settings))

    @property
    def settings(self) -> dict[str, str]:
        """Settings that are not at their defaults, as they stand in a text form."""
        found = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name != "label" and value != field.default:
                found[field.name] = _written(str(value))
        return found

    @property
    def embedder(self) -> Embedder:
        """The embedder; equal settings share one. Raises what `prepare` raises."""
        return make_embedder(Setup(*(getattr(self, name) for name in Setup._fields)))

    def prepare(self) -> None:
        """See that model, network and key are there, before any document is read. Loads no model.

        Raises:
            MissingExtra: a library is not installed; gives the install line.
            ModelError: the model is missing and cannot be fetched, or a key is missing.
            UnknownName: there is no such model.
        """
        self.embedder.prepare()
        if self.search == "hnsw":
            from chunkwise.index.approximate import need_usearch

            need_usearch()

    @property
    def index_spec(self) -> str:
        """What its vectors depend on: not the search. Retrievers of one index share it, see `Shelf`."""
        own = {name: value for name, value in self.settings.items() if name not in ("search", *_GRAPH)}
        return str(Spec("dense", own))

    def indexer(self, analyzer: object = None) -> DenseIndexer:
        """Begin an index. The analyzer is not used: a model has words of its own."""
        del analyzer
        return DenseIndexer(self)


class DenseIndexer:
    """Collects chunks, document by document. Vectors are made when it is finished."""

    def __init__(self, settings: Dense) -> None:
        self.settings = settings
        self.embedder = settings.embedder
        self._digests: list[bytes] = []
        self._waiting: dict[bytes, str] = {}
        self._held = 0
        self._characters = 0
        self._known = 0
        self._embedded = 0

    def __len__(self) -> int:
        """Number of chunks added."""
        return len(self._digests)

    @property
    def dense(self) -> list[DenseIndexer]:
        """The indexers in it that embed: itself."""
        return [self]

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Add the chunks of one document, in their order. `indexed` is what is embedded."""
        del document
        self.add_texts(chunk.indexed for chunk in chunks)

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add plain strings, each as one chunk."""
        if not self.embedder.key:
            self.embedder.prepare()
        prefix = len(self.embedder.model.passage)
        for text in texts:
            digest = self.embedder.digest(text)
            self._digests.append(digest)
            self._characters += len(text) + prefix
            if digest not in self._waiting:
                self._waiting[digest] = text
                self._held += len(text)
        if self._held > _HELD:
            self.fill()

    def fill(self, progress: Progress | None = None) -> None:
        """Embed what waits and has no vector."""
        filled = self.embedder.fill(self._waiting.values(), progress=progress)
        self.note(filled.embedded)

    def note(self, embedded: int) -> None:
        """Note that what waits has vectors now, `embedded` of them made for this candidate."""
        self._embedded += embedded
        self._waiting.clear()
        self._held = 0

    @property
    def digests(self) -> Sequence[bytes]:
        """What the vector of each chunk is found by, in the order of the chunks."""
        return self._digests

    @property
    def waiting(self) -> Mapping[bytes, str]:
        """Texts that were added and not yet embedded, by digest."""
        return self._waiting

    def finish(self, progress: Progress | None = None) -> DenseRetriever:
        """The retriever over everything added.

        Args:
            progress: `progress(stage, done, total)`, told while texts are embedded.

        Raises:
            ModelError: the model fails. What is embedded is kept, and the next run goes on from there.
        """
        return self.finish_for(self.settings, progress)

    def finish_for(self, settings: Dense, progress: Progress | None = None) -> DenseRetriever:
        """The same with other settings of the search: vectors do not depend on them."""
        if self._waiting:
            self.fill(progress)
        return DenseRetriever(settings, self._digests, self._characters, self._embedded)


class Saved(NamedTuple):
    """What it saves to embed equal texts of many rows once."""

    chunks: int
    """Chunks of all rows that one model embeds."""
    distinct: int
    """Different texts among them: what is embedded, or was embedded in an earlier run."""

    @classmethod
    def of(cls, texts: Texts) -> Saved:
        """Count what `texts_of` gave, for one model."""
        return cls(len(texts), len(np.unique(texts, axis=0)))


def texts_of(indexers: Iterable[Any]) -> dict[str, Texts]:
    """By model what the chunks of many indexers are found by: two numbers a chunk, equal for equal texts.

    Those that embed nothing are passed over.
    """
    by_model: dict[str, list[bytes]] = {}
    for part in (part for indexer in indexers for part in getattr(indexer, "dense", ())):
        by_model.setdefault(part.embedder.name, []).extend(part.digests)
    return {
        # As integers: a set of millions of digests would take more room than all else.
        name: np.frombuffer(b"".join(digests), dtype=np.uint64).reshape(-1, 2)
        for name, digests in sorted(by_model.items())
    }


def fill(indexers: Iterable[Any], progress: Progress | None = None) -> int:
    """Embed the texts that wait in many indexers, each distinct one once, with one account of the progress.

    Args:
        indexers: any; those that embed nothing are passed over.
        progress: `progress(stage, done, total)`.

    Returns:
        How many texts were embedded.
    """
    by_model: dict[Embedder, list[DenseIndexer]] = {}
    for indexer in indexers:
        for part in getattr(indexer, "dense", ()):
            by_model.setdefault(part.embedder, []).append(part)
    total = 0
    for embedder, parts in by_model.items():
        texts: dict[bytes, str] = {}
        mine = []
        for part in parts:
            new = [digest for digest in part.waiting if digest not in texts]
            mine.append(new)
            texts.update((digest, part.waiting[digest]) for digest in new)
        before = embedder.known(texts)
        total += embedder.fill(texts.values(), progress=progress).embedded
        for part, new in zip(parts, mine, strict=True):
            part.note(sum(digest not in before for digest in new))
    return total


def read_settings(settings: Mapping[str, str]) -> dict[str, Any]:
    """Settings of a text form as values."""
    found: dict[str, Any] = {}
    for name, text in settings.items():
        if name in _TEXTS or name == "search":
            # Spaces at the ends are written \\s: bare ones are lost when the text is parsed.
            found[name] = unescape(re.sub(r"\\(.)", lambda m: " " if m[1] == "s" else m[0], text))
        else:
            found[name] = whole_number(f"dense: {name}", text, 1)
    return found


def _written(value: str) -> str:
    """A value as it stands in a text form; spaces at its ends would be lost."""
    inner = value.strip(" ")
    left = len(value) - len(value.lstrip(" "))
    right = len(value) - len(value.rstrip(" ")) if inner else 0
    return "\\s" * left + escape(inner) + "\\s" * right


def _usual(name: str) -> object:
    return next(field.default for field in fields(Dense) if field.name == name)
