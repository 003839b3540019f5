"""What is refused before any work, with its name."""

from __future__ import annotations

from typing import Any

import pytest

from chunkwise.adapters import from_callable
from chunkwise.errors import CorpusError, GoldenError, SettingError, UnknownName
from chunkwise.evaluate import evaluate
from chunkwise.types import Candidate, Corpus, Gold, GoldenSet, Place, Question, Span

from .make import GOLDEN, TEXTS, documents, run


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"k": (0,)}, SettingError, "k must be whole numbers of at least 1, got 0"),
        ({"budgets": (1.5,)}, SettingError, "budgets must be whole numbers of at least 1, got 1.5"),
        ({"unit": "wrods"}, UnknownName, "did you mean 'words'"),
        ({"rule": "majorty"}, UnknownName, "did you mean 'majority'"),
        ({"primary": "accuracy"}, UnknownName, "unknown measure 'accuracy'"),
        ({"primary": "recall@100chars"}, SettingError, "unit='chars'"),
        ({"resamples": 0}, SettingError, "resamples must be a whole number of at least 1, got 0"),
        ({"seed": -1}, SettingError, "seed must be a whole number of at least 0, got -1"),
        ({"by": "knid"}, UnknownName, "did you mean 'kind'"),
        ({"k": (), "budgets": ()}, SettingError, "nothing to measure"),
    ],
)
def test_settings_that_cannot_work_are_named(settings: dict[str, Any], error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        run(**settings)


def test_bad_input_is_refused_before_any_work() -> None:
    def never(text: str) -> list[str]:
        raise AssertionError(f"cut {text!r}")

    rows = [Candidate(from_callable(never, "never"))]
    corpus = Corpus(documents())
    with pytest.raises(CorpusError, match="no documents"):
        evaluate(Corpus([]), GOLDEN, rows)
    with pytest.raises(GoldenError, match="no questions"):
        evaluate(corpus, GoldenSet([]), rows)
    with pytest.raises(SettingError, match="no candidates"):
        evaluate(corpus, GOLDEN, [])
    with pytest.raises(
        SettingError, match=r"2 candidates are called 'never': 'never @ bm25' and 'never @ bm25:k1=1'"
    ):
        evaluate(corpus, GOLDEN, [*rows, rows[0]._replace(retriever="bm25:k1=1")])
    with pytest.raises(UnknownName, match="retriever"):
        evaluate(corpus, GOLDEN, [rows[0]._replace(retriever="bm52")])
    changed = Corpus(documents({**TEXTS, "care.md": TEXTS["care.md"] + "More.\n"}))
    with pytest.raises(GoldenError, match=r"care\.md: its text is not the one"):
        evaluate(changed, GOLDEN, rows)
    fewer = Corpus(documents({doc: TEXTS[doc] for doc in ("care.md", "notes.md")}))
    with pytest.raises(GoldenError, match=r"faults\.md: not in the corpus") as caught:
        evaluate(fewer, GOLDEN, rows)
    assert len(caught.value.faults) == 1
    for span in ((5, 5), (-3, 4), (9, 2)):
        bad = GoldenSet([Question("q", "?", (Gold("", (Place("care.md", Span(*span)),)),))])
        with pytest.raises(GoldenError, match="is no span"):
            evaluate(corpus, bad, rows)
    with pytest.raises(GoldenError, match="'q' has no gold"):
        evaluate(corpus, GoldenSet([Question("q", "?", ())]), rows)
    far = GoldenSet([Question("q", "?", (Gold("", (Place("care.md", Span(3, 9999)),)),))])
    with pytest.raises(GoldenError, match=r"care\.md: a gold ends at 9999"):
        evaluate(corpus, far, rows)
