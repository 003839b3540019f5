"""Small servers on this machine that speak JSON over real HTTP, with faults on demand."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import pytest

from chunkwise import endpoints


def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no try wait, no key of the machine be used, and no proxy stand between."""
    monkeypatch.setattr(endpoints, "FIRST_WAIT", 0.001)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)


class JsonServer:
    """Runs while the block does. `faults` are answers to the next requests, in order; status 0 hangs up."""

    path = "/v1"

    def __init__(self, key: str = "") -> None:
        self.key = key
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.faults: list[tuple[int, dict[str, str], str]] = []
        self.lock = threading.Lock()

    def reply(self, body: dict[str, Any]) -> tuple[int, str]:
        """Status and text of the answer to a request."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with server.lock:
                    server.requests.append({"path": self.path, **body})
                    server.headers.append(dict(self.headers))
                    fault = server.faults.pop(0) if server.faults else None
                if fault is not None:
                    self.answer(*fault)
                elif self.path != server.path:
                    self.answer(404, {}, "not here")
                elif server.key and self.headers.get("Authorization") != f"Bearer {server.key}":
                    given = self.headers.get("Authorization", "").removeprefix("Bearer ")
                    error = {"error": {"code": "invalid_api_key", "message": f"Incorrect API key: {given}"}}
                    self.answer(401, {}, json.dumps(error))
                else:
                    status, text = server.reply(body)
                    self.answer(status, {}, text)

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
