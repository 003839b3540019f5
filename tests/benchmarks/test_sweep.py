"""A sweep reads, parses and counts each document once, however many configurations there are."""

from __future__ import annotations

from collections import Counter

import pytest
from benchmarks.published.fastapi import queries

import chunkwise
from chunkwise.chunk import make_chunkers
from chunkwise.index import words
from chunkwise.structure import parse_markdown
from chunkwise.types import Candidate, Corpus, Document

SIZES = "300|400|500|600|700"
RETRIEVERS = ("bm25", "bm25:k1=1.2", "bm25:b=0.5")


@pytest.fixture
def read(folder):
    """The documents of the folder."""
    return list(chunkwise.read(folder))


class Counting:
    """A chunker that counts how often it is called for each document of the corpus.

    Documents with one more sentence, cut to see what an edit costs, are others.
    """

    def __init__(self, inner, texts) -> None:
        self.inner, self.spec, self.texts, self.calls = inner, inner.spec, texts, Counter()

    def __call__(self, document):
        self.calls[document.id] += document.text in self.texts
        return self.inner(document)


def test_fifteen_lexical_configurations(read, monkeypatch) -> None:
    loaded, parsed, counted = Counter(), Counter(), Counter()
    known = {document.id: document for document in read}

    def load(id):
        loaded[id] += 1
        document = known[id]

        def parse(text, name):
            parsed[name] += text == document.text
            return document.structure if text == document.text else parse_markdown(text, name)

        return Document(id, document.text, parse)

    corpus = Corpus.lazy(known, load)
    texts = {document.text: document.id for document in read}
    runs = words._runs

    def count(text, kind):
        if text in texts:
            counted[texts[text]] += 1
        return runs(text, kind)

    monkeypatch.setattr(words, "_runs", count)
    chunkers = [Counting(one, texts) for one in make_chunkers(f"heading:size={SIZES}")]
    candidates = [
        Candidate(one, retriever, f"{one.spec} @ {retriever}") for one in chunkers for retriever in RETRIEVERS
    ]
    report = chunkwise.compare(corpus, queries(read), candidates)
    once = dict.fromkeys(known, 1)
    assert len(report.candidates) == 15
    assert parsed == once
    assert counted == once
    assert loaded == once
    for chunker in chunkers:
        assert chunker.calls == once


def test_documents_are_long_enough_for_columns(read) -> None:
    # Shorter ones are counted a chunk at a time, which is cheaper.
    assert all(len(document.text) >= words._SMALL for document in read)
