"""What is asked of a comparison, checked before any work is done."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chunkwise.errors import CorpusError, GoldenError, SettingError, UnknownName
from chunkwise.evaluate.prices import Prices, load_prices
from chunkwise.measure import (
    CHARS,
    MEASURES,
    RULES,
    Hit,
    HitRule,
    Iou,
    Mrr,
    Ndcg,
    Precision,
    Recall,
    RecallAtBudget,
    TextRecall,
    parse_measure,
    parse_rule,
)
from chunkwise.text import bare, counter
from chunkwise.types import Candidate, Corpus, Counter, GoldenSet, Measure

DEPTH = 100
"""How deep a ranking is looked at for the rank of an answer, whatever k is."""
_USUAL = 5
HEADLINE = 1000
"""The budget of the headline measure, where it is among those that are asked for."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The settings of one comparison."""

    k: tuple[int, ...]
    budgets: tuple[int, ...]
    counter: Counter
    rule: HitRule
    rules: dict[str, HitRule]
    measures: tuple[Measure, ...]
    primary: Measure
    by: tuple[str, ...]
    seed: int
    resamples: int
    depth: int
    show_context: bool
    prices: Prices | None = None

    @property
    def reach(self) -> int:
        """The largest budget that is measured."""
        return max((m.budget for m in self.measures if isinstance(m, RecallAtBudget)), default=0)


def make_plan(
    *,
    k: int | Iterable[int],
    budgets: int | Iterable[int],
    unit: str | Callable[[str], int],
    rule: str | HitRule,
    primary: str | Measure | None,
    by: str | Iterable[str],
    seed: int,
    resamples: int,
    show_context: bool,
    measures: Iterable[str | Measure] = (),
    prices: Prices | str | Path | None = None,
) -> Plan:
    """Check the settings. Raises `SettingError`, which names the setting and the value given."""
    ks, sums = _numbers("k", k), _numbers("budgets", budgets)
    counted = bare(counter(unit))  # a reader gets no special tokens
    cost = load_prices(prices) if isinstance(prices, str | Path) else prices
    if cost is not None:
        cost.tokens(counted.name)
    taken: list[Measure] = [kind(n) for kind in (Hit, Recall, Mrr) for n in ks]
    taken += [MEASURES["ceiling"](), MEASURES["coverage"]()]
    taken += [RecallAtBudget(n, counted.name) for n in sums]
    if ks:
        # Of these one k says enough: the usual one where it is there.
        near = _USUAL if _USUAL in ks else ks[-1]
        taken += [Ndcg(ks[-1]), *(kind(near) for kind in (TextRecall, Precision, Iou))]
    taken.append(MEASURES["precision-omega"]())
    first = _primary(primary, ks, sums, counted.name)
    given = [measures] if isinstance(measures, str) or hasattr(measures, "score") else list(measures)
    for one in (*given, first):
        measure = _measure(one, counted.name)
        if measure.name not in [m.name for m in taken]:
            taken.append(measure)
    for name, value, least in (("seed", seed, 0), ("resamples", resamples, 1)):
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise SettingError(f"{name} must be a whole number of at least {least}, got {value!r}")
    chosen = parse_rule(rule)
    depth = max([DEPTH, *ks, *(getattr(m, "k", 0) for m in taken)])
    return Plan(
        ks,
        sums,
        counted,
        chosen,
        {**RULES, chosen.name: chosen},
        tuple(taken),
        first,
        tuple(dict.fromkeys([by] if isinstance(by, str) else by)),
        seed,
        resamples,
        depth,
        show_context,
        cost,
    )


def _numbers(name: str, given: int | Iterable[int]) -> tuple[int, ...]:
    values = [given] if isinstance(given, int) else list(given)
    for value in values:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise SettingError(f"{name} must be whole numbers of at least 1, got {value!r}")
    return tuple(sorted(set(values)))


def _primary(primary: str | Measure | None, ks: Sequence[int], sums: Sequence[int], unit: str) -> Measure:
    if primary is None:
        if sums:
            return RecallAtBudget(HEADLINE if HEADLINE in sums else sums[len(sums) // 2], unit)
        if ks:
            return Hit(ks[0])
        raise SettingError("nothing to measure: give at least one k or one budget")
    return _measure(primary, unit, "primary=")


def _measure(given: str | Measure, unit: str, said: str = "") -> Measure:
    """A measure that can be taken where `unit` is counted."""
    measure = parse_measure(given) if isinstance(given, str) else given
    if isinstance(measure, RecallAtBudget) and measure.unit != unit:
        raise SettingError(
            f"{said}{measure.name}: budgets are counted in {unit} here; "
            f"write recall@{measure.budget}{unit}, or compare with unit={measure.unit!r}"
        )
    own = getattr(measure, "unit", unit)
    if own not in (unit, CHARS):
        raise SettingError(
            f"{said}{measure.name}: {unit} are counted here; write {unit} behind the slash, leave the slash "
            f"out to count characters, or compare with unit={own!r}"
        )
    return measure


def check_candidates(candidates: Sequence[Candidate]) -> None:
    """Refuse a comparison without rows, or with two rows of one name."""
    if not candidates:
        raise SettingError("no candidates to compare; name at least one chunker, such as heading:size=800")
    for name, times in Tally(c.name for c in candidates).items():
        if times > 1:
            specs = " and ".join(repr(c.spec) for c in candidates if c.name == name)
            raise SettingError(
                f"{times} candidates are called {name!r}: {specs}; give each a label, such as mine={name}"
            )


def check_corpus(corpus: Corpus) -> None:
    """Refuse a corpus without documents. Raises `CorpusError`."""
    if not len(corpus):
        raise CorpusError("the corpus has no documents; give a folder with Markdown or text files")


def check_golden_set(golden: GoldenSet, corpus: Corpus, by: Sequence[str]) -> None:
    """Refuse a golden set without questions, or one that is about other documents.

    Raises:
        GoldenError: no questions, questions without a gold, or documents that are not there or have
            another text than the golden set was anchored in; all of them are named.
        SettingError: a tag of `by` that no question has.
    """
    if not len(golden):
        raise GoldenError("no questions in the golden set; write at least one, or draft some from headings")
    faults: list[str] = []
    named: dict[str, None] = {}
    for question in golden:
        if not question.golds or not all(gold.places for gold in question.golds):
            faults.append(f"question {question.id!r} has no gold; say where its answer stands")
        for place in (p for gold in question.golds for p in gold.places):
            named[place.doc] = None
            if not 0 <= place.span[0] < place.span[1]:
                faults.append(f"question {question.id!r}: {list(place.span)} is no span in {place.doc}")
    for doc in {**named, **dict.fromkeys(golden.digests)}:
        if doc not in corpus:
            faults.append(f"{doc}: not in the corpus; compare with the folder that the golden set is about")
        elif doc in golden.digests and corpus.digest_of(doc) != golden.digests[doc]:
            faults.append(f"{doc}: its text is not the one the golden set was made for; anchor it again")
    if faults:
        raise GoldenError("the golden set does not fit these documents", faults)
    for tag in by:
        known = dict.fromkeys(name for question in golden for name in question.tags)
        if tag not in known:
            raise UnknownName("tag", tag, known)


def versions() -> dict[str, Any]:
    """Versions of what figures depend on."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for package in ("chunkwise", "numpy", "pyromark", "sentencex"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found
