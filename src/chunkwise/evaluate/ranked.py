"""Every question is searched in the index of every row, and every ranking is scored."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from chunkwise.evaluate.gathering import Clock, Gathered, Indexing, Progress
from chunkwise.evaluate.layout import Layout
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.scoring import Scored, score
from chunkwise.evaluate.searched import Searched, look_back
from chunkwise.evaluate.searching import make_run
from chunkwise.evaluate.starts import averaged, spread
from chunkwise.measure import Places
from chunkwise.types import Question, Run

__all__ = ["Ranked", "rank"]


class Ranked(NamedTuple):
    """What came back, one of each a row."""

    runs: list[Run]
    """The rankings; of several starts those of the first."""
    searched: list[Searched]
    """What is known of the indexes and of what was missed in them."""
    scored: list[Scored]
    """Scores over all questions; empty where there are none."""
    bare: list[Scored]
    """Scores over the questions copied from headings, without the heading lines in the index; empty where
    there are no such questions."""
    ranges: list[dict[str, Any]]
    """How far the starts of the row lie apart."""


def rank(
    layout: Layout,
    gathered: Gathered,
    retrievers: Mapping[str, Indexing],
    questions: Sequence[Question],
    documents: Sequence[str],
    plan: Plan,
    clock: Clock,
    progress: Progress,
) -> Ranked:
    """Search and score every row. Indexes are taken out of `gathered` when nobody needs them any more.

    Args:
        layout: the rows.
        gathered: their indexes.
        retrievers: by the text form that candidates name.
        questions: all questions.
        documents: ids of all documents, in their order.
        plan: the settings.
        clock: takes the seconds.
        progress: told after each row.
    """
    copied = [question for question in questions if question.origin == "heading"]
    places, copied_places = (Places.of(asked, documents) for asked in (questions, copied))
    found = Ranked([], [], [], [], [])
    waiting = Tally((number, retrievers[name].spec) for number, name in layout.searched())
    for row, candidate in enumerate(layout.candidates):
        scored, bare = [], []
        for start, number in enumerate(layout.numbers[row]):
            clock.start()
            key = (number, retrievers[candidate.retriever].spec)
            retriever, table = gathered.retrievers[key], gathered.cuttings[number].table
            run = make_run(candidate, retriever, table, questions, plan, progress)
            clock.stop(f"search {candidate.name}")
            if questions:
                scored.append(score(run, questions, places, plan))
                clock.stop("score")
            if start == 0:
                found.runs.append(run)
                first = scored[0].found if questions else None
                found.searched.append(look_back(retriever, questions, first, plan))
                clock.stop("misses")
            if copied:
                lines_left_out = make_run(candidate, gathered.bare[key], table, copied, plan)
                clock.stop(f"search {candidate.name}")
                bare.append(score(lines_left_out, copied, copied_places, plan, ruled=False))
                clock.stop("score")
            waiting[key] -= 1
            if not waiting[key]:
                # Indexes are what takes the most room: each is let go when its last row is scored.
                del retriever, gathered.retrievers[key]
                gathered.bare.pop(key, None)
        if questions:
            found.scored.append(averaged(scored))
        if copied:
            found.bare.append(averaged(bare))
        found.ranges.append(spread(layout.starts[row], scored, plan))
        progress("search", row + 1, len(layout.candidates))
    return found
