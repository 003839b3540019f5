"""Settings files: what is read, which file, which line is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunkwise.config import Kind, Settings, line_of, load_settings
from chunkwise.errors import SettingError

KNOWN: dict[str, dict[str, Kind]] = {
    "compare": {"golden": "text", "chunker": "texts", "k": "texts", "seed": "number", "skip-broken": "flag"},
    "chunk": {"chunker": "text", "out": "text", "skip-broken": "flag"},
}


def load(folder: Path, own: str | None = None, project: str | None = None) -> Settings:
    if own is not None:
        (folder / "chunkwise.toml").write_text(own, "utf-8")
    if project is not None:
        (folder / "pyproject.toml").write_text(project, "utf-8")
    return load_settings(folder, KNOWN)


def test_without_a_file_nothing_is_set(tmp_path: Path) -> None:
    assert load(tmp_path) == Settings("", {})
    assert load(tmp_path, project='[project]\nname = "chunkwise-user"\n') == Settings("", {})


def test_tables_stand_before_keys_above_them(tmp_path: Path) -> None:
    found = load(tmp_path, "skip_broken = true\n[compare]\nseed = 3\n[chunk]\nskip-broken = false\n")
    assert found.source == "chunkwise.toml"
    assert found.commands["compare"] == {"skip-broken": True, "seed": 3}
    assert found.commands["chunk"] == {"skip-broken": False}


def test_lists_and_numbers_become_what_the_command_line_takes(tmp_path: Path) -> None:
    found = load(tmp_path, '[compare]\nk = [1, 5]\nchunker = "fixed"\n').commands["compare"]
    assert found == {"k": ["1", "5"], "chunker": ["fixed"]}
    assert load(tmp_path, "[compare]\nk = 5\n").commands["compare"] == {"k": ["5"]}


def test_a_key_above_all_tables_goes_where_its_value_fits(tmp_path: Path) -> None:
    found = load(tmp_path, 'chunker = ["a", "b"]\n').commands
    assert (found["compare"], found["chunk"]) == ({"chunker": ["a", "b"]}, {})
    found = load(tmp_path, 'chunker = "a"\n').commands
    assert (found["compare"], found["chunk"]) == ({"chunker": ["a"]}, {"chunker": "a"})


def test_pyproject_holds_the_same_below_its_own_table(tmp_path: Path) -> None:
    found = load(
        tmp_path, project="[tool.chunkwise]\nskip-broken = true\n[tool.chunkwise.compare]\nseed = 3\n"
    )
    assert found.source == "pyproject.toml"
    assert found.commands["compare"] == {"skip-broken": True, "seed": 3}


def test_settings_in_both_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingError, match=r"chunkwise\.toml and \[tool\.chunkwise\] of pyproject\.toml"):
        load(tmp_path, "[compare]\nseed = 1\n", "[tool.chunkwise.compare]\nseed = 1\n")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("# a\n\nsed = 1\n", "chunkwise.toml:3: 'sed'", ["unknown key in the file", "'seed'"]),
        ("[compare]\ngoldn = 'a'\n", "chunkwise.toml:2: 'goldn'", ["[compare]", "'golden'", "chunker"]),
        ("[chunk]\nseed = 1\n", "chunkwise.toml:2: 'seed'", ["unknown key in [chunk]"]),
        ("\n[comparr]\nseed = 1\n", "chunkwise.toml:2: 'comparr'", ["unknown table", "'compare'"]),
        ("compare = 3\n", "chunkwise.toml:1: 'compare'", ["is a command", "[compare]"]),
        ("[[compare]]\nseed = 1\n", "chunkwise.toml", ["is a command"]),
        ("[compare]\nseed = 'x'\n", "chunkwise.toml:2: 'seed'", ["a whole number", "'x'"]),
        ("[compare]\nseed = true\n", "chunkwise.toml:2: 'seed'", ["a whole number", "True"]),
        ("[compare]\nskip-broken = 1\n", "chunkwise.toml:2: 'skip-broken'", ["true or false", "1"]),
        ("[compare]\ngolden = ['a']\n", "chunkwise.toml:2: 'golden'", ["a text", "['a']"]),
        ("[compare]\nk = [1, 2.5]\n", "chunkwise.toml:2: 'k'", ["a list of texts", "2.5"]),
        ("seed = 1.5\n", "chunkwise.toml:1: 'seed'", ["a whole number", "1.5"]),
        ("[compare]\n\nseed = \n", "chunkwise.toml:3: not valid TOML", []),
        ("compare.golden = 1\n", "chunkwise.toml:1: 'golden'", ["a text"]),
        ('[compare]\n"golden" = 1\n', "chunkwise.toml:2: 'golden'", ["a text"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, place: str, words: list[str]) -> None:
    with pytest.raises(SettingError) as caught:
        load(tmp_path, text)
    message = str(caught.value)
    assert message.startswith(place)
    assert [word for word in words if word not in message] == []


def test_the_line_is_that_of_the_project_file_too(tmp_path: Path) -> None:
    text = "[project]\nseed = 1\n\n[tool.other]\nseed = 'x'\n\n[tool.chunkwise.compare]\n\nseed = 'x'\n"
    with pytest.raises(SettingError, match=r"^pyproject\.toml:9: 'seed'"):
        load(tmp_path, project=text)


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "chunkwise.toml").write_bytes(b"seed = '\xff'\n")
    with pytest.raises(SettingError, match="byte 8 is not UTF-8"):
        load(tmp_path)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    (tmp_path / "chunkwise.toml").write_bytes(b"\xef\xbb\xbf[compare]\r\nseed = 3\r\n")
    assert load(tmp_path).commands["compare"] == {"seed": 3}
    (tmp_path / "chunkwise.toml").write_bytes(b"\xef\xbb\xbf[compare]\r\nseed = 3\r\nsed = 4\r\n")
    with pytest.raises(SettingError, match=r"chunkwise\.toml:3: 'sed'"):
        load(tmp_path)


def test_a_key_that_is_not_seen_has_line_0() -> None:
    assert line_of("a = 1\n", (), "b") == 0
    assert line_of("[a]\nb = 1\n", ("a",), "b") == 2
    assert line_of("[a.b] # c\nd = 1\n", ("a",), "b") == 1
