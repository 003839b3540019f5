"""Bytes to text: nothing is guessed, nothing replaced, nothing lost."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import ReadError, SettingError
from chunkwise.readers import read
from chunkwise.readers.decode import decode

MARKS = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}
TEXT = "# Größe\r\n\n水門 👍🏽\r"


@pytest.mark.parametrize(("encoding", "mark"), MARKS.items(), ids=MARKS)
def test_a_mark_tells_the_encoding_and_is_no_part_of_the_text(encoding: str, mark: bytes) -> None:
    assert decode(mark + TEXT.encode(encoding), "a.md") == (TEXT, 1)


@given(st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: "\0" not in text))
def test_utf8_comes_back_as_it_is(text: str) -> None:
    shift = text.startswith("\ufeff")
    assert decode(text.encode("utf-8"), "a.md") == (text[shift:], shift)


def test_only_the_first_mark_is_left_out() -> None:
    assert decode("\ufeff\ufeffa\ufeff".encode(), "a.md") == ("\ufeffa\ufeff", 1)


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1", "utf-16-le", "shift_jis"])
def test_a_named_encoding_is_used(encoding: str) -> None:
    text = "日本" if encoding in ("shift_jis", "utf-16-le") else "Größe"
    assert decode(text.encode(encoding), "a.md", encoding) == (text, 0)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_a_mark_is_left_out_also_where_the_encoding_is_named(encoding: str) -> None:
    assert decode(("\ufeff" + TEXT).encode(encoding), "a.md", encoding) == (TEXT, 1)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "UTF16", "utf-32"])
def test_a_mark_counts_also_where_the_codec_leaves_it_out_by_itself(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "a.md", encoding) == (TEXT, 1)


def test_a_mark_of_another_family_is_not_taken() -> None:
    with pytest.raises(ReadError, match="not UTF-16"):
        decode(codecs.BOM_UTF8 + b"abcd", "a.md", "utf-16")
    assert decode(codecs.BOM_UTF8 + b"a", "a.md", "cp1252") == ("ï»¿a", 0)


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"caf\xe9\n", "not UTF-8: byte 0xE9 at offset 3 (line 1)"),
        (b"one\ntwo\nth\x93ree", "not UTF-8: byte 0x93 at offset 10 (line 3)"),
        (b"\xef\xbb\xbfa\n\xff", "not UTF-8: byte 0xFF at offset 5 (line 2)"),
        (b"cut \xe6\xb0", "not UTF-8: byte 0xE6 at offset 4 (line 1)"),
        (b"\xed\xa0\x80", "not UTF-8: byte 0xED at offset 0 (line 1)"),  # a surrogate
        (codecs.BOM_UTF16_LE + b"a\0\x00\xdc", "not UTF-16-LE: byte 0x00 at offset 4 (line 1)"),
        (codecs.BOM_UTF16_LE + b"a\0b", "not UTF-16-LE: byte 0x62 at offset 4 (line 1)"),
    ],
)
def test_what_is_not_in_the_encoding_names_file_place_and_remedy(data: bytes, place: str) -> None:
    with pytest.raises(ReadError) as caught:
        decode(data, "docs/a.md")
    message = str(caught.value)
    assert message.startswith(f"docs/a.md: {place}")
    assert "--encoding cp1252" in message
    assert "--skip-broken" in message
    assert caught.value.path == "docs/a.md"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_text_without_a_mark_is_not_taken_for_utf8(encoding: str) -> None:
    with pytest.raises(ReadError, match=r"every other byte is NUL: UTF-16 without .*--encoding utf-16-le"):
        decode("A plain text.".encode(encoding), "a.md")


def test_a_few_nul_characters_are_text() -> None:
    assert decode(b"a\0b plain text\0\0 with some", "a.md") == ("a\0b plain text\0\0 with some", 0)


def test_an_unknown_encoding_is_refused_by_name() -> None:
    with pytest.raises(SettingError, match="no encoding is called 'utf-ate'"):
        decode(b"a", "a.md", "utf-ate")


def test_an_unknown_encoding_is_told_once_and_not_for_each_file(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_text("# Title\n", "utf-8")
    with pytest.raises(SettingError, match=r"\Ano encoding is called 'utf-ate'"):
        read(tmp_path, encoding="utf-ate")


@pytest.mark.parametrize("encoding", ["rot13", "base64", "hex", "zlib"])
def test_what_is_no_encoding_of_text_is_refused(encoding: str) -> None:
    with pytest.raises(ReadError, match=f"a.md: .*{encoding}"):
        decode(b"YQ==", "a.md", encoding)


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8", codecs.BOM_UTF8), ("utf-16-le", codecs.BOM_UTF16_LE)]
)
def test_places_in_the_decoded_file_count_the_mark(tmp_path: Path, encoding: str, mark: bytes) -> None:
    (tmp_path / "a.md").write_bytes(mark + TEXT.encode(encoding))
    (tmp_path / "b.md").write_bytes(TEXT.encode())
    marked, plain = read(tmp_path)
    assert marked.text == plain.text == TEXT
    assert marked.to_raw((2, 7)) == (3, 8)
    assert marked.from_raw((3, 8)) == (2, 7)
    assert marked.from_raw((0, 1)) == (0, 0)
    assert plain.to_raw((2, 7)) == plain.from_raw((2, 7)) == (2, 7)
    assert marked.shift == 1
    assert plain.shift == 0


@pytest.mark.parametrize("text", ["", "a", "a\r\nb\rc\nd", "\n", " \t\n", "e\u0301\u200b\x00\x1b[0m\x0c"])
def test_line_ends_and_odd_characters_stay(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.md").write_bytes(text.encode())
    (document,) = read(tmp_path)
    assert document.text == text
