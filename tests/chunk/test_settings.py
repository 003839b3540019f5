"""Settings of all chunkers: what is taken, what is refused and how, and the text form."""

from __future__ import annotations

import copy
import pickle
import re
from dataclasses import FrozenInstanceError, fields, replace
from pathlib import Path
from typing import Any

import pytest

from chunkwise.chunk import CHUNKERS, Heading, make_chunkers
from chunkwise.errors import ChunkwiseError, MissingExtra, ReadError, SettingError, UnknownName
from chunkwise.types import Chunker

SETTINGS: dict[str, dict[str, list[Any]]] = {
    "size": {"all": [1, 7, 2_000, "300", " 40 ", "+5"]},
    "unit": {"all": ["chars", "words", "cl100k", "o200k"]},
    "overlap": {"all": [0, 50, "50"]},
    "offset": {"all": [0, 3]},
    "front_matter": {"all": [True, False, "yes", "no", "YES", "on", "off", "true", "false"]},
    "path": {"all": [True, False, "yes", "no"]},
    "index_clean": {"all": [True, False, "yes", "no"]},
    "levels": {"all": [(1,), (3, 1, 2), [2, 2], "1", "1+2+3", "6", {4}]},
    "context": {"all": ["shorten", "strict"]},
    "lead_in": {"all": [True, False, "yes", "no"]},
    "table_header": {"all": [True, False, "yes", "no"]},
    "code": {"all": ["whole", "with-prose"]},
    "within": {"all": [None, "400cl100k", " 300 words ", (200, "o200k"), ("200", "chars")]},
    "separators": {
        "all": [
            ("\n\n", "sentence", " "),
            [","],
            ("+", "|", ",", "\\", "=", ":"),
            "\\n\\n+\\n",
            "\\,",
            "a\\+b+\\s",
            (" - ", "  "),
            ("\u3000", "\xa0", "\f"),
            "\\t",
            "\r\n",
        ]
    },
}
"""Values that each setting takes."""
WRONG: dict[str, list[Any]] = {
    "size": [0, -1, "0", "-5", 1.5, "1.5", "abc", "", None, True, "1e3", "１", [], float("nan")],
    "overlap": [-1, "-1", 1.5, "x", None, True],
    "offset": [-1, "x", None],
    "front_matter": ["maybe", 1, None, ""],
    "path": ["maybe", 0, None],
    "index_clean": ["maybe", 1, None],
    "levels": ["", "0", "7", "1+7", (), (0,), ("x",), 3, None, "1,2", "a"],
    "context": ["", "short", None, True],
    "lead_in": ["maybe", 1, None],
    "table_header": ["maybe", 1, None],
    "code": ["", "prose", None, True],
    "within": ["", "400", "cl100k", 400, True, ("a",), [3, "chars"], "-4words", "1.5words"],
    "separators": ["", "a++b", (), [], [""], 3, None, [1], "+"],
    "unit": [3, None, ["chars"]],
}

PAIRS = [(name, field.name) for name, cls in CHUNKERS.items() for field in fields(cls)]
VALUES = [(name, key, value) for name, key in PAIRS for value in SETTINGS[key]["all"]]
FAULTS = [(name, key, value) for name, key in PAIRS for value in WRONG[key]]


def test_every_chunker_is_in_the_table_under_its_name() -> None:
    names = ["fixed", "recursive", "sentence", "paragraph", "heading", "section", "page", "document"]
    assert list(CHUNKERS) == names
    for name, cls in CHUNKERS.items():
        assert cls.name == name
        assert isinstance(cls(), Chunker)


@pytest.mark.parametrize(("name", "key", "value"), VALUES)
def test_every_value_of_every_setting_comes_back_from_the_text_form(name: str, key: str, value: Any) -> None:
    chunker = CHUNKERS[name](**{key: value})
    (again,) = make_chunkers(chunker.spec)
    assert again == chunker
    assert hash(again) == hash(chunker)
    assert again.spec == chunker.spec == str(chunker)
    assert pickle.loads(pickle.dumps(chunker)) == chunker
    assert copy.deepcopy(chunker).spec == chunker.spec


@pytest.mark.parametrize(("name", "key", "value"), FAULTS)
def test_a_wrong_value_names_the_setting_and_the_value(name: str, key: str, value: Any) -> None:
    with pytest.raises(SettingError) as caught:
        CHUNKERS[name](**{key: value})
    assert key in str(caught.value)
    if key == "separators" and isinstance(value, str):
        value = value.split("+")
    assert repr(value) in str(caught.value)


