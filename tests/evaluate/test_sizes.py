"""Sizes side by side in several units; what is parted; where a size in characters means less."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.chunk import Heading, make_chunkers
from chunkwise.errors import SettingError
from chunkwise.evaluate import evaluate
from chunkwise.index import make_retrievers as retrievers
from chunkwise.readers import read_text
from chunkwise.text import bare, counter
from chunkwise.text.tokens import minilm_tokenizer
from chunkwise.types import Candidate, Corpus, Report

pytest.importorskip("tiktoken")

ENGLISH = "The pump is checked in spring, and its seal is changed every other year. " * 20
CHINESE = "水泵每年春季检查一次，密封件每两年更换一次。" * 60
TABLE = "| grade | period |\n|---|---|\n" + "".join(f"| grade {i} | {i} weeks |\n" for i in range(30))
MANUAL = (
    f"# Care\n\nTake these with you:\n\n- a seal\n- a ring\n\n## Periods\n\n{TABLE}\n## Use\n\n{ENGLISH}\n"
)


def report(chunkers: str, texts: dict[str, str], retriever: str = "bm25", **settings: Any) -> Report:
    """Everything that is measured of chunks, without a question."""
    documents = [read_text(text, name) for name, text in texts.items()]
    given = retrievers(retriever)
    rows = [Candidate(chunker, given[0].spec) for chunker in make_chunkers(chunkers)]
    return evaluate(Corpus(documents), None, rows, retrievers={given[0].spec: given[0]}, **settings)


def test_sizes_stand_in_the_unit_of_the_row_of_the_second_limit_and_of_the_budget() -> None:
    (row,) = report("heading:size=60,unit=words,within=50cl100k", {"a.md": MANUAL}, unit="o200k").candidates
    chunks = Heading(size=60, unit="words", within=(50, "cl100k"))(read_text(MANUAL, "a.md"))  # type: ignore[arg-type]
    sizes = {
        unit: [counter(unit).count(chunk.indexed) for chunk in chunks]
        for unit in ("words", "cl100k", "o200k")
    }
    assert row.sizes["unit"] == "words"
    assert row.sizes["max"] == max(sizes["words"])
    second, budget = row.sizes["others"]
    assert (second["unit"], second["limit"], second["over"]) == ("cl100k", 50, 0)
    assert second["max"] == max(sizes["cl100k"]) <= 50
    assert (budget["unit"], budget["limit"], budget["over"]) == ("o200k", None, 0)
    assert budget["max"] == max(sizes["o200k"])
    assert budget["mean"] == round(sum(sizes["o200k"]) / len(chunks), 2)


def test_the_unit_of_the_row_is_said_once() -> None:
    (row,) = report("heading:size=50,unit=cl100k", {"a.md": MANUAL}, unit="cl100k").candidates
    assert row.sizes["others"] == []


def test_the_tokens_of_the_embedder_stand_against_its_window() -> None:
    if minilm_tokenizer() is None:
        pytest.skip("the packages of minilm are not installed")
    forms = "heading:size=1600|200,unit=chars|minilm"
    made = report(forms, {"a.md": MANUAL}, "dense:model=minilm", unit="cl100k")
    for row, (size, unit) in zip(
        made.candidates, [(1600, "chars"), (1600, "minilm"), (200, "chars"), (200, "minilm")], strict=True
    ):
        chunks = Heading(size=size, unit=unit)(read_text(MANUAL, "a.md"))
        tokens = [counter("minilm").count(chunk.indexed) for chunk in chunks]
        budget, model = row.sizes["others"]
        assert budget["unit"] == "cl100k"
        assert (model["limit"], model["max"]) == (256, max(tokens)), row.spec
        assert model["over"] == sum(n > 256 for n in tokens) == row.costs["vectors"]["cut"]
    assert made.candidates[-1].sizes["max"] <= 200
    assert made.candidates[0].sizes["others"][1]["over"]


def test_a_budget_is_counted_without_special_tokens() -> None:
    if minilm_tokenizer() is None:
        pytest.skip("the packages of minilm are not installed")
    whole, parts = counter("minilm"), bare(counter("minilm"))
    assert whole.count("the pump runs") == parts.count("the pump runs") + 2
    assert whole.count("") == 2
    (row,) = report("document", {"a.md": ENGLISH}, unit="minilm").candidates
    assert row.costs["embedded"] == parts.count(ENGLISH)


def test_what_is_parted_is_counted_with_the_context() -> None:
    chunkers = "heading:size=260|260,lead_in=yes,table_header=yes|no"
    rows = {
        row.spec: row.boundaries
        for row in report(chunkers.replace("260|260", "260"), {"a.md": MANUAL}).candidates
    }
    with_header, without = rows.values()
    assert with_header["rows_without_header"] == {"count": 0, "of": 30, "share": 0.0}
    assert without["rows_without_header"]["count"] > 15
    assert with_header["items_parted"] == {"count": 0, "of": 2, "share": 0.0}
    (small,) = report("sentence:size=30", {"a.md": MANUAL}).candidates
    assert small.boundaries["items_parted"]["count"] == 2


def test_documents_where_a_size_in_characters_means_less_are_named() -> None:
    texts = {"a.md": ENGLISH, "b.md": ENGLISH + "More.", "c.md": ENGLISH + "Less.", "zh.md": CHINESE}
    (said,) = [w for w in report("heading:size=800", texts).warnings if "a size in characters" in w]
    assert "fewer than half as many words in 1 document as in the median one (zh.md: " in said
    assert "give sizes in tokens, such as unit=cl100k" in said
    # In tokens the same document has more of them, not fewer.
    assert not [w for w in report("heading:size=800", texts, unit="cl100k").warnings if "characters" in w]
    other = {"a.md": CHINESE, "b.md": CHINESE + "多。", "c.md": CHINESE + "少。", "en.md": ENGLISH}
    (said,) = [w for w in report("heading:size=800", other, unit="cl100k").warnings if "fewer than half" in w]
    assert "as many cl100k in 1 document as in the median one (en.md: " in said
    for quiet in ("heading:size=80,unit=words", "heading:size=80,unit=cl100k"):
        assert not [w for w in report(quiet, texts).warnings if "a size in characters" in w]


def test_special_tokens_leave_room() -> None:
    if minilm_tokenizer() is None:
        pytest.skip("the packages of minilm are not installed")
    with pytest.raises(SettingError, match="size=2: minilm puts 2 special tokens around every text"):
        Heading(size=2, unit="minilm")
    with pytest.raises(SettingError, match="within=1: minilm puts 2 special tokens"):
        Heading(within=(1, "minilm"))  # type: ignore[arg-type]
    chunker = Heading(size=9, unit="minilm", within=(2, "cl100k"))  # type: ignore[arg-type]
    character = "\U000110bd"
    own, other = (counter(unit).count(character) for unit in ("minilm", "cl100k"))
    said = f"alone takes {own} minilm and {other} cl100k, the size is 9 and 2;"
    with pytest.raises(SettingError, match=said):
        chunker(character)
