"""BM25: lexical search over the words of chunks, exact and deterministic."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index.postings import BLOCK, Postings, Tally
from chunkwise.index.ranking import Held, ranked
from chunkwise.index.slices import Cut, Stripped
from chunkwise.index.words import KINDS, Analyzer
from chunkwise.spec import Settings, Spec, refuse_unknown
from chunkwise.types import Chunk, Document, FloatArray, Hits, IntArray

_HELD = 500_000  # characters of documents whose chunks wait to be counted


@dataclass(frozen=True, slots=True)
class Bm25(Settings):
    """BM25 with Robertson's term weights, a value with a text form such as `bm25:k1=1.2,words=ascii`.

    The score of a chunk is the sum, over the distinct words t of the question, of

        idf(t) * f * (k1 + 1) / (f + k1 * (1 - b + b * L / avgL)),
        idf(t) = ln(1 + (N - n + 0.5) / (n + 0.5))

    with f the occurrences of t in the chunk's `indexed`, L its number of words, avgL the mean of L over
    all chunks (those without words included), N the number of chunks and n of those that hold t.

    Source: Robertson and Zaragoza (2009), The Probabilistic Relevance Framework: BM25 and Beyond,
    section 3; the 1 inside the logarithm, which keeps idf above 0, is Lucene's (Kamphuis and others
    (2020), Which BM25 Do You Mean?, table 1).
    """

    k1: float = 1.5
    """How slowly repeated occurrences saturate; 0 counts a word once."""
    b: float = 0.75
    """How much long chunks are marked down, 0 to 1."""
    words: str = "unicode"
    """What a word is: `unicode` or `ascii`, see `Analyzer`."""
    label: str = ""
    """A name of the user's; equal retrievers with different labels are kept apart."""

    def __post_init__(self) -> None:
        """Refuse settings that cannot work.

        Raises:
            SettingError: k1 is below 0 or no finite number, or b is not within 0 to 1.
            UnknownName: `words` is neither `unicode` nor `ascii`.
        """
        if not (isinstance(self.k1, int | float) and math.isfinite(self.k1) and self.k1 >= 0):
            raise SettingError(f"bm25: k1 must be a number of at least 0, got {self.k1!r}")
        if not (isinstance(self.b, int | float) and 0 <= self.b <= 1):
            raise SettingError(f"bm25: b must be a number from 0 to 1, got {self.b!r}")
        if self.words not in KINDS:
            raise UnknownName("kind of words", self.words, KINDS)

    @classmethod
    def from_spec(cls, spec: Spec) -> Bm25:
        """The retriever that a parsed text form stands for.

        Raises:
            SettingError: a setting is unknown or has a value that cannot work.
        """
        if spec.target:
            raise SettingError(f"bm25 takes settings only, such as bm25:k1=1.2; got {spec.target!r}")
        refuse_unknown("bm25", spec.settings, ("k1", "b", "words"))
        return cls(
            k1=_number("k1", spec.settings, cls().k1),
            b=_number("b", spec.settings, cls().b),
            words=spec.settings.get("words", cls().words),
            label=spec.label,
        )

    @property
    def spec(self) -> str:
        """Its text form, which parses back; settings at their defaults are left out."""
        usual = Bm25()
        settings = {}
        for name in ("k1", "b"):
            value = float(getattr(self, name))
            if value != getattr(usual, name):
                settings[name] = str(int(value)) if value.is_integer() else repr(value)
        if self.words != usual.words:
            settings["words"] = self.words
        return str(Spec("bm25", settings))

    @property
    def index_spec(self) -> str:
        """What its index depends on: not its weights. Retrievers of one index share it, see `Shelf`."""
        return str(Spec("bm25", {"words": self.words}))

    def indexer(self, analyzer: Analyzer | None = None) -> Bm25Indexer:
        """Begin an index.

        Args:
            analyzer: shared by all candidates of a comparison, so that each document's words are found
                once; a new one if None.

        Raises:
            SettingError: the analyzer is for another kind of words.
        """
        analyzer = analyzer if analyzer is not None else Analyzer(self.words)
        if analyzer.words != self.words:
            raise SettingError(f"{self.spec} needs an analyzer with words={self.words}, got {analyzer.words}")
        return Bm25Indexer(self, analyzer)


