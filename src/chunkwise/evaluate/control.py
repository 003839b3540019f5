"""The size-matched control: fixed windows of another row's mean size; and the documents kept for it."""

from __future__ import annotations

from collections.abc import Sequence

from chunkwise.chunk import Fixed
from chunkwise.evaluate.cleaning import cleaned_corpora
from chunkwise.evaluate.gathering import Clock, in_order
from chunkwise.text import counter
from chunkwise.types import Candidate, Chunk, Corpus, Counter, Document

__all__ = ["HELD", "control_of", "held"]

HELD = 64_000_000
"""Characters of documents that are kept while a comparison runs."""
_STARTS = 4  # start offsets of the control


def held(corpus: Corpus) -> Corpus:
    """The corpus with its documents in memory, where they are small enough together; else as it is.

    What is held is parsed once, however often the corpus is walked.
    """
    documents: list[Document] = []
    room = HELD
    for document in corpus:
        room -= len(document.text)
        if room < 0:
            return corpus
        documents.append(document)
    kept = Corpus(documents)
    kept.notices, kept.skipped = corpus.notices, corpus.skipped
    return kept


def control_of(
    corpus: Corpus, candidates: Sequence[Candidate], number: int, clock: Clock, lexical: bool
) -> tuple[Candidate, dict[tuple[int, str], Sequence[Chunk]]]:
    """A row of fixed windows of a candidate's mean size, and the chunks that were made to find it.

    The mean is that of the slices, without their context, in the chunker's own unit.
    """
    matched = candidates[number]
    own: Counter = getattr(matched.chunker, "counter", None) or counter("chars")
    cut: dict[tuple[int, str], Sequence[Chunk]] = {}
    total = count = room = 0
    clock.start()
    for document in cleaned_corpora(corpus, [matched.clean])[matched.clean]:
        _ = document.structure
        clock.stop("read")
        chunks = in_order(matched.chunker(document))
        total += sum(own.count(chunk.text) for chunk in chunks)
        count += len(chunks)
        room += len(document.text)
        if room <= HELD:
            cut[number, document.id] = chunks
        clock.stop(f"chunk {number}")
    size = max(1, round(total / count)) if count else 1
    unit = getattr(matched.chunker, "unit", own.name)
    # Where its windows start is chance: several starts are taken where nothing must be embedded for it.
    count = min(_STARTS, size) if lexical else 1
    windows = Fixed(size=size, unit=unit)
    return Candidate(windows, matched.retriever, "size-matched", matched.clean, count), cut
