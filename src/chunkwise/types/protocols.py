"""What a part must offer to be used in a room: small protocols, one subject each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from chunkwise.types.chunk import Chunk
from chunkwise.types.document import Document
from chunkwise.types.golden import Question
from chunkwise.types.run import ChunkTable, FloatArray, IntArray, Ranking

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@runtime_checkable
class Chunker(Protocol):
    """Cuts a document into chunks."""

    @property
    def spec(self) -> str:
        """Its text form, which parses back to an equal chunker."""
        ...

    def __call__(self, document: Document | str, /) -> list[Chunk]:
        """The chunks of a document, in the order of their starts. A plain string is Markdown."""
        ...


class Counter(Protocol):
    """Measures the size of a text in a named unit."""

    @property
    def name(self) -> str:
        """Name of the unit: `chars`, `words`, `cl100k`, …"""
        ...

    def count(self, text: str, /) -> int:
        """Size of a text in this unit."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors of one length. Handed in where a room needs vectors and may not make them."""

    @property
    def name(self) -> str:
        """Name of the model."""
        ...

    def embed(self, texts: Sequence[str], kind: str = "passage", /) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text; `kind` is `passage` or `query`."""
        ...


class Retriever(Protocol):
    """Searches chunks for questions. Built once for one candidate's chunks."""

    def search(self, question: str, depth: int, /) -> tuple[IntArray, FloatArray]:
        """Numbers and scores of the best `depth` chunks, best first; ties by lower number."""
        ...


class Measure(Protocol):
    """A figure of one question's ranking. A value: it prints and parses back."""

    @property
    def name(self) -> str:
        """Text form, for example `hit@5`."""
        ...

    def score(self, question: Question, ranking: Ranking, table: ChunkTable, /) -> float:
        """The measure's value for one question, 0 to 1."""
        ...


class Reader(Protocol):
    """Makes a document of a file's bytes."""

    def __call__(self, data: bytes, id: str, encoding: str | None, /, options: Any = ...) -> Document:
        """The document, or `ReadError` that names the file, the place and the remedy."""
        ...


class Segmenter(Protocol):
    """Finds sentence ends in a text."""

    def __call__(self, text: str, /) -> Iterable[int]:
        """Positions after each sentence, white space included, rising, the last one the text's length."""
        ...