class Bm25Indexer:
    """Collects chunks, document by document in the order of the corpus. Chunks are numbered as they come."""

    def __init__(self, settings: Bm25, analyzer: Analyzer) -> None:
        self.settings = settings
        self.analyzer = analyzer
        self._tally = Tally()
        self._held: list[Cut] = []
        self._characters = self._chunks = 0

    def __len__(self) -> int:
        """Number of chunks added."""
        return self._chunks

    def add(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Add the chunks of one document, in their order. `indexed` is what is searched."""
        self._hold(Cut(document, chunks))

    def add_twice(self, document: Document, chunks: Sequence[Chunk], stripped: Stripped) -> None:
        """The same for two indexes, the other one without the lines that `stripped` leaves out.

        All chunks of an indexer are added in one of the two ways.
        """
        self._hold(Cut(document, chunks, stripped))

    def add_texts(self, texts: Iterable[str]) -> None:
        """Add plain strings, each as one chunk."""
        self.settle()
        for text in texts:
            ids = self.analyzer.ids(text)
            self._tally.add(ids, np.array([len(ids)], dtype=np.int64))
            self._chunks += 1

    def _hold(self, cut: Cut) -> None:
        """Take chunks. The words of many small documents are found together, which costs little more."""
        self._held.append(cut)
        self._chunks += len(cut.chunks)
        self._characters += len(cut.document.text)
        if self._characters >= _HELD:
            self.settle()

    def settle(self) -> None:
        """Count what is held. Where several indexers share an analyzer, it knows all words only when all of
        them are settled: the size of an index does not depend on which one is finished first.
        """
        if self._held:
            self._tally.add(*self.analyzer.chunks_of(self._held))
            self._held, self._characters = [], 0

    def finish(self) -> Bm25Retriever:
        """The retriever over everything added."""
        return self.finish_for(self.settings)

    def finish_for(self, settings: Bm25, *, bare: bool = False) -> Bm25Retriever:
        """The same with other weights `k1` and `b`: counting words does not depend on them.

        Args:
            settings: the weights.
            bare: the other index of what was added twice.
        """
        # A retriever of somebody's own may use this index, and has no weights of its own then.
        weights = settings if isinstance(settings, Bm25) else self.settings
        self.settle()
        return Bm25Retriever(weights, self.analyzer, self._tally.finish(len(self.analyzer), bare=bare))


class Bm25Retriever:
    """Searches the chunks of one candidate. Postings hold finished term weights: a score is a sum of them."""

    def __init__(self, settings: Bm25, analyzer: Analyzer, postings: Postings) -> None:
        """Weigh the postings.

        Args:
            settings: k1 and b.
            analyzer: what made the words; questions go through it too.
            postings: the words of the chunks, counted.
        """
        lengths, pointers, chunks, counts = postings
        self.settings = settings
        self.analyzer = analyzer
        self._size = len(lengths)
        self._pointers = pointers
        self._chunks = chunks
        k1, b = settings.k1, settings.b
        mean = float(lengths.sum()) / max(len(lengths), 1)
        # A corpus without any word has no postings either: nothing is divided by this 1.
        damping = k1 * (1 - b + b * lengths / (mean or 1.0))
        holding = np.diff(pointers)
        idf = np.log(1 + (self._size - holding + 0.5) / (holding + 0.5))
        self._weights: FloatArray = np.repeat(idf, holding)
        # Piece by piece: whole columns of intermediate results would take more room than the index.
        for start in range(0, len(chunks), BLOCK):
            part = slice(start, start + BLOCK)
            f = counts[part]
            self._weights[part] *= f * (k1 + 1) / (f + damping[chunks[part]])

    def __len__(self) -> int:
        """Number of chunks searched."""
        return self._size

    def search(self, question: str, depth: int, /) -> tuple[IntArray, FloatArray]:
        """Numbers and scores of the best `depth` chunks, best first.

        Only chunks that share a word with the question are returned. Scores are rounded to 1e-6 before
        they are sorted; ties go to the lower number.

        Raises:
            SettingError: `depth` is below 1.
        """
        return self.search_all([question], depth)[0]

    def search_all(self, questions: Iterable[str], depth: int) -> Hits:
        """`search` for each of many questions.

        Raises:
            SettingError: `depth` is below 1.
        """
        if depth < 1:
            raise SettingError(f"the depth of a search must be at least 1, got {depth}")
        asked = self.analyzer.questions(questions)
        # There may be more words by now: those of questions, and of other chunkers' chunks.
        last = len(self._pointers) - 1
        begins = self._pointers[np.minimum(asked.words, last)].tolist()
        stops = self._pointers[np.minimum(asked.words + 1, last)].tolist()
        parts = [slice(begin, stop) for begin, stop in zip(begins, stops, strict=True)]
        held = Held([self._chunks[part] for part in parts], [self._weights[part] for part in parts])
        return ranked(asked, held, self._size, depth)


def _number(name: str, settings: Mapping[str, str], usual: float) -> float:
    text = settings.get(name)
    if text is None:
        return usual
    try:
        return float(text)
    except ValueError:
        raise SettingError(f"bm25: {name} must be a number, got {text!r}") from None
