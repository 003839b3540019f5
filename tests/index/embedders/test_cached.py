from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from chunkwise.errors import ModelError, SettingError
from chunkwise.index.cache import cache_info, prune
from chunkwise.index.embedders import Embedded, Embedder, Setup, make_embedder
from chunkwise.index.embedders.base import unknown


class Fake:
    """A model that says what it was asked for."""

    name = "fake"
    setup = Setup("fake")
    window = None
    kinds = False
    blank = False
    lasting = True
    remote = False

    def __init__(self, query: str = "", passage: str = "", part: int = 10, version: int = 1) -> None:
        self.query, self.passage, self.part, self.version = query, passage, part, version
        self.asked: list[str] = []
        self.fails_at: int | None = None
        self.fault: BaseException = ModelError("fake", "broke")

    def identity(self) -> Mapping[str, Any]:
        return {"version": self.version}

    def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
        del kind
        for start in range(0, len(texts), self.part):
            if self.fails_at is not None and start >= self.fails_at:
                raise self.fault
            numbers = range(start, min(start + self.part, len(texts)))
            self.asked += [texts[i] for i in numbers]
            yield Embedded(
                numbers, self.rows([texts[i] for i in numbers]), unknown(len(numbers)), unknown(len(numbers))
            )

    def rows(self, texts: Sequence[str]) -> Any:
        return np.array([[len(text), sum(map(ord, text)), self.version] for text in texts], dtype=float)


TEXTS = [f"text {i}" for i in range(100)]


def test_equal_texts_are_embedded_once_and_never_again() -> None:
    model = Fake()
    filled = Embedder(model).fill(["a", "b", "a"])
    assert (filled.texts, filled.distinct, filled.known, filled.embedded) == (3, 2, 0, 2)
    again = Fake()
    filled = Embedder(again).fill(["b", "c", "b"])
    assert (filled.texts, filled.distinct, filled.known, filled.embedded) == (3, 2, 1, 1)
    assert (model.asked, again.asked) == (["a", "b"], ["c"])


def test_prefixes_are_part_of_what_is_embedded() -> None:
    model = Fake(query="ask: ", passage="read: ")
    embedder = Embedder(model)
    embedder.embed(["x"])
    embedder.embed(["x"], "query")
    assert model.asked == ["read: x", "ask: x"]
    other = Fake(passage="ask: ")
    Embedder(other).embed(["x"])
    assert other.asked == []  # the very same string was embedded before


def test_another_identity_never_meets_old_vectors() -> None:
    one, two = Fake(version=1), Fake(version=2)
    first, second = Embedder(one).embed(TEXTS), Embedder(two).embed(TEXTS)
    assert len(two.asked) == 100
    assert not np.allclose(first, second)


def test_vectors_have_length_1_whatever_the_model_gives() -> None:
    vectors = Embedder(Fake()).embed(TEXTS)
    rows = Fake().rows(TEXTS)
    assert np.allclose(vectors, rows / np.linalg.norm(rows, axis=1, keepdims=True), atol=1e-7)


def test_what_is_done_before_a_failure_is_kept() -> None:
    model = Fake()
    model.fails_at = 50
    with pytest.raises(ModelError, match="fake: broke"):
        Embedder(model).embed(TEXTS)
    again = Fake()
    assert Embedder(again).fill(TEXTS).known == 50
    assert again.asked == TEXTS[50:]


def test_what_is_done_before_an_interrupt_is_kept() -> None:
    model = Fake()
    model.fails_at, model.fault = 30, KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        Embedder(model).embed(TEXTS)
    assert cache_info().models[0].vectors == 30


