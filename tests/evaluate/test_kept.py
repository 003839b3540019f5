"""What is kept of documents for the report: their landmarks, whichever batch they stood in."""

from __future__ import annotations

import numpy as np
import pytest

import chunkwise
from chunkwise.evaluate import kept as kept_module
from chunkwise.evaluate.kept import Kept
from chunkwise.measure.landmarks import landmarks
from chunkwise.types import Document

TEXTS = {"a.md": "# A\n\nOne. Two.\n", "b.md": "Three. Four.\n", "c.md": "| x |\n|---|\n| y |\n"}


def documents() -> list[Document]:
    return [chunkwise.read_text(text, name) for name, text in TEXTS.items()]


@pytest.mark.parametrize("batches", [[], [3], [2, 1], [1, 2], [1, 1, 1]])
def test_landmarks_are_those_of_the_document_alone(batches: list[int]) -> None:
    kept, docs = Kept(TEXTS), documents()
    for document in docs:
        assert kept.takes(document)
    begin = 0
    for count in batches:
        batch = docs[begin : begin + count]
        kept.hold(batch, landmarks(batch, kept.sentence_ends))
        begin += count
    # What is not kept, such as cleaned copies, puts nothing aside.
    kept.hold(documents(), landmarks(documents()))
    for document in docs:
        found, alone = kept.landmarks(document), landmarks([document])
        assert all(np.array_equal(own, other) for own, other in zip(found, alone, strict=True))
        assert kept.landmarks(document) is found


def test_landmarks_of_the_last_batch_are_not_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, docs = Kept(TEXTS), documents()
    for document in docs:
        kept.takes(document)
    kept.hold(docs, landmarks(docs))
    monkeypatch.delattr(kept_module, "landmarks")
    assert [len(kept.landmarks(document).rows.starts) for document in docs] == [0, 0, 2]