@pytest.mark.parametrize("name", CHUNKERS)
def test_equal_settings_are_equal_chunkers_and_others_are_not(name: str) -> None:
    cls = CHUNKERS[name]
    assert cls() == cls()
    assert len({cls(), cls()}) == 1
    others = [other() for key, other in CHUNKERS.items() if key != name]
    assert all(cls() != other for other in others)
    if name != "document":
        assert cls(size=300) == cls(size="300") != cls(size=301)  # type: ignore[arg-type]
        with pytest.raises(FrozenInstanceError):
            cls(size=300).size = 5  # type: ignore[misc]


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("fixed", "fixed:size=800"),
        ("document", "document"),
        ("heading:path=yes", "heading:size=800"),
        ("heading:levels=3+1+2", "heading:size=800,levels=1+2+3"),
        ("section:levels=1+2+3", "section:size=800"),
        ("recursive:separators=\\n\\n+\\n+sentence+\\s", "recursive:size=800"),
        ("fixed : size = 300 , overlap=50", "fixed:size=300,overlap=50"),
        ("mine=heading:size=600", "heading:size=600"),
        ("heading:size=600,context=strict,path=no", "heading:size=600,path=no,context=strict"),
    ],
)
def test_the_text_form_shows_what_is_not_the_default(given: str, printed: str) -> None:
    (chunker,) = make_chunkers(given)
    assert chunker.spec == printed


def test_a_second_limit_is_checked_like_the_first() -> None:
    with pytest.raises(SettingError, match="within must be a whole number of at least 1, got '0'"):
        make_chunkers("heading:within=0chars")
    with pytest.raises(UnknownName, match="unknown unit 'car'"):
        make_chunkers("heading:within=400car")
    (chunker,) = make_chunkers("heading:size=300,within=40words")
    assert chunker.spec == "heading:size=300,within=40words"
    made = [found.spec for found in make_chunkers("heading:within=40words|80words")]
    assert made == ["heading:size=800,within=40words", "heading:size=800,within=80words"]


def test_a_sweep_makes_several() -> None:
    made = make_chunkers("heading:size=300|600,unit=chars|words,path=no")
    assert [chunker.spec for chunker in made] == [
        "heading:size=300,path=no",
        "heading:size=300,unit=words,path=no",
        "heading:size=600,path=no",
        "heading:size=600,unit=words,path=no",
    ]


def test_a_sweep_with_one_wrong_value_is_refused() -> None:
    with pytest.raises(SettingError, match="size must be a whole number of at least 1, got '0'"):
        make_chunkers("heading:size=300|0")


@pytest.mark.parametrize(
    ("typed", "near"), [("fixd", "fixed"), ("headings", "heading"), ("sentences", "sentence")]
)
def test_an_unknown_chunker_names_the_nearest_and_the_list(typed: str, near: str) -> None:
    with pytest.raises(UnknownName) as caught:
        make_chunkers(typed)
    assert f"unknown chunker '{typed}'; did you mean '{near}'?" in str(caught.value)
    assert "document, fixed, heading, page, paragraph, recursive, section, sentence" in str(caught.value)


def test_a_name_like_none_gives_the_list_only() -> None:
    with pytest.raises(UnknownName, match=r"unknown chunker 'zzz' \(known: document"):
        make_chunkers("zzz:size=3")


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name != "document"])
def test_an_unknown_setting_names_the_nearest_and_the_list(name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        make_chunkers(f"{name}:sise=300")
    message = str(caught.value)
    assert f"unknown setting of the chunker '{name}' 'sise'; did you mean 'size'?" in message
    for field in fields(CHUNKERS[name]):
        assert field.name in message


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name != "document"])
@pytest.mark.parametrize(("theirs", "ours"), [("chunk_size", "size"), ("chunk_overlap", "overlap")])
def test_names_of_other_libraries_name_ours(name: str, theirs: str, ours: str) -> None:
    with pytest.raises(SettingError, match=f"the setting is called '{ours}' here, not '{theirs}'"):
        make_chunkers(f"{name}:{theirs}=300")


@pytest.mark.parametrize("name", [name for name in CHUNKERS if name != "document"])
@pytest.mark.parametrize("setting", ["chunk_size", "chunk_overlap", "sise", "zzz"])
def test_an_argument_is_refused_in_the_words_of_the_text_form(name: str, setting: str) -> None:
    with pytest.raises(SettingError) as of_text:
        make_chunkers(f"{name}:{setting}=300")
    with pytest.raises(TypeError) as of_python:
        CHUNKERS[name](**{setting: 300})
    assert isinstance(of_python.value, SettingError)
    assert str(of_python.value) == str(of_text.value)
    with pytest.raises(SettingError):
        replace(CHUNKERS[name](), **{setting: 300})


def test_a_name_of_other_libraries_for_what_is_not_there_has_no_other_name() -> None:
    with pytest.raises(
        TypeError, match=r"^unknown setting of the chunker 'document' 'chunk_size' \(known: index_clean\)$"
    ):
        CHUNKERS["document"](chunk_size=300)  # type: ignore[call-arg]


def test_settings_of_another_chunker_are_refused() -> None:
    with pytest.raises(UnknownName, match=r"'document' 'size' \(known: index_clean\)"):
        make_chunkers("document:size=300")
    with pytest.raises(UnknownName, match="'path'"):
        make_chunkers("paragraph:path=no")


