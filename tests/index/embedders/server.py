"""A small server that speaks `/v1/embeddings`, with any function behind it, and faults on demand."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.endpoint import JsonServer

Embed = Callable[[list[str]], Any]


def by_hash(texts: list[str], size: int = 8, salt: str = "") -> Any:
    """A vector that is the same whenever a text comes."""
    seeds = [sum((i + 1) * ord(c) for i, c in enumerate(salt + text)) for text in texts]
    return np.stack([np.random.default_rng(seed).normal(size=size) for seed in seeds])


class Server(JsonServer):
    """Embeds with a function; refuses texts of more than `most` characters."""

    path = "/v1/embeddings"

    def __init__(self, embed: Embed = by_hash, key: str = "", most: int = 10_000) -> None:
        super().__init__(key)
        self.embed, self.most = embed, most
        self.change: Callable[[dict[str, Any]], Any] = lambda answer: answer

    def reply(self, body: dict[str, Any]) -> tuple[int, str]:
        if max(map(len, body["input"])) > self.most:
            return 400, json.dumps({"error": {"message": "maximum context length exceeded"}})
        vectors = self.embed(body["input"])
        data = [{"index": i, "embedding": list(map(float, v))} for i, v in enumerate(vectors)]
        # The order of the list is nobody's promise: the index says which text is meant.
        data.reverse()
        return 200, json.dumps(self.change({"data": data, "model": body["model"]}))

    @property
    def texts(self) -> list[str]:
        """All texts that were asked for, the test sentence aside."""
        from chunkwise.index.embedders.cached import _PROBE

        return [text for request in self.requests for text in request["input"] if text != _PROBE]
