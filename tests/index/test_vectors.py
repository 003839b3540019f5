from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from chunkwise.errors import ModelError, SettingError
from chunkwise.files import cache_folder
from chunkwise.index.cache import cache_info, open_vectors, prune
from chunkwise.index.vectors import Vectors, digest_of


def rows(n: int, seed: int = 0, size: int = 8) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, size)).astype(np.float32)


def digests(n: int, what: str = "") -> list[bytes]:
    return [digest_of(f"{what}{i}") for i in range(n)]


def test_vectors_come_back_bit_for_bit_in_any_order_and_repeated(tmp_path: Path) -> None:
    vectors, keys = rows(900), digests(900)
    Vectors(tmp_path).add("key", "model", keys, vectors, range(900), [0] * 900)
    order = [3, 3, 899, 0, 450, 3]
    kept = Vectors(tmp_path).get("key", [keys[i] for i in order])
    assert np.array_equal(kept.vectors, vectors[order])
    assert kept.tokens.tolist() == order
    assert kept.unseen.tolist() == [0] * 6


def test_another_key_never_meets_a_vector(tmp_path: Path) -> None:
    store = Vectors(tmp_path)
    store.add("key", "model", digests(3), rows(3), [1] * 3, [0] * 3)
    assert store.known("key", digests(4)) == set(digests(3))
    assert store.known("another key", digests(4)) == set()
    with pytest.raises(KeyError):
        store.get("another key", digests(1))
    with pytest.raises(KeyError):
        store.get("key", digests(4))


def test_a_vector_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    store = Vectors(tmp_path)
    store.add("key", "model", digests(2), rows(2), [1, 1], [0, 0])
    store.add("key", "model", digests(3), rows(3, seed=1), [2] * 3, [0] * 3)
    kept = store.get("key", digests(3))
    assert np.array_equal(kept.vectors, np.concatenate((rows(2), rows(3, seed=1)[2:])))
    assert store.info().models[0].vectors == 3
    with closing(sqlite3.connect(store.path)) as database:
        assert database.execute("SELECT COUNT(*) FROM vectors").fetchone() == (3,)


def test_vectors_of_another_length_are_refused(tmp_path: Path) -> None:
    store = Vectors(tmp_path)
    store.add("key", "model", digests(1), rows(1, size=8), [1], [0])
    with pytest.raises(ModelError, match=r"model: gives vectors of 5 numbers, those in the cache have 8"):
        store.add("key", "model", digests(1, "b"), rows(1, size=5), [1], [0])
    assert store.known("key", digests(1, "b")) == set()


def test_a_write_is_all_or_nothing(tmp_path: Path) -> None:
    store = Vectors(tmp_path)
    with pytest.raises(ValueError, match="zip"):
        store.add("key", "model", digests(3), rows(2), [1] * 3, [0] * 3)
    assert store.known("key", digests(3)) == set()


WRITER = """
import sys, numpy as np
from pathlib import Path
from chunkwise.index.vectors import Vectors, digest_of
store = Vectors(Path(sys.argv[1]))
for i in range(int(sys.argv[2])):
    keys = [digest_of(f"{sys.argv[3]}{10 * i + j}") for j in range(10)]
    store.add("key", "model", keys, np.full((10, 8), i, dtype=np.float32), [i] * 10, [0] * 10)
    print(i, flush=True)
"""


