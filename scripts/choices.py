"""What each chunker found on every corpus at hand: figures of `docs/first-choice.md` and `cut-rate.md`."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

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
    lines = [
        "| documents | starts in a sentence, % | in sentence, row or code, % | found, % | rank correlation |",
        "|---|---:|---:|---:|---:|",
    ]
    correlations, mean, low, high = rank_correlations(data)
    for (kind, report), correlation in zip(measured(data), correlations, strict=True):
        columns = [100 * np.array(column) for column in _cuts_and_found(report)]
        ranges = [f"{column.min():.1f} to {column.max():.1f}" for column in columns]
        lines.append(f"| {kind} | {' | '.join(ranges)} | {correlation:+.2f} |")
    lines.append(
        f"| **mean of {len(correlations)} corpora** | | | | **{mean:+.2f}** ({low:+.2f} to {high:+.2f}) |"
    )
    return "\n".join([*lines, ""])


def rank_correlations(data: Path) -> tuple[list[float], float, float, float]:
    """Spearman's rank correlation of cut rate and share found by corpus; their mean with its interval."""
    from scipy.stats import bootstrap, spearmanr

    found = [_cuts_and_found(one.report) for one in measured(data)]
    correlations = [float(spearmanr(cuts, values).statistic) for cuts, _, values in found]
    interval = bootstrap(
        (correlations,), np.mean, n_resamples=9999, method="percentile", rng=np.random.default_rng(0)
    ).confidence_interval
    return correlations, float(np.mean(correlations)), float(interval.low), float(interval.high)


def _cuts_and_found(report: Report) -> tuple[list[float], list[float], list[float]]:
    """Of each row the share of starts inside a sentence, inside anything, and what it found."""
    rows = [row for row in report.candidates if row.label != "section"]  # it cuts as `heading` does
    shares = [row.boundaries["starts"]["shares"] for row in rows]
    found = [row.measures[FOUND].value for row in rows]
    return [own["sentence"] for own in shares], [own["any"] for own in shares], found


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
