"""Why a question was missed: what the chunker did to its answer, and what the search did."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Sequence
from typing import Any

import numpy as np

from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.searching import ask
from chunkwise.measure import NEVER, Found, RecallAtBudget
from chunkwise.types import BoolArray, IntArray, Question, Retriever

__all__ = ["REASONS", "misses", "summed"]

REASONS = {
    "lost": "its text is in no chunk",
    "unplaced": "its text is in no chunk with a place, and the document has chunks without one",
    "cut": "chunks hold parts of it, and none meets the hit rule",
    "unseen": "a chunk would do, and the model does not read it as far as the answer",
    "unmatched": "a chunk would do, and the search gives it no score: it shares no word with the question",
    "deep": "a chunk would do, and stands below all ranks that are looked at",
    "outranked": "a chunk was found, behind the largest k",
    "long": "a chunk was found, and is longer than the whole budget: it is never read to its end",
    "beyond": "a chunk was found within the largest k, behind what the primary measure reads",
}
"""Why a needed span was missed, the most fundamental first. A question of which some spans were found
is `partial`; of several spans that were missed the first reason in this order is the question's."""
PARTIAL = "partial"
_BLOCK = 64  # questions; a ranking of all chunks takes 8 bytes a chunk
_DEEP = 20_000  # chunks; in a larger index nobody looks for the rank of what is below the depth


def misses(
    found: Found, questions: Sequence[Question], plan: Plan, retriever: Retriever | None = None
) -> dict[int, dict[str, Any]]:
    """By number of the question why it was missed; nothing for questions that were not.

    A needed span is missed where no chunk that meets the hit rule is read: at a k, where none is among the
    first k; at a budget, where none is read whole and its text was not read either way. Which of these
    counts says the primary measure.

    Args:
        found: what was found and what could be.
        questions: all questions.
        plan: hit rule, primary measure, k and depth.
        retriever: asked again, down to the last chunk, for spans that are below the depth; one that is
            `shallow`, as a store is, finds a few chunks fast and is not asked for all of them.

    Returns:
        `reason`; `golds`, the spans that were missed: `gold`, its number from 0, `reason`, and where the
        chunk that would do has a rank, this `rank` and how many chunks of the `same` document and of
        `other` documents stand above it.
    """
    ranks, places = found.ranks(plan.rule), found.places
    missed = ~_read(found, ranks, plan)
    if not missed.any():
        return {}
    outer = max(plan.k, default=0) or getattr(plan.primary, "k", 0) or plan.depth
    unplaced = found.table.docs[found.table.starts < 0]
    reachable, covered = found.reachable(plan.rule), found.covered
    unseen: IntArray | None = getattr(retriever, "unseen", None)
    below: dict[int, dict[str, Any]] = {}
    if retriever is not None and len(found.table) <= _DEEP and not getattr(retriever, "shallow", False):
        deep = np.flatnonzero(missed & reachable & (ranks == NEVER))
        below = _below(found, deep, questions, plan, retriever)
    rows: dict[int, dict[str, Any]] = {}
    for gold in np.flatnonzero(missed).tolist():
        question = int(places.gold_question[gold])
        row = rows.setdefault(question, {"reason": "", "golds": []})
        own: dict[str, Any] = {"gold": gold - int(places.first_gold[question]), "reason": ""}
        if not reachable[gold]:
            docs = places.docs[places.gold == gold]
            lost = "unplaced" if np.isin(docs, unplaced).any() else "lost"
            own["reason"] = "cut" if covered[gold] else lost
        elif ranks[gold] <= plan.depth:
            own["reason"] = "beyond" if ranks[gold] <= outer else "outranked"
            own |= _above(found, int(ranks[gold]), found.matrix[question])
            chunk = int(found.matrix[question, ranks[gold] - 1])
            if isinstance(plan.primary, RecallAtBudget) and found.table.sent[chunk] > plan.primary.budget:
                own["reason"] = "long"
        elif gold in below:
            own |= below[gold]
        else:
            own["reason"] = "unmatched" if _exhausted(found, question, plan) else "deep"
            if ranks[gold] != NEVER:
                own |= _above(found, int(ranks[gold]), found.matrix[question])
        if reachable[gold] and unseen is not None and _unread(found, gold, plan, unseen):
            own["reason"] = "unseen"
        row["golds"].append(own)
    for question, row in rows.items():
        if len(row["golds"]) < places.golds[question]:
            row["reason"] = PARTIAL
        else:
            row["reason"] = min((own["reason"] for own in row["golds"]), key=list(REASONS).index)
    return rows


