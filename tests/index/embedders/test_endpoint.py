"""Endpoints over real HTTP, against a small server on this machine."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from chunkwise import endpoints
from chunkwise.errors import ModelError, SettingError
from chunkwise.index import Dense
from chunkwise.index.cache import cache_info, prune
from chunkwise.index.embedders import Setup, endpoint, make_embedder, make_model
from tests.endpoint import hurry
from tests.index.embedders.server import Server, by_hash

KEY = "sk-test-0123456789"
TEXTS = [f"text number {i}" for i in range(200)]


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    hurry(monkeypatch)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


def setup(server: Server, **settings: Any) -> Setup:
    return Setup("openai", url=server.url, name="test-embedding", **settings)


def unit(vectors: Any) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_vectors_come_in_the_order_of_the_texts(server: Server) -> None:
    vectors = make_embedder(setup(server)).embed(TEXTS)
    assert np.allclose(vectors, unit(by_hash(TEXTS)), atol=1e-6)
    assert sorted(server.texts) == sorted(TEXTS)
    assert max(len(request["input"]) for request in server.requests) == 64
    assert {request["model"] for request in server.requests} == {"test-embedding"}


def test_the_packaged_model_behind_a_server_gives_the_rankings_of_the_model_itself() -> None:
    minilm = make_embedder(Setup("minilm"))
    chunks = [
        "The cat sits on the mat.",
        "Stock prices fell.",
        "A kitten rests on a rug.",
        "Rain is expected.",
    ]
    with Server(lambda texts: minilm.embed(texts)) as server:
        rankings = []
        for dense in (Dense("openai", url=server.url, name="all-minilm"), Dense("minilm")):
            indexer = dense.indexer()
            indexer.add_texts(chunks)
            rankings.append([x.tolist() for x in indexer.finish().search("a small cat", 4)])
    assert rankings[0] == rankings[1]


def test_the_key_is_sent_and_is_nowhere_else(
    monkeypatch: pytest.MonkeyPatch, cache: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with Server(key=KEY) as server:
        dense = Dense("openai", url=server.url, name="test-embedding", key="MY_KEY")
        dense.prepare()
        indexer = dense.indexer()
        indexer.add_texts(TEXTS)
        retriever = indexer.finish()
    assert {headers["Authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    shown = [dense.spec, repr(dense), repr(retriever.facts), dense.embedder.key, repr(cache_info())]
    assert all(KEY not in text for text in shown)
    assert "key=MY_KEY" in dense.spec
    with closing(sqlite3.connect(next(cache.glob("*.sqlite3")))) as database:
        assert KEY not in "".join(database.iterdump())
    assert KEY not in "".join(capfd.readouterr())


def test_a_key_that_is_not_taken_or_not_set_names_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    with Server(key="another") as server:
        monkeypatch.setenv("MY_KEY", KEY)
        with pytest.raises(
            ModelError, match="answers 401: the key in the variable MY_KEY is not taken"
        ) as error:
            make_embedder(setup(server, key="MY_KEY")).embed(["x"])
        # The server repeats the key in its message; ours does not.
        assert KEY not in str(error.value)
        with pytest.raises(ModelError, match="the key in the variable OPENAI_API_KEY is not set"):
            make_embedder(setup(server)).embed(["x"])
    assert len(server.requests) == 2


def test_no_key_for_another_machine_is_said_before_anything_is_sent() -> None:
    with pytest.raises(ModelError, match="environment variable OPENAI_API_KEY"):
        Dense("openai", name="text-embedding-3-small").prepare()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"name": None}, "name=text-embedding-3-small"),
        ({"key": "sk-abcdef"}, "never write the key itself"),
        ({"url": "http://user:pw@host/v1"}, "url holds a secret"),
        ({"url": "http://host/v1?api_key=abc"}, "url holds a secret"),
        ({"url": "ftp://host/v1"}, "url must be like"),
        ({"rate": 0}, "rate must be at least 1"),
        ({"window": 9}, "takes no 'window'"),
    ],
)
def test_settings_that_cannot_work(settings: dict[str, Any], message: str) -> None:
    base: dict[str, Any] = {"url": "http://127.0.0.1:1/v1", "name": "m"}
    with pytest.raises(SettingError, match=message) as error:
        make_model(Setup("openai", **{**base, **settings}))
    assert "abc" not in str(error.value)
    assert "pw" not in str(error.value)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_a_passing_fault_is_tried_again(server: Server, status: int) -> None:
    server.faults += [(status, {}, "busy")] * 3
    assert np.allclose(make_embedder(setup(server)).embed(["a"]), unit(by_hash(["a"])), atol=1e-6)
    assert len(server.requests) == 5  # three in vain, the test sentence, and the text


def test_a_broken_connection_is_tried_again(server: Server) -> None:
    server.faults += [(0, {}, "")] * 2
    assert len(make_embedder(setup(server)).embed(["a"])) == 1


def test_retry_after_is_kept(server: Server) -> None:
    waits: list[float] = []
    caller = endpoints.Caller(f"{server.url}/embeddings", sleep=waits.append)
    soon = "Wed, 21 Oct 2015 07:28:00 GMT"
    server.faults += [(429, {"Retry-After": "7"}, ""), (503, {"Retry-After": soon}, ""), (500, {}, "")]
    caller({"model": "m", "input": ["a"]}, "")
    assert 7 <= waits[0] <= 7.1
    assert 0 <= waits[1] <= 0.1  # a date that has passed
    assert 0.001 * 2 <= waits[2] <= 0.001 * 4


def test_a_wait_that_is_too_long_is_told_instead(server: Server) -> None:
    server.faults.append((429, {"Retry-After": "3600"}, "slow down"))
    with pytest.raises(ModelError, match=r"answers 429 \(asks to wait for 3600 seconds; slow down\)"):
        make_embedder(setup(server)).embed(["a"])
    assert len(server.requests) == 1


def test_a_quota_that_is_used_up_is_not_tried_again(server: Server) -> None:
    error = {"error": {"code": "insufficient_quota", "message": "You exceeded your current quota"}}
    server.faults.append((429, {}, json.dumps(error)))
    with pytest.raises(ModelError, match=r"answers 429 .*insufficient_quota"):
        make_embedder(setup(server)).embed(["a"])
    assert len(server.requests) == 1


def test_the_rate_is_kept(server: Server) -> None:
    now = [0.0]
    waits: list[float] = []

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        now[0] += seconds

    caller = endpoints.Caller(f"{server.url}/embeddings", rate=30, sleep=sleep, clock=lambda: now[0])
    for _ in range(4):
        caller({"model": "m", "input": ["a"]}, "")
    assert waits == [2.0, 2.0, 2.0]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            (404, {}, "no such model"),
            "it has no /embeddings, or no model 'test-embedding'; check url and name",
        ),
        ((302, {"Location": "http://127.0.0.1:1/"}, ""), "it has moved; give its present address with url="),
        ((200, {}, "<html>hello</html>"), "what it sends is no JSON"),
        ((200, {}, "{}"), "answers without a list of data"),
        ((500, {}, "oops"), "answers 500 after 6 tries .*what is embedded already is kept"),
    ],
)
def test_faults_that_stay(server: Server, fault: tuple[int, dict[str, str], str], message: str) -> None:
    server.faults += [fault] * 6
    with pytest.raises(ModelError, match=message):
        make_embedder(setup(server)).embed(["a"])


def test_a_server_that_is_not_there(server: Server) -> None:
    gone = Setup("openai", url="http://127.0.0.1:9/v1", name="m")
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:9/v1 cannot be reached after 6 tries"):
        make_embedder(gone).embed(["a"])
    assert server.requests == []


def test_a_batch_that_is_too_much_is_sent_in_halves() -> None:
    long = "long " * 30
    with Server(most=100) as server:
        embedder = make_embedder(setup(server))
        with pytest.raises(
            ModelError, match="answers 400 to a text of 150 characters; it may be longer"
        ) as error:
            embedder.embed([*TEXTS[:9], long])
        assert "maximum context length" in str(error.value)

    with Server() as server:
        embedder = make_embedder(setup(server))
        embedder.embed(["first"])
        server.requests.clear()
        server.faults += [(413, {}, "")] * 2
        assert np.allclose(embedder.embed(TEXTS[:8]), unit(by_hash(TEXTS[:8])), atol=1e-6)
        assert [len(request["input"]) for request in server.requests] == [8, 4, 2, 2, 4]


@pytest.mark.parametrize(
    ("vectors", "message"),
    [
        (lambda texts: np.full((len(texts), 4), np.nan), "numbers that are not finite for 'a'"),
        (lambda texts: np.zeros((len(texts), 4)), "a vector of zeros for 'a'"),
        (lambda texts: np.ones((len(texts) + 1, 4)), "gave 3 vectors for 2 texts"),
        (lambda texts: [[1.0] * (i + 1) for i, _ in enumerate(texts)], "vectors of different lengths"),
    ],
)
def test_what_is_no_vector_is_refused(vectors: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.embedders.cached.Embedder._probe", lambda _: None)
    with Server(vectors) as server, pytest.raises(ModelError, match=f"test-embedding: .*{message}"):
        make_embedder(setup(server)).embed(["a", "b"])
    assert cache_info().models == ()


def test_a_length_that_changes_half_way_is_refused(server: Server) -> None:
    embedder = make_embedder(setup(server))
    embedder.embed(TEXTS[:3])
    server.embed = lambda texts: by_hash(texts, size=5)
    with pytest.raises(ModelError, match="gives vectors of 5 numbers, those in the cache have 8"):
        embedder.embed(TEXTS)
    assert embedder.embed(TEXTS[:3]).shape == (3, 8)


@pytest.mark.parametrize(("size", "salt"), [(8, "other"), (5, "")])
def test_another_model_under_the_same_name_is_refused_by_name(server: Server, size: int, salt: str) -> None:
    make_embedder(setup(server)).embed(TEXTS[:3])
    server.embed = lambda texts: by_hash(texts, size, salt)
    make_embedder.cache_clear()  # as in another process
    again = make_embedder(setup(server))
    assert again.embed(TEXTS[:3]).shape == (3, 8)  # all known: nothing is asked
    with pytest.raises(ModelError, match="test-embedding: another model answers to this name than when"):
        again.embed(TEXTS[:4])
    prune(model="test-embedding")
    make_embedder.cache_clear()
    assert np.allclose(
        make_embedder(setup(server)).embed(TEXTS[:4]), unit(by_hash(TEXTS[:4], size, salt)), atol=1e-6
    )


def test_what_was_done_before_a_failure_is_kept_and_the_next_run_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "WORKERS", 1)
    embedder = make_embedder(setup(server, batch=20))
    calls = 0

    def fails_later(texts: list[str]) -> Any:
        nonlocal calls
        calls += 1
        if calls == 5:
            server.faults += [(500, {}, "down")] * 50
        return by_hash(texts)

    server.embed = fails_later
    with pytest.raises(ModelError, match="what is embedded already is kept, and the next run goes on"):
        embedder.embed(TEXTS)
    kept = cache_info().models[0].vectors - 1  # the test sentence aside
    assert kept == 80
    server.faults.clear()
    server.requests.clear()
    assert np.allclose(embedder.embed(TEXTS), unit(by_hash(TEXTS)), atol=1e-6)
    assert sorted(server.texts) == sorted(TEXTS[80:])


def test_dimensions_are_asked_for_and_are_part_of_the_key(server: Server) -> None:
    one, two = make_embedder(setup(server)), make_embedder(setup(server, dimensions=8))
    one.embed(["a"])
    two.embed(["a"])
    assert [request.get("dimensions") for request in server.requests] == [None, None, 8, 8]
    assert one.key != two.key
