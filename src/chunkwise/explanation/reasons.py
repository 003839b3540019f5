"""The reasons of `evaluate` in sentences about one answer."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from chunkwise.types.explanation import CutInside, Returned

__all__ = ["found", "missed", "whole"]

_AT = re.compile(r"@(\d+)(\D.*)?$")


def found(rank: int | None, measure: str, *, whole: bool = True) -> str:
    """What is said of a needed span that was read.

    Args:
        rank: of the chunk that holds it; None where none does.
        measure: the primary measure.
        whole: whether all of it was read, and not in some of several starts of windows only.
    """
    if rank is None and not whole:
        return "no chunk of the first start holds it whole; some of the other starts find it"
    if rank is None:
        return "no chunk holds it whole, and the chunks that were read hold all of it together"
    return f"found at rank {rank:,}, within {_reach(measure)}"


def missed(
    reason: str,
    told: Mapping[str, Any],
    cuts: Sequence[CutInside],
    held: Returned | None,
    settings: Mapping[str, Any],
    retriever: str,
) -> str:
    """Why a needed span was missed.

    Args:
        reason: a key of `evaluate.REASONS`.
        told: what the report says of it: `rank`, `same`, `other`; and `window`, tokens that a model reads.
        cuts: the cuts inside of it.
        held: the chunk that holds it.
        settings: those of the report.
        retriever: text form of what searched.
    """
    measure, rank = str(settings["primary"]), told.get("rank")
    at = f"the chunk that holds it stands at rank {rank:,}" if rank else "a chunk holds it"
    match reason:
        case "lost":
            return "not in any chunk: the chunker dropped its text, or a part of it"
        case "unplaced":
            return (
                "in no chunk that has a place; the chunker gave texts that are not in the document, and one "
                "of them may hold it"
            )
        case "cut":
            return _cut(cuts, str(settings["rule"]))
        case "unseen":
            return f"the model does not read the chunk as far as the answer: {_window(told)}{_rank(rank)}"
        case "unmatched":
            return f"not retrieved: {_no_match(held, retriever)}"
        case "deep":
            deep = int(settings["depth"])
            return (
                f"not retrieved within {deep:,} ranks: {at}{_above(told)}"
                if rank
                else (f"not retrieved within {deep:,} ranks: a chunk holds it, and stands below")
            )
        case "outranked":
            most = max(settings["k"], default=0)
            return f"outranked: {at}, behind the largest k, {most:,}{_above(told)}"
        case "long":
            size = f"{held.size:,} {settings['unit']}" if held is not None else "more"
            return f"too long: {at}, and has {size}; {_reach(measure)} end before its answer"
        case _:
            return f"outranked: {at}, behind {_reach(measure)}{_above(told)}"


def whole(reason: str, sentences: Sequence[str], golds: int) -> str:
    """What is said of a whole question, from what is said of its needed spans.

    Args:
        reason: the question's reason; empty where it was not missed.
        sentences: one for each needed span that was missed; where none was, one for each.
        golds: number of needed spans.
    """
    if golds == 1:
        return sentences[0]
    if not reason:
        return f"all {golds} needed passages were read"
    number = len(sentences)
    if number < golds:
        return f"{golds - number} of {golds} needed passages were read; missed: {sentences[0]}"
    return f"none of {golds} needed passages was read; first of all: {sentences[0]}"


def _reach(measure: str) -> str:
    """How much the primary measure reads, in words."""
    match = _AT.search(measure)
    if match is None:
        return "what is read"
    number = int(match[1])
    if match[2] and "/" not in match[2]:
        return f"the first {number:,} {match[2]} read"
    return "the first chunk" if number == 1 else f"the first {number:,} chunks"


def _cut(cuts: Sequence[CutInside], rule: str) -> str:
    if not cuts or rule != "contained":
        return f"chunks hold parts of it, and none meets the hit rule {rule}"
    kinds = list(dict.fromkeys(cut.words for cut in cuts))
    where = f"{kinds[0]}, at line {cuts[0].line:,}"
    more = f" and {len(cuts) - 1} more" if len(cuts) > 1 else ""
    return f"cut by the chunker: {where}{more}; no chunk holds it whole"


def _above(told: Mapping[str, Any]) -> str:
    same, other = int(told.get("same", 0)), int(told.get("other", 0))
    parts = [
        f"{number:,} of {whose}"
        for number, whose in ((same, "the same document"), (other, "other documents"))
        if number
    ]
    return f"; above it {' and '.join(parts)}" if parts else ""


def _rank(rank: int | None) -> str:
    return f"; the chunk stands at rank {rank:,}" if rank else ""


def _window(told: Mapping[str, Any]) -> str:
    window = told.get("window")
    return (
        f"it reads {window:,} tokens, and the chunk has more"
        if window
        else "the chunk is longer than its window"
    )


def _no_match(held: Returned | None, retriever: str) -> str:
    if not retriever.startswith("bm25"):
        return "a chunk holds it, and the search gives that chunk no score"
    if held is not None and held.has:
        return "a chunk holds it, and the search gives it no score"
    return "the chunk that holds it shares no word with the question"
