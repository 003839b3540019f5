"""Whether two measurements can be compared at all, as far as possible before the second one is made."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches

from chunkwise.errors import NotComparable, NothingMeasured, SettingError
from chunkwise.report.words import counted
from chunkwise.ship.baseline import Baseline
from chunkwise.ship.means import COUNTED
from chunkwise.ship.rules import Rules
from chunkwise.types import GoldenSet

__all__ = ["check_askable", "check_has", "check_same", "no_question"]


def check_askable(golden: GoldenSet, rules: Rules, before: Baseline | None = None) -> None:
    """Refuse what is known to fail before anything is measured.

    Args:
        golden: the questions that will be asked.
        rules: the rules.
        before: what will be compared with; None: nothing is.

    Raises:
        NotComparable: the baseline has other questions, or lacks a measure that is compared.
        SettingError: a rule names a question, or a value of a tag, that the golden set does not have.
    """
    ids = {question.id for question in golden}
    for id in rules.must_pass:
        if id not in ids:
            raise SettingError(f"{rules.at('must_pass')}: must_pass: {no_question(id, ids)}")
    tags = {f"{tag}={value}" for question in golden for tag, value in question.tags.items()}
    for key in rules.tags if isinstance(rules.tags, Mapping) else ():
        if key not in tags:
            raise SettingError(
                f"{rules.at('tags', key)}: tags: no question of the golden set has {key}{_near(key, tags)}"
            )
    if before is None or not before.asked:
        return
    _same_set(before, before.asked, golden.asked, "this run", len(golden))
    for name in rules.compared(before.setting("primary")):
        check_has(before, name)


def no_question(id: str, ids: Collection[str]) -> str:
    """What is said of an id that no question has."""
    return f"no question {id!r} in the golden set{_near(id, ids)}"


def _near(name: str, known: Collection[str]) -> str:
    found = get_close_matches(name, sorted(known), n=1, cutoff=0.5)
    return f"; did you mean {found[0]!r}?" if found else ""


def check_same(now: Baseline, before: Baseline) -> None:
    """Refuse figures of other questions, or that mean something else.

    Raises:
        NothingMeasured: no questions on one side.
        NotComparable: another golden set, or another hit rule or counter.
    """
    if not now.questions:
        raise NothingMeasured(
            f"{now.source}: 0 questions in place of {before.questions}: nothing was measured"
        )
    if not before.questions:
        raise NothingMeasured(f"{before.source}: 0 questions in the baseline; make a new one")
    old, new = (before.asked, now.asked) if now.asked and before.asked else (before.golden, now.golden)
    _same_set(before, old, new, now.source, now.questions)
    if now.questions != before.questions:
        raise NotComparable(
            f"{now.source}: {counted(now.questions, 'question')} in place of {before.questions:,} of "
            f"{before.source}; "
            "ask the same ones, or make a new baseline"
        )
    for name in COUNTED:
        old, new = before.setting(name), now.setting(name)
        if old is not None and new is not None and old != new:
            raise NotComparable(
                f"{name} changed ({old} -> {new}): figures of {before.source} and {now.source} do not mean "
                "the same; measure as before, or make a new baseline"
            )
    if now.values and before.values and set(now.values) != set(before.values):
        missing = sorted(set(before.values) ^ set(now.values))
        raise NotComparable(f"questions on one side only: {', '.join(missing[:5])}; make a new baseline")


def _same_set(before: Baseline, old: str, new: str, source: str, questions: int) -> None:
    if old != new:
        raise NotComparable(
            f"golden set changed ({_short(old)} -> {_short(new)}), make a new baseline; "
            f"{before.source} has {counted(before.questions, 'question')}, {source} has {questions:,}"
        )


def check_has(side: Baseline, name: str) -> None:
    """Refuse figures without a measure that is compared; raises `NotComparable`."""
    if name not in side.means:
        raise NotComparable(
            f"{side.source} has no {name} (it has {', '.join(side.means) or 'no figure'}); "
            "measure it, or make a new baseline"
        )


def _short(digest: str) -> str:
    return digest[:12] if len(digest) > 24 else digest
