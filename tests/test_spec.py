"""Text forms: what they stand for, that they print back, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.errors import SettingError, UnknownName
from chunkwise.spec import (
    Spec,
    escape,
    parse,
    parse_one,
    refuse_unknown,
    split,
    split_candidate,
    unescape,
    whole_number,
    yes_or_no,
)


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("heading", Spec("heading")),
        ("heading:size=600", Spec("heading", {"size": "600"})),
        ("  heading : size = 600 , unit = words \n", Spec("heading", {"size": "600", "unit": "words"})),
        ("mine=heading:size=600", Spec("heading", {"size": "600"}, "mine")),
        ("my own row = heading", Spec("heading", {}, "my own row")),
        ("a=b=heading", Spec("heading", {}, "a=b")),
        ("py:package.module.function", Spec("py", {}, "", "package.module.function")),
        ("py:package.module.f,size=3", Spec("py", {"size": "3"}, "", "package.module.f")),
        ("langchain.Some_Splitter:chunk_size=10", Spec("langchain.Some_Splitter", {"chunk_size": "10"})),
        ("recursive:separators=\\,+\\|", Spec("recursive", {"separators": "\\,+\\|"})),
        ("x:key=", Spec("x", {"key": ""})),
        ("x:key=a=b", Spec("x", {"key": "a=b"})),
        ("x:unit=C:/models/tokenizer.json", Spec("x", {"unit": "C:/models/tokenizer.json"})),
    ],
)
def test_one_spec(text: str, spec: Spec) -> None:
    assert parse(text) == [spec]
    assert parse_one(text) == spec
    assert parse(str(spec)) == [spec]


def test_a_sweep_is_every_choice_the_last_setting_turns_fastest() -> None:
    assert [str(spec) for spec in parse("x:a=1|2,b=3|4|5,c=6")] == [
        "x:a=1,b=3,c=6",
        "x:a=1,b=4,c=6",
        "x:a=1,b=5,c=6",
        "x:a=2,b=3,c=6",
        "x:a=2,b=4,c=6",
        "x:a=2,b=5,c=6",
    ]


def test_an_escaped_mark_is_no_sweep() -> None:
    assert [spec.settings["a"] for spec in parse("x:a=1\\|2|3")] == ["1\\|2", "3"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no spec; write name:key=value"),
        ("   ", "is no spec"),
        (":size=3", "is no spec"),
        ("=heading", "is no spec"),
        ("3d:size=3", "is no spec"),
        ("head ing", "is no spec"),
        ("heading,size=3", "is no spec"),
        ("heading:size=3,600", "'600' is no setting; write key=value"),
        ("heading:", "'' is no setting"),
        ("heading:size=3,", "'' is no setting"),
        ("heading:,size=3", "'' is no setting"),
        ("heading:a b=3", "'a b' is no name of a setting"),
        ("heading:=3", "'' is no name of a setting"),
        ("heading:1x=3", "'1x' is no name of a setting"),
        ("heading:size=3,size=4", "gives 'size' twice; several values are written size=a|b"),
        ("mine=heading:size=3|4", "the label 'mine' stands for 2 specs; leave it out of a sweep"),
    ],
)
def test_what_is_no_spec_is_refused_with_its_text(text: str, said: str) -> None:
    with pytest.raises(SettingError) as caught:
        parse(text)
    assert said in str(caught.value)
    assert repr(text) in str(caught.value)


def test_one_is_wanted() -> None:
    with pytest.raises(SettingError, match=r"'x:a=1\|2' stands for 2 specs, one is wanted"):
        parse_one("x:a=1|2")


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("heading:size=600 @ bm25:k1=1.2", ("heading:size=600", "bm25:k1=1.2")),
        ("heading", ("heading", "")),
        ("heading @ ", ("heading", "")),
        (" heading  @  bm25 ", ("heading", "bm25")),
        ("x:unit=a@b", ("x:unit=a@b", "")),
    ],
)
def test_candidates(text: str, pair: tuple[str, str]) -> None:
    assert split_candidate(text) == pair


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [""]),
        ("a", ["a"]),
        ("a+b", ["a", "b"]),
        ("+", ["", ""]),
        ("a\\+b+c", ["a\\+b", "c"]),
        ("a\\\\+b", ["a\\\\", "b"]),
        ("a\\", ["a\\"]),
    ],
)
def test_split_keeps_escapes(text: str, parts: list[str]) -> None:
    assert split(text, "+") == parts


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("a,b|c+d\\e", "a\\,b\\|c\\+d\\\\e"),
        ("\n\t\r", "\\n\\t\\r"),
        (" ", "\\s"),
        (" a b ", "\\sa b\\s"),
        ("plain = text: ok", "plain = text: ok"),
    ],
)
def test_escapes(value: str, written: str) -> None:
    assert escape(value) == written
    assert unescape(written) == value


def test_an_escape_of_another_character_is_that_character() -> None:
    assert unescape("\\x\\=\\:") == "x=:"


@given(st.lists(st.text(), min_size=1, max_size=4))
@example([" "])
@example(["\\", "\\n", " a", "\u3000"])
def test_a_list_of_any_texts_comes_back_through_a_spec(values: list[str]) -> None:
    written = "+".join(map(escape, values))
    (spec,) = parse(f"x:a={written},b=1")
    assert [unescape(item) for item in split(spec.settings["a"], "+")] == values
    (spec,) = parse(f"x:b=1,a={written}")
    assert [unescape(item) for item in split(spec.settings["a"], "+")] == values


@pytest.mark.parametrize(
    ("value", "number"), [(0, 0), ("0", 0), (" 12 ", 12), ("+3", 3), ("007", 7), (np.int64(5), 5)]
)
def test_whole_numbers(value: Any, number: int) -> None:
    assert whole_number("k", value, 0) == number


@pytest.mark.parametrize(
    "value", [-1, "-1", 1.0, "1.0", "1_000", "", " ", "x", None, True, False, "٣", [1], np.True_]
)
def test_what_is_no_whole_number_names_setting_and_value(value: Any) -> None:
    with pytest.raises(SettingError) as caught:
        whole_number("depth", value, 0)
    assert str(caught.value) == f"depth must be a whole number of at least 0, got {value!r}"


@pytest.mark.parametrize("value", [True, "yes", "true", "on", " YES ", "On"])
def test_yes(value: Any) -> None:
    assert yes_or_no("path", value) is True


@pytest.mark.parametrize("value", [False, "no", "false", "off", "No"])
def test_no(value: Any) -> None:
    assert yes_or_no("path", value) is False


@pytest.mark.parametrize("value", ["", "y", "maybe", 1, 0, None])
def test_neither_yes_nor_no(value: Any) -> None:
    with pytest.raises(SettingError, match="path must be yes or no, got"):
        yes_or_no("path", value)


def test_unknown_settings() -> None:
    refuse_unknown("x", ["size"], ["size", "unit"])
    with pytest.raises(
        UnknownName, match=r"unknown setting of x 'sise'; did you mean 'size'\? \(known: size, unit\)"
    ):
        refuse_unknown("x", ["size", "sise"], ["unit", "size"])
    with pytest.raises(SettingError, match="x: the setting is called 'overlap' here, not 'chunk_overlap'"):
        refuse_unknown("x", ["chunk_overlap"], ["size", "overlap"])
    # Somebody else's chunker may well have settings of these names.
    refuse_unknown("x", ["chunk_size"], ["chunk_size"])
