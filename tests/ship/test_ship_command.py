"""`ship`, `search` and `index` as their users run them."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from .conftest import Run
from .make import write_folder

STORE = ("--store", "lancedb:index")
SHIP = ("ship", "docs", *STORE, "--golden", "golden.jsonl", "--gate", "gate.toml")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write_folder(tmp_path))
    (tmp_path / "gate.toml").write_text('measures = ["hit@1"]\n', "utf-8")
    return tmp_path


def test_from_a_decision_to_an_answer_and_back(run: Run, folder: Path) -> None:
    """The article's example: a table that `fixed` cuts from its heading is not shipped."""
    assert (
        run("compare", "docs", "--golden", "golden.jsonl", "-c", "heading:size=400", "--json", "out.json")[0]
        == 0
    )
    code, out, err = run(*SHIP, "--decision", "out.json", "-v")
    assert code == 0, err
    assert "v000001 is served at lancedb:index: 4 chunks of 2 documents by heading:size=400 @ bm25" in out
    assert [line for line in err.splitlines() if line.startswith("stage")] == [
        f"stage {name}" for name in ("read", "cut", "write", "index", "check", "switch", "tidy")
    ]
    assert err.endswith("\nnext: chunkwise search 'YOUR QUESTION' --store lancedb:index\n")
    code, out, err = run(*SHIP, "-c", "fixed:size=400")
    assert (code, "next: " in err) == (1, False)
    assert "NOT SHIPPED: v000002 did not pass; v000001 goes on serving" in out
    assert "notice: hit@1 from 1 to 0" in out
    assert "expected  leaving.md:13 [Leaving > Notice period for Grade 7]" in out
    code, out, _ = run("search", "notice period for Grade 7", *STORE, "--verify", "--docs", "docs", "-k", "1")
    assert code == 0
    assert out.startswith("1. leaving.md:6-13  [same]\n   Leaving > Notice period for Grade 7\n")
    assert run("search", "zyx", *STORE) == (
        0,
        "",
        "nothing found: no chunk of v000001 shares a word with the question\n",
    )
    code, out, _ = run("search", "notice period", *STORE, "--json", "-k", "2")
    assert [json.loads(line)["version"] for line in out.splitlines()] == ["v000001"] * 2
    path = folder / "docs" / "lunch.md"
    path.write_text(path.read_text("utf-8").replace("noon", "one"), "utf-8")
    assert run(*SHIP)[0] == 0
    code, out, _ = run("index", "versions", *STORE)
    assert [line.split()[:2] for line in out.splitlines()] == [["v000001", "ready"], ["v000002", "served"]]
    assert "checked with 3 questions" in run("index", "status", *STORE)[1]
    assert run("index", "drop", "v000002", *STORE)[0] == 2
    assert run("index", "rollback", *STORE)[0] == 0
    assert json.loads(run("index", "status", *STORE, "--json")[1])["version"] == "v000001"
    assert run("index", "drop", "v000002", *STORE)[0] == 0
    assert run("index", "drop", "v000002", *STORE)[0] == 9


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("search", "x", *STORE), 9, "nothing is served"),
        (("search", "x", *STORE, "--verify"), 2, "--docs"),
        (("search", "x", "--store", "lance:index"), 2, "did you mean 'lancedb'"),
        (("search", "x", "--store", "lancedb"), 2, "names no place"),
        (("index", "state", *STORE), 2, "unknown action"),
        (("index", "drop", *STORE), 2, "needs the version"),
        (("ship", "docs", *STORE), 2, "nothing says what is to be shipped"),
        (("ship", "docs", *STORE, "--decision", "none.json"), 3, "none.json"),
        (("ship", "docs", "--store", "lancedb:golden.jsonl", "-c", "fixed"), 9, "is a file"),
        (("ship", "docs", "--store", "lancedb:s3://bucket", "-c", "fixed"), 2, "folder of this machine"),
        (("ship", "docs", *STORE, "-c", "fixed", "-r", "bm25:k1=1|2"), 2, "stands for 2 retrievers"),
        (("ship", "docs", *STORE, "-c", "fixed:size=100|200"), 2, "stands for 2 candidates"),
        (("ship", "docs", *STORE, "-c", "fixed", "--keep", "-1"), 2, "--keep"),
        (("ship", "docs", *STORE, "-c", "fixed", "--wait", "-1"), 2, "--wait"),
        (("ship", "docs", *STORE, "-c", "fixed", "--gate", "none.toml"), 2, "name a file of rules"),
        (("search", " ", *STORE), 2, "the question is empty"),
        (("serve", *STORE, "--most-k", "0"), 2, "--most-k"),
        (("serve", *STORE, "--longest", "0"), 2, "--longest"),
        (("serve", *STORE), 9, "nothing is served"),
        (
            ("ship", "docs", "--store", "postgresql://u:p@localhost:1/d", "-c", "fixed"),
            9,
            "see that a server",
        ),
        (("index", "status", "--store", "qdrant:http://localhost:1/h"), 9, "see that a server answers there"),
    ],
)
def test_what_cannot_work_is_said_before_anything_is_made(
    run: Run, folder: Path, arguments: tuple[str, ...], code: int, message: str
) -> None:
    found, _, err = run(*arguments)
    assert found == code
    assert message in err
    assert not (folder / "index").exists()


def test_nobody_is_told_to_search_files(run: Run, folder: Path) -> None:
    code, out, err = run("ship", "docs", "--store", "jsonl:out", "-c", "heading:size=400")
    assert code == 0, err
    assert "v000001 is served at jsonl:out" in out
    assert "search" not in err
    assert (folder / "out" / "v000001").is_dir()


@pytest.mark.usefixtures("folder")
def test_a_wrong_key_is_told(run: Run) -> None:
    pytest.importorskip("qdrant_client")

    class Locked(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(401)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Locked) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        store = f"qdrant:http://127.0.0.1:{server.server_port}/handbook"
        code, out, err = run("ship", "docs", "--store", store, "-c", "fixed")
        server.shutdown()
    assert (code, out) == (9, "")
    assert "Unauthorized" in err
    assert "QDRANT_API_KEY" in err


def test_serve_says_where_it_is_and_ends_with_ctrl_c(run: Run, folder: Path) -> None:
    assert run("ship", "docs", *STORE, "-c", "heading:size=400")[0] == 0
    command = [sys.executable, "-m", "chunkwise", "serve", *STORE, "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder) as process:
        assert process.stderr is not None
        said = process.stderr.readline()
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+", said)
        with urllib.request.urlopen(f"{url}/search?q=soup", timeout=300) as answer:
            assert json.load(answer)["results"][0]["doc"] == "lunch.md"
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 130
