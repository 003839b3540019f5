"""`explain`: compare on the questions that are asked about, and say what became of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from chunkwise.arguments import checked
from chunkwise.comparison import compare
from chunkwise.errors import GoldenError, SettingError
from chunkwise.explanation.stored import explain_report, nearest
from chunkwise.golden import check_source, load_golden
from chunkwise.types import Corpus, GoldenSet, Question
from chunkwise.types.explanation import Explanation

__all__ = ["explain"]

_RESAMPLES = 100  # of intervals that nobody is shown


@checked("corpus", "golden", "candidates")
def explain(
    corpus: Corpus | str | Path,
    golden: GoldenSet | str | Path | None = None,
    candidates: Iterable[Any] | str | None = None,
    *,
    question: str | Iterable[str] | None = None,
    worst: int | None = None,
    score_rest: bool = False,
    **settings: Any,
) -> tuple[Explanation, ...]:
    """Say what each way of cutting made of single questions.

    Args:
        corpus: the documents, or the path of a folder or file.
        golden: the questions, or the path of a golden set; None: drafted from the headings.
        candidates: as `compare` takes them.
        question: id of the question, or several of them.
        worst: instead, so many questions on which the candidates differ most on the primary measure.
        score_rest: go on with the sound questions of a golden set that has faulty ones.
        settings: `retrievers`, `k`, `budgets`, `unit`, `rule`, `primary`, `show_context` and `progress`, as
            `compare` takes them. As many chunks are shown as the largest k says.

    Returns:
        One for each question, in the order asked; the worst first.

    Raises:
        SettingError: neither or both of `question` and `worst`, or a setting that cannot work.
        GoldenError: there is no such question (the nearest is named), or the golden set is faulty.
        CorpusError: no documents.
    """
    if (question is None) == (worst is None):
        raise SettingError("say which questions: give question (an id), or worst (how many)")
    if worst is not None and worst < 1:
        raise SettingError(f"worst must be at least 1, got {worst}")
    from chunkwise.readers import opened

    check_source(golden)
    documents = opened(corpus)
    asked = golden
    ids: list[str] | None = None
    if isinstance(asked, str | Path):
        asked = load_golden(asked, documents, score_rest)
    if question is not None:
        ids = [question] if isinstance(question, str) else list(dict.fromkeys(question))
        if asked is None:
            raise SettingError("give a golden set: a question is named by its id in it")
        asked = _only(asked, ids)
    report = compare(
        documents,
        asked,
        candidates,
        exhibits=worst if worst is not None else len(ids or ()),
        resamples=_RESAMPLES,
        **settings,
    )
    return explain_report(report, ids, worst=worst)


def _only(golden: GoldenSet, ids: Sequence[str]) -> GoldenSet:
    """The golden set with these questions only."""
    known = {one.id: one for one in golden}
    for id in ids:
        if id not in known:
            raise GoldenError(nearest(id, {one.id: one.text for one in golden}))
    chosen: list[Question] = [known[id] for id in ids]
    docs = {place.doc for one in chosen for gold in one.golds for place in gold.places}
    return GoldenSet(chosen, {doc: digest for doc, digest in golden.digests.items() if doc in docs})
