"""How a store is asked: the candidate's retriever with what the store can search."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from chunkwise.errors import SettingError
from chunkwise.index import Analyzer, Bm25, Dense, Hybrid, make_retrievers
from chunkwise.index.words import alone, holding
from chunkwise.ship.stores.base import View, nearest

__all__ = ["Asking", "Found", "make_asking"]

_ROUNDED: Final = 6
_HALF: Final = 100  # chunks of each half that are fused, where no more are asked for


class Found(NamedTuple):
    """A chunk that was found."""

    id: str
    """Its id."""
    score: float
    """What it is ranked by."""
    scores: dict[str, float]
    """By retriever."""


class Asking:
    """A retriever over a store. Safe to use from several threads."""

    def __init__(
        self, retriever: str, lexical: Bm25 | None, dense: Dense | None, fusion: Hybrid | None
    ) -> None:
        self.retriever = retriever
        self.lexical, self.dense, self.fusion = lexical, dense, fusion
        self._analyzer = Analyzer(lexical.words) if lexical is not None else None
        self._embedding = threading.Lock()  # a model is asked by one thread at a time
        self._seen: tuple[View, list[str]] | None = None

    def prepare(self) -> None:
        """See that model, network and key are there. Loads no model; raises what `Dense.prepare` does."""
        if self.dense is not None:
            self.dense.prepare()

    @property
    def embedder(self) -> Any:
        """The embedder; None without dense search."""
        return self.dense.embedder if self.dense is not None else None

    def model(self, dimension: int = 0) -> dict[str, Any]:
        """What a manifest says of the model; empty without dense search."""
        if self.dense is None:
            return {}
        embedder = self.embedder
        embedder.prepare()
        digest = hashlib.sha256(embedder.key.encode("utf-8")).hexdigest()
        return {"name": embedder.name, "digest": digest, "dimension": dimension, "window": embedder.window}

    def words(self, text: str) -> list[str]:
        """The words that BM25 searches; none without it."""
        return self._analyzer.tokens(text) if self._analyzer is not None else []

    def asked(self, view: View, question: str) -> list[str]:
        """The words of a question that a version is asked for, as `Analyzer.asked` has them.

        For a question of single characters the words of the version are read, once for the next such ones.
        """
        words = list(dict.fromkeys(self.words(question)))
        if not (characters := alone(words)):
            return words
        seen = self._seen
        if seen is None or seen[0] is not view:
            found = {word for (held,) in view.rows(("words",)) for word in held.split() if not word.isascii()}
            seen = self._seen = view, list(found)
        return holding(characters, seen[1])

    def search(self, view: View, question: str, k: int, exact: bool = False) -> list[Found]:
        """The best k chunks, best first; ties by id, which the caller puts in the order of the documents.

        Args:
            view: a version.
            question: what is asked.
            k: how many.
            exact: look at all vectors instead of a graph.
        """
        reach = max(_HALF, k) if self.fusion is not None else k
        lexical: list[tuple[str, float]] = []
        dense: list[tuple[str, float]] = []
        if self.lexical is not None:
            lexical = view.lexical(self.asked(view, question), reach, self.lexical)
        if self.dense is not None:
            with self._embedding:
                vector = self.embedder.questions([question])[0]
            if vector.any():
                dense = view.dense(vector, reach, exact)
        if self.fusion is None:
            name = "bm25" if self.lexical is not None else "dense"
            pairs = lexical if self.lexical is not None else dense
            return _alone(name, pairs, k)
        return self._fused(_sorted(lexical), _sorted(dense))[:k]

    def search_all(self, view: View, questions: Sequence[str], k: int) -> list[list[Found]]:
        """What `search` finds for each question; vectors are searched for in blocks."""
        if self.dense is None or self.lexical is not None:
            return [self.search(view, question, k) for question in questions]
        return self.nearest(view, questions, k)

    def nearest(self, view: View, questions: Sequence[str], k: int, exact: bool = False) -> list[list[Found]]:
        """What the dense half finds for each question, in blocks."""
        with self._embedding:
            vectors = self.embedder.questions(questions)
        asked = [i for i, vector in enumerate(vectors) if vector.any()]
        found: list[list[Found]] = [[] for _ in questions]
        for i, pairs in zip(asked, nearest(view, vectors[asked], k, exact) if asked else (), strict=True):
            found[i] = _alone("dense", pairs, k)
        return found

    def _fused(self, lexical: Sequence[tuple[str, float]], dense: Sequence[tuple[str, float]]) -> list[Found]:
        assert self.fusion is not None
        fused: dict[str, float] = {}
        scores: dict[str, dict[str, float]] = {}
        for name, half in (("bm25", lexical), ("dense", dense)):
            for rank, (id, score) in enumerate(half, 1):
                fused[id] = fused.get(id, 0.0) + 1 / (self.fusion.k + rank)
                scores.setdefault(id, {})[name] = round(score, _ROUNDED)
        return [Found(id, round(score, _ROUNDED), scores[id]) for id, score in _sorted(list(fused.items()))]


def make_asking(retriever: str) -> Asking:
    """What asks a store in a retriever's way.

    Raises:
        SettingError: no store searches in this way; says what can be shipped.
    """
    made, *others = make_retrievers(retriever)
    if others:
        raise SettingError(f"{retriever!r} stands for {1 + len(others)} retrievers; an index has one")
    lexical = dense = fusion = None
    if isinstance(made, Bm25):
        lexical = made
    elif isinstance(made, Dense):
        dense = made
    elif isinstance(made, Hybrid):
        if made.fusion != "rrf":
            raise SettingError(
                f"{retriever}: a store fuses by rank only; take hybrid:rrf, or ship one half of it"
            )
        lexical, dense, fusion = made.lexical, made.dense, made
    else:
        raise SettingError(
            f"{retriever}: a store does not rerank; ship what is below the reranker, and rerank what comes"
            " back"
        )
    return Asking(retriever, lexical, dense, fusion)


def _alone(name: str, pairs: Sequence[tuple[str, float]], k: int) -> list[Found]:
    return [Found(id, round(s, _ROUNDED), {name: round(s, _ROUNDED)}) for id, s in _sorted(pairs)[:k]]


def _sorted(pairs: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    return sorted(pairs, key=lambda pair: (-round(pair[1], _ROUNDED), pair[0]))
