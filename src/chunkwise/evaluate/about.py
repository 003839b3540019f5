"""What a report says of its documents, questions and settings."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from chunkwise.evaluate.cleaning import Steps, removed
from chunkwise.evaluate.control import HELD
from chunkwise.evaluate.gathering import Gathered
from chunkwise.evaluate.overlap import Overlap, told
from chunkwise.evaluate.plan import Plan, versions
from chunkwise.evaluate.repeats import near_duplicates
from chunkwise.golden import nearly_equal
from chunkwise.types import Candidate, Corpus, GoldenSet, Question

__all__ = ["about_corpus", "about_golden", "furthest", "settings"]


def furthest(questions: Sequence[Question]) -> dict[str, int]:
    """The furthest raw position that a gold needs, by document."""
    found: dict[str, int] = {}
    for question in questions:
        for place in (p for gold in question.golds for p in gold.places):
            found[place.doc] = max(found.get(place.doc, 0), place.span[1])
    return found


def about_golden(golden: GoldenSet | None, overlap: Overlap) -> dict[str, Any]:
    """What the report says of the golden set."""
    if golden is None:
        golden = GoldenSet(())
    return {
        "questions": len(golden),
        "families": len({question.family or question.id for question in golden}),
        "digest": golden.digest,
        "asked": golden.asked,
        "origin": dict(sorted(Tally(question.origin for question in golden).items())),
        "reviewed": sum(question.reviewed for question in golden),
        "unreviewed_of_models": sum(q.origin == "model" and not q.reviewed for q in golden),
        "left_out": golden.left_out,
        "of": len(golden) + golden.left_out,
        "faults": [str(fault) for fault in golden.faults],
        "overlap": told(overlap.shares) if len(golden) else None,
        "quoting": list(overlap.quoting),
        "nearly_equal": [list(pair) for pair in nearly_equal(golden.questions)],
    }


def about_corpus(corpus: Corpus, corpora: Mapping[Steps, Corpus], gathered: Gathered) -> dict[str, Any]:
    """What the report says of the documents.

    Args:
        corpus: the documents as they were read.
        corpora: the same by way of cleaning.
        gathered: what one pass over them left.
    """
    about: dict[str, Any] = {
        "documents": len(corpus),
        "characters": gathered.characters,
        "digest": corpus.digest,
        "skipped": [str(notice) for notice in corpus.skipped],
        "without_text": gathered.without_text,
        # Larger corpora are not in memory, and are not read once more for this.
        "near_duplicates": near_duplicates(corpus) if gathered.characters <= HELD else None,
        "notices": [*map(str, corpus.notices), *gathered.notices],
    }
    if any(corpora):
        about["cleaned"] = {"+".join(steps): removed(one) for steps, one in corpora.items() if steps}
    return about


def settings(plan: Plan, candidates: Sequence[Candidate]) -> dict[str, Any]:
    """What the report says of the settings."""
    return {
        "k": list(plan.k),
        "budgets": list(plan.budgets),
        "unit": plan.counter.name,
        "show_context": plan.show_context,
        "rule": plan.rule.name,
        "primary": plan.primary.name,
        "by": list(plan.by),
        "depth": plan.depth,
        "ties": "score rounded to 1e-6, then document id, then start",
        "seed": plan.seed,
        "resamples": plan.resamples,
        "prices": None if plan.prices is None else asdict(plan.prices),
        "interval": "95 %, percentile bootstrap over families, paired by question",
        "candidates": [candidate.spec for candidate in candidates],
        "versions": versions(),
    }
