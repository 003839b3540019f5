"""A small server that speaks `/v1/embeddings`, with any function behind it, and faults on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

Embed = Callable[[list[str]], Any]


def by_hash(texts: list[str], size: int = 8, salt: str = "") -> Any:
    """A vector that is the same whenever a text comes."""
    seeds = [sum((i + 1) * ord(c) for i, c in enumerate(salt + text)) for text in texts]
    return np.stack([np.random.default_rng(seed).normal(size=size) for seed in seeds])


class Server:
    """Runs while the block does. `faults` are answers to the next requests, in their order."""

    def __init__(self, embed: Embed = by_hash, key: str = "", most: int = 10_000) -> None:
        self.embed, self.key, self.most = embed, key, most
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.faults: list[tuple[int, dict[str, str], str]] = []
        self.change: Callable[[dict[str, Any]], Any] = lambda answer: answer
        self._lock = threading.Lock()

    def __enter__(self) -> Server:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server._lock:
                    server.requests.append({"path": self.path, **body})
                    server.headers.append(dict(self.headers))
                    fault = server.faults.pop(0) if server.faults else None
                if fault is not None:
                    self.answer(*fault)
                elif self.path != "/v1/embeddings":
                    self.answer(404, {}, "not here")
                elif server.key and self.headers.get("Authorization") != f"Bearer {server.key}":
                    given = self.headers.get("Authorization", "").removeprefix("Bearer ")
                    error = {"error": {"code": "invalid_api_key", "message": f"Incorrect API key: {given}"}}
                    self.answer(401, {}, json.dumps(error))
                elif max(map(len, body["input"])) > server.most:
                    self.answer(
                        400, {}, json.dumps({"error": {"message": "maximum context length exceeded"}})
                    )
                else:
                    vectors = server.embed(body["input"])
                    data = [{"index": i, "embedding": list(map(float, v))} for i, v in enumerate(vectors)]
                    # The order of the list is nobody's promise: the index says which text is meant.
                    data.reverse()
                    self.answer(200, {}, json.dumps(server.change({"data": data, "model": body["model"]})))

            def answer(self, status: int, headers: dict[str, str], body: str) -> None:
                if status == 0:
                    self.connection.close()
                    return
                data = body.encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                del args

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *args: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def texts(self) -> list[str]:
        """All texts that were asked for, the test sentence aside."""
        from chunkwise.index.embedders.cached import _PROBE

        return [text for request in self.requests for text in request["input"] if text != _PROBE]
