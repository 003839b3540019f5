"""What the reader should know before trusting a figure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from chunkwise.evaluate.ledger import OVER, UNPLACED, Cutting
from chunkwise.evaluate.plan import Plan
from chunkwise.evaluate.scoring import Scored, ruled_measures
from chunkwise.measure import Hit, RecallAtBudget
from chunkwise.text import uneven
from chunkwise.types import GoldenSet, Run

FEW = 30
"""Below this number of questions a comparison tells large differences only."""
EASY = 0.95
"""Where every row finds as much, nothing is left to tell them apart by."""
SHARED = 0.5
"""Of the words of a question; where half of the questions share as much, any search finds their answers."""
SHORT = 8
"""A gold below this length, in characters, is easily found where it answers nothing."""


def cautions(
    golden: GoldenSet | None,
    asked: Mapping[str, Any],
    corpus: Mapping[str, Any],
    runs: Sequence[Run],
    cuttings: Sequence[Cutting],
    scored: Sequence[Scored],
    plan: Plan,
    facts: Mapping[str, Any] | None = None,
    notes: Sequence[str] = (),
    parts: Sequence[Sequence[int]] = (),
) -> tuple[str, ...]:
    """Everything that speaks against trusting the figures, the most important first.

    `asked` and `corpus` are what the report says of them; `facts` are what embedding came to, by row; `notes`
    what retrievers say of their own figures; `parts` are numbers of questions by thirds of overlap.
    """
    if golden is None:
        none = "no questions: nothing is said of what would be found; write some, each with its answer"
        about = (
            *_about_texts(corpus),
            *_about_sizes(runs, plan),
            *_about_chunks(runs, cuttings),
            *_about_vectors(facts or {}),
        )
        return (none, *about)
    return (
        *_about_questions(golden, plan),
        *_about_words(golden, asked, runs, scored, parts, plan),
        *_too_easy(runs, cuttings, scored, plan),
        *_about_texts(corpus),
        *_about_sizes(runs, plan),
        *_about_chunks(runs, cuttings),
        *_about_vectors(facts or {}),
        *notes,
        *_about_reach(runs, scored, plan),
        *_about_rules(runs, scored, plan),
    )


def _about_questions(golden: GoldenSet, plan: Plan) -> list[str]:
    found = []
    count, families = len(golden), len({q.family or q.id for q in golden})
    if golden.left_out:
        found.append(
            f"{golden.left_out} of {count + golden.left_out} questions are faulty and were left out; "
            "every figure is about the rest"
        )
    if count < FEW:
        found.append(
            f"{_count(count, 'question')} only: one question is {100 / count:.1f} points; "
            f"below {FEW} only large differences can be told"
        )
    if families < count and families < FEW:
        found.append(
            f"{count} questions are of {_count(families, 'family', 'families')} only; they vary less"
        )
    copied = sum(q.origin == "heading" for q in golden)
    if copied:
        found.append(
            f"{copied} of {_count(count, 'question')} {'are' if copied > 1 else 'is'} copied from headings: "
            f"good for a first look (judged by the rule {plan.rule.name}), kind to chunkers that keep "
            "headings; write questions in users' words"
        )
    unseen = sum(q.origin == "model" and not q.reviewed for q in golden)
    if unseen:
        found.append(f"{_count(unseen, 'question')} written by a model were reviewed by nobody")
    short = [q.id for q in golden if any(p.span[1] - p.span[0] < SHORT for g in q.golds for p in g.places)]
    if short:
        found.append(
            f"{_count(len(short), 'question')} with a gold below {SHORT} characters ({_some(short)}): "
            "so short a text is easily found where it answers nothing"
        )
    return found


def _about_words(
    golden: GoldenSet,
    asked: Mapping[str, Any],
    runs: Sequence[Run],
    scored: Sequence[Scored],
    parts: Sequence[Sequence[int]],
    plan: Plan,
) -> list[str]:
    """Questions that repeat the words of the documents, or each other."""
    found = []
    count = len(golden)
    copied = {question.id for question in golden if question.origin == "heading"}
    quoting = [id for id in asked["quoting"] if id not in copied]
    if quoting:
        found.append(
            f"{len(quoting)} of {_count(count, 'question')} {'quote' if len(quoting) > 1 else 'quotes'} the "
            f"heading above the answer ({_some(quoting)}): kind "
            "to chunkers that keep headings or index paths"
        )
    shares = asked["overlap"]
    if shares is not None and shares["median"] >= SHARED and len(copied) < count:
        least = f"{100 * shares['median']:.0f} % or more" if shares["median"] < 1 else "all"
        found.append(
            f"half of the questions share {least} of their words with the answer: users do not know these "
            f"words, and will find less{_by_thirds(runs, scored, parts, plan)}"
        )
    pairs = [pair for pair in asked["nearly_equal"] if not copied.issuperset(pair)]
    if pairs:
        named = [f"{one} and {other}" for one, other in pairs]
        found.append(
            f"{_count(len(pairs), 'pair')} of questions {'are' if len(pairs) > 1 else 'is'} nearly the same "
            f"({_some(named)}): give them one family, or they count as independent"
        )
    return found


def _by_thirds(
    runs: Sequence[Run], scored: Sequence[Scored], parts: Sequence[Sequence[int]], plan: Plan
) -> str:
    """What the best row finds of the questions that share least, and of those that share most."""
    if not parts:
        return ""
    column = [measure.name for measure in plan.measures].index(plan.primary.name)
    values = np.stack([one.values[:, column] for one in scored], axis=1)
    best = int(values.mean(axis=0).round(6).argmax())
    least, most = (100 * values[list(part), best].mean() for part in (parts[0], parts[-1]))
    return (
        f"; {runs[best].candidate.name} finds {least:.1f} % of the third that shares least, {most:.1f} % of "
        "the third that shares most"
    )


def _too_easy(
    runs: Sequence[Run], cuttings: Sequence[Cutting], scored: Sequence[Scored], plan: Plan
) -> list[str]:
    """Whether the corpus can tell chunkers apart at all."""
    found = []
    column = [measure.name for measure in plan.measures].index(plan.primary.name)
    means = [float(one.values[:, column].mean()) for one in scored]
    if len(means) > 1 and min(means) >= EASY:
        found.append(
            f"every row finds {100 * min(means):.1f} % or more: this corpus with these questions is too easy "
            "to tell chunkers apart; add documents, or harder questions"
        )
    whole = int(cuttings[0].table.sent.sum()) if cuttings else 0
    if isinstance(plan.primary, RecallAtBudget) and 0 < whole <= plan.primary.budget:
        found.append(
            f"all documents together have {whole:,} {plan.counter.name}, and {plan.primary.budget:,} are "
            "read: nothing has to be found; compare at a smaller budget, or with more documents"
        )
    return [*found, *_uncut(runs)]


def _uncut(runs: Sequence[Run]) -> list[str]:
    """Rows with one chunk a document, but for those that were asked not to cut."""
    names = [
        run.candidate.name
        for run in runs
        if len(run.table)
        and (run.table.docs[1:] != run.table.docs[:-1]).all()
        and run.candidate.chunker.spec.partition(":")[0] != "document"
    ]
    if not names:
        return []
    return [
        f"one chunk a document, nothing is cut: {_some(names)}; compare smaller sizes, or longer documents"
    ]


def _about_texts(corpus: Mapping[str, Any]) -> list[str]:
    found = []
    empty, skipped = corpus["without_text"], corpus["skipped"]
    if empty:
        found.append(f"{_count(len(empty), 'document')} without text: {_some(empty)}")
    same = corpus.get("near_duplicates")
    if same:
        found.append(
            f"{len(same)} of {_count(corpus['documents'], 'document')} say little that others do not say too "
            f"({_some(same)}): a chunk of the wrong one looks like the right one"
        )
    if skipped:
        found.append(f"{_count(len(skipped), 'file')} left out: {_some(skipped)}")
    notices = corpus.get("notices", ())
    if notices:
        more = f" (and {len(notices) - 1:,} more; chunkwise outline lists them)" if len(notices) > 1 else ""
        found.append(f"{notices[0]}{more}")
    return found


def _about_vectors(facts: Mapping[str, Any]) -> list[str]:
    """Text that no vector sees: it is in the index and cannot be found.

    Args:
        facts: what embedding came to, by the name of the row.
    """
    found = []
    for name, fact in facts.items():
        if fact.cut > 0:
            share = 100 * fact.unseen / max(1, fact.characters)
            found.append(
                f"{name}: {fact.cut:,} of {_count(fact.chunks, 'chunk')} are longer than the {fact.window} "
                f"tokens that {fact.model} reads; {share:.1f} % of the indexed characters are seen by no "
                "vector"
            )
        if fact.blank > 0:
            found.append(f"{name}: {_count(fact.blank, 'chunk')} without a vector are never found")
    return found


def _about_sizes(runs: Sequence[Run], plan: Plan) -> list[str]:
    """Documents in which a size in characters means fewer than half of the units that it means elsewhere."""
    in_chars = [run for run in runs if getattr(run.candidate.chunker, "unit", "") == "chars"]
    if not in_chars or plan.counter.name == "chars":
        return []
    table = in_chars[0].table
    placed = table.starts >= 0
    docs, units = table.docs[placed], table.sent[placed]
    count = len(table.doc_ids)
    lengths = np.bincount(docs, table.ends[placed] - table.starts[placed], count)
    units = np.bincount(docs, units, count)
    found = uneven(table.doc_ids, lengths.astype(int).tolist(), units.astype(int).tolist())
    if found is None:
        return []
    unit, many = plan.counter.name, _count(found.many, "document")
    said = f"a size in characters means fewer than half as many {unit} in {many} as in the median one"
    return [f"{said} ({found}): give sizes in tokens, such as unit=cl100k"]


def _about_chunks(runs: Sequence[Run], cuttings: Sequence[Cutting]) -> list[str]:
    found: dict[str, None] = {}
    for run, cutting in zip(runs, cuttings, strict=True):
        name, total = run.candidate.name, len(cutting.table)
        over, unplaced = (cutting.sizes["marks"].get(mark, 0) for mark in (OVER, UNPLACED))
        if not total:
            found[f"{name}: no chunks at all"] = None
        if over:
            found[f"{name}: {over} of {total} chunks are over the limit"] = None
        if unplaced:
            found[
                f"{name}: {unplaced} of {total} chunks have a text that is not in their document; "
                "they take their rank and are never a hit"
            ] = None
        lost = cutting.costs["lost_characters"]
        if lost:
            found[f"{name}: {_count(lost, 'character')} of text in no chunk"] = None
    return list(found)


def _about_reach(runs: Sequence[Run], scored: Sequence[Scored], plan: Plan) -> list[str]:
    out = []
    for one in scored:
        reachable = one.found.reachable(plan.rule)
        out.append(~np.logical_and.reduceat(reachable, one.found.places.first_gold))
    found = []
    everywhere = int(np.logical_and.reduce(out).sum()) if out else 0
    total = len(out[0]) if out else 0
    if everywhere:
        found.append(
            f"{everywhere} of {_count(total, 'question')} cannot be answered by a chunk of any row "
            f"(rule {plan.rule.name}): every chunker cut what {'they need' if everywhere > 1 else 'it needs'}"
        )
    for run, missing in zip(runs, out, strict=True):
        own = int(missing.sum()) - everywhere
        if own > 0 and own * 20 >= total:
            found.append(
                f"{run.candidate.name}: {own} more of {_count(total, 'question')} out of reach, as no chunk "
                f"meets the rule {plan.rule.name}"
            )
    return found


def _about_rules(runs: Sequence[Run], scored: Sequence[Scored], plan: Plan) -> list[str]:
    """Whether another hit rule would have put another row first."""
    hits = [i for i, m in enumerate(ruled_measures(plan)) if isinstance(m, Hit)]
    if len(runs) < 2 or not hits:
        return []
    means = {
        rule: np.array([one.ruled[rule][:, hits[0]].mean() for one in scored]).round(6) for rule in plan.rules
    }
    first = {
        rule: runs[int(column.argmax())].candidate.name for rule, column in means.items() if column.any()
    }
    own = first.get(plan.rule.name)
    others = {rule: name for rule, name in first.items() if name != own}
    if own is None or not others:
        return []
    name = ruled_measures(plan)[hits[0]].name
    said = ", ".join(f"{row} under {rule}" for rule, row in others.items())
    return [f"the hit rule decides who is first on {name}: {own} under {plan.rule.name}, {said}"]


def _count(number: int, noun: str, plural: str = "") -> str:
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def _some(names: Sequence[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
