"""The one flow: figures against plain loops, the promises of a report, and what is refused."""

from __future__ import annotations

import json
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.adapters import from_callable
from chunkwise.chunk import Fixed, Heading, Paragraph
from chunkwise.errors import CorpusError, GoldenError, SettingError, UnknownName
from chunkwise.evaluate import evaluate
from chunkwise.evaluate.bare import Bare
from chunkwise.evaluate.budget import Reading, Words
from chunkwise.evaluate.ledger import Ledger
from chunkwise.index import Analyzer, Bm25
from chunkwise.measure import Rule
from chunkwise.measure.landmarks import landmarks
from chunkwise.structure import parse_markdown
from chunkwise.text import counter
from chunkwise.types import Candidate, Corpus, Document, Gold, GoldenSet, Place, Question, Report, Span

TEXTS = {
    "care.md": (
        "# Care\n\nAll pumps are checked in spring.\n\n## Oil\n\nThe oil is changed every 180 days. "
        "Use grade 46. Old oil goes to the depot.\n\n## Filter\n\nThe filter is washed weekly. "
        "A torn filter is thrown away at once.\n"
    ),
    "faults.md": (
        "# Faults\n\n## Noise\n\nA loud pump has air in it. Open the valve until water comes.\n\n"
        "## Heat\n\nA hot pump runs dry. Stop it and fill the tank before you start it again.\n"
    ),
    "notes.md": "Nothing here but a note on paint. The pump is blue, the valve is red.\n",
}


def documents(texts: dict[str, str] = TEXTS, shift: int = 0) -> list[Document]:
    return [Document(doc, text, parse_markdown, shift=shift) for doc, text in texts.items()]


def ask(id: str, text: str, *quotes: str, **more: Any) -> Question:
    golds = []
    for quote in quotes:
        (doc,) = [d for d, t in TEXTS.items() if quote in t]
        assert TEXTS[doc].count(quote) == 1
        start = TEXTS[doc].index(quote)
        golds.append(Gold(quote, (Place(doc, Span(start, start + len(quote))),)))
    return Question(id, text, tuple(golds), **more)


QUESTIONS = [
    ask("oil", "how often is the oil changed", "every 180 days", tags={"kind": "fact", "part": "oil"}),
    ask("both", "what about a torn filter and old oil", "thrown away at once", "goes to the depot"),
    ask("noise", "what does a loud pump have", "air in it", tags={"kind": "fault", "part": "pump"}),
    ask("heat", "why is a pump hot", "runs dry", tags={"kind": "fault", "part": "pump"}),
    ask("paint", "colour of the pump", "The pump is blue", tags={"kind": "fact", "part": "pump"}),
    ask("none", "xylophone", "valve until water"),
]
GOLDEN = GoldenSet(
    QUESTIONS, {doc: Document(doc, text, parse_markdown).digest for doc, text in TEXTS.items()}
)
ROWS = [Candidate(Fixed(size=40)), Candidate(Heading(size=120)), Candidate(Paragraph(size=90), label="para")]
QUICK: dict[str, Any] = {"k": (1, 3), "budgets": (10, 25), "resamples": 50}


def run(rows: list[Candidate] = ROWS, **settings: Any) -> Report:
    return evaluate(Corpus(documents()), GOLDEN, rows, **{**QUICK, **settings})


def plain(report: Report) -> dict[str, Any]:
    return {**report.to_dict(), "timings": None}


