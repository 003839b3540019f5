"""What is kept of a document for other sizes changes no chunk, is bounded, and goes with the document."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from weakref import ref

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.strategies import markdown

from chunkwise.chunk import CHUNKERS, Heading
from chunkwise.chunk.kept import KNOWN, LAST, Kept, Regions
from chunkwise.structure import parse_markdown
from chunkwise.types import Document


def fresh(text: str, name: str = "a.md") -> Document:
    """A document that no chunker has seen."""
    return Document(name, text, parse_markdown)


@pytest.mark.parametrize("unit", ["chars", "words", "cl100k"])
@pytest.mark.parametrize("name", ["heading", "section"])
@settings(max_examples=60)
@given(made=markdown(most=6), data=st.data())
def test_a_document_that_was_cut_before_is_cut_as_a_fresh_one(
    name: str, unit: str, made: Any, data: st.DataObject
) -> None:
    """Sizes in any order, settings that share regions and others that do not."""
    if unit == "cl100k":
        pytest.importorskip("tiktoken")
    document = fresh(made.text)
    most = 400 if unit == "chars" else 80
    for _ in range(data.draw(st.integers(2, 5))):
        size = data.draw(st.integers(12, most))
        chunker = CHUNKERS[name](
            size=size,
            unit=unit,
            overlap=data.draw(st.sampled_from([0, 0, size // 4])),
            path=data.draw(st.sampled_from([True, True, True, False])),
            lead_in=data.draw(st.sampled_from([False, False, True])),
            index_clean=data.draw(st.sampled_from([False, False, True])),
        )
        assert chunker(document) == chunker(fresh(made.text))


@pytest.mark.parametrize("name", ["heading", "section"])
@settings(max_examples=100)
@given(made=markdown(most=6), data=st.data())
def test_pieces_that_are_made_once_with_and_without_the_path_are_those_of_each(
    name: str, made: Any, data: st.DataObject
) -> None:
    """Whichever comes first, also where a context is shortened. A function is asked every time."""
    document = fresh(made.text)
    given_ = {
        "size": data.draw(st.integers(12, 300)),
        "lead_in": data.draw(st.booleans()),
        "table_header": data.draw(st.booleans()),
    }
    for path in data.draw(st.permutations([True, False, True])):
        chunks = CHUNKERS[name](path=path, **given_)(document)
        alone = CHUNKERS[name](path=path, unit=len, **given_)(fresh(made.text))
        assert [chunk._replace(chunker="") for chunk in chunks] == [
            chunk._replace(chunker="", parent=own.parent) for chunk, own in zip(alone, chunks, strict=True)
        ]


def test_pieces_go_with_their_document() -> None:
    document = fresh("# A\n\nText.\n")
    Heading(size=40)(document)
    last, known = LAST._known
    assert last is not None
    assert last() is document
    assert len(known) == 1
    del known
    del document
    gc.collect()
    assert LAST._known == (None, {})


TEXT = "# A\n\n" + "".join(f"## Part {i}\n\n{'one two three. ' * (i % 7 + 1)}\n\n" for i in range(40))


def test_threads_get_the_chunks_that_one_gets() -> None:
    document = fresh(TEXT)
    sizes = [6 + i % 20 for i in range(200)]
    alone = {size: Heading(size=size, unit="words")(fresh(TEXT)) for size in set(sizes)}
    with ThreadPoolExecutor(8) as pool:
        cut = list(pool.map(lambda size: Heading(size=size, unit="words")(document), sizes))
    assert all(chunks == alone[size] for size, chunks in zip(sizes, cut, strict=True))


def test_a_section_that_both_sizes_hold_is_one_text() -> None:
    document = fresh(TEXT)
    small, large = Heading(size=20, unit="words")(document), Heading(size=40, unit="words")(document)
    texts = {id(chunk.text) for chunk in small}
    assert sum(id(chunk.text) in texts for chunk in large) > 20
    assert {chunk.chunker for chunk in large} == {Heading(size=40, unit="words").spec}


def test_a_document_that_is_gone_leaves_nothing() -> None:
    gc.collect()  # what other tests left
    document = fresh(TEXT)
    Heading(size=12, unit="words")(document)
    gone = ref(document)
    before = len(KNOWN._known)
    del document
    gc.collect()
    assert gone() is None
    assert len(KNOWN._known) == before - 1


def test_no_more_is_kept_than_said() -> None:
    kept = Kept(most=100)
    made: list[Regions] = []

    def regions(document: Document, settings: str = "") -> Regions:
        def make() -> Regions:
            made.append(Regions(len(document.text), [], []))
            return made[-1]

        return kept.regions(document, settings, make)

    first, second, third = (fresh(letter * 40) for letter in "abc")
    assert regions(first) is regions(first)
    assert regions(first) is not regions(second)
    assert len(made) == 2
    regions(first)
    regions(third)  # the second was used the longest ago
    regions(first)
    assert len(made) == 3
    regions(second)
    assert len(made) == 4
    large = fresh("x" * 500)
    assert regions(large) is regions(large)  # more than all: it is kept alone
    assert len(kept._known) == 1
    other = fresh("y")
    regions(other, "one")
    regions(other, "other")
    assert len(kept._known) == 1
    assert kept._held == 2


def test_counters_of_others_may_change_their_mind() -> None:
    """Nothing is kept where it is not known what a function counts."""
    worth = 1

    def words(text: str) -> int:
        return worth * len(text.split())

    document = fresh(TEXT)
    chunker = Heading(size=24, unit=words)
    few = len(chunker(document))
    worth = 3
    assert len(chunker(document)) > few
