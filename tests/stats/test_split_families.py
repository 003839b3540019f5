"""Splits by family: stable, whole families, and nearly even."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunkwise.stats import folds, half_of, halves, split

NAMES = [f"family-{i}" for i in range(200)]


def test_the_half_of_a_name_never_changes() -> None:
    # Written down once: another half for a name would show a choice its own questions.
    assert [half_of(name) for name in ("a", "b", "c", "d", "ünïcode", "", "q-0017")] == [0, 1, 1, 0, 0, 0, 1]
    assert half_of(7) == half_of("7")


def test_another_run_gives_the_same() -> None:
    code = "from chunkwise.stats import folds, halves; n = [f'family-{i}' for i in range(200)]\n"
    code += "print(halves(n).tolist(), folds(n).tolist())"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONHASHSEED": "77"}
    )
    assert done.stdout.strip() == f"{halves(NAMES).tolist()} {folds(NAMES).tolist()}"


@given(st.lists(st.text(max_size=4), min_size=1, max_size=30))
def test_a_half_depends_on_the_name_alone(names: list[str]) -> None:
    assert halves(names).tolist() == [half_of(name) for name in names]


def test_halves_are_near_a_half_and_a_salt_divides_otherwise() -> None:
    found = halves(NAMES)
    assert 80 <= found.sum() <= 120
    other = halves(NAMES, salt="again")
    assert 60 <= (found != other).sum() <= 140


@given(
    st.lists(st.integers(0, 30).map(str), min_size=2, max_size=60).filter(lambda x: len(set(x)) > 1),
    st.integers(2, 5),
    st.randoms(use_true_random=False),
)
def test_folds_hold_whole_families_and_differ_by_one(names: list[str], count: int, random) -> None:
    count = min(count, len(set(names)))
    found = folds(names, count)
    fold = dict(zip(names, found.tolist(), strict=True))
    assert [fold[name] for name in names] == found.tolist()
    sizes = np.bincount(list(fold.values()), minlength=count)
    assert sizes.max() - sizes.min() <= 1
    assert sizes.min() > 0
    order = list(range(len(names)))
    random.shuffle(order)
    assert folds([names[i] for i in order], count).tolist() == found[order].tolist()


@pytest.mark.parametrize(
    ("families", "kind", "parts"),
    [
        (NAMES, "halves", 2),
        (NAMES[:60], "halves", 2),
        (NAMES[:59], "folds", 5),
        ([f"f{i % 19}" for i in range(100)], "folds", 5),
        (["a", "b", "c"] * 30, "folds", 3),
        (["a", "b"], "folds", 2),
        (["a"] * 80, "none", 1),
        # One family holds most of the questions: no half without it would say anything.
        (["large"] * 300 + NAMES[:30], "folds", 5),
        (["huge"] * 300 + NAMES[:30], "folds", 5),  # it falls to the other half
    ],
)
def test_few_questions_are_cross_fitted(families: list[str], kind: str, parts: int) -> None:
    found = split(families)
    assert (found.kind, len(set(found.parts.tolist()))) == (kind, parts)
    assert len(found.parts) == len(families)


def test_what_cannot_be_split_is_refused() -> None:
    with pytest.raises(ValueError, match="no questions"):
        split([])
    with pytest.raises(ValueError, match="3 families can be dealt to 2 to 3 folds, not to 4"):
        folds(list("abc"), 4)
    with pytest.raises(ValueError, match="not to 1"):
        folds(list("abc"), 1)
