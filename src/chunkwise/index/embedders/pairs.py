"""Cross-encoders: a model reads a question and a text together, and says how well they fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

import numpy as np

from chunkwise.errors import MissingExtra, ModelError, SettingError, UnknownName, first_line
from chunkwise.index.embedders.base import Embedded, cores, sha256, unknown
from chunkwise.index.embedders.callables import find_function
from chunkwise.index.embedders.fast import find_model, quiet
from chunkwise.index.embedders.onnx import Session, find_files, holds_onnx, said_window
from chunkwise.index.embedders.tokens import Tokens
from chunkwise.index.embedders.work import spread

DEFAULT = "Xenova/ms-marco-MiniLM-L-6-v2"


class PairModel(Protocol):
    """Scores pairs of a question and a text."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def window(self) -> int | None:
        """Tokens of question and text together that it reads at most; None where it does not say."""
        ...

    @property
    def lasting(self) -> bool:
        """Whether scores may be kept for other runs."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything that its scores depend on, besides the two texts. Loads no model."""
        ...

    def score(self, question: str, texts: Sequence[str]) -> Iterator[Embedded]:
        """One number a text (rows of length 1), higher for a better fit, in any order."""
        ...


class OnnxPairs:
    """A cross-encoder in a folder: `model.onnx` and `tokenizer.json`. Its first number is the score."""

    lasting = True

    def __init__(self, folder: Path, window: int | None = None) -> None:
        """Look at the folder; nothing is loaded. Raises `ModelError` where a file is missing."""
        files = find_files(folder)
        if window is not None:
            files = files._replace(window=window)
        self.name = str(folder)
        self.window: int | None = files.window
        self.session = Session(files)

    def identity(self) -> Mapping[str, Any]:
        """Digests of the files, and the window."""
        return {"runner": "onnx pairs", **self.session.digests(), "window": self.session.files.window}

    def score(self, question: str, texts: Sequence[str]) -> Iterator[Embedded]:
        """Scores, in batches of pairs of one length."""
        self.session.load()

        def run(task: tuple[list[int], list[Any]]) -> Embedded:
            numbers, encodings = task
            output = self.session.run([e.ids for e in encodings], [e.type_ids for e in encodings])[0]
            if output.ndim == 1:
                output = output[:, None]
            if output.ndim != 2:
                raise ModelError(
                    self.name, f"gives an output of shape {output.shape}; one score a pair is wanted"
                )
            sizes = self.session.tokens.measure(encodings, [texts[i] for i in numbers])
            return Embedded(numbers, output[:, :1], *sizes)

        pairs = [(question, text) for text in texts]
        yield from spread(run, self.session.encoded(texts, pairs), cores())


class FastPairs:
    """A cross-encoder that fastembed loads and runs, one pair at a time: nothing is padded."""

    lasting = True

    def __init__(self, name: str) -> None:
        """Look the name up. Raises `UnknownName` where fastembed has no such model."""
        if find_spec("fastembed") is None:
            raise MissingExtra(f"the model {name}", "dense")
        from fastembed.rerank.cross_encoder import TextCrossEncoder

        known = {str(m["model"]).lower(): str(m["model"]) for m in TextCrossEncoder.list_supported_models()}
        if name.lower() not in known:
            raise UnknownName("reranking model", name, known.values())
        self.name = known[name.lower()]
        self._lock = Lock()
        self.window: int | None = None
        self._model: Any = None
        self._tokens: Tokens | None = None
        self._folder: Path | None = None
        self._identity: dict[str, Any] | None = None

    def identity(self) -> Mapping[str, Any]:
        """Digests of its files, and what runs them. Fetches a model that is not here yet."""
        with self._lock:
            if self._identity is None:
                from fastembed.rerank.cross_encoder import TextCrossEncoder

                folder, files = find_model(
                    TextCrossEncoder.CROSS_ENCODER_REGISTRY,
                    self.name,
                    "TextCrossEncoder",
                    "A folder with an ONNX model needs no network: rerank:model=PATH",
                )
                self._folder = folder
                self.window = said_window(folder)
                self._identity = {
                    "runner": "fastembed pairs",
                    "version": version("fastembed"),
                    "model": self.name,
                    "files": {name: sha256(folder / name) for name in files},
                }
            return self._identity

    def score(self, question: str, texts: Sequence[str]) -> Iterator[Embedded]:
        """Scores, one pair at a time, as many at once as there are cores."""
        self.identity()
        with self._lock:
            if self._model is None:
                from fastembed.rerank.cross_encoder import TextCrossEncoder

                with quiet():
                    self._model = TextCrossEncoder(
                        self.name, threads=1, specific_model_path=str(self._folder)
                    )
                if self.window is not None and self._folder is not None:
                    self._tokens = Tokens((self._folder / "tokenizer.json").read_bytes(), self.window)
        tokens = self._tokens

        def run(i: int) -> Embedded:
            try:
                score = float(next(iter(self._model.rerank(question, [texts[i]], batch_size=1))))
            except Exception as error:  # noqa: BLE001 - one class of its own for each fault
                raise ModelError(self.name, f"fails: {first_line(error)}") from None
            sizes = (unknown(1), unknown(1))
            if tokens is not None:
                sizes = tokens.measure(tokens.encode([(question, texts[i])]), [texts[i]])
            return Embedded([i], np.array([[score]]), *sizes)

        yield from spread(run, range(len(texts)), cores())


class CallablePairs:
    """A function `(question, texts) -> scores`. Kept for other runs where it has an attribute `digest`."""

    def __init__(self, path: str) -> None:
        """Find the function. Raises `SettingError` where there is none."""
        self.name = path
        self.window: int | None = None
        self._function: Callable[..., Any] = find_function(path.removeprefix("py:"))
        self._digest = getattr(self._function, "digest", None)
        self.lasting = self._digest is not None

    def identity(self) -> Mapping[str, Any]:
        """The function's name, and its digest where it has one."""
        return {"runner": "callable pairs", "function": self.name, "digest": self._digest}

    def score(self, question: str, texts: Sequence[str]) -> Iterator[Embedded]:
        """Scores, all at once."""
        try:
            found = np.asarray(self._function(question, list(texts)), dtype=np.float64)
        except Exception as error:
            raise ModelError(self.name, f"failed: {type(error).__name__}: {error}") from error
        if found.shape not in ((len(texts),), (len(texts), 1)):
            raise ModelError(self.name, f"gave scores of shape {found.shape} for {len(texts)} texts")
        count = unknown(len(texts))
        yield Embedded(range(len(texts)), found.reshape(-1, 1), count, count)


def make_pairs(name: str, window: int | None = None) -> PairModel:
    """The cross-encoder of a name: a folder, `py:package.module.function`, or a model of fastembed.

    Raises:
        UnknownName: nothing has that name.
        ModelError: a folder without a model in it.
        MissingExtra: a library is not installed.
    """
    folder = Path(name).expanduser()
    if not name.startswith("py:") and folder.is_dir():
        if not holds_onnx(folder):
            raise ModelError(name, "the folder holds no model; it needs model.onnx and tokenizer.json")
        return OnnxPairs(folder, window)
    if window is not None:
        raise SettingError(f"model={name} takes no window; only a folder with an ONNX model does")
    if name.startswith("py:"):
        return CallablePairs(name)
    if name.startswith((".", "/", "~")) or folder.is_absolute():
        raise ModelError(name, "there is no such folder")
    return FastPairs(name)
