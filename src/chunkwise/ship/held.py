"""The golden set asked of a version of which only a few documents were cut.

What the store holds of a chunk is enough to search it and to say where it stands. So the documents are not
cut and indexed once more for exact search: vectors are compared with all those of the store, and words are
counted.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from chunkwise.errors import StoreError
from chunkwise.evaluate import Columns
from chunkwise.index import Analyzer, Bm25Retriever
from chunkwise.index.postings import Postings
from chunkwise.ship.lost import SHOWN
from chunkwise.ship.records import Record, true_text
from chunkwise.ship.searching import Asking, Found
from chunkwise.ship.stores.base import View
from chunkwise.types import Corpus, Counter, Run

if TYPE_CHECKING:
    from chunkwise.index import Bm25

__all__ = ["Held", "numbered"]

_COLUMNS: Final = ("id", "doc", "number", "start", "end", "text", "exact")


class Held:
    """The chunks of a version, for `evaluate_stored`: searched exactly, and as users search."""

    def __init__(self, view: View, asking: Asking, questions: Sequence[str]) -> None:
        """Take a version.

        Args:
            view: the version.
            asking: asks it.
            questions: all that will be asked: other words are not counted.
        """
        self._view, self._asking, self._questions = view, asking, questions

    def columns(self, corpus: Corpus, without: Collection[str], counter: Counter, /) -> Columns:
        """The chunks of all documents but some."""
        import numpy as np

        numbers = {doc: number for number, doc in enumerate(corpus.ids) if doc not in without}
        ids: list[str] = []
        rows: list[tuple[int, bool, int, int, int, int]] = []
        for id, doc, number, start, end, text, exact in self._view.rows(_COLUMNS):
            document = numbers.get(true_text(doc, "doc", exact))
            if document is not None:
                ids.append(id)
                paid = counter.count(true_text(text, "text", exact))
                rows.append((document, start < 0, start, number, end, paid))
        columns = np.array(rows, dtype=np.int64).reshape(-1, 6).T
        order = np.lexsort(columns[3::-1])
        docs, _, starts, _, ends, sent = (column[order] for column in columns)
        return Columns([ids[i] for i in order.tolist()], docs, starts, ends, sent)

    def retrievers(self, numbers: Mapping[str, int], /) -> Sequence[Any]:
        """Exact search, and that of users."""
        asking, view = self._asking, self._view
        halves: list[Any] = []
        if asking.lexical is not None:
            halves.append(_counted(view, asking, asking.lexical, self._questions, numbers))
        if asking.dense is not None:
            halves.append(_Nearest(view, asking, numbers))
        exact = asking.fusion.join(*halves) if asking.fusion is not None else halves[0]
        return exact, _Stored(view, asking, numbers)

    def shown(
        self, corpus: Corpus, run: Run, ids: Sequence[str], questions: Collection[str]
    ) -> list[dict[str, Any]]:
        """The first chunks that users find for some questions, as a report shows them.

        Args:
            corpus: the documents.
            run: what they find.
            ids: of the chunks, by number.
            questions: ids of the questions.
        """
        first = {
            ranking.question: [ids[i] for i in ranking.chunks[:SHOWN].tolist()]
            for ranking in run.rankings
            if ranking.question in questions
        }
        records = self._view.get(list(dict.fromkeys(id for own in first.values() for id in own)))
        return [
            {
                "kind": "question",
                "id": question,
                "rows": [
                    {"candidate": run.candidate.name, "chunks": [_shown(records[id], corpus) for id in own]}
                ],
            }
            for question, own in first.items()
        ]


class _Stored:
    """Searches a version through its store."""

    shallow = True  # a store makes an answer of each chunk that it gives

    def __init__(self, view: View, asking: Asking, numbers: Mapping[str, int]) -> None:
        self._view, self._asking, self._numbers = view, asking, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def search(self, question: str, depth: int, /) -> tuple[Any, Any]:
        """Numbers and scores, best first; ties by lower number."""
        return self.search_all([question], depth)[0]

    def search_all(self, questions: Sequence[str], depth: int, /) -> list[tuple[Any, Any]]:
        """The same for each of some questions."""
        return [numbered(self._view, own, self._numbers) for own in self._answers(questions, depth)]

    def _answers(self, questions: Sequence[str], depth: int) -> list[Any]:
        """As users search."""
        return self._asking.search_all(self._view, questions, depth)


class _Nearest(_Stored):
    """Compares questions with all vectors of a version."""

    facts = tokens = None

    def _answers(self, questions: Sequence[str], depth: int) -> list[Any]:
        return self._asking.nearest(self._view, questions, depth, exact=True)

    def approximate_figures(self, questions: Sequence[str], k: int = 10) -> None:
        """Nothing is approximate here."""


def _shown(record: Record, corpus: Corpus) -> dict[str, Any]:
    doc, start, end = record.true("doc"), None, None
    if record.start >= 0:
        start, end = corpus[doc].to_raw((record.start, record.end))
    return {"doc": doc, "start": start, "end": end, "text": record.true("text"), "path": record.titles}


def _counted(
    view: View, asking: Asking, bm25: Bm25, questions: Sequence[str], numbers: Mapping[str, int]
) -> Bm25Retriever:
    """BM25 as a comparison has it, over the words of the questions."""
    import numpy as np

    analyzer = Analyzer(bm25.words)
    for question in questions:
        analyzer.question(question)
        analyzer.numbers(" ".join(asking.asked(view, question)))
    wanted = {word: number for number, word in enumerate(analyzer.vocabulary)}
    lengths = np.zeros(len(numbers), dtype=np.int64)
    rows: list[tuple[int, int, int]] = []
    for id, words in view.rows(("id", "words")):
        if id in numbers:
            own = words.split(" ") if words else []
            lengths[numbers[id]] = len(own)
            counts = Tally(word for word in own if word in wanted)
            rows += ((wanted[word], numbers[id], count) for word, count in counts.items())
    held, chunks, counted = np.array(sorted(rows), dtype=np.int64).reshape(-1, 3).T
    pointers = np.searchsorted(held, np.arange(len(wanted) + 1))
    return Bm25Retriever(
        bm25, analyzer, Postings(lengths, pointers, chunks.astype(np.int32), counted.astype(np.int32))
    )


def numbered(view: View, found: Sequence[Found], numbers: Mapping[str, int]) -> tuple[Any, Any]:
    """Numbers and scores of what was found, best first; ties by lower number.

    Raises:
        StoreError: a chunk has no number.
    """
    import numpy as np

    unknown = [one.id for one in found if one.id not in numbers]
    if unknown:
        raise StoreError(
            view.version, f"the store returns {len(unknown)} chunks that the documents do not have"
        )
    pairs = sorted((-one.score, numbers[one.id]) for one in found)
    order = np.array([number for _, number in pairs], dtype=np.int64)
    return order, np.array([-score for score, _ in pairs], dtype=np.float64)
