"""What each chunker found on every corpus at hand: figures of `docs/first-choice.md` and `cut-rate.md`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from chunkwise import Corpus, GoldenSet, Report, compare, load_golden, read, read_text
from chunkwise.report.tables import percent, points
from examples import manuals

ROOT = Path(__file__).parents[1]
FOUND = "recall@1000words"
LABELS = ("heading", "section", "paragraph", "recursive", "sentence", "fixed overlap 100", "fixed")
SPECS = tuple(f"{label.replace(' overlap ', ':size=800,overlap=')}" for label in LABELS)
PROSE = {
    "chatlogs": "chat logs, messages in JSON",
    "finance": "financial reports, flat text",
    "pubmed": "abstracts and papers, flat text",
    "state_of_the_union": "a speech",
    "wikitexts": "encyclopedia articles, flat text",
}


class Measured(NamedTuple):
    """A corpus with its comparison."""

    kind: str
    report: Report


def table(data: Path) -> str | None:
    """A row a corpus: the documents, the questions, what the chunkers found in per cent, the verdict."""
    if not (data / "chroma-eval").is_dir():
        return None
    lines = [
        f"| documents | questions | {' | '.join(LABELS)} | tied with the first |",
        f"|---|---:|{'---:|' * len(LABELS)}---|",
    ]
    for kind, report in measured(data):
        values = [report[label].measures[FOUND] for label in LABELS]
        best = max(values, key=lambda score: score.value)
        cells = [
            f"**{percent(score.value)}** ({points(score.low, score.high)})"
            if score is best
            else percent(score.value)
            for score in values
        ]
        tied = report.decision.tied
        others = len(tied) - 1
        verdict = "all rows" if len(tied) == len(LABELS) else ", ".join(tied) if others > 0 else "none"
        lines.append(f"| {kind} | {report.golden['questions']} | {' | '.join(cells)} | {verdict} |")
    return "\n".join([*lines, ""])


def cut_rates(data: Path) -> str | None:
    """A row a corpus: how many of the starts fall inside a sentence, what is found, and how the two go
    together over the chunkers: Spearman's rank correlation. Then their mean with a 95 % interval.
    """
    if not (data / "chroma-eval").is_dir():
        return None
    import numpy as np
    from scipy.stats import bootstrap, spearmanr

    lines = [
        "| documents | starts in a sentence, % | in sentence, row or code, % | found, % | rank correlation |",
        "|---|---:|---:|---:|---:|",
    ]
    correlations = []
    for kind, report in measured(data):
        rows = [row for row in report.candidates if row.label != "section"]  # it cuts as `heading` does
        cuts = [100 * row.boundaries["starts"]["shares"]["sentence"] for row in rows]
        all_cuts = [100 * row.boundaries["starts"]["shares"]["any"] for row in rows]
        found = [100 * row.measures[FOUND].value for row in rows]
        correlations.append(float(spearmanr(cuts, found).statistic))
        ranges = [f"{min(column):.1f} to {max(column):.1f}" for column in (cuts, all_cuts, found)]
        lines.append(f"| {kind} | {' | '.join(ranges)} | {correlations[-1]:+.2f} |")
    mean = float(np.mean(correlations))
    interval = bootstrap(
        (correlations,), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    lines.append(
        f"| **mean of {len(correlations)} corpora** | | | | **{mean:+.2f}** "
        f"({interval.low:+.2f} to {interval.high:+.2f}) |"
    )
    return "\n".join([*lines, ""])


@cache
def measured(data: Path) -> tuple[Measured, ...]:
    """Each corpus compared with the same rows, searched with BM25."""
    candidates = [f"{label}={spec}" for label, spec in zip(LABELS, SPECS, strict=True)]
    return tuple(
        Measured(kind, compare(corpus, golden, candidates, primary=FOUND, resamples=2000, exhibits=0))
        for kind, corpus, golden in corpora(data)
    )


def corpora(data: Path) -> Iterator[tuple[str, Corpus, GoldenSet | None]]:
    """Kind of documents, corpus, and questions; None where they are drafted from the headings."""
    yield "near-duplicate manuals, synthetic", *on_manuals()
    handbook = ROOT / "examples" / "handbook"
    policies = read(handbook / "docs")
    yield "policies of a company, with tables", policies, load_golden(handbook / "golden.jsonl", policies)
    yield "API documentation, drafted questions", read(data / "fastapi-docs" / "docs"), None
    legal = read(data / "constitution" / "docs")
    yield "a constitution", legal, load_golden(data / "constitution" / "golden.jsonl", legal)
    texts = read(data / "chroma-eval" / "corpora")
    questions = load_golden(data / "chroma-eval" / "questions_df.csv", texts)
    for document in texts:
        own = [question for question in questions if question.golds[0].places[0].doc == document.id]
        kind = PROSE[Path(document.id).stem]
        yield kind, Corpus([document]), GoldenSet(own, {document.id: document.digest})


def on_manuals() -> tuple[Corpus, GoldenSet]:
    """The synthetic manuals and their questions."""
    texts, lines = manuals.build()
    corpus = Corpus(read_text(text, path) for path, text in texts.items())
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "golden.jsonl"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return corpus, load_golden(file, corpus)
