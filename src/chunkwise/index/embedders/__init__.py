"""Models that turn texts into vectors: one kind a file, one table, and a cache in front of all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from chunkwise.errors import ModelError
from chunkwise.index.embedders.base import PASSAGE, QUERY, Embedded, Model, Setup
from chunkwise.index.embedders.cached import Embedder, Filled, Progress

__all__ = [
    "DEFAULT",
    "EMBEDDERS",
    "NAMES",
    "PASSAGE",
    "QUERY",
    "Embedded",
    "Embedder",
    "Filled",
    "Model",
    "Progress",
    "Setup",
    "make_embedder",
    "make_model",
]

DEFAULT = "BAAI/bge-small-en-v1.5"
"""The model of `dense` where none is named."""


def _minilm(setup: Setup) -> Model:
    from chunkwise.index.embedders.minilm import minilm

    return minilm(setup)


def _endpoint(setup: Setup) -> Model:
    from chunkwise.index.embedders.endpoint import EndpointModel

    return EndpointModel(setup)


def _function(setup: Setup) -> Model:
    from chunkwise.index.embedders.callables import CallableModel

    return CallableModel(setup)


def _folder(setup: Setup, folder: Path) -> Model:
    from chunkwise.index.embedders.onnx import from_folder, holds_onnx
    from chunkwise.index.embedders.static import StaticModel, holds_static

    if holds_onnx(folder):
        return from_folder(setup, folder)
    if holds_static(folder):
        return StaticModel(setup, folder)
    raise ModelError(
        setup.model,
        "the folder holds no model; it needs model.onnx and tokenizer.json, "
        "or model.safetensors and tokenizer.json of a static model",
    )


def _fast(setup: Setup) -> Model:
    from chunkwise.index.embedders.fast import FastModel

    return FastModel(setup)


EMBEDDERS: dict[str, Callable[[Setup], Model]] = {"minilm": _minilm, "openai": _endpoint}
"""Every model with a name of its own. Other names are folders, functions, or models of fastembed."""
NAMES = tuple(EMBEDDERS)


def make_model(setup: Setup) -> Model:
    """The model that a setup names. Nothing is loaded, fetched or sent.

    Raises:
        UnknownName: nothing has that name.
        SettingError: a setting that this kind of model does not take.
        ModelError: a folder without a model in it.
        MissingExtra: a library is not installed.
    """
    name = setup.model
    if name in EMBEDDERS:
        return EMBEDDERS[name](setup)
    if name.startswith("py:"):
        return _function(setup)
    folder = Path(name).expanduser()
    if folder.is_dir():
        return _folder(setup, folder)
    if name.startswith((".", "/", "~")) or folder.is_absolute():
        raise ModelError(name, "there is no such folder")
    return _fast(setup)


@lru_cache(maxsize=16)
def make_embedder(setup: Setup) -> Embedder:
    """The embedder of a setup. Equal setups share one, and with it the loaded model."""
    return Embedder(make_model(setup))
