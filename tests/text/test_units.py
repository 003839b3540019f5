"""Units of size: what each counts, and what is said where one cannot be had."""

from __future__ import annotations

import builtins
import gzip
import hashlib
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import MissingExtra, ReadError, SettingError, UnknownName
from chunkwise.text import counter, tokens, units

tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("tiktoken")

MARKS = "Write <|endoftext|> here, <|im_start|>, [CLS] and <s>."


def tokenizer_file(folder: Path, **more: Any) -> str:
    """A tokenizer of whole words and marks, with a truncation or padding in the file if asked for."""
    words = ["[UNK]", "[CLS]", "[PAD]", "the", "pump", "runs", "."]
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="[UNK]")
    )
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    made.add_special_tokens(["[CLS]", "[PAD]"])
    made.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A", special_tokens=[("[CLS]", 1)]
    )
    if "truncation" in more:
        made.enable_truncation(more["truncation"])
    if "padding" in more:
        made.enable_padding(length=more["padding"], pad_token="[PAD]", pad_id=2)
    path = folder / "tokenizer.json"
    made.save(str(path))
    return str(path)


@pytest.mark.parametrize(
    ("unit", "text", "size"),
    [
        ("chars", "", 0),
        ("chars", "水門 é\u0301👍🏽", 7),
        ("words", "", 0),
        ("words", "  one\ttwo\r\n three\u00a0four\u3000水門は ", 5),
        ("cl100k", "", 0),
        ("cl100k", "hello world", 2),
        ("o200k", "hello world", 2),
        ("cl100k", "tiktoken is great!", 6),  # the example in the library's own notes
    ],
)
def test_counts(unit: str, text: str, size: int) -> None:
    assert counter(unit).count(text) == size
    assert counter(unit).name == unit


@given(st.text())
def test_words_are_runs_without_white_space(text: str) -> None:
    assert counter("words").count(text) == len(text.split())


@pytest.mark.parametrize("unit", ["cl100k", "o200k"])
def test_marks_of_special_tokens_are_text(unit: str) -> None:
    count = counter(unit).count
    assert count("<|endoftext|>") > 1
    assert count(MARKS) > count("Write here, and .")


def test_a_unit_is_loaded_once() -> None:
    assert counter("cl100k") is counter("cl100k")


@pytest.mark.parametrize("unit", ["chars", "words", "cl100k", "o200k"])
@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_there_is_an_end_for_each_unit(unit: str, text: str) -> None:
    found = counter(unit)
    ends = found.ends(text)  # type: ignore[attr-defined]
    assert len(ends) == found.count(text)
    assert ends == sorted(ends)
    assert not ends or (ends[0] >= 0 and len(text.rstrip()) <= ends[-1] <= len(text))


def test_a_token_that_ends_in_a_character_ends_before_it() -> None:
    assert counter("cl100k").ends("a👩") == [1, 1, 1, 2]  # type: ignore[attr-defined]


class TestTokenizerFile:
    def test_counts_without_the_special_tokens_of_a_model(self, tmp_path: Path) -> None:
        found = counter(tokenizer_file(tmp_path))
        assert found.count("the pump runs.") == 4
        assert found.ends("the pump runs.") == [3, 8, 13, 14]  # type: ignore[attr-defined]
        assert found.name.endswith("tokenizer.json")

    def test_a_truncation_in_the_file_loses_nothing(self, tmp_path: Path) -> None:
        found = counter(tokenizer_file(tmp_path, truncation=5))
        assert found.count("the pump runs . " * 40) == 160
        assert len(found.ends("the pump runs . " * 40)) == 160  # type: ignore[attr-defined]

    def test_a_padding_in_the_file_adds_nothing(self, tmp_path: Path) -> None:
        assert counter(tokenizer_file(tmp_path, padding=64)).count("the pump") == 2

    def test_a_lone_surrogate_is_counted(self, tmp_path: Path) -> None:
        found = counter(tokenizer_file(tmp_path))
        assert found.count("the \ud800 pump") == 3
        assert found.ends("the \ud800 pump") == [3, 5, 10]  # type: ignore[attr-defined]

    def test_no_such_file(self, tmp_path: Path) -> None:
        with pytest.raises(ReadError, match=r"none\.json: no such tokenizer file; give the path of a token"):
            counter(str(tmp_path / "none.json"))

    def test_another_kind_of_file(self, tmp_path: Path) -> None:
        path = tmp_path / "settings.json"
        path.write_text('{"a": 1}')
        with pytest.raises(ReadError, match=r"settings\.json: not a tokenizer file \("):
            counter(str(path))


