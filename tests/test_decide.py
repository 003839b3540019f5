"""The verdict: winners, ties, and what nobody can tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from chunkwise.decide import decide
from chunkwise.types import CandidateReport, Comparison, Report, Score


def row(
    name: str, value: float, *, sent: float = 1000.0, indexed: int = 5000, chunks: int = 10, **more: Any
) -> CandidateReport:
    return CandidateReport(
        spec=name,
        label="",
        retriever="bm25",
        chunks=chunks,
        measures={"recall@1000words": Score(value, max(0, value - 0.1), min(1, value + 0.1))},
        rules={},
        tags={},
        boundaries={},
        sizes={},
        costs={"unit": "words", "sent": {"@5": 400.0, "@1000words": sent}, "characters_indexed": indexed},
        questions={},
        **more,
    )


def report(
    rows: list[CandidateReport],
    *comparisons: Comparison,
    questions: int = 40,
    primary: str = "recall@1000words",
    **more: Any,
) -> Report:
    return Report(
        corpus={"documents": 3},
        golden={"questions": questions, "families": questions},
        settings={"primary": primary},
        candidates=tuple(rows),
        comparisons=comparisons,
        **more,
    )


def against(other: str, difference: float, low: float, high: float, **more: Any) -> Comparison:
    """Where nothing else is said, the test agrees with the interval."""
    p = 0.001 if low > 0 else 0.4
    more = {"differing": 20, "p": p, "adjusted": p, **more}
    return Comparison("recall@1000words", "best", other, difference, low, high, **more)


def test_a_winner_is_ahead_of_every_other_row() -> None:
    rows = [row("a", 0.5), row("best", 0.9), row("b", 0.6)]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5), against("b", 0.3, 0.001, 0.4)))
    assert (decision.verdict, decision.candidate) == ("winner", "best")
    assert decision.tied == ("best",)
    assert decision.ruled_out == ("a", "b")
    assert decision.reasons[0] == (
        "on this corpus (3 documents, 40 questions) best found 90 % [80 to 100] of the answers within 1,000 "
        "words read (recall@1000words), ahead of every other row by more than chance"
    )
    # The nearest row is named first.
    assert decision.reasons[1:] == (
        "best is 30 points [0.1 to 40] ahead of b on recall@1000words, more than chance (p = 0.001)",
        "best is 40 points [20 to 50] ahead of a on recall@1000words, more than chance (p = 0.001)",
    )
    assert decision.settles == ()


@pytest.mark.parametrize("low", [0.0, -0.05])
def test_where_the_interval_touches_zero_no_row_is_called_best(low: float) -> None:
    rows = [row("best", 0.9), row("a", 0.88, sent=800), row("b", 0.5)]
    decision = decide(report(rows, against("a", 0.02, low, 0.1), against("b", 0.4, 0.2, 0.5)))
    assert (decision.verdict, decision.candidate) == ("tie", "a")
    assert decision.tied == ("best", "a")
    assert decision.ruled_out == ("b",)
    assert decision.reasons[0].startswith("on this corpus (3 documents, 40 questions) best found 90 %")
    low_ = "0" if low == 0 else "-5"
    assert decision.reasons[0].endswith(
        f"; a, named for its cost, found 88 % [78 to 98], 2 points less [{low_} to 10]"
    )
    assert "2 of 3 rows cannot be told apart by 40 questions: best, a" in decision.reasons
    assert (
        "a is the cheapest of them: it hands the reader the fewest words within 1000words (800)"
        in decision.reasons
    )


def test_a_lower_mean_that_is_named_is_explained() -> None:
    rows = [row("best", 0.9), row("a", 0.84, sent=800)]
    decision = decide(report(rows, against("a", 0.06, -0.01, 0.13, needed=323)))
    assert decision.candidate == "a"
    assert decision.reasons[1:] == (
        "a is the cheapest of them: it hands the reader the fewest words within 1000words (800)",
        (
            "a is named for its cost, not for its mean: its mean is 6 points lower and these "
            "questions cannot "
            "say whether that is chance. It is not shown to be worse than best, nor shown to be as "
            "good: it may be "
            "13 points behind. Where cost does not matter, take best"
        ),
        "2 of 2 rows cannot be told apart by 40 questions: best, a",
        "best is 6 points ahead of a on recall@1000words, [-1 to 13], which may be chance",
    )
    assert decision.settles == (
        (
            "about 330 questions like these would tell best and a apart, if the true difference is "
            "the 6 points "
            "seen here; there are 40"
        ),
    )


def test_a_narrow_interval_of_few_families_promises_nothing() -> None:
    rows = [row("best", 0.9), row("a", 0.897, sent=800)]
    limits = {"margin": 0.02, "margin_families": 183, "least_families": 7}
    few = against("a", 0.003, 0.0, 0.009, differing=2)
    told = decide(report(rows, few, limits=limits)).reasons[2]
    assert "nor shown to be as good: that takes 183 families, if within 2 points will do. Where" in told
    wide = replace(few, high=0.021)
    assert "as good: it may be 2.1 points behind." in decide(report(rows, wide, limits=limits)).reasons[2]


def test_a_cheaper_row_that_no_question_tells_from_the_best_is_not_called_as_good() -> None:
    rows = [row("best", 0.9), row("a", 0.9, sent=800)]
    level = against("a", 0.0, 0.0, 0.0, differing=0)
    limits = {"margin": 0.02, "margin_families": 183, "least_families": 7}
    assert decide(report(rows, level, limits=limits)).reasons[2] == (
        "no question here tells a from best; to show that it is as good within 2 points takes 183 families"
    )


def test_what_is_shown_to_be_as_good_is_preferred_to_what_is_cheaper() -> None:
    rows = [row("best", 0.9), row("a", 0.895, sent=900), row("b", 0.88, sent=800)]
    close = against("a", 0.005, -0.002, 0.011, not_worse=True)
    decision = decide(
        report(rows, close, against("b", 0.02, -0.01, 0.05), limits={"margin": 0.02, "least_families": 7})
    )
    assert (decision.verdict, decision.candidate, decision.tied) == ("tie", "a", ("best", "a", "b"))
    assert decision.reasons[1:3] == (
        (
            "a is the cheapest of those shown to be not worse than best by more than 2 points: it hands the "
            "reader the fewest words within 1000words (900)"
        ),
        "a is shown to be not worse than best by more than 2 points: it is at most 1.1 points behind",
    )


def test_the_cheapest_goes_by_units_then_characters_then_chunks_then_order() -> None:
    tie = against("a", 0.01, -0.1, 0.1), against("b", 0.01, -0.1, 0.1)

    def chosen(best: dict[str, Any], a: dict[str, Any], b: dict[str, Any]) -> str | None:
        rows = [row("best", 0.5, **best), row("a", 0.5, **a), row("b", 0.5, **b)]
        return decide(report(rows, *tie)).candidate

    assert chosen({}, {"sent": 900}, {"indexed": 10}) == "a"
    # A difference of less than one in a hundred is none.
    assert chosen({}, {"sent": 999}, {"indexed": 10}) == "b"
    assert chosen({"chunks": 3}, {"indexed": 4990}, {"chunks": 9}) == "best"
    assert chosen({}, {}, {}) == "best"


def test_an_interval_alone_rules_nothing_out_and_the_row_behind_is_not_chosen() -> None:
    rows = [row("best", 0.9), row("a", 0.6, sent=10), row("b", 0.9, sent=900)]
    level = against("b", 0.0, 0.0, 0.0, differing=0)
    decision = decide(report(rows, against("a", 0.3, 0.1, 0.5, differing=5, adjusted=0.19), level))
    assert (decision.verdict, decision.candidate) == ("tie", "b")
    assert decision.tied == ("best", "a", "b")
    assert decision.reasons[-2:] == (
        (
            "best is 30 points ahead of a on recall@1000words, [10 to 50], but they differ in 5 families of "
            "questions and corrected for having picked the best of 3 rows p = 0.19: it may be chance"
        ),
        "best and b are level on recall@1000words",
    )
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=0.05), level)).ruled_out == ()
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=0.049), level)).ruled_out == ("a",)
    # A test alone is not enough either: the figures that are printed must agree with it.
    assert decide(report(rows, against("a", 0.3, 0.0, 0.5, adjusted=0.001), level)).ruled_out == ()
    # A report from before there was a test.
    assert decide(report(rows, against("a", 0.3, 0.1, 0.5, adjusted=None), level)).ruled_out == ()


def test_a_difference_that_rounds_to_nothing_is_none() -> None:
    rows = [row("best", 0.9), row("a", 0.8999)]
    decision = decide(report(rows, against("a", 0.0001, -0.001, 0.002)))
    assert "best and a are level on recall@1000words" in decision.reasons


def test_nothing_found_is_undecided_and_says_why() -> None:
    rows = [row("best", 0.0), row("a", 0.0)]
    decision = decide(report(rows, against("a", 0.0, 0.0, 0.0, differing=0)))
    assert (decision.verdict, decision.candidate, decision.tied) == ("undecided", None, ())
    assert "0 for all of them" in decision.reasons[0]
    assert decide(report([row("best", 0.0, chunks=0)])).reasons[1] == "no row has any chunks"


def test_no_questions_are_undecided() -> None:
    decision = decide(report([row("a", 0.0)], questions=0))
    assert (decision.verdict, decision.candidate) == ("undecided", None)
    assert "no questions were asked" in decision.reasons[0]
    assert decide(report([])).verdict == "undecided"


def test_one_row_alone_is_no_winner() -> None:
    decision = decide(report([row("a", 0.7)]))
    assert (decision.verdict, decision.candidate, decision.tied) == ("undecided", "a", ("a",))
    assert decision.reasons[0].startswith("on this corpus (3 documents, 40 questions) a found 70 %")


def test_what_the_mean_hides_is_said() -> None:
    weak = {
        "best": {
            "worst": {
                "tag": "answer_length",
                "value": "short",
                "questions": 12,
                "mean": 0.5,
                "low": 0.25,
                "high": 0.75,
            },
            "behind": {
                "tag": "answer_length × query_type",
                "value": "short × factual",
                "questions": 9,
                "other": "a",
                "mean": 0.2,
                "low": 0.1,
                "high": 0.4,
            },
        }
    }
    rows = [row("best", 0.9), row("a", 0.5)]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5), weak=weak))
    assert decision.hides == (
        "best is weakest on answer_length = short: 50 % [25 to 75] of 12 questions, against 90 % of all",
        (
            "on answer_length × query_type = short × factual (9 questions) a is 20 points [10 to 40] ahead "
            "of best"
        ),
    )
    assert "best is weakest" in decide(report(rows[:1], weak=weak)).hides[0]
    # Nothing is hidden where the mean holds everywhere, to the digit that is printed.
    for mean in (0.8996, 0.9, 0.95):
        even = {"best": {"worst": {**weak["best"]["worst"], "mean": mean}}}
        assert decide(report(rows, against("a", 0.4, 0.2, 0.5), weak=even)).hides == ()


@pytest.mark.parametrize(
    ("kind", "chosen", "said"),
    [
        ("none", ["best"], "with one family of questions there are no others to check it on"),
        (
            "halves",
            ["a"],
            (
                "picked on one half of the families, a found 80 % [70 to 90] of the 19 questions of "
                "the other "
                "half"
            ),
        ),
        (
            "folds",
            ["a", "a", "a"],
            (
                "picked 3 times without a part of the families and asked that part, the row picked "
                "(always a) "
                "found 80 % [70 to 90]"
            ),
        ),
        ("folds", ["a", "best"], "(not always the same row: a, best) found 80 % [70 to 90]"),
    ],
)
def test_a_mean_picked_on_its_own_questions_says_so(kind: str, chosen: list[str], said: str) -> None:
    found = {"value": 0.8, "low": 0.7, "high": 0.9, "questions": 19, "own": 0.9}
    selection = {"kind": kind, "chosen": chosen, **found}
    made = report([row("best", 0.9), row("a", 0.5)], against("a", 0.4, 0.2, 0.5), selection=selection)
    last = decide(made).hides[-1]
    assert last.startswith("the highest mean, 90 %, was picked by the same questions that it is a mean of; ")
    assert last.endswith(said)


def test_heading_questions_say_what_is_left_without_the_heading_lines() -> None:
    def copied(without: float) -> dict[str, Any]:
        return {"headings": {"questions": 12, "without": {"recall@1000words": {"value": without}}}}

    rows = [row("best", 0.9, **copied(0.4)), row("a", 0.5, **copied(0.45))]
    decision = decide(report(rows, against("a", 0.4, 0.2, 0.5)))
    assert decision.hides[-1] == (
        "12 questions are copied from headings; without the heading lines in the index best finds 40 %, "
        "and a is first with 45 %"
    )


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("hit@1", "of the whole answers in the first chunk (hit@1)"),
        ("hit@5", "in the first 5 chunks (hit@5)"),
        ("recall@3", "of the passages needed in the first 3 chunks (recall@3)"),
        ("mrr@10", "of the best possible rank"),
        ("recall@500cl100k", "within 500 cl100k tokens read (recall@500cl100k)"),
        ("ceiling", "of what the questions need in some chunk"),
    ],
)
def test_the_first_sentence_says_what_the_share_is_of(measure: str, words: str) -> None:
    rows = [row("best", 0.9), row("a", 0.5)]
    for one in rows:
        one.measures[measure] = one.measures["recall@1000words"]  # type: ignore[index]
        one.costs["sent"]["@1"] = 100.0
    found = Comparison(measure, "best", "a", 0.4, 0.2, 0.5, 20, adjusted=0.001)
    assert words in decide(report(rows, found, primary=measure)).reasons[0]


def asked(**reasons: str) -> dict[str, dict[str, Any]]:
    """Questions by id: `""` for one that was found, else why it was missed."""
    return {
        id: {"recall@1000words": 0.0, "miss": {"reason": reason}} if reason else {"recall@1000words": 1.0}
        for id, reason in reasons.items()
    }


def answered(row_: CandidateReport, **reasons: str) -> CandidateReport:
    return replace(row_, questions=asked(**reasons))


def because(*others: CandidateReport) -> str:
    rows = [answered(row("best", 0.9), a="", b="", c="", d="", e="beyond"), *others]
    found = [against(other.name, 0.2 + 0.1 * i, 0.1, 0.3) for i, other in enumerate(others)]
    return decide(report(rows, *found)).reasons[0].split("(recall@1000words), ")[1]


def test_why_the_winner_is_ahead_is_what_the_next_row_did_to_the_answers() -> None:
    next_ = answered(row("next", 0.5), a="cut", b="unmatched", c="deep", d="outranked", e="")
    last = answered(row("last", 0.1), a="cut", b="cut", c="cut", d="cut", e="cut")
    assert because(next_, last) == (
        "because the next row, next, is behind on the answers to 4 questions: it cut 1, did not retrieve 1 "
        "and ranked 2 too low; on 1 it is ahead"
    )
    assert because(last) == (
        "because the other row, last, is behind on the answers to 4 questions: it cut all of them"
    )
    other = answered(row("other", 0.4), a="lost", b="unplaced", c="partial", d="", e="beyond")
    assert because(other).endswith("on the answers to 3 questions: it has 2 in no chunk and found 1 in part")


def test_rows_that_found_the_same_are_named_beside_the_one_to_use() -> None:
    rows = [
        answered(row("best", 0.9), a="", b=""),
        answered(row("twin", 0.9), a="", b=""),
        answered(row("next", 0.5), a="beyond", b="beyond"),
    ]
    found = against("twin", 0.0, 0.0, 0.0, differing=0), against("next", 0.4, 0.2, 0.5)
    decision = decide(report(rows, *found))
    assert decision.verdict == "tie"
    assert decision.reasons[0].endswith(
        ", as did twin, because the next row, next, is behind on the answers to 2 questions: it ranked all "
        "of them too low"
    )


@pytest.mark.parametrize(
    ("comparison", "said"),
    [
        (
            against("a", 0.06, -0.01, 0.13, detectable=0.15),
            (
                "because they differ by at most 6 points, and 40 questions can show only differences of "
                "about 15 points between such rows"
            ),
        ),
        (
            against("a", 0.0004, -0.001, 0.001, detectable=0.0007),
            (
                "because they differ by less than 0.1 points, and 40 questions can show only differences of "
                "about 0.1 points between such rows"
            ),
        ),
        (
            against("a", 0.2, -0.01, 0.3, detectable=0.15),
            "because what they differ by may be chance (p = 0.4 at the least)",
        ),
        (
            against("a", 0.2, -0.01, 0.3, detectable=None),
            "because what they differ by may be chance (p = 0.4 at the least)",
        ),
        (against("a", 0.0, 0.0, 0.0, differing=0), "because no question tells them apart"),
    ],
)
def test_why_no_row_is_called_best(comparison: Comparison, said: str) -> None:
    rows = [row("best", 0.9), row("a", 0.84, sent=800)]
    # The limit of another pair, which is ruled out, says nothing of this one.
    out = against("b", 0.5, 0.4, 0.6, detectable=0.3)
    others = (comparison, out) if comparison.differing else (comparison,)
    made = report(
        [*rows, row("b", 0.4)][: 1 + len(others)], *others, limits={"margin": 0.02, "least_families": 7}
    )
    first = decide(made).reasons[0].partition("; ")[0].replace("1 other row", "the other row")
    assert first.endswith(f"(recall@1000words), which cannot be told from the other row, {said}")


def test_what_may_be_missed_is_said_of_every_verdict() -> None:
    limits = {"margin": 0.02, "least_families": 7}
    rows = [row("best", 0.9), row("a", 0.5), row("b", 0.5), row("c", 0.9)]

    def said(*limits_of: float | None) -> str:
        found = [against(name, 0.4, 0.2, 0.5, detectable=d) for name, d in zip("ab", limits_of, strict=False)]
        # What rows that never differ could have shown is no measure of the others.
        found.append(against("c", 0.0, 0.0, 0.0, differing=0, detectable=0.9))
        own = [row for row in rows if row.name in {"best", *(c.other for c in found)}]
        return decide(report(own, *found, limits=limits)).not_shown[0]

    start, end = (
        "What 40 questions can miss: a row that is less than about ",
        " One question counts 2.5 points.",
    )
    assert said(0.123) == f"{start}12.3 points behind the first.{end}"
    assert said(0.12301, 0.123) == f"{start}12.3 points behind the first.{end}"
    assert said(0.123, 0.014) == f"{start}1.4 to 12.3 points behind the first, depending on the row.{end}"
    assert said(0.123, None) == f"{start}12.3 points behind the first; of some rows any difference.{end}"
    assert said(0.00001) == f"{start}0.1 points behind the first.{end}"
    assert said(None, None) == (
        "What 40 questions can miss: any difference between two rows, however large. With 4 rows at least 7 "
        "families must change, all the same way, before it is more than chance."
    )
    made = report(rows[:2], against("a", 0.4, 0.2, 0.5, detectable=0.123), limits=limits)
    golden = {"questions": 40, "families": 9, "origin": {"heading": 40}}
    copied = decide(replace(made, golden=golden)).not_shown[1]
    assert copied.startswith("40 of 40 questions of 9 families are copied from headings")
    assert decide(report([row("a", 0.0)], questions=0)).not_shown == ()


def test_a_hit_by_another_rule_is_no_whole_answer() -> None:
    rows = [row("best", 0.9), row("a", 0.4)]
    rows = [replace(one, measures={"hit@3": one.measures["recall@1000words"]}) for one in rows]
    made = report(rows, replace(against("a", 0.5, 0.4, 0.6), measure="hit@3"), primary="hit@3")
    assert "of the whole answers in the first 3 chunks (hit@3)" in decide(made).reasons[0]
    by_half = decide(replace(made, settings={**made.settings, "rule": "majority"}))
    assert "of the answers in the first 3 chunks (hit@3, rule majority)" in by_half.reasons[0]
