"""BM25 against its definition, written here with dictionaries; and the cases on words in all scripts."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index import Analyzer, Bm25, Bm25Retriever, make_retrievers, postings, ranking
from chunkwise.types import Chunk, Document, Span


def retriever(texts: Sequence[str], settings: Bm25 | None = None, analyzer: Analyzer | None = None):
    indexer = (settings or Bm25()).indexer(analyzer)
    indexer.add_texts(texts)
    assert len(indexer) == len(texts)
    return indexer.finish()


def found(answer: tuple[np.ndarray, np.ndarray]) -> list[tuple[int, float]]:
    return list(zip(answer[0].tolist(), answer[1].tolist(), strict=True))


class Dictionaries:
    """The published definition, word for word."""

    def __init__(self, chunks: Sequence[Sequence[str]], k1: float = 1.5, b: float = 0.75) -> None:
        self.k1, self.b = k1, b
        self.lengths = [len(words) for words in chunks]
        self.mean = sum(self.lengths) / max(len(chunks), 1)
        self.postings: dict[str, dict[int, int]] = {}
        for number, words in enumerate(chunks):
            for word, count in Counter(words).items():
                self.postings.setdefault(word, {})[number] = count

    def rank(self, question: Sequence[str]) -> list[tuple[int, float]]:
        scores: dict[int, float] = {}
        for word in dict.fromkeys(question):
            holding = self.postings.get(word, {})
            idf = math.log(1 + (len(self.lengths) - len(holding) + 0.5) / (len(holding) + 0.5))
            for number, f in holding.items():
                damping = self.k1 * (1 - self.b + self.b * self.lengths[number] / self.mean)
                gain = idf * f * (self.k1 + 1) / (f + damping)
                scores[number] = scores.get(number, 0.0) + gain
        return sorted(((n, round(s, 6)) for n, s in scores.items()), key=lambda pair: (-pair[1], pair[0]))


WORDS = st.lists(st.sampled_from(["pump", "gate", "bar", "valve", "six"]), max_size=6)


@given(
    chunks=st.lists(WORDS, max_size=12),
    question=WORDS,
    k1=st.sampled_from([0.0, 0.4, 1.5, 3.0]),
    b=st.sampled_from([0.0, 0.3, 0.75, 1.0]),
    depth=st.integers(1, 14),
    block=st.sampled_from([1, 5, 1 << 20]),
)
def test_rankings_are_those_of_the_definition(chunks, question, k1, b, depth, block) -> None:
    with mock.patch.object(postings, "BLOCK", block):
        ours = retriever([" ".join(words) for words in chunks], Bm25(k1, b))
    theirs = Dictionaries(chunks, k1, b).rank(question)
    everything = found(ours.search(" ".join(question), 100))
    assert [n for n, _ in everything] == [n for n, _ in theirs]
    np.testing.assert_allclose([s for _, s in everything], [s for _, s in theirs], atol=1.1e-6)
    assert found(ours.search(" ".join(question), depth)) == everything[:depth]


def test_a_score_counted_by_hand() -> None:
    # Two chunks of 1 and 3 words: avgL 2. "pump" is in one of two: idf = ln(1 + 1.5 / 1.5) = ln 2.
    ours = retriever(["gate", "pump pump gate"])
    gain = math.log(2) * 2 * 2.5 / (2 + 1.5 * (0.25 + 0.75 * 3 / 2))
    assert found(ours.search("Pump?", 5)) == [(1, round(gain, 6))]
    # A repeated word of the question counts once; a word in every chunk still counts a little.
    assert found(ours.search("pump pump", 5)) == found(ours.search("pump", 5))
    assert [n for n, _ in found(ours.search("gate", 5))] == [0, 1]


def test_equal_chunks_keep_their_order() -> None:
    ours = retriever(["gate six", "pump", *["gate opens"] * 50])
    numbers, scores = ours.search("gate opens", 5)
    assert numbers.tolist() == [2, 3, 4, 5, 6]
    assert len(set(scores.tolist())) == 1


def test_scores_that_differ_below_a_millionth_are_ties() -> None:
    # Near saturation, one occurrence more moves the score by less than 1e-6.
    texts = ["pump " * 20_000, "pump " * 20_001, "gate"]
    numbers, scores = retriever(texts, Bm25(b=0.0)).search("pump", 2)
    assert numbers.tolist() == [0, 1]
    assert scores[0] == scores[1]
    assert retriever(texts, Bm25(b=0.0)).search("pump", 1)[0].tolist() == [0]


def test_what_shares_no_word_is_not_returned() -> None:
    ours = retriever(["The answer is here.", "The other text is there.", "", "…"])
    for question in ("", "???", "zzz qqq", "_"):
        numbers, scores = ours.search(question, 5)
        assert (numbers.tolist(), scores.tolist()) == ([], [])
        assert numbers.dtype == np.int64
    assert [n for n, _ in found(ours.search("there", 5))] == [1]


@pytest.mark.parametrize("texts", [[], [""], ["", "…", "  "]])
def test_an_index_without_words_answers_nothing(texts: list[str]) -> None:
    ours = retriever(texts)
    assert len(ours) == len(texts)
    assert found(ours.search("pump", 3)) == []


def test_a_word_in_every_chunk_of_many_is_found_though_its_score_rounds_to_nothing() -> None:
    ours = Bm25Retriever(
        Bm25(b=0),
        analyzer := Analyzer(),
        postings.Postings(
            np.ones(2_000_000, dtype=np.int64),
            np.array([0, 2_000_000]),
            np.arange(2_000_000, dtype=np.int32),
            np.ones(2_000_000, dtype=np.int32),
        ),
    )
    analyzer.ids("the")
    assert found(ours.search("the", 3)) == [(0, 0.0), (1, 0.0), (2, 0.0)]


def test_chunks_are_numbered_in_the_order_in_which_they_are_added() -> None:
    def document(id: str, text: str) -> tuple[Document, list[Chunk]]:
        cuts = [Span(m.start(), m.end()) for m in re.finditer(r"[^\n]+", text)]
        pieces = [text[slice(*cut)] for cut in cuts]
        chunks = [Chunk(id, s, p, f"{id}\n{p}", s) for s, p in zip(cuts, pieces, strict=True)]
        return Document(id, text, lambda *_: None), chunks

    indexer = Bm25().indexer()
    indexer.add(*document("one", "The pump.\nThe gate.\n"))
    indexer.add(*document("none", ""))
    indexer.add(*document("two", "The gate opens.\n" * 400))
    ours = indexer.finish()
    assert len(ours) == 402
    assert [n for n, _ in found(ours.search("gate", 3))] == [1, 2, 3]
    # The context is searched with the chunk.
    assert [n for n, _ in found(ours.search("two", 500))] == list(range(2, 402))


@pytest.mark.parametrize("block", [1, 3, 7, 100])
def test_blocks_hold_whole_chunks_and_few_words(block: int) -> None:
    texts = ["pump gate", "", "six", "pump pump pump pump pump", "gate", "", "six pump"] * 3
    with mock.patch.object(postings, "BLOCK", block):
        analyzer = Analyzer()
        indexer = Bm25().indexer(analyzer)
        whole = "\n".join(texts)
        starts = np.cumsum([0, *(len(text) + 1 for text in texts)]).tolist()
        spans = [Span(s, s + len(text)) for s, text in zip(starts, texts, strict=False)]
        chunks = [Chunk("a", span, text, text, span) for span, text in zip(spans, texts, strict=True)]
        indexer.add(Document("a", whole, lambda *_: None), chunks)
        ours = indexer.finish()
        assert all(len(b.counts) == 1 or b.counts.sum() <= max(block, 5) for b in indexer._tally._blocks[0])
        assert (len(indexer._tally._blocks[0]) > 1) == (block < 100)
    expected = retriever(texts)
    for question in ("pump", "gate six", "six gate pump"):
        assert found(ours.search(question, 30)) == found(expected.search(question, 30))


def test_an_index_can_be_finished_again_with_more() -> None:
    indexer = Bm25().indexer()
    indexer.add_texts(["the pump"])
    assert len(indexer.finish()) == 1
    indexer.add_texts(["the gate"])
    ours = indexer.finish()
    assert [n for n, _ in found(ours.search("gate", 3))] == [1]
    assert [n for n, _ in found(ours.search("pump", 3))] == [0]


def test_candidates_share_one_vocabulary() -> None:
    analyzer = Analyzer()
    first = retriever(["the pump", "the gate"], analyzer=analyzer)
    assert found(first.search("valve", 3)) == []
    second = retriever(["a valve", "the gate"], Bm25(k1=0.5), analyzer)
    assert [n for n, _ in found(second.search("valve", 3))] == [0]
    assert found(first.search("valve", 3)) == []
    alone = retriever(["a valve", "the gate"], Bm25(k1=0.5))
    assert found(second.search("the gate valve", 3)) == found(alone.search("the gate valve", 3))


def test_a_batch_is_the_same_as_one_after_another() -> None:
    ours = retriever(["the pump", "the gate", "six"])
    questions = ["gate", "", "the pump", "gate"]
    batch = ours.search_all(questions, 2)
    assert list(map(found, batch)) == [found(ours.search(question, 2)) for question in questions]


@pytest.mark.parametrize("together", [1, 2_000, 1 << 17])
@pytest.mark.parametrize("k1", [1.5, 1e9])
@pytest.mark.parametrize("depth", [1, 7, 40, 1_000])
def test_the_best_of_many_chunks_are_those_of_all(together: int, k1: float, depth: int) -> None:
    generator = np.random.default_rng(depth)
    analyzer = Analyzer()
    retriever(["elsewhere"], analyzer=analyzer)
    # Words from rare to frequent, and chunks that come again: many scores are equal.
    chunks = [[f"w{w}" for w in range(12) if generator.random() < w / 13] for _ in range(300)] * 2
    ours = retriever([" ".join(words) for words in chunks], Bm25(k1), analyzer)
    asked = [[f"w{w}" for w in generator.choice(12, size=3)] for _ in range(30)] + [["elsewhere"], []]
    plain = Dictionaries(chunks, k1)
    with mock.patch.object(ranking, "_TOGETHER", together):
        batch = ours.search_all([" ".join(question) for question in asked], depth)
    for question, answer in zip(asked, batch, strict=True):
        whole = plain.rank(question)
        assert len(answer[0]) == min(depth, len(whole))
        own = dict(whole)
        np.testing.assert_allclose(answer[1], [s for _, s in whole][:depth], atol=1.1e-6)
        np.testing.assert_allclose(answer[1], [own[n] for n in answer[0].tolist()], atol=1.1e-6)
        pairs = [(-score, number) for number, score in found(answer)]
        assert pairs == sorted(pairs)


@pytest.mark.parametrize("depth", [2, 9, 40])
def test_scores_of_any_size_are_put_in_order(depth: int) -> None:
    # The largest leave no room for the number of a chunk beside them in one integer.
    generator = np.random.default_rng(3)
    chunks = [np.sort(generator.choice(40, 30, replace=False)).astype(np.int32) for _ in range(3)]
    weights = [generator.integers(1, 5, 30).astype(np.float64) for _ in range(3)]
    asked = ranking.Asked.of([(7, 8), (), (9,), (8, 7, 9), (7, 8)])
    assert asked.rows.tolist() == [0, -1, 1, 2, 0]
    small, large = (
        list(ranking.ranked(asked, ranking.Held(chunks, [own * factor for own in weights]), 40, depth))
        for factor in (1.0, 2.0**40)
    )
    two, three = (len(np.unique(np.concatenate(chunks[:n]))) for n in (2, 3))
    assert [len(own) for own, _ in small] == [min(depth, n) for n in (two, 0, 30, three, two)]
    for (numbers, scores), (other, larger) in zip(small, large, strict=True):
        assert numbers.tolist() == other.tolist()
        np.testing.assert_allclose(larger, scores * 2.0**40, rtol=1e-15)


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    with pytest.raises(SettingError, match=f"at least 1, got {depth}"):
        retriever(["a"]).search("a", depth)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("bm25", [Bm25()]),
        ("bm25:k1=1.2,words=ascii", [Bm25(k1=1.2, words="ascii")]),
        ("bm25:b=0.5|1,k1=2", [Bm25(k1=2, b=0.5), Bm25(k1=2, b=1)]),
        ("mine=bm25:k1=0", [Bm25(k1=0, label="mine")]),
    ],
)
def test_text_forms_make_retrievers(text: str, expected: list[Bm25]) -> None:
    assert make_retrievers(text) == expected


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (Bm25(), "bm25"),
        (Bm25(k1=1.5, b=0.75, words="unicode"), "bm25"),
        (Bm25(k1=2, words="ascii"), "bm25:k1=2,words=ascii"),
        (Bm25(b=0.1 + 0.2), "bm25:b=0.30000000000000004"),
    ],
)
def test_the_text_form_parses_back(settings: Bm25, text: str) -> None:
    assert settings.spec == text
    assert make_retrievers(text) == [settings]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("bm52", UnknownName, "unknown retriever 'bm52'; did you mean 'bm25'"),
        ("bm25:k=1", UnknownName, "unknown setting of bm25 'k'.*known: b, k1, words"),
        ("bm25:k1=high", SettingError, "bm25: k1 must be a number, got 'high'"),
        ("bm25:k1=-1", SettingError, "k1 must be a number of at least 0, got -1.0"),
        ("bm25:k1=nan", SettingError, "k1 must be a number of at least 0, got nan"),
        ("bm25:k1=inf", SettingError, "k1 must be a number of at least 0, got inf"),
        ("bm25:b=1.5", SettingError, "b must be a number from 0 to 1, got 1.5"),
        ("bm25:words=Ascii", UnknownName, "kind of words 'Ascii'; did you mean 'ascii'"),
        ("bm25:fast", SettingError, "takes settings only.*'fast'"),
        ("bm25:", SettingError, "is no setting"),
    ],
)
def test_what_cannot_work_is_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make_retrievers(text)


def test_settings_from_python_are_checked_too() -> None:
    with pytest.raises(SettingError, match="k1 must be a number of at least 0, got '1'"):
        Bm25(k1="1")  # type: ignore[arg-type]
    with pytest.raises(SettingError, match="needs an analyzer with words=ascii, got unicode"):
        Bm25(words="ascii").indexer(Analyzer())


def windows(texts: dict[str, str], size: int, step: int) -> dict[str, list[Chunk]]:
    chunks = {}
    for doc, text in texts.items():
        spans = [Span(i, min(i + size, len(text))) for i in range(0, len(text), step)]
        chunks[doc] = [Chunk(doc, span, text[slice(*span)], text[slice(*span)], span) for span in spans]
    return chunks


def rank(query: dict, chunks: list[Chunk]) -> int | None:
    """The published hit rule: half of the chunk lies in the section that the query is the title of."""
    for place, chunk in enumerate(chunks, 1):
        inside = chunk.span.overlap((query["start"], query["end"]))
        if chunk.doc == query["doc"] and 2 * inside >= chunk.span.length:
            return place
    return None


@pytest.mark.parametrize(("size", "step"), [(800, 700), (530, 430)])
def test_published_rankings_are_reproduced(shared: Path, size: int, step: int) -> None:
    root = shared / "corpora" / "fastapi-docs" / "docs"
    paths = sorted(path.relative_to(root).as_posix() for path in root.rglob("*.md"))
    texts = {path: (root / path).read_bytes().decode("utf-8") for path in paths}
    queries = json.loads((shared / "reference" / "fastapi-queries.json").read_text("utf-8"))
    reference = json.loads((shared / "reference" / "fastapi.json").read_text("utf-8"))
    expected = reference["exact_counts"][f"fixed_{size}_{size - step}"]

    by_document = windows(texts, size, step)
    indexer = Bm25(words="ascii").indexer()
    for path, chunks in by_document.items():
        indexer.add(Document(path, texts[path], lambda *_: None), chunks)
    answers = indexer.finish().search_all([query["query"] for query in queries], 10)
    every = [chunk for chunks in by_document.values() for chunk in chunks]
    ranks = [
        rank(q, [every[n] for n in numbers[:5]]) for q, (numbers, _) in zip(queries, answers, strict=True)
    ]
    assert len(every) == expected["chunks"]
    assert len(ranks) == 773
    assert ranks.count(1) == expected["hits_at_1"]
    assert 773 - ranks.count(None) == expected["hits_at_5"]
    assert round(sum(1 / r for r in ranks if r) / 773, 4) == expected["mrr_at_5"]

    definition = Dictionaries([re.findall("[a-z0-9_]+", chunk.indexed.lower()) for chunk in every])
    for query, answer in list(zip(queries, answers, strict=True))[:: 1 if size == 800 else 9]:
        theirs = definition.rank(re.findall("[a-z0-9_]+", query["query"].lower()))[:10]
        assert answer[0].tolist() == [number for number, _ in theirs]
        np.testing.assert_allclose(answer[1], [score for _, score in theirs], atol=1.1e-6)


@pytest.mark.parametrize("id", ["ja", "el", "ru", "fr"])
def test_questions_in_other_scripts_find_their_chunk_first(shared: Path, id: str) -> None:
    folder = shared / "cases" / "queries-not-in-english"
    lines = (folder / "golden.jsonl").read_text("utf-8").splitlines()
    golden = {row["id"]: row for row in map(json.loads, lines)}[id]
    paragraphs = [
        paragraph
        for file in ("el.md", "fr.md", "ja.md", "ru.md")
        for paragraph in (folder / file).read_text("utf-8").split("\n\n")
    ]
    numbers, _ = retriever(paragraphs).search(golden["question"], 3)
    assert golden["answer"] in paragraphs[numbers[0]]


def test_questions_without_words_find_nothing(shared: Path) -> None:
    folder = shared / "cases" / "query-without-words"
    ours = retriever((folder / "a.md").read_text("utf-8").split("\n\n"))
    for line in (folder / "golden.jsonl").read_text("utf-8").splitlines():
        assert found(ours.search(json.loads(line)["question"], 5)) == []


CHARACTERS = [
    ("水", ["水道の水", "冷水", "水", "火曜日", "water"], [0, 1, 2]),  # Japanese
    ("水", ["喝水很重要", "地下水", "水。", "没有", "no"], [0, 1, 2]),  # Chinese
    ("か", ["かぎ", "しずか", "なにかある", "ない", "が"], [0, 1, 2]),
    ("น", ["น้ำดื่ม", "คน", "กินข้าว", "ภาษา", "no"], [0, 1, 2]),  # Thai; the first one with a mark
    ("물", ["물을 마신다", "식물", "건물이", "나무", "no"], [0, 1, 2]),  # Hangul
    ("물", ["물", "no"], [0]),
    ("水 火?", ["水道", "防火", "木", "no"], [0, 1]),
]


@pytest.mark.parametrize(("question", "texts", "expected"), CHARACTERS)
def test_a_single_character_of_a_script_without_spaces_finds_what_holds_it(
    question: str, texts: list[str], expected: list[int]
) -> None:
    analyzer = Analyzer()
    first = retriever(texts, analyzer=analyzer)
    assert sorted(first.search(question, 10)[0].tolist()) == expected
    # Another candidate has words of its own, and the question was asked before.
    other = retriever(["x", *[f"另{text}" for text in texts]], analyzer=analyzer)
    assert sorted(other.search(question, 10)[0].tolist()) == [number + 1 for number in expected]
    assert sorted(first.search(question, 10)[0].tolist()) == expected


def test_a_single_character_is_scored_by_the_pairs_that_hold_it() -> None:
    texts = ["水道の水", "冷水", "火曜日の火", "water 水"]
    words = [Analyzer().tokens(text) for text in texts]
    by_definition = Dictionaries(words).rank(sorted({word for own in words for word in own if "水" in word}))
    assert found(retriever(texts).search("水", 10)) == by_definition


@pytest.mark.parametrize("question", ["水道", "water 水", "水 no", "の水", "é", "e", "7", "ー水"])
def test_longer_questions_and_other_scripts_are_asked_for_their_own_words_only(question: str) -> None:
    texts = ["水道の水", "冷水", "火曜日の火", "water 水", "école é", "e 7", "コーヒー水"]
    expected = Dictionaries([Analyzer().tokens(text) for text in texts]).rank(Analyzer().tokens(question))
    assert found(retriever(texts).search(question, 10)) == expected


def test_a_single_character_is_none_of_the_ascii_words() -> None:
    assert found(retriever(["水道 a"], Bm25(words="ascii")).search("水", 10)) == []


def test_a_small_score_beside_a_huge_one_keeps_its_digits():
    asked = ranking.Asked.of([(0,)])
    held = ranking.Held([np.array([0, 1], dtype=np.int32)], [np.array([1.3, 1e12])])
    chunks, scores = ranking.ranked(asked, held, size=2, depth=2)[0]
    assert (chunks.tolist(), scores.tolist()) == ([1, 0], [1e12, 1.3])
