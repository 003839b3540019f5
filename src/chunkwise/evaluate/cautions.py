"""What the reader should know before trusting a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chunkwise.evaluate.ledger import OVER, UNPLACED, Cutting
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.scoring import Scored, ruled_measures
from chunkwise.measure import Hit
from chunkwise.types import GoldenSet, Run

FEW = 30
"""Below this number of questions a comparison tells large differences only."""
SHORT = 8
"""A gold below this length, in characters, is easily found where it answers nothing."""


def cautions(
    golden: GoldenSet | None,
    corpus: dict[str, Any],
    runs: Sequence[Run],
    cuttings: Sequence[Cutting],
    scored: Sequence[Scored],
    plan: Plan,
    facts: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
) -> tuple[str, ...]:
    """Everything that speaks against trusting the figures, the most important first.

    `facts` are what embedding came to, by row; `notes` what retrievers say of their own figures.
    """
    if golden is None:
        none = "no questions: nothing is said of what would be found; write some, each with its answer"
        about = (*_about_texts(corpus), *_about_chunks(runs, cuttings), *_about_vectors(facts or {}))
        return (none, *about)
    return (
        *_about_questions(golden, plan),
        *_about_texts(corpus),
        *_about_chunks(runs, cuttings),
        *_about_vectors(facts or {}),
        *notes,
        *_about_reach(runs, scored, plan),
        *_about_rules(runs, scored, plan),
    )


def _about_questions(golden: GoldenSet, plan: Plan) -> list[str]:
    found = []
    count, families = len(golden), len({q.family or q.id for q in golden})
    if golden.left_out:
        found.append(
            f"{golden.left_out} of {count + golden.left_out} questions are faulty and were left out; "
            "every figure is about the rest"
        )
    if count < FEW:
        found.append(
            f"{_count(count, 'question')} only: one question is {100 / count:.1f} points; "
            f"below {FEW} only large differences can be told"
        )
    if families < count and families < FEW:
        found.append(
            f"{count} questions are of {_count(families, 'family', 'families')} only; they vary less"
        )
    copied = sum(q.origin == "heading" for q in golden)
    if copied:
        found.append(
            f"{copied} of {_count(count, 'question')} {'are' if copied > 1 else 'is'} copied from headings: "
            f"good for a first look (judged by the rule {plan.rule.name}), kind to chunkers that keep "
            "headings; write questions in users' words"
        )
    unseen = sum(q.origin == "model" and not q.reviewed for q in golden)
    if unseen:
        found.append(f"{_count(unseen, 'question')} written by a model were reviewed by nobody")
    short = [q.id for q in golden if any(p.span[1] - p.span[0] < SHORT for g in q.golds for p in g.places)]
    if short:
        found.append(
            f"{_count(len(short), 'question')} with a gold below {SHORT} characters ({_some(short)}): "
            "so short a text is easily found where it answers nothing"
        )
    return found


def _about_texts(corpus: dict[str, Any]) -> list[str]:
    found = []
    empty, skipped = corpus["without_text"], corpus["skipped"]
    if empty:
        found.append(f"{_count(len(empty), 'document')} without text: {_some(empty)}")
    if skipped:
        found.append(f"{_count(len(skipped), 'file')} left out: {_some(skipped)}")
    return found


def _about_vectors(facts: Mapping[str, Any]) -> list[str]:
    """Text that no vector sees: it is in the index and cannot be found.

    Args:
        facts: what embedding came to, by the name of the row.
    """
    found = []
    for name, fact in facts.items():
        if fact.cut > 0:
            share = 100 * fact.unseen / max(1, fact.characters)
            found.append(
                f"{name}: {fact.cut:,} of {_count(fact.chunks, 'chunk')} are longer than the {fact.window} "
                f"tokens that {fact.model} reads; {share:.1f} % of the indexed characters are seen by no "
                "vector"
            )
        if fact.blank > 0:
            found.append(f"{name}: {_count(fact.blank, 'chunk')} without a vector are never found")
    return found


def _about_chunks(runs: Sequence[Run], cuttings: Sequence[Cutting]) -> list[str]:
    found: dict[str, None] = {}
    for run, cutting in zip(runs, cuttings, strict=True):
        name, total = run.candidate.name, len(cutting.table)
        over, unplaced = (cutting.sizes["marks"].get(mark, 0) for mark in (OVER, UNPLACED))
        if not total:
            found[f"{name}: no chunks at all"] = None
        if over:
            found[f"{name}: {over} of {total} chunks are over the limit"] = None
        if unplaced:
            found[
                f"{name}: {unplaced} of {total} chunks have a text that is not in their document; "
                "they take their rank and are never a hit"
            ] = None
        lost = cutting.costs["lost_characters"]
        if lost:
            found[f"{name}: {_count(lost, 'character')} of text in no chunk"] = None
    return list(found)


def _about_reach(runs: Sequence[Run], scored: Sequence[Scored], plan: Plan) -> list[str]:
    out = []
    for one in scored:
        reachable = one.found.reachable(plan.rule)
        out.append(~np.logical_and.reduceat(reachable, one.found.places.first_gold))
    found = []
    everywhere = int(np.logical_and.reduce(out).sum()) if out else 0
    total = len(out[0]) if out else 0
    if everywhere:
        found.append(
            f"{everywhere} of {_count(total, 'question')} cannot be answered by a chunk of any row "
            f"(rule {plan.rule.name}): every chunker cut what {'they need' if everywhere > 1 else 'it needs'}"
        )
    for run, missing in zip(runs, out, strict=True):
        own = int(missing.sum()) - everywhere
        if own > 0 and own * 20 >= total:
            found.append(
                f"{run.candidate.name}: {own} more of {_count(total, 'question')} out of reach, as no chunk "
                f"meets the rule {plan.rule.name}"
            )
    return found


def _about_rules(runs: Sequence[Run], scored: Sequence[Scored], plan: Plan) -> list[str]:
    """Whether another hit rule would have put another row first."""
    hits = [i for i, m in enumerate(ruled_measures(plan)) if isinstance(m, Hit)]
    if len(runs) < 2 or not hits:
        return []
    means = {
        rule: np.array([one.ruled[rule][:, hits[0]].mean() for one in scored]).round(6) for rule in plan.rules
    }
    first = {
        rule: runs[int(column.argmax())].candidate.name for rule, column in means.items() if column.any()
    }
    own = first.get(plan.rule.name)
    others = {rule: name for rule, name in first.items() if name != own}
    if own is None or not others:
        return []
    name = ruled_measures(plan)[hits[0]].name
    said = ", ".join(f"{row} under {rule}" for rule, row in others.items())
    return [f"the hit rule decides who is first on {name}: {own} under {plan.rule.name}, {said}"]


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _some(names: Sequence[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
