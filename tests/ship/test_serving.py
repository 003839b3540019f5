"""The HTTP endpoint: what it answers, what it refuses, and that it follows a switch."""

from __future__ import annotations

import http.client
import json
import socket
import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import chunkwise
from chunkwise.errors import SettingError
from chunkwise.ship.serving import Limits, make_server

from .make import write_folder


class Asked:
    """A server over a folder's index, and a way to ask it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.store = folder, f"lancedb:{folder / 'index'}"
        self.ship()
        self.server = make_server(chunkwise.open_index(self.store), port=0, limits=Limits(100, 3))
        self.address = self.server.server_address
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def ship(self) -> None:
        assert chunkwise.ship_index(self.folder / "docs", self.store, chunker="section:size=400").served

    def __call__(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(str(self.address[0]), int(self.address[1]), timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            data = answer.read()
            kind = answer.headers.get_content_type()
            return answer.status, json.loads(data) if kind == "application/json" else data
        finally:
            connection.close()


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    found = Asked(write_folder(tmp_path))
    yield found
    found.server.shutdown()
    found.server.server_close()
    found.thread.join()


def test_a_question_is_answered_with_receipts(asked: Asked) -> None:
    status, found = asked(f"/search?q={quote('notice period for Grade 7 ä日')}&k=2")
    assert status == 200
    assert found["version"] == "v000001"
    assert found["results"][0]["doc"] == "leaving.md"
    assert found["results"][0]["path"] == ["Leaving", "Notice period for Grade 7"]
    body = json.dumps({"question": "soup", "k": 1}).encode()
    assert asked("/search", "POST", body)[1]["results"][0]["doc"] == "lunch.md"
    assert asked("/search?q=xyzzy") == (200, {"version": "v000001", "results": []})


def test_health_and_version(asked: Asked) -> None:
    assert asked("/health") == (200, {"status": "ok", "version": "v000001", "chunks": 4})
    status, found = asked("/version")
    assert (status, found["candidate"], found["documents"]) == (200, "section:size=400 @ bm25", 2)


@pytest.mark.parametrize(
    "how",
    [
        ("/search?q=garden+leave+car&k=1&parents=1", "GET", None),
        ("/search", "POST", b'{"question": "garden leave car", "k": 1, "parents": true}'),
    ],
)
def test_the_chunk_above_comes_on_demand(asked: Asked, how: tuple[str, str, bytes | None]) -> None:
    status, found = asked(*how)
    assert status == 200
    (one,) = found["results"]
    assert one["parent_text"].startswith("# Leaving")
    (plain,) = asked("/search?q=garden+leave+car&k=1&parents=0")[1]["results"]
    assert plain["parent"] == one["parent"]
    assert "parent_text" not in plain


@pytest.mark.parametrize(
    ("path", "method", "body", "status"),
    [
        ("/search", "GET", None, 400),
        ("/search?q=", "GET", None, 400),
        ("/search?q=" + "x" * 101, "GET", None, 400),
        ("/search?q=a&k=4", "GET", None, 400),
        ("/search?q=a&k=0", "GET", None, 400),
        ("/search?q=a&parents=2", "GET", None, 400),
        ("/search?q=a&k=-1", "GET", None, 400),
        ("/search?q=a&k=" + "9" * 5000, "GET", None, 400),
        ("/search", "POST", b"[]", 400),
        ("/search", "POST", b"{", 400),
        ("/search", "POST", b'{"question": 7}', 400),
        ("/search", "POST", b'{"question": "\xff"}', 400),
        ("/search", "POST", b"[" * 60_000, 400),
        ("/search", "POST", b" " * 70_000, 413),
        ("/search?q=%20", "GET", None, 400),
        ("/search?q=%FF%FE", "GET", None, 400),
        ("/search?q=a&k=%D9%A3", "GET", None, 400),
        ("/search?q=a&" + "x=1&" * 30, "GET", None, 400),
        ("/search?q=" + "x" * 70_000, "GET", None, 414),
        ("/../../etc/passwd", "GET", None, 404),
        ("/drop", "POST", b"{}", 404),
        ("/search?q=a", "DELETE", None, 405),
    ],
)
def test_what_is_refused(asked: Asked, path: str, method: str, body: bytes | None, status: int) -> None:
    assert asked(path, method, body)[0] == status
    assert asked("/health")[0] == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost:1", 200),
        ("LOCALHOST.", 200),
        ("127.0.0.2:8640", 200),
        ("[::1]:8640", 200),
        ("evil.example", 403),
        ("localhost.evil.example:80", 403),
        ("localhost@evil.example", 403),
        ("[::1].evil.example", 403),
        ("[localhost", 403),
    ],
)
def test_another_name_for_this_machine_is_refused(asked: Asked, host: str, status: int) -> None:
    assert asked("/health", Host=host)[0] == status


def sent(asked: Asked, *parts: str) -> list[bytes]:
    """What comes back for bytes on one connection, answer by answer."""
    with socket.create_connection((str(asked.address[0]), int(asked.address[1])), timeout=10) as connection:
        connection.sendall("".join(parts).encode())
        connection.shutdown(socket.SHUT_WR)
        found = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    return found.split(b"HTTP/1.1 ")[1:]


LOCAL = "Host: localhost\r\n"
INNER = f"GET /version HTTP/1.1\r\n{LOCAL}\r\n"


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (f"GET /health HTTP/1.1\r\n{LOCAL}Content-Length: {len(INNER)}\r\n\r\n", b"200"),
        (f"POST /drop HTTP/1.1\r\n{LOCAL}Content-Length: {len(INNER)}\r\n\r\n", b"404"),
        (f"POST /search HTTP/1.1\r\nHost: evil\r\nContent-Length: {len(INNER)}\r\n\r\n", b"403"),
        (f"POST /search HTTP/1.1\r\n{LOCAL}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n", b"411"),
        (f"POST /search HTTP/1.1\r\n{LOCAL}Content-Length: -1\r\n\r\n", b"411"),
        (f"POST /search HTTP/1.1\r\n{LOCAL}Content-Length: 999\r\n\r\n", b"400"),
        (f"GET /health HTTP/1.1\r\n{LOCAL}{LOCAL}Connection: close\r\n\r\n", b"400"),
    ],
)
def test_the_body_of_a_request_is_never_the_next_request(asked: Asked, request_: str, status: bytes) -> None:
    (answer,) = sent(asked, request_, INNER)
    assert answer.startswith(status)


def test_two_requests_on_one_connection(asked: Asked) -> None:
    first, second = sent(asked, INNER, f"HEAD /health HTTP/1.1\r\n{LOCAL}\r\n")
    assert b'"candidate"' in first
    assert second.startswith(b"200")
    assert second.endswith(b"\r\n\r\n")


def test_letters_that_are_not_escaped_are_utf8(asked: Asked) -> None:
    edited = asked.folder / "docs" / "lunch.md"
    edited.write_text(edited.read_text("utf-8").replace("Soup", "Crème"), "utf-8")
    asked.ship()
    (answer,) = sent(asked, f"GET /search?q=crème HTTP/1.1\r\n{LOCAL}Connection: close\r\n\r\n")
    assert b"lunch.md" in answer


def test_a_client_that_goes_away_is_no_fault(asked: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    for _ in range(5):
        with socket.create_connection((str(asked.address[0]), int(asked.address[1]))) as gone:
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.sendall(INNER.encode() * 50)
    while any(one.name.endswith("(process_request_thread)") for one in threading.enumerate()):
        time.sleep(0.01)
    assert asked("/health")[0] == 200
    assert capfd.readouterr().err == ""


def test_a_switch_is_followed_without_a_restart(asked: Asked) -> None:
    path = asked.folder / "docs" / "lunch.md"
    path.write_text(path.read_text("utf-8").replace("Soup", "Broth"), "utf-8")
    asked.ship()
    status, found = asked("/search?q=broth")
    assert (status, found["version"]) == (200, "v000002")
    assert asked("/health")[1]["version"] == "v000002"


def test_health_is_that_of_one_version_while_it_is_switched(asked: Asked) -> None:
    """A switch, and the old version deleted, between any two calls of the store."""
    store = asked.server.index.store
    sizes = {}
    for number in (2, 3, 4):
        path = asked.folder / "docs" / "lunch.md"
        path.write_text(
            path.read_text("utf-8") + f"\n## Menu {number}\n\n{'Soup and bread. ' * 40}\n", "utf-8"
        )
        asked.ship()
        sizes[f"v00000{number}"] = asked("/health")[1]["chunks"]
    assert len(set(sizes.values())) == 3
    kept, view = list(sizes), store.view
    store.switch(kept[0])
    assert asked("/health") == (200, {"status": "ok", "version": kept[0], "chunks": sizes[kept[0]]})

    def switched(version: str) -> Any:
        if version != kept[-1]:
            store.switch(kept[kept.index(version) + 1])
            store.drop(version)
        return view(version)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "view", switched)
        assert asked("/health") == (200, {"status": "ok", "version": kept[-1], "chunks": sizes[kept[-1]]})


def test_a_store_that_is_gone_is_no_health(asked: Asked) -> None:
    (asked.folder / "index" / "chunkwise" / "served.json").unlink()
    assert asked("/health")[0] == 503
    assert asked("/search?q=soup")[0] == 503


def test_a_port_that_is_taken(asked: Asked) -> None:
    with pytest.raises(SettingError, match="cannot be bound"):
        make_server(asked.server.index, port=int(asked.address[1]))
