"""Questions that are nearly the same: asked twice, they count twice."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from math import ceil

from chunkwise.types import Question

__all__ = ["nearly_equal"]

ALIKE = 0.8
"""Share of their groups of three characters that two such questions have in common (Jaccard)."""
_GROUP = 3
_OTHER = re.compile(r"[\W_]+")  # neither letter nor digit


def nearly_equal(questions: Sequence[Question], alike: float = ALIKE) -> list[tuple[str, str]]:
    """Pairs of questions that are nearly the same and not of one family, by their ids, in their order.

    Two questions are alike by the groups of three characters that they share, case and punctuation aside, so
    that it works in every script. Only pairs that share one of their rarest groups are looked at, which
    misses none: of sets that overlap so much, one of the first few in any common order is shared.

    Source: Chaudhuri, Ganti and Kaushik (2006), A Primitive Operator for Similarity Joins in Data Cleaning.
    """
    texts = [_groups(question.text) for question in questions]
    counts = Counter(chain.from_iterable(texts))
    number = {group: i for i, group in enumerate(sorted(counts, key=lambda group: (counts[group], group)))}
    sets = [set(map(number.__getitem__, own)) for own in texts]  # the rarest has the lowest number
    seen: dict[int, list[int]] = {}
    found = []
    for i, own in enumerate(sets):
        near: set[int] = set()
        for group in sorted(own)[: len(own) - ceil(alike * len(own)) + 1]:
            near.update(seen.setdefault(group, []))
            seen[group].append(i)
        found += [
            (j, i)
            for j in near
            if _share(own, sets[j]) >= alike
            and (questions[i].family or questions[i].id) != (questions[j].family or questions[j].id)
        ]
    return [(questions[j].id, questions[i].id) for j, i in sorted(found)]


def _share(one: set[int], other: set[int]) -> float:
    """How much two sets have in common (Jaccard)."""
    common = len(one & other)
    return common / (len(one) + len(other) - common)


def _groups(text: str) -> set[str]:
    padded = f"  {_OTHER.sub(' ', text.casefold()).strip()} "
    return {padded[i : i + _GROUP] for i in range(len(padded) - _GROUP + 1)}
