"""What is to be shipped where, checked before any work is done."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from chunkwise.comparison import make_candidates
from chunkwise.errors import NotComparable, ReportError, SettingError
from chunkwise.golden import check_source, load_golden
from chunkwise.readers import opened
from chunkwise.ship.baseline import Baseline, load_baseline, read_baseline
from chunkwise.ship.comparable import check_askable
from chunkwise.ship.manifest import SCHEMA, Manifest
from chunkwise.ship.rows import InProcess, Producer
from chunkwise.ship.rules import Rules, load_rules
from chunkwise.ship.searching import Asking, make_asking
from chunkwise.ship.stores import Store, open_store
from chunkwise.types import Candidate, Corpus, GoldenSet, Report

__all__ = ["Order", "candidate_of", "check_window", "make_order"]

_PACKAGES: Final = ("chunkwise", "lancedb", "qdrant-client", "psycopg", "pgvector", "pyarrow", "onnxruntime")


@dataclass(slots=True)
class Order:
    """Everything that a ship needs."""

    corpus: Corpus
    store: Store
    candidate: Candidate
    asking: Asking
    golden: GoldenSet | None = None
    rules: Rules = field(default_factory=Rules)
    baseline: Baseline | None = None
    """What the golden set is compared with; from a file, else from the version that is served."""
    fresh: bool = False
    keep: int = 2
    keep_failed: bool = False
    rebuild: bool = False
    wait: float = 0.0
    seed: int = 0
    runner: str | None = None
    """What makes rows: None: this process, else one of `runner.RUNNERS`."""
    shards: Path | None = None
    """Where a runner keeps what it has made."""
    notes: list[str] = field(default_factory=list)

    def recipe(self) -> tuple[Any, ...]:
        """What must be equal for rows of the served version to be taken over; see `Manifest.recipe`."""
        model = self.asking.model()
        return SCHEMA, self.candidate.cut, self.candidate.retriever, model.get("digest", "")

    def producer(self, digests: Mapping[str, str]) -> Producer:
        """What makes the rows.

        Args:
            digests: by document, as they are now.
        """
        if self.runner is None:
            return InProcess(self.corpus, self.candidate, self.asking, digests)
        from chunkwise.ship.runner import OnDaft

        assert self.shards is not None
        recipe = (*self.recipe(), self.versions().get("chunkwise"))
        made = OnDaft(self.runner, self.shards, self.corpus, self.candidate, self.asking, digests, recipe)
        if self.rebuild:
            made.forget()
        return made

    def about_golden(self) -> dict[str, Any]:
        """What a manifest says of the golden set."""
        if self.golden is None:
            return {}
        return {"questions": len(self.golden), "digest": self.golden.digest, "asked": self.golden.asked}

    def kept(self, baseline: Baseline) -> dict[str, Any]:
        """A baseline as a manifest keeps it."""
        found: dict[str, Any] = json.loads(baseline.to_json())
        return found

    def check_against(self, served: Manifest | None) -> None:
        """Take the baseline from the served version, and refuse what could not be compared with it.

        Raises:
            NotComparable: it was checked with other questions.
            SettingError: it was checked with questions, and there are none now.
        """
        if served is None or self.fresh or not served.golden:
            return
        if self.golden is None:
            raise SettingError(
                f"{served.version}, which is served, was checked with {served.golden['questions']} "
                "questions; give them with --golden FILE, or ship without them on purpose with --fresh"
            )
        if self.baseline is not None:
            return
        if served.golden["asked"] != self.golden.asked:
            raise NotComparable(
                f"golden set changed ({served.golden['asked'][:12]} -> {self.golden.asked[:12]}) since "
                f"{served.version} was shipped; give --baseline FILE, or ship without comparing with --fresh"
            )
        self.baseline = read_baseline(json.dumps(served.baseline), served.version)
        check_askable(self.golden, self.rules, self.baseline)

    def versions(self) -> dict[str, str]:
        """Versions of the libraries that matter."""
        from importlib.metadata import PackageNotFoundError, version

        found = {}
        for package in _PACKAGES:
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
        return found


def make_order(
    corpus: Corpus | str | Path,
    store: Store | str,
    *,
    chunker: Any = None,
    retriever: str | None = None,
    decision: str | Path | None = None,
    golden: GoldenSet | str | Path | None = None,
    rules: Rules | str | Path | None = None,
    baseline: Baseline | str | Path | None = None,
    allow_cut: bool = False,
    runner: str | None = None,
    shards: str | Path | None = None,
    **settings: Any,
) -> Order:
    """Look at everything that can be wrong before any work is done; see `chunkwise.ship_index`.

    Raises:
        SettingError: nothing says what is to be shipped, no store searches in the candidate's way, an
            unknown rule, or chunks that are larger than what the model reads.
        ReportError: a decision for another corpus, or none.
        StoreError: the store cannot be reached, or is not ours.
    """
    for name in ("keep", "wait"):
        if settings.get(name, 0) < 0:
            raise SettingError(f"{name} must be at least 0, got {settings[name]:g}")
    target = open_store(store) if isinstance(store, str) else store
    found = rules if isinstance(rules, Rules) else load_rules(rules) if rules is not None else Rules()
    before = load_baseline(baseline) if isinstance(baseline, str | Path) else baseline
    report = _report(decision) if decision is not None else None
    target.prepare()
    folder = _shards(target, runner, shards)
    candidate = candidate_of(target, chunker, retriever, report, str(decision))
    asking = make_asking(candidate.retriever)
    asking.prepare()
    notes = check_window(candidate, asking, allow_cut)
    check_source(golden)
    documents = opened(corpus)
    if report is not None and report.corpus.get("digest") != documents.digest:
        raise ReportError(
            f"{decision}: was decided for another corpus ({report.corpus.get('documents')} documents, digest "
            f"{str(report.corpus.get('digest'))[:12]}; here {len(documents)}, {documents.digest[:12]}); "
            "compare again, or name what is to be shipped with -c and -r"
        )
    questions = golden
    if isinstance(golden, str | Path):
        questions = load_golden(golden, documents)
    assert questions is None or isinstance(questions, GoldenSet)
    notes += _check_questions(target, questions, found, before, ruled=rules is not None)
    return Order(
        documents,
        target,
        candidate,
        asking,
        questions,
        found,
        before,
        runner=runner,
        shards=folder,
        notes=notes,
        **settings,
    )


def _check_questions(
    store: Store, questions: GoldenSet | None, rules: Rules, before: Baseline | None, *, ruled: bool
) -> list[str]:
    """See that what needs questions has some, and that they can be asked; notes where there are none."""
    if questions is None:
        if before is not None:
            raise SettingError("a baseline needs the questions: give them with --golden FILE")
        if ruled:
            raise SettingError(
                f"{rules.source or 'a gate'}: rules need the questions that they judge; give them with "
                "--golden FILE"
            )
        unasked = "no questions were asked: counts, digests and a sample were checked and no answer"
        return [unasked] if store.features.searches else []
    if not store.features.searches:
        raise SettingError(f"{store.spec} cannot be searched, so that no question can be asked through it")
    check_askable(questions, rules, before)
    return []


def candidate_of(
    store: Store, chunker: Any, retriever: str | None, report: Report | None, source: str
) -> Candidate:
    """What is to be shipped: as named, as decided, or as the served version was.

    Raises:
        ReportError: the report decides nothing.
        SettingError: nothing says it, or it stands for several.
    """
    if report is not None and chunker is None:
        decided = report.decision.candidate if report.decision is not None else None
        if decided is None:
            raise ReportError(f"{source}: decides nothing; name what is to be shipped with -c and -r")
        if decided not in {row.name for row in report.candidates}:
            raise ReportError(f"{source}: decides for {decided!r}, of which it has no row; compare again")
        row = report[decided]
        chunker, retriever = row.spec, retriever or row.retriever
    current = store.served()
    manifest = next((m for m in store.manifests() if m.version == current), None)
    if manifest is not None:
        manifest.check_readable(store.spec)
    if chunker is None:
        if manifest is None:
            raise SettingError(
                "nothing says what is to be shipped: give --decision FILE, or -c SPEC and -r SPEC"
            )
        chunker = manifest.chunker
    if retriever is None and manifest is not None:
        retriever = manifest.retriever
    rows = make_candidates(chunker, [retriever or "bm25"])
    if len(rows) != 1:
        raise SettingError(f"{chunker!r} stands for {len(rows)} candidates; one is shipped")
    return rows[0]._replace(label="")  # a name of the user's has no meaning in a store


def check_window(candidate: Candidate, asking: Asking, allow_cut: bool) -> list[str]:
    """Refuse chunks of more tokens than the model reads: the tail of each would not be searchable.

    Returns:
        Notes; one where it was allowed.
    """
    window = getattr(asking.embedder, "window", None)
    size, unit = getattr(candidate.chunker, "size", None), getattr(candidate.chunker, "unit", None)
    if window is None or not isinstance(size, int) or unit in (None, "chars", "words") or size <= window:
        return []
    said = (
        f"{candidate.spec}: a size of {size} tokens ({unit}) is above the {window} that "
        f"{asking.embedder.name} reads: the tail of each full chunk is seen by no vector"
    )
    if not allow_cut:
        raise SettingError(f"{said}; take size={window} or less, or --allow-cut")
    return [said]


def _shards(store: Store, runner: str | None, given: str | Path | None) -> Path | None:
    """Where a runner keeps its shards; None without one. Raises `SettingError`, `MissingExtra`."""
    if runner is None:
        if given is not None:
            raise SettingError("--shards is of use with --runner only; name native or ray")
        return None
    from chunkwise.ship.runner import prepare, shards_folder

    prepare(runner)
    return shards_folder(store, given)


def _report(path: str | Path) -> Report:
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ReportError(
            f"{path}: cannot be read: {error}; name a report that compare --json wrote"
        ) from error
    return Report.from_json(text, str(path))
