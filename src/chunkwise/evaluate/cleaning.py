"""Candidates that clean the documents, and others, on the same questions.

Each way of cleaning has a corpus of its own, in which every document leads back to what was read. What is
gathered over them is put together again, in raw coordinates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from chunkwise.evaluate.gathering import Clock, Gathered, Indexing, gather
from chunkwise.evaluate.kept import Kept
from chunkwise.measure.landmarks import Landmarks
from chunkwise.readers.clean import clean
from chunkwise.types import Chunk, Chunker, Corpus, Document

__all__ = ["cleaned_corpora", "gather_cleaned", "removed"]

Steps = tuple[str, ...]
_HELD = 64_000_000  # characters of documents that are kept for each way of cleaning


def cleaned_corpora(corpus: Corpus, wanted: Iterable[Steps]) -> dict[Steps, Corpus]:
    """A corpus for each way of cleaning, without any steps the corpus itself; in the order they are named."""
    return {steps: _cleaned(corpus, steps) if steps else corpus for steps in dict.fromkeys(wanted)}


def removed(corpus: Corpus) -> dict[str, Any]:
    """What cleaning took out of a corpus: characters, and how often each step found what."""
    found: dict[str, Counter[str]] = {}
    characters = 0
    for document in corpus:
        characters += sum(removal.span.length - len(removal.put) for removal in document.removed)
        for step, counts in document.counts().items():
            found.setdefault(step, Counter()).update(counts)
    return {
        "characters": characters,
        "steps": {step: dict(sorted(counts.items())) for step, counts in found.items()},
    }


def gather_cleaned(
    corpora: Mapping[Steps, Corpus],
    chunkers: Sequence[Chunker],
    wanted: Iterable[tuple[int, Indexing]],
    cleanings: Sequence[Steps],
    kept: Kept,
    *,
    clock: Clock,
    cut_before: Mapping[tuple[int, str], Sequence[Chunk]],
    **settings: Any,
) -> Gathered:
    """Walk each corpus once. Numbers of chunkers are those of `chunkers` and `cleanings`.

    Args:
        corpora: by way of cleaning.
        chunkers: each cuts every document of its corpus once.
        wanted: pairs of the number of a chunker and a retriever.
        cleanings: by number of the chunker, how its documents are cleaned.
        kept: takes what is to be shown: documents as they were read.
        clock: takes the seconds.
        cut_before: chunks that are known already, by number of the chunker and document id.
        settings: everything else that `gather` takes.
    """
    pairs = list(wanted)
    cuttings: dict[int, Any] = {}
    whole: Gathered | None = None
    taken: dict[str, bool] = {}
    for steps, corpus in corpora.items():
        members = [i for i, own in enumerate(cleanings) if own == steps]
        place = {number: i for i, number in enumerate(members)}
        part = gather(
            corpus,
            [chunkers[i] for i in members],
            [(place[number], retriever) for number, retriever in pairs if number in place],
            # Of one way of cleaning the numbers are those of all.
            clock=clock if len(corpora) == 1 else _Numbered(clock, members),
            kept=_Shown(kept, members, taken),
            cut_before={(place[i], doc): cut for (i, doc), cut in cut_before.items() if i in place},
            **settings,
        )
        cuttings.update(zip(members, part.cuttings, strict=True))
        found = [
            {(members[i], spec): made for (i, spec), made in kept.items()}
            for kept in (part.retrievers, part.bare)
        ]
        if whole is None:
            whole = Gathered([], {}, {}, part.characters, 0, part.without_text)
        whole.notices = list(dict.fromkeys([*whole.notices, *part.notices]))
        whole.retrievers.update(found[0])
        whole.bare.update(found[1])
        whole.embedded += part.embedded
        for model, texts in part.texts.items():
            whole.texts[model] = np.concatenate([whole.texts.get(model, texts[:0]), texts])
    assert whole is not None, "no candidates"
    whole.cuttings = [cuttings[number] for number in range(len(chunkers))]
    return whole


class _Shown(Kept):
    """Keeps documents as they were read, and what the chunkers of one corpus say of them."""

    def __init__(self, kept: Kept, members: Sequence[int], taken: dict[str, bool]) -> None:
        super().__init__((), wanted=False)
        self._kept, self._members, self._taken = kept, members, taken

    def takes(self, document: Document) -> bool:
        """Whether the document is kept, as it was read."""
        if document.id not in self._taken:
            self._taken[document.id] = self._kept.takes(document.source)
        return self._taken[document.id]

    def sentence_ends(self, document: Document) -> Sequence[int]:
        """The ends of a document's sentences, remembered where it is shown as it was read."""
        return self._kept.sentence_ends(document)

    def hold(self, documents: Sequence[Document], marks: Landmarks) -> None:
        """Take the landmarks of some documents; only those of what was read are of use."""
        self._kept.hold(documents, marks)

    def add(self, number: int, doc: str, chunks: Sequence[Chunk]) -> None:
        """Take what a chunker, given by its number in its corpus, made of a document that is kept."""
        self._kept.add(self._members[number], doc, chunks)


class _Numbered(Clock):
    """A clock that is told of the chunkers of one corpus and counts for those of all."""

    def __init__(self, clock: Clock, members: Sequence[int]) -> None:
        super().__init__()
        self.seconds, self._members = clock.seconds, members

    def stop(self, step: str) -> None:
        """Add the time since the last start or stop to a step."""
        kind, _, number = step.partition(" ")
        super().stop(f"{kind} {self._members[int(number)]}" if number.isdecimal() else step)


def _cleaned(corpus: Corpus, steps: Steps) -> Corpus:
    """The corpus cleaned; what is small enough together is kept."""
    kept: dict[str, Document] = {}
    room = _HELD

    def load(id: str) -> Document:
        nonlocal room
        if id in kept:
            return kept[id]
        document = clean(corpus[id], steps)
        room -= len(document.text)
        if room >= 0:
            kept[id] = document
        return document

    made = Corpus.lazy(corpus.ids, load, skipped=corpus.skipped)
    made.notices = corpus.notices
    return made
