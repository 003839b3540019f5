"""Dense retrieval from the command line: sweeps, second runs, interruptions, endpoints that fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from chunkwise.cli.exits import Exit
from chunkwise.index.cache import cache_info
from chunkwise.index.embedders import make_embedder
from tests.cli.conftest import QUESTIONS, Run
from tests.index.embedders.server import Server

CUTS = ("fixed", "recursive", "sentence", "paragraph", "heading")
SWEEP = [word for name in CUTS for word in ("-c", f"{name}:size=200|300|400")]
COMPARE = ["compare", "docs", "--golden", "golden.jsonl", "--resamples", "100"]
# The tests run in folders of their own: the package must be found from there.
PATHS = [str(Path(path).resolve()) for path in sys.path]
KEY = "sk-0123456789-never-shown"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("CHUNKWISE_CACHE", str(folder))
    make_embedder.cache_clear()
    return folder


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("chunkwise.endpoints.FIRST_WAIT", 0.001)
    monkeypatch.setenv("SOME_KEY", KEY)
    with Server(key=KEY) as server:
        yield server


def behind(server: Server, **more: Any) -> str:
    settings = {"model": "openai", "url": server.url, "name": "tiny", "key": "SOME_KEY", **more}
    return "dense:" + ",".join(f"{name}={value}" for name, value in settings.items())


def started(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-X", "importtime", "-m", "chunkwise", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=found_from())


def found_from(*folders: Path) -> dict[str, str]:
    """The environment of a process that finds this package, and modules in some folders."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, folders), *PATHS])}


def test_a_sweep_embeds_each_text_once_and_the_next_run_loads_no_model(folder: Path) -> None:
    imported, reports = [], []
    for name in ("one.json", "two.json"):
        run = started(*COMPARE, *SWEEP, "-r", "dense:minilm", "--json", name)
        out, err = run.communicate(timeout=300)
        assert run.returncode == Exit.OK, err.decode()[-300:]
        lines = [line for line in err.decode().splitlines() if "import time:" in line]
        names = {line.rpartition("|")[2].strip().partition(".")[0] for line in lines}
        imported.append(names & {"onnxruntime", "tokenizers", "fastembed"})
        report = json.loads((folder / name).read_text("utf-8"))
        assert len(report.pop("timings")) > 3
        reports.append(report)
    assert imported == [{"onnxruntime", "tokenizers"}, set()]
    assert reports[0] == reports[1]
    found = reports[0]["embedding"]["minilm"]
    assert found["chunks"] == sum(row["chunks"] for row in reports[0]["candidates"])
    assert found["distinct"] < found["chunks"]
    (kept,) = cache_info().models
    assert kept.vectors == found["distinct"] + len(QUESTIONS)
    said = " ".join(out.decode().split())
    assert f"minilm: the rows have {found['chunks']} chunks with {found['distinct']} different texts" in said


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGKILL])
def test_what_was_embedded_before_a_run_was_stopped_is_there_for_the_next(
    folder: Path, run: Run, sent: signal.Signals
) -> None:
    (folder / "slow.py").write_text(
        "import os, time\n"
        "calls = []\n"
        "def embed(texts):\n"
        "    time.sleep(0.2)\n"
        "    calls.append(texts)\n"
        "    while 'HOLD' in os.environ and len(calls) > 12:  # what is 2 seconds old is written by then\n"
        "        time.sleep(0.05)\n"
        "    return [[1.0 + len(text), hash_of(text)] for text in texts]\n"
        "def hash_of(text):\n"
        "    return float(sum((i + 1) * ord(c) for i, c in enumerate(text)) % 997)\n"
        "embed.digest = '1'\n"
    )
    retriever = "dense:model=py:slow.embed,batch=4"
    command = [sys.executable, "-m", "chunkwise", *COMPARE, "-c", "fixed:size=60", "-r", retriever]
    stopped = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**found_from(folder), "HOLD": "1"}
    )
    before = 0
    while not before and stopped.poll() is None:
        time.sleep(0.1)
        before = sum(model.vectors for model in cache_info().models)
    stopped.send_signal(sent)
    _, err = stopped.communicate(timeout=300)
    assert stopped.returncode == (Exit.INTERRUPTED if sent == signal.SIGINT else -signal.SIGKILL)
    if sent == signal.SIGINT:
        assert err.decode().endswith("interrupted; no half-written file is left\n")
    kept = sum(model.vectors for model in cache_info().models)
    assert kept >= before > 0
    sys.path.insert(0, str(folder))
    try:
        done = run(*COMPARE, "-c", "fixed:size=60", "-r", retriever, "--json", "report.json")
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("slow", None)
    assert done.code == Exit.OK, done.err
    (row,) = json.loads((folder / "report.json").read_text("utf-8"))["candidates"]
    assert row["chunks"] > kept
    assert cache_info().models[0].vectors == row["costs"]["vectors"]["distinct"] + len(QUESTIONS)


