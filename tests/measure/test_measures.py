"""Measures: the definitions in plain loops, the arrays, and an oracle of character sets agree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from chunkwise.errors import SettingError, UnknownName
from chunkwise.measure import (
    CONTAINED,
    MEASURES,
    RULES,
    Found,
    Places,
    RecallAtBudget,
    columns,
    either,
    parse_measure,
    score_run,
)
from chunkwise.types import Candidate, ChunkTable, Gaps, Question, Ranking, Run

from .world import World, question, ranking, table, worlds

ALL = ["hit@1", "hit@2", "hit@5", "recall@1", "recall@3", "mrr@2", "mrr@10", "ceiling", "coverage"]
BUDGETS = ["recall@1chars", "recall@7chars", "recall@30chars"]


def value(name: str, asked: Question, found: Ranking, chunks: ChunkTable, rule: str = "contained") -> float:
    """One value, taken both ways."""
    measure = parse_measure(name)
    plain = measure.score(asked, found, chunks, RULES[rule])
    array = columns(Found(chunks, [found], Places.of([asked], chunks.doc_ids)), [measure], rule=RULES[rule])
    assert array[0, 0] == pytest.approx(plain)
    return plain


def test_both_spans_are_needed_for_a_hit_and_counted_for_recall() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20), (0, 20, 30)])
    asked = question([("a", 2, 5)], [("a", 22, 25)])
    found = ranking(0, 1, 2)
    assert [value(f"hit@{k}", asked, found, chunks) for k in (1, 2, 3)] == [0, 0, 1]
    assert [value(f"recall@{k}", asked, found, chunks) for k in (1, 2, 3)] == [0.5, 0.5, 1]
    assert value("mrr@5", asked, found, chunks) == pytest.approx(1 / 3)
    assert value("mrr@2", asked, found, chunks) == 0


def test_one_of_several_places_is_enough() -> None:
    chunks = table([(0, 0, 10), (1, 0, 10)], docs=("a", "b"))
    asked = question([("a", 2, 5), ("b", 1, 4)])
    assert value("hit@1", asked, ranking(1), chunks) == 1
    assert value("recall@3chars", asked, ranking(1, 0), chunks) == pytest.approx(2 / 3)


def test_chunks_that_overlap_count_once() -> None:
    chunks = table([(0, 60, 125), (0, 95, 155), (0, 0, 103)])
    asked = question([("a", 100, 115)])
    assert value("recall@5", asked, ranking(0, 1, 2), chunks) == 1
    assert value("hit@1", asked, ranking(0, 1, 2), chunks) == 1
    assert value("recall@500chars", asked, ranking(0, 1, 2), chunks) == 1


def test_a_cut_answer_is_a_miss_and_no_loss() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20)])
    asked = question([("a", 8, 12)])
    assert value("hit@5", asked, ranking(0, 1), chunks) == 0
    assert value("ceiling", asked, ranking(), chunks) == 0
    assert value("coverage", asked, ranking(), chunks) == 1
    assert value("ceiling", asked, ranking(), chunks, "half-section") == 1


def test_a_gap_is_a_loss_only_where_something_is_visible() -> None:
    chunks = table([(0, 0, 10), (0, 12, 20)])
    asked = question([("a", 8, 14)])
    gap = np.array([0]), np.array([10]), np.array([12])
    assert value("coverage", asked, ranking(), chunks) == 0
    for blank in (True, False):
        told = ChunkTable(
            chunks.docs,
            chunks.starts,
            chunks.ends,
            chunks.sent,
            chunks.cut,
            ("a",),
            "chars",
            Gaps(*gap, np.array([blank])),
        )
        assert value("coverage", asked, ranking(), told) == blank
        # The two blank characters that no chunk holds are not asked for.
        assert value("recall@99chars", asked, ranking(0, 1), told) == pytest.approx(1 if blank else 4 / 6)


def test_the_last_chunk_is_cut_at_the_budget_and_context_is_paid_first() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20)], context=[0, 4])
    asked = question([("a", 5, 20)])
    assert value("recall@8chars", asked, ranking(0, 1), chunks) == pytest.approx(3 / 15)
    assert value("recall@14chars", asked, ranking(0, 1), chunks) == pytest.approx(5 / 15)
    assert value("recall@17chars", asked, ranking(0, 1), chunks) == pytest.approx(8 / 15)
    assert value("recall@24chars", asked, ranking(0, 1), chunks) == 1


def test_what_is_read_twice_is_paid_twice() -> None:
    chunks = table([(0, 0, 10), (0, 0, 10), (0, 10, 20)])
    asked = question([("a", 0, 20)])
    assert value("recall@20chars", asked, ranking(0, 1, 2), chunks) == 0.5
    assert value("recall@20chars", asked, ranking(0, 2), chunks) == 1


def test_an_unplaced_chunk_takes_its_rank_and_is_never_a_hit() -> None:
    chunks = table([(0, 0, 10), (0, -1, -1)])
    asked = question([("a", 2, 5)])
    assert value("mrr@5", asked, ranking(1, 0), chunks, "overlap") == 0.5
    assert value("recall@9chars", asked, ranking(1, 0), chunks) == pytest.approx(2 / 3)


def test_nothing_retrieved_is_zero_and_no_nan() -> None:
    chunks = table([(0, 0, 10)])
    asked = question([("a", 2, 5)])
    for name in [*ALL[:7], *BUDGETS]:
        assert value(name, asked, ranking(), chunks) == 0
    empty = table([])
    for name in [*ALL, *BUDGETS]:
        assert value(name, asked, ranking(), empty) == 0


def test_a_document_that_is_not_there_is_never_found() -> None:
    chunks = table([(0, 0, 10)])
    asked = question([("b", 2, 5)])
    for name in [*ALL, *BUDGETS]:
        assert value(name, asked, ranking(0), chunks) == 0


def test_a_run_without_reachable_answer_keeps_its_question_in_the_mean() -> None:
    chunks = table([(0, 0, 10), (0, 10, 20)])
    asked = [
        question([("a", 8, 12)], id="q1"),
        question([("a", 1, 2)], id="q2"),
        question([("a", 11, 12)], id="q3"),
    ]
    found = [ranking(0, id=q.id) for q in asked]
    run = Run(Candidate(lambda _: []), chunks, found, {})  # type: ignore[arg-type]
    values = score_run(run, asked, [parse_measure("recall@3"), parse_measure("ceiling")])
    assert values.mean(axis=0).tolist() == pytest.approx([1 / 3, 2 / 3])


def by_sets(
    name: str, asked: Question, found: Ranking, chunks: ChunkTable, texts: list[str], rule: str
) -> float:
    """The measure's value, counted character by character."""

    def letters(chunk: int) -> set[tuple[int, int]]:
        doc, start, end = (int(c[chunk]) for c in (chunks.docs, chunks.starts, chunks.ends))
        return {(doc, i) for i in range(start, end)} if start >= 0 else set()

    def hit(chunk: int, place: set[tuple[int, int]]) -> bool:
        own = letters(chunk)
        both = len(own & place)
        tests = {
            "contained": place <= own,
            "majority": 2 * both >= len(own),
            "half-section": 2 * both >= len(place),
            "overlap": both > 0,
        }
        return both > 0 and tests[rule]

    golds = [[{("ab".index(p.doc), i) for i in range(*p.span)} for p in gold.places] for gold in asked.golds]
    every = set().union(*(letters(c) for c in range(len(chunks))))
    order = found.chunks.tolist()
    kind, _, rest = name.partition("@")
    if kind == "ceiling":
        return float(all(any(hit(c, p) for c in range(len(chunks)) for p in g) for g in golds))
    if kind == "coverage":
        told = chunks.gaps is not None

        def lost(place: set[tuple[int, int]]) -> bool:
            return any(texts[d][i].strip() or not told for d, i in place - every)

        return float(all(any(not lost(p) for p in g) for g in golds))
    if rest.endswith("chars"):
        budget, seen = int(rest.removesuffix("chars")), set()
        for c in order:
            own, paid = sorted(letters(c)), int(chunks.sent[c])
            before = paid - (len(own) or 5)
            seen |= set(own[: max(0, budget - before)]) if budget > 0 else set()
            budget -= paid
        dead = set()
        if chunks.gaps is not None:
            for doc, start, end, blank in zip(*(c.tolist() for c in chunks.gaps), strict=True):
                dead |= {(doc, i) for i in range(start, end)} if blank else set()
        best = [
            max(((len(p & seen), len(p - dead)) for p in g), key=lambda x: x[0] / max(x[1], 1)) for g in golds
        ]
        return sum(b[0] for b in best) / max(sum(b[1] for b in best), 1)
    k = int(rest)
    ranks = [next((r for r, c in enumerate(order, 1) if any(hit(c, p) for p in g)), 99) for g in golds]
    if kind == "hit":
        return float(max(ranks) <= k)
    if kind == "recall":
        return sum(r <= k for r in ranks) / len(ranks)
    return 1 / max(ranks) if max(ranks) <= k else 0.0