def by_loops(candidate: Candidate, question: Question, budget: int = 0) -> tuple[list[int | None], float]:
    """Ranks of the golds (contained), and the share of their characters within a budget of words."""
    chunks = [(d, c) for d in documents() for c in candidate.chunker(d)]
    indexer = Bm25().indexer(Analyzer())
    indexer.add_texts(c.indexed for _, c in chunks)
    order = [int(i) for i in indexer.finish().search(question.text, 1000)[0]]
    ranks: list[int | None] = []
    for gold in question.golds:
        (place,) = gold.places
        hits = [
            rank
            for rank, i in enumerate(order, 1)
            if chunks[i][0].id == place.doc
            and chunks[i][1].span is not None
            and chunks[i][1].span.contains(place.span)
        ]
        ranks.append(hits[0] if hits else None)
    seen: set[tuple[str, int]] = set()
    for i in order:
        document, chunk = chunks[i]
        if budget <= 0 or chunk.span is None:
            break
        words = chunk.text.split()
        end = chunk.span.end
        if len(words) > budget:  # up to the end of the last word that is paid for
            stop = 0
            for word in words[:budget]:
                stop = chunk.text.index(word, stop) + len(word)
            end = chunk.span.start + stop
        seen |= {(document.id, p) for p in range(chunk.span.start, end)}
        budget -= len(words)
    whole = [{(p.doc, i) for i in range(*p.span)} for g in question.golds for p in g.places]
    return ranks, sum(len(w & seen) for w in whole) / sum(map(len, whole))


def test_figures_are_those_of_plain_loops() -> None:
    report = run()
    for candidate, row in zip(ROWS, report.candidates, strict=True):
        for question in QUESTIONS:
            ranks, _ = by_loops(candidate, question)
            own = row.questions[question.id]
            known = [r for r in ranks if r is not None]
            assert own["rank"] == (max(known) if len(known) == len(ranks) else None)
            if len(ranks) > 1:
                assert own["ranks"] == ranks
            assert own["hit@3"] == all(r is not None and r <= 3 for r in ranks)
            assert own["recall@1"] == sum(r == 1 for r in ranks) / len(ranks)
            for budget in (10, 25):
                share = by_loops(candidate, question, budget)[1]
                assert own[f"recall@{budget}words"] == pytest.approx(share, abs=1e-6)
        for name, score in row.measures.items():
            values = [row.questions[q.id][name] for q in QUESTIONS]
            assert score.value == pytest.approx(np.mean(values), abs=2e-6)
            assert 0 <= score.low <= score.value <= score.high <= 1


def test_an_unanswered_question_counts_as_zero() -> None:
    row = run().candidates[0]
    assert row.questions["none"]["rank"] is None
    assert row.questions["none"]["recall@25words"] == 0
    assert len(row.questions) == len(QUESTIONS)


def test_the_same_input_gives_the_same_bytes() -> None:
    first, second = (replace(run(), timings={}).to_json() for _ in range(2))
    assert first == second
    assert json.loads(first)["schema"] == 1


def test_a_report_is_read_back_equal() -> None:
    report = run(by=("kind", "part"))
    again = Report.from_json(report.to_json())
    assert again == report
    assert again.to_json() == report.to_json()
    assert again["para"].label == "para"


def test_batches_and_memory_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = plain(run(size_matched=1))
    monkeypatch.setattr("chunkwise.evaluate.gathering._BATCH", 1)
    assert plain(run(size_matched=1)) == whole
    monkeypatch.setattr("chunkwise.evaluate.control.HELD", 10)
    assert plain(run(size_matched=1)) == whole


def test_a_shallow_search_is_deepened_until_the_budget_is_filled(monkeypatch: pytest.MonkeyPatch) -> None:
    deep = run([Candidate(Fixed(size=12))], k=(1,), budgets=(40,))
    monkeypatch.setattr("chunkwise.evaluate.plan.DEPTH", 1)
    shallow = run([Candidate(Fixed(size=12))], k=(1,), budgets=(40,))
    assert shallow.settings["depth"] == 1
    name = "recall@40words"
    assert shallow.candidates[0].measures[name] == deep.candidates[0].measures[name]
    assert shallow.candidates[0].costs["sent"] == deep.candidates[0].costs["sent"]


