"""Plain files of means: what may stand in them, and what a gate makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from chunkwise.errors import ChunkwiseError, NotComparable, NothingMeasured, ReportError
from chunkwise.ship.baseline import load_baseline
from chunkwise.ship.gating import gate_report
from chunkwise.ship.outcome import Outcome
from chunkwise.ship.rules import Rules

KINDS = {"table": {"n": 10, "recall@5": 0.7}, "prose": {"n": 30, "recall@5": 0.9}}
BEFORE: dict[str, Any] = {"golden": "a", "questions": 40, "recall@5": 0.85, "by_kind": KINDS}


def judged(folder: Path, now: object, before: object = BEFORE, rules: Rules | None = None) -> Outcome:
    for name, data in (("now.json", now), ("before.json", before)):
        text = data if isinstance(data, str) else json.dumps(data)
        (folder / name).write_text(text, "utf-8")
    return gate_report(folder / "now.json", folder / "before.json", rules)


def kinds(**table: object) -> dict[str, Any]:
    return {**BEFORE, "by_kind": {**KINDS, "table": {**KINDS["table"], **table}}}


@pytest.mark.parametrize(
    ("now", "error", "message"),
    [
        ({**BEFORE, "questions": -40}, ReportError, r"'questions' must be .* at least 0, got -40"),
        ({**BEFORE, "golden": None}, ReportError, "'golden' must be the digest .* got null"),
        ({**BEFORE, "golden": ""}, ReportError, "'golden' must be the digest"),
        ({**BEFORE, "recall@5": 10**400}, NothingMeasured, "recall@5 is 1000"),
        ({**BEFORE, "by_kind": [1]}, ReportError, "'by_kind' must hold an object for each value"),
        ({**BEFORE, "by_kind": {"table": None}}, ReportError, "'by_kind' must hold"),
        (kinds(n="ten"), ReportError, "'by_kind', 'table': 'n' must be a whole number"),
        (kinds(**{"recall@5": 70}), ReportError, "'table': recall@5 is 70; it must be a share"),
        (kinds(**{"recall@5": None}), NothingMeasured, "'table': recall@5 is null"),
        ('{"golden": "a", "questions": 40, "mrr": 0.1, "mrr": 0.9}', ReportError, "'mrr' stands twice"),
        ("[" * 100_000, ReportError, "no JSON that can be meant"),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, now: object, error: type[ChunkwiseError], message: str
) -> None:
    with pytest.raises(error, match=message) as caught:
        judged(tmp_path, now)
    assert "now.json" in str(caught.value)


@pytest.mark.parametrize(
    ("now", "error", "message"),
    [
        (kinds(n=0), NothingMeasured, "0 questions with kind=table"),
        (kinds(n=1, **{"recall@5": 1.0}), NotComparable, "1 question with kind=table in place of 10 of"),
        ({**BEFORE, "by_kind": {"prose": KINDS["prose"]}}, NotComparable, "no figures for kind=table"),
    ],
)
def test_a_tag_with_fewer_questions_is_not_compared(
    tmp_path: Path, now: object, error: type[ChunkwiseError], message: str
) -> None:
    assert judged(tmp_path, now).passed  # no rule looks at tags
    for rules in (Rules(tags=0.1), Rules(tags={"kind=table": 0.1})):
        with pytest.raises(error, match=message):
            judged(tmp_path, now, rules=rules)


def test_a_tag_has_the_measures_that_the_baseline_has_of_it(tmp_path: Path) -> None:
    both = Rules(measures=("recall@5", "mrr"), tags=0.05)
    before, now = {**BEFORE, "mrr": 0.6}, {**kinds(**{"recall@5": 0.6}), "mrr": 0.6}
    failed = [check.subject for check in judged(tmp_path, now, before, both).failed]
    assert failed == ["recall@5, kind=table"]
    with pytest.raises(NotComparable, match=r"before\.json has no mrr for kind=table"):
        judged(tmp_path, now, before, Rules(measures=("mrr",), tags=0.05))
    gone = {**before, "by_kind": {**KINDS, "table": {"n": 10, "mrr": 0.9}}}
    with pytest.raises(NothingMeasured, match="recall@5 of kind=table is no number"):
        judged(tmp_path, gone, before, both)


def test_a_rule_on_tags_without_any_is_not_kept(tmp_path: Path) -> None:
    bare = {name: value for name, value in BEFORE.items() if name != "by_kind"}
    with pytest.raises(NotComparable, match="no figures for any tag"):
        judged(tmp_path, bare, bare, Rules(tags=0.1))


def test_a_measure_that_is_gone_is_not_compared_without(tmp_path: Path) -> None:
    with pytest.raises(NotComparable, match=r"now\.json has no recall@5 \(it has mrr\)"):
        judged(tmp_path, {"golden": "a", "questions": 40, "mrr": 0.9}, {**BEFORE, "mrr": 0.5})


def test_what_is_no_share_is_compared_only_where_a_rule_names_it(tmp_path: Path) -> None:
    before, now = {**BEFORE, "seconds": 9.0}, {**BEFORE, "seconds": 2.0}
    assert {check.subject for check in judged(tmp_path, now, before).checks} == {"recall@5"}
    assert not judged(tmp_path, now, before, Rules(measures=("seconds",))).passed
    with pytest.raises(NotComparable, match="name what is compared with the rule measures"):
        judged(
            tmp_path,
            {"golden": "a", "questions": 4, "score": 70},
            {"golden": "a", "questions": 4, "score": 80},
        )


def test_other_keys_are_said_and_settings_must_agree(tmp_path: Path) -> None:
    outcome = judged(tmp_path, {**BEFORE, "made": "today", "unit": "words"}, {**BEFORE, "unit": "words"})
    assert outcome.passed
    assert "now.json: not looked at, as it is no figure: made" in " ".join(outcome.notes)
    assert "no ceiling in" in " ".join(outcome.notes)
    with pytest.raises(NotComparable, match="unit changed"):
        judged(tmp_path, {**BEFORE, "unit": "words"}, {**BEFORE, "unit": "tokens"})


def test_the_remedy_of_a_broken_file_is_a_whole_command(tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text("", "utf-8")
    with pytest.raises(ReportError, match=r"-c SPEC --baseline FILE --update"):
        load_baseline(tmp_path / "b.json")
