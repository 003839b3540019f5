"""`Baseline`: what one row of a report measured, without texts. Later runs are compared with it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from chunkwise.errors import NothingMeasured, ReportError, SettingError
from chunkwise.golden import each_key_once
from chunkwise.ship.means import figure, number, read_means, whole
from chunkwise.types import CandidateReport, GoldenSet, Report

__all__ = ["Baseline", "Group", "load_baseline", "make_baseline", "read_baseline", "replaceable"]

_ANEW: Final = (
    "write it again; a baseline with: chunkwise gate DOCS --golden FILE -c SPEC --baseline FILE --update"
)
ABOUT: Final = "about_questions"
"""The key beside those of a report that holds families and tags of the questions."""


@dataclass(frozen=True, slots=True)
class Group:
    """The questions with one value of one tag."""

    questions: int
    """Their number."""
    means: Mapping[str, float]
    """By measure."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """The figures of one row. Either side of a gate is one."""

    source: str
    """Where it came from, for messages: mostly the path of a file."""
    name: str
    """What the row is called; empty where the file does not say."""
    golden: str
    """Digest of the golden set."""
    asked: str
    """Digest of the golden set that does not change with the places of the answers; else empty."""
    questions: int
    """Number of questions."""
    means: Mapping[str, float]
    """By measure, over all questions. A figure that is no number is NaN here, and fails a gate."""
    groups: Mapping[str, Group]
    """By `tag=value`."""
    values: Mapping[str, Mapping[str, Any]]
    """By question id, `rank` and the value of each measure; empty where the file has means only."""
    families: Mapping[str, str]
    """By question id; a question that is not in it is a family of its own."""
    tags: Mapping[str, Mapping[str, str]]
    """By question id."""
    report: Report | None = None
    """The report of this row alone, without texts; None where the file has means only."""
    said: Mapping[str, Any] = field(default_factory=dict)
    """Settings that a file of means states."""
    unread: tuple[str, ...] = ()
    """Keys of a file of means that are no figures and no settings: nothing is known of them."""

    @property
    def row(self) -> CandidateReport | None:
        """The row of the report."""
        return self.report.candidates[0] if self.report is not None else None

    @property
    def means_only(self) -> bool:
        """Whether there are no values by question, so that no interval can be taken."""
        return not self.values

    @property
    def drafted(self) -> bool:
        """Whether every question was copied from a heading."""
        origin = self.report.golden.get("origin", {}) if self.report is not None else {}
        return set(origin) == {"heading"}

    def setting(self, name: str) -> Any:
        """A setting of the report; None where it is not known."""
        return self.said.get(name) if self.report is None else self.report.settings.get(name)

    def to_json(self) -> str:
        """The file form: a report that `Report.from_json` reads too, with families and tags beside it.

        Raises:
            SettingError: there are means only.
        """
        if self.report is None:
            raise SettingError(
                f"{self.source} holds means only; run the gate on the documents to get a baseline"
            )
        about = {
            id: {"family": self.families.get(id, id), "tags": dict(self.tags.get(id, {}))}
            for id in self.values
        }
        data = {**self.report.to_dict(), ABOUT: about}
        return json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def about(self, other: Baseline) -> Baseline:
        """The same figures, with families and tags of another one where this has none."""
        if self.families or self.tags or self.means_only:
            return self
        return _filled(replace(self, families=other.families, tags=other.tags))

    def tagged_as(self, other: Baseline) -> Baseline:
        """The same figures, with the means by tag taken over the questions that have the tag in another one.

        A tag that was moved from one question to another must not move the figures that are compared.
        """
        if self.means_only or not other.tags or self.tags == other.tags:
            return self
        own = {key for tags in self.tags.values() for key in _keys(tags)}
        kept = {key: group for key, group in self.groups.items() if key not in own}
        return _filled(replace(self, tags=other.tags, groups=kept))


def make_baseline(
    report: Report, row: str | None = None, *, golden: GoldenSet | None = None, source: str = "this run"
) -> Baseline:
    """One row of a report as a baseline.

    Args:
        report: any report with questions.
        row: name of the row; None for the only one, else the one that the decision names.
        golden: gives families and tags; without it every question is its own family.
        source: for messages.

    Raises:
        SettingError: there is no such row, or nothing says which one is meant.
    """
    found = _row(report, row, source)
    alone = Report(
        corpus=report.corpus,
        golden=report.golden,
        settings={**report.settings, "candidates": [f"{found.spec} @ {found.retriever}"]},
        candidates=(found,),
        comparisons=(),
        warnings=tuple(w for w in report.warnings if w.startswith(f"{found.name}:")),
    )
    baseline = Baseline(
        source=source,
        name=found.name,
        golden=str(report.golden.get("digest", "")),
        asked=str(report.golden.get("asked", "")),
        questions=whole(report.golden.get("questions", 0), f"{source}: 'questions' of 'golden'"),
        means={name: number(score.value) for name, score in found.measures.items()},
        groups={
            f"{tag}={value}": Group(
                int(group["questions"]), {m: number(s["value"]) for m, s in group["measures"].items()}
            )
            for tag, values in found.tags.items()
            for value, group in values.items()
        },
        values=found.questions,
        families={q.id: q.family or q.id for q in golden} if golden is not None else {},
        tags={q.id: dict(q.tags) for q in golden} if golden is not None else {},
        report=alone,
    )
    return _filled(baseline)


def load_baseline(path: str | Path, row: str | None = None) -> Baseline:
    """Read a baseline, a report, or a plain file of means.

    A file of means is one JSON object with `golden` (a digest), `questions` (a number) and one number a
    measure; `by_TAG` holds an object by value with `n` and the same measures.

    Raises:
        ReportError: there is no such file, or it is empty, cut off, or neither of these forms.
        NothingMeasured: a figure is null or no number; names the file and the measure.
        SettingError: the report has several rows and nothing says which one is meant.
    """
    source = str(path)
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise ReportError(
            f"{source}: there is no such baseline; write the first one on purpose with: "
            "chunkwise gate DOCS --golden FILE -c SPEC --baseline FILE --update"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(
            f"{source}: cannot be read: {error}; name a baseline, a report, or a file of means"
        ) from error
    return read_baseline(text, source, row)


def read_baseline(text: str, source: str, row: str | None = None) -> Baseline:
    """A baseline of its text; see `load_baseline`."""
    if not text.strip():
        raise ReportError(f"{source}: the file is empty; {_ANEW}")
    try:
        data = json.loads(text, object_pairs_hook=each_key_once)
    except json.JSONDecodeError as error:
        raise ReportError(
            f"{source}: no whole JSON, line {error.lineno}: {error.msg}; the file is cut off or was edited: "
            f"{_ANEW}"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{source}: no JSON that can be meant: {error}; {_ANEW}") from error
    if isinstance(data, dict) and "schema" not in data and "golden" in data:
        return _of_means(data, source)
    _no_gaps(data, source)
    report = Report.from_json(text, source)
    try:
        baseline = make_baseline(report, row, source=source)
        about = data.get(ABOUT)
        if about is None:
            return baseline
        families = {id: str(entry.get("family", id)) for id, entry in about.items()}
        tags = {id: dict(entry.get("tags", {})) for id, entry in about.items()}
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ReportError(f"{source}: not a whole report ({error}); {_ANEW}") from error
    return _filled(replace(baseline, families=families, tags=tags))


def replaceable(path: str | Path) -> bool:
    """Whether a file that is no baseline was meant to be one: it is empty, or begins as one does."""
    with Path(path).open("rb") as file:
        begin = file.read(200).removeprefix(b"\xef\xbb\xbf").split()
    return not begin or b"".join(begin).startswith((b'{"schema":', b'{"golden":'))


def _of_means(data: Mapping[str, Any], source: str) -> Baseline:
    found = read_means(data, source)
    groups = {key: Group(count, means) for key, (count, means) in found.groups.items()}
    return Baseline(
        source,
        "",
        found.golden,
        "",
        found.questions,
        found.means,
        groups,
        {},
        {},
        {},
        said=found.settings,
        unread=found.unread,
    )


def _row(report: Report, row: str | None, source: str) -> CandidateReport:
    names = [one.name for one in report.candidates]
    if not names:
        raise NothingMeasured(f"{source}: a report without rows: nothing was measured")
    if row is not None:
        if row not in names:
            raise SettingError(f"{source}: no row {row!r}; it has {', '.join(names)}")
        return report[row]
    if len(names) == 1:
        return report.candidates[0]
    decided = report.decision.candidate if report.decision is not None else None
    if decided in names:
        return report[str(decided)]
    raise SettingError(
        f"{source}: {len(names)} rows and no decision; name one with --row: {', '.join(names)}"
    )


def _filled(baseline: Baseline) -> Baseline:
    """With the means of every value of every tag, taken from the values by question."""
    if not baseline.values or not baseline.tags:
        return baseline
    members: dict[str, list[str]] = {}
    for id in baseline.values:
        for key in _keys(baseline.tags.get(id, {})):
            members.setdefault(key, []).append(id)
    groups = {
        key: Group(
            len(ids),
            {m: _mean([baseline.values[id].get(m) for id in ids]) for m in baseline.means},
        )
        for key, ids in sorted(members.items())
    }
    return replace(baseline, groups={**baseline.groups, **groups})


def _keys(tags: Mapping[str, str]) -> Iterator[str]:
    return (f"{tag}={value}" for tag, value in tags.items())


def _mean(values: list[Any]) -> float:
    return math.fsum(number(value) for value in values) / len(values)


def _no_gaps(data: Any, source: str) -> None:
    """Refuse a report in which a mean is null or NaN, which JSON readers let through."""
    rows = data.get("candidates", ()) if isinstance(data, dict) else ()
    for row in rows if isinstance(rows, list) else ():
        measures = row.get("measures", {}) if isinstance(row, dict) else {}
        for name, score in measures.items() if isinstance(measures, dict) else ():
            figure(name, score.get("value") if isinstance(score, dict) else score, source)
