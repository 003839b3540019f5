"""A read-only HTTP endpoint over what is served, from the standard library: three paths and no state.

`GET /search?q=…&k=5&parents=1` (or `POST /search` with `{"question": …, "k": …, "parents": …}`),
`GET /health`, `GET /version`.
"""

from __future__ import annotations

import ipaddress
import json
import re
import string
import sys
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from chunkwise.errors import ChunkwiseError, SettingError
from chunkwise.ship.opened import Index

__all__ = ["Limits", "make_server"]

_BODY: Final = 1 << 16  # bytes of a request's body that may always be there
_YES: Final = ("1", "true", True)
_NO: Final = (None, "", "0", "false", False)
_FIELDS: Final = 20  # of a query
_METHODS: Final = ("GET", "HEAD", "POST")
_HOST: Final = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([^:\[\]]+))(?::[0-9]*)?")
"""An address in brackets, or a name; then perhaps a port."""


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
    _taken = False  # whether the body of this request was read

    def do_GET(self) -> None:
        self._answer(self._got)

    def do_HEAD(self) -> None:
        self._answer(self._got)

    def do_POST(self) -> None:
        self._answer(self._posted)

    def _answer(self, make: Callable[[], dict[str, Any]]) -> None:
        status, self._taken = HTTPStatus.OK, False
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
        if not self._taken and not self._bodiless():
            self.close_connection = True  # what is left of this request is not the next one
        self._send(status, found)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the server itself refuses, in the form of all other answers."""
        del explain
        status = HTTPStatus(code)
        if status == HTTPStatus.NOT_IMPLEMENTED:
            status, message = HTTPStatus.METHOD_NOT_ALLOWED, f"only {', '.join(_METHODS)} are answered"
        self.close_connection = True
        self._send(status, {"error": message or status.phrase})

    def _send(self, status: HTTPStatus, found: dict[str, Any]) -> None:
        body = json.dumps(found, ensure_ascii=True).encode("ascii")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        if status == HTTPStatus.METHOD_NOT_ALLOWED:
            self.send_header("Allow", ", ".join(_METHODS))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _check_host(self) -> None:
        """Refuse names that are not this machine's: a web page could lead its own name here."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) > 1:
            raise _Refused(HTTPStatus.BAD_REQUEST, "a request has one Host")
        if self.server.local and hosts and hosts[0] and not _is_local(_name_of(hosts[0])):
            raise _Refused(HTTPStatus.FORBIDDEN, f"served to this machine only, not as {hosts[0]!r}")

    def _bodiless(self) -> bool:
        return "Transfer-Encoding" not in self.headers and self.headers.get("Content-Length", "0") == "0"

    def _got(self) -> dict[str, Any]:
        path, asked = self._target()
        if path == "/search":
            return self._search(asked.get("q"), asked.get("k"), asked.get("parents"))
        if path == "/health":
            return self._health()
        return self._version() if path == "/version" else _unknown()

    def _target(self) -> tuple[str, dict[str, str]]:
        """The path, and by name what is asked for. What a client sends without escapes is UTF-8."""
        try:
            parts = urlsplit(quote(self.path.encode("latin-1"), safe=string.printable))
            asked = parse_qs(parts.query, keep_blank_values=True, max_num_fields=_FIELDS, errors="strict")
        except ValueError as error:
            raise _Refused(
                HTTPStatus.BAD_REQUEST, f"the address is no UTF-8, or has more than {_FIELDS} fields"
            ) from error
        return parts.path, {name: values[-1] for name, values in asked.items()}

    def _posted(self) -> dict[str, Any]:
        if self._target()[0] != "/search":
            return _unknown()
        try:
            data = json.loads(self._body())
            question, k, parents = data.get("question"), data.get("k"), data.get("parents")
        except (ValueError, AttributeError, RecursionError) as error:
            raise _Refused(HTTPStatus.BAD_REQUEST, 'the body is no {"question": …, "k": …}') from error
        return self._search(question, k, parents)

    def _body(self) -> bytes:
        length = self.headers.get("Content-Length", "")
        if "Transfer-Encoding" in self.headers or not (length.isascii() and length.isdecimal()):
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "a body comes whole, with its Content-Length")
        # A character is at most twelve bytes of JSON.
        most = _BODY + 12 * self.server.limits.question
        if len(length) > 9 or int(length) > most:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a body of at most {most} bytes is taken")
        try:
            body = self.rfile.read(int(length))
        except TimeoutError as error:
            raise _Refused(HTTPStatus.REQUEST_TIMEOUT, "the body did not come") from error
        if len(body) < int(length):
            raise _Refused(HTTPStatus.BAD_REQUEST, f"the body has {len(body)} bytes in place of {length}")
        self._taken = True
        return body

    def _search(self, question: Any, k: Any, parents: Any) -> dict[str, Any]:
        limits = self.server.limits
        if not isinstance(question, str) or not question.strip():
            raise _Refused(HTTPStatus.BAD_REQUEST, "no question; ask /search?q=…")
        if len(question) > limits.question:
            raise _Refused(
                HTTPStatus.BAD_REQUEST,
                f"the question has {len(question)} characters, at most {limits.question} are taken",
            )
        wanted = min(5, limits.k) if k is None else int(k) if re.fullmatch("[0-9]{1,8}", str(k)) else 0
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

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong; a client that is gone is no fault."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

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


def _name_of(host: str) -> str:
    """The name in a header such as `localhost:8640`; empty where it is none."""
    found = _HOST.fullmatch(host)
    return "" if found is None else (found[1] or found[2]).lower().removesuffix(".")


def _is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _unknown() -> dict[str, Any]:
    raise _Refused(HTTPStatus.NOT_FOUND, "there are /search?q=…, /health and /version")
