"""`Report` and `Decision`: the truth as plain values. Every table and page is a rendering of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from chunkwise.arguments import checked
from chunkwise.errors import MissingExtra, ReportError, UnknownRow

SCHEMA = 1
"""Version of the report's form. A report of another version is refused, never guessed at."""
LEVEL = 0.05
"""A false claim comes up in at most this share of comparisons."""
MARGIN = 0.02
"""A difference that does not matter: two points."""


class Score(NamedTuple):
    """A mean over the questions with its interval."""

    value: float
    """The mean over all questions of the golden set; an unanswered one is 0 and stays in."""
    low: float
    """Lower end of the 95 % bootstrap interval over families."""
    high: float
    """Upper end."""


@dataclass(frozen=True, slots=True)
class CandidateReport:
    """What was measured of one candidate."""

    spec: str
    """Text form of the chunker."""
    label: str
    """The user's name for it, else empty."""
    retriever: str
    """Text form of the retriever."""
    chunks: int
    """Number of chunks over the corpus."""
    measures: Mapping[str, Score]
    """By the measure's text form: `hit@1`, `recall@5`, `mrr@10`, `ceiling`, `coverage`,
    `recall@1000words`, …"""
    rules: Mapping[str, Mapping[str, Score]]
    """By hit rule (contained, majority, half-section, overlap, and the user's own) the measures that a hit
    rule decides: hit, recall and mrr at each k, and the ceiling."""
    tags: Mapping[str, Mapping[str, Mapping[str, Any]]]
    """By tag and value `questions` (their number) and `measures`, each with value, low and high. Several
    tags are crossed too: `query_type × answer_length`, `table × long`. Filled when asked for (`by`)."""
    boundaries: Mapping[str, Mapping[str, Any]]
    """Damage: `starts` and `ends`, each with `cuts`, the numbers of them inside a sentence, paragraph,
    row, code and `any`, and their `shares`; `headings_parted`, `crossing_sections`, `rows_cut`,
    `rows_without_header`, `code_cut` and `items_parted` with `count`, `of` and `share`."""
    sizes: Mapping[str, Any]
    """Sizes of the indexed strings in the chunker's `unit`: min, median, mean, p95, max; `marked`, the
    number over the limit; `marks`, the number of chunks with each mark; `others`, their sizes in other units
    (of a second limit, of the budget, of the embedder), each with `limit` and the number `over` it; `first`,
    with questions the `median` of the chunks that stand first against that of `all`, and their `ratio`."""
    costs: Mapping[str, Any]
    """`characters_indexed`, `context_characters` among them, `slice_characters`, `covered_characters`,
    `overlap_factor`, `lost_characters` (visible ones in no chunk, front matter aside); `unit`, `embedded`
    (units of all indexed strings) and `sent`, the mean units that a reader gets at each k (`@5`) and budget
    (`@1000words`); `index_bytes` (null: not known); `churn`, what one more sentence in each document of a
    sample changes (`documents`, `texts`, `again`, `share`); `cutting`, the `texts` that the chunker had
    embedded to find its cuts, and their `characters` (0 for chunkers that do not split by meaning); with
    prices `money` (`currency`, `index`, `changes` a month, `query` and `month` by k and budget)."""
    questions: Mapping[str, Mapping[str, Any]]
    """By question id: `rank` of the last needed span (null if it is not found within the depth of the
    settings), `ranks` of each where there are several, `reachable`, `cut` (where chunks end and start
    inside of what is out of reach), `miss` (why it was missed: `reason` and `golds`) where it was, and the
    value of each measure."""
    headings: Mapping[str, Any] = field(default_factory=dict)
    """Questions copied from headings: `questions` (their number), and their measures `with` and `without`
    the heading lines in the index, each with value, low and high. Empty where there are none."""
    misses: Mapping[str, Any] = field(default_factory=dict)
    """Why questions were missed: `questions`, `missed`, `reasons` (by reason the number of questions; of
    some only a part of the spans was found: `partial`), `golds` (by reason the number of spans), and `above`,
    the chunks of the `same` and of `other` documents above spans that were found too late."""

    overlap: tuple[Mapping[str, Any], ...] = ()
    """The primary measure (`value`) by thirds of the questions (`questions`), those that share the fewest
    words with their answers first; empty where they are too few. `golden` of the report has the shares."""

    starts: Mapping[str, Any] = field(default_factory=dict)
    """For windows that are cut from several starts (`offsets=4`): `offsets`, and by measure the `low` and
    `high` of the starts; `measures` are then means over them, all else is that of the first start. Empty for
    a single start."""

    @property
    def name(self) -> str:
        """What its row is called: the label, else the text form of the chunker."""
        return self.label or self.spec


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paired difference of two candidates on one measure."""

    measure: str
    """Text form of the measure."""
    best: str
    """Name of the row that is compared with: the one with the highest mean."""
    other: str
    """Name of the other row."""
    difference: float
    """Mean of `best` minus mean of `other`, paired by question."""
    low: float
    """Lower end of its 95 % bootstrap interval over families."""
    high: float
    """Upper end. Where the interval holds 0 these questions do not tell the two apart."""
    differing: int = 0
    """Number of families in which the two differ. With fewer than six, no exact paired test can tell
    them apart at 5 %, whatever the interval says."""
    p: float | None = None
    """Two-sided p of the paired sign-flip test over families, for this pair alone. None, here and
    below: not computed."""
    adjusted: float | None = None
    """The same, corrected for the number of rows and for having picked the best by these scores. Where it is
    below 0.05, and the interval above 0, the other row is ruled out."""
    midp: float | None = None
    """Mid-p of McNemar's test over families, where the measure is 0 or 1 for every question."""
    detectable: float | None = None
    """The smallest true difference of these two that such questions would show in 4 of 5 samples, with the
    correction. None: no difference, however large."""
    needed: int | None = None
    """About how many questions like these would tell the two apart in 4 of 5 samples, if the true
    difference is the one seen. None where they are level."""
    not_worse: bool = False
    """Whether the other row is shown to be worse by less than the margin of `limits`."""
    ceiling: Mapping[str, float] = field(default_factory=dict)
    """How far the ceiling of the other row is below that of the best: `difference`, `low`, `high`, and `p` of
    the sign-flip test. Empty where it is not known."""

    @property
    def within_reach(self) -> bool:
        """Whether somebody could ask as many questions as are `needed`: at most 10,000, and of a difference
        that is not 0 to a tenth of a point.
        """
        return self.needed is not None and self.needed <= 10_000 and round(self.difference, 3) != 0


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows that differ in one setting only."""

    setting: str
    """Name of the setting: `path`, `overlap`, `size`, `retriever`, …"""
    before: str
    """Its value in the first row."""
    after: str
    """Its value in the second row."""
    first: str
    """Name of the row with the smaller, or plainer, value."""
    second: str
    """Name of the other row."""
    gain: float
    """Mean of the second minus mean of the first on the primary measure, paired by question."""
    low: float
    """Lower end of its 95 % bootstrap interval over families."""
    high: float
    """Upper end."""
    p: float
    """Two-sided p of the paired sign-flip test over families."""
    adjusted: float
    """The same, corrected (Holm) for the number of pairs that are listed."""
    extra_characters: int
    """Characters that the second puts into the index beyond those of the first."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What the report comes to."""

    verdict: str
    """`winner`, `tie` or `undecided` (nothing that could be measured tells)."""
    candidate: str | None
    """The row to use: the winner, or the cheapest among the tied that are searched as the best one is."""
    tied: tuple[str, ...]
    """All rows that these questions cannot tell from the best, the best among them."""
    ruled_out: tuple[str, ...]
    """Rows that are worse than the best by more than chance."""
    reasons: tuple[str, ...]
    """In words: the sentence (what was found, and because of what), what is ruled out, what is cheapest
    among what is tied, and each tied row against the best."""
    settles: tuple[str, ...] = ()
    """In words, what would settle what is open."""
    not_shown: tuple[str, ...] = ()
    """In words, what these questions can miss. To be said before what they show."""
    hides: tuple[str, ...] = ()
    """In words, what the mean of the row hides: where it is weakest, and what it was picked by."""