class Blocks:
    """BM25 that takes all questions at once, and tells how often it was asked, and what was still there."""

    spec = "blocks"

    def __init__(self) -> None:
        self.asked: list[tuple[int, int]] = []
        self.made: list[weakref.ref[Any]] = []

    def indexer(self, analyzer: Any) -> Any:
        below, outer = Bm25().indexer(analyzer), self

        class Retriever:
            def __init__(self) -> None:
                self.below = below.finish()
                outer.made.append(weakref.ref(self))

            def search(self, question: str, depth: int) -> Any:
                return self.below.search(question, depth)

            def search_all(self, questions: Sequence[str], depth: int) -> Any:
                alive = sum(ref() is not None for ref in outer.made)
                outer.asked.append((len(questions), alive))
                return [self.below.search(question, depth) for question in questions]

        class Indexer:
            add = staticmethod(below.add)
            finish = staticmethod(Retriever)

        return Indexer()


def test_all_questions_are_asked_at_once_and_an_index_is_let_go_behind_its_last_row() -> None:
    retriever = Blocks()
    rows = [row._replace(retriever="blocks") for row in ROWS]
    rows.append(rows[0]._replace(label="again"))
    found = run(rows, retrievers={"blocks": retriever})
    # The first index has one more row to come, so that it stays; no question needs a deeper search here.
    assert retriever.asked == [(6, 3), (6, 3), (6, 2), (6, 1)]
    plain_search = run([*ROWS, ROWS[0]._replace(label="again")])
    for one, other in zip(found.candidates, plain_search.candidates, strict=True):
        assert (one.measures, one.questions) == (other.measures, other.questions)


