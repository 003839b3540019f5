"""`Candidate`, `ChunkTable`, `Gaps`, `Ranking`, `Rankings` and `Run`: what was searched, what came back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, overload

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chunkwise.types.protocols import Chunker

# Strings, so that `import chunkwise` does not import numpy.
IntArray: TypeAlias = "npt.NDArray[np.int64]"
FloatArray: TypeAlias = "npt.NDArray[np.float64]"
BoolArray: TypeAlias = "npt.NDArray[np.bool_]"


class Candidate(NamedTuple):
    """One way of cutting and searching, to be compared with others."""

    chunker: Chunker
    """What cuts."""
    retriever: str = "bm25"
    """Text form of what searches."""
    label: str = ""
    """A name of the user's; equal candidates with different labels are kept apart."""
    clean: tuple[str, ...] = ()
    """Names of the steps by which documents are cleaned before they are cut, in the order they run."""
    offsets: int = 1
    """From how many starts fixed windows are cut; figures are means over them."""

    @property
    def cut(self) -> str:
        """Text form of cleaning and cutting: `heading:size=600,clean=invisible+spaces`."""
        own = self.chunker.spec
        more = [f"clean={'+'.join(self.clean)}"] if self.clean else []
        more += [f"offsets={self.offsets}"] if self.offsets != 1 else []
        return f"{own}{',' if ':' in own else ':'}{','.join(more)}" if more else own

    @property
    def spec(self) -> str:
        """Its text form, which parses back: `heading:size=600 @ bm25`."""
        return f"{self.cut} @ {self.retriever}"

    @property
    def name(self) -> str:
        """What its row is called: the label, else the text form of what cuts."""
        return self.label or self.cut


class Gaps(NamedTuple):
    """Characters that no chunk of a candidate holds, as columns in the order of the documents."""

    docs: IntArray
    """Number of the document in the order of the corpus."""
    starts: IntArray
    """Start in raw coordinates. Where the gap has a visible character, it starts with one."""
    ends: IntArray
    """End in raw coordinates. Where the gap has a visible character, it ends with one."""
    blank: BoolArray
    """Whether it holds no visible character. Such a gap loses nothing."""


@dataclass(frozen=True, slots=True)
class ChunkTable:
    """All chunks of one candidate over the corpus, as columns sorted by document and start.

    Chunks without a place stand behind the others of their document.
    """

    docs: IntArray
    """Number of the document in the order of the corpus."""
    starts: IntArray
    """Start in raw coordinates; -1 for a chunk without a place."""
    ends: IntArray
    """End in raw coordinates; -1 for a chunk without a place."""
    sent: IntArray
    """What a reader pays for the chunk, in units of the budget: its text, and its context where that
    is shown."""
    cut: Callable[[IntArray, IntArray], IntArray]
    """`cut(chunks, n)`: the raw positions where reading stops when only the first n units of each
    chunk are read. At most the chunk's start where its context takes all of them."""
    doc_ids: tuple[str, ...]
    """Ids of the documents, by number."""
    unit: str = "words"
    """The unit of `sent` and `cut`."""
    gaps: Gaps | None = None
    """What no chunk holds. None: whatever is in no chunk counts as lost, blank or not."""
    lengths: IntArray | None = None
    """Characters of each chunk's text, needed for chunks without a place. None: those count as empty
    where the characters of what was retrieved are counted."""
    units: Callable[[int], tuple[IntArray, IntArray]] | None = None
    """`units(document)`: for each unit of the document's whole text, in order, the raw positions of its
    first visible character and behind its last one. None: measures are taken in characters only."""

    def __len__(self) -> int:
        return len(self.docs)


class Ranking(NamedTuple):
    """What a retriever returned for one question, best first; ties by document, then start."""

    question: str
    """Id of the question."""
    chunks: IntArray
    """Numbers of the chunks in the `ChunkTable`. What the retriever gives no score is not in it: for BM25
    chunks that share no word with the question, for dense search chunks without a vector. A cosine below 0 is
    a score."""
    scores: FloatArray
    """The score of each, falling, rounded to 1e-6 before sorting."""


class Hits(Sequence[tuple[IntArray, FloatArray]]):
    """What was found for many questions, as columns; the chunks and the scores of one are views of them."""

    __slots__ = ("begins", "chunks", "scores", "stops")

    def __init__(self, chunks: IntArray, scores: FloatArray, begins: IntArray, stops: IntArray) -> None:
        """Take the columns.

        Args:
            chunks: numbers of the chunks found; those of each question stand side by side, best first.
            scores: of each.
            begins: where the chunks of each question begin; questions may share theirs.
            stops: where they end.
        """
        self.chunks, self.scores, self.begins, self.stops = chunks, scores, begins, stops

    def __len__(self) -> int:
        return len(self.begins)

    @overload
    def __getitem__(self, i: int) -> tuple[IntArray, FloatArray]: ...
    @overload
    def __getitem__(self, i: slice) -> Hits: ...
    def __getitem__(self, i: int | slice) -> tuple[IntArray, FloatArray] | Hits:
        if isinstance(i, slice):
            return Hits(self.chunks, self.scores, self.begins[i], self.stops[i])
        part = slice(self.begins[i], self.stops[i])
        return self.chunks[part], self.scores[part]


class Rankings(Sequence[Ranking]):
    """The rankings of many questions; each is made when it is asked for."""

    __slots__ = ("hits", "questions")

    def __init__(self, questions: Sequence[str], hits: Hits) -> None:
        """Take the ids of the questions and what was found for them, in the same order."""
        self.questions, self.hits = questions, hits

    def __len__(self) -> int:
        return len(self.questions)

    @overload
    def __getitem__(self, i: int) -> Ranking: ...
    @overload
    def __getitem__(self, i: slice) -> Rankings: ...
    def __getitem__(self, i: int | slice) -> Ranking | Rankings:
        if isinstance(i, slice):
            return Rankings(self.questions[i], self.hits[i])
        return Ranking(self.questions[i], *self.hits[i])


class Run(NamedTuple):
    """All rankings of one candidate (TREC's sense), so that any measure can be taken later."""

    candidate: Candidate
    """What was run."""
    table: ChunkTable
    """Its chunks."""
    rankings: Sequence[Ranking]
    """One for each question of the golden set, in its order."""
    settings: dict[str, Any]
    """The whole configuration."""
