"""What is kept of an index when its row is scored and the index itself is let go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chunkwise.evaluate.costs import index_bytes
from chunkwise.evaluate.misses import misses
from chunkwise.evaluate.plan import Plan
from chunkwise.measure import Found
from chunkwise.types import IntArray, Question, Retriever

__all__ = ["Searched", "look_back"]


class Searched(NamedTuple):
    """An index in a few figures."""

    bytes: int | None
    """Its size; None: not known."""
    vectors: Mapping[str, Any] | None
    """What embedding the chunks came to; None for lexical search."""
    facts: Any
    """The same with what was in the cache before, which differs from run to run."""
    tokens: IntArray | None
    """Tokens of each chunk as its model counts them; None: lexical search, or the model does not say."""
    approximate: Mapping[str, Any] | None
    """What approximate search loses and saves; None where search is exact."""
    seconds: Mapping[str, float]
    """How long approximate and exact searches take; empty where search is exact."""
    notes: Sequence[str]
    """What the retriever itself has to say of its figures."""
    missed: dict[int, dict[str, Any]]
    """By number of the question why it was missed."""


def look_back(
    retriever: Retriever, questions: Sequence[Question], found: Found | None, plan: Plan
) -> Searched:
    """Ask a retriever for the last time.

    Args:
        retriever: what searched; `approximate_figures(texts)`, where it has that, gives what its graph loses.
        questions: all questions.
        found: what it found for them; None where there are no questions.
        plan: the settings.
    """
    facts = getattr(retriever, "facts", None)
    figures = getattr(retriever, "approximate_figures", None)
    told = figures([question.text for question in questions]) if figures is not None and questions else None
    # Times differ from run to run: they stand apart.
    seconds = {} if told is None else told.pop("seconds")
    return Searched(
        index_bytes(retriever),
        None if facts is None else _lasting(facts),
        facts,
        getattr(retriever, "tokens", None),
        told,
        seconds,
        getattr(retriever, "notes", ()),
        {} if found is None else misses(found, questions, plan, retriever),
    )


def _lasting(facts: Any) -> dict[str, Any]:
    """The facts that are the same in the next run: what was in the cache before is not."""
    return {key: value for key, value in facts._asdict().items() if key not in ("known", "embedded")}
