"""Somebody's function as a model: `py:package.module.function`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

import numpy as np

from chunkwise.errors import ModelError, SettingError
from chunkwise.index.embedders.base import Embedded, Setup, refuse, unknown

BATCH = 256


class CallableModel:
    """A function `texts -> vectors`: it gets a list of strings and gives one row of numbers for each.

    Where it has a parameter `kind`, it is told `query` or `passage`. Its vectors are kept for other runs
    only where the function has an attribute `digest`, a string that its author changes with the model:
    nothing else would tell old vectors from new ones.
    """

    blank = False
    remote = False
    window: int | None = None

    def __init__(self, setup: Setup) -> None:
        """Find the function. Raises `SettingError` where there is none."""
        refuse(setup, "a function", "query", "passage", "batch")
        self.setup = setup
        self.name = setup.model
        self.query = setup.query or ""
        self.passage = setup.passage or ""
        self._function = find_function(setup.model.removeprefix("py:"))
        self._digest = getattr(self._function, "digest", None)
        self.lasting = self._digest is not None
        try:
            self.kinds = "kind" in inspect.signature(self._function).parameters
        except (TypeError, ValueError):
            self.kinds = False

    def identity(self) -> Mapping[str, Any]:
        """The function's name, and its digest where it has one."""
        return {"runner": "callable", "function": self.name, "digest": self._digest}

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors, a batch at a time."""
        step = self.setup.batch or BATCH
        told = {"kind": kind} if self.kinds else {}
        for start in range(0, len(texts), step):
            batch = list(texts[start : start + step])
            try:
                found = np.asarray(self._function(batch, **told))
            except Exception as error:
                raise ModelError(self.name, f"failed: {type(error).__name__}: {error}") from error
            count = unknown(len(batch))
            yield Embedded(range(start, start + len(batch)), found, count, count)


def find_function(path: str) -> Callable[..., Any]:
    """The function at `package.module.function`. Raises `SettingError` where there is none."""
    module, _, name = path.rpartition(".")
    if not module:
        raise SettingError(f"model=py:{path}: write py:package.module.function")
    try:
        function = getattr(import_module(module), name)
    except ImportError as error:
        raise SettingError(f"model=py:{path}: cannot import {module} ({error})") from error
    except AttributeError:
        raise SettingError(f"model=py:{path}: {module} has no {name!r}") from None
    if not callable(function):
        raise SettingError(f"model=py:{path}: {name!r} is no function")
    found: Callable[..., Any] = function
    return found
