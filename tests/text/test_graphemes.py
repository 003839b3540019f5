"""Grapheme clusters, against the whole-text answer of `regex`."""

from __future__ import annotations

import sys

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.text import grapheme_ceil, grapheme_ends, grapheme_floor, graphemes

ATOMS = [
    *("a", "é", "e\u0301", "a\u0300\u0301\u0302", "\u0301", "\r", "\n", "\r\n", " ", "\t", "\x00"),
    *("👩‍🔧", "👨‍👩‍👧‍👦", "👍🏽", "🏽", "1️⃣", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "\u200d", "\ufe0f"),
    *("🇩🇰", "🇸", "🇪", "🇩🇰🇸🇪🇩"),  # regional indicators pair up from the left
    *("क्षि", "क", "\u094d", "ก็", "กำ", "한", "\u1112", "\u1161", "\u11ab", "가\u11a8"),
    *(
        "水",
        "は\u3099",
        "Ж",
        "α\u0345",
        "ש\u05b8",
        "\u0600",
        "\u06dd",
        "\U000110bd",
        "\u0d4e",
        "\u200b",
        "\u00ad",
    ),
]
TEXTS = st.lists(st.one_of(st.sampled_from(ATOMS), st.text(max_size=2)), max_size=14).map("".join)


def bounds(text: str) -> list[int]:
    """All cluster boundaries, found over the whole text at once."""
    return [0, *(match.end() for match in regex.finditer(r"\X", text))]


@given(TEXTS)
@example("🇩🇰🇸🇪🇩a")
@example("x\u0600\u0600a\u0301")
@example("\ud800\u0301\udfff")
def test_floor_and_ceil_are_the_nearest_bounds(text: str) -> None:
    found = bounds(text)
    for position in range(len(text) + 1):
        assert grapheme_floor(text, position) == max(b for b in found if b <= position)
        assert grapheme_ceil(text, position) == min(b for b in found if b >= position)


@given(TEXTS)
def test_ends_are_those_of_the_slice(text: str) -> None:
    assert grapheme_ends(text, 0, len(text)) == bounds(text)[1:]


@pytest.mark.parametrize("position", [-3, -1, 99])
def test_positions_outside_go_to_the_nearest_end(position: int) -> None:
    expected = 0 if position < 0 else 2
    assert grapheme_floor("ab", position) == grapheme_ceil("ab", position) == expected


@pytest.mark.parametrize("before", range(0x300, 0xA000, 0x35))
def test_a_start_is_safe_in_every_block(before: int) -> None:
    """Where the look back stops, a cluster begins: tried with one character of every few."""
    for after in ("\u0301", "\u200d", "\U0001f3fd", "a", "\u0600", "한", "\ufe0f"):
        text = f"क्{chr(before)}{after}x"
        for position in range(1, len(text)):
            assert grapheme_floor(text, position) == max(b for b in bounds(text) if b <= position)


def test_a_long_cluster_is_found_as_far_as_is_looked() -> None:
    text = "a" + "\u0301" * 900 + "b"
    assert grapheme_floor(text, 500) == 0
    assert grapheme_ceil(text, 500) == 901


class Counted(str):
    """A text that counts how often one of its characters is looked at."""

    looks = 0

    def __getitem__(self, key: object) -> str:
        type(self).looks += 1
        return str.__getitem__(self, key)  # type: ignore[index]


@pytest.mark.parametrize("unit", ["🇩🇰", "\u0301", "👍🏽", "\u200d", "क्"])
def test_the_look_back_is_bounded(unit: str) -> None:
    text = Counted(unit * 20_000)
    Counted.looks = 0
    floor = grapheme_floor(text, len(text) - 3)
    assert Counted.looks < 2_000
    assert len(text) - 3 - 1_100 < floor <= len(text) - 3


@pytest.mark.parametrize("before", ["", "a", "👍🏽", "🇩\ufe0f", "\u0600", "क्" * 2_000])
def test_flags_are_pairs_however_long_their_run_is(before: str) -> None:
    text = f"{before}{'🇩🇰' * 3_000}🇸{before}{'🇸🇪' * 2_000}x"
    found = bounds(text)
    for position in (*range(4_900, 4_910), *range(len(text) - 1_500, len(text), 7), 5_003, len(before) + 1):
        assert grapheme_floor(text, position) == max(b for b in found if b <= position), position
        assert grapheme_ceil(text, position) == min(b for b in found if b >= position), position


class Sliced(str):
    """A text that counts how many of its characters are looked at."""

    looks = 0

    def __getitem__(self, key: object) -> str:
        found = str.__getitem__(self, key)  # type: ignore[index]
        type(self).looks += len(found)
        return found


@pytest.mark.parametrize("step", [500, -500])
def test_a_text_of_flags_is_looked_at_a_few_times(step: int) -> None:
    text = Sliced("🇩🇰" * 100_000)
    Sliced.looks = 0
    for position in range(1, len(text), 500)[:: 1 if step > 0 else -1]:
        assert grapheme_floor(text, position) == position - 1
    assert Sliced.looks < 12 * len(text)


def test_every_code_point_begins_a_cluster_behind_a_letter_as_regex_says() -> None:
    for code in range(0, sys.maxunicode, 61):
        if 0xD800 <= code < 0xE000:
            continue
        text = f"a{chr(code)}b"
        for position in (1, 2):
            expected = max(b for b in bounds(text) if b <= position)
            assert grapheme_floor(text, position) == expected, hex(code)


def test_every_prepended_mark_is_known() -> None:
    every = "".join(map(chr, range(sys.maxunicode + 1)))
    assert set(regex.findall(r"\p{GCB=Prepend}", every)) <= graphemes._PREPENDED
