"""Measures that count text, and nDCG: worked by hand, in plain loops, with arrays, and with sets."""

from __future__ import annotations

import re
from dataclasses import replace
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import SettingError
from chunkwise.measure import (
    RULES,
    Found,
    Iou,
    Ndcg,
    Places,
    Precision,
    PrecisionOmega,
    TextRecall,
    columns,
    parse_measure,
)
from chunkwise.types import ChunkTable, Measure, Question, Ranking

from .world import World, question, ranking, table, worlds

TEXT = ("text-recall@1", "text-recall@5", "precision@1", "precision@5", "iou@2", "iou@5", "precision-omega")
NDCG = ("ndcg@1", "ndcg@2", "ndcg@10")
TOUCHING = PrecisionOmega(touching=True)


def value(measure: str | Measure, asked: Question, found: Ranking, chunks: ChunkTable) -> float:
    """One value, taken both ways."""
    one = parse_measure(measure) if isinstance(measure, str) else measure
    plain = one.score(asked, found, chunks)
    array = columns(Found(chunks, [found], Places.of([asked], chunks.doc_ids)), [one])
    assert array[0, 0] == pytest.approx(plain)
    return plain


def test_text_that_is_found_read_and_missed() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20), (0, 20, 30)])
    asked = question([("a", 8, 12)], [("a", 25, 31)])
    found = ranking(0, 2, 1)
    # 10 needed; found after one chunk 2, after two 2 + 5, after three 2 + 5 + 2.
    assert [value(f"text-recall@{k}", asked, found, chunks) for k in (1, 2, 3)] == [0.2, 0.7, 0.9]
    assert [value(f"precision@{k}", asked, found, chunks) for k in (1, 2, 3)] == [0.2, 0.35, 0.3]
    assert [value(f"iou@{k}", asked, found, chunks) for k in (1, 2)] == [2 / 18, 7 / 23]
    assert value("precision-omega", asked, ranking(), chunks) == 9 / 31


def test_copies_are_found_once_and_read_twice() -> None:
    chunks = table([(0, 60, 125), (0, 95, 155), (0, 0, 103)])
    asked = question([("a", 100, 115)])
    found = ranking(0, 1, 2)
    assert value("text-recall@5", asked, found, chunks) == 1
    assert value("precision@5", asked, found, chunks) == 15 / (65 + 60 + 103)
    assert value("iou@5", asked, found, chunks) == 15 / (65 + 60 + 103)
    # As if all three were retrieved, each position once.
    assert value("precision-omega", asked, ranking(), chunks) == 15 / 155
    for name in NDCG:
        assert value(name, asked, found, chunks) == 1


def test_touching_is_no_overlap_unless_it_is_asked_for() -> None:
    chunks = table([(0, 0, 10), (0, 10, 14), (0, 14, 20), (0, 21, 30)])
    asked = question([("a", 10, 14)])
    assert value("precision-omega", asked, ranking(), chunks) == 1
    assert value(TOUCHING, asked, ranking(), chunks) == 4 / 20


def test_the_best_place_of_a_gold_counts() -> None:
    chunks = table([(0, 0, 10), (1, 0, 100)], docs=("a", "b"))
    asked = question([("a", 2, 7), ("b", 1, 6)])
    assert value("precision@1", asked, ranking(1), chunks) == 0.05
    assert value("text-recall@1", asked, ranking(1), chunks) == 1
    assert value("precision-omega", asked, ranking(), chunks) == 0.5


def test_golds_that_overlap_count_once() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20)])
    asked = question([("a", 4, 8)], [("a", 6, 12)])
    assert value("text-recall@1", asked, ranking(0), chunks) == 6 / 8
    assert value("precision@1", asked, ranking(0), chunks) == 0.6


def test_a_chunk_without_a_place_is_read_for_nothing() -> None:
    chunks = replace(table([(0, 0, 10), (0, -1, -1)]), lengths=np.array([10, 30]))
    asked = question([("a", 0, 10)])
    assert value("precision@2", asked, ranking(0, 1), chunks) == 0.25
    assert value("iou@2", asked, ranking(0, 1), chunks) == 0.25
    assert value("precision@2", asked, ranking(0, 1), replace(chunks, lengths=None)) == 1


def test_nothing_retrieved_is_zero_and_no_nan() -> None:
    asked = question([("a", 2, 5)])
    for chunks in (table([(0, 0, 10)]), table([])):
        for name in [*TEXT[:-1], *NDCG]:
            assert value(name, asked, ranking(), chunks) == 0
    assert value("precision-omega", asked, ranking(), table([])) == 0
    assert value("precision-omega", question([("b", 2, 5)]), ranking(), table([(0, 0, 10)])) == 0


# --- nDCG.