def test_control_c_in_the_middle_of_a_real_run_keeps_what_is_done() -> None:
    code = (
        "import sys\n"
        "from chunkwise.index.embedders import Setup, make_embedder\n"
        "texts = [f'sentence number {i} about nothing' for i in range(100000)]\n"
        "tell = lambda stage, done, total: print(done, flush=True)\n"
        "make_embedder(Setup('minilm')).fill(texts, progress=tell)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    done = 0
    while done < 40:
        done = int(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode != 0
    assert errors.rstrip().endswith("KeyboardInterrupt")
    assert cache_info().models[0].vectors >= done


def test_questions_of_one_thread_while_another_asks_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chunkwise.index.embedders.cached._REMEMBERED", 3)

    class Asked(Fake):
        """While it embeds the second question, another thread asks others until no first is remembered."""

        def embed(self, texts: Sequence[str], kind: str) -> Iterator[Embedded]:
            if texts == ["second"]:
                embedder.questions(["a", "b", "c"])
                embedder.questions(["d"])
            yield from super().embed(texts, kind)

    embedder = Embedder(Asked())
    first = embedder.questions(["first"])
    both = embedder.questions(["first", "second", "first"])
    assert np.array_equal(both[0], first[0])
    assert np.array_equal(both[2], first[0])
    assert np.array_equal(both[1], embedder.questions(["second"])[0])


def test_progress_tells_what_is_new() -> None:
    Embedder(Fake()).fill(TEXTS[:20])
    told: list[tuple[str, int, int]] = []
    Embedder(Fake()).fill(TEXTS, progress=lambda *said: told.append(said))
    assert told[0] == ("embed with fake", 0, 80)
    assert told[-1] == ("embed with fake", 80, 80)
    assert [done for _, done, _ in told] == list(range(0, 81, 10))
    told.clear()
    Embedder(Fake()).fill(TEXTS, progress=lambda *said: told.append(said))
    assert told == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (np.full((2, 3), np.inf), "numbers that are not finite for 'first'"),
        (np.array([[1.0, 0], [0, 0]]), "a vector of zeros for 'second'"),
        (np.ones((3, 3)), r"an array of shape \(3, 3\) for 2 texts"),
        (np.ones(2), r"an array of shape \(2,\) for 2 texts"),
        ([["a", "b"], ["c", "d"]], "rows of numbers"),
    ],
)
def test_what_is_no_vector_is_refused(rows: Any, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Fake, "rows", lambda *_: rows)
    with pytest.raises(ModelError, match=f"fake: gives .*{message}"):
        Embedder(Fake()).embed(["first", "second"])
    assert cache_info().models == ()


def test_a_model_that_leaves_texts_out_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    full = Fake.embed
    monkeypatch.setattr(Fake, "embed", lambda self, texts, kind: full(self, texts[:-1], kind))
    with pytest.raises(ModelError, match="gave 99 vectors for 100 texts"):
        Embedder(Fake()).embed(TEXTS)


def test_a_lone_surrogate_is_replaced_one_for_one() -> None:
    model = Fake()
    Embedder(model).embed(["a\ud800b\udfff"])
    assert model.asked == ["a\ufffdb\ufffd"]


def test_a_cache_that_is_pruned_under_way_is_said() -> None:
    embedder = Embedder(Fake())
    embedder.fill(TEXTS)
    prune(everything=True)
    with pytest.raises(SettingError, match="vectors of fake were deleted from the cache while"):
        embedder.kept([embedder.digest("text 1")])


def with_kind(texts: list[str], kind: str) -> Any:
    return [[len(text), 1.0 if kind == "query" else 2.0] for text in texts]


def lasting(texts: list[str]) -> Any:
    return [[len(text), 1.0] for text in texts]


lasting.digest = "1"  # type: ignore[attr-defined]


def test_a_function_is_told_the_kind_and_is_not_kept_for_other_runs_unless_it_has_a_digest() -> None:
    embedder = make_embedder(Setup(f"py:{__name__}.with_kind"))
    assert np.allclose(embedder.embed(["abc"])[0] * 13**0.5, [3, 2], atol=1e-5)
    assert np.allclose(embedder.embed(["abc"], "query")[0] * 10**0.5, [3, 1], atol=1e-5)
    assert cache_info().models == ()
    make_embedder(Setup(f"py:{__name__}.lasting")).embed(["abc"])
    assert [m.name for m in cache_info().models] == [f"py:{__name__}.lasting"]


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("py:nodots", "write py:package.module.function"),
        ("py:no.such.module.f", "cannot import no.such.module"),
        ("py:json.nothing", "json has no 'nothing'"),
        ("py:json.__name__", "is no function"),
    ],
)
def test_a_function_that_is_not_there(model: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        make_embedder(Setup(model))


def test_a_function_that_fails() -> None:
    with pytest.raises(ModelError, match=r"py:json\.loads: failed: TypeError"):
        make_embedder(Setup("py:json.loads")).embed(["x"])
