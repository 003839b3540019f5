"""What a model must offer, and the settings that all of them share."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from chunkwise.errors import SettingError
from chunkwise.types import IntArray

Matrix = npt.NDArray[np.float32]

PASSAGE = "passage"
QUERY = "query"


class Setup(NamedTuple):
    """What a user says of a model. Hashable, so that equal ones share one loaded model."""

    model: str
    """A name of the table, a name that fastembed knows, a folder, or `py:package.module.function`."""
    query: str | None = None
    """Put in front of questions; None for what the model's authors say."""
    passage: str | None = None
    """Put in front of chunks; None for what the model's authors say."""
    window: int | None = None
    """Tokens that the model reads at most; None for what its files say."""
    pooling: str | None = None
    """How the vectors of tokens become one: `mean`, `cls` or `last`; None for what its files say."""
    url: str | None = None
    """Endpoint: the address in front of `/embeddings`."""
    name: str | None = None
    """Endpoint: the name that it knows the model by."""
    key: str | None = None
    """Endpoint: the environment variable that holds the key. Never the key."""
    batch: int | None = None
    """Endpoint or callable: texts at once."""
    rate: int | None = None
    """Endpoint: requests a minute at most; None for no limit."""
    dimensions: int | None = None
    """Endpoint: length of vectors to ask for; None for the model's own."""


class Embedded(NamedTuple):
    """Vectors of some texts."""

    texts: Sequence[int]
    """Numbers of the texts."""
    vectors: npt.NDArray[Any]
    """One row each, of any length above 0."""
    tokens: IntArray
    """Tokens of each text; -1 where the model does not say."""
    unseen: IntArray
    """Characters at the end of each text that are beyond the window; -1 where the model does not say."""


class Model(Protocol):
    """Turns texts into vectors."""

    @property
    def name(self) -> str:
        """What it is called in reports and messages."""
        ...

    @property
    def setup(self) -> Setup:
        """The settings it was made from."""
        ...

    @property
    def query(self) -> str:
        """Put in front of questions."""
        ...

    @property
    def passage(self) -> str:
        """Put in front of chunks."""
        ...

    @property
    def window(self) -> int | None:
        """Tokens that it reads at most; None where it does not say, or not before it is loaded."""
        ...

    @property
    def kinds(self) -> bool:
        """Whether questions and chunks go through different computations."""
        ...

    @property
    def blank(self) -> bool:
        """Whether a text may have no vector (all zeros), as static models give for unknown words."""
        ...

    @property
    def lasting(self) -> bool:
        """Whether vectors may be kept for other runs."""
        ...

    @property
    def remote(self) -> bool:
        """Whether its identity cannot tell that another model answers to its name."""
        ...

    def identity(self) -> Mapping[str, Any]:
        """Everything that its vectors depend on, besides the text. Loads no model.

        Raises:
            MissingExtra: a library is not installed.
            ModelError: a file, the network or a key is missing; says how to get it.
        """
        ...

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors in any order, part by part. `kind` is `passage` or `query`.

        Raises:
            ModelError: the model or endpoint fails. Parts that were yielded before are good.
        """
        ...


def key_of(identity: Mapping[str, Any]) -> str:
    """An identity as one line that is equal for equal identities."""
    return json.dumps(identity, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def sha256(path: Path) -> str:
    """SHA-256 of a file in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def cores() -> int:
    """Processor cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def refuse(setup: Setup, what: str, *taken: str) -> None:
    """Raise where a setting is given that a kind of model does not take.

    Raises:
        SettingError: names the setting and what takes it.
    """
    for field in setup._fields:
        if field != "model" and field not in taken and getattr(setup, field) is not None:
            raise SettingError(
                f"model={setup.model}: {what} takes no {field!r} (it takes {', '.join(taken)})"
            )


def unknown(count: int) -> IntArray:
    """A column of -1: the model does not say."""
    return np.full(count, -1, dtype=np.int64)