def test_what_was_written_survives_kill_9(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(tmp_path), "100000", ""], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for _ in range(20):
        last = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    process.stdout.close()
    process.wait()
    store = Vectors(tmp_path)
    kept = store.get("key", digests(10 * (last + 1)))
    assert np.array_equal(kept.vectors[:, 0], np.repeat(np.arange(last + 1), 10))
    with closing(sqlite3.connect(store.path)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.add("key", "model", digests(1, "new"), rows(1), [1], [0])


def test_two_runs_write_at_once(tmp_path: Path) -> None:
    command = [sys.executable, "-c", WRITER, str(tmp_path), "40"]
    runs = [subprocess.Popen([*command, name], stdout=subprocess.PIPE) for name in ("", "", "other")]
    for run in runs:
        run.communicate()
    assert [run.returncode for run in runs] == [0, 0, 0]
    store = Vectors(tmp_path)
    assert store.known("key", digests(400)) == set(digests(400))
    assert store.known("key", digests(400, "other")) == set(digests(400, "other"))
    assert store.info().models[0].vectors == 800


def test_a_model_that_was_pruned_by_another_run_is_never_taken_for_its_successor(tmp_path: Path) -> None:
    mine, other = Vectors(tmp_path), Vectors(tmp_path)
    mine.add("old", "old", digests(1), rows(1), [1], [0])
    assert mine.known("old", digests(1)) == set(digests(1))
    other.prune(model="old")
    other.add("new", "new", digests(1), rows(1, seed=1), [1], [0])
    assert mine.known("old", digests(1)) == set()
    mine.add("old", "old", digests(1), rows(1, seed=2), [1], [0])
    assert np.array_equal(mine.get("old", digests(1)).vectors, rows(1, seed=2))
    assert np.array_equal(other.get("new", digests(1)).vectors, rows(1, seed=1))


def test_prune_by_model_by_days_and_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Vectors(tmp_path)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now - 40 * 86_400)
    store.add("a", "a", digests(2000), rows(2000, size=64), [1] * 2000, [0] * 2000)
    store.add("b", "b", digests(10), rows(10), [1] * 10, [0] * 10)
    monkeypatch.setattr(time, "time", lambda: now)
    assert store.known("a", digests(5)) == set(digests(5))
    assert store.prune(unused_days=41).vectors == 0
    assert store.prune(unused_days=30, model="b").vectors == 10
    pruned = store.prune(unused_days=30)
    assert pruned.vectors == 1995
    assert pruned.bytes > 1995 * 64 * 4 / 2
    assert store.known("a", digests(2000)) == set(digests(5))
    assert [(m.name, m.vectors) for m in store.info().models] == [("a", 5)]
    assert store.prune(everything=True).vectors == 5
    assert store.info().models == ()


def test_prune_says_what_is_missing(tmp_path: Path) -> None:
    store = Vectors(tmp_path)
    store.add("key", "minilm", digests(1), rows(1), [1], [0])
    with pytest.raises(SettingError, match="say what to prune"):
        store.prune()
    with pytest.raises(SettingError, match=r"no vectors of 'mini' in the cache \(there are: minilm\)"):
        store.prune(model="mini")


@pytest.mark.parametrize("named", ["off", None])
def test_threads_that_open_the_cache_at_once_have_one(
    named: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chunkwise.index.cache._opened", {})
    monkeypatch.setenv("CHUNKWISE_CACHE", named or str(tmp_path / "new"))
    together = threading.Barrier(8, timeout=60)

    def open_it(_: int) -> Vectors:
        together.wait()
        return open_vectors()

    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(open_it, range(8)))
    assert len({id(one) for one in opened}) == 1


def test_the_cache_is_where_the_variable_says(cache: Path) -> None:
    open_vectors().add("key", "model", digests(2), rows(2), [1] * 2, [0] * 2)
    info = cache_info()
    assert Path(info.path).parent == cache
    assert info.bytes >= 2 * 8 * 4
    assert [(m.name, m.vectors, m.dimension) for m in info.models] == [("model", 2, 8)]
    assert prune(model="model").vectors == 2


def test_the_usual_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHUNKWISE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert cache_folder() == Path("/somewhere/chunkwise")
    monkeypatch.setenv("CHUNKWISE_CACHE", "off")
    assert cache_folder() is None


def test_a_cache_that_is_off_leaves_nothing_behind() -> None:
    code = (
        "import numpy as np; from chunkwise.index.cache import open_vectors\n"
        "store = open_vectors(); store.add('k', 'm', [b'x'], np.ones((1, 2), np.float32), [1], [0])\n"
        "print(store.path, len(store.known('k', [b'x'])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "CHUNKWISE_CACHE": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    path, known = done.stdout.split()
    assert known == "1"
    assert not Path(path).parent.exists()


def test_a_folder_that_cannot_be_used_is_said_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingError, match="CHUNKWISE_CACHE=FOLDER"):
        Vectors(tmp_path / "file")
    (tmp_path / "vectors-1.sqlite3").write_bytes(
        b"this is no database, and long enough to be seen as none" * 9
    )
    with pytest.raises(SettingError, match=r"vectors-1\.sqlite3 cannot be used"):
        Vectors(tmp_path)
