"""Words: what matches what; and the words of a chunk are those of its string, wherever they come from."""

from __future__ import annotations

import re
import sys
import unicodedata
from itertools import pairwise
from unittest import mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.errors import UnknownName
from chunkwise.index import Analyzer, words
from chunkwise.types import Chunk, Document, Span, Structure

# Characters that meet badly: marks, ignorable ones, ligatures, scripts without spaces, kelvin and dotted I.
ODD = [
    *("a", "B", "z9", "_", " ", "\n", "\r\n", ".", "'", "’", "-", "é", "e\u0301", "\u0301", "\u0345", "ñ"),
    *(
        "ß",
        "ﬁ",
        "Σ",
        "ς",
        "ά",
        "ΐ",
        "İ",
        "i\u0307",
        "ı",
        "\u212a",
        "\u212b",
        "½",
        "²",
        "㎏",
        "™",
        "\uff3f",
        "Ａ",
    ),
    *("\u00ad", "\u200b", "\u200d", "\u034f", "\ufe0f", "\ufeff", "\u3164", "\x1c", "\x85", "\u2028", "\x00"),
    *("水", "門", "は", "ー", "ｶ", "ﾞ", "々", "。", "ก", "็", "ำ", "ខ", "្", "မ", "ລ", "한", "\u1112\u1161"),
    *("क", "्", "ष", "ب", "\u0640", "👩‍🔧", "1️⃣", "\ud800", "\u037a", "\u1fbe", "≠", "=\u0338", "٣", "๒"),
]
texts = st.lists(st.sampled_from(ODD) | st.text(max_size=3), max_size=25).map("".join)
kinds = st.sampled_from(words.KINDS)


def document(text: str) -> Document:
    def parse(_text: str, _id: str) -> Structure:
        raise AssertionError("words need no structure")

    return Document("a.md", text, parse)


def chunk(text: str, start: int, end: int, context: str = "", indexed: str | None = None) -> Chunk:
    body = text[start:end]
    whole = (f"{context}\n{body}" if context else body) if indexed is None else indexed
    return Chunk("a.md", Span(start, end), body, whole, Span(start, end))


def by_string(analyzer: Analyzer, chunks: list[Chunk]) -> list[list[str]]:
    return [analyzer.tokens(c.indexed) for c in chunks]


def by_document(analyzer: Analyzer, text: str, chunks: list[Chunk]) -> list[list[str]]:
    ids, lengths, _ = analyzer.chunks(document(text), chunks)
    assert lengths.sum() == len(ids)
    found = [analyzer.vocabulary[i] for i in ids]
    stops = lengths.cumsum().tolist()
    return [found[stop - length : stop] for stop, length in zip(stops, lengths, strict=True)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Pump, the PUMP!", "the pump the pump"),
        ("response_model _so_ __init__ __ _", "response_model so init"),
        ("L'écluse l’écluse lʼécluse Hawaiʻi ŉ", "l écluse l écluse l écluse hawai i n"),
        ("e\u0301cluse \u00e9cluse", "écluse écluse"),
        ("ΣΟΦΟΣ σοφος σοφοσ", "σοφοσ σοφοσ σοφοσ"),
        ("Straße STRASSE", "strasse strasse"),
        ("ΐ Ϊ́ ᾷ", "\u0390 \u0390 \u1fb6\u03b9"),
        ("ﬁne ＦＩＮＥ m² 5㎏ Chunkwise™", "fine fine m2 5kg chunkwise"),
        ("pres\u00adsure ga\u200buge re\ufeffads", "pressure gauge reads"),
        ("İstanbul istanbul", "istanbul istanbul"),
        ("Ворота ворота", "ворота ворота"),
        ("می\u200cرویم", "میرویم"),
        ("한국어 문서는 색", "한국 국어 문서 서는 색"),
        ("हिन्दी क्षि", "हिन्दी क्षि"),
        ("水門は六時", "水門 門は は六 六時"),
        ("水。鍵 スーパー ｶﾞｽ", "水 鍵 スー ーパ パー ガス"),
        ("2024年 API仕様v2", "2024 年 api 仕様 v2"),
        ("ที่นี่", "ที่นี่"),
        ("ก็ดี ๒๕", "ก็ดี ๒๕"),
        ("ប្រាសាទ", "ប្រា រាសា សាទ"),
        ("ມື້ນີ້ မြန်မာ", "ມື້ນີ້ မြန် န်မာ"),
        ("half ½ ≠x 1️⃣ ❤️ 👩‍🔧", "half 1 2 x 1"),
        ("\u0301 \u200d _\u0301 \ud800", ""),
        ("", ""),
    ],
)
def test_unicode_words(text: str, expected: str) -> None:
    assert Analyzer().tokens(text) == expected.split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Pump's v2.0", "the pump s v2 0"),
        ("__init__ _ a_b", "__init__ _ a_b"),
        ("Écluse naïve", "cluse na ve"),
        ("aİb \u212a-2 水門", "ai b k 2"),
        ("ς Σ", ""),
    ],
)
def test_ascii_words(text: str, expected: str) -> None:
    assert Analyzer("ascii").tokens(text) == expected.split()


