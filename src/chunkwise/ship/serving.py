"""A read-only HTTP endpoint over what is served, from the standard library: three paths and no state.

`GET /search?q=…&k=5&parents=1` (or `POST /search` with `{"question": …, "k": …, "parents": …}`),
`GET /health`, `GET /version`.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, urlsplit

from chunkwise.errors import ChunkwiseError, SettingError
from chunkwise.ship.opened import Index

__all__ = ["Limits", "make_server"]

_BODY: Final = 1 << 16  # bytes of a request's body
_YES: Final = ("1", "true", True)
_NO: Final = (None, "", "0", "false", False)
_LOCAL: Final = ("localhost", "127.0.0.1", "[::1]", "::1")


class Limits(NamedTuple):
    """What a request may ask for."""

    question: int = 2_000
    """Characters of a question."""
    k: int = 50
    """Chunks of an answer."""


class _Refused(Exception):  # noqa: N818 - it is an answer
    def __init__(self, status: HTTPStatus, reason: str) -> None:
        self.status = status
        super().__init__(reason)


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server_version = "chunkwise"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30
    server: _Server

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/search":
            asked = parse_qs(parts.query, keep_blank_values=True, max_num_fields=20)
            own = {name: values[-1] for name, values in asked.items()}
            self._answer(lambda: self._search(own.get("q"), own.get("k"), own.get("parents")))
        elif parts.path == "/health":
            self._answer(self._health)
        elif parts.path == "/version":
            self._answer(self._version)
        else:
            self._answer(_unknown)

    def do_POST(self) -> None:
        if urlsplit(self.path).path == "/search":
            self._answer(self._posted)
        else:
            self.close_connection = True
            self._answer(_unknown)

    def _answer(self, make: Callable[[], dict[str, Any]]) -> None:
        status = HTTPStatus.OK
        try:
            self._check_host()
            found = make()
        except _Refused as error:
            status, found = error.status, {"error": str(error)}
        except SettingError as error:
            status, found = HTTPStatus.BAD_REQUEST, {"error": str(error)}
        except ChunkwiseError as error:
            status, found = HTTPStatus.SERVICE_UNAVAILABLE, {"error": str(error)}
        except Exception as error:  # noqa: BLE001 - one request must not end the others
            status, found = HTTPStatus.INTERNAL_SERVER_ERROR, {"error": type(error).__name__}
        body = json.dumps(found, ensure_ascii=True).encode("ascii")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(body)

    def _check_host(self) -> None:
        """Refuse names that are not this machine's: a web page could lead its own name here."""
        if not self.server.local:
            return
        host = self.headers.get("Host", "localhost").rsplit(":", 1)[0] if self.headers.get("Host") else ""
        if host and host not in _LOCAL and not self.headers["Host"].startswith("[::1]"):
            raise _Refused(HTTPStatus.FORBIDDEN, f"served to this machine only, not as {host!r}")

    def _posted(self) -> dict[str, Any]:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _BODY:
            self.close_connection = True
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body of at most {_BODY} bytes is taken")
        try:
            data = json.loads(self.rfile.read(int(length)))
            question, k, parents = data.get("question"), data.get("k"), data.get("parents")
        except (ValueError, AttributeError) as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, 'the body is no {"question": …, "k": …}') from error
        return self._search(question, k, parents)

    def _search(self, question: Any, k: Any, parents: Any) -> dict[str, Any]:
        limits = self.server.limits
        if not isinstance(question, str) or not question:
            raise _Refused(HTTPStatus.BAD_REQUEST, "no question; ask /search?q=…")
        if len(question) > limits.question:
            raise _Refused(
                HTTPStatus.BAD_REQUEST,
                f"the question has {len(question)} characters, at most {limits.question} are taken",
            )
        wanted = min(5, limits.k) if k is None else int(k) if str(k).isdecimal() and len(str(k)) < 9 else 0
        if not 1 <= wanted <= limits.k:
            raise _Refused(HTTPStatus.BAD_REQUEST, f"k must be a whole number from 1 to {limits.k}")
        if parents not in _YES and parents not in _NO:
            raise _Refused(HTTPStatus.BAD_REQUEST, f"parents must be 1 or 0, got {str(parents)[:20]!r}")
        receipts = self.server.index.search(question, wanted, parents=parents in _YES)
        version = receipts[0].version if receipts else self.server.index.version
        return {"version": version, "results": [one.to_dict() for one in receipts]}

    def _health(self) -> dict[str, Any]:
        manifest = self.server.index.check()
        return {"status": "ok", "version": manifest.version, "chunks": manifest.chunks}

    def _version(self) -> dict[str, Any]:
        manifest = self.server.index.manifest
        return {
            "version": manifest.version,
            "created": manifest.created,
            "candidate": manifest.candidate,
            "model": dict(manifest.model),
            "chunks": manifest.chunks,
            "documents": len(manifest.documents),
            "corpus": dict(manifest.corpus),
            "golden": dict(manifest.golden),
        }

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002 - its name there
        """Log nothing: questions are nobody else's business."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], index: Index, limits: Limits) -> None:
        self.index, self.limits = index, limits
        self.local = _is_local(address[0])
        if ":" in address[0]:
            import socket

            self.address_family = socket.AF_INET6
        super().__init__(address, _Handler)

    @property
    def url(self) -> str:
        """Where it is."""
        host, port = str(self.server_address[0]), self.server_address[1]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def make_server(
    index: Index, host: str = "127.0.0.1", port: int = 8640, limits: Limits | None = None
) -> _Server:
    """A server, bound and not yet running: `serve_forever()` runs it.

    Args:
        index: what is asked; a switch is followed.
        host: the address to bind; only this machine reaches the default.
        port: 0 for any that is free.
        limits: of requests.

    Raises:
        SettingError: the address cannot be bound.
    """
    try:
        return _Server((host, port), index, limits or Limits())
    except (OSError, OverflowError) as error:
        raise SettingError(f"{host}:{port} cannot be bound: {error}; name another --port") from error


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _unknown() -> dict[str, Any]:
    raise _Refused(HTTPStatus.NOT_FOUND, "there are /search?q=…, /health and /version")