def test_each_span_gains_once_at_the_first_rank_that_finds_it() -> None:
    chunks = table([(0, 0, 10), (0, 0, 12), (0, 30, 40), (0, 50, 60)])
    asked = question([("a", 2, 5)], [("a", 31, 33)])
    ideal = 1 + 1 / log2(3)
    assert value("ndcg@3", asked, ranking(0, 1, 2), chunks) == pytest.approx((1 + 1 / 2) / ideal)
    assert value("ndcg@2", asked, ranking(0, 1, 2), chunks) == pytest.approx(1 / ideal)
    assert value("ndcg@3", asked, ranking(0, 2), chunks) == 1
    assert value("ndcg@1", asked, ranking(2), chunks) == 1
    assert value("ndcg@9", asked, ranking(3, 0, 2), chunks) == pytest.approx((1 / log2(3) + 1 / 2) / ideal)


def test_a_chunk_with_all_spans_is_the_ideal_and_not_more() -> None:
    chunks = table([(0, 0, 60), (0, 50, 60)])
    asked = question([("a", 2, 5)], [("a", 31, 33)], [("a", 40, 44)])
    for k in (1, 2, 3, 10):
        assert value(f"ndcg@{k}", asked, ranking(0), chunks) == pytest.approx(1)
    second = value("ndcg@3", asked, ranking(1, 0), chunks)
    assert second == pytest.approx((2 / log2(3) + 1 / 2) / (1 + 1 / log2(3) + 1 / 2))


# --- Units.

WORDS = ["The oil is changed every 180 days. Use (grade) 46 oil.", "No word of it here."]


def in_words(spans: list[tuple[int, int, int]]) -> ChunkTable:
    def units(doc: int) -> tuple[np.ndarray, np.ndarray]:
        found = [m.span() for m in re.finditer(r"\S+", WORDS[doc])]
        return tuple(np.array(column, dtype=np.int64) for column in zip(*found, strict=True))

    made = table(spans, docs=("a", "b"))
    sent = np.array([len(WORDS[d][s:e].split()) if s >= 0 else 3 for d, s, e in spans], dtype=np.int64)
    return replace(made, sent=sent, unit="words", units=units)


def gold(quote: str) -> list[tuple[str, int, int]]:
    start = WORDS[0].index(quote)
    return [("a", start, start + len(quote))]


def test_words_are_counted_whole() -> None:
    end = WORDS[0].index("Use")
    chunks = in_words([(0, 0, end), (0, end, len(WORDS[0])), (1, 0, 19), (1, -1, -1)])
    # Neither the full stop behind "days" nor the bracket before "grade" makes a word of its own.
    asked = question(gold("every 180 days"), gold("grade"))
    assert value("text-recall@1/words", asked, ranking(0), chunks) == 3 / 4
    assert value("precision@1/words", asked, ranking(0), chunks) == 3 / 7
    assert value("iou@2/words", asked, ranking(0, 2), chunks) == 3 / 13
    assert value("precision@3/words", asked, ranking(0, 2, 3), chunks) == 3 / 15
    assert value("precision-omega/words", asked, ranking(), chunks) == 4 / 11


def test_a_word_that_is_cut_belongs_to_the_chunk_with_its_beginning() -> None:
    cut = WORDS[0].index("anged")
    chunks = in_words([(0, 0, cut), (0, cut, len(WORDS[0]))])
    asked = question(gold("changed"))
    assert value("text-recall@1/words", asked, ranking(0), chunks) == 1
    assert value("text-recall@1/words", asked, ranking(1), chunks) == 0
    assert value("precision@2/words", asked, ranking(0, 1), chunks) == 1 / 11


def test_another_unit_than_that_of_the_chunks_is_refused() -> None:
    asked, chunks = question([("a", 2, 5)]), table([(0, 0, 10)])
    for one in (TextRecall(3, "words"), Precision(3, "words"), Iou(3, "words"), PrecisionOmega("words")):
        with pytest.raises(SettingError, match="unit='words'"):
            one.score(asked, ranking(0), chunks)
        with pytest.raises(SettingError, match="unit='words'"):
            columns(Found(chunks, [ranking(0)], Places.of([asked], ("a",))), [one])
    unknown = replace(chunks, unit="words")
    with pytest.raises(SettingError, match="measure in characters"):
        columns(Found(unknown, [ranking(0)], Places.of([asked], ("a",))), [Precision(3, "words")])


# --- All three ways, on worlds made by chance.


