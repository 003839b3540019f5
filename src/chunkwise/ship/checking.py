"""What a version must pass before it is served."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from chunkwise.ship.baseline import Baseline
from chunkwise.ship.gate import judge
from chunkwise.ship.gating import measure_held, measure_through, suffices
from chunkwise.ship.held import Held, numbered
from chunkwise.ship.lost import explained
from chunkwise.ship.outcome import Check, Outcome
from chunkwise.ship.records import Tally
from chunkwise.ship.rules import Rules
from chunkwise.ship.searching import Asking
from chunkwise.ship.stores.base import View, nearest
from chunkwise.types import Candidate, Chunk, Corpus, Document, GoldenSet, Report

__all__ = ["Checked", "GoldenCheck", "Sample", "check_content", "check_golden", "check_sample"]

SAMPLE: Final = 200
"""Chunks of the sample, where there are so many."""
WITHIN: Final = 10
"""A chunk is found by its own text where it, or one with the same indexed text, is among so many."""
MISSED: Final = 0.01
"""Share of the sample that may be missed: approximate search, and chunks that are words of longer ones."""
_TOLD: Final = 200  # lost questions of which it is told what came instead
_WORDS: Final = 64  # words of a chunk that it is looked for by


@dataclass(frozen=True, slots=True)
class Sample:
    """Chunks that were looked for by their own text."""

    asked: int
    """How many."""
    found: int
    """How many were found."""
    missed: tuple[str, ...]
    """Ids of those that were not."""
    wrong: tuple[str, ...]
    """Ids of those whose text is not the text of the documents at their place."""
    blank: int
    """Chunks of the sample without a word or a vector, which no search finds."""

    @property
    def passed(self) -> bool:
        """Whether enough was found, and everything is the documents' text."""
        return not self.wrong and len(self.missed) <= MISSED * self.asked


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """The golden set, asked through the store."""

    outcome: Outcome
    """The rules against the baseline; without a baseline those that need none, and the loss."""
    exact: Baseline
    """What exact search finds."""
    store: Baseline
    """What the store finds."""

    @property
    def passed(self) -> bool:
        """Whether every rule was kept."""
        return self.outcome.passed


@dataclass(frozen=True, slots=True)
class Checked:
    """Everything that was checked of a version."""

    content: tuple[str, ...]
    """What is wrong with the counts and digests; empty where nothing is."""
    sample: Sample | None
    """None where the store cannot search, or the content is wrong."""
    golden: GoldenCheck | None
    """None without a golden set, or where something was wrong before."""

    @property
    def passed(self) -> bool:
        """Whether the version may be served."""
        parts = (self.sample, self.golden)
        return not self.content and all(part.passed for part in parts if part is not None)


def check_content(expected: Tally, view: View) -> tuple[str, ...]:
    """Compare what the store holds, read back, with what was written."""
    held = Tally()
    held.add(view.places())
    count = view.count()
    if not expected.count == held.count == count:
        read = "" if held.count == count else f", and {held.count:,} are read back"
        return (f"{expected.count:,} chunks were written, the store holds {count:,}{read}",)
    if held.digest != expected.digest:
        return ("what is read back is not what was written: ids, documents or places are others",)
    return ()


def check_sample(view: View, asking: Asking, corpus: Corpus, *, size: int = SAMPLE, seed: int = 0) -> Sample:
    """Look for a seeded sample of chunks by their own text, and compare their text with the documents'."""
    import numpy as np

    salt = str(seed).encode()

    def lot(id: str) -> bytes:
        return hashlib.blake2b(id.encode(), digest_size=8, salt=salt).digest()

    chosen = sorted(heapq.nsmallest(size, (row[0] for row in view.places()), key=lot))
    records = view.get(chosen)
    vectors = view.vectors(chosen) if asking.dense is not None else {}
    placed = [id for id in chosen if id in records and np.any(vectors.get(id, 0))]
    units = np.array([vectors[id] for id in placed], dtype=np.float32)
    beside = dict(zip(placed, nearest(view, units, WITHIN), strict=True))
    missed, blank = [], 0
    for id in chosen:
        record = records.get(id)
        if record is None:
            missed.append(id)
            continue
        near: list[list[str]] = []
        words = list(dict.fromkeys(record.words.split()))[:_WORDS]
        if words and asking.lexical is not None:
            near.append([found for found, _ in view.lexical(words, WITHIN, asking.lexical)])
        if id in beside:
            near.append([found for found, _ in beside[id]])
        if not near:
            blank += 1
        elif not all(id in found or _equal(view, record.indexed, found) for found in near):
            missed.append(id)
    wrong = _wrong([records[id] for id in chosen if id in records], corpus)
    return Sample(len(chosen) - blank, len(chosen) - blank - len(missed), tuple(missed), tuple(wrong), blank)