def test_ascii_words_are_the_articles_for_every_character() -> None:
    text = " ".join(map(chr, range(sys.maxunicode + 1)))
    assert Analyzer("ascii").tokens(text) == re.findall("[a-z0-9_]+", text.lower())


def test_every_character_that_decomposes_has_the_words_of_its_parts() -> None:
    characters = [c for c in map(chr, range(sys.maxunicode + 1)) if unicodedata.normalize("NFD", c) != c]
    assert len(characters) > 13_000
    text = " ".join(f"a{c}B {c} {c}\u0323\u0301_" for c in characters)
    analyzer = Analyzer()
    composed = analyzer.tokens(unicodedata.normalize("NFC", text))
    assert composed == analyzer.tokens(unicodedata.normalize("NFD", text)) == analyzer.tokens(text)


def test_the_short_way_for_chinese_and_japanese_finds_the_same() -> None:
    plain = [c for c in map(chr, range(sys.maxunicode + 1)) if words._PLAIN_UNSPACED.match(c)]
    assert len(plain) > 27_000
    text = "".join(plain)
    with mock.patch.object(words, "_PLAIN_UNSPACED", re.compile("(?!)")):
        expected = Analyzer().tokens(text)
    assert expected == [a + b for a, b in pairwise(plain)] == Analyzer().tokens(text)
    assert Analyzer().tokens("水 は") == ["水", "は"]


@given(texts)
def test_ascii_words_are_the_articles(text: str) -> None:
    assert Analyzer("ascii").tokens(text) == re.findall("[a-z0-9_]+", text.lower())


@given(texts)
def test_composed_and_decomposed_texts_have_the_same_words(text: str) -> None:
    analyzer = Analyzer()
    first = analyzer.tokens(unicodedata.normalize("NFC", text))
    assert first == analyzer.tokens(unicodedata.normalize("NFD", text)) == analyzer.tokens(text)


@given(texts)
def test_words_are_normal_forms_without_separators(text: str) -> None:
    for word in Analyzer().tokens(text):
        assert word == unicodedata.normalize("NFKC", word)
        assert word == word.strip("_ ")
        assert any(unicodedata.category(c)[0] in "LN" for c in word)
        assert not re.search(r"[\s.,;'’()\u00ad\u200b]", word)


@given(st.text(st.characters(max_codepoint=127)))
def test_the_fast_path_finds_what_the_slow_one_finds(text: str) -> None:
    # One letter outside ASCII takes the whole text off the fast path.
    assert [*Analyzer().tokens(text), "é"] == Analyzer().tokens(text + " é")
    stripped = [word.strip("_") for word in re.findall("[a-z0-9_]+", text.lower())]
    assert Analyzer().tokens(text) == [word for word in stripped if word]


@given(texts, kinds)
def test_numbers_stand_for_the_words(text: str, kind: str) -> None:
    analyzer = Analyzer(kind)
    tokens = analyzer.tokens(text)
    assert [analyzer.vocabulary[i] for i in analyzer.ids(text)] == tokens
    assert [analyzer.vocabulary[i] for i in analyzer.question(text)] == list(dict.fromkeys(tokens))
    assert len(analyzer) == len(set(tokens))


@given(texts, kinds)
def test_columns_hold_the_words_of_the_text(text: str, kind: str) -> None:
    analyzer = Analyzer(kind)
    columns = analyzer.columns(document(text))
    assert [analyzer.vocabulary[i] for i in columns.ids] == analyzer.tokens(text)
    assert len(columns.starts) == len(columns.ends) == len(columns.first) - 1
    assert columns.first[0] == 0
    assert columns.first[-1] == len(columns.ids)
    for i, (start, end) in enumerate(zip(columns.starts, columns.ends, strict=True)):
        mine = columns.ids[columns.first[i] : columns.first[i + 1]]
        assert [analyzer.vocabulary[w] for w in mine] == analyzer.tokens(text[start:end])


