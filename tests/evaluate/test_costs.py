"""Costs of a row: units embedded, size of the index, sizes of first chunks; and units of documents."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from chunkwise.adapters import from_callable
from chunkwise.chunk import Fixed, Heading, Paragraph, SectionChunker, Sentence
from chunkwise.errors import SettingError
from chunkwise.evaluate import evaluate
from chunkwise.evaluate.budget import Reading, Words
from chunkwise.evaluate.costs import first_sizes, index_bytes
from chunkwise.evaluate.prices import Prices
from chunkwise.index import Analyzer, Bm25
from chunkwise.readers import read_text
from chunkwise.text import counter
from chunkwise.types import (
    Candidate,
    Chunk,
    Chunker,
    Corpus,
    Document,
    Gold,
    GoldenSet,
    Place,
    Question,
    Report,
    Span,
)

TEXT = (
    "# Care\n\nPumps are  checked in spring.\n\n## Oil\n\nThe oil is changed every 180 days. Use grade 46.\n"
    "\n```\nrun oil\n\nrun more oil\n```\n\n"
    "## Filter\n\nThe filter is washed weekly. A torn filter is thrown away.\n"
)
GOLDEN = GoldenSet(
    [
        Question(
            "oil",
            "how often",
            (Gold("", (Place("care.md", Span(TEXT.index("180"), TEXT.index("180") + 8)),)),),
        ),
        Question("x", "xylophone", (Gold("", (Place("care.md", Span(0, 6)),)),)),
    ]
)


def compared(*chunkers: Chunker, **settings: Any) -> Report:
    documents = [
        read_text(TEXT, id="care.md"),
        read_text("\ufeffAnother\r\nfile, 日本語 too.\r\n", id="more.md"),
    ]
    rows = [Candidate(chunker) for chunker in chunkers]
    return evaluate(
        Corpus(documents), GOLDEN, rows, **{"k": (1, 5), "budgets": (20,), "resamples": 20, **settings}
    )


def overlapping(text: str) -> list[Any]:
    """Pieces of every kind: a place, a place with a text of its own, a text without a place."""
    half = len(text) // 2
    return [
        (0, half),
        (half, len(text), "said: otherwise"),
        (0, 4, f"in front {text[:4]}"),
        "nowhere to be found",
    ]


CHUNKERS: list[Chunker] = [
    Fixed(size=40, overlap=10),
    Heading(size=90),
    Heading(size=25, unit="words"),
    Heading(size=30, unit="cl100k"),
    Paragraph(size=60),
    SectionChunker(size=90),
    from_callable(overlapping, "mixed"),
]


@pytest.mark.parametrize("unit", ["words", "chars", "cl100k"])
@pytest.mark.parametrize("show", [False, True])
def test_units_that_are_embedded_are_those_of_all_indexed_strings(unit: str, show: bool) -> None:
    report = compared(*CHUNKERS, unit=unit, show_context=show)
    counting = counter(unit)
    for row, chunker in zip(report.candidates, CHUNKERS, strict=True):
        documents = [
            read_text(TEXT, id="care.md"),
            read_text("\ufeffAnother\r\nfile, 日本語 too.\r\n", id="more.md"),
        ]
        chunks = [chunk for document in documents for chunk in chunker(document)]
        assert row.costs["embedded"] == sum(counting.count(chunk.indexed) for chunk in chunks), row.name
        if unit == "chars":
            assert row.costs["embedded"] == row.costs["characters_indexed"]


MARKED = (
    "# Guide to **it**\n\n## Set [up](https://example.org/up)\n\nPress the *key*. See [the page](https://example.org/p).\n\n"
    "| a | b |\n|---|---|\n" + "".join(f"| row {i} | **{i}** |\n" for i in range(9))
)


@pytest.mark.parametrize("clean", [False, True])
def test_context_counts_whole_where_the_text_behind_it_is_cleaned(clean: bool) -> None:
    """What the cleaning takes from a text is not taken from the context in front of it."""

    def titled(text: str) -> list[Any]:
        return [(0, 8, f"Guide\n{text[:8]}"), (8, len(text))]

    chunker = Heading(size=120, index_clean=clean)
    again = from_callable(lambda text: chunker(text), "again")
    document = read_text(MARKED, id="care.md")
    report = evaluate(
        Corpus([document]), None, [Candidate(c) for c in (chunker, again, from_callable(titled, "titled"))]
    )
    fronts = ["".join(f"{text}\n" for _, text in chunk.context) for chunk in chunker(document)]
    assert sum(map(len, fronts)) > 60
    assert [row.costs["context_characters"] for row in report.candidates] == [
        *[sum(map(len, fronts))] * 2,
        len("Guide\n"),
    ]


def test_the_report_has_money_only_by_a_price_file() -> None:
    assert "money" not in compared(Fixed(size=40)).candidates[0].costs
    report = compared(Fixed(size=40), prices=Prices("EUR", embedding=1e6, tokens_per_unit=2.0))
    row = report.candidates[0]
    assert row.costs["money"]["index"] == 2 * row.costs["embedded"]
    # One word and two words are asked.
    assert set(row.costs["money"]["query"].values()) == {2 * 1.5}
    assert list(row.costs["money"]["query"]) == list(row.costs["sent"])
    assert report.settings["prices"]["currency"] == "EUR"
    with pytest.raises(SettingError, match=r"tokens_per_unit = 1\.35"):
        compared(Fixed(size=40), prices=Prices(embedding=1.0))


def test_everything_is_there_without_questions_too() -> None:
    documents = [read_text(TEXT, id="care.md")]
    row = evaluate(Corpus(documents), None, [Candidate(Fixed(size=40))], resamples=20).candidates[0]
    assert row.costs["embedded"] > 0
    assert row.costs["index_bytes"] > 0
    assert row.costs["churn"]["documents"] == 1
    assert row.misses == {}
    assert "first" not in row.sizes


# --- The size of an index.


def test_bytes_of_a_lexical_index_are_those_of_its_arrays() -> None:
    def made(*texts: str) -> Any:
        indexer = Bm25().indexer(Analyzer())
        indexer.add_texts(texts)
        return indexer.finish()

    small, large = index_bytes(made("a b c")), index_bytes(made(*(f"a b c {n}" for n in range(50))))
    assert small is not None
    assert large is not None
    assert 0 < small < large
    # Four postings a text at least, a number of four bytes for each.
    assert large >= 50 * 4 * 4


def test_bytes_of_others() -> None:
    array = np.zeros(10)
    plain = SimpleNamespace(search=None, a=array, b=array, c=[array], d=np.zeros(3, dtype=np.int32))
    assert index_bytes(plain) == 80 + 12  # type: ignore[arg-type]
    said = SimpleNamespace(search=None, facts=SimpleNamespace(bytes=7), a=array)
    assert index_bytes(said) == 7  # type: ignore[arg-type]
    both = SimpleNamespace(search=None, lexical=plain, dense=said)
    assert index_bytes(both) == 99  # type: ignore[arg-type]
    assert index_bytes(SimpleNamespace(search=None, below=both, a=array)) == 99  # type: ignore[arg-type]
    assert index_bytes(SimpleNamespace(search=None)) is None  # type: ignore[arg-type]
    assert index_bytes(None) is None


# --- Chunks that stand first.


def test_the_first_chunks_against_all_chunks() -> None:
    sizes = np.array([100, 200, 300, 400, 50])
    found = first_sizes(np.array([[4, 0], [0, -1], [-1, -1], [4, -1]]), sizes)
    assert found == {"questions": 3, "median": 50.0, "all": 200.0, "ratio": 0.25}
    assert first_sizes(np.full((1, 0), -1), sizes)["questions"] == 0
    assert first_sizes(np.full((0, 0), -1), np.zeros(0, dtype=np.int64))["ratio"] == 1.0


def test_sizes_of_first_chunks_are_in_the_chunkers_unit() -> None:
    report = compared(Heading(size=25, unit="words"), Heading(size=200))
    words, chars = (row.sizes["first"] for row in report.candidates)
    assert words["questions"] <= 2
    assert words["all"] < 25 < chars["all"]


# --- Units of a document, for measures that count them.


@pytest.mark.parametrize(
    ("unit", "text"),
    [
        ("words", "  One two.\n\nthree "),
        ("words", "\ufeffOne\r\ntwo"),
        ("chars", "ab c"),
        ("cl100k", "One  two.\n\n日本語 🚰 three"),
        ("words", ""),
        ("words", " \n"),
    ],
)
def test_units_begin_at_their_first_visible_character(unit: str, text: str) -> None:
    document = read_text(text, id="a.md")
    reading = Reading(counter(unit), lambda _: document, Words())
    starts, ends = (column.tolist() for column in reading.units(0))
    counted: Any = counter(unit)
    assert ends == [document.to_raw((0, end)).end for end in counted.ends(document.text)]
    assert len(starts) == len(ends)
    before = document.to_raw((0, 0)).start
    for start, end in zip(starts, ends, strict=True):
        own = document.text[slice(*document.from_raw((before, end)))]
        visible = [i for i, c in enumerate(own) if not c.isspace() and c != "\ufeff"]
        assert start == (before + visible[0] if visible else before)
        before = end


def test_units_are_found_once_for_all_candidates() -> None:
    loaded = []
    words = Words()

    def load(number: int) -> Any:
        loaded.append(number)
        return read_text("One two", id="a.md")

    for _ in range(3):
        Reading(counter("words"), load, words).units(4)
    assert loaded == [4]


def test_a_function_says_how_many_and_not_where() -> None:
    reading = Reading(counter(len), lambda _: read_text("One two", id="a.md"), Words())
    with pytest.raises(SettingError, match="measure in characters"):
        reading.units(0)


def test_measures_in_units_come_out_of_a_comparison() -> None:
    report = compared(
        Paragraph(size=60), Fixed(size=40), measures=["precision@1/words", "text-recall@5/words"]
    )
    for row in report.candidates:
        assert 0 <= row.measures["precision@1/words"].value <= 1
        assert row.measures["text-recall@5/words"].value <= 1
    with pytest.raises(SettingError, match="words are counted here; write words behind the slash"):
        compared(Fixed(size=40), measures=["precision@1/cl100k"])
    with pytest.raises(SettingError, match="budgets are counted in words here"):
        compared(Fixed(size=40), measures="recall@100cl100k")


def test_an_extra_measure_is_named_once() -> None:
    names = list(compared(Fixed(size=40), measures=["hit@1", "hit@1", "iou@2"]).candidates[0].measures)
    assert len(set(names)) == len(names)
    assert names[-1] == "iou@2"


class ByMeaning:
    """Splits at sentences, and has each of them embedded to do so."""

    spec = "meaning"

    def __init__(self) -> None:
        self.embedded = (0, 0)

    def __call__(self, document: Document | str) -> list[Chunk]:
        assert not isinstance(document, str)
        chunks = Sentence(size=60)(document)
        texts, characters = self.embedded
        self.embedded = texts + len(chunks), characters + sum(len(chunk.text) for chunk in chunks)
        return chunks


def test_what_is_embedded_to_find_the_cuts_has_its_place_and_its_price() -> None:
    prices = Prices(embedding=1_000_000.0, tokens_per_unit=1.0)
    found = compared(ByMeaning(), Sentence(size=60), prices=prices)  # type: ignore[arg-type]
    meaning, plain = found.candidates
    # Cutting the corpus counts; cutting it again to see what an edit changes does not.
    assert meaning.costs["cutting"] == {
        "texts": meaning.chunks,
        "characters": meaning.costs["slice_characters"],
    }
    assert plain.costs["cutting"] == {"texts": 0, "characters": 0}
    assert meaning.costs["money"]["index"] == 2 * plain.costs["money"]["index"]
