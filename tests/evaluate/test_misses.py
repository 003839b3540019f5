"""Why questions were missed: every reason on a small world, and all of them in whole comparisons."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from chunkwise.adapters import from_callable
from chunkwise.chunk import Fixed, Heading
from chunkwise.evaluate import evaluate
from chunkwise.evaluate import misses as room
from chunkwise.evaluate.misses import REASONS, misses, summed
from chunkwise.evaluate.plan import make_plan
from chunkwise.measure import Found, Places
from chunkwise.readers import read_text
from chunkwise.types import (
    Candidate,
    ChunkTable,
    Corpus,
    Gold,
    GoldenSet,
    Place,
    Question,
    Ranking,
    Report,
    Span,
)

# Two documents of chunks of 10 characters; those of the first from 0 to 9, those of the second from 10 to 19.
CHUNKS = [(doc, 10 * i, 10 * i + 10) for doc in (0, 1) for i in range(10)]


def table(spans: list[tuple[int, int, int]] = CHUNKS) -> ChunkTable:
    numbers, starts, ends = np.array(spans, dtype=np.int64).T
    sent = np.where(starts >= 0, ends - starts, 5)
    return ChunkTable(numbers, starts, ends, sent, lambda chunks, n: starts[chunks] + n, ("a", "b"), "chars")


def plan(
    primary: str = "hit@2", k: tuple[int, ...] = (2, 4), budgets: tuple[int, ...] = (25,), depth: int = 6
) -> Any:
    made = make_plan(
        k=k,
        budgets=budgets,
        unit="chars",
        rule="contained",
        primary=primary,
        by=(),
        seed=0,
        resamples=10,
        show_context=False,
    )
    return replace(made, depth=depth)


def ask(*spans: tuple[str, int, int]) -> Question:
    return Question("q", "?", tuple(Gold("", (Place(doc, Span(start, end)),)) for doc, start, end in spans))


class Deep:
    """Searches all chunks in a given order."""

    def __init__(self, *order: int) -> None:
        self.order, self.asked = order, 0

    def search(self, _: str, depth: int) -> tuple[np.ndarray, np.ndarray]:
        self.asked += 1
        found = np.array(self.order[:depth], dtype=np.int64)
        return found, np.ones(len(found))


def why(
    question: Question,
    *order: int,
    chunks: ChunkTable | None = None,
    retriever: Any = None,
    **settings: Any,
) -> dict[str, Any] | None:
    own = chunks or table()
    ranking = Ranking("q", np.array(order, dtype=np.int64), np.ones(len(order)))
    found = Found(own, [ranking], Places.of([question], own.doc_ids))
    return misses(found, [question], plan(**settings), retriever).get(0)


def one(reason: str, **more: int) -> dict[str, Any]:
    return {"reason": reason, "golds": [{"gold": 0, "reason": reason, **more}]}


def test_what_is_found_is_no_miss() -> None:
    assert why(ask(("a", 12, 15)), 3, 1) is None


def test_beyond_what_the_primary_measure_reads() -> None:
    assert why(ask(("a", 12, 15)), 3, 15, 1) == one("beyond", rank=3, same=1, other=1)


def test_a_chunk_longer_than_the_budget_is_never_read_to_its_end() -> None:
    budget = {"primary": "recall@25chars"}
    chunks = table([(0, 0, 40), (0, 40, 50), (1, 0, 10)])
    assert why(ask(("a", 30, 35)), 0, chunks=chunks, **budget) == one("long", rank=1, same=0, other=0)
    assert why(ask(("a", 30, 35)), 2, 0, chunks=chunks, **budget) == one("long", rank=2, same=0, other=1)
    # Its beginning is read; and where chunks are counted, its length does not matter.
    assert why(ask(("a", 12, 15)), 0, chunks=chunks, **budget) is None
    assert why(ask(("a", 30, 35)), 0, chunks=chunks) is None


def test_a_model_that_does_not_read_as_far_as_the_answer() -> None:
    others = [3, 15, 16, 17, 18, 19]
    deep = Deep(*others, 4, 1)
    deep.unseen = np.zeros(len(CHUNKS), dtype=np.int64)
    deep.unseen[1] = 6
    asked = ask(("a", 12, 15))
    assert why(asked, *others, retriever=deep) == one("unseen", rank=8, same=2, other=5)
    assert why(asked, *others[:4], 1, retriever=deep)["reason"] == "unseen"
    # What is found is no miss, whatever the model reads of it.
    assert why(asked, 1, retriever=deep) is None
    deep.unseen[1] = 5
    assert why(asked, *others, retriever=deep)["reason"] == "deep"
    # The document has another chunk that would do, and that one is read whole.
    chunks = table(sorted([*CHUNKS, (0, 11, 16)]))
    deep.unseen = np.array([0, 6, *[0] * 19])
    assert why(asked, *others, retriever=deep, chunks=chunks)["reason"] == "deep"
    assert why(ask(("a", 18, 22)), *others, retriever=deep)["reason"] == "cut"


def test_outranked_behind_the_largest_k() -> None:
    assert why(ask(("a", 12, 15)), 3, 15, 16, 4, 1) == one("outranked", rank=5, same=2, other=2)


def test_cut_by_the_chunker() -> None:
    assert why(ask(("a", 18, 22)), 1, 2) == one("cut")


def test_text_that_is_in_no_chunk() -> None:
    chunks = table([c for c in CHUNKS if c != (0, 10, 20)])
    assert why(ask(("a", 12, 15)), 1, chunks=chunks) == one("lost")
    assert why(ask(("a", 8, 15)), 1, chunks=chunks) == one("lost")


def test_text_that_may_be_in_a_chunk_without_a_place() -> None:
    spans = [c if c != (0, 10, 20) else (0, -1, -1) for c in CHUNKS]
    spans = sorted(spans, key=lambda c: (c[0], c[1] < 0, c[1]))
    assert why(ask(("a", 12, 15)), 1, chunks=table(spans)) == one("unplaced")
    # The other document has no such chunk.
    missing = table([c for c in spans if c != (1, 50, 60)])
    assert why(ask(("b", 52, 55)), 1, chunks=missing) == one("lost")


def test_a_search_that_ran_out_of_chunks() -> None:
    assert why(ask(("a", 12, 15)), 3, 4) == one("unmatched")
    assert why(ask(("a", 12, 15))) == one("unmatched")


def test_below_the_depth() -> None:
    others = [3, 15, 16, 17, 18, 19]
    assert why(ask(("a", 12, 15)), *others) == one("deep")
    deep = Deep(*others, 4, 1)
    assert why(ask(("a", 12, 15)), *others, retriever=deep) == one("deep", rank=8, same=2, other=5)
    never = Deep(*others, 4)
    assert why(ask(("a", 12, 15)), *others, retriever=never) == one("unmatched")
    # A ranking can be deeper than the depth: a budget asked for more.
    assert why(ask(("a", 12, 15)), *others, 1) == one("deep", rank=7, same=1, other=5)


def test_a_reranker_is_not_asked_for_what_it_leaves_as_it_was() -> None:
    others = [3, 15, 16, 17, 18, 19]
    for top, asked in ((6, [0, 1]), (7, [1, 0])):
        below, above = Deep(*others, 4, 1), Deep(*others, 1)
        above.below, above.settings = below, SimpleNamespace(top=top)
        rank = why(ask(("a", 12, 15)), *others, retriever=above)["golds"][0]["rank"]
        assert [above.asked, below.asked] == asked
        assert rank == (8 if top == 6 else 7)


def test_a_large_index_is_not_searched_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_DEEP", 19)
    deep = Deep(3, 15, 16, 17, 18, 19, 4, 1)
    assert why(ask(("a", 12, 15)), 3, 15, 16, 17, 18, 19, retriever=deep) == one("deep")
    assert deep.asked == 0


def test_some_of_several_spans() -> None:
    asked = ask(("a", 12, 15), ("a", 18, 22), ("b", 2, 4))
    found = why(asked, 1, 3, 10)
    assert found == {
        "reason": "partial",
        "golds": [
            {"gold": 1, "reason": "cut"},
            {"gold": 2, "reason": "beyond", "rank": 3, "same": 0, "other": 2},
        ],
    }
    # None of them found: the most fundamental reason is the question's.
    assert why(ask(("b", 2, 4), ("a", 18, 22)), 1, 3, 10)["reason"] == "cut"


def test_the_nearest_of_several_places_counts() -> None:
    places = (Place("a", Span(12, 15)), Place("b", Span(2, 4)))
    either = Question("q", "?", (Gold("", places),))
    assert why(either, 3, 4, 5, 10) == one("beyond", rank=4, same=0, other=3)
    others = [3, 15, 16, 17, 18, 19]
    deep = Deep(*others, 10, 1)
    assert why(either, *others, retriever=deep) == one("deep", rank=7, same=5, other=1)


def test_at_a_budget_a_chunk_must_be_read_whole_or_its_answer_be_read() -> None:
    budget = {"primary": "recall@25chars"}
    assert why(ask(("a", 12, 15)), 3, 1, **budget) is None
    # The third chunk is cut behind its fifth character.
    assert why(ask(("a", 12, 15)), 3, 4, 1, **budget) is None
    assert why(ask(("a", 12, 18)), 3, 4, 1, **budget) == one("beyond", rank=3, same=2, other=0)
    # No chunk holds it, and two together were read.
    assert why(ask(("a", 18, 22)), 1, 2, **budget) is None
    assert why(ask(("a", 18, 22)), 1, 3, **budget) == one("cut")


def test_a_measure_without_a_k_is_judged_at_the_largest() -> None:
    assert why(ask(("a", 12, 15)), 3, 4, 5, 1, primary="ceiling") is None
    assert why(ask(("a", 12, 15)), 3, 4, 5, 6, 1, primary="precision-omega") == one(
        "outranked", rank=5, same=4, other=0
    )


def test_sums() -> None:
    rows = {
        0: one("cut"),
        3: one("outranked", rank=5, same=3, other=1),
        4: {
            "reason": "partial",
            "golds": [{"gold": 1, "reason": "beyond", "rank": 3, "same": 0, "other": 2}],
        },
    }
    assert summed(rows, 9) == {
        "questions": 9,
        "missed": 3,
        "reasons": {"cut": 1, "outranked": 1, "partial": 1},
        "golds": {"cut": 1, "outranked": 1, "beyond": 1},
        "above": {"same": 3, "other": 3},
    }
    assert summed({}, 2)["reasons"] == {}


# --- In whole comparisons.

TEXT = (
    "# Care\n\nAll pumps are checked in spring.\n\n## Oil\n\nThe oil is changed every 180 days. Use grade 46."
    "\n\n## Filter\n\nThe filter is washed weekly. A torn filter is thrown away.\n"
)


def quoted(id: str, text: str, *quotes: str) -> Question:
    golds = [
        Gold(quote, (Place("care.md", Span(TEXT.index(quote), TEXT.index(quote) + len(quote))),))
        for quote in quotes
    ]
    return Question(id, text, tuple(golds))


QUESTIONS = [
    quoted("oil", "when is the oil changed", "every 180 days"),
    quoted("word", "xylophone", "thrown away"),
    quoted("long", "what about oil and filter", TEXT[TEXT.index("changed") : TEXT.index("weekly")]),
    quoted("both", "oil grade", "grade 46", "checked in spring"),
]


def compared(*rows: Candidate, **settings: Any) -> Report:
    return evaluate(
        Corpus([read_text(TEXT, id="care.md")]),
        GoldenSet(QUESTIONS),
        list(rows),
        **{"k": (1, 2), "budgets": (), "resamples": 20, **settings},
    )


def test_the_report_has_every_miss_and_nothing_for_hits() -> None:
    report = compared(Candidate(Heading(size=80)), Candidate(Fixed(size=30)), primary="hit@2")
    for row in report.candidates:
        for id, found in row.questions.items():
            assert ("miss" in found) == (found["hit@2"] < 1), id
            if "miss" in found:
                missed = found["miss"]
                assert missed["reason"] in (*REASONS, "partial")
                assert (missed["reason"] == "cut") <= (not found["reachable"])
                assert len(missed["golds"]) <= len(found.get("ranks", [0]))
        assert row.misses["missed"] == sum("miss" in found for found in row.questions.values())
        assert sum(row.misses["reasons"].values()) == row.misses["missed"]
    heading = report["heading:size=80"]
    assert "miss" not in heading.questions["oil"]
    assert heading.questions["word"]["miss"] == one("unmatched")
    assert heading.questions["long"]["miss"] == one("cut")
    assert heading.questions["both"]["miss"]["reason"] == "partial"
    assert Report.from_json(report.to_json())["heading:size=80"].misses == heading.misses


def test_texts_that_are_not_in_the_document_and_texts_that_were_dropped() -> None:
    changed = from_callable(lambda text: [text.replace("grade", "sort")], "changed")
    dropped = from_callable(lambda _: [(0, 40)], "dropped")
    report = compared(Candidate(changed), Candidate(dropped), primary="hit@2")
    assert report["changed"].misses["reasons"] == {"unplaced": 4}
    assert report["dropped"].misses["golds"] == {"lost": 4, "unmatched": 1}


def test_reports_from_before_can_still_be_read() -> None:
    report = compared(Candidate(Heading(size=80)))
    plain = json.loads(report.to_json())
    for row in plain["candidates"]:
        del row["misses"]
    assert Report.from_json(json.dumps(plain)).candidates[0].misses == {}