@given(texts, kinds, st.data())
@example("one_word", "unicode", None)
@example("a\u0301b水門は六時に開きますc", "unicode", None)
def test_words_of_chunks_are_those_of_their_strings(text: str, kind: str, data: st.DataObject | None) -> None:
    if data is None:
        pairs = [(i, j) for i in range(len(text) + 1) for j in range(i, len(text) + 1)]
        chunks = [chunk(text, i, j, context) for i, j in pairs for context in ("", "Title > Part")]
    else:
        place = st.integers(0, len(text))
        slices = st.tuples(place, place).map(sorted)
        contexts = st.sampled_from(["", "Title > Part_", "水門", "a\u0301 \u200d"])
        drawn = data.draw(st.lists(st.tuples(slices, contexts), max_size=6))
        chunks = [chunk(text, *pair, context) for pair, context in drawn]
    with mock.patch.object(words, "_SMALL", -1):
        assert by_document(Analyzer(kind), text, chunks) == by_string(Analyzer(kind), chunks)
    assert by_document(Analyzer(kind), text, chunks) == by_string(Analyzer(kind), chunks)


@given(texts, kinds)
@example("one_word two", "unicode")
def test_parts_of_a_document_have_the_words_of_their_text(text: str, kind: str) -> None:
    analyzer, made = Analyzer(kind), document(text)
    spans = [(i, j) for i in range(len(text) + 1) for j in range(i, len(text) + 1)]
    for _ in range(2):  # the second time its columns are known
        assert [analyzer.part(made, span) for span in spans] == [
            analyzer.numbers(text[i:j]) for i, j in spans
        ]
        analyzer.columns(made)


@given(texts, texts, kinds, st.integers(-3, 40), st.integers(-3, 40))
@example("abc def", "xabc", "unicode", 0, 3)
@example("\u0301bc", "a\u0301bc", "unicode", 0, 3)
@example("abc", "abc", "ascii", 1, 99)
def test_strings_that_are_no_slice_are_analysed_themselves(
    text: str, indexed: str, kind: str, start: int, end: int
) -> None:
    chunks = [
        chunk(text, start, end, indexed=indexed),
        chunk(text, start, end, indexed=indexed + text[start:end]),
        chunk(text, start, end, indexed=text[start:end] + indexed),
    ]
    with mock.patch.object(words, "_SMALL", -1):
        assert by_document(Analyzer(kind), text, chunks) == by_string(Analyzer(kind), chunks)


def test_a_document_is_analysed_once_for_many_chunkers() -> None:
    text = "Words of a long document, again and again. " * 200
    analyzer = Analyzer()
    with mock.patch.object(words, "_runs", wraps=words._runs) as runs:
        for size in (100, 300, 500):
            chunks = [chunk(text, i, min(i + size, len(text))) for i in range(0, len(text), size)]
            # A lazy corpus makes the document anew each time; its text is the same.
            assert by_document(analyzer, str(text), chunks) == by_string(Analyzer(), chunks)
    assert [len(call.args[0]) for call in runs.call_args_list].count(len(text)) == 1


def test_only_the_documents_last_seen_are_kept() -> None:
    analyzer = Analyzer()
    first, second, third = ("alpha " * 100, "beta " * 100, "gamma " * 100)
    with mock.patch.object(words, "_CACHED_CHARACTERS", 1150):
        kept = analyzer.columns(document(first))
        other = analyzer.columns(document(second))
        assert analyzer.columns(document(first)) is kept
        analyzer.columns(document(third))
        assert analyzer.columns(document(second)) is not other
        assert sum(map(len, analyzer._documents)) == analyzer._held <= 1150


def test_long_runs_are_not_remembered() -> None:
    analyzer = Analyzer()
    clause = "水門は六時に開きます" * 10
    assert len(analyzer.ids(clause)) == len(clause) - 1
    analyzer.ids("水門")
    assert list(analyzer._surfaces) == ["水門"]


def test_an_unknown_kind_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(
        UnknownName, match=r"kind of words 'unicod'; did you mean 'unicode'\? \(known: ascii,"
    ):
        Analyzer("unicod")
