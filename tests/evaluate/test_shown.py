"""What a report shows: budgets, rules, tags, exhibits, warnings, progress."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from chunkwise.adapters import from_callable
from chunkwise.chunk import Fixed, Heading
from chunkwise.evaluate import evaluate
from chunkwise.evaluate.budget import Reading, Words
from chunkwise.evaluate.ledger import Ledger
from chunkwise.measure import Rule
from chunkwise.measure.landmarks import landmarks
from chunkwise.text import counter
from chunkwise.types import Candidate, Corpus, GoldenSet

from .make import COPIED, GOLDEN, QUESTIONS, QUICK, ROWS, TEXTS, ask, documents, run


@pytest.mark.parametrize("unit", ["chars", "cl100k", len])
def test_budgets_in_other_units(unit: Any) -> None:
    report = run(unit=unit, budgets=(30,))
    name = unit if isinstance(unit, str) else "len"
    measure = f"recall@30{name}"
    assert report.settings["primary"] == measure
    for row in report.candidates:
        assert row.costs["unit"] == name
        assert row.costs["sent"][f"@30{name}"] <= 30
    if unit is len:
        chars = run(unit="chars", budgets=(30,))
        for row, other in zip(report.candidates, chars.candidates, strict=True):
            assert row.measures[measure] == other.measures["recall@30chars"]


def test_context_is_paid_for_only_where_it_is_shown() -> None:
    rows = [Candidate(Heading(size=60))]
    hidden, shown = run(rows).candidates[0], run(rows, show_context=True).candidates[0]
    assert shown.costs["sent"]["@1"] > hidden.costs["sent"]["@1"]
    assert shown.costs["characters_indexed"] == hidden.costs["characters_indexed"]
    assert shown.measures["recall@10words"].value < hidden.measures["recall@10words"].value
    assert shown.measures["hit@1"] == hidden.measures["hit@1"]


def test_the_size_matched_row_has_the_mean_size_of_the_slices() -> None:
    report = run(size_matched=1)
    control = report["size-matched"]
    mean = report.candidates[1].costs["slice_characters"] / report.candidates[1].chunks
    assert control.spec == f"fixed:size={round(mean)},offsets=4"
    assert len(report.candidates) == len(ROWS) + 1
    assert [c.other for c in report.comparisons if c.best != "size-matched"].count("size-matched") == 1


def test_rows_are_compared_with_the_best_on_the_primary_measure() -> None:
    report = run(primary="Success@1")
    assert report.settings["primary"] == "hit@1"
    values = {row.name: row.measures["hit@1"].value for row in report.candidates}
    best = max(values, key=lambda name: values[name])
    assert {c.best for c in report.comparisons} == {best}
    assert {c.other for c in report.comparisons} == set(values) - {best}
    for c in report.comparisons:
        assert c.difference == pytest.approx(values[best] - values[c.other], abs=2e-6)
        assert c.low <= c.difference <= c.high
        own, other = report[best].questions, report[c.other].questions
        assert c.differing == sum(own[q.id]["hit@1"] != other[q.id]["hit@1"] for q in QUESTIONS)


def test_a_primary_measure_that_k_does_not_name_is_added() -> None:
    assert "mrr@7" in run(primary="mrr@7").candidates[0].measures


def test_a_question_out_of_reach_says_where_it_was_cut() -> None:
    row = run().candidates[0]
    missed = {key: q["cut"] for key, q in row.questions.items() if not q["reachable"]}
    assert missed
    for key, cuts in missed.items():
        for cut in cuts:
            assert all(cut["start"] < p < cut["end"] for p in cut["ends"] + cut["starts"])
        assert any(cut["ends"] for cut in cuts), key
    assert all("cut" not in q for q in row.questions.values() if q["reachable"])


def test_every_rule_stands_beside_the_chosen_one() -> None:
    more = Rule("anywhere", lambda cs, ce, gs, ge: (cs <= ge) & (gs <= ce))
    row = run(rule=more).candidates[0]
    assert list(row.rules) == ["contained", "majority", "half-section", "overlap", "anywhere"]
    assert row.rules["anywhere"]["hit@3"] == row.measures["hit@3"]
    assert row.rules["anywhere"]["ceiling"] == row.rules["overlap"]["ceiling"]
    ruled = ("hit", "recall@1", "recall@3", "mrr", "ndcg", "ceiling")
    assert row.rules["contained"] == {
        m: s
        for m, s in run().candidates[0].measures.items()
        if m.startswith(ruled) and not m.endswith("words")
    }


def test_tags_are_shown_apart_and_crossed_with_their_numbers() -> None:
    row = run(by=("kind", "part")).candidates[1]
    assert {value: group["questions"] for value, group in row.tags["kind"].items()} == {
        "(none)": 2,
        "fact": 2,
        "fault": 2,
    }
    crossed = row.tags["kind × part"]
    assert {value: group["questions"] for value, group in crossed.items()} == {
        "(none) × (none)": 2,
        "fact × oil": 1,
        "fact × pump": 1,
        "fault × pump": 2,
    }
    group = crossed["fault × pump"]["measures"]["hit@1"]
    assert group["value"] == np.mean([row.questions[q]["hit@1"] for q in ("noise", "heat")])


def test_without_questions_only_sizes_and_cuts_are_measured() -> None:
    report = evaluate(Corpus(documents()), None, ROWS)
    assert report.golden["questions"] == 0
    assert report.comparisons == ()
    for row in report.candidates:
        assert row.measures == {}
        assert row.boundaries["starts"]["cuts"] > 0
        assert row.sizes["max"] <= 120
    assert "no questions" in report.warnings[0]
    assert "NaN" not in report.to_json()


def test_exhibits_show_what_was_handed_over_and_zero_keeps_all_texts_out() -> None:
    report = run(exhibits=2)
    assert [exhibit["kind"] for exhibit in report.exhibits] == ["question"] * 2 + ["document"] * 3
    first = report.exhibits[0]
    question = GOLDEN[first["id"]]
    values = [row.questions[question.id]["recall@25words"] for row in report.candidates]
    spreads = [
        np.ptp([row.questions[q.id]["recall@25words"] for row in report.candidates]) for q in QUESTIONS
    ]
    assert report.settings["primary"] == "recall@25words"
    assert np.ptp(values) == max(spreads)
    for row in first["rows"]:
        for chunk in row["chunks"]:
            text = TEXTS[chunk["doc"]][chunk["start"] : chunk["end"]]
            assert chunk["text"] == text
            assert chunk["hit"] == (chunk["rank"] == row["rank"]) or len(question.golds) > 1
    silent = run(exhibits=0).to_json()
    assert "changed every 180 days" in run(exhibits=6).to_json()
    assert "changed every 180" not in silent


def test_exhibits_show_as_many_chunks_as_are_read_and_where_each_answer_is() -> None:
    report = run(exhibits=len(QUESTIONS), k=(1, 2))
    seen = set()
    for shown in (e for e in report.exhibits if e["kind"] == "question"):
        for row in shown["rows"]:
            told = report[row["candidate"]].questions[shown["id"]]
            ranks = told.get("ranks", [told["rank"]])
            assert [gold["rank"] for gold in row["golds"]] == ranks
            rows = [chunk["rank"] for chunk in row["chunks"]]
            assert set(rows) == {*range(1, min(2, len(rows)) + 1), *(rank for rank in ranks if rank)}
            for gold in row["golds"]:
                seen.add(next(iter({"held", "cuts"} & set(gold)), "rank"))
                assert ("cuts" in gold) <= (not told["reachable"])
    assert {"rank", "cuts"} <= seen


def test_warnings_say_what_to_know_before_trusting_a_figure() -> None:
    texts = {**TEXTS, "blank.md": " \n\n", "empty.md": ""}
    unplaced = from_callable(lambda text: [text[:20], "not in there at all"] if text.strip() else [], "lost")
    golden = GoldenSet(
        [*QUESTIONS, ask("short", "grade", "46", origin="model", reviewed=False), *COPIED.questions[:1]],
        left_out=2,
    )
    rows = [*ROWS, Candidate(unplaced)]
    report = evaluate(Corpus(documents(texts)), golden, rows, **QUICK)
    told = "\n".join(report.warnings)
    for part in (
        "2 of 10 questions are faulty and were left out",
        "8 questions only",
        "1 of 8 questions is copied from headings",
        "1 question written by a model",
        "gold below 8 characters (short)",
        "2 documents without text: blank.md, empty.md",
        "lost: 3 of 6 chunks have a text that is not in their document",
        "of text in no chunk",
        "out of reach, as no chunk meets the rule contained",
    ):
        assert part in told, part
    assert report.corpus["without_text"] == ["blank.md", "empty.md"]


def test_lost_text_is_counted_and_front_matter_is_none() -> None:
    text = "---\ntitle: x\n---\n\nfirst  part.\n\nsecond part.\n"
    corpus = Corpus(documents({"a.md": text}))
    start = text.index("second")

    def lost(*spans: tuple[int, int]) -> int:
        row = Candidate(from_callable(lambda _: spans, "c"))
        return evaluate(corpus, None, [row]).candidates[0].costs["lost_characters"]

    assert lost((0, len(text))) == 0
    assert lost((text.index("first"), len(text))) == 0
    assert lost((start, len(text))) == len("firstpart.")
    assert lost() == len("firstpart.secondpart.")


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    run(progress=lambda *step: told.append(step))
    assert ("cut and index", 3, 3) in told
    assert told[-1] == ("search", 3, 3)


def test_timings_stand_apart() -> None:
    timings = run().timings
    assert "chunk fixed:size=40" in timings
    assert timings["total"] == pytest.approx(sum(v for k, v in timings.items() if k != "total"), abs=1e-4)


def test_gaps_lie_inside_their_documents() -> None:
    docs = documents()
    marks = landmarks(docs)
    ledger = Ledger(
        Fixed(size=9), counter("words"), Reading(counter("words"), lambda i: docs[i], Words()), False
    )
    for i, document in enumerate(docs):
        ledger.add(i, int(marks.offsets[i]), ledger.chunker(document)[1:])
    ledger.close(0, docs, marks)
    table = ledger.finish(tuple(d.id for d in docs)).table
    assert table.gaps is not None
    found = list(zip(*(column.tolist() for column in table.gaps), strict=True))
    assert found == [(i, 0, len(d.text[:9].rstrip()), False) for i, d in enumerate(docs)]
    stops = [int(table.cut(np.array([i]), np.array([1]))[0]) for i in range(len(table))]
    for stop, start, end, doc in zip(stops, table.starts, table.ends, table.docs, strict=True):
        text = docs[doc].text[start:end]
        assert docs[doc].text[start:stop] == text[: text.index(text.split()[0]) + len(text.split()[0])]