def _equal(view: View, indexed: str, ids: Sequence[str]) -> bool:
    """Whether one of some chunks has the same indexed text."""
    return any(record.indexed == indexed for record in view.get(ids).values())


def _wrong(records: Sequence[Any], corpus: Corpus) -> list[str]:
    wrong = []
    for doc in sorted({record.true("doc") for record in records}):
        document = corpus[doc] if doc in corpus else None  # noqa: SIM401 - a corpus has no get
        for record in (r for r in records if r.true("doc") == doc):
            placed = record.start >= 0
            if document is None or (
                placed and document.text[record.start : record.end] != record.true("text")
            ):
                wrong.append(record.id)
    return wrong


def check_golden(
    view: View,
    asking: Asking,
    candidate: Candidate,
    corpus: Corpus,
    golden: GoldenSet,
    rules: Rules,
    before: Baseline | None,
    *,
    whole: bool = True,
    progress: Callable[[str, int, int], None] | None = None,
) -> GoldenCheck:
    """Ask the golden set through the store, and judge it against a baseline and against exact search.

    Args:
        view: the version.
        asking: asks it.
        candidate: what was shipped.
        corpus: the documents that were shipped.
        golden: the questions.
        rules: of the gate; `loss` is the limit on what the store may find less than exact search.
        before: what is compared with; None where nothing was shipped before.
        whole: cut all documents once more, for an exact search that knows nothing of the store. Else, where
            the rules allow it, those of the golden set.
        progress: `progress(stage, done, total)`.

    Raises:
        StoreError: the store returns chunks that the documents do not have.
        NotComparable: the baseline was measured with other questions.
    """
    shown: Callable[[Collection[str]], Report] | None = None
    if before is not None and not whole and suffices(before, rules, candidate):
        held = Held(view, asking, [question.text for question in golden])
        exact, through, shown = measure_held(
            corpus, golden, candidate, held, before=before, rules=rules, progress=progress
        )
    else:
        exact, through = measure_through(
            corpus, golden, candidate, _Through(view, asking), before=before, rules=rules, progress=progress
        )
    own = replace(through.baseline, source=f"{view.version}")
    against = before if before is not None else replace(exact.baseline, source="exact search")
    outcome = judge(
        own, against, rules if before is not None else replace(rules, interval=False, max_drop=None)
    )
    losses = _losses(exact.baseline, own, rules, against)
    outcome = replace(outcome, checks=(*outcome.checks, *losses))
    report = through.report if shown is None else shown({lost.id for lost in outcome.lost[:_TOLD]})
    return GoldenCheck(explained(outcome, report, golden, corpus), exact.baseline, own)


def _losses(exact: Baseline, store: Baseline, rules: Rules, before: Baseline) -> list[Check]:
    if rules.loss is None:
        return []
    made = []
    for name in rules.compared(str(before.setting("primary") or exact.setting("primary"))):
        first, second = exact.means[name], store.means[name]
        passed = first - second <= rules.loss + 1e-7
        said = (
            f"{name} is {100 * second:.2f} % through the store, {100 * first:.2f} % by exact search; "
            f"{100 * rules.loss:g} points less are allowed"
        )
        made.append(Check("loss", name, first, second, rules.loss, passed, said))
    return made


class _Through:
    """A retriever that asks a store, for chunks that are cut again; numbers are found by id."""

    def __init__(self, view: View, asking: Asking) -> None:
        self.spec = f"store {view.version}"
        self._view, self._asking = view, asking
        self._indexers: list[_Numbers] = []

    def indexer(self, analyzer: Any = None, /) -> _Numbers:
        """Begin to number the chunks. A second one, without heading lines, has the numbers of the first."""
        del analyzer
        first = self._indexers[0] if self._indexers else None
        self._indexers.append(_Numbers(self._view, self._asking, first))
        return self._indexers[-1]


class _Numbers:
    """Numbers of chunks by id, and the search."""

    shallow = True  # a store makes an answer of each chunk that it gives

    def __init__(self, view: View, asking: Asking, first: _Numbers | None) -> None:
        self._view, self._asking, self._first = view, asking, first
        self.numbers: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Number the chunks of a document."""
        del document
        for chunk in chunks:
            self.numbers[chunk.id] = len(self.numbers)

    def finish(self, progress: Any = None) -> _Numbers:
        """Ready to search."""
        del progress
        return self._first or self

    def search(self, question: str, depth: int, /) -> tuple[Any, Any]:
        """Numbers and scores, best first; ties by lower number."""
        return numbered(self._view, self._asking.search(self._view, question, depth), self.numbers)

    def search_all(self, questions: Sequence[str], depth: int, /) -> list[tuple[Any, Any]]:
        """The same for each of some questions."""
        found = self._asking.search_all(self._view, questions, depth)
        return [numbered(self._view, own, self.numbers) for own in found]
