"""Static models in a folder as model2vec saves them: a vector a token, and their mean for a text.

The folder holds `model.safetensors` and `tokenizer.json`; both are read here, so that nothing but the
tokenizer library is needed. What model2vec does is done: no special tokens, at most the `max_length` of
`config.json` (512 where it says none), unknown tokens left out, token weights where the file has them. Only
the cut at a number of characters is left out, which model2vec makes before it counts tokens, to save time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from chunkwise.errors import MissingExtra, ModelError
from chunkwise.index.embedders.base import Embedded, Setup, refuse, sha256
from chunkwise.index.embedders.tokens import groups

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I8": "i1", "U8": "u1"}
_USUAL_WINDOW = 512


def holds_static(folder: Path) -> bool:
    """Whether a folder is one that `StaticModel` takes."""
    return (folder / "model.safetensors").is_file() and (folder / "tokenizer.json").is_file()


class StaticModel:
    """A mean of the vectors of tokens."""

    kinds = False
    blank = True
    lasting = True
    remote = False

    def __init__(self, setup: Setup, folder: Path) -> None:
        """Name a folder; nothing is read yet. `MissingExtra` where the tokenizer library is missing."""
        refuse(setup, "a static model", "query", "passage", "window")
        if find_spec("tokenizers") is None:
            raise MissingExtra(f"the model {folder}", "static")
        self.setup = setup
        self.name = str(folder)
        self.query = setup.query or ""
        self.passage = setup.passage or ""
        self.window = setup.window if setup.window is not None else _window(folder)
        self._folder = folder
        self._table: dict[str, Any] = {}
        self._tokenizer: Any = None
        self._unknown: int | None = None

    def identity(self) -> Mapping[str, Any]:
        """Digests of the files, and the window."""
        try:
            files = {name: sha256(self._folder / name) for name in ("model.safetensors", "tokenizer.json")}
        except OSError as error:
            raise ModelError(self.name, f"{error.filename} cannot be read ({error.strerror})") from None
        return {"runner": "static", "files": files, "window": self.window}

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors; all zeros for a text without a known token."""
        del kind
        self._load()
        for group in groups(texts):
            encodings = self._tokenizer.encode_batch([texts[i] for i in group], add_special_tokens=False)
            tokens = np.array([len(encoding.ids) for encoding in encodings], dtype=np.int64)
            unseen = np.zeros(len(group), dtype=np.int64)
            vectors = np.zeros((len(group), self._table["embeddings"].shape[1]))
            for row, encoding in enumerate(encodings):
                ids = np.array(encoding.ids[: self.window], dtype=np.int64)
                if len(ids) < tokens[row]:
                    unseen[row] = len(texts[group[row]]) - encoding.offsets[len(ids) - 1][1]
                ids = ids[ids != self._unknown]
                if len(ids):
                    vectors[row] = self._mean(ids)
            yield Embedded(group, vectors, tokens, unseen)

    def _mean(self, ids: Any) -> Any:
        mapping, weights = self._table.get("mapping"), self._table.get("weights")
        vectors = self._table["embeddings"][ids if mapping is None else mapping[ids]].astype(np.float64)
        if weights is not None:
            vectors = vectors * weights[ids][:, None]
        return vectors.mean(axis=0)

    def _load(self) -> None:
        if self._tokenizer is not None:
            return
        from tokenizers import Tokenizer

        file = self._folder / "tokenizer.json"
        try:
            self._table = read_safetensors(self._folder / "model.safetensors")
            text = file.read_text("utf-8")
            tokenizer = Tokenizer.from_str(text)
            model = json.loads(text)["model"]
        except Exception as error:  # noqa: BLE001 - the library raises bare exceptions
            raise ModelError(self.name, f"cannot be loaded: {error}") from None
        if "embeddings" not in self._table:
            if "embedding.weight" not in self._table:
                raise ModelError(self.name, "model.safetensors holds no table of embeddings")
            self._table["embeddings"] = self._table.pop("embedding.weight")
        tokenizer.no_padding()
        tokenizer.no_truncation()
        name = model.get("unk_token")
        if model.get("type") == "Unigram" and model.get("unk_id") is not None:
            self._unknown = int(model["unk_id"])
        elif name is not None:
            self._unknown = tokenizer.token_to_id(name)
        self._tokenizer = tokenizer


def read_safetensors(path: Path) -> dict[str, Any]:
    """The arrays of a safetensors file: eight bytes with the length of a JSON header, the header, the data.

    Raises:
        ValueError: the file is cut short, or has a type that is not read here.
    """
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    if len(data) < 8 or start > len(data):
        raise ValueError(f"{path.name} is cut short")
    arrays = {}
    for name, about in json.loads(data[8:start]).items():
        if name == "__metadata__":
            continue
        first, end = about["data_offsets"]
        kind = _TYPES.get(about["dtype"])
        if kind is None:
            raise ValueError(
                f"{path.name}: {name} is of type {about['dtype']}, known are {', '.join(_TYPES)}"
            )
        if start + end > len(data):
            raise ValueError(f"{path.name} is cut short")
        arrays[name] = np.frombuffer(data[start + first : start + end], dtype=kind).reshape(about["shape"])
    return arrays


def _window(folder: Path) -> int | None:
    file = folder / "config.json"
    try:
        config = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    except (OSError, ValueError) as error:
        raise ModelError(str(folder), f"config.json cannot be read: {error}") from None
    window = config.get("max_length", _USUAL_WINDOW) if isinstance(config, dict) else _USUAL_WINDOW
    return window if isinstance(window, int) and window > 0 else None