def by_sets(name: str, asked: Question, found: Ranking, chunks: ChunkTable, unit: int) -> float:
    """The value, counted with sets of positions; a unit is so many characters of a document."""

    def held(doc: int, start: int, end: int) -> set[tuple[int, int]]:
        if unit == 1:
            return {(doc, i) for i in range(start, end)}
        return {(doc, i // unit) for i in range(start, end) if i % unit == 0}

    def letters(chunk: int) -> set[tuple[int, int]]:
        doc, start, end = (int(c[chunk]) for c in (chunks.docs, chunks.starts, chunks.ends))
        return held(doc, start, end) if start >= 0 else set()

    dead = set()
    if chunks.gaps is not None:
        for doc, start, end, blank in zip(*(c.tolist() for c in chunks.gaps), strict=True):
            dead |= held(doc, start, end) if blank else set()
    kind, _, k = name.partition("@")
    golds = [
        [{("ab".index(p.doc), i // unit) for i in range(*p.span)} - dead for p in gold.places]
        for gold in asked.golds
    ]
    first = found.chunks.tolist()[: int(k or 0)]
    if kind == "precision-omega":
        every = [letters(c) for c in range(len(chunks))]

        def near(place: set[tuple[int, int]]) -> set[tuple[int, int]]:
            return set().union(*(own for own in every if own & place))

        chosen = [max(g, key=lambda p: len(p & near(p)) / max(len(p | near(p)), 1)) for g in golds]
        needed, read = set().union(*chosen), set().union(*map(near, chosen))
        return len(needed & read) / max(len(needed | read), 1)
    seen = set().union(*map(letters, first))
    needed = set().union(*(max(g, key=lambda p: len(p & seen) / max(len(p), 1)) for g in golds))
    both = len(needed & seen)
    unplaced = sum(int(chunks.sent[c]) for c in first if chunks.starts[c] < 0) if unit > 1 else 0
    read = sum(len(letters(c)) for c in first) + unplaced
    if kind == "text-recall":
        return both / max(len(needed), 1)
    if kind == "precision":
        return both / max(read, 1)
    return both / max(read + len(needed) - both, 1)


@given(worlds(), st.sampled_from([1, 2, 3]))
def test_arrays_definitions_and_sets_agree(world: World, unit: int) -> None:
    chunks, asked, found, texts = world

    def units(doc: int) -> tuple[np.ndarray, np.ndarray]:
        starts = np.arange(0, len(texts[doc]), unit)
        return starts, np.minimum(starts + unit, len(texts[doc]))

    suffix = ""
    if unit > 1:
        chunks, suffix = replace(chunks, unit="blocks", units=units), "/blocks"
    measures = [parse_measure(name + suffix) for name in TEXT]
    shared = Found(chunks, found, Places.of(asked, chunks.doc_ids))
    arrays = columns(shared, measures)
    pairs = list(zip(asked, found, strict=True))
    plain = [[m.score(q, r, chunks) for m in measures] for q, r in pairs]
    np.testing.assert_allclose(arrays, np.array(plain), atol=1e-12)
    sets = [[by_sets(name, q, r, chunks, unit) for name in TEXT] for q, r in pairs]
    np.testing.assert_allclose(arrays, np.array(sets), atol=1e-12)
    assert ((arrays >= 0) & (arrays <= 1)).all()
    touching = columns(shared, [TOUCHING])
    assert touching[:, 0].tolist() == pytest.approx([TOUCHING.score(q, r, chunks) for q, r in pairs])


@given(worlds())
def test_ndcg_is_the_same_both_ways_and_never_above_one(world: World) -> None:
    chunks, asked, found, _ = world
    shared = Found(chunks, found, Places.of(asked, chunks.doc_ids))
    measures = [Ndcg(k) for k in (1, 2, 5)]
    for rule in RULES.values():
        arrays = columns(shared, measures, rule=rule)
        plain = [[m.score(q, r, chunks, rule) for m in measures] for q, r in zip(asked, found, strict=True)]
        np.testing.assert_allclose(arrays, np.array(plain), atol=1e-12)
        assert ((arrays >= 0) & (arrays <= 1 + 1e-12)).all()
        hit, recall, mrr = columns(
            shared, [parse_measure(n) for n in ("hit@1", "recall@5", "mrr@5")], rule=rule
        ).T
        # All found at the top is 1; something found is more than 0, and only then.
        assert (arrays[:, 2][hit == 1] > 1 - 1e-12).all()
        assert ((arrays[:, 2] > 0) == (recall > 0)).all()
        assert (arrays[:, 2] >= mrr - 1e-12).all()


# --- Text forms.


@pytest.mark.parametrize(
    "name", [*TEXT, *NDCG, "iou@5/words", "precision@5//dir/tokenizer.json", "precision-omega/cl100k"]
)
def test_text_forms_print_and_parse_back(name: str) -> None:
    measure = parse_measure(name)
    assert measure.name == name
    assert hash(measure) == hash(parse_measure(name))


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("nDCG@10", "ndcg@10"),
        ("IoU@5", "iou@5"),
        ("precision_omega", "precision-omega"),
        ("omega", "precision-omega"),
        ("token_recall@5", "text-recall@5"),
    ],
)
def test_names_that_others_use(alias: str, name: str) -> None:
    assert parse_measure(alias).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ndcg", "needs a number of at least 1"),
        ("ndcg@10words", "only recall is taken at a budget"),
        ("precision@5words", "behind a slash"),
        ("precision@5/", "behind a slash"),
        ("precision-omega@5", "takes no number"),
        ("ceiling/words", "takes no unit"),
        ("precision-omega(touching)", "for published figures only"),
        ("iou(touching)@5", "for published figures only"),
        ("presicion@5", "did you mean 'precision'"),
    ],
)
def test_what_is_no_measure_says_why(text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        parse_measure(text)


def test_the_published_form_is_taken_where_it_is_asked_for() -> None:
    assert parse_measure(TOUCHING.name, published=True) == TOUCHING
    with pytest.raises(SettingError, match="for published figures only"):
        parse_measure("iou(touching)@5", published=True)
