"""The benchmarks of retrieval run, and what they say of the work is what was done."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

import chunkwise
from chunkwise.chunk import make_chunkers

from benchmarks import bm25, embedding  # isort: skip


def test_the_texts_are_those_of_whole_documents_in_the_order_of_a_sweep(folder: Path) -> None:
    chunkers = ("fixed:size=200|300", "heading:size=300")
    cutters = [cutter for text in chunkers for cutter in make_chunkers(text)]
    whole = {
        document.id: [chunk.indexed for cutter in cutters for chunk in cutter(document)]
        for document in chunkwise.read(folder)
    }
    assert sorted(embedding.texts_of(folder, chunkers, 0)) == sorted(t for ts in whole.values() for t in ts)
    some = embedding.texts_of(folder, chunkers, 1)
    assert some in whole.values()


def test_work_is_counted_in_tokens() -> None:
    texts = ["red"] * 3 + ["red green blue car"] + ["boat"] * 253
    # Three, six and three tokens with the two special ones; a plain call pads 256 texts to 6.
    work = embedding.work_of(texts, 256)
    assert work == {"distinct": 3, "all": 256 * 3 + 6, "ours": 12, "plain": 256 * 6 + 3}
    assert embedding.work_of(texts, 4)["plain"] == 256 * 4 + 3


def test_embedding_is_measured_against_a_plain_call(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(
        sys,
        "argv",
        ["embedding", "--data", str(folder), "--texts", "20", "--rounds", "1", "--chunker", "fixed:size=300"],
    )
    embedding.main()
    said = capsys.readouterr().out
    assert re.search(r"^  plain +[\d.]+ chunks/s", said, re.MULTILINE)
    assert re.search(r"times less CPU: [\d.]+ = 1\.00 \(equal texts once\) x [\d.]+ \(no padding\)", said)
    assert float(said.rpartition(" ")[2]) < 1e-5


def test_bm25_is_measured_against_dictionaries(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documents = bm25.read(folder)
    questions = bm25.headings(documents)
    bm25.compare(documents, questions, rounds=1)
    bm25.large(documents, questions, wanted=300, asked=5)
    said = capsys.readouterr().out
    assert said.count("same rankings") == 2
    assert len(re.findall(r"^(?:index|search|a search|index and search)[^\n]*x$", said, re.MULTILINE)) == 7


def test_exact_search_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CHUNKWISE_CACHE", str(tmp_path))
    embedding.search(count=600, size=16, questions=4)
    assert "4 questions together" in capsys.readouterr().out