class TestCallable:
    def test_a_function(self) -> None:
        def letters(text: str) -> int:
            return sum(c.isalpha() for c in text)

        assert counter(letters).count("a1 b2") == 2
        assert counter(letters).name == "letters"

    def test_an_object_with_a_name_by_its_type(self) -> None:
        class Halves:
            def __call__(self, text: str) -> int:
                return len(text) // 2

        assert counter(Halves()).name == "Halves"

    def test_a_counter_stays_itself(self) -> None:
        words = counter("words")
        assert counter(words) is words

    def test_whole_numbers_of_numpy_are_sizes(self) -> None:
        size = counter(lambda text: np.count_nonzero(list(text)) + np.int64(0)).count("abc")  # type: ignore[arg-type,return-value]
        assert (size, type(size)) == (3, int)

    @pytest.mark.parametrize("size", [-1, 1.5, "3", None, True, np.float64(3), np.True_, np.int64(-1)])
    def test_what_is_no_size_is_refused(self, size: Any) -> None:
        def broken(_: str) -> Any:
            return size

        with pytest.raises(
            SettingError, match=r"'broken' gave .*; it must give a whole number of at least 0"
        ):
            counter(broken).count("a")

    def test_what_is_no_unit_is_refused(self) -> None:
        with pytest.raises(SettingError, match="unit must be a name or a function, got 3"):
            counter(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("unit", "near"), [("char", "chars"), ("word", "words"), ("cl100", "cl100k"), ("200k", "o200k")]
)
def test_an_unknown_unit_names_the_nearest(unit: str, near: str) -> None:
    with pytest.raises(UnknownName, match=f"unknown unit '{unit}'; did you mean '{near}'.*known: .*words"):
        counter(unit)


def no_library(monkeypatch: pytest.MonkeyPatch, missing: str) -> None:
    real = builtins.__import__

    def fake(name: str, *args: Any, **more: Any) -> Any:
        if name == missing:
            raise ImportError(missing)
        return real(name, *args, **more)

    monkeypatch.setattr(builtins, "__import__", fake)


@pytest.fixture
def unloaded() -> Any:
    """No unit is loaded before, and none stays loaded behind."""
    units._loaded.cache_clear()
    tokens._tiktoken.cache_clear()
    yield
    units._loaded.cache_clear()
    tokens._tiktoken.cache_clear()


INSTALL = r"pip install 'chunkwise\[tokens\]'"


@pytest.mark.usefixtures("unloaded")
class TestMissing:
    def test_tiktoken(self, monkeypatch: pytest.MonkeyPatch) -> None:
        no_library(monkeypatch, "tiktoken")
        with pytest.raises(MissingExtra, match=INSTALL):
            counter("cl100k")

    def test_its_tables(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(tokens, "find_spec", lambda _: None)
        with pytest.raises(MissingExtra, match=INSTALL):
            counter("o200k")

    def test_tokenizers(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        path = tokenizer_file(tmp_path)
        no_library(monkeypatch, "tokenizers")
        with pytest.raises(MissingExtra, match=INSTALL):
            counter(path)


@pytest.mark.usefixtures("unloaded")
class TestOffline:
    @pytest.fixture(autouse=True)
    def _no_network(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: Any, **__: Any) -> Any:
            raise AssertionError("the network was asked")

        monkeypatch.setattr(socket, "socket", refuse)
        monkeypatch.setattr(socket, "create_connection", refuse)
        # tiktoken keeps what it has loaded.
        import tiktoken.registry

        monkeypatch.setattr(tiktoken.registry, "ENCODINGS", {})

    @pytest.mark.parametrize("unit", ["cl100k", "o200k"])
    def test_the_tables_are_those_of_the_package(
        self, unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path))
        assert counter(unit).count("hello world") == 2
        (table,) = (tmp_path / "chunkwise" / "tiktoken").iterdir()
        found = find_spec("bpe_openai")
        assert found is not None
        assert found.submodule_search_locations
        packed = Path(found.submodule_search_locations[0]) / "data" / f"{unit}_base.tiktoken.gz"
        assert table.read_bytes() == gzip.decompress(packed.read_bytes())
        # tiktoken looks for a table under the SHA-1 of its public address.
        address = f"https://openaipublic.blob.core.windows.net/encodings/{unit}_base.tiktoken"
        assert table.name == hashlib.sha1(address.encode()).hexdigest()

    @pytest.mark.parametrize("left", [0, 1000, -1])
    def test_a_table_in_the_cache_that_is_not_whole_is_unpacked_again(
        self, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path))
        with tokens._tables("cl100k_base") as folder:
            (table,) = folder.iterdir()
        whole = table.read_bytes()
        table.write_bytes(whole[:left] if left >= 0 else b"x" + whole[1:])
        assert counter("cl100k").count("hello world") == 2
        assert table.read_bytes() == whole

    @pytest.mark.parametrize("cache", ["kept", "off"])
    def test_threads_that_load_at_once(
        self, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path / cache) if cache == "kept" else cache)
        monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
        together = threading.Barrier(4, timeout=60)

        def count(unit: str) -> int:
            together.wait()
            return counter(unit).count("hello world")

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(count, ["cl100k", "o200k"] * 2)) == [2] * 4
        assert "TIKTOKEN_CACHE_DIR" not in os.environ

    def test_a_cache_that_cannot_be_written_is_left_out(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("")
        monkeypatch.setenv("CHUNKWISE_CACHE", str(blocked))
        assert counter("cl100k").count("hello world") == 2

    @pytest.mark.parametrize("off", ["off", "no", "0"])
    def test_a_cache_that_is_off_keeps_nothing(
        self, off: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHUNKWISE_CACHE", off)
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        assert counter("cl100k").count("hello world") == 2
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize("before", [None, "/somewhere"])
    def test_the_environment_is_as_before(
        self, before: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path))
        if before is None:
            monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
        else:
            monkeypatch.setenv("TIKTOKEN_CACHE_DIR", before)
        counter("cl100k")
        assert os.environ.get("TIKTOKEN_CACHE_DIR") == before


def test_types() -> None:
    made: list[Callable[[str], int]] = [counter(unit).count for unit in ("chars", "words")]
    assert [count("a b") for count in made] == [3, 2]
