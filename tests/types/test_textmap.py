"""The way between a text and what it was made from, against a plain walk over its characters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.types import Edit, TextMap, apply


@st.composite
def edits(draw: st.DrawFn, length: int, longest: int = 3) -> list[Edit]:
    places = sorted(draw(st.lists(st.integers(0, length), max_size=8)))
    found, reached = [], 0
    for start, end in zip(places[::2], places[1::2], strict=False):
        if start < reached or (found and start == reached and start == end):
            continue
        found.append(Edit(start, end, draw(st.text("xyz", max_size=longest)), "noise"))
        reached = end
    return found


def sources(text: str, made: list[Edit]) -> list[tuple[int, int]]:
    """For each character of the edited text the range of what it came from."""
    found, at = [], 0
    for edit in made:
        found += [(i, i + 1) for i in range(at, edit.start)]
        if len(edit.put) == edit.end - edit.start:
            found += [(i, i + 1) for i in range(edit.start, edit.end)]
        else:
            found += [(edit.start, edit.end)] * len(edit.put)
        at = edit.end
    return found + [(i, i + 1) for i in range(at, len(text))]


@given(st.data())
def test_a_span_leads_to_all_that_its_characters_came_from(data):
    text = data.draw(st.text("abc", max_size=20))
    made = data.draw(edits(len(text)))
    way, own = TextMap.of(made), sources(text, made)
    new = apply(text, made)
    assert len(own) == len(new)
    if not new:
        return
    start = data.draw(st.integers(0, len(new) - 1))
    end = data.draw(st.integers(start + 1, len(new)))
    raw = way.to_raw((start, end))
    pieces = [piece for piece in own[start:end] if piece[0] < piece[1]]
    if pieces:
        assert raw.start <= pieces[0][0]
        assert raw.end >= pieces[-1][1]
        # Nothing of a neighbour that is not shared with it.
        before = [piece for piece in own[:start] if piece not in pieces]
        behind = [piece for piece in own[end:] if piece not in pieces]
        assert not before or before[-1][1] <= max(raw.start, pieces[0][0])
        assert not behind or behind[0][0] >= raw.end
        back = way.from_raw(raw, len(new))
        # What was only put in came from nowhere: at the edges it is not found again.
        put_in = sum(a == b for a, b in own[start:end])
        assert back.start <= start + put_in
        assert back.end >= end - put_in


@given(st.data())
def test_two_ways_in_one_are_as_wide_as_one_after_the_other(data):
    text = data.draw(st.text("abc", min_size=1, max_size=16))
    # A longer text put in and then shortened to the old length would be taken for the old one.
    first = data.draw(edits(len(text), longest=1))
    middle = apply(text, first)
    second = data.draw(edits(len(middle), longest=1))
    last = apply(middle, second)
    one, other = TextMap.of(first), TextMap.of(second)
    whole = one.then(other)
    for position in range(len(last)):
        through = one.to_raw(other.to_raw((position, position + 1)))
        found = whole.to_raw((position, position + 1))
        if through.length:
            assert found.start <= through.start
            assert found.end >= through.end
    if last:
        assert whole.to_raw((0, len(last))).end <= len(text)
    assert list(whole.text) == sorted(whole.text)
    assert list(whole.raw) == sorted(whole.raw)


@given(st.data())
def test_places_between_characters_keep_their_order(data):
    text = data.draw(st.text("abc", max_size=20))
    made = data.draw(edits(len(text)))
    moved = TextMap.of(made).forward(range(len(text) + 1))
    assert moved == sorted(moved)
    assert not moved or 0 <= moved[0] <= moved[-1] <= len(apply(text, made))


@pytest.mark.parametrize(
    ("made", "text", "raw"),
    [
        ([Edit(2, 4, "", "")], (0, 2), (0, 2)),
        ([Edit(2, 4, "", "")], (2, 4), (4, 6)),
        ([Edit(2, 4, "", "")], (0, 4), (0, 6)),
        ([Edit(2, 3, "fi", "")], (3, 5), (2, 4)),
        ([Edit(2, 3, "-", "")], (2, 3), (2, 3)),
        ([Edit(2, 2, "new", "")], (2, 5), (2, 2)),
    ],
)
def test_each_kind_of_edit(made, text, raw):
    assert TextMap.of(made).to_raw(text) == raw


def test_a_mark_in_front_of_the_text_shifts_everything():
    way = TextMap([0], [1]).then(TextMap.of([Edit(3, 5, "", "")]))
    assert way.to_raw((0, 4)) == (1, 7)
    assert way.from_raw((1, 7), 10) == (0, 4)
