from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.golden import load_golden, write_golden
from chunkwise.golden.families import join_families
from chunkwise.types import Gold, GoldenSet, Place, Question, Span
from tests.golden.make import corpus, document, folder, lines, row

TEXTS = {
    "a.md": "One two\nthree four five six seven eight nine ten.",
    "b/c d.md": "📦 Eleven twelve thirteen fourteen.",
}
DIGESTS = {name: document(name, text).digest for name, text in TEXTS.items()}


@st.composite
def places(draw):
    doc = draw(st.sampled_from(sorted(TEXTS)))
    start = draw(st.integers(0, len(TEXTS[doc]) - 1))
    return Place(doc, Span(start, draw(st.integers(start + 1, len(TEXTS[doc])))))


@st.composite
def golds(draw):
    found = draw(st.lists(places().filter(lambda p: read(p).strip()), min_size=1, max_size=3, unique=True))
    return Gold(draw(st.sampled_from(["", " ".join(read(found[0]).split())])), tuple(found))


def read(place):
    return TEXTS[place.doc][slice(*place.span)]


@st.composite
def questions(draw):
    words = st.text(min_size=1, max_size=8).filter(lambda t: t.strip() and t.isprintable())
    names = draw(st.lists(words, unique=True, min_size=1, max_size=4))
    found = []
    for i, name in enumerate(names):
        tags = draw(
            st.dictionaries(st.sampled_from(["kind", "doc", "id", "tags", "start"]), words, max_size=3)
        )
        found.append(
            Question(
                name,
                f"{i}: {draw(words)}?",
                tuple(
                    draw(st.lists(golds(), min_size=1, max_size=3, unique_by=lambda g: frozenset(g.places)))
                ),
                family=draw(st.sampled_from(["", "f", "g", *names])),
                tags={**tags, "answer_length": "short"},
                origin=draw(st.sampled_from(["written", "heading", "model"])),
                reviewed=draw(st.booleans()),
            )
        )
    return join_families(found)


@given(questions())
def test_what_is_written_is_read_back(tmp_path_factory, found):
    named = {p.doc for q in found for g in q.golds for p in g.places}
    golden = GoldenSet(found, {doc: digest for doc, digest in DIGESTS.items() if doc in named})
    path = tmp_path_factory.getbasetemp() / "written.jsonl"
    write_golden(golden, path)
    again = load_golden(path, corpus(TEXTS))
    assert again == golden
    assert again.digest == golden.digest
    first = path.read_bytes()
    write_golden(again, path)
    assert path.read_bytes() == first


def test_the_form_is_plain(tmp_path):
    path = lines(tmp_path / "g.jsonl", [row(gold="two three", kind="fact", family="f")])
    write_golden(load_golden(path, corpus(TEXTS)), tmp_path / "out.jsonl")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == {
        "id": "q1", "question": "How warm?", "doc": "a.md", "gold": [4, 13], "quote": "two three",
        "family": "f", "kind": "fact", "answer_length": "short",
    }  # fmt: skip


def test_letters_stay_as_they_are_unless_they_cannot_be_written(tmp_path):
    gold = Gold("", (Place("a.md", Span(0, 3)),))
    write_golden(
        GoldenSet([Question("ü", "日記?", (gold,)), Question("x", "\ud800?", (gold,))]), tmp_path / "g"
    )
    first, second = (tmp_path / "g").read_text(encoding="utf-8").splitlines()
    assert "日記" in first
    assert "\\ud800" in second


def test_nothing_half_written_is_left(tmp_path, monkeypatch):
    path = tmp_path / "g.jsonl"
    path.write_text("old")

    def fails(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(KeyboardInterrupt):
        write_golden(GoldenSet([]), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("path", "docs"),
    [
        ("constitution/golden.jsonl", "constitution/docs"),
        ("chroma-eval/questions_df.csv", "chroma-eval/corpora"),
    ],
)
def test_real_golden_sets_are_read_back(shared, tmp_path, path, docs):
    pages = folder(shared / "corpora" / docs)
    golden = load_golden(shared / "corpora" / path, pages)
    write_golden(golden, tmp_path / "g.jsonl")
    assert load_golden(tmp_path / "g.jsonl", pages) == golden
