"""Hybrid retrieval: a lexical and a dense ranking of the same chunks, fused.

Reciprocal rank fusion: Cormack, Clarke and Büttcher (2009), Reciprocal Rank Fusion Outperforms Condorcet and
Individual Rank Learning Methods; the score of a chunk is the sum of 1 / (k + rank) over the rankings that
hold it.

Weighted sum: Bruch, Gai and Ingber (2023), An Analysis of Fusion Functions for Hybrid Retrieval; the score is
alpha * dense + (1 - alpha) * lexical, of scores brought to 0 to 1 for each question.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chunkwise.errors import SettingError, UnknownName
from chunkwise.index.bm25 import Bm25
from chunkwise.index.dense import Dense, read_settings
from chunkwise.index.embedders import DEFAULT
from chunkwise.index.shelf import JoinedIndexer
from chunkwise.index.words import Analyzer
from chunkwise.spec import Settings, Spec, refuse_unknown, whole_number
from chunkwise.types import FloatArray, IntArray, Retriever

FUSIONS = ("rrf", "weighted")
NORMS = ("tmm", "minmax")
_LEXICAL = ("k1", "b", "words")
_OWN = {"rrf": ("k", "top"), "weighted": ("alpha", "norm")}
_ROUNDED = 6


@dataclass(frozen=True, slots=True)
class Hybrid(Settings):
    """A fusion of BM25 and dense retrieval, such as `hybrid:rrf,dense=minilm`.

    Settings of BM25 (`k1`, `b`, `words`) and of the dense half (all but `model`, which is called `dense`
    here) are written beside its own.
    """

    fusion: str = "rrf"
    """`rrf` or `weighted`."""
    dense: Dense = field(default_factory=Dense)
    """The dense half."""
    lexical: Bm25 = field(default_factory=Bm25)
    """The lexical half."""
    k: int = 60
    """rrf: how little the first ranks count above later ones; 60 in the paper."""
    top: int = 1000
    """rrf: how much of each ranking is fused; 1,000 are the depth of the runs in the paper. A chunk further
    down gets nothing from that half."""
    alpha: float = 0.5
    """weighted: the dense half's weight, 0 to 1."""
    norm: str = "tmm"
    """weighted: `tmm` takes (score - least possible) / (best - least possible), the least possible being 0
    for BM25 and -1 for cosines; `minmax` takes the least score of all chunks instead."""
    label: str = ""
    """A name of the user's; equal retrievers with different labels are kept apart."""

    def __post_init__(self) -> None:
        """Refuse settings that cannot work.

        Raises:
            SettingError: names the setting and the value given.
            UnknownName: an unknown fusion or normalisation.
        """
        if self.fusion not in FUSIONS:
            raise UnknownName("fusion", self.fusion, FUSIONS)
        if self.norm not in NORMS:
            raise UnknownName("normalisation", self.norm, NORMS)
        whole_number("hybrid: k", self.k, 1)
        whole_number("hybrid: top", self.top, 1)
        if not isinstance(self.alpha, int | float) or not 0 <= self.alpha <= 1:
            raise SettingError(f"hybrid: alpha must be a number from 0 to 1, got {self.alpha!r}")

    @classmethod
    def from_spec(cls, spec: Spec) -> Hybrid:
        """The retriever that a parsed text form stands for.

        Raises:
            SettingError: a setting is unknown or has a value that cannot work.
        """
        fusion = spec.target or "rrf"
        if fusion not in FUSIONS:
            raise UnknownName("fusion", fusion, FUSIONS)
        dense_names = [name for name in Dense.__dataclass_fields__ if name not in ("model", "label")]
        refuse_unknown(f"hybrid:{fusion}", spec.settings, ["dense", *_OWN[fusion], *_LEXICAL, *dense_names])
        settings = dict(spec.settings)
        lexical = {name: settings.pop(name) for name in _LEXICAL if name in settings}
        own = {name: settings.pop(name) for name in _OWN[fusion] if name in settings}
        settings = {"model" if name == "dense" else name: value for name, value in settings.items()}
        values: dict[str, Any] = {}
        for name in ("k", "top"):
            if name in own:
                values[name] = whole_number(f"hybrid: {name}", own[name], 1)
        if "alpha" in own:
            values["alpha"] = _share(own["alpha"])
        if "norm" in own:
            values["norm"] = own["norm"]
        return cls(
            fusion,
            Dense(**read_settings(settings)),
            Bm25.from_spec(Spec("bm25", lexical)),
            label=spec.label,
            **values,
        )

    @property
    def spec(self) -> str:
        """Its text form, which parses back; settings at their defaults are left out."""
        settings: dict[str, str] = {}
        if self.dense.model != DEFAULT:
            settings["dense"] = self.dense.settings["model"]
        for name in _OWN[self.fusion]:
            value = getattr(self, name)
            if value != type(self).__dataclass_fields__[name].default:
                whole = isinstance(value, float) and value.is_integer()
                settings[name] = str(int(value)) if whole else str(value)
        settings.update((n, v) for n, v in self.dense.settings.items() if n != "model")
        lexical = self.lexical.spec.partition(":")[2]
        for part in filter(None, lexical.split(",")):
            name, _, value = part.partition("=")
            settings[name] = value
        return str(Spec("hybrid", settings, target=self.fusion))

    @property
    def words(self) -> str:
        """What a word is to the lexical half: the analyzer that it needs."""
        return self.lexical.words

    @property
    def halves(self) -> tuple[Bm25, Dense]:
        """The two retrievers that are fused. A report shows them beside it."""
        return self.lexical, self.dense

    def prepare(self) -> None:
        """See that model, network and key are there; see `Dense.prepare`."""
        self.dense.prepare()

    def indexer(self, analyzer: Analyzer | None = None) -> JoinedIndexer:
        """Begin an index of both halves. Where they are rows of their own, a `Shelf` builds each once."""
        return JoinedIndexer(self, analyzer)

    def join(self, lexical: Retriever, dense: Retriever, texts: Sequence[str] = ()) -> HybridRetriever:
        """The fusion of two retrievers over the same chunks that are there already; texts are not needed."""
        del texts
        return HybridRetriever(self, lexical, dense)


