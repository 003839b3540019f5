"""Reranking: the best chunks of another retriever, put in order by a model that reads question and chunk.

The first `top` chunks are scored again by a cross-encoder; those behind them keep their order. Scores are the
model's own numbers (often logits, of any sign), so they say nothing beside those of another retriever.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from chunkwise.errors import SettingError
from chunkwise.index.embedders import Progress
from chunkwise.index.embedders.pairs import DEFAULT, make_pairs
from chunkwise.index.embedders.scored import Scorer
from chunkwise.index.shelf import JoinedIndexer
from chunkwise.index.words import Analyzer
from chunkwise.spec import Settings, Spec, escape, refuse_unknown, unescape, whole_number
from chunkwise.types import FloatArray, IntArray

_ROUNDED = 6


@dataclass(frozen=True, slots=True)
class Rerank(Settings):
    """A cross-encoder over another retriever, such as `rerank:top=50,of=bm25`.

    `model` is a model of fastembed's `TextCrossEncoder` (the default is `Xenova/ms-marco-MiniLM-L-6-v2`), a
    folder with an ONNX file, or `py:package.module.function`, called with a question and a list of texts.
    """

    of: Any
    """The retriever whose best chunks are put in order: a value with a text form."""
    model: str = DEFAULT
    """See above."""
    top: int = 50
    """How many chunks are scored again."""
    window: int | None = None
    """Tokens of question and chunk together that the model reads; None: what its files say."""
    label: str = field(default="")
    """A name of the user's; equal retrievers with different labels are kept apart."""

    def __post_init__(self) -> None:
        """Refuse settings that cannot work. Raises `SettingError`."""
        if not self.model:
            raise SettingError("rerank: model is empty; name one, such as rerank:model=" + DEFAULT)
        whole_number("rerank: top", self.top, 1)
        if self.window is not None:
            whole_number("rerank: window", self.window, 4)

    @classmethod
    def from_spec(cls, spec: Spec) -> Rerank:
        """The retriever that a parsed text form stands for; commas inside `of` are escaped.

        Raises:
            SettingError: a setting is unknown or has a value that cannot work.
        """
        from chunkwise.index import make_retrievers

        if spec.target:
            raise SettingError(f"rerank takes settings only, such as rerank:top=50; got {spec.target!r}")
        refuse_unknown("rerank", spec.settings, ("model", "top", "window", "of"))
        settings = spec.settings
        inner = make_retrievers(unescape(settings.get("of", "bm25")))
        if len(inner) != 1:
            raise SettingError(f"rerank: of stands for {len(inner)} retrievers; sweep it as of=bm25|dense")
        values: dict[str, Any] = {}
        if "model" in settings:
            values["model"] = unescape(settings["model"])
        for name, least in (("top", 1), ("window", 4)):
            if name in settings:
                values[name] = whole_number(f"rerank: {name}", settings[name], least)
        return cls(inner[0], label=spec.label, **values)

    @property
    def spec(self) -> str:
        """Its text form, which parses back; settings at their defaults are left out."""
        settings = {}
        if self.model != DEFAULT:
            settings["model"] = escape(self.model)
        if self.top != 50:
            settings["top"] = str(self.top)
        if self.window is not None:
            settings["window"] = str(self.window)
        if self.of.spec != "bm25":
            settings["of"] = escape(self.of.spec)
        return str(Spec("rerank", settings))

    @property
    def words(self) -> str:
        """What a word is to the retriever below: the analyzer that it needs."""
        return str(getattr(self.of, "words", "unicode"))

    @property
    def needs_texts(self) -> bool:
        """Whether it needs the texts of the chunks when it searches: it does."""
        return True

    @property
    def halves(self) -> tuple[Any, ...]:
        """What it is to be compared with: the retriever below."""
        return (self.of,)

    @property
    def scorer(self) -> Scorer:
        """The cross-encoder with its cache; equal settings share one."""
        return _scorer(self.model, self.window)

    def prepare(self) -> None:
        """See that the models are there, before any document is read; see `Dense.prepare`."""
        if hasattr(self.of, "prepare"):
            self.of.prepare()
        self.scorer.prepare()

    def indexer(self, analyzer: Analyzer | None = None) -> JoinedIndexer:
        """Begin an index. Where the retriever below is a row of its own, a `Shelf` builds it once."""
        return JoinedIndexer(self, analyzer)

    def join(self, below: Any, texts: Sequence[str]) -> RerankRetriever:
        """A reranker over a retriever that is there already, and the texts of its chunks."""
        return RerankRetriever(self, below, texts)