def summed(rows: dict[int, dict[str, Any]], questions: int) -> dict[str, Any]:
    """The reasons of one row counted: `questions`, `missed`, `reasons` by question, `golds` by span.

    And `above`: how many chunks of the `same` document and of `other` ones stood above the spans that were
    found too late.
    """
    reasons = Tally(row["reason"] for row in rows.values())
    golds = [own for row in rows.values() for own in row["golds"]]
    spans = Tally(own["reason"] for own in golds)
    late = [own for own in golds if own["reason"] in ("outranked", "long", "beyond")]
    return {
        "questions": questions,
        "missed": len(rows),
        "reasons": {name: reasons[name] for name in (*REASONS, PARTIAL) if reasons[name]},
        "golds": {name: spans[name] for name in REASONS if spans[name]},
        "above": {side: sum(own[side] for own in late) for side in ("same", "other")},
    }


def _read(found: Found, ranks: IntArray, plan: Plan) -> BoolArray:
    """For each gold whether the primary measure reads a chunk that finds it."""
    primary = plan.primary
    if not isinstance(primary, RecallAtBudget):
        k = getattr(primary, "k", 0) or max(plan.k, default=0) or plan.depth
        return ranks <= k
    golds = found.golds_read(primary.budget)
    whole = golds.read == golds.whole
    near = (ranks != NEVER) & (ranks <= found.matrix.shape[1])
    paid = np.full(len(ranks), NEVER)
    paid[near] = found.paid[found.places.gold_question[near], ranks[near] - 1]
    read: BoolArray = whole | (paid <= primary.budget)
    return read


def _above(found: Found, rank: int, chunks: IntArray) -> dict[str, int]:
    """The rank of a chunk that would do, and whose chunks stand above it."""
    docs = found.table.docs[chunks[: rank - 1]]
    same = int((docs == found.table.docs[chunks[rank - 1]]).sum())
    return {"rank": rank, "same": same, "other": rank - 1 - same}


def _unread(found: Found, gold: int, plan: Plan, unseen: IntArray) -> bool:
    """Whether the model stops before the end of the answer in every chunk that would do.

    `unseen` has for each chunk the characters at its end that the model does not read.
    """
    table, places = found.table, found.places
    for place in np.flatnonzero(places.gold == gold):
        own = slice(*np.searchsorted(table.docs, [places.docs[place], places.docs[place] + 1]).tolist())
        starts, ends = table.starts[own], table.ends[own]
        near = (starts >= 0) & (starts < places.ends[place]) & (ends > places.starts[place])
        hit = near.copy()
        hit[near] = plan.rule(starts[near], ends[near], places.starts[place], places.ends[place])
        if (ends[hit] - unseen[own][hit] >= np.minimum(places.ends[place], ends[hit])).any():
            return False
    return True


def _exhausted(found: Found, question: int, plan: Plan) -> bool:
    """Whether the search gave fewer chunks than it was asked for: all others have no score."""
    return int((found.matrix[question] >= 0).sum()) < min(plan.depth, len(found.table))


def _cheapest(retriever: Retriever, depth: int) -> Retriever:
    """What puts all chunks below the depth in the same order: a reranker leaves them as they were."""
    below: Retriever | None = getattr(retriever, "below", None)
    top = getattr(getattr(retriever, "settings", None), "top", 0)
    return retriever if below is None or top > depth else _cheapest(below, depth)


def _below(
    found: Found, golds: IntArray, questions: Sequence[Question], plan: Plan, retriever: Retriever
) -> dict[int, dict[str, Any]]:
    """For spans below all that was searched the reason, and the rank where there is one.

    Every question is asked once, down to the last chunk, and many together.
    """
    owners = found.places.gold_question[golds].tolist()
    asked = [question for question in dict.fromkeys(owners) if not _exhausted(found, question, plan)]
    searched = _cheapest(retriever, plan.depth)
    rows = {gold: {"reason": "unmatched"} for gold in golds.tolist()}
    for first in range(0, len(asked), _BLOCK):
        block = asked[first : first + _BLOCK]
        rankings = ask(searched, [questions[i].text for i in block], len(found.table))
        whole = {
            i: np.asarray(chunks, dtype=np.int64) for i, (chunks, _) in zip(block, rankings, strict=True)
        }
        for gold, owner in zip(golds.tolist(), owners, strict=True):
            if owner in whole:
                rows[gold] = _deep(found, gold, plan, whole[owner])
    return rows


def _deep(found: Found, gold: int, plan: Plan, chunks: IntArray) -> dict[str, Any]:
    """The reason of a span, and its rank where it has one, in a ranking of all chunks."""
    table, places = found.table, found.places
    best = None
    for place in np.flatnonzero(places.gold == gold):
        starts, ends = table.starts[chunks], table.ends[chunks]
        shares = (table.docs[chunks] == places.docs[place]) & (starts < places.ends[place])
        shares &= (ends > places.starts[place]) & (starts >= 0)
        numbers = np.flatnonzero(shares)
        hit = plan.rule(starts[numbers], ends[numbers], places.starts[place], places.ends[place])
        numbers = numbers[np.asarray(hit, dtype=bool)]
        if len(numbers) and (best is None or numbers[0] < best):
            best = int(numbers[0])
    if best is None:
        return {"reason": "unmatched"}
    return {"reason": "deep", **_above(found, best + 1, chunks)}