def test_an_endpoint_that_fails_half_way_and_the_next_run(
    folder: Path, run: Run, endpoint: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwise.index.embedders.endpoint.WORKERS", 1)
    embed, calls = endpoint.embed, []

    def at_first(texts: list[str]) -> Any:
        calls.append(len(texts))
        if len(calls) == 4:
            endpoint.faults += [(503, {}, "overloaded")] * 6
        return embed(texts)

    endpoint.embed = at_first
    arguments = [*COMPARE, "-c", "fixed:size=100", "-r", behind(endpoint, batch=5), "--json", "report.json"]
    failed = run(*arguments)
    assert failed.code not in (Exit.OK, Exit.UNEXPECTED)
    assert "answers 503 after 6 tries" in failed.err
    assert "the next run goes on" in failed.err
    assert not (folder / "report.json").exists()
    kept = cache_info().models[0].vectors - 1  # one is the sentence that the model is known by
    # What was answered before the failure is there, and of the three requests that are made ahead those that
    # had begun when it was seen.
    assert kept in (3 * 5, 4 * 5, 5 * 5)
    endpoint.requests.clear()
    assert run(*arguments).code == Exit.OK
    (row,) = json.loads((folder / "report.json").read_text("utf-8"))["candidates"]
    assert len(endpoint.texts) == row["costs"]["vectors"]["distinct"] - kept + len(QUESTIONS)


def test_a_key_is_in_no_report_no_message_and_no_cache(
    folder: Path, run: Run, endpoint: Server, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [*COMPARE, "-c", "fixed:size=300", "-r", behind(endpoint), "--json", "report.json", "-v"]
    good = run(*arguments)
    assert good.code == Exit.OK
    assert {headers["Authorization"] for headers in endpoint.headers} == {f"Bearer {KEY}"}
    monkeypatch.setenv("SOME_KEY", KEY + "-old")
    refused = run(*arguments, "-c", "fixed:size=200")
    assert refused.code not in (Exit.OK, Exit.UNEXPECTED)
    assert "the key in the variable SOME_KEY is not taken" in refused.err
    shown = (good.out + good.err + refused.out + refused.err).encode()
    files = [path.read_bytes() for path in (*cache.rglob("*"), folder / "report.json") if path.is_file()]
    assert not any(KEY.encode() in data for data in (shown, *files))


@pytest.mark.parametrize(
    ("retriever", "said"),
    [
        ("dense", "cannot be fetched"),
        ("dense:model=/no/such/folder", "there is no such folder"),
        ("dense:model=openai,url=https://example.com/v1,name=x,key=NO_KEY", "environment variable NO_KEY"),
        ("dense:modle=minilm", "did you mean 'model'"),
        ("dense:model=minilmm", "did you mean 'minilm'"),
        ("rerank", "cannot be fetched"),
        ("rerank:model=/no/such/folder", "there is no such folder"),
    ],
)
def test_what_is_missing_is_told_before_any_document_is_read(
    folder: Path, run: Run, monkeypatch: pytest.MonkeyPatch, retriever: str, said: str
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("FASTEMBED_CACHE_PATH", str(folder / "models"))
    monkeypatch.delenv("NO_KEY", raising=False)
    # A document that cannot be read would be told of, if it was read.
    (folder / "docs" / "broken.md").write_bytes(b"\xff\xfe\xfa")
    failed = run(*COMPARE, "-r", retriever)
    assert failed.code not in (Exit.OK, Exit.UNEXPECTED)
    assert said in failed.err
    assert "broken.md" not in failed.err


def test_a_wrong_length_or_another_model_is_refused_by_name(run: Run, endpoint: Server) -> None:
    arguments = [*COMPARE, "-c", "fixed:size=300", "-r", behind(endpoint)]
    assert run(*arguments).code == Exit.OK
    embed = endpoint.embed
    for change in (lambda texts: embed(texts)[:, :5], lambda texts: embed([f"other {t}" for t in texts])):
        endpoint.embed = change
        # Within one process a model is asked once whether it is the one it was.
        make_embedder.cache_clear()
        refused = run(*arguments, "-c", "fixed:size=200")
        assert refused.code not in (Exit.OK, Exit.UNEXPECTED)
        assert "another model answers to this name" in refused.err
        assert "chunkwise cache --prune --model tiny" in refused.err


@pytest.mark.parametrize(
    ("bad", "said"), [(float("nan"), "numbers that are not finite"), (0.0, "a vector of zeros")]
)
def test_what_is_no_vector_is_refused(run: Run, endpoint: Server, bad: float, said: str) -> None:
    embed = endpoint.embed
    endpoint.embed = lambda texts: embed(texts) * (bad if len(texts) > 1 else 1.0)
    refused = run(*COMPARE, "-c", "fixed:size=300", "-r", behind(endpoint))
    assert refused.code not in (Exit.OK, Exit.UNEXPECTED)
    assert f"tiny: gives {said} for 'Press" in refused.err.replace("# Guide", "Press")
    assert cache_info().models[0].vectors == 1