def test_each_document_is_read_parsed_and_cut_once() -> None:
    loads: dict[str, int] = {}
    parses: dict[str, int] = {}
    cuts: dict[str, int] = {}

    def parse(text: str, id: str) -> Any:
        parses[text] = parses.get(text, 0) + 1
        return parse_markdown(text, id)

    def load(id: str) -> Document:
        loads[id] = loads.get(id, 0) + 1
        return Document(id, TEXTS[id], parse)

    def halves(text: str) -> list[tuple[int, int]]:
        cuts[text] = cuts.get(text, 0) + 1
        return [(0, len(text) // 2), (len(text) // 2, len(text))]

    digests = {d.id: d.digest for d in documents()}
    corpus = Corpus.lazy(TEXTS, load, digests=digests)
    chunker = from_callable(halves, "halves")
    sweep = [f"bm25:k1={k1}" for k1 in (0.5, 1.0, 2.0)]
    rows = [Candidate(chunker, r, label=r) for r in sweep] + [Candidate(Heading(size=120))]
    report = evaluate(corpus, GOLDEN, rows, **QUICK)
    assert set(loads.values()) == set(parses.values()) == set(cuts.values()) == {1}
    alone = evaluate(Corpus(documents()), GOLDEN, [Candidate(chunker, sweep[2], label=sweep[2])], **QUICK)
    assert report[sweep[2]] == alone.candidates[0]


def test_retrievers_that_share_their_counts_keep_their_weights() -> None:
    sweep = ["bm25:k1=0.5", "bm25:k1=2"]

    def of_row(report: Report, name: str) -> dict[str, list[float]]:
        return {
            e["id"]: [c["score"] for c in row["chunks"]]
            for e in report.exhibits
            if e["kind"] == "question"
            for row in e["rows"]
            if row["candidate"] == name
        }

    def shown(retrievers: list[str]) -> Report:
        return run([Candidate(Fixed(size=40), r, label=r) for r in retrievers], exhibits=len(QUESTIONS))

    together = shown(sweep)
    for name in sweep:
        assert of_row(together, name) == of_row(shown([name]), name)
    assert of_row(together, sweep[0]) != of_row(together, sweep[1])


def test_raw_coordinates_decide_where_a_mark_stands_in_front() -> None:
    shifted = documents(shift=1)
    moved = [
        q._replace(
            golds=tuple(
                Gold(g.quote, tuple(Place(p.doc, Span(p.span.start + 1, p.span.end + 1)) for p in g.places))
                for g in q.golds
            )
        )
        for q in QUESTIONS
    ]
    report = evaluate(Corpus(shifted), GoldenSet(moved, GOLDEN.digests), ROWS, **QUICK)
    for row, usual in zip(report.candidates, run().candidates, strict=True):
        assert row.measures == usual.measures
        assert row.boundaries == usual.boundaries


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


COPIED = GoldenSet(
    [ask("h", "Filter", "## Filter\n\nThe filter is washed", origin="heading"), *QUESTIONS[:1]]
)


def test_heading_questions_are_asked_again_without_the_heading_lines() -> None:
    texts = {"a.md": "# Zebra crossing\n\nStop here and look.\n\n# Other\n\nNothing of note.\n"}
    corpus = Corpus(documents(texts))
    gold = Gold("", (Place("a.md", Span(0, 37)),))
    golden = GoldenSet([Question("z", "zebra crossing", (gold,), origin="heading")])
    report = evaluate(corpus, golden, [Candidate(Heading(size=100))], rule="majority", **QUICK)
    headings = report.candidates[0].headings
    assert headings["questions"] == 1
    assert headings["with"]["hit@1"]["value"] == report.candidates[0].measures["hit@1"].value == 1
    assert headings["without"]["hit@1"]["value"] == 0
    assert headings["without"]["ceiling"]["value"] == 1


def test_only_copied_questions_count_there() -> None:
    report = evaluate(Corpus(documents()), COPIED, ROWS, rule="majority", **QUICK)
    assert [row.headings["questions"] for row in report.candidates] == [1, 1, 1]
    assert all(row.headings == {} for row in run().candidates)


TEXT = st.lists(
    st.sampled_from(["# One\n\n", "## Two words\n", "Setext\n===\n", "text here. ", "more\n\n", "é\u200b "]),
    max_size=9,
).map("".join)


@given(
    TEXT.filter(bool), st.lists(st.tuples(st.integers(0, 99), st.integers(1, 30)), min_size=2), st.booleans()
)
def test_chunks_without_heading_lines(text: str, pairs: list[tuple[int, int]], prefix: bool) -> None:
    document = Document("a.md", text, parse_markdown)
    spans = [(s % len(text), min(s % len(text) + n, len(text))) for s, n in pairs]
    front = "A > B\n" if prefix else ""
    chunker = from_callable(lambda t: [(s, e, front + t[s:e]) for s, e in spans], "c")
    bare = Bare(document)
    heads = {i for s in document.sections[1:] for i in range(s.span.start, s.body)}
    chunks = chunker(document)
    assert bare.document.text == "".join(c for i, c in enumerate(text) if i not in heads)
    for chunk, stripped in zip(chunks, bare(chunks), strict=True):
        assert chunk.span is not None
        kept = "".join(text[i] for i in range(*chunk.span) if i not in heads)
        assert stripped.indexed == front + kept
        assert bare.document.text[slice(*stripped.match)] == kept


def test_a_chunk_that_begins_within_a_heading_line() -> None:
    text = "before\n\n# One two\n\nsome text\n"
    document = Document("a.md", text, parse_markdown)
    inside = text.index("two")
    chunks = from_callable(lambda _: [(0, inside), (inside, len(text)), (inside, inside + 2)], "c")(document)
    assert [c.indexed for c in Bare(document)(chunks)] == ["before\n\n", "", "some text\n"]


def test_a_foreign_string_loses_its_heading_line_too() -> None:
    text = "# One  two\n\nsome text\n"
    document = Document("a.md", text, parse_markdown)
    (chunk,) = from_callable(lambda _: ["# One two some text"], "c")(document)
    assert chunk.span is not None
    (stripped,) = Bare(document)([chunk._replace(indexed="before # One  two behind")])
    assert stripped.indexed == "before  behind"


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