@pytest.mark.parametrize("text", ["fixed:300", "heading:size", "heading:size=300,600"])
def test_a_value_without_a_name_is_refused(text: str) -> None:
    with pytest.raises(SettingError, match="write key=value"):
        make_chunkers(text)


@pytest.mark.parametrize("name", [name for name, key in PAIRS if key == "overlap"])
@pytest.mark.parametrize(("size", "overlap"), [(100, 100), (100, 200), (1, 1)])
def test_an_overlap_that_is_not_below_the_size_is_refused_with_both(
    name: str, size: int, overlap: int
) -> None:
    with pytest.raises(SettingError, match=f"overlap={overlap} with size={size}"):
        CHUNKERS[name](size=size, overlap=overlap)
    assert CHUNKERS[name](size=size, overlap=size - 1).overlap == size - 1


def test_an_offset_that_is_not_below_the_size_is_refused_with_both() -> None:
    with pytest.raises(SettingError, match="offset=40 with size=40"):
        make_chunkers("fixed:size=40,offset=40")


@pytest.mark.parametrize("name", [name for name, key in PAIRS if key == "unit"])
class TestUnits:
    def test_an_unknown_unit_is_told_up_front(self, name: str) -> None:
        with pytest.raises(UnknownName, match="unknown unit 'tokens'"):
            make_chunkers(f"{name}:unit=tokens")

    def test_a_missing_tokenizer_file_is_told_up_front(self, name: str) -> None:
        with pytest.raises(ReadError, match=r"none\.json: no such tokenizer file"):
            make_chunkers(f"{name}:unit=none.json")

    def test_a_missing_library_is_told_up_front(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        def missing(unit: str) -> Any:
            raise MissingExtra(unit, "tokens")

        monkeypatch.setattr("chunkwise.chunk.base.counter", missing)
        with pytest.raises(MissingExtra, match=re.escape("pip install 'chunkwise[tokens]'")):
            CHUNKERS[name](unit="cl100k")

    def test_a_function_is_a_unit_and_shows_its_name(self, name: str) -> None:
        def vowels(text: str) -> int:
            return sum(text.count(c) for c in "aeiou")

        chunker = CHUNKERS[name](size=5, unit=vowels)
        assert "unit=vowels" in chunker.spec
        assert chunker == CHUNKERS[name](size=5, unit=vowels)
        chunks = chunker("One two three four five six seven eight.")
        assert len(chunks) > 1
        assert all(vowels(chunk.indexed) <= 5 for chunk in chunks)

    def test_the_error_of_a_broken_function_is_told(self, name: str) -> None:
        def broken(_: str) -> Any:
            return "3"

        with pytest.raises(SettingError, match="the counter 'broken' gave '3'"):
            CHUNKERS[name](unit=broken)("One two.")


@pytest.mark.parametrize("unit", ["chars", "words", "cl100k", len])
@pytest.mark.parametrize("name", [name for name in CHUNKERS if name != "document"])
def test_a_size_beyond_every_text_is_no_limit(name: str, unit: Any) -> None:
    text = "# Äste\n\nText of it.\n\n## B\n\nMore."
    several = {"size": 10**30, "unit": unit, "within": (10**12, "words")}
    for settings in ({"size": 1 << 63, "unit": unit}, several):
        chunks = CHUNKERS[name](**settings)(text)
        assert [c.text for c in chunks] == [c.text for c in CHUNKERS[name](size=10**6, unit=unit)(text)]


def test_every_refusal_is_an_error_of_this_package() -> None:
    for name, key, value in FAULTS:
        with pytest.raises(ChunkwiseError):
            CHUNKERS[name](**{key: value})


@pytest.mark.parametrize("name", CHUNKERS)
def test_a_string_is_taken_for_markdown(name: str) -> None:
    (chunk,) = CHUNKERS[name]()("# A\n\nText.\n")
    assert chunk.doc == "text.md"
    assert chunk.path == ("A",)
    assert chunk.chunker == CHUNKERS[name]().spec


def test_the_path_of_a_tokenizer_file_comes_back_whatever_is_in_it(tmp_path: Path) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(tokenizers.models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    path = tmp_path / "a, b+c|d=e\\f.json"
    made.save(str(path))
    chunker = Heading(size=3, unit=str(path))
    assert make_chunkers(chunker.spec) == [chunker]
    chunks = chunker("# A\n\none two three four five\n")
    assert [chunk.indexed for chunk in chunks] == ["# A", "A\none two", "A\nthree four", "A\nfive"]


def test_a_setting_is_changed_by_a_copy() -> None:
    chunker = Heading(size=300)
    other = replace(chunker, size=400, path=False)
    assert (chunker.spec, other.spec) == ("heading:size=300", "heading:size=400,path=no")
    with pytest.raises(SettingError):
        replace(chunker, size=0)