@dataclass(frozen=True, slots=True)
class Report:
    """One comparison. Same input, same bytes, `timings` apart."""

    corpus: Mapping[str, Any]
    """`documents`, `characters`, `digest`, `skipped`, `without_text` (ids of documents without text),
    `near_duplicates` (ids of documents that say little that others do not; null where nobody looked)."""
    golden: Mapping[str, Any]
    """`questions`, `families`, `digest`, `asked` (the digest that an edit elsewhere in a document does not
    change), `origin`, `reviewed`, `unreviewed_of_models`, what was left out of how many; `overlap`, the
    share of their telling words that questions share with their answers (`median`, and `thirds` with
    `questions`, `low` and `high`); `quoting`, ids of questions that hold the title above their answer;
    `nearly_equal`, pairs of ids of questions that are nearly the same and of two families."""
    settings: Mapping[str, Any]
    """`k`, `budgets`, `unit`, `rule`, `primary`, `by`, `seed`, `resamples`, `versions`."""
    candidates: tuple[CandidateReport, ...]
    """One for each candidate, in the order they were named."""
    comparisons: tuple[Comparison, ...]
    """Each row against the best one, on the primary measure."""
    pairs: tuple[Pair, ...] = ()
    """Rows that differ in one setting only, against each other on the primary measure."""
    limits: Mapping[str, Any] = field(default_factory=dict)
    """What these questions can show: `level` of the tests, `corrected` for the number of rows, `power`,
    `margin`, `margin_families` (so many it takes to show that a row is not worse by more than that),
    `least_families` (so many must change, all the same way, before anything is shown) and `detectable`,
    the largest of the comparisons' (null: there is one that nothing can be shown of)."""
    selection: Mapping[str, Any] = field(default_factory=dict)
    """What the best row has on questions that did not pick it: `kind` (`halves`, `folds` or `none`), `chosen`
    (names; one a fold), `value`, `low`, `high`, number of `questions`, and `own`, the best mean on all."""
    chances: Mapping[str, float] = field(default_factory=dict)
    """By row the share of resamples in which it has the highest mean."""
    weak: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """By row where its mean does not hold, on the primary measure: `worst`, the value of a tag that it finds
    least of, and `behind`, where another row is ahead of it by the most. Either may be missing."""
    embedding: Mapping[str, Any] = field(default_factory=dict)
    """By model how many `chunks` all rows have, and how many `distinct` texts: each is embedded once."""
    warnings: tuple[str, ...] = ()
    """What the reader should know before trusting a figure."""
    exhibits: tuple[Mapping[str, Any], ...] = ()
    """Chosen questions (`kind` is `question`) with their `golds` and in `rows` the chunks that each row
    returned, and for each gold its `rank`, or the chunk that `held` it, or the `cuts` inside of it; then
    documents or parts of them (`document`) with their golds and the cuts of every row; see
    `evaluate.exhibits` and `evaluate.reader`. Empty where texts are to be kept out."""
    decision: Decision | None = None
    """The verdict."""
    timings: Mapping[str, float] = field(default_factory=dict)
    """Seconds by step. The only part that differs between two runs on the same input."""
    schema: int = SCHEMA
    """Version of this form."""

    def __repr__(self) -> str:
        """What was compared, and what came out; the whole of it fills pages."""
        verdict, candidate = (
            (self.decision.verdict, self.decision.candidate) if self.decision else (None, None)
        )
        return (
            f"Report(rows={len(self.candidates)}, questions={self.golden.get('questions', 0)}, "
            f"verdict={verdict!r}, candidate={candidate!r})"
        )

    @property
    def level(self) -> float:
        """Level of its tests: what has a smaller p is more than chance."""
        return float(self.limits.get("level", LEVEL))

    @property
    def margin(self) -> float:
        """A difference up to which a row counts as not worse."""
        return float(self.limits.get("margin", MARGIN))

    def __getitem__(self, name: str) -> CandidateReport:
        """The row of that name. Raises `UnknownRow`, which lists the rows, where there is none."""
        for candidate in self.candidates:
            if candidate.name == name:
                return candidate
        raise UnknownRow(name, [candidate.name for candidate in self.candidates])

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values, `schema` first."""
        return {"schema": self.schema, **{f.name: _plain(getattr(self, f.name)) for f in fields(self)}}

    def to_json(self) -> str:
        """The report as JSON text; ends with a line end."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    @classmethod
    @checked()
    def from_json(cls, text: str, source: str = "report") -> Report:
        """Read a stored report. Raises `ReportError` where it is broken or of another schema."""
        try:
            data = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise ReportError(
                f"{source}: {_broken(text, error)}; name a file that compare --json wrote, or run the "
                "comparison again"
            ) from error
        if not isinstance(data, dict) or "schema" not in data:
            raise ReportError(
                f"{source}: JSON, but no report of Chunkwise; name a file that compare --json wrote"
            )
        if data["schema"] != SCHEMA:
            found = data["schema"]
            newer = isinstance(found, int) and found > SCHEMA
            remedy = "install a newer Chunkwise, or " if newer else ""
            raise ReportError(
                f"{source}: schema {found!r}, this version reads {SCHEMA}; {remedy}run the comparison again"
            )
        try:
            return cls._from_dict(data)
        except (KeyError, TypeError, AttributeError) as error:
            raise ReportError(f"{source}: not a whole report ({error}); run the comparison again") from error

    @classmethod
    def _from_dict(cls, data: dict[str, Any]) -> Report:
        def revive(kind: type[Any], row: Mapping[str, Any]) -> Any:
            # What a report from before a field was added does not have is its default.
            values = {f.name: row[f.name] for f in fields(kind) if f.name in row}
            return kind(**{k: tuple(v) if isinstance(v, list) else v for k, v in values.items()})

        rows = [
            {
                **row,
                "measures": _revive_scores(row["measures"]),
                "rules": {rule: _revive_scores(found) for rule, found in row["rules"].items()},
            }
            for row in data["candidates"]
        ]
        decision = data["decision"]
        return cls(
            corpus=data["corpus"],
            golden=data["golden"],
            settings=data["settings"],
            candidates=tuple(revive(CandidateReport, row) for row in rows),
            comparisons=tuple(revive(Comparison, row) for row in data["comparisons"]),
            pairs=tuple(revive(Pair, row) for row in data.get("pairs", ())),
            limits=data.get("limits", {}),
            selection=data.get("selection", {}),
            chances=data.get("chances", {}),
            weak=data.get("weak", {}),
            embedding=data.get("embedding", {}),
            warnings=tuple(data["warnings"]),
            exhibits=tuple(data["exhibits"]),
            decision=None if decision is None else revive(Decision, decision),
            timings=data["timings"],
        )

    def to_pandas(self) -> Any:
        """A data frame with a row a candidate and a column a measure.

        Raises `MissingExtra` where pandas is not installed.
        """
        try:
            import pandas
        except ImportError as error:
            raise MissingExtra("to_pandas()", "pandas") from error
        return pandas.DataFrame(
            [
                {
                    "candidate": row.name,
                    "spec": row.spec,
                    "retriever": row.retriever,
                    "chunks": row.chunks,
                    **{name: score.value for name, score in row.measures.items()},
                }
                for row in self.candidates
            ]
        ).set_index("candidate")


def _broken(text: str, error: Exception) -> str:
    """What is wrong with a text that is no JSON, and where."""
    if not isinstance(error, json.JSONDecodeError):
        return "nested too deeply to be a report"
    if not text.strip():
        return "empty"
    place = f"line {error.lineno}, column {error.colno}"
    if not text[error.pos :].strip() or error.msg.startswith("Unterminated string"):
        return f"cut off: it ends in {place}" if not text[error.pos :].strip() else f"cut off behind {place}"
    return f"no JSON, {place}: {error.msg}"


def _plain(value: Any) -> Any:
    """A value of a report as JSON has it; plain values are handed on as they are."""
    if isinstance(value, CandidateReport | Comparison | Pair | Decision):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Score):
        return value._asdict()
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def _revive_scores(found: Mapping[str, Mapping[str, float]]) -> dict[str, Score]:
    return {name: Score(**score) for name, score in found.items()}
