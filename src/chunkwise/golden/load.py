"""`load_golden`: a golden file to a `GoldenSet`, or every fault of it."""

from __future__ import annotations

from pathlib import Path

from chunkwise.arguments import checked
from chunkwise.errors import GoldenError
from chunkwise.golden.examine import Examined, examine
from chunkwise.golden.faults import counted
from chunkwise.golden.rows import Rows, read_rows
from chunkwise.types import Corpus, GoldenSet, check_corpus


@checked("path", "corpus")
def load_golden(path: str | Path, corpus: Corpus, score_rest: bool = False) -> GoldenSet:
    """Read a golden set and find the place of every gold in the corpus.

    Args:
        path: JSON Lines, a plain JSON list, or CSV with spans; recognised by what it holds.
        corpus: the documents that it is about. Those that are named are loaded one at a time.
        score_rest: where entries are faulty, go on with the sound ones; the set says in `left_out` and
            `faults` which are not in it.

    Raises:
        GoldenError: the file cannot be read; or an entry is faulty (all faults are listed, each with
            its line and remedy); or nothing is left to be scored.
        SettingError: `corpus` is no corpus, or `path` no path.
    """
    rows = read_rows(path)
    check_corpus(corpus)
    found = examine(rows, corpus)
    if not found.total:
        raise GoldenError(f"{rows.source}: no questions; write at least one")
    if found.faults and (not score_rest or not found.questions):
        raise GoldenError(summary(rows, found), found.faults)
    return GoldenSet(
        found.questions,
        found.digests,
        left_out=found.total - len(found.questions),
        faults=found.faults,
    )


def summary(rows: Rows, found: Examined) -> str:
    """How many faults in how many of the questions, in one sentence."""
    faulty = found.total - len(found.questions)
    faults, questions = counted(len(found.faults), "fault"), counted(found.total, "question")
    text = f"{rows.source}: {faults} in {faulty} of {questions}"
    if found.strange:
        text += "; no document that it names is in the corpus: is it a golden set for other documents?"
    return text
