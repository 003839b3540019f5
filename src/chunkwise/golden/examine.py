"""From the rows of a golden file to questions with places, and every fault on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, TypeAlias

from chunkwise.golden.anchor import Page, anchor, fold
from chunkwise.golden.documents import Names, NotFound
from chunkwise.golden.entries import Claim, Entry, read_entry
from chunkwise.golden.families import join_families
from chunkwise.golden.faults import Fault, Fix, Path, Problem
from chunkwise.golden.rows import Rows
from chunkwise.text import is_blank
from chunkwise.types import Corpus, Gold, Place, Question

SHORT = 15
"""Quotes below this many characters are found by chance, so nothing is concluded from finding one."""
LENGTHS = ((60, "short"), (200, "medium"))
Watch: TypeAlias = Callable[[Page, list[tuple[Entry, Claim, Place]]], None]
"""Called once for every document of the corpus, with the claims that have their place in it."""


@dataclass(slots=True)
class Examined:
    """What is in a golden file."""

    questions: list[Question]
    """The sound ones, in the order of the file, families filled in."""
    lines: dict[str, int]
    """Line of each sound question, by id."""
    faults: list[Fault]
    """Every fault, by line."""
    total: int
    """Number of entries, sound or not."""
    digests: dict[str, str] = field(default_factory=dict)
    """Digest of each document that the sound golds name."""
    strange: bool = False
    """Whether not one of the documents that it names is in the corpus."""


@dataclass(slots=True, eq=False)
class _Search:
    """A claim and what became of it."""

    entry: Entry
    claim: Claim
    doc: str = ""
    """Id of its document; empty where there is none of that name."""
    place: Place | None = None
    problem: Problem | None = None
    elsewhere: list[tuple[Place, str]] = field(default_factory=list)
    """Places of the quote in other documents, each in words."""


def examine(rows: Rows, corpus: Corpus, watch: Watch | None = None) -> Examined:
    """Look up every gold. Each document that is named is loaded once; with `watch`, every document is.

    Only where quotes are not found is the corpus gone through a second time, to see where they stand.
    """
    entries = [read_entry(row) for row in rows.rows]
    _number(entries)
    names = Names(corpus.ids, stems=rows.form == "csv")
    by_entry: list[list[list[_Search]]] = []
    by_doc: dict[str, list[_Search]] = {}
    lost: list[_Search] = []
    for entry in entries:
        by_entry.append([[_Search(entry, claim) for claim in need] for need in entry.needs])
        for search in chain.from_iterable(by_entry[-1]):
            if not search.claim.doc:  # said already
                continue
            try:
                search.doc = names.resolve(search.claim.doc)
                by_doc.setdefault(search.doc, []).append(search)
            except Problem as problem:
                search.problem = problem
                lost.append(search)
    digests = _visit(corpus, by_doc, watch)
    lost += [s for found in by_doc.values() for s in found if s.problem is not None]
    _look_elsewhere(corpus, [s for s in lost if isinstance(s.problem, NotFound) and s.claim.quote])
    for entry, needs in zip(entries, by_entry, strict=True):
        _explain(entry, list(chain.from_iterable(needs)))
    found = _finish(rows, entries, by_entry)
    found.strange = names.known == 0 and bool(lost)
    named = {place.doc for q in found.questions for gold in q.golds for place in gold.places}
    found.digests = {doc: digest for doc, digest in digests.items() if doc in named}
    return found


def _number(entries: list[Entry]) -> None:
    """Give ids where the whole file has none; else a missing or a repeated id is a problem."""
    used: dict[str, Entry] = {}
    numbered = not any(entry.id for entry in entries)
    for entry in entries:
        if entry.id:
            first = used.setdefault(entry.id, entry)
            if first is not entry:
                entry.problems.append(
                    Problem(f"the id is used in line {first.row.line} already", "give it an id of its own")
                )
    for number, entry in enumerate(entries, 1):
        if numbered:
            entry.id = f"q{number}"
        elif entry.row.problem is None and _is_missing(entry.row.data.get("id")):
            free = next(name for name in _free(number) if name not in used)
            used[free] = entry
            fix = Fix(((("id",), free),))
            entry.problems.append(Problem("no id", f'add "id", for example "{free}"', fix))


def _is_missing(id: Any) -> bool:
    return id is None or (isinstance(id, str) and is_blank(id))


def _free(number: int) -> Iterator[str]:
    yield f"q{number}"
    yield from (f"q{number}-{n}" for n in count(2))


def _visit(corpus: Corpus, by_doc: dict[str, list[_Search]], watch: Watch | None) -> dict[str, str]:
    """Anchor all claims, one document at a time; gives the digests of the documents that are named."""
    digests: dict[str, str] = {}
    for doc in corpus.ids:
        searches = by_doc.get(doc, [])
        if not searches and watch is None:
            continue
        page = Page(corpus[doc])
        for search in searches:
            try:
                search.place = anchor(page, search.claim)
            except Problem as problem:
                search.problem = problem
        if searches:
            digests[doc] = page.document.digest
        if watch is not None:
            watch(page, [(s.entry, s.claim, s.place) for s in searches if s.place is not None])
    return digests


def _look_elsewhere(corpus: Corpus, lost: list[_Search]) -> None:
    """Find quotes that are not in the document they name in the other ones; two places are enough."""
    if not lost:
        return
    for document in corpus:
        page = Page(document)
        for search in lost:
            if len(search.elsewhere) < 2 and search.claim.quote and search.doc != page.id:
                for span in page.find(search.claim.quote, 2):
                    where = f"{page.id!r}, {page.where(span)}"
                    search.elsewhere.append((Place(page.id, span), where))


def _explain(entry: Entry, searches: list[_Search]) -> None:
    """Turn what became of the claims of an entry into its problems."""
    said = set()
    for search in searches:
        problem = search.problem
        if problem is None:
            continue
        if search.elsewhere:
            places = " and in ".join(where for _, where in search.elsewhere[:2])
            remedy = f"the quote stands in {places}: name the document that is meant"
            problem = Problem(problem.message, remedy, _renamed(search, searches))
        if (problem.message, problem.remedy) not in said:
            said.add((problem.message, problem.remedy))
            entry.problems.append(problem)


def _renamed(search: _Search, searches: list[_Search]) -> Fix | None:
    """The fix for a document that has another name now, where that is beyond doubt.

    Every quote that goes by this name must stand in exactly one place of the corpus, all in the same
    document, and be long enough not to stand there by chance.
    """
    claim = search.claim
    alike = [s for s in searches if s.claim.doc_path == claim.doc_path]
    found = {s.elsewhere[0][0].doc if len(s.elsewhere) == 1 else "" for s in alike}
    sure = all(len(fold(s.claim.quote or "")) >= SHORT and not s.doc for s in alike)
    if len(found) != 1 or not sure or "" in found:
        return None
    place = search.elsewhere[0][0]
    edits: list[tuple[Path, Any]] = [(claim.doc_path, place.doc)]
    if claim.span is not None:
        edits += zip(claim.span_paths, place.span, strict=True)
    return Fix(tuple(edits))


def _finish(rows: Rows, entries: list[Entry], by_entry: list[list[list[_Search]]]) -> Examined:
    """Make questions of the sound entries, and faults of the problems of the others."""
    questions: list[Question] = []
    lines: dict[str, int] = {}
    seen: dict[str, list[tuple[Question, int]]] = {}
    for entry, needs in zip(entries, by_entry, strict=True):
        if entry.problems:
            continue
        question = _question(entry, needs)
        same = seen.setdefault(fold(entry.question).casefold(), [])
        problem = _repeats(question) or _duplicate(question, same)
        if problem is not None:
            entry.problems.append(problem)
            continue
        same.append((question, entry.row.line))
        questions.append(question)
        lines[question.id] = entry.row.line
    faults = [
        Fault(rows.source, entry.row.line, entry.id, problem.message, problem.remedy, problem.fix, number)
        for number, entry in enumerate(entries)
        for problem in entry.problems
    ]
    faults.sort(key=lambda fault: fault.line)
    return Examined(join_families(questions), lines, faults, len(entries))


def _question(entry: Entry, needs: list[list[_Search]]) -> Question:
    golds = tuple(
        Gold(need[0].claim.quote or "", tuple(s.place for s in need if s.place is not None)) for need in needs
    )
    length = sum(len(fold(g.quote)) if g.quote else g.places[0].span.length for g in golds)
    name = next((name for most, name in LENGTHS if length <= most), "long")
    tags = entry.tags if "answer_length" in entry.tags else {**entry.tags, "answer_length": name}
    return Question(entry.id, entry.question, golds, entry.family, tags, entry.origin, entry.reviewed)


def _repeats(question: Question) -> Problem | None:
    """Whether a question names one place twice: two needed golds, or a gold and its alternative."""
    needed = [frozenset(gold.places) for gold in question.golds]
    if len(set(needed)) < len(needed):
        return Problem("two of its golds are the same place", "name each place once")
    if any(len(set(gold.places)) < len(gold.places) for gold in question.golds):
        return Problem("a gold and its alternative are the same place", "name each place once")
    return None


def _duplicate(question: Question, same: list[tuple[Question, int]]) -> Problem | None:
    """Whether the question was asked before, white space and case aside."""

    def answer(q: Question) -> set[frozenset[Place]]:
        return {frozenset(gold.places) for gold in q.golds}

    for other, line in same:
        if answer(other) == answer(question):
            return Problem(f"asks the same as {other.id!r} in line {line}, with the same gold", "remove one")
        if not question.family or question.family != other.family:
            return Problem(
                f"asks the same as {other.id!r} in line {line}, with another gold",
                "make it one question with the other gold under 'also', or give both the same 'family'",
            )
    return None
