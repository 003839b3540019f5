"""Chunkers and stores of installed packages, by the names that they give through entry points."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import chunkwise
from chunkwise import plugins
from chunkwise.comparison import make_candidates
from chunkwise.errors import NameClash, SettingError, StoreError, UnknownName
from chunkwise.ship.stores import open_store

CODE = """
from chunkwise import Document, Paragraph
from chunkwise.ship.stores.files import JsonLinesStore


def halves(text, shift=0):
    middle = len(text) // 2 + shift
    yield 0, middle
    yield middle, len(text)


class Blocks:
    def __init__(self, size=300):
        self.spec = f"blocks:size={size}"
        self.cut = Paragraph(size=size)

    def __call__(self, document):
        return [chunk._replace(chunker=self.spec) for chunk in self.cut(document)]


class Misnamed(Blocks):
    pass


class Lines:
    def __init__(self):
        pass


def store(place):
    return JsonLinesStore(place)


NUMBER = 7
"""
TEXT = "# Guide\n\nPress the key.\n\n## Stop\n\nLet go of the key.\n"

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a package with entry points into a folder of the path, as an installer does."""

    def put(package: str = "halver", group: str = "chunkwise.chunkers", **names: str) -> Path:
        folder = tmp_path / package
        info = folder / f"{package}-1.0.dist-info"
        info.mkdir(parents=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {value}" for name, value in names.items()]
        (info / "entry_points.txt").write_text("\n".join([f"[{group}]", *lines]) + "\n")
        (folder / f"{package}_code.py").write_text(CODE)
        monkeypatch.syspath_prepend(str(folder))
        plugins.added.cache_clear()
        return folder

    yield put
    monkeypatch.undo()
    plugins.added.cache_clear()


def test_a_function_is_a_chunker_by_its_name(install: Install) -> None:
    install(halves="halver_code:halves")
    rows = make_candidates(["halves", "mine=halves:shift=3", "halves:shift=1|2"])
    assert [row.chunker.spec for row in rows] == [
        "halves",
        "halves:shift=3",
        "halves:shift=1",
        "halves:shift=2",
    ]
    assert rows[1].name == "mine"
    first, second = rows[1].chunker(TEXT)
    assert first.text + second.text == TEXT
    assert len(first.text) == len(TEXT) // 2 + 3
    assert first.chunker == "halves:shift=3"


def test_a_class_makes_chunkers(install: Install) -> None:
    install(blocks="halver_code:Blocks")
    (row,) = make_candidates("blocks:size=40")
    chunks = row.chunker(chunkwise.read_text(TEXT))
    assert [chunk.text for chunk in chunks] == [
        chunk.text for chunk in chunkwise.Paragraph(size=40)(chunkwise.read_text(TEXT))
    ]
    assert {chunk.chunker for chunk in chunks} == {"blocks:size=40"}


def test_built_in_names_stay_beside_it(install: Install) -> None:
    install(halves="halver_code:halves")
    assert make_candidates("heading:size=300")[0].chunker == chunkwise.Heading(size=300)
    with pytest.raises(UnknownName, match=r"did you mean 'halves'.*halves, heading"):
        make_candidates("halve")


def test_a_name_of_two_packages_names_both(install: Install) -> None:
    install("halver", halves="halver_code:halves")
    install("cutter", halves="cutter_code:halves")
    with pytest.raises(NameClash) as caught:
        make_candidates("fixed")
    assert "'halves' in chunkwise.chunkers" in str(caught.value)
    assert "cutter (cutter_code:halves) and by halver (halver_code:halves)" in str(caught.value)


@pytest.mark.parametrize("name", ["heading", "py", "langchain"])
def test_a_name_that_is_built_in_names_both(install: Install, name: str) -> None:
    install(**{name: "halver_code:halves"})
    with pytest.raises(NameClash, match=f"'{name}'.*Chunkwise and by halver .*uninstall one"):
        make_candidates("heading")


@pytest.mark.parametrize(
    ("value", "spec", "said"),
    [
        (
            "nowhere_code:halves",
            "mine",
            r"'mine' of halver \(nowhere_code:halves\) does not import: ModuleNotFound",
        ),
        ("halver_code:absent", "mine", r"does not import: AttributeError"),
        ("halver_code:NUMBER", "mine", r"'mine' is a int \(halver_code:NUMBER\) and cannot be called"),
        (
            "halver_code:halves",
            "mine:width=3",
            r"'mine:width=3': halver_code:halves cannot be called so: .*width",
        ),
        (
            "halver_code:Blocks",
            "mine:width=3",
            r"'mine:width=3': halver_code:Blocks cannot be made so: .*width",
        ),
        ("halver_code:Lines", "mine", r"what halver_code:Lines makes is no chunker"),
        ("halver_code:Misnamed", "mine", r"calls itself 'blocks:size=300'.*begin with mine"),
    ],
)
def test_what_cannot_work_says_whose_it_is(install: Install, value: str, spec: str, said: str) -> None:
    install(mine=value)
    with pytest.raises(SettingError, match=said):
        make_candidates(spec)


def test_the_command_line_knows_it(install: Install, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = install(halves="halver_code:halves")
    source = Path(chunkwise.__file__).parents[1]
    monkeypatch.setenv("PYTHONPATH", f"{folder}:{source}")
    (tmp_path / "guide.md").write_text(TEXT)
    command = [sys.executable, "-m", "chunkwise", "chunk", "guide.md", "-c", "halves:shift=2", "-q"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    made = [json.loads(line) for line in done.stdout.splitlines()]
    middle = len(TEXT) // 2 + 2
    assert [(one["start"], one["end"]) for one in made] == [(0, middle), (middle, len(TEXT))]


def test_stores_are_added_in_the_same_way(install: Install, tmp_path: Path) -> None:
    install(group="chunkwise.stores", lines="halver_code:store", wrong="halver_code:halves")
    assert open_store(f"lines:{tmp_path}/x.jsonl").spec == f"jsonl:{tmp_path}/x.jsonl"
    with pytest.raises(StoreError, match=r"wrong: halver_code:halves gives a generator, which is no store"):
        open_store("wrong:there")
    with pytest.raises(UnknownName, match="lines"):
        open_store("line:there")


def test_a_store_of_a_built_in_name_is_refused(install: Install) -> None:
    install(group="chunkwise.stores", lancedb="halver_code:store")
    with pytest.raises(NameClash, match=r"chunkwise\.stores"):
        open_store("lancedb:./index")
