"""Promises of the text and structure rooms, on generated texts."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from chunkwise.spec import Spec, escape, parse, unescape
from chunkwise.structure import parse_markdown, parse_plain
from chunkwise.text import grapheme_ceil, grapheme_floor, is_blank, sentence_ends, sentences
from chunkwise.types import BlockKind, Blocks, Document, Sections, Structure

from .strategies import KINDS, Made, markdown

TEXTS = st.one_of(markdown().map(lambda made: made.text), st.text(st.characters(exclude_categories=["Cs"])))
SEEN = [kind for kind in BlockKind if kind is not BlockKind.PAGE_BREAK]  # Markdown has no pages
BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_drawn(kind: str) -> None:
    # `find` raises where no example of the kind turns up.
    sample = settings(max_examples=400, derandomize=True, database=None, phases=["generate"])
    assert kind in find(markdown(), lambda made: kind in made.kinds, settings=sample).kinds


@pytest.mark.parametrize("kind", SEEN, ids=lambda kind: kind.name)
def test_every_block_kind_is_parsed(kind: BlockKind) -> None:
    def holds(made: Made) -> bool:
        return kind in parse_markdown(made.text, "a.md").blocks.kind

    sample = settings(max_examples=400, derandomize=True, database=None, phases=["generate"])
    assert holds(find(markdown(), holds, settings=sample))


def tiles(blocks: Blocks, text: str) -> None:
    """The blocks of depth 0 tile the text, and what is visible of each lies in the one that holds it."""
    length = len(text)
    top = blocks.top()
    ends = [blocks.end[i] for i in top]
    assert [blocks.start[i] for i in top] == [0, *ends][: len(top)]
    assert ends[-1:] == ([length] if length else [])
    open_: list[int] = []
    for i, block in enumerate(blocks):
        del open_[block.depth :]
        assert block.depth == len(open_)
        assert block.span.start < block.span.end
        if open_:
            above = blocks[open_[-1]]
            last = block.span.start + len(text[block.span.start : block.span.end].rstrip())
            assert above.span.contains((block.span.start, last)), (above, block)
        if i and block.depth:
            assert block.span.start >= blocks.start[i - 1]
        open_.append(i)


def nests(sections: Sections, text: str) -> None:
    """Leaf sections tile the text; each lies in its parent, whose level is smaller."""
    assert sections[0].span.start == 0
    assert [s.span.end for s in sections] == [*(s.span.start for s in sections[1:]), len(text)]
    for section in sections[1:]:
        assert 1 <= section.level <= 6
        assert section.span.start < section.body <= section.span.end
        assert section.span.end <= section.last <= len(text)
        # A section begins with its heading line, not with blank lines in front of it.
        assert not is_blank(re.split(r"[\r\n]", text[section.span.start : section.body], maxsplit=1)[0])
        assert sections.at(section.span.start) == section.number
        if section.parent >= 0:
            above = sections[section.parent]
            assert above.level < section.level
            assert above.span.start < section.span.start
            assert section.last <= above.last
            assert sections.path(section.number)[: len(sections.path(above.number))] == sections.path(
                above.number
            )


@pytest.mark.parametrize("parse_text", [parse_markdown, parse_plain])
@given(text=TEXTS)
def test_structure_tiles_and_nests(parse_text, text: str) -> None:
    found: Structure = parse_text(text, "a.md")
    tiles(found.blocks, text)
    nests(found.sections, text)


@given(text=TEXTS)
def test_headings_are_blocks_and_sections(text: str) -> None:
    document = Document("a.md", text, parse_markdown)
    blocks = document.blocks
    headings = [blocks[i] for i in blocks.top() if blocks.kind[i] == BlockKind.HEADING]
    # Blank lines at the beginning of a text are of its first block, and of no section below the whole.
    starts = [BLANK_LINES.match(text, *b.span).end() for b in headings]
    assert list(zip(starts, [b.level for b in headings], strict=True)) == [
        (s.span.start, s.level) for s in document.sections[1:]
    ]


@given(text=TEXTS)
def test_sentences_tile(text: str) -> None:
    ends = sentence_ends(text)
    assert ends == sorted(set(ends))
    assert ends[-1:] == ([len(text)] if text else [])
    spans = sentences(text)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    kept = "".join(text[a:b] for a, b in spans)
    assert [c for c in kept if not is_blank(c)] == [c for c in text if not is_blank(c)]


@given(text=TEXTS, data=st.data())
def test_grapheme_bounds_enclose(text: str, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(text)))
    low, high = grapheme_floor(text, position), grapheme_ceil(text, position)
    assert 0 <= low <= position <= high <= len(text)
    assert grapheme_floor(text, low) == low
    assert grapheme_floor(text, high) == high


NAMES = st.from_regex(r"[a-z_][a-z0-9_.]{0,8}", fullmatch=True)
KEYS = st.from_regex(r"[a-z_][a-z0-9_]{0,8}", fullmatch=True)
VALUES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).map(escape)


@given(
    name=NAMES,
    label=st.sampled_from(["", "mine", "a row 2"]),
    settings_=st.dictionaries(KEYS, VALUES.filter(lambda value: value == value.strip()), max_size=3),
)
def test_specs_parse_back(name: str, label: str, settings_: dict[str, str]) -> None:
    spec = Spec(name, settings_, label)
    assert parse(str(spec)) == [spec]
    assert [str(found) for found in parse(str(spec))] == [str(spec)]


@given(value=st.text())
def test_escaped_values_come_back(value: str) -> None:
    assert unescape(escape(value)) == value