@lru_cache(maxsize=8)
def _scorer(model: str, window: int | None) -> Scorer:
    return Scorer(make_pairs(model, window))


class RerankRetriever:
    """Puts the best of another retriever in order."""

    def __init__(self, settings: Rerank, below: Any, texts: Sequence[str]) -> None:
        """Take a retriever and the texts of its chunks. Raises `SettingError` where they do not fit."""
        if len(below) != len(texts):
            raise SettingError(f"{settings.spec}: {len(below)} chunks are searched, {len(texts)} have a text")
        self.settings = settings
        self.below = below
        self._texts = texts
        self._read: dict[str, tuple[int, int]] = {}

    def __len__(self) -> int:
        """Number of chunks searched."""
        return len(self._texts)

    @property
    def facts(self) -> Any:
        """What embedding the chunks came to, where the retriever below embeds; else None."""
        return getattr(self.below, "facts", None)

    @property
    def tokens(self) -> IntArray | None:
        """For each chunk the tokens of what is embedded; None where that is not known."""
        return getattr(self.below, "tokens", None)

    def release(self) -> None:
        """Give memory back that can be had again."""
        if hasattr(self.below, "release"):
            self.below.release()

    @property
    def pairs(self) -> int:
        """Pairs of question and chunk that the model was asked for so far."""
        return sum(pairs for pairs, _ in self._read.values())

    @property
    def cut(self) -> int:
        """How many of these are longer than its window; 0 also where it does not say."""
        return sum(cut for _, cut in self._read.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of its figures should know, after searching: how much the model did not read."""
        if not self.cut:
            return ()
        model = self.settings.scorer.model
        note = (
            f"{self.cut:,} of {self.pairs:,} pairs of question and chunk are longer than the "
            f"{model.window} tokens that {model.name} reads; it ranked these chunks without their ends"
        )
        return (note,)

    def approximate_figures(self, questions: Sequence[str], k: int = 10) -> dict[str, Any] | None:
        """What approximate search below gives up; see `DenseRetriever.approximate_figures`."""
        figures = getattr(self.below, "approximate_figures", None)
        found: dict[str, Any] | None = None if figures is None else figures(questions, k)
        return found

    def search(self, question: str, depth: int, /) -> tuple[IntArray, FloatArray]:
        """Numbers and scores of the best `depth` chunks, best first.

        The first `top` of the retriever below come first, by the model's scores; ties go to the lower number.
        The others follow in their order; their scores are the lowest of these, less how far they are behind
        in the retriever below.

        Raises:
            SettingError: `depth` is below 1.
            ModelError: the model fails.
        """
        return self.search_all([question], depth)[0]

    def search_all(
        self, questions: Iterable[str], depth: int, progress: Progress | None = None
    ) -> list[tuple[IntArray, FloatArray]]:
        """`search` for many questions."""
        asked = list(questions)
        top = self.settings.top
        found = []
        for done, (question, ranking) in enumerate(
            zip(asked, self.below.search_all(asked, max(depth, top)), strict=True)
        ):
            found.append(self._reranked(question, ranking, depth))
            if progress is not None:
                progress("rerank", done + 1, len(asked))
        return found

    def _reranked(
        self, question: str, ranking: tuple[IntArray, FloatArray], depth: int
    ) -> tuple[IntArray, FloatArray]:
        numbers, scores = ranking
        if not len(numbers):
            return numbers, scores
        top = self.settings.top
        first = np.sort(numbers[:top])
        fits, cut = self.settings.scorer.scores(question, [self._texts[i] for i in first.tolist()])
        # Asked again for more, the model reads the same pairs.
        self._read[question] = len(first), cut
        fits = np.round(fits, _ROUNDED) + 0.0
        order = (-fits).argsort(kind="stable")
        rest = scores[top:]
        if not len(rest):
            return first[order][:depth], fits[order][:depth]
        behind = float(fits.min()) - (scores[top - 1] - rest) - 10.0**-_ROUNDED
        numbers = np.concatenate((first[order], numbers[top:]))
        return numbers[:depth], np.round(np.concatenate((fits[order], behind)), _ROUNDED)[:depth]
