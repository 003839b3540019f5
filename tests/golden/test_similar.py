"""Questions that are asked twice."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from chunkwise.golden.similar import _groups, nearly_equal
from chunkwise.types import Question


def ask(*texts: str, family: str = "") -> list[Question]:
    return [Question(f"q{i}", text, (), family) for i, text in enumerate(texts)]


def test_the_same_in_other_capitals_and_punctuation() -> None:
    texts = (
        "How long is the notice period?",
        "how long is the notice period",
        "How long is the trial period?",
    )
    assert nearly_equal(ask(*texts)) == [("q0", "q1")]
    assert nearly_equal(ask("退職の予告期間はどのくらいですか", "退職の予告期間はどのくらいですか?")) == [
        ("q0", "q1")
    ]


def test_other_numbers_make_other_questions() -> None:
    assert nearly_equal(ask("What is grade 7 paid?", "What is grade 3 paid a year?")) == []


def test_questions_of_one_family_may_be_alike() -> None:
    assert nearly_equal(ask("How hot is it?", "How hot is it?", family="heat")) == []
    assert nearly_equal([]) == []


@given(st.lists(st.text("abc ", max_size=12), max_size=12))
def test_no_pair_is_missed(texts: list[str]) -> None:
    sets = [_groups(text) for text in texts]
    expected = [
        (f"q{i}", f"q{j}")
        for i, j in combinations(range(len(texts)), 2)
        if sets[i] and len(sets[i] & sets[j]) >= 0.8 * len(sets[i] | sets[j])
    ]
    assert sorted(nearly_equal(ask(*texts))) == sorted(expected)