@given(worlds())
def test_arrays_definitions_and_sets_agree(
    world: World,
) -> None:
    chunks, asked, found, texts = world
    measures = [parse_measure(name) for name in [*ALL, *BUDGETS]]
    shared = Found(chunks, found, Places.of(asked, chunks.doc_ids))
    for rule in RULES.values():
        arrays = columns(shared, measures, rule=rule)
        plain = [[m.score(q, r, chunks, rule) for m in measures] for q, r in zip(asked, found, strict=True)]
        sets = [
            [by_sets(m.name, q, r, chunks, texts, rule.name) for m in measures]
            for q, r in zip(asked, found, strict=True)
        ]
        np.testing.assert_allclose(arrays, np.array(plain), atol=1e-12)
        np.testing.assert_allclose(arrays, np.array(sets), atol=1e-12)
        assert ((arrays >= 0) & (arrays <= 1)).all()


@given(worlds())
def test_measures_order_as_they_must(
    world: World,
) -> None:
    chunks, asked, found, _ = world
    shared = Found(chunks, found, Places.of(asked, chunks.doc_ids))
    for rule in RULES.values():
        names = [
            "hit@1",
            "hit@5",
            "recall@5",
            "mrr@5",
            "ceiling",
            "recall@7chars",
            "recall@30chars",
            "coverage",
        ]
        hit1, hit5, recall5, mrr5, ceiling, little, much, coverage = columns(
            shared, [parse_measure(n) for n in names], rule=rule
        ).T
        assert (hit1 <= hit5).all()
        assert (hit5 <= recall5).all()
        assert (hit5 <= ceiling).all()
        assert (mrr5 <= hit5).all()
        assert (little <= much + 1e-12).all()
        if rule is CONTAINED:
            assert (ceiling <= coverage).all()