class HybridRetriever:
    """Fuses what two retrievers say of the same chunks."""

    def __init__(self, settings: Hybrid, lexical: Any, dense: Any) -> None:
        """Take two retrievers over the same chunks. Raises `SettingError` where they are not."""
        if len(lexical) != len(dense):
            raise SettingError(f"the halves of {settings.spec} hold {len(lexical)} and {len(dense)} chunks")
        self.settings = settings
        self.lexical = lexical
        self.dense = dense

    def __len__(self) -> int:
        """Number of chunks searched."""
        return len(self.dense)

    @property
    def facts(self) -> Any:
        """What embedding the chunks came to."""
        return self.dense.facts

    @property
    def tokens(self) -> IntArray | None:
        """For each chunk the tokens of what is embedded; None where that is not known."""
        return self.dense.tokens  # type: ignore[no-any-return]

    def release(self) -> None:
        """Give the memory of the vectors back."""
        self.dense.release()

    def approximate_figures(self, questions: Sequence[str], k: int = 10) -> dict[str, Any] | None:
        """What approximate search in its dense half gives up; see `DenseRetriever.approximate_figures`."""
        found: dict[str, Any] | None = self.dense.approximate_figures(questions, k)
        return found

    def search(self, question: str, depth: int, /) -> tuple[IntArray, FloatArray]:
        """Numbers and fused scores of the best `depth` chunks, best first; ties by lower number.

        With rrf, only chunks that are among the first `top` of a half are returned.

        Raises:
            SettingError: `depth` is below 1.
        """
        return self.search_all([question], depth)[0]

    def search_all(self, questions: Iterable[str], depth: int) -> list[tuple[IntArray, FloatArray]]:
        """`search` for many questions."""
        if depth < 1:
            raise SettingError(f"the depth of a search must be at least 1, got {depth}")
        asked = list(questions)
        reach = max(1, len(self) if self.settings.fusion == "weighted" else self.settings.top)
        fuse = self._weighted if self.settings.fusion == "weighted" else self._rrf
        found = []
        # Whole rankings are long: few questions at a time.
        step = max(1, (1 << 21) // reach)
        for start in range(0, len(asked), step):
            part = asked[start : start + step]
            rankings = zip(
                self.lexical.search_all(part, reach), self.dense.search_all(part, reach), strict=True
            )
            found += [_best(*fuse(lexical, dense), depth) for lexical, dense in rankings]
        return found

    def _rrf(
        self, lexical: tuple[IntArray, FloatArray], dense: tuple[IntArray, FloatArray]
    ) -> tuple[IntArray, FloatArray]:
        numbers, places = np.unique(np.concatenate((lexical[0], dense[0])), return_inverse=True)
        ranks = np.concatenate((np.arange(len(lexical[0])), np.arange(len(dense[0])))) + 1.0
        scores = np.bincount(places, 1 / (self.settings.k + ranks), len(numbers))
        return numbers, scores.astype(np.float64, copy=False)

    def _weighted(
        self, lexical: tuple[IntArray, FloatArray], dense: tuple[IntArray, FloatArray]
    ) -> tuple[IntArray, FloatArray]:
        alpha = self.settings.alpha
        scores = np.zeros(len(self))
        # Chunks without a word of the question have a score of 0 in BM25; it returns the others only.
        least = 0.0
        if len(lexical[0]):
            everywhere = len(lexical[0]) == len(self)
            if self.settings.norm == "minmax" and everywhere:
                least = float(lexical[1][-1])
            scores[lexical[0]] += (1 - alpha) * _brought(lexical[1], least)
        if len(dense[0]):
            least = -1.0 if self.settings.norm == "tmm" else float(dense[1][-1])
            scores[dense[0]] += alpha * _brought(dense[1], least)
        found = np.union1d(lexical[0], dense[0])
        return found, scores[found]


def _brought(scores: FloatArray, least: float) -> FloatArray:
    """Falling scores, brought to 0 at `least` and 1 at the first."""
    room = float(scores[0]) - least
    if room <= 0:
        return np.ones(len(scores))
    brought: FloatArray = (scores - least) / room
    return brought


def _best(numbers: IntArray, scores: FloatArray, depth: int) -> tuple[IntArray, FloatArray]:
    """The best of chunks given by rising number."""
    rounded = np.round(scores, _ROUNDED) + 0.0
    order = (-rounded).argsort(kind="stable")[:depth]
    return numbers[order], rounded[order]


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value <= 1:
        raise SettingError(f"hybrid: alpha must be a number from 0 to 1, got {text!r}")
    return value
