"""Any endpoint that speaks OpenAI's `/v1/embeddings`: a service, or a model server of one's own.

The key comes from an environment variable and goes into the `Authorization` header; it is in no setting,
message, report or cache. Redirects are not followed, so that it reaches no other host.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from chunkwise.endpoints import TOO_MUCH, Address, Caller, Refused
from chunkwise.errors import ModelError, SettingError
from chunkwise.index.embedders.base import Embedded, Setup, refuse, unknown
from chunkwise.index.embedders.work import spread

URL = "https://api.openai.com/v1"
BATCH = 64
"""Texts a request."""
CHARACTERS = 200_000
"""Characters a request, unless one text alone has more."""
WORKERS = 4
"""Requests under way at once."""


class EndpointModel:
    """A model behind an endpoint."""

    kinds = False
    blank = False
    lasting = True
    remote = True
    window: int | None = None

    def __init__(self, setup: Setup) -> None:
        """Check the settings. Nothing is sent.

        Raises:
            SettingError: a setting cannot work, or a secret is written where it would be shown.
        """
        taken = ("query", "passage", "url", "name", "key", "batch", "rate", "dimensions")
        refuse(setup, "an endpoint", *taken)
        self.setup = setup
        self.url = (setup.url or URL).rstrip("/")
        if not setup.name:
            raise SettingError(
                f"model={setup.model}: say which model the endpoint shall use, such as "
                "name=text-embedding-3-small"
            )
        self._address = Address(self.url, setup.key)
        for setting in ("batch", "rate", "dimensions"):
            value = getattr(setup, setting)
            if value is not None and value < 1:
                raise SettingError(f"{setting} must be at least 1, got {value}")
        self.name = setup.name
        self.query = setup.query or ""
        self.passage = setup.passage or ""
        self._caller: Caller | None = None

    def identity(self) -> Mapping[str, Any]:
        """Address, name and dimensions; what answers there is looked at before anything is embedded.

        Raises:
            ModelError: the variable with the key is not set, and the host is not this machine.
        """
        self._address.need_key(self.name, "or name another variable with key=NAME")
        return {
            "runner": "endpoint",
            "url": self.url,
            "model": self.name,
            "dimensions": self.setup.dimensions,
        }

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        """Vectors, a few requests at a time."""
        del kind
        if self._caller is None:
            self._caller = Caller(f"{self.url}/embeddings", rate=self.setup.rate)
        caller, key = self._caller, self._address.key

        def run(batch: list[int]) -> Embedded:
            found = self._ask(caller, key, [texts[i] for i in batch])
            return Embedded(batch, found, unknown(len(batch)), unknown(len(batch)))

        yield from spread(run, self._batches(texts), WORKERS)

    def _batches(self, texts: Sequence[str]) -> Iterator[list[int]]:
        batch: list[int] = []
        room = CHARACTERS
        for i, text in enumerate(texts):
            if batch and (len(batch) >= (self.setup.batch or BATCH) or len(text) > room):
                yield batch
                batch, room = [], CHARACTERS
            batch.append(i)
            room -= len(text)
        if batch:
            yield batch

    def _ask(self, caller: Caller, key: str, texts: Sequence[str]) -> Any:
        """Vectors of the texts of one request. What is too much at once is sent in halves."""
        body: dict[str, Any] = {"model": self.name, "input": list(texts)}
        if self.setup.dimensions is not None:
            body["dimensions"] = self.setup.dimensions
        try:
            answer = caller(body, key)
        except Refused as refused:
            if refused.status in TOO_MUCH and len(texts) > 1:
                half = len(texts) // 2
                parts = [self._ask(caller, key, part) for part in (texts[:half], texts[half:])]
                if parts[0].shape[1] != parts[1].shape[1]:
                    raise ModelError(self.name, "gives vectors of different lengths") from None
                return np.concatenate(parts)
            raise ModelError(self.name, self._reason(refused, texts)) from None
        return self._vectors(answer, len(texts))

    def _vectors(self, answer: Any, count: int) -> Any:
        rows = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise ModelError(
                self.name, f"{self.url} answers without a list of data; is it an /embeddings API?"
            )
        numbers = [row.get("index", i) for i, row in enumerate(rows)]
        if sorted(n for n in numbers if isinstance(n, int)) != list(range(count)):
            raise ModelError(self.name, f"{self.url} gave {len(rows)} vectors for {count} texts")
        found: list[Any] = [None] * count
        for number, row in zip(numbers, rows, strict=True):
            found[number] = row.get("embedding")
        lengths = {len(vector) if isinstance(vector, list) else 0 for vector in found}
        if len(lengths) > 1 or 0 in lengths:
            raise ModelError(self.name, f"{self.url} gives vectors of different lengths, or none")
        try:
            return np.array(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise ModelError(self.name, f"{self.url} gives vectors that are not numbers") from None

    def _reason(self, refused: Refused, texts: Sequence[str]) -> str:
        if refused.status in TOO_MUCH:
            said = f" ({refused.message})" if refused.message else ""
            return (
                f"{self.url} answers {refused.status} to a text of {max(map(len, texts))} characters; "
                f"it may be longer than the model takes{said}"
            )
        kept = "what is embedded already is kept, and the next run goes on"
        return self._address.why(refused, "/embeddings", self.name, kept)