def test_portions_do_not_change_the_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    # A chunk that holds the whole document makes every later chunk a neighbour of every place.
    chunks = table([(0, 0, 400), *((0, i, i + 4) for i in range(0, 400, 4))])
    asked = [question([("a", i, i + 6)], id=str(i)) for i in range(0, 390, 3)]
    found = [ranking(id=q.id) for q in asked]

    def reach() -> list[bool]:
        return Found(chunks, found, Places.of(asked, ("a",))).reachable(RULES["majority"]).tolist()

    whole = reach()
    monkeypatch.setattr("chunkwise.measure.found._PAIRS", 7)
    assert reach() == whole


@pytest.mark.parametrize(
    "name", [*ALL, *BUDGETS, "recall@1000words", "recall@500cl100k", "recall@10dir/tokenizer.json"]
)
def test_text_forms_print_and_parse_back(name: str) -> None:
    measure = parse_measure(name)
    assert measure.name == name
    assert parse_measure(measure.name) == measure
    assert hash(measure) == hash(parse_measure(name))


@pytest.mark.parametrize(
    ("alias", "name"), [("Success@5", "hit@5"), ("R@5", "recall@5"), ("RR@10", "mrr@10"), ("MRR@3", "mrr@3")]
)
def test_names_that_others_use(alias: str, name: str) -> None:
    assert parse_measure(alias).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hot@5", "did you mean 'hit'"),
        ("hit", "needs a number of at least 1"),
        ("hit@0", "needs a number of at least 1"),
        ("ceiling@3", "takes no number"),
        ("mrr@10words", "only recall is taken at a budget"),
        ("", "unknown measure"),
        ("@5", "unknown measure"),
    ],
)
def test_what_is_no_measure_says_why(text: str, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        parse_measure(text)


def test_every_measure_of_the_table_is_known_by_its_name() -> None:
    for name, kind in MEASURES.items():
        measure = kind() if name in ("ceiling", "coverage", "precision-omega") else kind(3)
        assert measure.name.startswith(name)
        assert parse_measure(measure.name) == measure


def test_a_budget_in_another_unit_is_refused() -> None:
    chunks = table([(0, 0, 10)])
    asked = question([("a", 2, 5)])
    with pytest.raises(SettingError, match="unit='words'"):
        RecallAtBudget(10, "words").score(asked, ranking(0), chunks)
    with pytest.raises(SettingError, match="counted in chars"):
        columns(Found(chunks, [ranking(0)], Places.of([asked], ("a",))), [RecallAtBudget(10, "words")])


def test_a_measure_of_the_users_needs_only_a_score() -> None:
    class Retrieved:
        name = "retrieved"

        def score(self, _: Question, ranking: Ranking, table: ChunkTable) -> float:
            return len(ranking.chunks) / len(table)

    chunks = table([(0, 0, 10), (0, 10, 20)])
    asked = [question([("a", 2, 5)])]
    run = Run(Candidate(lambda _: []), chunks, [ranking(0)], {})  # type: ignore[arg-type]
    assert score_run(run, asked, [Retrieved()]).tolist() == [[0.5]]
    with pytest.raises(SettingError, match="retrieved has no `column`"):
        columns(Found(chunks, [ranking(0)], Places.of(asked, ("a",))), [Retrieved()])


def test_a_ranking_for_each_question_is_needed() -> None:
    with pytest.raises(SettingError, match="0 rankings for 1 question"):
        Found(table([(0, 0, 10)]), [], Places.of([question([("a", 2, 5)])], ("a",)))


def test_rules_of_the_users_are_taken_as_they_are() -> None:
    chunks = table([(0, 0, 10), (0, 0, 40)])
    asked = question([("a", 0, 12)])
    both = either(RULES["majority"], RULES["half-section"])
    found = Found(chunks, [ranking(1)], Places.of([asked], ("a",)))
    assert found.ranks(RULES["majority"])[0] > 1
    assert found.ranks(both).tolist() == [1]
    with pytest.raises(UnknownName):
        parse_measure("majority@5")
